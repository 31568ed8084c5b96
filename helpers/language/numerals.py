"""The names of months, weekdays, numbers and units in the languages that people write in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
#: Spelling of a unit -> the unit, by which the words of a conversation are compared.
UNITS: Final = {
    form.lstrip("?"): written[0].lstrip("?/") for written in _WRITTEN for form in written if not form.startswith("/")
}
IMPERIAL: Final = frozenset(
    form.lstrip("/")
    for written in _WRITTEN
    if written[0].lstrip("/") in _WORDS["imperial"].split()
    for form in written
    if not form.startswith("?")
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


def _full_names(numbers: dict[str, int]) -> dict[int, str]:
    """Return the first name of each number."""
    return {number: name for name, number in reversed(numbers.items())}


#: The months in other languages than English.
FOREIGN_MONTHS: Final = _numbered(_TABLE["months"].values())
MONTH_NUMBERS: Final = FOREIGN_MONTHS | MONTHS
WEEKDAY_NUMBERS: Final = _numbered(_TABLE["weekdays"].values()) | WEEKDAYS
_FULL_MONTHS, _FULL_WEEKDAYS = _full_names(MONTHS), _full_names(WEEKDAYS)
#: The months in order.
MONTH_NAMES: Final = tuple(_FULL_MONTHS[number] for number in range(1, 13))
WEEKDAY_NAMES: Final = tuple(_FULL_WEEKDAYS[number] for number in range(1, 8))
#: Short English name of a month or a weekday -> the full one.
SHORT_NAMES: Final = {
    **{name: _FULL_MONTHS[number] for name, number in MONTHS.items() if name != _FULL_MONTHS[number]},
    **{name: _FULL_WEEKDAYS[number] for name, number in _numbered([_TABLE["weekdays"]["english"]]).items()},
}
_COMPOUND: Final = {
    row["pattern"].format(one=digit, ten=ten).casefold(): (row["language"], tens + ones)
    for row in _TABLE["compound"]
    for ten, tens in _numbered([row.get("tens", _TABLE["tens"][row["language"]])], first=2, step=10).items()
    for digit, ones in _numbered([row["ones"]]).items()
}
#: The numbers that English writes in one word, up to a hundred.
NUMBER_WORDS: Final = (
    {"zero": 0}
    | _numbered([_TABLE["numbers"]["english"]])
    | _numbered([_TABLE["tens"]["english"]], first=2, step=10)
    | {word: number for word, (language, number) in _COMPOUND.items() if language == "english"}
    | {"hundred": 100}
)
#: The numbers up to nineteen, the tens, and their compounds in one word, in every language.
SMALL_NUMBERS: Final = {
    "zero": 0,
    **_numbered(_TABLE["numbers"].values()),
    **_numbered(_TABLE["tens"].values(), first=2, step=10),
    **{word: number for word, (_, number) in _COMPOUND.items()},
}
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
