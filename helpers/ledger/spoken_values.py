"""The numbers, times and days that people say, in whatever spelling (T-03). Pure.

"fifty minutes" and "50 min", "two weeks" and "14 days", "half past ten" and "10:30", "Thursdays" and "jeudi" are the
same. A bare number fits any unit, and any hour: who says "at 4 in the morning" says 04:00. All that may be meant is
read, in any language; `claims.values` reads, with the same tables, what a text of English certainly says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isclose
from typing import Final, NamedTuple

from ..language.numerals import (
    BIG,
    DOZENS,
    HALVES_AFTER,
    HALVES_BEFORE,
    MONTH_NUMBERS,
    NUMBER_WORDS,
    ORDINALS,
    SMALL_NUMBERS,
    WEEKDAY_NUMBERS,
)
from ..language.units import IMPERIAL, unit_of
from ..patterns import regex

_WORDS: Final = SMALL_NUMBERS | ORDINALS
_FRACTIONS: Final = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3}
#: What a unit is of; words that only name what is counted are no units.
_DIMENSIONS: Final = frozenset("data time months percent length mass volume USD EUR GBP JPY CHF".split())
#: What counts nothing, and what one thing may have several of.
POINTS_IN_TIME: Final = frozenset(("month", "weekday", "clock"))
#: Of what is imperial a summary may give the amount in the other system, rounded.
_ROUNDING: Final = 0.02
_ROUNDING_OF_KELVINS: Final = 0.002
#: What a second number after the unit counts: "five foot eleven", "an hour fifty".
_SMALLER: Final = {0.3048: 0.0254, 3600.0: 60.0}
#: 1 GB may be 1000 MB or 1024 MB.
_DATA_STEP: Final = 1.024
#: Alone they seldom count anything.
_SELDOM_NUMBERS: Final = frozenset("one first second".split())
#: A value in words begins with one of these.
_VALUE_WORDS: Final = frozenset(("noon", "midnight")).union(
    ("a", "an"), _WORDS, BIG, _FRACTIONS, MONTH_NUMBERS, WEEKDAY_NUMBERS, DOZENS, HALVES_BEFORE
)
#: No month: "nothing may be sent", "you may call".
_MAY: Final = regex(r"(?<!\d\s)(?<!\dst\s)(?<!\dnd\s)(?<!\drd\s)(?<!\dth\s)(?<!in\s)\bmay\b(?!\s+\d)")
_MINUTES: Final = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "after"): 15, ("quarter", "to"): -15}
_HALF_DAY: Final = 12 * 60

_WORD: Final = regex(r"(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*|[%$€£°])")
_DIGIT: Final = regex(r"\d")
_PIECE: Final = regex(
    r"(?P<clock>(?<![\d:.])\d{1,2}(?::[0-5]\d(?!\d|[.:]\d)(?:\s?[ap]\.?m\b)?|\.[0-5]\d\s?[ap]\.?m\b))|(?P<half>(?<![\w.])\d{1,2}\s?[ap]\.?m\b)|"
    r"(?P<hour>(?<![\w.])\d{1,2}\s?(?:h(?![a-z])|uhr\b)(?:\s?[0-5]\d)?)|"
    r"(?P<date>(?<![\w./-])[0-3]?\d(?:/[01]?\d\b(?![\d/])|\.[01]?\d\.(?=\d{2,4}\b)))|"
    r"(?P<iso>\d{4}-[01]\d-[0-3]\d)|"
    r"(?P<money>[$€£¥]\s?\d+(?:[.,]\d+)*)|"
    r"(?P<figure>(?:(?<![A-Za-z\u00c0-\u024f0-9])|(?<=\bv))(?:(?<![\w)\]])[-−](?=\d))?"
    r"(?:\d{1,3}(?:[,.'\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*))|"
    rf"{_WORD.pattern}",
    re.IGNORECASE,
)


class SpokenValue(NamedTuple):
    """One value: the `figures` that it may be, its `dimension` ("time", "clock", "month" ...) with `amounts` in it.

    `is_written` where it stands in words: a summary may count by itself. `is_imperial` says the system of its unit.
    """

    text: str
    figures: frozenset[float] = frozenset()
    dimension: str = ""
    amounts: frozenset[float] = frozenset()
    is_written: bool = False
    is_imperial: bool = False

    def is_same(self, other: SpokenValue) -> bool:
        """Whether both can be one value: with two units they must be one amount, with one unit one figure."""
        if self.dimension and other.dimension:
            rounding = _ROUNDING_OF_KELVINS if self.dimension == "temperature" else _ROUNDING
            rounding = rounding if self.is_imperial != other.is_imperial else 1e-6
            return self.dimension == other.dimension and any(
                isclose(one, two, rel_tol=rounding) or (self.dimension == "data" and _is_rounded(one, two))
                for one in self.amounts
                for two in other.amounts
            )
        if not self.figures.isdisjoint(other.figures):
            return True
        if any([_is_short_year(one, two) for one in self.figures for two in other.figures]):
            return True
        clock, bare = (self, other) if self.dimension == "clock" else (other, self)
        return clock.dimension == "clock" and any(
            amount % _HALF_DAY == figure * 60 % _HALF_DAY for amount in clock.amounts for figure in bare.figures
        )

    def is_rival(self, other: SpokenValue) -> bool:
        """Whether both are of one kind."""
        return self.dimension == other.dimension or not (self.dimension and other.dimension)


def _is_short_year(one: float, two: float) -> bool:
    """Whether "ninety-eight" stands for 1998."""
    short, year = (one, two) if one < two else (two, one)
    return 10 <= short < 100 and 1930 <= year < 2030 and year % 100 == short


def _is_rounded(one: float, two: float) -> bool:
    small, large = sorted((one, two))
    return any(isclose(large, small * _DATA_STEP**power, rel_tol=1e-6) for power in (1, 2, 3))


def is_among(value: SpokenValue, others: Iterable[SpokenValue]) -> bool:
    """Whether one of `others` can be `value`."""
    return any(map(value.is_same, others))


@lru_cache(maxsize=4_096)
def find_spoken(text: str) -> tuple[SpokenValue, ...]:
    """Return the values of `text` in order."""
    plain = _MAY.sub("", text) if "may" in text else text
    if _DIGIT.search(plain):
        return tuple(_read([(match.lastgroup or "", match[0].casefold()) for match in _PIECE.finditer(plain)]))
    words = [word.casefold() for word in _WORD.findall(plain)]
    return tuple(_read([("word", word) for word in words])) if any(map(_may_begin, words)) else ()


@lru_cache(maxsize=4_096)
def _may_begin(word: str) -> bool:
    """Whether a value in words may begin with `word`."""
    return word.partition("-")[0].removesuffix("ish") in _VALUE_WORDS


def _read(pieces: list[tuple[str, str]]) -> Iterator[SpokenValue]:
    index = 0
    while index < len(pieces):
        kind, low = pieces[index]
        if kind == "word" and not _may_begin(low):
            index += 1
            continue
        if kind == "word":
            found, index = _parse_word(pieces, index)
        elif kind == "figure":
            factor, after = _parse_factor(pieces, index + 1)
            figures = frozenset(one * factor for one in _figures(low))
            if after < len(pieces) and pieces[after][1] in DOZENS:
                figures, after = frozenset(12 * one for one in figures), after + 1
            if after > index + 1 and pieces[index + 1][1] == "k":
                figures |= _figures(low)  # thousands, or kilometres
            found, index = _with_unit(pieces, after, low, figures, is_written=False)
        else:
            found, index = _READERS[kind](low), index + 1
        if found is not None:
            yield from found


def _parse_word(pieces: list[tuple[str, str]], index: int) -> tuple[tuple[SpokenValue, ...] | None, int]:
    low = pieces[index][1]
    following = [piece[1] for piece in pieces[index + 1 : index + 3]]
    if low in ("a", "an"):
        return _parse_one(pieces, index)
    past = _MINUTES.get((low, following[0])) if len(following) == 2 else None
    hour = _hour(following[1]) if past is not None else None
    if past is not None and hour is not None:
        return (_clock(f"{low} {following[0]} {following[1]}", 60 * hour + past),), index + 3
    if low in HALVES_BEFORE and following and 0 < (hours := _WORDS.get(following[0], 0)) <= 12:
        is_english = following[0] in NUMBER_WORDS
        return (_clock(f"{low} {following[0]}", 60 * hours + (30 if is_english else -30)),), index + 2
    if low in WEEKDAY_NUMBERS:
        return (SpokenValue(low, dimension="weekday", amounts=frozenset((float(WEEKDAY_NUMBERS[low]),))),), index + 1
    if low in MONTH_NUMBERS:
        return (SpokenValue(low, dimension="month", amounts=frozenset((float(MONTH_NUMBERS[low]),))),), index + 1
    if low in DOZENS or (low == "half" and "dozen" in following):
        skipped = following.index("dozen") + 1 if low == "half" else 0
        return _with_unit(pieces, index + skipped + 1, low, frozenset((6.0 if low == "half" else 12.0,)))
    if low in ("noon", "midnight"):
        return (
            SpokenValue(low, dimension="clock", amounts=frozenset((_HALF_DAY if low == "noon" else 0.0,))),
        ), index + 1
    fraction = _parse_fraction(pieces, index)
    if fraction is not None:
        return fraction
    figures, after = _parse_written(pieces, index)
    if not figures or (after == index + 1 and low in _SELDOM_NUMBERS):
        return None, index + 1
    if after < len(pieces) and pieces[after][1] in DOZENS:
        return _with_unit(pieces, after + 1, low, frozenset(12 * one for one in figures))
    half = _end_of_half(pieces, after)
    if half and max(figures) <= 24:
        return (_clock(" ".join(piece[1] for piece in pieces[index:half]), 60 * max(figures) + 30),), half
    return _with_unit(pieces, after, low, figures)


def _end_of_half(pieces: list[tuple[str, str]], index: int) -> int:
    """Return where "y media", "heures et demie" ends that begins at `index`; 0 where there is none."""
    words = [piece[1] for piece in pieces[index : index + 3]]
    skipped = 1 if words and words[0] in ("heures", "heure", "horas", "ore") else 0
    is_half = len(words) > skipped + 1 and words[skipped] in ("y", "et", "e") and words[skipped + 1] in HALVES_AFTER
    return index + skipped + 2 if is_half else 0


def _parse_one(pieces: list[tuple[str, str]], index: int) -> tuple[tuple[SpokenValue, ...] | None, int]:
    """Read "an hour fifty", "a minute and a half"; "an hour" alone counts nothing."""
    word = "".join(piece[1] for piece in pieces[index + 1 : index + 2])
    unit = unit_of(word)
    if unit is None or unit[0] not in _DIMENSIONS:
        return None, index + 1
    found, after = _with_unit(pieces, index + 1, f"{pieces[index][1]} {word}", frozenset((1.0,)))
    return (found, after) if after > index + 2 else (None, index + 1)


def _parse_fraction(pieces: list[tuple[str, str]], index: int) -> tuple[tuple[SpokenValue, ...], int] | None:
    """Read "half a litre", "a quarter of a gig", "three quarters of an hour"; None where no unit follows."""
    words = [piece[1] for piece in pieces[index : index + 6]]
    count = NUMBER_WORDS.get(words[0], 0) if len(words) > 1 and words[1] in _FRACTIONS else 0
    at = 1 if count else 0
    if words[at] not in _FRACTIONS:
        return None
    end = at + 1
    while end < len(words) and words[end] in ("of", "a", "an"):
        end += 1
    unit = unit_of(words[end]) if at + 1 < end < len(words) else None
    if unit is None or unit[0] not in _DIMENSIONS:
        return None
    share = max(count, 1) * _FRACTIONS[words[at]]
    return (
        SpokenValue(" ".join(words[: end + 1]), frozenset((share,)), unit[0], frozenset((share * unit[1],))),
    ), index + end + 1


def _parse_written(pieces: list[tuple[str, str]], index: int) -> tuple[frozenset[float], int]:
    """Return what a number in words may be, and where it ends: "twenty-five", "two hundred", "one sixty"."""
    words: list[int] = []
    while index < len(pieces):
        parts = pieces[index][1].removesuffix("-ish").removesuffix("ish").split("-")
        is_more = parts == ["and"] and words[-1:] and words[-1] in BIG.values()
        is_more = is_more or (parts[0] in ("y", "et", "e") and words[-1:] and 20 <= words[-1] < 100)
        if is_more and index + 1 < len(pieces) and pieces[index + 1][1].split("-")[0] in _WORDS:
            parts = pieces[index + 1][1].split("-")
            index += 1
        known = [_WORDS.get(part, BIG.get(part)) for part in parts]
        if any(one is None for one in known) or len(words) > 4:
            break
        words.extend(one for one in known if one is not None)
        index += 1
    if not words:
        return frozenset(), index
    total = part = 0
    for word in words:
        if word in BIG.values():
            part = max(part, 1) * word
        elif part and part < 20 and word >= 20:
            part = part * 100 + word  # "one sixty"
        elif part % 10 == 0 or word >= 20 or part >= 100:
            part += word
        else:
            total, part = 0, word
    return frozenset((float(total + part),)), index


def _parse_factor(pieces: list[tuple[str, str]], index: int) -> tuple[float, int]:
    low = pieces[index][1] if index < len(pieces) else ""
    return {"k": (1_000.0, index + 1), **{word: (float(size), index + 1) for word, size in BIG.items()}}.get(
        low, (1.0, index)
    )


def _with_unit(
    pieces: list[tuple[str, str]], index: int, text: str, figures: frozenset[float], *, is_written: bool = True
) -> tuple[tuple[SpokenValue, ...], int]:
    ahead = [piece[1] for piece in pieces[index : index + 4]]
    if ahead[:3] == ["and", "a", "half"] and text in DOZENS:
        return _with_unit(pieces, index + 3, text, frozenset(1.5 * one for one in figures), is_written=is_written)
    if ahead[:3] == ["and", "a", "half"]:
        return _with_unit(pieces, index + 3, text, frozenset(one + 0.5 for one in figures), is_written=is_written)
    degrees = _parse_degrees(ahead)
    if degrees:
        is_imperial = ahead[degrees - 1] in IMPERIAL
        kelvins = frozenset((one - 32) / 1.8 + 273.15 if is_imperial else one + 273.15 for one in figures)
        return (SpokenValue(text, figures, "temperature", kelvins, is_written, is_imperial),), index + degrees
    unit = unit_of(ahead[0]) if ahead else None
    if unit is None or unit[0] not in _DIMENSIONS:
        return (SpokenValue(text, figures, is_written=is_written),), index
    rest, after = _parse_rest(pieces, index + 1, unit[1])
    amounts = frozenset((one + rest) * unit[1] for one in figures)
    figures = figures if not rest else frozenset()
    return (SpokenValue(text, figures, unit[0], amounts, is_written, ahead[0] in IMPERIAL),), after


def _parse_degrees(ahead: list[str]) -> int:
    """Return how many words after a number name degrees: "°C", "degrees Fahrenheit", "fahrenheit"."""
    named = 1 if ahead and ahead[0] in ("°", "degree", "degrees", "grad", "degrés", "grados", "gradi", "graus") else 0
    scales = ("c", "f", "celsius", "fahrenheit") if named else ("celsius", "fahrenheit")
    return named + 1 if len(ahead) > named and ahead[named] in scales else 0


def _parse_rest(pieces: list[tuple[str, str]], index: int, factor: float) -> tuple[float, int]:
    """Return what follows a unit as a part of it, and where that ends: "five foot eleven", "an hour and a half"."""
    ahead = [piece[1] for piece in pieces[index : index + 3]]
    if ahead == ["and", "a", "half"]:
        return 0.5, index + 3
    smaller = _SMALLER.get(factor)
    if smaller is None or not ahead:
        return 0.0, index
    figures, after = (_figures(ahead[0]), index + 1) if pieces[index][0] == "figure" else _parse_written(pieces, index)
    unit = unit_of(pieces[after][1]) if after < len(pieces) else None
    if not figures or max(figures) * smaller >= factor or (unit is not None and unit[1] != smaller):
        return 0.0, index
    return max(figures) * smaller / factor, after + (unit is not None)


def _figures(low: str) -> frozenset[float]:
    """Return what a number in figures may be: "1.250" is more than a thousand, or not much more than one."""
    sign = -1.0 if low[0] in "-−" else 1.0
    low = low.lstrip("-−")
    plain = re.sub(r"[,.'\u202f](?=\d{3}(?!\d))", "", low)
    return frozenset(sign * value for one in (plain, low) if (value := _to_float(one.replace(",", "."))) is not None)


def _to_float(text: str) -> float | None:
    head, _, rest = text.partition(".")
    return float(f"{head}.{rest.replace('.', '')}" if rest else head) if head.isdecimal() else None


def _clock(text: str, minutes: float, *, is_certain: bool = False) -> SpokenValue:
    both = (minutes % (2 * _HALF_DAY),) if is_certain else (minutes % _HALF_DAY, minutes % _HALF_DAY + _HALF_DAY)
    return SpokenValue(text, dimension="clock", amounts=frozenset(map(float, both)))


def _hour(low: str) -> int | None:
    hour = int(low) if low.isdecimal() else NUMBER_WORDS.get(low)
    return hour if hour is not None and hour <= 24 else None


def _parse_clock(low: str) -> tuple[SpokenValue, ...]:
    hour, minute, *_ = [*map(int, re.findall(r"\d+", low)), 0]
    half = next((letter for letter in low if letter in "ap"), "")
    if half:
        return (_clock(low, hour % 12 * 60 + minute + (_HALF_DAY if half == "p" else 0), is_certain=True),)
    is_written_in_full = low[0] == "0" or hour > 12 or "h" in low
    found = _clock(low, hour * 60 + minute, is_certain=is_written_in_full)
    return (found._replace(figures=_figures(low)) if "." in low else found,)


def _parse_day(low: str) -> tuple[SpokenValue, ...]:
    first, second = map(int, re.findall(r"\d+", low))
    months = frozenset(float(one) for one in (first, second) if 1 <= one <= 12)
    figures = _figures(low.rstrip("."))
    return (
        SpokenValue(low, figures | {float(first), float(second)}),
        SpokenValue(low, dimension="month", amounts=months),
    )


def _parse_iso(low: str) -> tuple[SpokenValue, ...]:
    year, month, day = map(float, low.split("-"))
    return (
        SpokenValue(low, frozenset((day,))),
        SpokenValue(low, dimension="month", amounts=frozenset((month,))),
        SpokenValue(low, frozenset((year,))),
    )


def _parse_money(low: str) -> tuple[SpokenValue, ...]:
    unit = unit_of(low[0])
    figures = _figures(low[1:].strip())
    return (SpokenValue(low, figures, unit[0] if unit else "", figures),)


_READERS: Final = {
    "clock": _parse_clock,
    "half": _parse_clock,
    "hour": _parse_clock,
    "date": _parse_day,
    "iso": _parse_iso,
    "money": _parse_money,
}
