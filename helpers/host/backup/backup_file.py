"""`ledger_backup.jsonl`: every memory of one folder, beside the host's own files (T-64, `design.md`, Storage).

Lines are appended, and on the disk before the call returns. Rewriting leaves out what later lines have replaced; it
writes a new file at its leisure, and holds up who appends only for what was appended meanwhile.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from ...errors import Problem
from ..storage import files
from ..storage.damage import open_to_read
from ..storage.line_store import LineStore
from ..storage.throttle import Throttle
from .rows import BY_AGENT, BackedUp, Deleted, Erased, id_digest, read_line

#: Only its owner may read what all memories say.
_MODE = 0o600
_SLICE = 500
_MOST_NAMED = 20
_HEIR_MARK = files.to_bytes(files.to_line({"by": BY_AGENT})).strip(b"{}\n")


@dataclass(slots=True)
class Contents:
    """What a backup says: where each memory's line begins, which were deleted, and what nobody may bring back.

    `places` keeps the order of the lines; a deleted memory keeps its place as long as the backup knows its text.
    `faults` says of the first `unreadable` lines what is wrong with them.
    The lines after `size` are still to be counted on; `inode` tells a file that was replaced.
    """

    places: dict[str, int] = field(default_factory=dict)
    deleted: dict[str, Deleted] = field(default_factory=dict)
    erased: dict[str, Erased] = field(default_factory=dict)
    knowledge: set[str] = field(default_factory=set)
    unreadable: int = 0
    faults: list[str] = field(default_factory=list)
    size: int = 0
    inode: int | None = None

    @property
    def live_count(self) -> int:
        """Return how many memories the backup holds that nobody has deleted."""
        return len(self.missing(()))

    def missing(self, present: Container[str]) -> list[str]:
        """Return what nobody has deleted and is not `present`, in the order of the lines."""
        return [place for place in self.places if place not in self.deleted and place not in present]

    def enter(self, found: BackedUp | Deleted | Erased, place: int) -> None:
        """Let a line count after all before it."""
        if isinstance(found, Erased):
            self.erased[found.digest] = found
        elif isinstance(found, Deleted):
            self.deleted[found.id] = found
        else:
            self.deleted.pop(found.id, None)
            self.places[found.id] = place
            (self.knowledge.add if found.is_knowledge else self.knowledge.discard)(found.id)

    def heir_of(self, memory_id: str) -> str | None:
        """Return the memory by which the agent replaced one that it deleted (T-43)."""
        known = self.deleted.get(memory_id)
        return known.replaced_by if known is not None and known.by == BY_AGENT else None

    def drop_erased(self) -> None:
        """Forget the memories that were erased, wherever their lines stand."""
        if self.erased:
            for one in [one for one in {**self.places, **self.deleted} if id_digest(one) in self.erased]:
                self.places.pop(one, None)
                self.deleted.pop(one, None)
            for known in self.deleted.values():
                if known.replaced_by is not None and id_digest(known.replaced_by) in self.erased:
                    self.deleted[known.id] = replace(known, replaced_by=None)


class BackupFile:
    """The backup of one memory folder; every call blocks, and raises OSError where the file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.BACKUP_FILE

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Add lines; they are on the disk when this returns."""
        LineStore(self.path, mode=_MODE).append(rows)

    def read(self, throttle: Throttle | None = None) -> Contents | None:
        """Return what the backup says; None where there is none."""
        try:
            stream = open_to_read(self.path)
        except FileNotFoundError:
            return None
        with stream:
            return _read(stream, throttle or Throttle(rests=False))

    def lines(self) -> Iterator[BackedUp | Deleted | Erased]:
        """Yield every line that can be read, in order, also those that later ones have replaced."""
        with contextlib.suppress(FileNotFoundError), open_to_read(self.path) as stream:
            yield from (one for one in map(read_line, stream) if not isinstance(one, Problem))

    def may_tell_heirs(self) -> bool:
        """Whether the agent may have replaced anything; looks at the bytes alone, which takes a moment."""
        with contextlib.suppress(FileNotFoundError), open_to_read(self.path) as stream:
            return any(_HEIR_MARK in line for line in stream)
        return False

    def take(self, contents: Contents, memory_ids: Iterable[str]) -> Iterator[BackedUp]:
        """Yield the memories with these ids as the backup holds them; one whose line has moved is left out."""
        with open_to_read(self.path) as stream:
            for memory_id in memory_ids:
                stream.seek(contents.places[memory_id])
                found = read_line(stream.readline())
                if isinstance(found, BackedUp) and found.id == memory_id:
                    yield found

    def rewrite(
        self,
        rows: Iterable[dict[str, Any]],
        kept: Iterable[str],
        old: Contents | None,
        change: Callable[[bytes], bytes] = bytes,
        *,
        holds: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Replace what `old` was read from by the memories `kept` of it, and `rows`; what was appended since stays.

        `change` is given each line that is kept.

        False where somebody else has rewritten the file meanwhile, or `rows` do not hold any more: what is there stays.
        """
        with files.replacing(self.path, mode=_MODE) as (new, put_in_place):
            if old is not None:
                self._copy(new, kept, old, change)
            for row in rows:
                new.write(files.to_bytes(files.to_line(row)))
            with files.only_writer(self.path, mode=_MODE) as stream:
                if not holds() or (old is not None and os.fstat(stream.fileno()).st_ino != old.inode):
                    return False
                stream.seek(0 if old is None else old.size)
                new.write(stream.read())
                put_in_place()
                return True

    def _copy(self, new: IO[bytes], kept: Iterable[str], old: Contents, change: Callable[[bytes], bytes]) -> None:
        with open_to_read(self.path) as stream:
            if os.fstat(stream.fileno()).st_ino != old.inode:
                return
            for memory_id in kept:
                stream.seek(old.places[memory_id])
                new.write(change(stream.readline()).removesuffix(b"\n") + b"\n")
                deleted = old.deleted.get(memory_id)
                if deleted is not None:
                    new.write(files.to_bytes(files.to_line(deleted.to_row())))


def _read(stream: IO[bytes], throttle: Throttle) -> Contents:
    contents = Contents(inode=os.fstat(stream.fileno()).st_ino)
    place = 0
    for number, line in enumerate(stream, start=1):
        found = read_line(line)
        if not isinstance(found, Problem):
            contents.enter(found, place)
        elif line.strip():
            contents.unreadable += 1
            contents.faults += [f"line {number}: {found}"] if contents.unreadable <= _MOST_NAMED else []
        place += len(line)
        if line.endswith(b"\n"):
            contents.size = place  # a line without an end may be one that is being written
        if number % _SLICE == 0:
            throttle.rest()
    contents.drop_erased()
    return contents
