"""What an adoption makes of metadata that others, or older versions, have written (Q-06, C-91). Pure.

Adoption is the migration: it reads every spelling and writes the specification's own. Here is said what that changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..clock import parse_time
from ..contents import parse_json
from ..errors import shorten
from ..records import CLASSIFICATION_KEY, LINEAGE_KEY, QUALITY_KEY, Memory, write_record
from .adopt import Carried, judge_metadata


def describe_adoption(
    memory: Memory, metadata: Mapping[str, Any], key: bytes, *, honours_unsealed: bool
) -> list[str] | None:
    """Return what the next adoption changes in `memory`, a line each; None where it leaves the memory as it is.

    An empty list: only a seal is added.
    """
    match judge_metadata(memory, key, honours_unsealed=honours_unsealed):
        case Carried.OURS:
            return None
        case Carried.HONOURED:
            return [line for name, record in _records(memory) for line in _differences(name, metadata, record)]
        case Carried.ABSENT:
            return ["is classified" if CLASSIFICATION_KEY not in metadata else "is classified again: unreadable before"]
        case Carried.COPIED:
            return ["is classified again: its metadata belongs to another text"]
        case Carried.UNTRUSTED:
            return ["is classified again: somebody wrote its metadata after the pack was installed"]


def _records(memory: Memory) -> list[tuple[str, dict[str, Any]]]:
    found = ((CLASSIFICATION_KEY, memory.classification), (LINEAGE_KEY, memory.lineage), (QUALITY_KEY, memory.quality))
    return [(name, write_record(record)) for name, record in found if record is not None]


def _differences(name: str, metadata: Mapping[str, Any], written: Mapping[str, Any]) -> list[str]:
    stored = metadata.get(name)
    before = parse_json(stored) if isinstance(stored, str) else stored
    if not isinstance(before, Mapping):
        return []
    lines = ["is stored as an object, not as text"] if before is not stored else []
    for field in (*before, *(one for one in written if one not in before)):
        old, new = before.get(field), written.get(field)
        if not _is_same(old, new):
            lines.append(f"{name}.{field} {shorten(old)} becomes {shorten(new)}")
    return lines


def _is_same(old: object, new: object) -> bool:
    """Whether two stored values say the same; nothing and an empty list do, and two spellings of one moment."""
    if old == new or (not old and not new and not isinstance(old, str)):
        return True
    return isinstance(old, str) and isinstance(new, str) and _has_offset(old) and parse_time(old) == parse_time(new)


def _has_offset(text: str) -> bool:
    return parse_time(text) is not None and datetime.fromisoformat(text.strip()).tzinfo is not None
