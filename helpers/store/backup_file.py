"""`ledger_backup.jsonl`: every memory of one folder, as lines of JSON beside the host's own files."""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import Enum
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import Any

from ..clock import EPOCH, format_time, parse_time
from ..door import MOST_LEVELS, MOST_PARTS, parse_own_line
from ..errors import Problem, shorten
from ..foreign import is_plain
from ..records import claims_knowledge
from . import files
from .damage import open_to_read
from .deadline import Throttle
from .lines import LineStore

#: The author of a deletion by the agent's own tools.
BY_AGENT = "agent"

_DIGEST_BYTES = 16
#: A value is read back through the same limits, one level deeper: within its line.
_DEEPEST = MOST_LEVELS - 1
_MOST_PARTS = MOST_PARTS - 100
_TOO_DEEP = "(left out: nested too deeply, in itself, or too large)"


def memory_row(memory_id: str, text: str, metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the line of a memory as it stands."""
    known = {"knowledge": True} if claims_knowledge(metadata) else {}
    return {"id": memory_id, **known, "text": text, "metadata": to_plain(metadata)}


def deleted_row(memory_id: str, *, at: datetime, by: str, replaced_by: str | None = None) -> dict[str, Any]:
    """Return the tombstone of a deleted memory, which is restored only if somebody names it."""
    replaced = {} if replaced_by is None else {"replaced_by": replaced_by}
    return {"deleted": memory_id, "at": format_time(at), "by": by, **replaced}


def erased_row(digest: str, *, at: datetime) -> dict[str, Any]:
    """Return the line that bars an erased memory for good; its id cannot be read from the digest."""
    return {"erased": digest, "at": format_time(at)}


def id_digest(memory_id: str) -> str:
    """Return the digest that stands for the id of an erased memory."""
    return blake2b(memory_id.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """A memory as the backup holds it."""

    id: str
    text: str
    metadata: dict[str, Any]
    is_knowledge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The deletion of memory `id`, as far as known `at` that time; `by` says on whose behalf.

    `replaced_by` names the memory that the host wrote in its place.
    """

    id: str
    at: datetime
    by: str
    replaced_by: str | None = None

    def to_row(self) -> dict[str, Any]:
        """Return the line."""
        return deleted_row(self.id, at=self.at, by=self.by, replaced_by=self.replaced_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """The memory whose id has this digest was erased."""

    digest: str
    at: datetime


def read_line(line: bytes) -> BackedUp | Deleted | Erased | Problem:
    """Return the entry of a line; a problem if it is torn, damaged, foreign or over a limit."""
    row = parse_own_line(line)
    if isinstance(row, Problem):
        return row
    memory_id, text, metadata = row.get("id"), row.get("text"), row.get("metadata")
    if isinstance(memory_id, str) and isinstance(text, str) and isinstance(metadata, dict):
        return BackedUp(id=memory_id, text=text, metadata=metadata, is_knowledge=row.get("knowledge") is True)
    at = parse_time(row.get("at")) or EPOCH
    if isinstance(row.get("deleted"), str):
        replaced_by = row.get("replaced_by")
        replaced_by = replaced_by if isinstance(replaced_by, str) else None
        return Deleted(id=row["deleted"], at=at, by=str(row.get("by", "")), replaced_by=replaced_by)
    if isinstance(row.get("erased"), str):
        return Erased(digest=row["erased"], at=at)
    return Problem(where="the line", found=shorten(row), allowed="a line of a backup")


def to_plain(value: Any) -> Any:
    """Return `value` in types that JSON can hold, unchanged if it can already; never raises."""
    if is_plain(value):  # else it may be endless
        with contextlib.suppress(TypeError, ValueError):
            json.dumps(value, allow_nan=False)
            return value
    return _Plainer().plain(value, frozenset(), 0)


class _Plainer:
    """Makes one value plain, up to a number of parts; what is beyond is replaced by a remark."""

    def __init__(self) -> None:
        self._count = 0

    def plain(self, value: Any, around: frozenset[int] = frozenset(), depth: int = 0) -> Any:
        """Return `value` in JSON's own types; `around` are the containers that it stands in."""
        self._count += 1
        if id(value) in around or depth >= _DEEPEST or self._count > _MOST_PARTS:
            return _TOO_DEEP
        try:
            return self._plain(value, around | {id(value)}, depth + 1)
        except Exception:  # noqa: BLE001 - whatever an unknown object raises when it is looked at: it is named
            return shorten(value)

    def _plain(self, value: Any, around: frozenset[int], depth: int) -> Any:
        if isinstance(value, Enum):
            return self.plain(value.value, around, depth)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            return int(value) if is_plain(value) else shorten(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, Mapping):
            pairs = takewhile(self._has_room, list(value.items()))
            return {self._key(key): self.plain(member, around, depth) for key, member in pairs}
        if isinstance(value, list | tuple | set | frozenset):
            members = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            return [self.plain(member, around, depth) for member in takewhile(self._has_room, members)]
        if callable(to_list := getattr(value, "tolist", None)):  # a number or an array of numpy's
            return self.plain(to_list(), around, depth)
        return bytes(value).decode("utf-8", "backslashreplace") if isinstance(value, bytes | bytearray) else str(value)

    def _has_room(self, _: object) -> bool:
        return self._count <= _MOST_PARTS

    def _key(self, key: Any) -> str:
        try:
            return str(key.value if isinstance(key, Enum) else key)
        except Exception:  # noqa: BLE001 - as above
            return shorten(key)


#: Only the owner may read the texts of all memories.
_MODE = 0o600
_SLICE = 500
_MOST_NAMED = 20
_HEIR_MARK = files.to_bytes(files.to_line({"by": BY_AGENT})).strip(b"{}\n")


@dataclass(slots=True)
class Contents:
    """The contents of a backup: the latest line of each memory, the deleted ids, and those erased for good.

    `lines` are in the order of the file, with those of deleted memories while their texts are there. `faults` describes
    the first `unreadable` lines. Whole lines were read up to byte `size`; `inode` identifies the file.
    """

    lines: dict[str, bytes] = field(default_factory=dict)
    deleted: dict[str, Deleted] = field(default_factory=dict)
    erased: dict[str, Erased] = field(default_factory=dict)
    knowledge: set[str] = field(default_factory=set)
    unreadable: int = 0
    faults: list[str] = field(default_factory=list)
    size: int = 0
    inode: int | None = None

    @property
    def live_count(self) -> int:
        """The number of memories in the backup that are not deleted."""
        return len(self.missing(()))

    def missing(self, present: Container[str]) -> list[str]:
        """Return the ids that are neither deleted nor `present`, in the order of the lines."""
        return [memory_id for memory_id in self.lines if memory_id not in self.deleted and memory_id not in present]

    def gone(self, present: Container[str]) -> list[str]:
        """Return the ids of the deleted memories that are not `present` and can be restored, the latest last."""
        return [memory_id for memory_id in self.deleted if memory_id in self.lines and memory_id not in present]

    def take(self, memory_ids: Iterable[str]) -> Iterator[BackedUp]:
        """Yield memories as the backup holds them."""
        for memory_id in memory_ids:
            entry = read_line(self.lines[memory_id])
            if isinstance(entry, BackedUp):
                yield entry

    def heir_of(self, memory_id: str) -> str | None:
        """Return the memory by which the agent replaced one that it deleted; None if it replaced none."""
        deletion = self.deleted.get(memory_id)
        return deletion.replaced_by if deletion is not None and deletion.by == BY_AGENT else None

    def enter(self, entry: BackedUp | Deleted | Erased, line: bytes) -> None:
        """Take in the entry of a line, which overrides the earlier ones about the same memory."""
        if isinstance(entry, Erased):
            self.erased[entry.digest] = entry
        elif isinstance(entry, Deleted):
            self.deleted[entry.id] = entry
        else:
            self.deleted.pop(entry.id, None)
            self.lines.pop(entry.id, None)
            self.lines[entry.id] = line
            (self.knowledge.add if entry.is_knowledge else self.knowledge.discard)(entry.id)

    def drop_erased(self) -> None:
        """Forget the memories that were erased, wherever their lines stand."""
        if not self.erased:
            return
        for memory_id in [name for name in {**self.lines, **self.deleted} if id_digest(name) in self.erased]:
            self.lines.pop(memory_id, None)
            self.deleted.pop(memory_id, None)
        for deletion in self.deleted.values():
            if deletion.replaced_by is not None and id_digest(deletion.replaced_by) in self.erased:
                self.deleted[deletion.id] = replace(deletion, replaced_by=None)


class BackupFile:
    """The backup of one memory folder; every call blocks, and raises OSError where the file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.BACKUP_FILE

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Append lines; they are on the disk when this returns."""
        LineStore(self.path, mode=_MODE).append(rows)

    def read(self, throttle: Throttle | None = None) -> Contents | None:
        """Return what the backup holds; None where there is no backup."""
        throttle = throttle or Throttle(rests=False)
        try:
            stream = open_to_read(self.path)
        except FileNotFoundError:
            return None
        with stream:
            contents = Contents(inode=os.fstat(stream.fileno()).st_ino)
            place = 0
            for number, line in enumerate(stream, start=1):
                entry = read_line(line)
                if not isinstance(entry, Problem):
                    contents.enter(entry, line)
                elif line.strip():
                    contents.unreadable += 1
                    contents.faults += [f"line {number}: {entry}"] if contents.unreadable <= _MOST_NAMED else []
                place += len(line)
                if line.endswith(b"\n"):
                    contents.size = place  # a line without an end may be one that is being written
                if number % _SLICE == 0:
                    throttle.rest()
        contents.drop_erased()
        return contents

    def lines(self) -> Iterator[BackedUp | Deleted | Erased]:
        """Yield the entry of every readable line in order, outdated ones included."""
        with contextlib.suppress(FileNotFoundError), open_to_read(self.path) as stream:
            yield from (entry for entry in map(read_line, stream) if not isinstance(entry, Problem))

    def may_tell_heirs(self) -> bool:
        """Whether the backup may name a replacement by the agent; a quick look at the bytes alone."""
        with contextlib.suppress(FileNotFoundError), open_to_read(self.path) as stream:
            return any(_HEIR_MARK in line for line in stream)
        return False

    def rewrite(
        self,
        rows: Iterable[dict[str, Any]],
        kept: Iterable[str],
        old: Contents | None,
        change: Callable[[bytes], bytes] = bytes,
        *,
        holds: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Replace the file of `old` by its memories `kept`, each line passed through `change`, and by `rows`.

        Lines appended since stay. Returns False, and changes nothing, if somebody else has rewritten the file
        meanwhile, or `holds` says that `rows` are outdated.
        """
        with files.replacing(self.path, mode=_MODE) as (new, put_in_place):
            held = old or Contents()
            for memory_id in kept:
                new.write(change(held.lines[memory_id]).removesuffix(b"\n") + b"\n")
                if memory_id in held.deleted:
                    new.write(files.to_bytes(files.to_line(held.deleted[memory_id].to_row())))
            for row in rows:
                new.write(files.to_bytes(files.to_line(row)))
            with files.only_writer(self.path, mode=_MODE) as stream:
                if not holds() or (old is not None and os.fstat(stream.fileno()).st_ino != old.inode):
                    return False
                stream.seek(0 if old is None else old.size)
                new.write(stream.read())
                put_in_place()
                return True
