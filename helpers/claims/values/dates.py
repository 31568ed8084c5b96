"""Read dates and times of day from tokens; the norm keeps what is not said as 0.

"15 October 2026" and "2026-10-15" read alike; "10/11/2026" does not say which is the month, so only the same
writing equals it; what depends on today ("tomorrow", "next Friday") is not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import CALENDAR, MONTHS, NEUTRAL, WEEKDAYS
from ...language.numerals import NUMBER_WORDS, ORDINAL_ENDINGS, ORDINALS
from ...language.token import Token, low_at
from ...language.units import OFTEN, SPANS
from ...patterns import regex
from ..model import Value, ValueKind
from .names import WORDS
from .numbers import EACH, Parsed, is_range

_ENDINGS: Final = "|".join(ORDINAL_ENDINGS)
_ORDINAL: Final = regex(rf"\d{{1,2}}(?:{_ENDINGS})")
_ISO: Final = regex(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:t[\d:.+z-]{0,30})?")
_NUMERIC: Final = regex(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_DAY: Final = regex(rf"(\d{{1,2}})(?:{_ENDINGS})?")
_YEAR: Final = regex(r"(?:19|20)\d{2}")
_CLOCK: Final = regex(r"(\d{1,2})(?::(\d{2}))?(am|pm)?")
_LEAD: Final = WORDS["before_date"]
_NAMED: Final = {"noon": 720.0, "midnight": 0.0}


def _date(tokens: Sequence[Token], begin: int, end: int, norm: tuple[str | float, ...]) -> Parsed | None:
    if is_range(tokens, end):
        return None
    return Parsed.of(ValueKind.DATE, tokens, begin, end, norm)


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
    if low in MONTHS:
        month, day, end = MONTHS[low], 0, index + 1
        if low_at(tokens, end) and _day(low_at(tokens, end)):
            day, end = _day(tokens[end].low), end + 1
    elif _day(low):
        after = index + 2 if low_at(tokens, index + 1) == "of" else index + 1
        if low_at(tokens, after) not in MONTHS:
            is_day = _ORDINAL.fullmatch(low) and not low_at(tokens, index + 1)[:1].isalpha()
            return _date(tokens, index, index + 1, ("day", 0.0, 0.0, float(_day(low)))) if is_day else None
        month, day, end = MONTHS[tokens[after].low], _day(low), after + 1
    else:
        return None
    year, end = _year_at(tokens, end)
    return _date(tokens, index, end, ("day", float(year), float(month), float(day)))


def parse_date(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A date of any precision, or a weekday; norm: ("day", year, month, day) or ("weekday", 1 ... 7)."""
    while low_at(tokens, index) in _LEAD:
        index += 1
    low = low_at(tokens, index)
    if not low:
        return None
    if low in WEEKDAYS:
        after = index + 1 + (low_at(tokens, index + 1) == ",")
        dated = _numeric(tokens, after) or _worded(tokens, after)
        return dated or _date(tokens, index, index + 1, ("weekday", float(WEEKDAYS[low])))
    if _YEAR.fullmatch(low):
        return _date(tokens, index, index + 1, ("day", float(low), 0.0, 0.0))
    return _numeric(tokens, index) or _worded(tokens, index)


def parse_clock(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A time of day; norm: (minutes since midnight,)."""
    while low_at(tokens, index) == "at":
        index += 1
    low = low_at(tokens, index)
    end = index + 1
    if low in _NAMED:
        return Parsed(Value(ValueKind.CLOCK, low, (_NAMED[low],)), end)
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
    return Parsed.of(ValueKind.CLOCK, tokens, index, end, (float(hour * 60 + minute),))


_TIMES: Final = {"once": 1.0, "twice": 2.0}
_AFTER_ADVERB: Final = NEUTRAL | {"instead", "not", "rather"}
_COUNTS: Final = {"other": 2} | ORDINALS | NUMBER_WORDS


#: The words with which a date, a time of day or a frequency begins, but for those of `_LEAD`.
DATE_BEGINNINGS: Final = frozenset(("every", "from", "between", *_NAMED, *OFTEN, *_TIMES)) | CALENDAR


def parse_frequency(tokens: Sequence[Token], index: int) -> Parsed | None:
    """How often: "every 5 minutes", "hourly", "twice a day", "every second week"; norm: (unit, period in it)."""
    low, following = low_at(tokens, index), low_at(tokens, index + 1)
    if low in OFTEN:
        return (
            Parsed.of(ValueKind.FREQUENCY, tokens, index, index + 1, OFTEN[low])
            if _ends_here(tokens, index + 1)
            else None
        )
    if low == "every":
        return _every_span(tokens, index)
    count, end = _TIMES.get(low, 0.0), index + 1
    if not count and low.isdecimal() and following == "times":
        count, end = float(low), index + 2
    unit = low_at(tokens, end + 1)
    if not count or low_at(tokens, end) not in EACH:
        return None
    if unit not in SPANS:
        return None
    kind, size = SPANS[unit]
    return Parsed.of(ValueKind.FREQUENCY, tokens, index, end + 2, (kind, size / count))


def _every_span(tokens: Sequence[Token], index: int) -> Parsed | None:
    number = low_at(tokens, index + 1)
    count = _COUNTS.get(number, float(number) if number.isdecimal() and len(number) < 6 else 0.0)
    at = index + 2 if count else index + 1
    unit = low_at(tokens, at)
    unit = unit.removesuffix("s") if unit.removesuffix("s") in SPANS else unit
    if unit in WEEKDAYS and count == 2.0:  # of every Monday there may be another one every Thursday
        return Parsed.of(ValueKind.FREQUENCY, tokens, index, at + 1, ("2 weeks", float(WEEKDAYS[unit])))
    if unit not in SPANS:
        return None
    kind, size = SPANS[unit]
    return Parsed.of(ValueKind.FREQUENCY, tokens, index, at + 1, (kind, (count or 1.0) * size))


def _ends_here(tokens: Sequence[Token], index: int) -> bool:
    """Whether an adverb stands at the end of its clause; before a noun it names one of several ("the daily job")."""
    return not low_at(tokens, index)[:1].isalpha() or low_at(tokens, index) in _AFTER_ADVERB


BETWEEN_DAYS: Final = WORDS["between"] | frozenset("-–—")
_BETWEEN: Final = BETWEEN_DAYS | {"and"}
_GLUED_HOURS: Final = regex(r"(\d{1,2}(?::\d{2})?)(am|pm)?-(\d{1,2}(?::\d{2})?)(am|pm)?")


def parse_hours(tokens: Sequence[Token], index: int) -> Parsed | None:
    """From when to when: "from 8 to 16", "9-17", "Monday to Friday"; norm: ("clock" or "weekday", begin, end)."""
    low = low_at(tokens, index)
    if not (low[:1].isdigit() or low in WEEKDAYS or low in ("from", "between")):
        return None
    begin = index + (low in ("from", "between"))
    if low_at(tokens, begin) in WEEKDAYS:
        last = low_at(tokens, begin + 2)
        if low_at(tokens, begin + 1) not in BETWEEN_DAYS or last not in WEEKDAYS:
            return None
        return Parsed.of(
            ValueKind.HOURS,
            tokens,
            index,
            begin + 3,
            ("weekday", float(WEEKDAYS[tokens[begin].low]), float(WEEKDAYS[last])),
        )
    glued = _GLUED_HOURS.fullmatch(low_at(tokens, begin))
    if glued:
        first, second, end = glued.group(1, 2), glued.group(3, 4), begin + 1
    else:
        first, after = _hour(tokens, begin)
        is_range = low_at(tokens, after) in _BETWEEN and (low_at(tokens, after) != "and" or begin > index)
        second, end = _hour(tokens, after + 1) if is_range else (("", ""), 0)
    if not first[0] or not second[0]:
        return None
    if second[1] is None and low_at(tokens, end) in ("am", "pm"):
        second, end = (second[0], tokens[end].low), end + 1
    says_so = ":" in first[0] + second[0] or first[1] or second[1]
    is_end = not low_at(tokens, end)[:1].isalpha() or low_at(tokens, end) in WORDS["after_hours"]
    if not is_end or not (says_so or _is_of_hours(tokens[:index])):
        return None
    start, stop = _minutes(first[0], first[1] or second[1]), _minutes(*second)
    if first[1] is None and start > stop:
        start = _minutes(first[0], None)
    return (
        Parsed.of(ValueKind.HOURS, tokens, index, end, ("clock", start, stop)) if max(start, stop) <= 1440.0 else None
    )


def _is_of_hours(tokens: Sequence[Token]) -> bool:
    return any(token.low in WORDS["opening"] for token in tokens)


def _hour(tokens: Sequence[Token], index: int) -> tuple[tuple[str, str | None], int]:
    match = _CLOCK.fullmatch(low_at(tokens, index))
    if match is None:
        return ("", None), index
    half, end = match.group(3), index + 1
    if half is None and low_at(tokens, end) in ("am", "pm"):
        half, end = tokens[end].low, end + 1
    return (match.group(1) + (f":{match.group(2)}" if match.group(2) else ""), half), end


def _minutes(clock: str, half: str | None) -> float:
    hour, _, minute = clock.partition(":")
    hours = int(hour) % 12 + (12 if half == "pm" else 0) if half else int(hour)
    return float(hours * 60 + int(minute or 0))
