"""Read a sentence as a whole: a statement that only its own denial contradicts, or what a description is of (C-40).

"The build does not cache node_modules" and "The build caches node_modules" become the same phrase with opposite
polarity. No verb needs to be known: the phrase is the clause without the words of the denial, each word reduced to
one form. Everything else in the clause stays in the phrase, so another scope is another statement.

"The server that hosts the wiki is db-01": the article says that there is one, the relative clause says which; so two
such sentences with the same description and other values contradict each other, whatever the noun is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    RELATIVES,
)
from ...language.modality import word_modality
from ...language.nouns import singular
from ...language.openers import parse_opening
from ...language.tables import read_classes
from ...language.token import Token, low_at, text_of
from ...language.verbs import BE_PAST, BE_PRESENT, forms
from ..grammar.corrections import is_additive
from ..grammar.verb_groups import VerbGroup
from ..model import NOW, PAST, Claim, Modality, Value, ValueKind
from ..slots.multi_valued import RELATIONS
from ..values.readers import SCALARS, parse_value
from .predicates import Frame, Predicate, Tokens

STATES_SLOT: Final = "states"
_WORDS: Final = read_classes(__file__)
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


IDENTITY_SLOT: Final = "is"
_MARKS: Final = RELATIVES | {"we", "i"}
#: The mark stands behind the noun: "the server that", "the type of music that".
_MARK_PLACES: Final = range(2, 6)
_MAX_DESCRIBED: Final = 14
#: Of these there is another one in every conversation, or they only point at a sentence.
_VAGUE: Final = EPHEMERAL | _WORDS["vague"]
#: What somebody does to several things: "the city that I like" does not say that there is one.
_PLURAL_LEMMAS: Final = (
    frozenset(relation.removeprefix("be ").split()[0] for relation, row in RELATIONS.items() if not row.excludes)
    - _WORDS["of_one"]
)


def parse_identity(tokens: Tokens, frame: Frame) -> list[Claim]:
    """The one claim of a sentence that identifies what it describes; none of any other sentence."""
    opening = parse_opening(tokens)
    told = tokens[opening.end :]
    mark = next((i for i in _MARK_PLACES if low_at(told, i) in _MARKS), 0) if low_at(told, 0) == "the" else 0
    copula = next((i for i in range(len(told) - 1, mark + 1, -1) if told[i].low == "is"), 0)
    if not mark or not mark + 1 < copula <= _MAX_DESCRIBED or not _is_clause(told[mark + 1 : copula]):
        return []
    if any(token.low in _VAGUE for token in told[1:mark]) or any(token.low in PAST_WORDS for token in told):
        return []
    if (frame.modality is Modality.FACT and word_modality(told) is not Modality.FACT) or is_additive(told):
        return []
    start = copula + 1
    while low_at(told, start) in NEUTRAL:
        start += 1
    parsed = parse_value(SCALARS, told, start)
    if parsed is None or parsed.end != len(told):
        return []
    words = plain_phrase((*told[1:mark], *told[mark + (told[mark].low in ("that", "which")) : copula]), frame.me)
    at = Predicate(tokens, (), VerbGroup("be", 0, 0), (), frame)
    claim = replace(at.claim(" ".join(words), IDENTITY_SLOT, parsed.value), topic=None, loose=False, single=True)
    return [replace(claim, scope=frame.scope, correction=frame.correction or opening.correction)]


def _is_clause(tokens: Tokens) -> bool:
    """Whether the words between mark and copula are a relative clause that holds still.

    A finished event does ("was educated"); what somebody used, or was doing, may have another answer each time.
    """
    lows = [token.low for token in tokens]
    has_verb = False
    for low, before in zip(lows, ("", *lows[:-1]), strict=True) if "," not in lows else ():
        lemma, letters = forms().get(low, ("", ""))
        is_participle = before in BE_PAST and (low.endswith("ed") or "n" in letters)
        is_past = "d" in letters and low != lemma and low not in BE_PAST
        if lemma in _PLURAL_LEMMAS or (not is_participle and (is_past or before in BE_PAST)):
            return False
        has_verb = has_verb or bool(lemma) or is_participle
    return has_verb
