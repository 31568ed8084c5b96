"""Read dates and times of day from tokens; the norm keeps what is not said as 0.

"15 October 2026" and "2026-10-15" read alike; "10/11/2026" does not say which is the month, so only the same
writing equals it; what depends on today ("tomorrow", "next Friday") is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .model import Value, ValueKind
from .numbers import Parsed, is_range, low_at
from .segment import Token

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS: Final = {
    name + suffix: number
    for number, name in enumerate(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), start=1
    )
    for suffix in ("", "s")
}
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:t[\d:.+z-]{0,30})?")
_NUMERIC: Final = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_DAY: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_CLOCK: Final = re.compile(r"(\d{1,2})(?::(\d{2}))?(am|pm)?")
_LEAD: Final = frozenset(("on", "by", "in", "for", "the", "at", "before"))


def _date(tokens: Sequence[Token], begin: int, end: int, norm: tuple[str | float, ...]) -> Parsed | None:
    if is_range(tokens, end):
        return None
    return Parsed(Value(ValueKind.DATE, " ".join(t.text for t in tokens[begin:end]), norm), end)


def _day(low: str) -> int:
    match = _DAY.fullmatch(low)
    return int(match.group(1)) if match and 1 <= int(match.group(1)) <= 31 else 0


def _year_at(tokens: Sequence[Token], index: int) -> tuple[int, int]:
    """(year, next index) of an optional ", 2026"; (0, index) without."""
    after = index + 1 if low_at(tokens, index) in (",", "of") else index
    low = low_at(tokens, after)
    return (int(low), after + 1) if _YEAR.fullmatch(low) else (0, index)


def _numeric(tokens: Sequence[Token], index: int) -> Parsed | None:
    low = low_at(tokens, index)
    match = _ISO.fullmatch(low)
    if match:
        year, month, day = int(match.group(1)), int(match.group(2)), int(match.group(3) or 0)
        if 1 <= month <= 12 and day <= 31 and year >= 1000:
            return _date(tokens, index, index + 1, ("day", float(year), float(month), float(day)))
        return None
    match = _NUMERIC.fullmatch(low)
    if match is None:
        return None
    first, mark, second, year = int(match.group(1)), match.group(2), int(match.group(3)), int(match.group(4))
    if mark == "." or first > 12:
        day, month = first, second
    elif second > 12 or first == second:
        month, day = first, second
    else:
        return _date(tokens, index, index + 1, ("written", low))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return _date(tokens, index, index + 1, ("day", float(year), float(month), float(day)))


def _worded(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "October 15, 2026", "15th of October", "March 2026", "March"."""
    low = low_at(tokens, index)
    if low in _MONTHS:
        month, day, end = _MONTHS[low], 0, index + 1
        if low_at(tokens, end) and _day(low_at(tokens, end)):
            day, end = _day(tokens[end].low), end + 1
    elif _day(low):
        after = index + 2 if low_at(tokens, index + 1) == "of" else index + 1
        if low_at(tokens, after) not in _MONTHS:
            return None
        month, day, end = _MONTHS[tokens[after].low], _day(low), after + 1
    else:
        return None
    year, end = _year_at(tokens, end)
    return _date(tokens, index, end, ("day", float(year), float(month), float(day)))


def read_date(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A date of any precision, or a weekday; norm: ("day", year, month, day) or ("weekday", 1 ... 7)."""
    while low_at(tokens, index) in _LEAD:
        index += 1
    low = low_at(tokens, index)
    if not low:
        return None
    if low in _WEEKDAYS:
        after = index + 1 + (low_at(tokens, index + 1) == ",")
        dated = _numeric(tokens, after) or _worded(tokens, after)
        return dated or _date(tokens, index, index + 1, ("weekday", float(_WEEKDAYS[low])))
    if _YEAR.fullmatch(low):
        return _date(tokens, index, index + 1, ("day", float(low), 0.0, 0.0))
    return _numeric(tokens, index) or _worded(tokens, index)


def read_clock(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A time of day; norm: (minutes since midnight,)."""
    while low_at(tokens, index) == "at":
        index += 1
    low = low_at(tokens, index)
    end = index + 1
    if low in ("noon", "midnight"):
        return Parsed(Value(ValueKind.CLOCK, low, (720.0 if low == "noon" else 0.0,)), end)
    match = _CLOCK.fullmatch(low)
    if match is None:
        return None
    hour, minute, half = int(match.group(1)), int(match.group(2) or 0), match.group(3)
    if half is None and low_at(tokens, end) in ("am", "pm"):
        half, end = tokens[end].low, end + 1
    if (half is None and match.group(2) is None) or hour > (12 if half else 23) or minute > 59:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if is_range(tokens, end):
        return None
    text = " ".join(t.text for t in tokens[index:end])
    return Parsed(Value(ValueKind.CLOCK, text, (float(hour * 60 + minute),)), end)
