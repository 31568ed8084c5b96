"""What of foreign metadata can be stored: plain data, neither deep nor large (T-69). Pure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, TypeGuard

from .patterns import regex

#: What is allowed, in words.
PLAIN = "plain data, neither deep nor large"

#: Half of a character: JSON text can hold it, a file cannot.
SURROGATE = regex("[\ud800-\udfff]")

#: Nothing has happened more often; more does not fit into an array.
MOST_COUNT = 2**53
_DEEPEST = 20
_MOST_PARTS = 10_000
LONGEST_INTEGER_BITS = 4_096


#: What each container was found to have, in parts and levels; it is kept itself, or another one could get its id.
_Known = dict[int, tuple[object, tuple[int, int] | None]]


def is_plain(value: object) -> bool:
    """Whether `value` can be written as JSON: Unicode text, numbers, times, and not too many or too deep of these.

    Every path through it is counted: what holds one list in many places is as large as it looks.
    """
    return _measure(value, _MOST_PARTS, _DEEPEST, {}) is not None


def plain_items(record: Mapping[str, object]) -> dict[str, Any]:
    """Return what of a record is plain, in its order: the smallest parts first, and no more than is plain together."""
    known: _Known = {}
    sizes = {name: _measure(one, _MOST_PARTS, _DEEPEST, known) for name, one in record.items() if is_plain(name)}
    room, kept = _MOST_PARTS, set[str]()
    for parts, name in sorted((1 + size[0], name) for name, size in sizes.items() if size is not None):
        room -= parts
        if room >= 0:
            kept.add(name)
    return {name: one for name, one in record.items() if name in kept}


def _measure(value: object, room: int, depth: int, known: _Known) -> tuple[int, int] | None:
    """Return parts and levels of plain data that fits, or None; what stands in many places is looked at once."""
    if not isinstance(value, dict | list | tuple):
        return (0, 0) if room >= 0 and _is_plain_scalar(value) else None
    if id(value) not in known:
        known[id(value)] = value, None  # until all of it is seen: it may hold itself
        parts, levels = len(value), 1
        if parts > room or depth < 1:
            return None
        for inner in itertools.chain(value.keys(), value.values()) if isinstance(value, dict) else value:
            if isinstance(inner, dict | list | tuple):
                found = _measure(inner, room - parts, depth - 1, known)
                if found is None:
                    return None
                parts, levels = parts + found[0], max(levels, found[1] + 1)
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
    """Whether a stored value says how often something happened."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNT
