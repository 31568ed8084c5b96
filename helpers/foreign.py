"""Foreign values in a memory's metadata: plain data, ids of other memories, older spellings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import Enum, StrEnum
from functools import cache
from typing import Any, TypeGuard

from .clock import format_time, parse_time
from .texts import regex

#: The allowed values, in words.
PLAIN = "plain data, neither deep nor large"

#: Half of a surrogate pair: JSON text can hold it, a file cannot.
SURROGATE = regex("[\ud800-\udfff]")

#: The largest count; a larger one does not fit into an array.
MOST_COUNT = 2**53
_DEEPEST = 20
_MOST_PARTS = 10_000
LONGEST_INTEGER_BITS = 4_096


#: The measure of each container, in parts and levels, with the container, so that its id is not reused.
_Known = dict[int, tuple[object, tuple[int, int] | None]]


def is_plain(value: object) -> bool:
    """Whether `value` can be written as JSON: Unicode text, numbers, times, and not too many or too deep of these.

    Every path through it is counted: a value that holds one list in many places is as large as it looks.
    """
    return _measure(value, _MOST_PARTS, _DEEPEST, {}) is not None


def plain_items(record: Mapping[str, object]) -> dict[str, Any]:
    """Return the plain values of a record, in its order: the smallest first, up to the limit of all together."""
    known: _Known = {}
    sizes = {name: _measure(value, _MOST_PARTS, _DEEPEST, known) for name, value in record.items() if is_plain(name)}
    room, kept = _MOST_PARTS, set[str]()
    for parts, name in sorted((1 + size[0], name) for name, size in sizes.items() if size is not None):
        room -= parts
        if room >= 0:
            kept.add(name)
    return {name: value for name, value in record.items() if name in kept}


def _measure(value: object, room: int, depth: int, known: _Known) -> tuple[int, int] | None:
    """Return parts and levels of plain data within the limits, or None; a shared container is measured once."""
    if not isinstance(value, dict | list | tuple):
        return (0, 0) if room >= 0 and _is_plain_scalar(value) else None
    if id(value) not in known:
        known[id(value)] = value, None  # until all of it is seen: it may hold itself
        parts, levels = len(value), 1
        if parts > room or depth < 1:
            return None
        for inner in itertools.chain(value.keys(), value.values()) if isinstance(value, dict) else value:
            if isinstance(inner, dict | list | tuple):
                measured = _measure(inner, room - parts, depth - 1, known)
                if measured is None:
                    return None
                parts, levels = parts + measured[0], max(levels, measured[1] + 1)
            elif not _is_plain_scalar(inner):
                return None
        known[id(value)] = value, (parts, levels)
    _, size = known[id(value)]
    return size if size is not None and size[0] <= room and size[1] <= depth else None


def _is_plain_scalar(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() or not SURROGATE.search(value)
    if isinstance(value, Enum):
        return isinstance(value.value, str | int | float) and _is_plain_scalar(value.value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, int):
        return value.bit_length() <= LONGEST_INTEGER_BITS
    return value is None or isinstance(value, datetime)


def is_count(value: object) -> TypeGuard[int]:
    """Whether a stored value is a count."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNT


_POINTER_KEYS = (
    "supersedes",
    "superseded_by",
    "supersedes_ids",
    "related_memory_ids",
    "citedBy",
    "cited_by",
    "target",
    "by",
)
_NESTED_KEYS = ("relationships", "outdated_parts")
_PREFIX = "m:"


def hide_pointers(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored lineage or quality with a prefix before the ids of other memories."""
    return _map_pointers(record, hide_pointer)


def show_pointers(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored lineage or quality with the ids as they were."""
    return _map_pointers(record, _show)


def _map_pointers(record: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    mapped = _map_own_pointers(record, change)
    for key in _NESTED_KEYS:
        nested = record.get(key)
        if isinstance(nested, list | tuple):
            mapped[key] = [_map_own_pointers(item, change) if isinstance(item, dict) else item for item in nested]
    return mapped


def _map_own_pointers(record: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    mapped = dict(record)
    for key in _POINTER_KEYS:
        value = record.get(key)
        if isinstance(value, str):
            mapped[key] = change(value)
        elif isinstance(value, list | tuple):
            mapped[key] = [change(item) if isinstance(item, str) else item for item in value]
    return mapped


def hide_pointer(memory_id: str) -> str:
    """Return an id that no host takes for one."""
    return memory_id if memory_id.startswith(_PREFIX) else f"{_PREFIX}{memory_id}"


def _show(memory_id: str) -> str:
    return memory_id.removeprefix(_PREFIX)


def spelled_alike(value: object, axis: type[StrEnum]) -> object:
    """Return the member of `axis` that equals `value` but for case, spaces and hyphens, or `value` itself."""
    inner = getattr(value, "value", value)
    if not isinstance(inner, str):
        return value
    meant = "_".join(inner.strip().casefold().replace("-", " ").replace("_", " ").split())
    return meant if meant in _values_of(axis) else value


@cache
def _values_of(axis: type[StrEnum]) -> frozenset[str]:
    return frozenset(member.value for member in axis)


def with_offsets(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return `record` with an offset at the times that have none: such a time is this machine's."""
    mended = dict(record)
    for name in names:
        value = record.get(name)
        moment = parse_time(value) if isinstance(value, str) else None
        if moment is not None and datetime.fromisoformat(str(value).strip()).tzinfo is None:
            mended[name] = format_time(moment)
    return mended


def without_blanks(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return `record` with null for each empty text."""
    blank = {name for name in names if record.get(name) == ""}
    return {name: None if name in blank else value for name, value in record.items()}
