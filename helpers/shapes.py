"""How other writers of the ledger's keys, and older versions of this pack, spell the same things (Q-06). Pure.

Only the spelling is mended: what is no axis, no time and no pointer stays what it is, and is no more believed than
before (T-69). Everything that this pack writes comes back unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from .clock import format_time, parse_time


def spelled_alike(value: object, axis: type[StrEnum]) -> object:
    """Return the member of `axis` that `value` means but for case, spaces and hyphens, or `value` itself."""
    inner = getattr(value, "value", value)
    if not isinstance(inner, str):
        return value
    meant = "_".join(inner.strip().casefold().replace("-", " ").replace("_", " ").split())
    return meant if meant in _values_of(axis) else value


@cache
def _values_of(axis: type[StrEnum]) -> frozenset[str]:
    return frozenset(axi.value for axi in axis)


def with_offsets(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return `record` with an offset in those of its times that have none: such a time is this machine's."""
    mended = dict(record)
    for name in names:
        found = record.get(name)
        moment = parse_time(found) if isinstance(found, str) else None
        if moment is not None and datetime.fromisoformat(str(found).strip()).tzinfo is None:
            mended[name] = format_time(moment)
    return mended


def without_blanks(record: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return `record` with null where an empty text stands for nothing."""
    blank = {name for name in names if record.get(name) == ""}
    return {name: None if name in blank else one for name, one in record.items()}
