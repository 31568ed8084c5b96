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
from ...language.vocabulary import one_of
from ...patterns import regex
from ..model import Value, ValueKind
from .choices import parse_phrase
from .dates import parse_clock, parse_date, parse_frequency, parse_hours
from .marks import parse_code, parse_handle, parse_street
from .names import (
    NOT_NAMES,
    WORDS,
    parse_address,
    parse_email,
    parse_first_name,
    parse_full_name,
    parse_host,
    parse_job,
    parse_language,
    parse_name,
    parse_path,
    parse_person,
    parse_phone,
    parse_term,
    parse_timezone,
    parse_tool,
    parse_url,
)
from .numbers import (
    Parsed,
    parse_age,
    parse_count,
    parse_money,
    parse_named_port,
    parse_named_version,
    parse_number,
    parse_port,
    parse_version,
    parse_years_old,
)
from .places import parse_country, parse_home_country, parse_place

Reader = Callable[[Sequence[Token], int], Parsed | None]
#: Readers in the order in which they are tried: names of `READERS`, or one that a row of `slots.phrases` brings along.
Reads = tuple[str | Reader, ...]


def _parse_explicit_version(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A version that says so: "version 3", "v2.1"."""
    low = low_at(tokens, index)
    says_so = low in ("version", "release") or (low[:1] == "v" and low[1:2].isdigit())
    return parse_version(tokens, index) if says_so else None


def _parse_branch(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A known branch name, or a word that can only be a name ("release/2.1")."""
    low = low_at(tokens, index)
    if low in WORDS["branches"] or (low[:1].isalpha() and any(mark in low for mark in "/-_")):
        return Parsed(Value(ValueKind.NAME, tokens[index].text, (low,)), index + 1)
    return None


#: Families of which a person prefers one member; the slot is "preferred <family>".
_PREFERENCES: Final = frozenset(family.replace("_", " ") for family in WORDS["preferences"])


def _parse_preference(tokens: Sequence[Token], index: int) -> Parsed | None:
    parsed = parse_term(tokens, index, _PREFERENCES)
    return parsed._replace(name=str(parsed.value.norm[0])) if parsed else None


SCALARS: Final = ("email", "url", "path", "timezone", "money", "clock", "number", "version", "term", "name")
_LICENCE_WORDS: Final = frozenset(("licence", "license"))


def _parse_licence(tokens: Sequence[Token], index: int) -> Parsed | None:
    """Read "MIT", "the MIT licence"."""
    index += low_at(tokens, index) == "the"
    parsed = parse_term(tokens, index, frozenset(("licence",)))
    is_named = parsed is not None and low_at(tokens, parsed.end) in _LICENCE_WORDS
    return parsed._replace(end=parsed.end + 1) if parsed and is_named else parsed


_REGION: Final = regex(rf"[a-z]{{2,12}}-(?:gov-)?(?:{one_of(WORDS['directions'])})-?\d[a-f]?")


def _parse_region(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A region of a cloud: "eu-west-1", "europe-west4", "Sweden Central"."""
    if _REGION.fullmatch(low_at(tokens, index)):
        return Parsed(Value(ValueKind.TERM, tokens[index].text, ("region", tokens[index].low)), index + 1)
    for length in (3, 2):
        words = tuple(token.low for token in tokens[index : index + length])
        if "_".join(words) in WORDS["regions"]:
            return Parsed.of(ValueKind.TERM, tokens, index, index + length, ("region", "-".join(words)))
    return None


def _parse_plan(tokens: Sequence[Token], index: int) -> Parsed | None:
    """What a plan is called: "Pro", "Enterprise"."""
    low = low_at(tokens, index)
    is_plan = low in WORDS["plans"]
    return Parsed(Value(ValueKind.TERM, tokens[index].text, ("plan", low)), index + 1) if is_plan else None


_TRUTHS: Final = {**dict.fromkeys(("true", "yes", "on"), 1.0), **dict.fromkeys(("false", "no", "off"), 0.0)}


def _parse_truth(tokens: Sequence[Token], index: int) -> Parsed | None:
    """The value of a switch."""
    low = low_at(tokens, index)
    if low not in _TRUTHS:
        return None
    return Parsed(Value(ValueKind.FLAG, tokens[index].text, (_TRUTHS[low],)), index + 1)


def _parse_web_address(tokens: Sequence[Token], index: int) -> Parsed | None:
    """A web address, with or without its scheme."""
    return parse_url(tokens, index) or (parse_address(tokens, index) if index < len(tokens) else None)


def _parse_word(tokens: Sequence[Token], index: int) -> Parsed | None:
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
    "age": parse_age,
    "branch": _parse_branch,
    "clock": parse_clock,
    "code": parse_code,
    "count": parse_count,
    "country": parse_country,
    "date": parse_date,
    "email": parse_email,
    "explicit version": _parse_explicit_version,
    "first name": parse_first_name,
    "full name": parse_full_name,
    "handle": parse_handle,
    "home country": parse_home_country,
    "frequency": parse_frequency,
    "host": parse_host,
    "hours": parse_hours,
    "job": parse_job,
    "language name": parse_language,
    "money": parse_money,
    "name": parse_name,
    "named port": parse_named_port,
    "named version": parse_named_version,
    "number": parse_number,
    "path": parse_path,
    "person": parse_person,
    "phone": parse_phone,
    "phrase": parse_phrase,
    "place": parse_place,
    "plan": _parse_plan,
    "port": parse_port,
    "preference": _parse_preference,
    "region": _parse_region,
    "street": parse_street,
    "term": parse_term,
    "timezone": parse_timezone,
    "tool": parse_tool,
    "truth": _parse_truth,
    "url": parse_url,
    "web address": _parse_web_address,
    "word": _parse_word,
    "version": parse_version,
    "years old": parse_years_old,
    **{f"term:{family}": partial(parse_term, families=frozenset((family,))) for family in FAMILIES},
    "term:licence": _parse_licence,
}


def parse_value(reads: Iterable[str | Reader], tokens: Sequence[Token], index: int) -> Parsed | None:
    """The value that the first fitting reader finds at `index`."""
    for name in reads:
        parsed = (READERS[name] if isinstance(name, str) else name)(tokens, index)
        if parsed is not None:
            return parsed
    return None
