"""Read a clause as a whole: a statement that only its own denial contradicts (C-40).

"The build does not cache node_modules" and "The build caches node_modules" become the same phrase with opposite
polarity. No verb needs to be known: the phrase is the clause without the words of the denial, each word reduced to
one form. Everything else in the clause stays in the phrase, so another scope is another statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ...language.lexicon import (
    ARTICLES,
    EPHEMERAL,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PAST_WORDS,
    PREPOSITIONS,
    PRONOUNS,
)
from ...language.nouns import singular
from ...language.token import Token, text_of
from ...language.verbs import BE_PRESENT, forms
from ..grammar.verb_groups import VerbGroup
from ..model import NOW, PAST, Claim, Modality, Value, ValueKind

STATES_SLOT: Final = "states"
_MAX_WORDS: Final = 24
_DROPPED: Final = ARTICLES | NEUTRAL | {"any", "our"}
_STANDING: Final = frozenset(("always", "never"))
_IMPERATIVE: Final = _STANDING | {"do"}


def _plain(low: str, me: str) -> str:
    if low in FIRST_PERSON:
        return me
    return f"{me}'s" if low == "my" else _form(low)


@lru_cache(maxsize=4096)
def _form(low: str) -> str:
    """The one form of a word, whoever says it; empty for one that carries no meaning."""
    if low in _DROPPED or not any(letter.isalnum() for letter in low):
        return ""
    if low in BE_PRESENT:
        return "be"
    known = forms().get(low)
    if known and ("s" in known[1] or "b" in known[1]):
        return known[0]
    return singular(low) if low.isalpha() else low


def plain_phrase(tokens: Sequence[Token], me: str) -> list[str]:
    """The words of a phrase that carry its meaning, each in one form."""
    return [word for token in tokens if (word := _plain(token.low, me))]


def parse_statement(
    tokens: Sequence[Token], group: VerbGroup | None, modality: Modality, me: str, *, correction: bool = False
) -> list[Claim]:
    """The one claim of a clause that no slot fits; none if it is too short, or about nothing definite."""
    polarity, ended = True, False
    is_past = any(token.low in PAST_WORDS for token in tokens)
    first, body = tokens[0].low, list(tokens)
    is_rule = forms().get(first, ("", ""))[1].startswith("b")
    if group is not None:
        polarity, ended = not group.negated, group.ended
        is_past = is_past or group.is_past or group.perfect
        subject, is_rule = tokens[: group.subject_end], not group.subject_end
        verb = [Token(group.lemma, group.lemma, 0, 0)] if group.lemma else []
        body = [*subject, *verb, *tokens[group.rest :]]
        named = plain_phrase(subject, me)
        if (is_rule and first not in _IMPERATIVE) or (len(named) == 1 and named[0] in EPHEMERAL):
            return []
    elif first in _STANDING:
        polarity, is_rule, body = first == "always", True, body[1:]
    words = plain_phrase(body, me)
    if not 2 <= len(words) <= _MAX_WORDS or (not is_rule and _is_indefinite(body)):
        return []
    return [
        Claim(
            subject=" ".join(["do", *words] if is_rule else words),
            slot=STATES_SLOT,
            value=Value(ValueKind.STATEMENT, text_of(tokens)),
            polarity=polarity,
            modality=modality,
            time=PAST if is_past else NOW,
            correction=correction,
            start=tokens[0].start,
            end=tokens[-1].end,
            change=ended,
        )
    ]


def _is_indefinite(tokens: Sequence[Token]) -> bool:
    first = tokens[0].low.removesuffix("'s")
    return first in INDEFINITE or first in PRONOUNS or first in PREPOSITIONS or first in ("you", "your", "not")
