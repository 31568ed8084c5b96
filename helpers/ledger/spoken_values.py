"""The numbers, times and days that people say, in any spelling and language. Pure.

"fifty minutes" and "50 min", "two weeks" and "14 days", "half past ten" and "10:30", "Thursdays" and "jeudi" are equal
values. A bare number fits any unit and any hour: "at 4 in the morning" is 04:00. Every possible meaning is read here;
`claims.values` reads, with the same tables, only what an English text certainly says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product, starmap
from math import isclose
from typing import Final, NamedTuple

from ..language.numerals import (
    BIG,
    DOZENS,
    HALVES_AFTER,
    HALVES_BEFORE,
    IMPERIAL,
    MONTH_NUMBERS,
    NUMBER_WORDS,
    ORDINALS,
    SMALL_NUMBERS,
    WEEKDAY_NUMBERS,
    unit_of,
)
from ..texts import regex

_WORDS: Final = SMALL_NUMBERS | ORDINALS
_FRACTIONS: Final = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3}
#: The dimensions of units; words that only name what is counted are no units.
_DIMENSIONS: Final = frozenset("data time months percent length mass volume USD EUR GBP JPY CHF".split())
#: How far a summary may round an imperial amount that it gives in metric units, relatively.
_ROUNDING: Final = 0.02
_ROUNDING_OF_KELVINS: Final = 0.002
#: The size of a unit -> that of the smaller unit of a second number: "five foot eleven", "an hour fifty".
_SMALLER: Final = {0.3048: 0.0254, 3600.0: 60.0}
#: Alone these words seldom count anything.
_SELDOM_NUMBERS: Final = frozenset("one first second".split())
#: No month: "nothing may be sent", "you may call".
_MAY: Final = regex(r"(?<!\d\s)(?<!\dst\s)(?<!\dnd\s)(?<!\drd\s)(?<!\dth\s)(?<!in\s)\bmay\b(?!\s+\d)")
_MINUTES: Final = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "after"): 15, ("quarter", "to"): -15}
_HALF_DAY: Final = 12 * 60
_ARTICLES: Final = frozenset(("a", "an"))
_DEGREES: Final = ("°", "degree", "degrees", "grad", "degrés", "grados", "gradi", "graus")
_SCALES: Final = ("c", "f", "celsius", "fahrenheit")
_FACTORS: Final = {"k": 1_000.0, **{word: float(size) for word, size in BIG.items()}}

#: Stands for the words behind the last one.
_PADDING: Final = ("",) * 6
_PIECE: Final = regex(
    r"(?P<clock>(?<![\d:.])\d{1,2}(?::[0-5]\d(?!\d|[.:]\d)(?:\s?[ap]\.?m\b)?|\.[0-5]\d\s?[ap]\.?m\b))|(?P<half>(?<![\w.])\d{1,2}\s?[ap]\.?m\b)|"
    r"(?P<hour>(?<![\w.])\d{1,2}\s?(?:h(?![a-z])|uhr\b)(?:\s?[0-5]\d)?)|"
    r"(?P<date>(?<![\w./-])[0-3]?\d(?:/[01]?\d\b(?![\d/])|\.[01]?\d\.(?=\d{2,4}\b)))|"
    r"(?P<iso>\d{4}-[01]\d-[0-3]\d)|"
    r"(?P<money>[$€£¥]\s?\d+(?:[.,]\d+)*)|"
    r"(?P<figure>(?:(?<![A-Za-z\u00c0-\u024f0-9])|(?<=\bv))(?:(?<![\w)\]])[-−](?=\d))?"
    r"(?:\d{1,3}(?:[,.'\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*))|"
    r"(?P<word>[^\W\d_]+(?:-[^\W\d_]+)*|[%$€£°])",
    re.IGNORECASE,
)


class SpokenValue(NamedTuple):
    """One value: the `figures` that it may be, and its `amounts` in the base unit of its `dimension` ("time", "clock").

    `is_written`: it is given in words, as a summary may count by itself. `is_imperial`: its unit is imperial.
    """

    text: str
    figures: frozenset[float] = frozenset()
    dimension: str = ""
    amounts: frozenset[float] = frozenset()
    is_written: bool = False
    is_imperial: bool = False

    def is_same(self, other: SpokenValue) -> bool:
        """Whether both can be one value: two amounts of one dimension must be equal, otherwise a figure of each."""
        if self.dimension and other.dimension:
            rounding = _ROUNDING_OF_KELVINS if self.dimension == "temperature" else _ROUNDING
            rounding = rounding if self.is_imperial != other.is_imperial else 1e-6
            pairs = product(self.amounts, other.amounts)
            return self.dimension == other.dimension and any(isclose(*pair, rel_tol=rounding) for pair in pairs)
        if not self.figures.isdisjoint(other.figures):
            return True
        if any(starmap(_is_short_year, product(self.figures, other.figures))):
            return True
        clock, bare = (self, other) if self.dimension == "clock" else (other, self)
        return clock.dimension == "clock" and any(
            amount % _HALF_DAY == figure * 60 % _HALF_DAY for amount in clock.amounts for figure in bare.figures
        )

    def is_rival(self, other: SpokenValue) -> bool:
        """Whether both are of one kind: of one dimension, or one of them without any."""
        return self.dimension == other.dimension or not (self.dimension and other.dimension)


def _is_short_year(figure: float, other: float) -> bool:
    """Whether one of two figures is the other as a short year: "ninety-eight" for 1998."""
    short, year = (figure, other) if figure < other else (other, figure)
    return 10 <= short < 100 and 1930 <= year < 2030 and year % 100 == short


def gives_another(text: str, other: str) -> bool:
    """Whether `other` has a value of the kind of one of `text`, and not the same."""
    pairs = product(find_spoken(text), find_spoken(other))
    return any(value.is_rival(counter) and not value.is_same(counter) for value, counter in pairs)


def is_among(value: SpokenValue, others: Iterable[SpokenValue]) -> bool:
    """Whether `value` can be one of `others`."""
    return any(map(value.is_same, others))


@lru_cache(maxsize=4_096)
def find_spoken(text: str) -> tuple[SpokenValue, ...]:
    """Return all values of `text`, in order."""
    pieces = [(match.lastgroup or "", match[0].casefold()) for match in _PIECE.finditer(_MAY.sub("", text))]
    words, position = [*(low for _, low in pieces), *_PADDING], 0
    values: list[SpokenValue] = []
    while position < len(pieces):
        kind, low = pieces[position]
        if kind in _READERS:
            values += _READERS[kind](low)
            position += 1
        else:
            value, position = _parse_point(words, position) or _parse_amount(words, position)
            values += [value] if value is not None else []
    return tuple(values)


def _parse_point(words: list[str], begin: int) -> tuple[SpokenValue, int] | None:
    """Return a day, a month or a time of day in words ("half past ten", "halb drei", "noon"), and where it ends."""
    low, second, third = words[begin : begin + 3]
    past, hour = _MINUTES.get((low, second)), int(third) if third.isdecimal() else NUMBER_WORDS.get(third)
    if past is not None and hour is not None and hour <= 24:
        return _clock(f"{low} {second} {third}", 60 * hour + past), begin + 3
    if low in HALVES_BEFORE and 0 < _WORDS.get(second, 0) <= 12:
        return _clock(f"{low} {second}", 60 * _WORDS[second] + (30 if second in NUMBER_WORDS else -30)), begin + 2
    return (_POINTS[low], begin + 1) if low in _POINTS else None


def _parse_amount(words: list[str], begin: int) -> tuple[SpokenValue | None, int]:
    """Return a number with its multiplier and its unit, and where it ends; "an hour" alone is none."""
    low, is_written = words[begin], words[begin][0].isalpha()
    share = _parse_share(words, begin)
    is_phrase = share is not None or low in _ARTICLES
    if share is not None:
        figures, after = share
    elif is_phrase or low in DOZENS:
        figures, after = frozenset((1.0,)), begin + is_phrase
    else:
        figures, after = _parse_written(words, begin) if is_written else (_figures(low), begin + 1)
    if not figures or (low in _SELDOM_NUMBERS and after == begin + 1):
        return None, begin + 1
    half = _end_of_half(words, after) if is_written else 0
    if half and max(figures) <= 24:
        return _clock(" ".join(words[begin:half]), 60 * max(figures) + 30), half
    if not is_written and (factor := _FACTORS.get(words[after])):
        multiplied = frozenset(factor * figure for figure in figures)
        # "k" stands for thousands, or for kilometres.
        figures = multiplied | figures if words[after] == "k" else multiplied
        after += 1
    more, after = _parse_half(words, after)
    if words[after] in DOZENS:
        more, after = _parse_half(words, after + 1)
        figures, more = frozenset(12 * figure for figure in figures), 12 * more
    figures = frozenset(figure + more for figure in figures)
    value, end = _with_unit(words, after, low, figures, is_written=is_written and share is None)
    if low in _ARTICLES and end <= begin + 2:
        return None, begin + 1
    return (value._replace(text=" ".join(words[begin:end])) if is_phrase else value), end


def _parse_half(words: list[str], begin: int) -> tuple[float, int]:
    return (0.5, begin + 3) if words[begin : begin + 3] == ["and", "a", "half"] else (0.0, begin)


def _end_of_half(words: list[str], begin: int) -> int:
    """Return where "y media" or "heures et demie" ends that starts at `begin`; 0 if there is none."""
    begin += words[begin] in ("heures", "heure", "horas", "ore")
    return begin + 2 if words[begin] in ("y", "et", "e") and words[begin + 1] in HALVES_AFTER else 0


def _parse_share(words: list[str], position: int) -> tuple[frozenset[float], int] | None:
    """Return the fraction in "half a litre" or "three quarters of an hour", and where its unit starts; else None."""
    count = NUMBER_WORDS.get(words[position], 0) if words[position + 1] in _FRACTIONS else 0
    share = _FRACTIONS.get(words[position + (count > 0)])
    begin = end = position + 1 + (count > 0)
    while words[end] in ("of", "a", "an"):
        end += 1
    is_shared = words[end] in DOZENS or (end > begin and _unit_of(words[end]) is not None)
    return (frozenset((max(count, 1) * share,)), end) if share is not None and is_shared else None


def _parse_written(words: list[str], position: int) -> tuple[frozenset[float], int]:
    """Return the figure of a number in words, and where it ends: "twenty-five", "two hundred", "one sixty"."""
    numbers: list[int] = []
    while len(numbers) <= 4:
        parts = words[position].removesuffix("-ish").removesuffix("ish").split("-")
        joints = ("and",) if numbers and numbers[-1] in BIG.values() else ("y", "et", "e")
        if numbers and parts[0] in joints and words[position + 1].split("-")[0] in _WORDS:
            position += 1
            parts = words[position].split("-")
        known = [number for part in parts if (number := _WORDS.get(part, BIG.get(part))) is not None]
        if len(known) < len(parts):
            break
        numbers += known
        position += 1
    part = 0
    for number in numbers:
        if number in BIG.values():
            part = max(part, 1) * number
        elif part and part < 20 <= number:
            part = part * 100 + number  # "one sixty"
        elif part % 10 == 0 or number >= 20 or part >= 100:
            part += number
        else:
            part = number
    return (frozenset((float(part),)) if numbers else frozenset()), position


def _unit_of(word: str) -> tuple[str, float] | None:
    unit = unit_of(word)
    return unit if unit is not None and unit[0] in _DIMENSIONS else None


def _with_unit(
    words: list[str], position: int, text: str, figures: frozenset[float], *, is_written: bool
) -> tuple[SpokenValue, int]:
    """Return the value of `figures` with the unit at `position`, if there is one, and where it ends."""
    is_named = words[position] in _DEGREES
    scale = words[position + is_named]
    if scale in _SCALES if is_named else scale in _SCALES[2:]:
        is_imperial = scale in IMPERIAL
        kelvins = frozenset((figure - 32) / 1.8 + 273.15 if is_imperial else figure + 273.15 for figure in figures)
        return SpokenValue(text, figures, "temperature", kelvins, is_written, is_imperial), position + is_named + 1
    unit = _unit_of(words[position])
    if unit is None:
        return SpokenValue(text, figures, is_written=is_written), position
    rest, after = _parse_rest(words, position + 1, unit[1])
    amounts = frozenset((figure + rest) * unit[1] for figure in figures)
    figures = frozenset() if rest else figures
    return SpokenValue(text, figures, unit[0], amounts, is_written, words[position] in IMPERIAL), after


def _parse_rest(words: list[str], position: int, factor: float) -> tuple[float, int]:
    """Return the part of a unit that follows it, and where that ends: "five foot eleven", "an hour and a half"."""
    half, after = _parse_half(words, position)
    smaller = _SMALLER.get(factor)
    if half or smaller is None or not words[position]:
        return half, after
    is_written = not words[position][0].isdecimal()
    figures, after = _parse_written(words, position) if is_written else (_figures(words[position]), position + 1)
    if not figures or max(figures) * smaller >= factor:
        return 0.0, position
    unit = unit_of(words[after])
    return max(figures) * smaller / factor, after + (unit is not None and unit[1] == smaller)


def _figures(low: str) -> frozenset[float]:
    """Return what a number in figures may be: "1.250" is 1250, or 1.25."""
    sign = -1.0 if low[0] in "-−" else 1.0
    low = low.lstrip("-−")
    plain = re.sub(r"[,.'\u202f](?=\d{3}(?!\d))", "", low)
    values = (_to_float(spelling.replace(",", ".")) for spelling in (plain, low))
    return frozenset(sign * value for value in values if value is not None)


def _to_float(text: str) -> float | None:
    head, _, rest = text.partition(".")
    return float(f"{head}.{rest.replace('.', '')}" if rest else head) if head.isdecimal() else None


def _clock(text: str, minutes: float, *, is_certain: bool = False) -> SpokenValue:
    both = (minutes % (2 * _HALF_DAY),) if is_certain else (minutes % _HALF_DAY, minutes % _HALF_DAY + _HALF_DAY)
    return SpokenValue(text, dimension="clock", amounts=frozenset(map(float, both)))


def _parse_clock(low: str) -> tuple[SpokenValue, ...]:
    hour, minute, *_ = [*map(int, re.findall(r"\d+", low)), 0]
    half = next((letter for letter in low if letter in "ap"), "")
    if half:
        return (_clock(low, hour % 12 * 60 + minute + (_HALF_DAY if half == "p" else 0), is_certain=True),)
    is_written_in_full = low[0] == "0" or hour > 12 or "h" in low
    value = _clock(low, hour * 60 + minute, is_certain=is_written_in_full)
    return (value._replace(figures=_figures(low)) if "." in low else value,)


def _parse_day(low: str) -> tuple[SpokenValue, ...]:
    first, second = map(int, re.findall(r"\d+", low))
    months = frozenset(float(number) for number in (first, second) if 1 <= number <= 12)
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


_POINTS: Final = {
    name: SpokenValue(name, dimension=dimension, amounts=frozenset((float(amount),)))
    for dimension, amounts in (
        ("weekday", WEEKDAY_NUMBERS),
        ("month", MONTH_NUMBERS),
        ("clock", {"noon": _HALF_DAY, "midnight": 0}),
    )
    for name, amount in amounts.items()
}
_READERS: Final = {
    "clock": _parse_clock,
    "half": _parse_clock,
    "hour": _parse_clock,
    "date": _parse_day,
    "iso": _parse_iso,
    "money": _parse_money,
}
