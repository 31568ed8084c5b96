"""The names of months, weekdays, numbers and units in the languages that people write in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from ..texts import regex
from .lexicon import MONTHS, WEEKDAYS
from .tables import read_table, split_members

_TABLE: Final = read_table(__file__, "numerals")
_THOUSANDS: Final = regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL_COMMA = regex(r"\d+,\d\d?")
#: The spellings of magnitudes: letters at a number, or words.
MAGNITUDES: Final = {
    word: float(size) for size, *words in split_members(_TABLE["words"]["magnitudes"]) for word in words
}
LARGE: Final = {word: int(size) for word, size in MAGNITUDES.items() if len(word) > 2}
#: The multipliers of numbers in words.
BIG: Final = LARGE | {"hundred": 100}
ORDINAL_ENDINGS: Final = tuple(_TABLE["words"]["ordinal_endings"].split())
DOZENS: Final = frozenset(_TABLE["words"]["dozens"].split())
HALVES_AFTER: Final = frozenset(_TABLE["words"]["halves_after"].split())
HALVES_BEFORE: Final = frozenset(_TABLE["words"]["halves_before"].split())
_UNITS: Final = read_table(__file__, "units")
_WORDS: Final[dict[str, str]] = _UNITS["words"]
_WRITTEN: Final = [
    *(written for units in _UNITS["units"].values() for _, *written in split_members(units)),
    *split_members(_WORDS["plain"]),
]
_FORMS: Final = [(written[0].lstrip("?/"), form) for written in _WRITTEN for form in written]
#: Spelling of a unit -> the unit, by which the words of a conversation are compared.
UNITS: Final = {form.lstrip("?"): unit for unit, form in _FORMS if form[0] != "/"}
IMPERIAL: Final = frozenset(
    form.lstrip("/") for unit, form in _FORMS if unit in _WORDS["imperial"].split() and form[0] != "?"
)
SYMBOLS: Final = {"$": " usd", "€": " eur", "£": " gbp", "¥": " jpy", "%": " percent ", "°": " "}
ADVERB_PERIODS: Final = {other: name for name, *others in split_members(_WORDS["adverb_periods"]) for other in others}


def _numbered(languages: Iterable[str], first: int = 1, step: int = 1) -> dict[str, int]:
    """Return each name, casefolded, with its place in the list of its language, from `first` on, times `step`."""
    return {
        name: step * number
        for language in languages
        for number, names in enumerate(language.casefold().split(), first)
        for name in names.split("/")
        if name != "_"
    }


#: The months in other languages than English.
FOREIGN_MONTHS: Final = _numbered(_TABLE["months"].values())
MONTH_NUMBERS: Final = FOREIGN_MONTHS | MONTHS
WEEKDAY_NUMBERS: Final = _numbered(_TABLE["weekdays"].values()) | WEEKDAYS
#: The months, and the days of a week, in order.
MONTH_NAMES, WEEKDAY_NAMES = (
    tuple({number: name for name, number in reversed(numbers.items())}[place] for place in range(1, last + 1))
    for numbers, last in ((MONTHS, 12), (WEEKDAYS, 7))
)
#: Short English name of a month or a weekday -> the full one.
SHORT_NAMES: Final = {
    **{name: MONTH_NAMES[number - 1] for name, number in MONTHS.items() if name not in MONTH_NAMES},
    **{name: WEEKDAY_NAMES[number - 1] for name, number in _numbered([_TABLE["weekdays"]["english"]]).items()},
}
_COMPOUND: Final = {
    row["pattern"].format(one=digit, ten=ten).casefold(): (row["language"], tens + ones)
    for row in _TABLE["compound"]
    for ten, tens in _numbered([row.get("tens", _TABLE["tens"][row["language"]])], first=2, step=10).items()
    for digit, ones in _numbered([row["ones"]]).items()
}


def _small_numbers(languages: Collection[str]) -> dict[str, int]:
    """Return the numbers up to nineteen, the tens, and their compounds in one word, of these languages."""
    numbers, tens = ([_TABLE[kind][language] for language in languages] for kind in ("numbers", "tens"))
    compound = {word: number for word, (language, number) in _COMPOUND.items() if language in languages}
    return {"zero": 0} | _numbered(numbers) | _numbered(tens, first=2, step=10) | compound


#: The numbers that English writes in one word, up to a hundred.
NUMBER_WORDS: Final = _small_numbers(["english"]) | {"hundred": 100}
SMALL_NUMBERS: Final = _small_numbers(_TABLE["numbers"])
ORDINALS: Final = _numbered([_TABLE["words"]["ordinals"]]) | {"thirtieth": 30}


def without_commas(number: str) -> str:
    """Return a number in figures without the commas between its thousands, and with a point for a decimal comma."""
    if _THOUSANDS.fullmatch(number):
        return number.replace(",", "")
    return number.replace(",", ".") if _DECIMAL_COMMA.fullmatch(number) else number


def _sizes(dimensions: Mapping[str, str]) -> dict[str, tuple[str, float]]:
    return {
        form.lstrip("/"): (dimension, float(size))
        for dimension, units in dimensions.items()
        for size, *written in split_members(units)
        for form in written
        if form[0] != "?"
    }


def _names(members: str) -> dict[str, str]:
    """Return each way of writing a member with its first way."""
    return {form: written[0] for written in split_members(members) for form in written}


_MEASURED: Final = _sizes(_UNITS["units"])
#: Spelling of a unit -> (dimension, factor to the base unit of the dimension).
SIZES: Final = {word: size for word, size in _MEASURED.items() if size[0].islower()} | {
    word: (name, 1.0) for word, name in _names(_WORDS["counted"]).items()
}
#: Spelling of a currency -> its code.
CURRENCIES: Final = {word: size[0] for word, size in _MEASURED.items() if size[0].isupper()} | {
    word: word.upper() for word in _WORDS["currencies"].split()
}
PERIODS: Final = _names(_WORDS["periods"])
#: Span, or the adverb for "every" such span -> ("s" or "months", how many).
SPANS: Final = _sizes(_UNITS["spans"])
OFTEN: Final = _sizes(_UNITS["adverbs"])


def unit_of(word: str) -> tuple[str, float] | None:
    """Return the dimension of a unit and its size in the base unit ("weeks": ("time", 604800.0)); None if unknown."""
    return SIZES.get(word) or ((CURRENCIES[word], 1.0) if word in CURRENCIES else None)
