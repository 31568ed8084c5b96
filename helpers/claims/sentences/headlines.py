"""Read a note without its "is" or "was" like the sentence that it stands for: "Prototype due March 3" (C-39).

Which words are left out before is data, with examples: `headlines.toml`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...language.lexicon import (
    CONJUNCTIONS,
    FIRST_PERSON,
    INDEFINITE,
    NEUTRAL,
    PARTICLES,
    PREPOSITIONS,
    PRONOUNS,
    SUBJECT_PRONOUNS,
)
from ...language.tables import read_table
from ...language.token import low_at
from ...language.verbs import forms
from ..clauses.clause_grammar import parse_group
from ..clauses.predicates import Tokens
from ..grammar.subjects import KIN, PEOPLE, USER

_LONGEST_SUBJECT: Final = 7
_PARTICLES: Final = PARTICLES | NEUTRAL | {"indefinitely"}
#: Nobody of whom a verb may tell what they did.
_PEOPLE: Final = KIN | PEOPLE | FIRST_PERSON | SUBJECT_PRONOUNS | PRONOUNS | INDEFINITE | {USER, "team", "company"}
_AFTER: Final = PREPOSITIONS | {"due"}
_PAST: Final = "n"


class _Headlines(NamedTuple):
    done: frozenset[str]
    held: frozenset[str]
    moved: frozenset[str]
    states: frozenset[str]
    words: frozenset[str]


def _parse_headlines() -> _Headlines:
    table = read_table(__file__, "headlines")
    done, held, moved = (frozenset(table[name]["verbs"].split()) for name in ("done", "held", "moved"))
    states = frozenset(table["state"]["words"].split())
    told = {word for word, (lemma, letters) in forms().items() if lemma in done | held | moved and _PAST in letters}
    return _Headlines(done, held, moved, states, frozenset(told | states | {"now"}))


_HEADLINES: Final = _parse_headlines()


def completed(tokens: Tokens) -> Tokens:
    """The sentence with the "is" or "was" that it leaves out; any other sentence as it is."""
    if _HEADLINES.words.isdisjoint([token.low for token in tokens]):
        return tokens
    group = parse_group(tokens)
    if group is None:
        at, copula = _state(tokens), "is"
    else:
        at = _participle(tokens, group.subject_end)
        copula = "is" if at and forms()[tokens[at].low][0] in _HEADLINES.held else "was"
    if not at:
        return tokens
    return (*tokens[:at], tokens[at]._replace(text=copula, low=copula, end=tokens[at].start), *tokens[at:])


def _participle(tokens: Tokens, at: int) -> int:
    """Where a participle stands that ends a sentence, or is followed by a preposition; 0 where none does."""
    subject = tokens[:at]
    if not 0 < at < len(tokens) or not _is_thing(subject):
        return 0
    lemma, letters = forms().get(tokens[at].low, ("", ""))
    table = _HEADLINES
    is_known = lemma in table.done | table.held or (lemma in table.moved and at > 1 and subject[-1].text.islower())
    if not is_known or _PAST not in letters:
        return 0
    after = at + 1
    while low_at(tokens, after) in _PARTICLES:
        after += 1
    is_alone = after >= len(tokens) or tokens[after].low in _AFTER or tokens[after].low in (",", "-", "–", "—")
    return at if is_alone and low_at(tokens, after + 1) != "save" else 0


def _state(tokens: Tokens) -> int:
    """Where a state, or what is so now, follows a subject; 0 where none does."""
    for at in range(1, min(len(tokens), _LONGEST_SUBJECT + 1)):
        low = tokens[at].low
        is_state = low in _HEADLINES.states and (at + 1 == len(tokens) or low == "due")
        if is_state or (low == "now" and at + 1 < len(tokens) and tokens[at + 1].low not in PREPOSITIONS):
            begin = at - 1 if low != "now" and tokens[at - 1].low in NEUTRAL else at
            return begin if begin and _is_thing(tokens[:begin]) else 0
    return 0


def _is_thing(subject: Tokens) -> bool:
    """Whether words name one thing, and nobody."""
    lows = [token.low for token in subject]
    if len(lows) > _LONGEST_SUBJECT or not _PEOPLE.isdisjoint(lows) or lows[0] in PREPOSITIONS:
        return False
    if any(low in CONJUNCTIONS or not low[0].isalnum() or low in ("that", "which", "who") for low in lows):
        return False
    return lows[-1] not in PREPOSITIONS
