"""Read what a thing is, where it is and who sees to it, of which no table knows the values (C-40, C-41).

"User's bank is Sparkasse", "the course is held in Hall B", "Ann coaches the team": two such values exclude each other
only where the newer text says that it has changed ("it's DKB now") or corrects the older one. Only verbs are read of
which a thing has one place, or one person, at a time: a shop may sell in two towns, but a course is held in one room.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...language.lexicon import (
    ADDITIVE,
    ARTICLES,
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
from ...language.vocabulary import TITLES
from ..grammar.subjects import USER
from ..grammar.topics import join_topic
from ..model import Claim, Value, ValueKind
from ..values.names import parse_term
from .ending_phrases import without_when
from .endings import lasts, words_of
from .predicates import Predicate, Tokens, end_of_phrase, place_of, up_to

_WORDS: Final = read_classes(__file__)
OPEN_SLOT: Final = "is now"
NOW_WORDS: Final = frozenset(("now", "nowadays", "meanwhile"))
_LANGUAGE: Final = frozenset(("human language",))
_NOT_PLAIN: Final = CONJUNCTIONS | ADDITIVE | (PAST_WORDS - {"old"}) | {"only", "both", "not"}
_OF_LISTS: Final = CONJUNCTIONS | ADDITIVE | {"only"}
_AROUND: Final = PREPOSITIONS | NEUTRAL | {","}
_MAX_VALUE: Final = 5
_MAX_WORDS: Final = 4


def _claim(at: Predicate, slot: str, topic: list[str], told: Tokens, words: tuple[str, ...]) -> list[Claim]:
    name = join_topic([*topic, *at.frame.scope])
    value = Value(ValueKind.TEXT, text_of(told), tuple(sorted(set(words))))
    is_change = at.group.lemma == "become" or any(token.low in NOW_WORDS for token in at.tokens)
    return [replace(at.claim(name, f"{OPEN_SLOT} {slot}".rstrip(), value), change=is_change)] if name else []


def parse_open_value(at: Predicate) -> list[Claim]:
    """The one claim of "the N is V" or "N: V", where N is a noun and V a name; none of any other clause."""
    group = at.group
    is_past = group.is_past and group.lemma == "be"
    if group.lemma not in ("be", "become") or group.negated or is_past or not at.is_told_now:
        return []
    value, subject = _value(at.rest), words_of(at.subject, at.frame.me)
    words = words_of(value, at.frame.me)
    if not _is_described(at.subject) or not words or not subject or set(subject) <= {USER}:
        return []
    is_label = len(at.subject) < len(at.tokens) and at.tokens[len(at.subject)].low in (":", "=", "→", "->")
    is_name = _is_name(at.rest, value)
    if not (is_label or is_name or _is_quality(at.subject, value)):
        return []
    rest = at.rest[_end_of_value(at.rest) :]
    around = words_of(without_when(rest), at.frame.me) if low_at(rest, 0) in PREPOSITIONS - {"since"} else ()
    return [] if around is None else _claim(at, "" if is_name else "a word", [*subject, *around], value, words)


def _is_quality(subject: Tokens, value: Tokens) -> bool:
    """Whether a noun of which the value is one word at a time is said to be one: "the tone is formal"."""
    nouns = {subject[-1].low, "_".join(token.low for token in subject[-2:])}
    return not nouns.isdisjoint(_WORDS["qualities"]) and len(value) == 1 and value[0].low.isalpha()


def _is_described(subject: Tokens) -> bool:
    """Whether a subject ends in a noun and so says what kind of thing it is."""
    if not subject or subject[0].low.removesuffix("'s") in INDEFINITE:
        return False
    return subject[-1].text[0].islower() and all(token.low not in PAST_WORDS for token in subject)


def _is_name(rest: Tokens, value: Tokens) -> bool:
    """Whether a value is written as a name, of which only the first word need be one behind an article."""
    if len(value) == 2 and value[1].low.isdecimal() and value[0].low.isalpha():
        return True
    told = value[:1] if any(token.low in ("a", "an") for token in rest[:2]) else value
    return all(_is_written_as_name(token.text) for token in told)


def _is_written_as_name(text: str) -> bool:
    """Whether a word is one of a name; "dog-friendly" and "SSL-only" say how a thing is."""
    if text.rpartition("-")[2] in _WORDS["how"]:
        return False
    return text[0].isupper() or not (text.isalpha() or text[0].isdigit())


def _value(rest: Tokens) -> Tokens:
    """The words of the value; none if it is a list, a phrase of place or time, or somebody's."""
    begin = 0
    while low_at(rest, begin) in ARTICLES | NEUTRAL:
        begin += 1
    said = rest[begin : _end_of_value(rest)]
    value = tuple(token for token in said if token.low not in NEUTRAL and token.low not in TITLES)
    is_amount = bool(value) and (value[0].low[0].isdigit() or value[0].low[0] in "$€£+-")
    is_list = is_amount or any(token.low in _OF_LISTS for token in rest)
    if len(value) > _MAX_VALUE or is_list or any("'" in token.low for token in value):
        return ()
    return value


def _end_of_value(rest: Tokens) -> int:
    return place_of(rest, PREPOSITIONS | {",", "(", "instead"})


def parse_open_relation(at: Predicate) -> list[Claim]:
    """The one claim of a clause that says where something is, or who sees to it; none of any other."""
    if at.group.negated or at.group.is_past or not at.subject or not at.is_told_now:
        return []
    if not lasts(at.tokens) or any(token.low in _NOT_PLAIN for token in at.tokens):
        return []
    first = low_at(at.rest, 0)
    lemma, letters = forms().get(first, ("", ""))
    if at.group.lemma == "be":
        return _passive(at, lemma) if "n" in letters else _being(at)
    if at.group.lemma == "take" and first == "place":
        return _placed(at, at.rest[1:])
    if at.group.lemma in _WORDS["staying"]:
        return _placed(at, at.rest)
    if at.group.lemma in _WORDS["tending"] and first in DEFINITE and _is_named(at.subject):
        end = _end_of_phrase(at.rest, 0)
        is_event = any(token.low in _WORDS["events"] for token in at.rest[:end])
        return [] if is_event else _related(at, f"by {at.group.lemma}", at.rest[:end], at.subject, at.rest[end:])
    return []


def _being(at: Predicate) -> list[Claim]:
    """Read "the printer is in Room 5", "Ann is from Cork", "Ann is responsible for the printer"."""
    first = low_at(at.rest, 0)
    is_thing = at.subject[-1].text[0].islower() and at.subject[-1].low != USER
    is_known = first in _WORDS["places"] and at.subject[0].low in (*DEFINITE, USER, "user's")
    if is_thing and is_known and _is_marked(at.rest[1:3]):
        return _placed(at, at.rest)
    if first == "from" and (at.frame.correction or _is_named(at.rest[1:])):
        return _related(at, "from", at.subject, at.rest[1:], ())
    lows = [token.low for token in at.rest[:3]]
    start = 2 if lows[:2] == ["responsible", "for"] else 3 if lows == ["in", "charge", "of"] else 0
    return _related(at, "responsible", at.rest[start:], at.subject, ()) if start and _is_named(at.subject) else []


def _passive(at: Predicate, lemma: str) -> list[Claim]:
    """Read "is kept in the cellar", "is looked after by Ann", "is heated with gas"."""
    rest = at.rest[1:]
    if lemma in _WORDS["kept"] and low_at(rest, 0) in _WORDS["places"]:
        return _placed(at, rest)
    start = 1 + (low_at(rest, 0) == "after")
    mark = low_at(rest, start - 1)
    is_agent = mark == "by" and lemma in _WORDS["tending"]
    is_agent = is_agent and (low_at(rest, start) in (*DEFINITE, USER) or _is_named(rest[start : start + 1]))
    is_means = mark in _WORDS["means"] and lemma in _WORDS["by_means"]
    if not (is_agent or is_means):
        return []
    end = _end_of_phrase(rest, start)
    return _related(at, f"{'by' if is_agent else 'with'} {lemma}", at.subject, rest[start:end], rest[end:])


def _placed(at: Predicate, rest: Tokens) -> list[Claim]:
    if low_at(rest, 0) not in _WORDS["places"]:
        return []
    start = 1 + (low_at(rest, 0) == "next" and low_at(rest, 1) == "to")
    end = _end_of_phrase(rest, start)
    told = rest[start:end]
    is_place = low_at(told, 0) in (*DEFINITE, "a", "an") or _is_marked(told)
    if not is_place or any(token.low in _WORDS["no_places"] for token in told):
        return []
    if len(told) == 1 and parse_term(told, 0, _LANGUAGE):
        return []  # "in English"
    return _related(at, "place", at.subject, told, rest[end:])


def _end_of_phrase(tokens: Tokens, index: int) -> int:
    return end_of_phrase(tokens, index, (",", "(", "and", "instead", "now"))


def _is_marked(tokens: Tokens) -> bool:
    """Whether a place has a name or a number."""
    return any(token.text[0].isupper() or token.low[0].isdigit() for token in tokens)


def _is_named(tokens: Tokens) -> bool:
    return bool(tokens) and (tokens[0].text[0].isupper() or tokens[-1].text[0].isupper())


def _is_when(token: Token) -> bool:
    low = token.low
    return low in CALENDAR or low in PERIODS or (low[0].isdigit() and (":" in low or low.endswith(("am", "pm"))))


def _related(at: Predicate, slot: str, holder: Tokens, told: Tokens, around: Tokens) -> list[Claim]:
    """`holder` has `told` in `slot`; the rest of the clause makes it another matter."""
    if not told or any(_is_when(token) for token in told) or told[0].low in INDEFINITE or told[0].low in PRONOUNS:
        return []
    if any(token.low == "old" for token in (*holder, *at.subject)) or not holder or holder[0].low in INDEFINITE:
        return []
    if (len(told) == 1 and told[0].low.isdecimal()) or (around and around[0].low not in _AROUND):
        return []  # an hour or a year
    me = at.frame.me
    beside = words_of(without_when(up_to(around, ("since", "because", ","))), me)
    subject, words = words_of(holder, me), words_of(told, me)
    if not subject or not words or beside is None or len(words) > _MAX_WORDS:
        return []
    return _claim(at, slot, [*subject, *beside], told, words)
