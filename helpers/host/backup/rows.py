"""The lines of a backup: a memory as it stood, one that was deleted, one that was erased (T-64).

A memory's line says `id`, `text` and `metadata`, and `knowledge` where the host imported it; a later line about the
same memory takes the place of an earlier one. Real metadata holds what JSON does not know, so it is made plain here.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from hashlib import blake2b
from typing import Any, TypeVar

from ...clock import EPOCH, format_time, parse_time
from ...door import MOST_LEVELS, MOST_PARTS, parse_own_line
from ...errors import Problem, shorten
from ...plain import is_plain
from ...records import claims_knowledge

#: On whose behalf a memory was deleted that another one replaces: the agent's own tools did it.
BY_AGENT = "agent"

_DIGEST_BYTES = 16
#: What is written comes back through the door, with the line around it.
_DEEPEST = MOST_LEVELS - 1
_MOST_PARTS = MOST_PARTS - 100
_Member = TypeVar("_Member")
_TOO_DEEP = "(left out: nested too deeply, in itself, or too large)"


def memory_row(memory_id: str, text: str, metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the line of a memory as it stands."""
    known = {"knowledge": True} if claims_knowledge(metadata) else {}
    return {"id": memory_id, **known, "text": text, "metadata": to_plain(metadata)}


def deleted_row(memory_id: str, *, at: datetime, by: str, replaced_by: str | None = None) -> dict[str, Any]:
    """Return the line of a memory that was deleted, which restoring does not bring back unless it is asked for."""
    replaced = {} if replaced_by is None else {"replaced_by": replaced_by}
    return {"deleted": memory_id, "at": format_time(at), "by": by, **replaced}


def erased_row(digest: str, *, at: datetime) -> dict[str, Any]:
    """Return the line that keeps an erased memory from ever coming back; the id cannot be read from it."""
    return {"erased": digest, "at": format_time(at)}


def id_digest(memory_id: str) -> str:
    """Return what stands for the id of an erased memory."""
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
    """Memory `id` was deleted, as far as known `at` then; `by` says on whose behalf.

    `replaced_by` names the memory that the host wrote in its place (T-43).
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
    """Return what a line says; a problem where it is torn, damaged, foreign or over a limit."""
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
    """Return `value` as JSON can hold it; never raises. What JSON holds anyway comes back as it is."""
    if is_plain(value):  # else it may be endless
        with contextlib.suppress(TypeError, ValueError):
            json.dumps(value, allow_nan=False)
            return value
    return _Plainer().plain(value, frozenset(), 0)


class _Plainer:
    """Makes one value plain; of one that holds the same part over and over the beginning is kept.

    Where such a part stands again, as deep as before, it is not made anew: `_made` keeps what became of it.
    """

    def __init__(self) -> None:
        self._count = self._cuts = 0
        self._made: dict[tuple[int, int], tuple[Any, Any, int]] = {}

    def plain(self, value: Any, around: frozenset[int], depth: int) -> Any:
        """Return `value` in JSON's own types; `around` are the containers that it stands in."""
        self._count += 1
        if id(value) in around or self._count > _MOST_PARTS:
            self._cuts += 1
            return _TOO_DEEP
        if depth >= _DEEPEST:
            return _TOO_DEEP
        try:
            return self._plain(value, around, depth)
        except Exception:  # noqa: BLE001 - whatever an unknown object raises when it is looked at: it is named
            return shorten(value)

    def _plain(self, value: Any, around: frozenset[int], depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Enum):
            return self.plain(value.value, around, depth + 1)
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            return int(value) if is_plain(value) else shorten(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, datetime | date):
            return value.isoformat()
        if isinstance(value, Mapping | list | tuple | set | frozenset):
            return self._once(value, around, depth)
        return self._other(value, around, depth)

    def _once(self, value: Any, around: frozenset[int], depth: int) -> Any:
        known = self._made.get((id(value), depth))
        if known is not None and self._count + known[2] <= _MOST_PARTS:
            self._count += known[2]
            return known[1]
        count, cuts = self._count, self._cuts
        made = self._container(value, around | {id(value)}, depth + 1)
        if self._cuts == cuts:  # else it is as whole as its place lets it be
            self._made[id(value), depth] = value, made, self._count - count
        return made

    def _container(self, value: Any, inside: frozenset[int], depth: int) -> Any:
        if isinstance(value, Mapping):
            pairs = self._that_fit(list(value.items()))
            return {self._key(key): self.plain(one, inside, depth) for key, one in pairs}
        members = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        return [self.plain(one, inside, depth) for one in self._that_fit(members)]

    def _that_fit(self, members: Iterable[_Member]) -> Iterator[_Member]:
        """Yield what there is room for, and one more, which is left out by name."""
        for member in members:
            is_over = self._count > _MOST_PARTS
            yield member
            if is_over:
                return

    def _key(self, key: Any) -> str:
        try:
            return str(key.value if isinstance(key, Enum) else key)
        except Exception:  # noqa: BLE001 - as above
            return shorten(key)

    def _other(self, value: Any, around: frozenset[int], depth: int) -> Any:
        """Return numpy's numbers and arrays as numbers and lists, and anything else in words."""
        to_list = getattr(value, "tolist", None)
        if callable(to_list):
            return self.plain(to_list(), around, depth + 1)
        if isinstance(value, bytes | bytearray):
            return bytes(value).decode("utf-8", "backslashreplace")
        return str(value)
