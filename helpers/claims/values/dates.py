"""Read dates, times of day and frequencies; the norm has 0 for each part that is not said.

A form is a pattern over the words that follow. What depends on today ("tomorrow") is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ...language.lexicon import CALENDAR, MONTHS, NEUTRAL, WEEKDAYS
from ...language.numerals import NUMBER_WORDS, OFTEN, ORDINAL_ENDINGS, ORDINALS, SPANS
from ...language.token import Token, low_at, spelled
from ...language.vocabulary import one_of
from ...texts import regex
from ..model import Norm, ValueKind
from .names import WORDS
from .numbers import EACH, Parsed, is_range

#: The most words of a date, a time of day or a frequency.
_LONGEST: Final = 9
_DAY_MINUTES: Final = 24 * 60
_NAMED: Final = {"noon": 720.0, "midnight": 0.0}
_TIMES: Final = {"once": 1.0, "twice": 2.0}
_COUNTS: Final = {"other": 2} | ORDINALS | NUMBER_WORDS
BETWEEN_DAYS: Final = WORDS["between"] | frozenset("-–—")
#: The words with which a date, a time of day or a frequency begins, but for those that lead a date.
DATE_BEGINNINGS: Final = frozenset(("every", "from", "between", *_NAMED, *OFTEN, *_TIMES)) | CALENDAR
_NO_WORD: Final = r"(?![^\W\d_])"
_DAY: Final = r"(?P<day>0?[1-9]|[12]\d|3[01])"
_YEAR: Final = r"(?:(?:, |of )?(?P<year>(?:19|20)\d{2}) )?"
_HOUR: Final = r"(\d{1,2})(?::(\d{2}))?(?: ?(am|pm))?"


def _any(words: Iterable[str]) -> str:
    return f"(?:{one_of(frozenset(words))})"


_MONTH: Final = f"(?P<month>{_any(MONTHS)})"
_ENDING: Final = _any(ORDINAL_ENDINGS)
_DATES: Final = (
    regex(rf"(?P<year>[1-9]\d{{3}})[-/.](?P<month>0?[1-9]|1[012])(?:[-/.]{_DAY})?(?:t[\d:.+z-]{{0,30}})? "),
    regex(r"(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}) "),
    regex(rf"{_MONTH} (?:{_DAY}{_ENDING}? )?{_YEAR}"),
    regex(rf"{_DAY}{_ENDING}? (?:of )?{_MONTH} {_YEAR}"),
    regex(rf"{_DAY}{_ENDING} {_NO_WORD}"),
    regex(r"(?P<year>(?:19|20)\d{2}) "),
)
_WEEKDAY: Final = regex(f"({_any(WEEKDAYS)}) (?:, )?")
_CLOCK: Final = regex(rf"(?:at )*(?:({_any(_NAMED)})|{_HOUR}) ")
_TO: Final = _any(BETWEEN_DAYS)
_DAYS: Final = regex(rf"(?:(?:from|between) )?({_any(WEEKDAYS)}) {_TO} ({_any(WEEKDAYS)}) ")
_HOURS: Final = regex(
    rf"(?P<lead>from |between )?{_HOUR}(?: {_TO} |-|(?(lead) and |(?!))){_HOUR} "
    rf"(?:{_NO_WORD}|(?={_any(WORDS['after_hours'])} ))"
)
_EVERY: Final = regex(rf"every (?:({_any(_COUNTS)}|[1-9]\d{{0,4}}) )?([a-z]+) ")
_OFTEN: Final = regex(rf"(?:({_any(_TIMES)})|([1-9]\d{{0,4}}) times) {_any(EACH)} ({_any(SPANS)}) ")
#: An adverb stands at the end of its clause; before a noun it names one of several ("the daily job").
_ADVERB: Final = regex(rf"({_any(OFTEN)}) (?:{_NO_WORD}|(?={_any((*NEUTRAL, 'instead', 'not', 'rather'))} ))")


def _ahead(tokens: Sequence[Token], index: int) -> str:
    return spelled(tokens[index : index + _LONGEST])


def _parsed(kind: ValueKind, tokens: Sequence[Token], index: int, words: str, norm: Norm) -> Parsed | None:
    """Return the value of the `words` from `index` on; None if a range or an open list follows."""
    end = index + words.count(" ")
    return None if is_range(tokens, end) else Parsed.of(kind, tokens, index, end, norm)


def _numeric_norm(words: str, first: int, second: int, year: str, *, is_day_first: bool) -> Norm | None:
    """Return the norm of a date in numbers; as it is written if nothing tells which one is the month."""
    day, month = (first, second) if is_day_first or first > 12 else (second, first)
    if not is_day_first and max(first, second) <= 12 and first != second:
        return ("written", words.rstrip())
    is_date = 1 <= month <= 12 and 1 <= day <= 31
    return ("day", float(year), float(month), float(day)) if is_date else None


def _read_date(match: re.Match[str]) -> Norm | None:
    fields = {"year": None, "month": None, "day": None} | match.groupdict()
    if "first" in fields:
        return _numeric_norm(match[0], int(match[1]), int(match[3]), match[4], is_day_first=match[2] == ".")
    month = fields["month"] or ""
    return ("day", float(fields["year"] or 0), float(MONTHS.get(month) or month or 0), float(fields["day"] or 0))


def parse_date(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a date of any precision, or a weekday; norm: ("day", year, month, day) or ("weekday", 1 ... 7)."""
    while low_at(tokens, index) in WORDS["before_date"]:
        index += 1
    low = low_at(tokens, index)
    if not low[:1].isdigit() and low not in CALENDAR:
        return None
    words = _ahead(tokens, index)
    weekday = _WEEKDAY.match(words)
    begin = weekday.end() if weekday else 0
    date = next(filter(None, (form.match(words, begin) for form in _DATES)), None)
    norm = _read_date(date) if date else None
    if date and norm:
        return _parsed(ValueKind.DATE, tokens, index + words.count(" ", 0, begin), date[0], norm)
    return _parsed(ValueKind.DATE, tokens, index, " ", ("weekday", float(WEEKDAYS[low]))) if weekday else None


def _minutes(hour: str, minute: str | None, half: str | None) -> float:
    hours = int(hour) % 12 + (12 if half == "pm" else 0) if half else int(hour)
    return float(hours * 60 + int(minute or 0))


def parse_clock(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a time of day; norm: (minutes since midnight,)."""
    match = _CLOCK.match(_ahead(tokens, index))
    if match is None:
        return None
    named, hour, minute, half = match.groups()
    if not named and ((half or minute) is None or int(hour) > (12 if half else 23) or int(minute or 0) > 59):
        return None
    begin = index + match[0].count("at ")
    norm = (_NAMED[named] if named else _minutes(hour, minute, half),)
    return _parsed(ValueKind.CLOCK, tokens, begin, match[0].replace("at ", ""), norm)


def parse_frequency(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "every 5 minutes", "hourly", "twice a day", "every second week"; norm: (unit, period in it)."""
    low = low_at(tokens, index)
    if not (low[:1].isdigit() or low in DATE_BEGINNINGS):
        return None
    words = _ahead(tokens, index)
    norm: Norm | None = None
    if match := _ADVERB.match(words):
        norm = OFTEN[match[1]]
    elif match := _OFTEN.match(words):
        kind, size = SPANS[match[3]]
        norm = (kind, size / (_TIMES.get(match[1]) or float(match[2])))
    elif match := _EVERY.match(words):
        norm = _every(_COUNTS.get(match[1]) or int(match[1] or 1), match[2])
    return Parsed.of(ValueKind.FREQUENCY, tokens, index, index + match[0].count(" "), norm) if match and norm else None


def _every(count: int, unit: str) -> Norm | None:
    unit = unit if unit in SPANS else unit.removesuffix("s")
    if unit in WEEKDAYS and count == 2:  # of every Monday there may be another one every Thursday
        return ("2 weeks", float(WEEKDAYS[unit]))
    return (SPANS[unit][0], count * SPANS[unit][1]) if unit in SPANS else None


def parse_hours(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "from 8 to 16", "9-17", "Monday to Friday"; norm: ("clock" or "weekday", begin, end)."""
    low = low_at(tokens, index)
    if not (low[:1].isdigit() or low in WEEKDAYS or low in ("from", "between")):
        return None
    words = _ahead(tokens, index)
    norm: Norm | None = None
    if match := _DAYS.match(words):
        norm = ("weekday", float(WEEKDAYS[match[1]]), float(WEEKDAYS[match[2]]))
    elif match := _HOURS.match(words):
        says_so = any(match.group(3, 4, 6, 7))
        says_so = says_so or any(token.low in WORDS["opening"] for token in tokens[:index])
        norm = _hours(match.group(2, 3, 4), match.group(5, 6, 7)) if says_so else None
    return Parsed.of(ValueKind.HOURS, tokens, index, index + match[0].count(" "), norm) if match and norm else None


def _hours(first: Sequence[str], last: Sequence[str]) -> Norm | None:
    """Return the norm of two times of day; "2 to 4 pm" has its half of the day at the end."""
    (hour, minute, half), (last_hour, last_minute, last_half) = first, last
    start, stop = _minutes(hour, minute, half or last_half), _minutes(last_hour, last_minute, last_half)
    if not half and start > stop:
        start = _minutes(hour, minute, None)
    return ("clock", start, stop) if max(start, stop) <= _DAY_MINUTES else None
