"""Read where something is and who sees to it: "is held in Hall B", "Ann coaches the team" (C-40, C-41).

No table knows the places and persons; so two of them exclude each other only where the newer text says that it has
changed ("now", "was moved to") or corrects the older one. Only verbs are read of which a thing has one such place, or
one such person, at a time: a shop may sell in two towns, but a course is held in one room.
"""

from __future__ import annotations

from typing import Final

from ...language.lexicon import (
    ADDITIVE,
    CALENDAR,
    CONJUNCTIONS,
    DEFINITE,
    INDEFINITE,
    NEUTRAL,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
    PRONOUNS,
)
from ...language.tables import read_classes
from ...language.token import Token, low_at, text_of
from ...language.verbs import forms
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..model import Claim, Modality, Tense, Value, ValueKind
from ..values.names import parse_term
from .ending_phrases import without_when
from .endings import lasts, words_of
from .open_values import NOW_WORDS, OPEN_SLOT
from .predicates import Predicate, Tokens

_WORDS: Final = read_classes(__file__)
#: Of these a thing has one place at a time, as the subject of the active and of the passive.
_STAYING: Final = _WORDS["staying"]
_KEPT: Final = _WORDS["kept"]
#: Of these a thing has one person, or one means, at a time.
_TENDING: Final = _WORDS["tending"]
_PLACES: Final = _WORDS["places"]
#: One can be in these and somewhere else as well.
_NO_PLACES: Final = _WORDS["no_places"]
#: What many run, and none alone.
_EVENTS: Final = _WORDS["events"]
_LANGUAGE: Final = frozenset(("human language",))
_NOT_PLAIN: Final = CONJUNCTIONS | ADDITIVE | (PAST_WORDS - {"old"}) | {"only", "both", "not"}
_MAX_WORDS: Final = 4


def parse_open_relation(at: Predicate) -> list[Claim]:
    """The one claim of a clause that says where something is, or who sees to it; none of any other."""
    group, frame = at.group, at.frame
    if group.negated or group.modality is not Modality.FACT or frame.additive or group.is_past or not at.subject:
        return []
    if frame.time.tense is not Tense.NOW or not lasts(at.tokens) or not _is_plain(at.tokens):
        return []
    first = low_at(at.rest, 0)
    lemma, letters = forms().get(first, ("", ""))
    if group.lemma == "be" and "n" in letters:
        return _passive(at, lemma, at.rest[1:])
    if group.lemma == "take" and first == "place":
        return _placed(at, at.rest[1:])
    if group.lemma in _STAYING:
        return _placed(at, at.rest)
    if group.lemma == "be" and first in _PLACES and _is_thing(at.subject) and _is_marked(at.rest[1:3]):
        return _placed(at, at.rest)
    if group.lemma == "be" and first == "from" and frame.correction | _is_named(at.rest[1:]):
        return _claim(at, "from", at.subject, at.rest[1:], ())
    if group.lemma == "be" and (first, low_at(at.rest, 1)) == ("responsible", "for") and _is_named(at.subject):
        return _claim(at, "responsible", at.rest[2:], at.subject, ())
    if group.lemma == "be" and [t.low for t in at.rest[:3]] == ["in", "charge", "of"] and _is_named(at.subject):
        return _claim(at, "responsible", at.rest[3:], at.subject, ())
    if group.lemma in _TENDING and first in DEFINITE and _is_named(at.subject):
        end = _end_of_phrase(at.rest, 0)
        if any(token.low in _EVENTS for token in at.rest[:end]):
            return []
        return _claim(at, f"by {group.lemma}", (*at.rest[:end],), at.subject, at.rest[end:])
    return []


def _passive(at: Predicate, lemma: str, rest: Tokens) -> list[Claim]:
    if lemma in _KEPT and low_at(rest, 0) in _PLACES:
        return _placed(at, rest)
    start = 1 + (low_at(rest, 0) == "after")  # "is looked after by"
    mark = low_at(rest, start - 1)
    is_agent = mark == "by" and lemma in _TENDING
    is_agent = is_agent and (low_at(rest, start) in (*DEFINITE, USER) or _is_named(rest[start : start + 1]))
    is_means = mark in _WORDS["means"] and lemma in _WORDS["by_means"]
    if not (is_agent or is_means):
        return []
    end = _end_of_phrase(rest, start)
    return _claim(at, f"{'by' if is_agent else 'with'} {lemma}", at.subject, rest[start:end], rest[end:])


def _placed(at: Predicate, rest: Tokens) -> list[Claim]:
    start = 2 if low_at(rest, 0) == "next" and low_at(rest, 1) == "to" else 1
    if low_at(rest, 0) not in _PLACES:
        return []
    end = _end_of_phrase(rest, start)
    told = rest[start:end]
    if any(token.low in _NO_PLACES for token in told):
        return []
    is_place = low_at(told, 0) in (*DEFINITE, "a", "an") or _is_marked(told)
    if not is_place or (len(told) == 1 and parse_term(told, 0, _LANGUAGE)):
        return []  # "in small groups", "in full bloom", "in English"
    return _claim(at, "place", at.subject, rest[start:end], rest[end:])


def _end_of_phrase(tokens: Tokens, index: int) -> int:
    while index < len(tokens) and (tokens[index].low not in PREPOSITIONS or tokens[index].low == "of"):
        if tokens[index].low in (",", "(", "and", "instead", "now"):
            break
        index += 1
    return index


def _is_plain(tokens: Tokens) -> bool:
    """Whether a clause names one of everything, and nothing of the past."""
    lows = {token.low for token in tokens}
    return lows.isdisjoint(_NOT_PLAIN)


def _is_thing(subject: Tokens) -> bool:
    return subject[-1].text[0].islower() and subject[-1].low != USER and subject[0].low in (*DEFINITE, USER, "user's")


def _is_marked(tokens: Tokens) -> bool:
    """Whether a place has a name or a number."""
    return any(token.text[0].isupper() or token.low[0].isdigit() for token in tokens)


def _is_named(tokens: Tokens) -> bool:
    return bool(tokens) and (tokens[0].text[0].isupper() or tokens[-1].text[0].isupper())


def _is_when(token: Token) -> bool:
    low = token.low
    return low in CALENDAR or low in PERIODS or (low[0].isdigit() and (":" in low or low.endswith(("am", "pm"))))


def _claim(at: Predicate, slot: str, holder: Tokens, told: Tokens, around: Tokens) -> list[Claim]:
    """`holder` has `told` in `slot`; the rest of the clause makes it another matter."""
    me = at.frame.me
    if any(token.low == "old" for token in (*holder, *at.subject)):
        return []
    if not told or any(_is_when(token) for token in told) or told[0].low in INDEFINITE or told[0].low in PRONOUNS:
        return []
    if len(told) == 1 and told[0].low.isdecimal():
        return []  # an hour or a year
    if around and around[0].low not in PREPOSITIONS and around[0].low not in NEUTRAL | {","}:
        return []
    reason = next((i for i, token in enumerate(around) if token.low in ("since", "because", ",")), len(around))
    subject, words, beside = words_of(holder, me), words_of(told, me), words_of(without_when(around[:reason]), me)
    if not subject or not words or beside is None or len(words) > _MAX_WORDS or holder[0].low in INDEFINITE:
        return []
    topic = join_topic([*subject, *beside, *at.frame.scope])
    if not topic:
        return []
    value = Value(ValueKind.TEXT, text_of(told), tuple(sorted(set(words))))
    return [
        Claim(
            subject=topic,
            slot=f"{OPEN_SLOT} {slot}",
            value=value,
            modality=at.frame.modality,
            time=at.frame.time,
            correction=at.frame.correction,
            start=at.tokens[0].start,
            end=at.tokens[-1].end,
            single=False,
            change=any(token.low in NOW_WORDS for token in at.tokens),
            topic=topic,
            loose=True,
        )
    ]
