"""`chain.jsonl` beside a store: a line for each memory, written once, and how far it reaches (Q-31, T-30).

Only the process that holds the store writes here; anybody can verify it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...clock import EPOCH, format_time, parse_time
from ...ledger.lifecycle import is_classified, standing
from ...quality import chain
from ...quality.kinds import memory_type
from ...records import Memory
from ..storage import files
from .signing import KeyRing

if TYPE_CHECKING:  # the terminal reads a chain without an index
    from ..docstore.store import Store

ReadMemory = Callable[[str], Memory | None]


class ChainFile:
    """The chain of one memory folder as it lies on the disk."""

    def __init__(self, folder: Path, keys: KeyRing) -> None:
        self.path = folder / files.CHAIN_FILE
        self._head_path = folder / files.CHAIN_HEAD_FILE
        self._keys = keys
        self._unsigned_until = EPOCH

    def stamp(self) -> tuple[object, object]:
        """Return what changes with the chain."""
        return files.file_stamp(self.path), files.file_stamp(self._head_path)

    def verify(self, read: ReadMemory) -> chain.ChainReport:
        """Return what the chain and the memories are worth; a missing file is an empty chain."""
        return chain.verify(
            self._read_data(), self._read_head(), lambda one: to_core(read(one)), check=self._keys.check
        )

    def open(self) -> tuple[chain.Head, dict[str, str]]:
        """Return where the next line goes, and the digest of each memory that is chained; nothing is verified.

        A last line that a crash tore, after what is known to have been written, is taken away.
        """
        data, head = self._read_data(), self._read_head()
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if whole != data and len(lines) >= (0 if head is None else head.count):
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole))
        elif whole != data:
            lines.append(data[len(whole) :])
        known: dict[str, str] = {}
        for line in files.read_lines(self.path):
            if "tombstone" in line:
                known.pop(str(line.get("id")), None)
            elif isinstance(line.get("hash"), str):
                known[str(line.get("id"))] = line["hash"]
        last = chain.digest(lines[-1]) if lines else chain.GENESIS
        return chain.Head(count=len(lines), digest=last), known

    def append(
        self, head: chain.Head, cores: Iterable[chain.Core], gone: Iterable[str], *, at: str, is_signed: bool
    ) -> chain.Head:
        """Write a line for each core and a tombstone for each of `gone`; return how far the chain reaches now."""
        lines, head = chain.make_lines(head, cores, gone, at=at, sign=self._keys.sign, is_signed=is_signed)
        if lines:
            files.append_lines(self.path, map(json.loads, lines))
            self._write_head(head)
        return head

    def begin(self, moment: datetime) -> datetime:
        """Return up to when memories are unsigned: `moment` where there is no chain yet, and for good then."""
        found = files.read_object(self._head_path) or {}
        self._unsigned_until = parse_time(found.get("unsigned_until")) or moment
        if not found and not self.path.exists():
            self._write_head(chain.Head(count=0, digest=chain.GENESIS))
        return self._unsigned_until

    def _write_head(self, head: chain.Head) -> None:
        row = {"count": head.count, "digest": head.digest, "unsigned_until": format_time(self._unsigned_until)}
        files.write_atomically(self._head_path, json.dumps(row) + "\n")

    def _read_data(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""

    def _read_head(self) -> chain.Head | None:
        found: dict[str, Any] = files.read_object(self._head_path) or {}
        count, digest = found.get("count"), found.get("digest")
        return chain.Head(count=count, digest=digest) if isinstance(count, int) and isinstance(digest, str) else None


class ChainKeeper:
    """Chains what comes into a store, and what leaves it; nothing new costs a look at two sizes."""

    def __init__(self, store: Store, file: ChainFile) -> None:
        self._store = store
        self.file = file
        self._seen: dict[str, Any] | None = None
        self._lock = threading.Lock()
        self._unsigned_until = EPOCH
        self._known: dict[str, str] = {}
        self._head = chain.Head(count=0, digest=chain.GENESIS)

    def catch_up(self, *, limit: int | None = None) -> int:
        """Write what is new since the last time, and return how many lines: adopted, rewritten, deleted by the host.

        A memory that is chained and reads otherwise when the process begins was altered behind our back: it stays as it
        is, for the verification to name. What was there before there was a chain is chained unsigned (T-30). With a
        `limit` the rest is left to the next call. One call at a time: the end of a turn comes here too.
        """
        with self._lock:
            return self._catch_up(limit)

    def _catch_up(self, limit: int | None) -> int:
        with self._store.lock:
            documents: dict[str, Any] = dict(self._store.db.get_all_docs())
        is_first = self._seen is None
        if self._seen is None:
            self._unsigned_until = self.file.begin(self._store.clock() if documents else EPOCH)
            self._head, self._known = self.file.open()
            # What is chained already is as it was until somebody proves otherwise.
            self._seen = {one: document for one, document in documents.items() if one in self._known}
        if not is_first and not self._has_news(documents):
            return 0
        due = [one for one, document in documents.items() if self._seen.get(one) is not document]
        read = [memory for memory in map(self._store.read, due[:limit]) if is_classified(memory)]
        fresh = [core for core in map(to_core, read) if core is not None and self._is_new(core)]
        old = {memory.id for memory in read if standing(memory)[1].created_at <= self._unsigned_until}
        before = self._head.count
        self._append([core for core in fresh if core.id in old], (), is_signed=False)
        gone = [one for one in self._known if one not in documents]
        self._append([core for core in fresh if core.id not in old], gone, is_signed=True)
        waiting = set(due) - {one.id for one in read}
        self._seen = {one: document for one, document in documents.items() if one not in waiting}
        return self._head.count - before

    def _has_news(self, documents: dict[str, Any]) -> bool:
        seen, last = self._seen or {}, next(reversed(documents.items()), None)
        return len(documents) != len(seen) or (last is not None and seen.get(last[0]) is not last[1])

    def _is_new(self, core: chain.Core) -> bool:
        return self._known.get(core.id) != chain.core_hash(core)

    def _append(self, cores: list[chain.Core], gone: Iterable[str], *, is_signed: bool) -> None:
        at, gone = format_time(self._store.clock()), list(gone)
        self._head = self.file.append(self._head, cores, gone, at=at, is_signed=is_signed)
        self._known |= {core.id: chain.core_hash(core) for core in cores}
        for one in gone:
            del self._known[one]


def to_core(memory: Memory | None) -> chain.Core | None:
    """Return what of a memory is chained; None where it is gone, or has no standing."""
    return None if memory is None else chain.core_of(memory, memory_type(memory).value)
