"""The readers that a slot can name: which types of value its wordings take.

A reader takes tokens and an index and returns the value that starts there, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from ...language.lexicon import ENVIRONMENTS, PREPOSITIONS
from ...language.terms import FAMILIES
from ...language.token import Token, low_at
from ...language.verbs import forms
from ...patterns import regex
from ..model import Value, ValueKind
from .choices import read_phrase
from .dates import read_clock, read_date, read_frequency, read_hours
from .marks import read_code, read_handle, read_street
from .names import (
    NOT_NAMES,
    WORDS,
    read_address,
    read_email,
    read_first_name,
    read_full_name,
    read_host,
    read_job,
    read_language,
    read_name,
    read_path,
    read_person,
    read_phone,
    read_term,
    read_timezone,
    read_tool,
    read_url,
)
from .numbers import (
    Parsed,
    read_age,
    read_count,
    read_money,
    read_named_port,
    read_named_version,
    read_number,
    read_port,
    read_version,
    read_years_old,
)
from .places import read_country, read_home_country, read_place

Reader = Callable[[Sequence[Token], int], Parsed | None]
#: Readers in the order in which they are tried: names of `READERS`, or a reader that a person's own slot brings along.
Reads = tuple[str | Reader, ...]


def _read_explicit_version(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A version that says so: "version 3", "v2.1"."""
    low = low_at(tokens, index)
    says_so = low in ("version", "release") or (low[:1] == "v" and low[1:2].isdigit())
    return read_version(tokens, index) if says_so else None


def _read_branch(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A known branch name, or a word that can only be a name ("release/2.1")."""
    low = low_at(tokens, index)
    if low in WORDS["branches"] or (low[:1].isalpha() and any(mark in low for mark in "/-_")):
        return Parsed(Value(ValueKind.NAME, tokens[index].text, (low,)), index + 1)
    return None


#: Families of which a person prefers one member; the slot is "preferred <family>".
_PREFERENCES: Final = frozenset(family.replace("_", " ") for family in WORDS["preferences"])


def _read_preference(tokens: Sequence[Token], index: int) -> Parsed | None:
    parsed = read_term(tokens, index, _PREFERENCES)
    return parsed._replace(name=str(parsed.value.norm[0])) if parsed else None


SCALARS: Final = ("email", "url", "path", "timezone", "money", "clock", "number", "version", "term", "name")
_LICENCE_WORDS: Final = frozenset(("licence", "license"))


def _read_licence(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "MIT", "the MIT licence"."""
    index += low_at(tokens, index) == "the"
    parsed = read_term(tokens, index, frozenset(("licence",)))
    is_named = parsed is not None and low_at(tokens, parsed.end) in _LICENCE_WORDS
    return parsed._replace(end=parsed.end + 1) if parsed and is_named else parsed


_REGION: Final = regex(
    r"[a-z]{2,12}-(?:gov-)?(?:north|south|east|west|central|northeast|southeast|northwest|southwest)-?\d[a-f]?"
)


def _read_region(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A region of a cloud: "eu-west-1", "europe-west4", "Sweden Central"."""
    if _REGION.fullmatch(low_at(tokens, index)):
        return Parsed(Value(ValueKind.TERM, tokens[index].text, ("region", tokens[index].low)), index + 1)
    for length in (3, 2):
        words = tuple(token.low for token in tokens[index : index + length])
        if "_".join(words) in WORDS["regions"]:
            return Parsed.of(ValueKind.TERM, tokens, index, index + length, ("region", "-".join(words)))
    return None


def _read_plan(tokens: Sequence[Token], index: int) -> Parsed | None:
    """What a plan is called: "Pro", "Enterprise"."""
    low = low_at(tokens, index)
    is_plan = low in WORDS["plans"]
    return Parsed(Value(ValueKind.TERM, tokens[index].text, ("plan", low)), index + 1) if is_plan else None


_TRUTHS: Final = {**dict.fromkeys(("true", "yes", "on"), 1.0), **dict.fromkeys(("false", "no", "off"), 0.0)}


def _read_truth(tokens: Sequence[Token], index: int) -> Parsed | None:
    """The value of a switch."""
    low = low_at(tokens, index)
    if low not in _TRUTHS:
        return None
    return Parsed(Value(ValueKind.FLAG, tokens[index].text, (_TRUTHS[low],)), index + 1)


def _read_web_address(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A web address, with or without its scheme."""
    return read_url(tokens, index) or (read_address(tokens, index) if index < len(tokens) else None)


def _read_word(tokens: Sequence[Token], index: int) -> Parsed | None:
    """One word at the end of a phrase, whatever it is: the value of a setting."""
    low = low_at(tokens, index)
    following = low_at(tokens, index + 1)
    if (
        not low.isalpha()
        or low in NOT_NAMES
        or low in forms()
        or (following.isalpha() and following not in PREPOSITIONS)
    ):
        return None
    return Parsed(Value(ValueKind.NAME, tokens[index].text, (ENVIRONMENTS.get(low, low),)), index + 1)


READERS: Final[dict[str, Reader]] = {
    "age": read_age,
    "branch": _read_branch,
    "clock": read_clock,
    "code": read_code,
    "count": read_count,
    "country": read_country,
    "date": read_date,
    "email": read_email,
    "explicit version": _read_explicit_version,
    "first name": read_first_name,
    "full name": read_full_name,
    "handle": read_handle,
    "home country": read_home_country,
    "frequency": read_frequency,
    "host": read_host,
    "hours": read_hours,
    "job": read_job,
    "language name": read_language,
    "money": read_money,
    "name": read_name,
    "named port": read_named_port,
    "named version": read_named_version,
    "number": read_number,
    "path": read_path,
    "person": read_person,
    "phone": read_phone,
    "phrase": read_phrase,
    "place": read_place,
    "plan": _read_plan,
    "port": read_port,
    "preference": _read_preference,
    "region": _read_region,
    "street": read_street,
    "term": read_term,
    "timezone": read_timezone,
    "tool": read_tool,
    "truth": _read_truth,
    "url": read_url,
    "web address": _read_web_address,
    "word": _read_word,
    "version": read_version,
    "years old": read_years_old,
    **{f"term:{family}": partial(read_term, families=frozenset((family,))) for family in FAMILIES},
    "term:licence": _read_licence,
}


def read_value(reads: Iterable[str | Reader], tokens: Sequence[Token], index: int) -> Parsed | None:
    """The value that the first fitting reader finds at `index`."""
    for name in reads:
        parsed = (READERS[name] if isinstance(name, str) else name)(tokens, index)
        if parsed is not None:
            return parsed
    return None
