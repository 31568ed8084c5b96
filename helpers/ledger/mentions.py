"""What a memory says, sentence by sentence and piece by piece, and whether a text mentions it (T-03). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, keys_of, parse_date, parse_tokens, words_of
from ..language.modality import Modality
from ..language.modality import accepts as accepts_modality
from ..language.sentences import LONGEST_TEXT, split_sentences
from ..language.vocabulary import PEOPLE, WORDS
from ..language.wordings import read_patterns
from ..patterns import regex
from .clause_contents import are_forms, has_date, has_name
from .spoken_values import SpokenValue, find_spoken, is_among

_SAID: Final = read_patterns("utterances")
#: What a piece weighs: a name or a number; a word; a word that says little.
HARD, SOFT, LIGHT = 2.0, 1.0, 0.3

#: Forms of one word begin with so many letters that are the same.
_HEAD: Final = 4

#: General words of summaries: one in place of another changes nothing.
GENERAL_KEYS: Final = keys_of(WORDS["general"])
#: Verbs that a summary supplies: who prefers, wants or needs something has often just said it.
LIGHT_KEYS: Final = GENERAL_KEYS | keys_of(WORDS["light"])
_TITLE_KEYS: Final = keys_of(WORDS["titles"])
_LITTLE_KEYS: Final = LIGHT_KEYS | _TITLE_KEYS
# A memory of more sentences is a document, not a statement.
_MOST_SENTENCES = 100
_OWNER = regex(r"\b(?:the\s+)?user(?:'s|\u2019s)", re.IGNORECASE)
_USER = regex(r"\b(?:the\s+)?user\b", re.IGNORECASE)
_THIRD_PERSON = WORDS["third_person"]
PEOPLE_KEYS = keys_of(PEOPLE)
NAME_KEYS = keys_of(("name",))


class MemorySentence(NamedTuple):
    """One sentence of a memory and its meaningful words."""

    text: str
    words: frozenset[str]

    def accepts_modality(self, modality: Modality) -> bool:
        """Whether what is said with `modality` can be what this sentence reports."""
        return modality is Modality.FACT or accepts_modality(self.text, modality)

    def may_be_about(self, somebody: str) -> bool:
        """Whether it can speak of `somebody`: not, if its subject is the person and nobody else is named."""
        subject = _SAID["about_user"].match(self.text)
        if not somebody or subject is None or not keys_of((somebody,)).isdisjoint(self.words):
            return True
        return somebody in _THIRD_PERSON and subject["own"] is not None


def is_about_user(text: str) -> bool:
    """Whether the subject of a memory is the person: not "User's son", nor "the server"."""
    match = _SAID["about_user"].match(text)
    return match is not None and match["own"] is None


def in_first_person(text: str) -> str:
    """Return what the person would have said: "User's son skis" is "My son skis"."""
    return _USER.sub("I", _OWNER.sub("My", text))


@lru_cache(maxsize=2_048)
def parse_words(text: str) -> frozenset[str]:
    """Return every word of an utterance, whatever saying it does."""
    return frozenset().union(*(words_of(parse_tokens(sentence)) for sentence in split_sentences(text)))


def parse_memory_text(text: str) -> list[MemorySentence]:
    """Return the sentences of a memory that say something; none of a text that is too long to be read whole."""
    sentences = split_sentences(text)
    if len(text) > LONGEST_TEXT or len(sentences) > _MOST_SENTENCES:
        return []
    read = [words_of(parse_tokens(sentence)) for sentence in sentences]
    words = read[0] if len(read) == 1 else frozenset().union(*read)
    meaningful = words - FRAME_KEYS
    if not _SAID["english"].search(text):
        meaningful = frozenset(word for word in meaningful if len(word) > 3 or not word.islower())
    meaningful = meaningful if len(meaningful) > 1 else words
    return [
        MemorySentence(one, found) for one, said in zip(sentences, read, strict=True) if (found := said & meaningful)
    ]


class Item(NamedTuple):
    """A piece of what a memory says: a word, a name as it is looked for, or a number; and how much it weighs.

    It `is_aside` where the memory itself sets it aside ("not 8080"), and `is_denied` where it denies it.
    """

    text: str
    weight: float
    keys: frozenset[str] = frozenset()
    name: str = ""
    number: SpokenValue | None = None
    is_aside: bool = False
    is_denied: bool = False

    @property
    def is_hard(self) -> bool:
        """Whether it is a name or a number, which nobody may have supplied but the author."""
        return self.weight == HARD


class Mentions:
    """The words, the spellings and the values of some texts, each read when it is asked for: most never are."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    @cached_property
    def words(self) -> frozenset[str]:
        """The keys of the words."""
        return frozenset().union(*[parse_words(text) for text in self.texts])

    @cached_property
    def values(self) -> tuple[SpokenValue, ...]:
        """The numbers, times and days, in order."""
        return tuple([value for text in self.texts for value in find_spoken(text)])

    def has(self, item: Item) -> bool:
        """Whether `item` is mentioned, in whatever spelling."""
        if item.number is not None:
            return is_among(item.number, self.values)
        if parse_date(item.name):
            return any([has_date(item.name, text) for text in self.texts])
        if item.name:
            return has_name(item.name, self.words, self._forms)
        return bool(item.keys) and (item.keys <= self.words or all(map(self.knows, item.keys)))

    def knows(self, key: str) -> bool:
        """Whether a word is mentioned in some form."""
        if key in self.words:
            return True
        alike = self._by_head.get(key[:_HEAD])
        return alike is not None and any([are_forms(one, key) for one in alike])

    @cached_property
    def _forms(self) -> frozenset[str]:
        return frozenset().union(*[_parse_forms(text) for text in self.texts])

    @cached_property
    def _by_head(self) -> dict[str, list[str]]:
        """The words by how they begin."""
        found: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) >= _HEAD:
                found.setdefault(word[:_HEAD], []).append(word)
        return found


@lru_cache(maxsize=2_048)
def parse_items(sentence: str) -> tuple[Item, ...]:
    """Return what a sentence of a memory says, values first; a name that opens it counts as a word."""
    values = [value for value in find_spoken(sentence) if not parse_date(value.text)]
    found = [Item(value.text, SOFT if value.is_written else HARD, number=value) for value in values]
    spelled = {word.casefold() for value in values for word in value.text.split()}
    is_after_number = False
    for position, token in enumerate(parse_tokens(sentence)):
        keys = frozenset(token.keys) - FRAME_KEYS
        if parse_date(token.low):
            found.append(Item(token.low, HARD, keys, token.low))
            continue
        is_value = token.low[0].isdecimal() or token.low in spelled or (bool(token.unit) and is_after_number)
        if keys and not is_value:
            if (token.is_identifier or (token.is_name and position > 0)) and not keys <= _TITLE_KEYS:
                found.append(Item(token.low, HARD, keys, token.forms[-1]))
            else:
                found.append(Item(token.low, LIGHT if keys <= _LITTLE_KEYS else SOFT, keys))
        is_after_number = bool(token.number)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4_096)
def parse_mentions(text: str) -> Mentions:
    """Return everything that a text mentions."""
    return Mentions(text)


def join(mentions: Iterable[Mentions]) -> Mentions:
    """Return what several texts mention together."""
    return Mentions(*[text for mention in mentions for text in mention.texts])


@lru_cache(maxsize=4_096)
def _parse_forms(text: str) -> frozenset[str]:
    tokens = [token for sentence in split_sentences(text) for token in parse_tokens(sentence)]
    # "node 2" is also "node-2".
    joined = [one.low + two.number for one, two in pairwise(tokens) if two.number and one.low.isalpha()]
    return frozenset([form for token in tokens for form in token.forms] + joined)


def find_places(item: Item, text: str) -> tuple[tuple[int, int], ...]:
    """Return where the text has `item` as a word of its own."""
    return _find_places(item.text, text)


@lru_cache(maxsize=4_096)
def _find_places(word: str, text: str) -> tuple[tuple[int, int], ...]:
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return (found.span(),) if found else ()


def are_rivals(one: Item, other: Item) -> bool:
    """Whether two may be two values of one thing: numbers of a kind, or names."""
    if one.number is not None and other.number is not None:
        return one.number.is_rival(other.number)
    return bool(one.name and other.name)


def keys_in(items: Iterable[Item]) -> frozenset[str]:
    """Return the keys of some items, those of numbers as well."""
    return frozenset().union(*(item.keys | words_of(parse_tokens(item.text)) for item in items))
