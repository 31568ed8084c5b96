"""`chain.jsonl` beside a store: a line for each memory, written once, and how far it reaches (Q-31, T-30).

Only the process that holds the store writes here; anybody can verify it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import EPOCH, Clock, format_time, parse_time
from ...quality import chain
from ...quality.kinds import memory_type
from ...records import Memory
from ...setting_groups import SignatureAlgorithm
from ..storage import files
from ..storage.damage import read_bytes
from ..storage.line_store import LineStore
from .signing import KeyRing

ReadMemory = Callable[[str], Memory | None]


class ChainFile:
    """The chain of one memory folder as it lies on the disk."""

    def __init__(self, folder: Path, algorithm: SignatureAlgorithm, clock: Clock) -> None:
        self.path = folder / files.CHAIN_FILE
        self.keys = KeyRing(folder, algorithm, clock)
        self._head_path = folder / files.CHAIN_HEAD_FILE
        self._unsigned_until = EPOCH

    def verify(self, read: ReadMemory) -> chain.ChainReport:
        """Return what the chain and the memories are worth; a missing file is an empty chain."""
        data, head = self._read_data(), self._read_head()
        report = chain.verify(data, head, lambda one: to_core(read(one)), keys=self.keys)
        if data and head is None:
            reason = f"nobody knows whether it is the last one: {self._head_path.name} does not say so"
            report.breaks.append(chain.Break(report.length, None, reason))
        return report

    def open(self) -> tuple[chain.ChainHead, dict[str, str]]:
        """Return where the next line goes, and the digest of each memory that is chained; nothing is verified.

        A last line that a crash tore, after what is known to have been written, is taken away. Where lines are missing
        the next one follows the last that was written, so that the gap stays to be seen.
        """
        data, head = self._read_data(), self._read_head()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data and chain.end_of(chain.split(whole)).count >= (0 if head is None else head.count):
            with self.path.open("r+b") as stream:
                stream.truncate(len(whole))
            data = whole
        known: dict[str, str] = {}
        for line in files.parse_lines(self.path, data)[0]:
            if "tombstone" in line:
                known.pop(str(line.get("id")), None)
            elif (stated := chain.stated_in(line)) is not None:
                known[str(line.get("id"))] = stated
        end = chain.end_of(chain.split(data))
        return (head if head is not None and head.count > end.count else end), known

    def append(self, head: chain.ChainHead, bodies: Callable[[], Iterable[chain.Line]], *, at: str) -> chain.ChainHead:
        """Write a line for each of `bodies`, made with the keys; return how far the chain reaches now."""
        self.keys.prepare()
        lines, head = chain.make_lines(head, bodies(), at=at, keys=self.keys)
        if lines:
            LineStore(self.path).append(map(json.loads, lines))
            self._write_head(head)
        return head

    def sign_anew(self, bodies: Callable[[], Iterable[chain.Line]], *, at: str) -> chain.ChainHead:
        """Put a new chain, signed with a new key, in the place of one that does not hold; return how far it reaches."""
        self.keys.renew()
        lines, head = chain.make_lines(chain.ChainHead(count=0, digest=chain.GENESIS), bodies(), at=at, keys=self.keys)
        with files.only_writer(self.path):
            files.write_atomically(self.path, b"".join(line + b"\n" for line in lines))
        self._write_head(head)
        return head

    def erase(self, memory_id: str, *, at: str) -> int:
        """Leave nothing of a memory in the chain, and return how many lines spoke of it (T-64)."""
        if not self.path.exists():
            return 0
        with files.only_writer(self.path) as stream:
            lines, count = chain.erase_from(chain.split(stream.read()), memory_id, at=at, keys=self.keys)
            if count:
                files.write_atomically(self.path, b"".join(line + b"\n" for line in lines))
        return count

    def begin(self, moment: datetime) -> datetime:
        """Return up to when memories are unsigned: `moment` where there is no chain yet, and for good then."""
        found = files.read_object(self._head_path) or {}
        self._unsigned_until = parse_time(found.get("unsigned_until")) or moment
        if not found and not self.path.exists():
            self._write_head(chain.ChainHead(count=0, digest=chain.GENESIS))
        return self._unsigned_until

    def _write_head(self, head: chain.ChainHead) -> None:
        row = {"count": head.count, "digest": head.digest, "unsigned_until": format_time(self._unsigned_until)}
        files.write_atomically(self._head_path, json.dumps(row) + "\n")

    def _read_data(self) -> bytes:
        return read_bytes(self.path) or b""

    def _read_head(self) -> chain.ChainHead | None:
        found: dict[str, Any] = files.read_object(self._head_path) or {}
        count, digest = found.get("count"), found.get("digest")
        return (
            chain.ChainHead(count=count, digest=digest) if isinstance(count, int) and isinstance(digest, str) else None
        )


def to_core(memory: Memory | None) -> chain.Core | None:
    """Return what of a memory is chained; None where it is gone, or has no status."""
    return None if memory is None else chain.core_of(memory, memory_type(memory).value)
