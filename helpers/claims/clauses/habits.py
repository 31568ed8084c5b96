"""Read what the habits and the company of a person say of a state that has a word of its own (C-40).

"Ann is a vegetarian" and "Ann eats meat" exclude each other, as "is a non-smoker" and "smokes a pack a day" do, and
"is single" and "Ann's husband is called Bo". A habit at some times, or in some places, is none of these.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import NEUTRAL, PREPOSITIONS, REASONS, THEIR
from ...language.numerals import NUMBER_WORDS
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ...language.verbs import forms
from ..grammar.verb_groups import END_LEMMAS
from .predicates import Predicate, Tokens
from .state_words import STATES, State

_WORDS: Final = read_classes(__file__)
#: Verb -> what it must be done to, and the state that it shows; without objects, whatever follows says how much.
_HABITS: Final[dict[str, tuple[frozenset[str], State]]] = {
    "eat": (_WORDS["meat"], ("eating of meat", "eats")),
    "smoke": (frozenset(), ("smoking", "smokes")),
    "drink": (_WORDS["alcohol"], ("alcohol", "drinks")),
}
_ALL_OF_IT: Final = frozenset(("meat", "alcohol"))
#: What follows only says since when, or why.
_SINCE: Final = REASONS | {"after", "for"}
_JOINING: Final = THEIR | {"and", ",", "or", "some"}
_SPOUSES: Final = frozenset("husband wife spouse".split())
_NAMED: Final = frozenset(("called", "named"))

_GIVING_UP: Final = END_LEMMAS | {"give"}
_TELLING_VERBS: Final = _GIVING_UP | _HABITS.keys() | {"be"}

Found = tuple[Predicate, tuple[State, ...], str, Tokens]


def parse_habit(at: Predicate) -> Found | None:
    """(the clause as it is denied, states, their words, whose they are); None if a clause shows none."""
    if (
        at.group.lemma not in _TELLING_VERBS
        or not at.subject
        or any(token.low in ("and", "or") for token in at.subject)
    ):
        return None
    return _parse_spouse(at) or _parse_habit(at)


def _parse_habit(at: Predicate) -> Found | None:
    group, rest = at.group, at.rest
    given_up = group.lemma in END_LEMMAS or (group.lemma == "give" and low_at(rest, 0) == "up")
    if given_up:
        rest = rest[group.lemma == "give" :]
        lemma, letters = forms().get(low_at(rest, 0), ("", ""))
        is_done = group.is_past or group.perfect
        if group.negated or not is_done or "g" not in letters:
            return None
        at = at._replace(group=group._replace(lemma=lemma, negated=True))
        rest = rest[1:]
    elif group.passive or (group.is_past and not (group.negated and group.perfect)):
        return None
    objects, state = _HABITS.get(at.group.lemma, (frozenset(), ("", "")))
    if not state[0]:
        return None
    if low_at(rest, 0) == "no" and not at.group.negated and low_at(rest, 1) in objects:
        at, rest = at._replace(group=at.group._replace(negated=True)), rest[1:]
    if at.group.negated:
        objects = objects & _ALL_OF_IT  # who eats no chicken may eat beef
        if not objects and state[0] != "smoking":
            return None
    return (at, (state,), state[0], at.subject) if _is_all(rest, objects) else None


def _is_all(rest: Tokens, objects: frozenset[str]) -> bool:
    """Whether what follows a verb says what is eaten or how much, and not when or where."""
    cut = next((i for i, token in enumerate(rest) if token.low in _SINCE), len(rest))
    told = [token.low for token in rest[:cut] if token.low not in NEUTRAL]
    if not objects:
        return all(low in _WORDS["amount"] or low.isdecimal() or low in NUMBER_WORDS for low in told)
    return bool(told) and told[0] in objects and all(low in objects or low in _JOINING for low in told)


def _parse_spouse(at: Predicate) -> Found | None:
    """Read "Ann's husband is called Bo": Ann is married."""
    group, subject = at.group, at.subject
    owner = subject[0].low
    is_owned = len(subject) in (2, 3) and subject[1].low in _SPOUSES and (owner.endswith("'s") or owner == "my")
    is_name = low_at(at.rest, 0) in _NAMED or (len(at.rest) == 1 and at.rest[0].text[0].isupper())
    if not is_owned or not is_name or group.lemma != "be" or group.negated or group.is_past:
        return None
    if any(token.low in PREPOSITIONS for token in at.rest):
        return None
    low = owner.removesuffix("'s")
    whose = (Token(low, low, subject[0].start, subject[0].end),)
    return at, STATES["married"], "married", whose
