"""Read what a thing is, and where, of which no table knows the values (C-40, C-41).

"User's bank is Sparkasse", "the course is held in Hall B": two such values exclude each other only where the newer text
says that it has changed ("it's DKB now") or corrects the older one. Only verbs are read of which a thing has one place
at a time: a shop may sell in two towns, but a course is held in one room.
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
from ...language.token import low_at, text_of
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
_OF_LISTS: Final = CONJUNCTIONS | ADDITIVE | {"only"}
_NOT_PLAIN: Final = _OF_LISTS | PAST_WORDS | {"both", "not"}
_AROUND: Final = PREPOSITIONS | NEUTRAL | {","}
_LANGUAGE: Final = frozenset(("human language",))
_HAPPENS: Final = ("take", "place")
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


def parse_open_place(at: Predicate) -> list[Claim]:
    """The one claim of "the printer is in Room 5", "the course is held in the barn"; none of any other clause."""
    group, rest, first = at.group, at.rest, low_at(at.rest, 0)
    if group.negated or group.is_past or not at.subject or not at.is_told_now or not lasts(at.tokens):
        return []
    lemma, letters = forms().get(first, ("", ""))
    is_kept = "n" in letters and lemma in _WORDS["kept"] if group.lemma == "be" else (group.lemma, first) == _HAPPENS
    is_thing = at.subject[-1].text[0].islower() and at.subject[0].low in (*DEFINITE, "user's")
    is_there = group.lemma == "be" and is_thing and at.subject[-1].low != USER and _is_marked(rest[1:3])
    rest = rest[is_kept:]
    told = rest[1 : end_of_phrase(rest, 1, (",", "(", "and", "instead", "now"))]
    if not (is_kept or is_there or group.lemma in _WORDS["staying"]) or low_at(rest, 0) not in _WORDS["places"]:
        return []
    around, lows = rest[1 + len(told) :], [token.low for token in told]
    is_place = bool(lows) and (lows[0] in (*DEFINITE, "a", "an") or _is_marked(told))
    is_place = is_place and _WORDS["no_places"].isdisjoint(lows) and lows[0] not in PRONOUNS
    is_when = any(low in CALENDAR or low in PERIODS or ":" in low or low.endswith(("am", "pm")) for low in lows)
    is_more = bool(around) and around[0].low not in _AROUND
    is_alone = len(told) == 1 and (lows[0].isdecimal() or parse_term(told, 0, _LANGUAGE) is not None)  # "in English"
    is_plain = not any(token.low in _NOT_PLAIN or token.low == "old" for token in at.tokens)
    if not is_place or is_when or is_more or is_alone or not is_plain or at.subject[0].low in INDEFINITE:
        return []
    beside = words_of(without_when(up_to(around, ("since", "because", ","))), at.frame.me)
    subject, words = words_of(at.subject, at.frame.me), words_of(told, at.frame.me)
    if not subject or not words or beside is None or len(words) > _MAX_WORDS:
        return []
    return _claim(at, "place", [*subject, *beside], told, words)


def _is_marked(tokens: Tokens) -> bool:
    """Whether a place has a name or a number."""
    return any(token.text[0].isupper() or token.low[0].isdigit() for token in tokens)
