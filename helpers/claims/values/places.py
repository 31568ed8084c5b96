"""Read places from tokens, with the level on which a name stands: a city with a city, a country with a country."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ...language.lexicon import terms
from ...language.tables import read_table, split_members
from ...language.token import Token, low_at
from ..model import Value, ValueKind
from .names import end_of_name, without_accents, zones
from .numbers import Parsed

_TABLE: Final = read_table(__file__, "places")
#: "the city of Denver": the noun in front says on which level the name stands.
_TYPED_PLACES: Final = {level: level for level in _TABLE["levels"] if level != "part"} | dict.fromkeys(
    _TABLE["places"]["like_city"].split(), "city"
)
PLACE_NOUNS: Final = frozenset(_TYPED_PLACES)


@cache
def _known_cities() -> frozenset[str]:
    return frozenset(city for (city,) in split_members(_TABLE["places"]["cities"]))


@cache
def _one_name() -> dict[str, str]:
    """Return for each other name of a place the one that is compared."""
    return {other: name for name, *others in split_members(_TABLE["places"]["same"]) for other in others}


def is_known_place(level: str, name: str) -> bool:
    """Whether a place is one that the tables know."""
    return place_levels().get(name) == level or (level == "city" and name in _known_cities())


@cache
def place_levels() -> dict[str, str]:
    """Return for each known place its level; an unknown name is taken for a city."""
    return {name: level for level, names in _TABLE["levels"].items() for (name,) in split_members(names)}


def parse_place(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "Denver", "Denver, Colorado", "the city of Denver"; norm: level and name of each part, as written."""
    norm: list[str | float] = []
    begin = index
    if low_at(tokens, index) == "the":
        index += 1
    typed = _TYPED_PLACES.get(low_at(tokens, index), "") if low_at(tokens, index + 1) == "of" else ""
    index += 2 if typed else 0
    end = index
    while len(norm) < 6:
        after = end_of_name(tokens, index)
        if after == index:
            break
        name = without_accents(" ".join(token.low for token in tokens[index:after]))
        level = typed or place_levels().get(name, "city")
        if not (typed or norm or name in place_levels() or name in _known_cities()) and (name,) in terms():
            return None  # "the docs are in Markdown"
        typed = ""
        if level == "city" and "city" in norm[::2]:
            norm[norm.index("city")] = "part"
        norm += [level, _one_name().get(name, name)]
        end = after
        if low_at(tokens, after) != ",":
            break
        index = after + 1
    if not norm:
        return None
    if len(norm) == 2 and tokens[end - 1].low in zones() and tokens[end - 1].text.isupper():
        return None
    return Parsed.of(ValueKind.PLACE, tokens, begin, end, tuple(norm))


def parse_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return a country: one that the tables know, or a name that says so ("the country of Wales")."""
    parsed = parse_place(tokens, index)
    if parsed is None or (parsed.value.norm[0] == "country" and len(parsed.value.norm) == 2):
        return parsed
    return None


def parse_home_country(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Return what a person is a citizen of: a country, whether the tables know it or not."""
    parsed = parse_place(tokens, index)
    if parsed is None or len(parsed.value.norm) != 2:
        return None
    norm = ("country", parsed.value.norm[1])
    return parsed._replace(value=Value(ValueKind.PLACE, parsed.value.text, norm))
