"""The fields of a memory, by the names that they have in the exports of other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from ..clock import parse_time
from ..records import Source

TEXT_KEYS: Final = ("text", "memory", "content", "fact", "note", "observation", "value", "data")
ID_KEYS: Final = ("id", "uuid", "memory_id")
TIME_KEYS: Final = ("timestamp", "created_at", "createdAt", "valid_at", "create_time", "created", "date", "time")
#: Under which an export keeps its list.
_LIST_KEYS: Final = ("memories", "results", "facts", "edges", "passages", "archival_memory", "items", "data")
#: Who says something, as others name it.
SPEAKERS: Final[Mapping[str, Source]] = {
    "user": Source.USER_ASSERTED,
    "human": Source.USER_ASSERTED,
    "agent": Source.AGENT_INFERRED,
    "assistant": Source.AGENT_INFERRED,
}
#: Fewer seconds after 1970 are no time at which anything was exported (1973), more are milliseconds (2286).
_FEWEST_SECONDS: Final = 100_000_000
_MOST_SECONDS: Final = 10_000_000_000


def find_list(document: object) -> Sequence[Any] | None:
    """Return the list of an export, which is the document itself or stands under a key; None where there is none."""
    if isinstance(document, list):
        return document
    if isinstance(document, Mapping):
        return next((document[key] for key in _LIST_KEYS if isinstance(document.get(key), list)), None)
    return None


def find_text(row: Mapping[str, Any], keys: Sequence[str] = TEXT_KEYS) -> str | None:
    """Return what a row says; None where no field is a text that says something."""
    return next((row[key].strip() for key in keys if isinstance(row.get(key), str) and row[key].strip()), None)


def find_id(row: Mapping[str, Any]) -> str | None:
    """Return the id that a row has where it comes from."""
    found = next((row[key] for key in ID_KEYS if row.get(key) not in (None, "")), None)
    return str(found) if isinstance(found, str | int) else None


def find_time(row: Mapping[str, Any]) -> datetime | None:
    """Return when a row was said (aware, UTC); None where no field tells."""
    return next((at for key in TIME_KEYS if (at := to_time(row.get(key))) is not None), None)


def to_time(value: object) -> datetime | None:
    """Return the time that a value is: ISO 8601 (UTC without an offset), or seconds or milliseconds since 1970."""
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return parse_time(value.replace(" UTC", "+00:00"), zone=UTC)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = value
    else:
        return None
    if number < _FEWEST_SECONDS:
        return None
    try:
        return datetime.fromtimestamp(number / 1_000 if number > _MOST_SECONDS else number, UTC)
    except (OverflowError, ValueError, OSError):
        return None
