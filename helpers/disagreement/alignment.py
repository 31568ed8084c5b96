"""Which words two texts have in common, and which stand in one of them only (C-40). Pure.

Words are equal by their keys: a form of a word, another word of one meaning, another spelling of a number. What is left
over on either side is what the texts differ in; a swap is what stands in the place of what.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from ..language.keys import KeyedToken, parse_tokens
from ..language.lexicon import FIRST_PERSON, NEUTRAL, POSSESSIVES, PREPOSITIONS, PRONOUNS
from ..language.numerals import MONTH_NUMBERS, SHORT_NAMES, WEEKDAY_NUMBERS
from ..language.terms import terms
from ..language.verbs import forms
from ..language.vocabulary import AUXILIARY_FORMS, DENIERS, SUBJECT_WORDS
from ..language.words import STOPWORDS


class WordKind(StrEnum):
    """What a word is: it tells which words can take each other's place."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    VERB = "verb"
    PLAIN = "plain"


class AlignedWord(NamedTuple):
    """A word that carries meaning: as compared, as written in lower case, its kind, its place among the tokens.

    `unit` is what a number counts, where it or the next token says so.
    """

    key: str
    low: str
    kind: WordKind
    place: int
    unit: str = ""


class Reading(NamedTuple):
    """A text as it is aligned: its tokens in lower case, and the words among them that carry meaning."""

    lows: tuple[str, ...]
    words: tuple[AlignedWord, ...]


Words = tuple[AlignedWord, ...]


class AlignedText(NamedTuple):
    """One text of an alignment: the words that the other has as well, and those that it has alone."""

    reading: Reading
    shared: Words
    alone: Words


class Alignment(NamedTuple):
    """Two texts, and the runs of words that stand in each other's place."""

    older: AlignedText
    newer: AlignedText
    swaps: tuple[tuple[Words, Words], ...]


#: What the tokens leave of "user's" and "don't" says no more than grammar does.
_LEFT_OVERS: Final = frozenset(("user", "users", "s", "t"))
_GRAMMAR: Final = (
    *(STOPWORDS, PREPOSITIONS, AUXILIARY_FORMS, PRONOUNS, SUBJECT_WORDS, DENIERS, NEUTRAL),
    *(FIRST_PERSON, POSSESSIVES, _LEFT_OVERS),
)
_NO_MEANING: Final = frozenset().union(*_GRAMMAR)
_CALENDAR: Final = frozenset(MONTH_NUMBERS) | frozenset(WEEKDAY_NUMBERS) | frozenset(SHORT_NAMES)


def align(older: str, newer: str) -> Alignment:
    """Pair equal words of two texts in their order; a word for which the other text has none left stands alone."""
    before, after = _read(older), _read(newer)
    waiting: dict[str, list[AlignedWord]] = {}
    for one in reversed(after.words):
        waiting.setdefault(one.key, []).append(one)
    pairs = [(one, waiting[one.key].pop()) for one in before.words if waiting.get(one.key)]
    older_side, newer_side = (
        _side(reading, {pair[place].place for pair in pairs}) for place, reading in enumerate((before, after))
    )
    return Alignment(older_side, newer_side, _swaps(before.words, after.words))


def spelled(words: Sequence[AlignedWord]) -> str:
    """Return words as a text."""
    return " ".join(one.low for one in words)


@lru_cache(maxsize=2_048)
def _read(text: str) -> Reading:
    tokens = parse_tokens(text)
    words = tuple(_word(tokens, place) for place, token in enumerate(tokens) if _has_meaning(token))
    return Reading(tuple(token.low for token in tokens), words)


def _has_meaning(token: KeyedToken) -> bool:
    return token.is_name or token.is_identifier or bool(token.number) or token.low not in _NO_MEANING


def _word(tokens: Sequence[KeyedToken], place: int) -> AlignedWord:
    token = tokens[place]
    key = token.number or (token.keys[-1] if token.keys else token.low)
    unit = token.unit or (tokens[place + 1].unit if token.number and place + 1 < len(tokens) else "")
    return AlignedWord(key, token.low, _kind(token, is_first=not place), place, unit)


def _kind(token: KeyedToken, *, is_first: bool) -> WordKind:
    if token.low in _CALENDAR and (token.is_name or token.low != "may"):
        return WordKind.DATE
    if token.number or token.low[:1].isdigit():
        return WordKind.NUMBER
    if token.is_identifier or (token.low,) in terms() or (token.is_name and not is_first):
        return WordKind.NAME
    return WordKind.VERB if token.low in forms() else WordKind.PLAIN


def _side(reading: Reading, places: set[int]) -> AlignedText:
    shared = tuple(one for one in reading.words if one.place in places)
    return AlignedText(reading, shared, tuple(one for one in reading.words if one.place not in places))


def _swaps(older: Words, newer: Words) -> tuple[tuple[Words, Words], ...]:
    matcher = SequenceMatcher(None, [one.key for one in older], [one.key for one in newer], autojunk=False)
    return tuple((older[a:b], newer[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag == "replace")
