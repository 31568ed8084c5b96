"""`chain.jsonl` beside a store: a line for each memory, written once, and how far it reaches (Q-31, T-30).

Only the process that holds the store writes here; anybody can verify it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...clock import format_time
from ...ledger.lifecycle import is_classified
from ...quality import chain
from ...quality.kinds import memory_type
from ...records import Memory
from ..docstore.store import Store
from ..storage import files
from .signing import KeyRing

ReadMemory = Callable[[str], Memory | None]


class ChainFile:
    """The chain of one memory folder as it lies on the disk."""

    def __init__(self, folder: Path, keys: KeyRing) -> None:
        self.path = folder / files.CHAIN_FILE
        self._head_path = folder / files.CHAIN_HEAD_FILE
        self._keys = keys

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
            files.write_atomically(self._head_path, json.dumps({"count": head.count, "digest": head.digest}) + "\n")
        return head

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
        self._unsigned: set[str] = set()
        self._known: dict[str, str] = {}
        self._head = chain.Head(count=0, digest=chain.GENESIS)

    def catch_up(self) -> int:
        """Write what is new since the last time, and return how many lines: adopted, rewritten, deleted by the host.

        A memory that is chained and reads otherwise when the process begins was altered behind our back: it stays as it
        is, for the verification to name. What was there before there was a chain is chained unsigned (T-30).
        """
        with self._store.lock:
            documents: dict[str, Any] = dict(self._store.db.get_all_docs())
        if self._seen is not None and not _has_news(documents, self._seen):
            return 0
        is_first, seen = self._seen is None, self._seen or {}
        if is_first:
            self._unsigned = set() if self.file.path.exists() else set(documents)
            self._head, self._known = self.file.open()
        due = [
            one
            for one, document in documents.items()
            if one not in self._known or (not is_first and seen.get(one) is not document)
        ]
        read = [memory for memory in map(self._store.read, due) if is_classified(memory)]
        cores = [core for core in map(to_core, read) if core is not None]
        fresh = [core for core in cores if self._known.get(core.id) != chain.core_hash(core)]
        before = self._head.count
        old = [core for core in fresh if core.id in self._unsigned]
        new = [core for core in fresh if core.id not in self._unsigned]
        self._append(old, (), is_signed=False)
        self._append(new, [one for one in self._known if one not in documents], is_signed=True)
        waiting = set(due) - {one.id for one in read}
        self._seen = {one: document for one, document in documents.items() if one not in waiting}
        return self._head.count - before

    def _append(self, cores: list[chain.Core], gone: Iterable[str], *, is_signed: bool) -> None:
        at = format_time(self._store.clock())
        gone = list(gone)
        self._head = self.file.append(self._head, cores, gone, at=at, is_signed=is_signed)
        self._known |= {core.id: chain.core_hash(core) for core in cores}
        for one in gone:
            del self._known[one]
        self._unsigned.difference_update(gone, (core.id for core in cores))


def _has_news(documents: dict[str, Any], seen: dict[str, Any]) -> bool:
    last = next(reversed(documents.items()), None)
    return len(documents) != len(seen) or (last is not None and seen.get(last[0]) is not last[1])


def to_core(memory: Memory | None) -> chain.Core | None:
    """Return what of a memory is chained; None where it is gone, or has no standing."""
    return None if memory is None else chain.core_of(memory, memory_type(memory).value)
