"""Audit logs on the disk: opened to be read and for nothing else, a line at a time (M-02, M-65).

A large log is cut into pieces, each of which begins with a record, so that several processes read it; how far a log was
read, and what it began with, is kept, so that the next run reads what was added.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...knowledge.log_lines import LARGEST_RECORD, LogParser, Malformed, Record, starts_record
from ...knowledge.log_names import LogName, read_log_name
from ...knowledge.partials import Read, pack_records

_log = logging.getLogger(__name__)

#: A piece that one process reads at a time.
PIECE_BYTES = 16_000_000
_HEAD_BYTES = 4_096
_LONGEST_LINE = LARGEST_RECORD + 1_000


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a log of `size` bytes was read; `head` is the digest of how it began."""

    offset: int
    size: int
    head: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a log from a record on; `end` is where the next one begins."""

    path: str
    name: LogName
    start: int
    end: int


def list_logs(folder: Path) -> list[tuple[LogName, Path]]:
    """Return the logs of a folder, the oldest first; what has not the name of one is left alone."""
    try:
        found = [(read_log_name(path.name), path) for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    return sorted((name, path) for name, path in found if name is not None and path.is_file())


def mark_of(path: Path, offset: int) -> Mark:
    """Return the mark of a log that was read up to `offset`."""
    with path.open("rb") as stream:
        return Mark(offset=offset, size=os.fstat(stream.fileno()).st_size, head=_head(stream.read(_HEAD_BYTES), offset))


def unread_from(name: LogName, path: Path, mark: Mark | None) -> int | None:
    """Return where to go on reading a log; None if there is nothing new in it.

    A log that is not what it was (shorter, or another beginning) is read anew, and Markdown as a whole whenever it
    grew: what was counted before is not counted again (M-64).
    """
    size = path.stat().st_size
    if mark is None:
        return 0 if size else None
    with path.open("rb") as stream:
        is_same = size >= mark.size and _head(stream.read(_HEAD_BYTES), mark.offset) == mark.head
    if not is_same:
        return 0
    if size == mark.size:
        return None
    return 0 if name.is_prose else mark.offset


def pieces_of(name: LogName, path: Path, start: int, piece_bytes: int = PIECE_BYTES) -> list[Piece]:
    """Cut a log into pieces; Markdown, in which an entry may lean on the ones before it, stays whole."""
    end = path.stat().st_size
    cuts = [start]
    if not name.is_prose:
        with path.open("rb") as stream:
            for wanted in range(start + piece_bytes, end, piece_bytes):
                if (found := _next_record(stream, max(wanted, cuts[-1] + 1))) is not None and found > cuts[-1]:
                    cuts.append(found)
    return [
        Piece(str(path), name, one, after) for one, after in zip(cuts, [*cuts[1:], end], strict=True) if one < after
    ]


def read_piece(piece: Piece, *, box_count: int) -> Read:
    """Read a piece of a log to boxes of hops, and tell where its last whole record ends.

    What follows there may still be written, and is no malformed entry yet; in Markdown, which is read again whenever it
    grows, it is one.
    """
    whole = [piece.start]
    read = pack_records(_records(piece, whole), origin=piece.name.name, day=piece.name.day, box_count=box_count)
    read.whole_up_to = whole[0]
    return read


def _records(piece: Piece, whole: list[int]) -> Iterator[Record | Malformed]:
    """Yield the records of a piece; `whole` holds where the last of them ends."""
    parser = LogParser(piece.name.is_prose)
    at = piece.start
    for line in _lines(piece):
        if not line.endswith(b"\n") and at + len(line) >= piece.end and not piece.name.is_prose:
            return
        at += len(line)
        found = parser.feed(line)
        if found is not None:
            yield found
        if parser.is_between:
            whole[0] = at
    torn = parser.finish() if piece.name.is_prose else None
    if torn is not None:
        yield torn


def _lines(piece: Piece) -> Iterator[bytes]:
    """Yield the lines of a piece; one that is longer than any record is yielded in parts."""
    with Path(piece.path).open("rb", buffering=1 << 20) as stream:
        stream.seek(piece.start)
        left = piece.end - piece.start
        while left > 0 and (line := stream.readline(min(left, _LONGEST_LINE))):
            left -= len(line)
            yield line


def _next_record(stream: IO[bytes], start: int) -> int | None:
    """Return the place of the first record that begins after the line that `start` is in."""
    stream.seek(start - 1)
    stream.readline()
    while True:
        at = stream.tell()
        line = stream.readline(_LONGEST_LINE)
        if not line:
            return None
        if starts_record(line):
            return at


def _head(data: bytes, offset: int) -> str:
    """Return the digest of the beginning of what was read."""
    return hashlib.blake2b(data[: min(offset, _HEAD_BYTES)], digest_size=8).hexdigest()
