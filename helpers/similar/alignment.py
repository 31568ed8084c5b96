"""Align two texts word by word: what they have in common, and what each has alone. Pure.

Words are equal by their keys: a form of a word, another word of one meaning, another spelling of a number. The words
left over on either side are the difference; a swap is a pair of runs of words that take each other's place. Whether the
texts are a contradiction, a copy or neither is decided elsewhere, by the numbers that `features` takes from this.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ..language.keys import KeyedToken, parse_tokens
from ..language.lexicon import ARTICLES, FIRST_PERSON, NEUTRAL, POSSESSIVES, PREPOSITIONS, PRONOUNS, terms
from ..language.numerals import MONTH_NUMBERS, NUMBER_WORDS, SHORT_NAMES, WEEKDAY_NUMBERS
from ..language.tables import read_table, word_sets
from ..language.verbs import MODALS, is_verb
from ..language.vocabulary import AUXILIARY_FORMS, CHANGED, DENIERS, SUBJECT_WORDS
from ..language.words import STOPWORDS
from ..texts import regex

#: The most characters of a text that are read.
LONGEST_TEXT: Final = 4_000
_CALENDAR: Final = frozenset(MONTH_NUMBERS) | frozenset(WEEKDAY_NUMBERS) | frozenset(SHORT_NAMES)
#: Forms of one word share at least so many letters at their beginning.
_HEAD: Final = 5
_FEWEST_LETTERS: Final = 4
_JOINTS: Final = regex(r"[\W_]+")
#: The number or the mark in front of an item of a list.
_ITEM: Final = regex(r"^\s*(?:[-*•#>|]+\s*)?(?:\d{1,2}[.)]\s+)?", re.MULTILINE)
_PARTS: Final = {"half": 30, "quarter": 15} | NUMBER_WORDS
_HOUR: Final = rf"\d\d?|{'|'.join(word for word, number in NUMBER_WORDS.items() if 0 < number <= 12)}"
#: A time in words or by its hour alone, and a number of thousands.
_WRITTEN: Final = regex(
    rf"(?<![\w:.,/])(?:(?P<part>half|quarter|five|ten|twenty) (?P<side>past|to) )?(?P<hour>{_HOUR})"
    r"(?: o'clock| uhr| ?h)?\b(?![:.,]\d| ?[%€$]| (?!in|at|on|and|to|each|every)\w)"
    r"|\b(?P<large>\d{1,3}(?:k|(?:[.,]\d{3})+))\b",
    re.IGNORECASE,
)
_LATE: Final = regex(r"evening|afternoon|night|abend|nachmittag|tarde|noche|noite|soir|sera\b")
_FIGURES: Final = regex(r"(?<![\w:.,])\d[\d:.,]*k?(?<![.,:])(?!\w)")
_WORDS: Final = word_sets(read_table(__file__, "alignment")["words"])
#: The words of change that are one word and mean nothing else.
CHANGE_WORDS: Final = frozenset(word for word in CHANGED.split() if word.isalpha()) - _WORDS["no_change"]
#: Words that a text can leave out and still say the same.
FILLERS: Final = CHANGE_WORDS | NEUTRAL | ARTICLES
_GRAMMAR: Final = (
    *(STOPWORDS, PREPOSITIONS, AUXILIARY_FORMS, PRONOUNS, SUBJECT_WORDS, DENIERS, NEUTRAL),
    *(FIRST_PERSON, POSSESSIVES, _WORDS["left_overs"]),
)
_NO_MEANING: Final = frozenset().union(*_GRAMMAR)
_MARKS: Final = PREPOSITIONS | DENIERS | MODALS | _WORDS["marks"]


class WordKind(StrEnum):
    """The kind of a word: words of one kind can take each other's place."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    CODE = "code"
    VERB = "verb"
    PLAIN = "plain"


class AlignedWord(NamedTuple):
    """A word that carries meaning: as compared, as written in lower case, its kind, its place among the tokens.

    `unit` is what a number counts, where it or the next token says so; `marks` are the words of grammar in front of it
    that say how it belongs to the others: prepositions, denials, modals, a possessive.
    """

    key: str
    low: str
    kind: WordKind
    place: int
    unit: str = ""
    marks: tuple[str, ...] = ()


class Reading(NamedTuple):
    """A text as it is aligned: its tokens in lower case, the words among them that carry meaning, its letters."""

    lows: tuple[str, ...]
    words: tuple[AlignedWord, ...]
    keys: frozenset[str]
    letters: str


Words = tuple[AlignedWord, ...]


class AlignedText(NamedTuple):
    """One text of an alignment: the words that it shares with the other, and those that it has alone.

    `alike` are those of `alone` that are spelled like a word of the other text: another derivation, or a part of it.
    """

    reading: Reading
    shared: Words
    alone: Words
    alike: Words


@dataclass(frozen=True)
class Alignment:
    """Two texts, the pairs of their equal words, and the runs of words that stand in each other's place."""

    older: AlignedText
    newer: AlignedText
    pairs: tuple[tuple[AlignedWord, AlignedWord], ...]

    @cached_property
    def swaps(self) -> tuple[tuple[Words, Words], ...]:
        """The pairs of runs of words that take each other's place; lazy, because many pairs are judged without them."""
        before, after = self.older.reading.words, self.newer.reading.words
        return tuple((before[a:b], after[c:d]) for tag, a, b, c, d in self._matcher.get_opcodes() if tag == "replace")

    @property
    def in_order(self) -> int:
        """The number of equal words in the same order."""
        return sum(block.size for block in self._matcher.get_matching_blocks())

    @cached_property
    def _matcher(self) -> SequenceMatcher[str]:
        before, after = ([word.key for word in side.reading.words] for side in (self.older, self.newer))
        return SequenceMatcher(None, before, after, autojunk=False)


def align(older: str, newer: str) -> Alignment:
    """Return two texts with their equal words paired in order; a word without a partner stands alone."""
    before, after = read(older), read(newer)
    waiting: dict[str, list[AlignedWord]] = {}
    for word in reversed(after.words):
        waiting.setdefault(word.key, []).append(word)
    pairs = tuple((word, waiting[word.key].pop()) for word in before.words if waiting.get(word.key))
    older_side, newer_side = (
        _side(reading, {pair[place].place for pair in pairs}, other)
        for place, (reading, other) in enumerate(((before, after), (after, before)))
    )
    return Alignment(older_side, newer_side, pairs)


def spelled(words: Iterable[AlignedWord]) -> str:
    """Return words as a text."""
    return " ".join(word.low for word in words)


@lru_cache(maxsize=8_192)
def read(text: str) -> Reading:
    """Return the words of a text by which it is aligned."""
    text = _ITEM.sub("", text[:LONGEST_TEXT])
    tokens = parse_tokens(text)
    words: list[AlignedWord] = []
    marks: list[str] = []
    for place, token in enumerate(tokens):
        if _has_meaning(token):
            words.append(_word(tokens, place, tuple(marks)))
            marks.clear()
        elif token.low in _MARKS:
            marks.append(token.low)
    lows = tuple(token.low for token in tokens)
    keys = frozenset(word.key for word in words)
    return Reading(lows, tuple(words), keys, _JOINTS.sub("", text.casefold()))


def write_alike(text: str, other: str) -> tuple[str, str]:
    """Return two texts with times and thousands in the same figures: "half past seven" as 7:30, or 19:30 at night."""
    return (text := _write_like(text, other)), _write_like(other, text)


def _write_like(text: str, other: str) -> str:
    known, later = frozenset(_FIGURES.findall(other.casefold())), 720 if _LATE.search(text.casefold()) else 0
    return _WRITTEN.sub(lambda match: next((form for form in _forms(match, later) if form in known), match[0]), text)


def _forms(match: re.Match[str], later: int) -> Iterator[str]:
    if large := (match["large"] or "").casefold().replace("k", "000"):
        digits = re.sub(r"\D", "", large)
        yield from (digits, f"{int(digits):,}", f"{int(digits):,}".replace(",", "."), f"{digits.removesuffix('000')}k")
        return
    hour, part = match["hour"].casefold(), _PARTS.get((match["part"] or "").casefold(), 0)
    time = 60 * int(NUMBER_WORDS.get(hour, hour)) + (-part if match["side"] == "to" else part)
    time += later if 240 <= time < 720 else 0
    yield from (f"{time // 60}:{time % 60:02}", f"{time // 60:02}:{time % 60:02}")


def _has_meaning(token: KeyedToken) -> bool:
    return token.is_name or token.is_identifier or bool(token.number) or token.low not in _NO_MEANING


def _word(tokens: Sequence[KeyedToken], place: int, marks: tuple[str, ...]) -> AlignedWord:
    token = tokens[place]
    key = token.number or (token.keys[-1] if token.keys and not token.low[0].isdigit() else token.low)
    unit = token.unit or (tokens[place + 1].unit if token.number and place + 1 < len(tokens) else "")
    return AlignedWord(key, token.low, _kind(token, is_first=not place), place, unit, marks)


def _kind(token: KeyedToken, *, is_first: bool) -> WordKind:
    if token.low in _CALENDAR and (token.is_name or token.low != "may"):
        return WordKind.DATE
    if token.number or token.low[:1].isdigit():
        return WordKind.NUMBER
    if token.is_identifier:
        return WordKind.CODE
    if (token.low,) in terms() or (token.is_name and not is_first):
        return WordKind.NAME
    return WordKind.VERB if is_verb(token.low) else WordKind.PLAIN


def _side(reading: Reading, places: set[int], other: Reading) -> AlignedText:
    shared = tuple(word for word in reading.words if word.place in places)
    alone = tuple(word for word in reading.words if word.place not in places)
    heads = {key[:_HEAD] for key in other.keys if key.isalpha()} if alone else set()
    alike = tuple(word for word in alone if _is_alike(word, other, heads))
    return AlignedText(reading, shared, alone, alike)


def _is_alike(word: AlignedWord, other: Reading, heads: Collection[str]) -> bool:
    """Whether the other text says a word once more, in another form, or by its parts: "/srv/app" is "srv", "app"."""
    if word.kind is WordKind.NUMBER or len(word.low) < _FEWEST_LETTERS:
        pieces = [piece for piece in _JOINTS.split(word.low) if piece]
        return len(pieces) > 1 and other.keys.issuperset(pieces)
    if word.key in other.keys or (word.key.isalpha() and word.key[:_HEAD] in heads):
        return True
    return all(piece in other.letters for piece in _JOINTS.split(word.low))


def may_share_most(text: str, other: str) -> bool:
    """Whether the shorter of two texts may have most of its words in the other: a quick look before an alignment."""
    keys, others = read(text).keys, read(other).keys
    return 2 * len(keys & others) >= min(len(keys), len(others))
