"""Tell whether two clauses speak of two persons, or one of them only of some times or cases (C-43).

What "my sister's" dentist does says nothing of mine, what the neighbour gave up the user may go on with, and what holds
"on weekends" or "with children" leaves the rest as it was.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from ...language.lexicon import CALENDAR, CONJUNCTIONS, DETERMINERS, FIRST_PERSON, INDEFINITE, PREPOSITIONS, PRONOUNS
from ...language.nouns import singular
from ...language.stems import stem
from ...language.token import Token, low_at
from ..grammar.subjects import KIN, OURS, PEOPLE, USER
from .situations import RECURRING, SEASONS
from .things import WHERE, ClauseInText, form_of

_OURS: Final = FIRST_PERSON | OURS | {USER, "user's"}
_USERS: Final = frozenset((USER, "user's", "i", "my"))
_SOMEBODY: Final = frozenset(("he", "she"))
_NO_NAMES: Final = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | PRONOUNS | INDEFINITE
_LONGEST: Final = 6
_AT_TIMES: Final = RECURRING | {"home"}


def are_of_two(older: ClauseInText, newer: ClauseInText, said: Set[str]) -> bool:
    """Whether two clauses speak of two persons, or only one of them of certain times or cases."""
    sides = ((older, newer), (newer, older))
    return any(
        _is_of_another(one, other, said) or _is_with_another(one, other, said) or _holds_at_times(one, other)
        for one, other in sides
    ) or (_acts_another(older, newer, said, is_newer=False) or _acts_another(newer, older, said, is_newer=True))


def _is_of_another(clause: ClauseInText, other: ClauseInText, said: Set[str]) -> bool:
    """Whether somebody whom only one clause names has what both speak of: "my sister's dentist", "my dentist"."""
    for index, token in enumerate(clause.tokens[:-1]):
        owner = token.low.removesuffix("'s")
        is_somebody = owner in KIN or (token.text[0].isupper() and owner not in _NO_NAMES and owner != USER)
        if owner == token.low or not is_somebody or {owner, stem(owner)} & (other.known | said):
            continue
        held = [form_of(one) for one in clause.tokens[index + 1 : index + 3] if one.low not in _NO_NAMES]
        if held and held[0] in other.known:
            return True
    return False


def _is_with_another(clause: ClauseInText, other: ClauseInText, said: Set[str]) -> bool:
    """Whether one clause tells of the user and somebody, the other one of the user and somebody else."""
    partners = _names(clause.subject) if any(token.low == "and" for token in clause.subject) else set()
    return bool(partners) and partners.isdisjoint(other.known | said) and bool(_names(other.tokens) - clause.known)


def _names(tokens: Sequence[Token]) -> set[str]:
    return {
        form_of(token)
        for token in tokens
        if token.text[0].isupper() and token.low not in _NO_NAMES and token.low.removesuffix("'s") not in _USERS
    }


def _acts_another(clause: ClauseInText, other: ClauseInText, said: Set[str], *, is_newer: bool) -> bool:
    """Whether a clause tells of somebody else what the other one tells of the user."""
    if not clause.subject or not any(token.low in _USERS for token in other.subject[:2]):
        return False
    first = clause.subject[0].low
    if first in KIN or any(token.low in _OURS for token in clause.sentence):
        return False
    if first in _SOMEBODY:
        return clause.is_first
    names = {form_of(token) for token in clause.subject}
    if names & (said | other.known):
        return False
    if {token.low for token in clause.subject} & (KIN | PEOPLE):
        return True
    is_name = len(clause.subject) == 1 and clause.subject[0].text[0].isupper() and first not in _NO_NAMES
    return is_name and not is_newer


def _holds_at_times(clause: ClauseInText, other: ClauseInText) -> bool:
    """Whether a sentence begins with when, where or for whom it holds, and the other one does not say so."""
    phrase = _opening(clause.sentence)
    words = {form_of(token) for token in phrase if token.low not in _NO_NAMES}
    return bool(words) and words.isdisjoint(other.known) and _tells(phrase)


def _opening(sentence: Sequence[Token]) -> Sequence[Token]:
    """What stands in front of the first comma, if it is short."""
    end = next((index for index, token in enumerate(sentence[:_LONGEST]) if token.low == ","), 0)
    return sentence[:end]


def _tells(phrase: Sequence[Token]) -> bool:
    first, second = phrase[0].low, low_at(phrase, 1)
    if len(phrase) == 1:
        return first in WHERE
    if first == "on":
        is_day = second in CALENDAR or singular(second) in CALENDAR
        return second == "weekends" or (singular(second) != second if is_day else phrase[1].text[0].isupper())
    if first in ("at", "in"):
        return second in (_AT_TIMES if first == "at" else SEASONS)
    if first in ("with", "without"):
        return len(phrase) == 2 and phrase[1].text.islower()
    return first == "per" or (first == "as" and second in ("a", "an"))
