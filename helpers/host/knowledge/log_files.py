"""Audit logs on the disk: opened to be read and for nothing else, a line at a time (M-02, M-65).

A large log is cut into pieces, each of which begins with a record, so that several processes read it; how far a log was
read, and what it began with, is kept, so that the next run reads what was added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ...knowledge.log_lines import LARGEST_RECORD, LogParser, Malformed, Record, starts_record
from ...knowledge.log_names import LogName, parse_log_name
from ...knowledge.partials import Read, pack_records

#: A piece that one process reads at a time.
PIECE_BYTES = 16_000_000
_SIGN_BYTES = 4_096
_LONGEST_LINE = LARGEST_RECORD + 1_000

#: What a thread of a running host does between two lines (throttle.py).
Rest = Callable[[], None]


GONE = -1


@dataclass(frozen=True, slots=True)
class LogMark:
    """How far a log was read: up to `offset`, the last whole record in the `size` bytes that were looked at.

    `sign` is the digest of how the part that was read begins and ends. Of a log that is gone `size` is GONE.
    """

    offset: int
    size: int
    sign: str

    @property
    def is_gone(self) -> bool:
        """Whether the log was not there any more at the last look."""
        return self.size == GONE


@dataclass(frozen=True, slots=True)
class LogPart:
    """A part of a log from a record on; `end` is where the next one begins, if it is not the last of its log."""

    path: str
    name: LogName
    start: int
    end: int
    is_last: bool = True


def list_logs(folder: Path) -> list[tuple[LogName, Path]]:
    """Return the logs of a folder, the oldest first; what has not the name of one is left alone."""
    try:
        found = [(parse_log_name(path.name), path) for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    return sorted((name, path) for name, path in found if name is not None and path.is_file())


def mark_of(path: Path, offset: int, size: int) -> LogMark:
    """Return the mark of a log of which `size` bytes were looked at, and whole records found up to `offset`.

    `size` is what was looked at and not what is there: a line that was written meanwhile is read by the next run.
    """
    with path.open("rb") as stream:
        return LogMark(offset=offset, size=size, sign=_sign(stream, offset))


def unread_from(name: LogName, path: Path, mark: LogMark | None) -> int | None:
    """Return where to go on reading a log; None if there is nothing new in it.

    A log that is not what it was (shorter, or other bytes where the part that was read begins or ends) is read anew,
    and Markdown as a whole whenever it grew: what was counted before is not counted again (M-64).
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        if mark is None:
            return 0 if stream.read(1) else None
        is_same = size >= max(mark.offset, mark.size) and _sign(stream, mark.offset) == mark.sign
    if not is_same:
        return 0
    if size == (mark.offset if mark.is_gone else mark.size):
        return None
    return 0 if name.is_prose else mark.offset


def pieces_of(
    name: LogName, path: Path, start: int, piece_bytes: int = PIECE_BYTES, *, most_bytes: int | None = None
) -> list[LogPart]:
    """Cut a log into pieces; Markdown, in which an entry may lean on the ones before it, stays whole.

    With `most_bytes` no more than the first so many bytes, up to where the next record begins.
    """
    end = size = path.stat().st_size
    cuts = [start]
    if not name.is_prose:
        with path.open("rb") as stream:
            if most_bytes is not None and start + most_bytes < size:
                end = _next_record(stream, start + most_bytes) or size
            for wanted in range(start + piece_bytes, end, piece_bytes):
                found = _next_record(stream, max(wanted, cuts[-1] + 1))
                if found is not None and cuts[-1] < found < end:
                    cuts.append(found)
    return [
        LogPart(str(path), name, one, after, is_last=after == size)
        for one, after in zip(cuts, [*cuts[1:], end], strict=True)
        if one < after
    ]


def read_piece(piece: LogPart, *, box_count: int, rest: Rest | None = None) -> Read:
    """Read a piece of a log to boxes of hops, and tell where its last whole record ends.

    What follows there at the end of a log may still be written, and is no malformed entry yet; in Markdown, which is
    read again whenever it grows, it is one. `rest` is called after each line.
    """
    whole = [piece.start]
    records = _records(piece, whole, rest or (lambda: None))
    read = pack_records(records, origin=piece.name.name, day=piece.name.day, box_count=box_count)
    read.whole_up_to = whole[0] if piece.is_last else piece.end
    return read


def _records(piece: LogPart, whole: list[int], rest: Rest) -> Iterator[Record | Malformed]:
    """Yield the records of a piece; `whole` holds where the last of them ends."""
    parser = LogParser(piece.name.is_prose)
    is_written_on = piece.is_last and not piece.name.is_prose
    at = piece.start
    for line in _lines(piece):
        rest()
        if is_written_on and not line.endswith(b"\n") and at + len(line) >= piece.end:
            return
        at += len(line)
        found = parser.feed(line)
        if found is not None:
            yield found
        if parser.is_between:
            whole[0] = at
    torn = None if is_written_on else parser.finish()
    if torn is not None:
        yield torn


def _lines(piece: LogPart) -> Iterator[bytes]:
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


def _sign(stream: IO[bytes], offset: int) -> str:
    """Return the digest of how the first `offset` bytes begin and end."""
    stream.seek(0)
    found = hashlib.blake2b(stream.read(min(offset, _SIGN_BYTES)), digest_size=8)
    stream.seek(max(0, offset - _SIGN_BYTES))
    found.update(stream.read(min(offset, _SIGN_BYTES)))
    return found.hexdigest()
