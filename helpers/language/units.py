"""What amounts are of: units with their sizes, currencies, periods and spans, read from `units.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .tables import read_table, split_members

_TABLE: Final = read_table(__file__, "units")
_WORDS: Final[dict[str, str]] = _TABLE["words"]


def _sizes(dimensions: Mapping[str, str]) -> dict[str, tuple[str, float]]:
    return {
        one.lstrip("/"): (dimension, float(size))
        for dimension, units in dimensions.items()
        for size, *written in split_members(units)
        for one in written
        if one[0] != "?"
    }


def _names(members: str) -> dict[str, str]:
    """Return each way of writing a member with its first way."""
    return {one: written[0] for written in split_members(members) for one in written}


_MEASURED: Final = _sizes(_TABLE["units"])
_COUNTED: Final = _names(_WORDS["counted"])
#: Spelling of a unit -> (dimension, factor to the base unit of the dimension).
SIZES: Final = {word: size for word, size in _MEASURED.items() if size[0].islower()} | {
    word: (name, 1.0) for word, name in _COUNTED.items()
}
#: Spelling of a currency -> its code.
CURRENCIES: Final = {word: size[0] for word, size in _MEASURED.items() if size[0].isupper()} | {
    word: word.upper() for word in _WORDS["currencies"].split()
}
_WRITTEN: Final = [
    *(written for units in _TABLE["units"].values() for _, *written in split_members(units)),
    *split_members(_WORDS["plain"]),
]
#: Spelling of a unit -> the unit, where the author of a memory is looked for.
UNITS: Final = {
    one.lstrip("?"): written[0].lstrip("?/") for written in _WRITTEN for one in written if not one.startswith("/")
}
IMPERIAL: Final = frozenset(
    one.lstrip("/")
    for written in _WRITTEN
    if written[0].lstrip("/") in _WORDS["imperial"].split()
    for one in written
    if not one.startswith("?")
)
SYMBOLS: Final = {"$": " usd", "€": " eur", "£": " gbp", "¥": " jpy", "%": " percent ", "°": " "}
PERIODS: Final = _names(_WORDS["periods"])
ADVERB_PERIODS: Final = {other: name for name, *others in split_members(_WORDS["adverb_periods"]) for other in others}
#: Span, or the adverb for "every" such span -> ("s" or "months", how many).
SPANS: Final = _sizes(_TABLE["spans"])
OFTEN: Final = _sizes(_TABLE["adverbs"])


def unit_of(word: str) -> tuple[str, float] | None:
    """The dimension of a unit and how many of its base unit it is: "weeks" are ("time", 604800.0)."""
    return SIZES.get(word) or ((CURRENCIES[word], 1.0) if word in CURRENCIES else None)
