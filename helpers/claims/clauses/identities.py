"""Read "the server that hosts the wiki is db-01": a description of one thing, and what that thing is (C-39).

The article says that there is one, the relative clause says which; so two such sentences with the same description and
other values contradict each other, whatever the noun is.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import EPHEMERAL, NEUTRAL, PAST_WORDS, RELATIVES
from ...language.modality import word_modality
from ...language.openers import parse_opening
from ...language.tables import read_classes
from ...language.token import low_at
from ...language.verbs import BE_PAST, forms
from ..grammar.corrections import is_additive
from ..model import Claim, Modality
from ..slots.multi_valued import RELATIONS
from ..values.readers import SCALARS, parse_value
from .predicates import Frame, Tokens
from .statements import plain_phrase

_WORDS: Final = read_classes(__file__)
IDENTITY_SLOT: Final = "is"
_MARKS: Final = RELATIVES | {"we", "i"}
_LINKS: Final = frozenset(("that", "which"))
#: The mark stands behind the noun: "the server that", "the type of music that".
_MARK_PLACES: Final = range(2, 6)
_MAX_WORDS: Final = 14
#: Of these there is another one in every conversation, or they only point at a sentence.
_VAGUE: Final = EPHEMERAL | _WORDS["vague"]
#: What somebody does to several things: "the city that I like" does not say that there is one.
_PLURAL_LEMMAS: Final = (
    frozenset(relation.removeprefix("be ").split()[0] for relation, row in RELATIONS.items() if not row.excludes)
    - _WORDS["of_one"]
)


def parse_identity(tokens: Tokens, frame: Frame) -> list[Claim]:
    """The one claim of a sentence that identifies what it describes; none of any other sentence."""
    begin = tokens[0].start
    opening = parse_opening(tokens)
    tokens = tokens[opening.end :]
    if low_at(tokens, 0) != "the":
        return []
    mark = next((i for i in _MARK_PLACES if low_at(tokens, i) in _MARKS), 0)
    copula = next((i for i in range(len(tokens) - 1, mark + 1, -1) if tokens[i].low == "is"), 0)
    if not mark or not mark + 1 < copula <= _MAX_WORDS or not _is_clause(tokens[mark + 1 : copula]):
        return []
    if any(token.low in _VAGUE for token in tokens[1:mark]) or any(token.low in PAST_WORDS for token in tokens):
        return []
    if (frame.modality is Modality.FACT and word_modality(tokens) is not Modality.FACT) or is_additive(tokens):
        return []
    start = copula + 1
    while low_at(tokens, start) in NEUTRAL:
        start += 1
    parsed = parse_value(SCALARS, tokens, start)
    if parsed is None or parsed.end != len(tokens):
        return []
    return [
        Claim(
            subject=" ".join(
                plain_phrase((*tokens[1:mark], *tokens[mark + (tokens[mark].low in _LINKS) : copula]), frame.me)
            ),
            slot=IDENTITY_SLOT,
            value=parsed.value,
            modality=frame.modality,
            time=frame.time,
            scope=frame.scope,
            correction=frame.correction or opening.correction,
            start=begin,
            end=tokens[-1].end,
        )
    ]


def _is_clause(tokens: Tokens) -> bool:
    """Whether the words between mark and copula are a relative clause that holds still.

    A finished event does ("was educated"); what somebody used, or was doing, may have another answer each time.
    """
    lows = [token.low for token in tokens]
    if "," in lows:
        return False
    has_verb = False
    for low, before in zip(lows, ("", *lows[:-1]), strict=True):
        lemma, letters = forms().get(low, ("", ""))
        is_participle = before in BE_PAST and (low.endswith("ed") or "n" in letters)
        if lemma in _PLURAL_LEMMAS:
            return False
        if before in BE_PAST and not is_participle:
            return False
        if "d" in letters and low != lemma and low not in BE_PAST and not is_participle:
            return False
        has_verb = has_verb or bool(lemma) or is_participle
    return has_verb
