"""The mentions of a text, sentence by sentence and clause by clause, and whether another text has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, KeyedToken, is_same_word, keys_of, parse_date, parse_tokens, words_of
from ..language.sentences import split_sentences
from ..language.vocabulary import (
    CONTRASTS,
    DENIERS,
    HUMAN_VERBS,
    JOINERS,
    NAME_ENDINGS,
    PEOPLE,
    REVERSERS,
    WORDS,
    read_patterns,
)
from ..language.words import shared_head
from ..texts import regex
from .spoken_values import SpokenValue, find_spoken, is_among

_SAID: Final = read_patterns("utterances")
_ASIDES: Final = tuple(read_patterns("rejected").values())
_YEAR: Final = regex(r"\b(?:19|20)\d\d\b")
_NUMBER: Final = regex(r"\d[\w.,:]*")
#: Forms of one word share at least so many letters at their beginning.
_HEAD: Final = 4
_NUMBER_FOLLOWS: Final = regex(r"\s*(?:to|into|auf|a|by|with)\s+v?\d")
_NO_SPACES_DENIAL: Final = regex("(?<![少危切])ない|ません|なかった|不(?![同错過过])|没|沒|않|없|못")
#: The weights of items: a name or a number; a word; a word that says little.
HARD, SOFT, LIGHT = 2.0, 1.0, 0.3
#: General words of summaries, any of which may stand for another.
GENERAL_KEYS: Final = keys_of(WORDS["general"])
#: Verbs that a summary supplies: who prefers, wants or needs something has often just said it.
LIGHT_KEYS: Final = GENERAL_KEYS | keys_of(WORDS["light"])
_TITLE_KEYS: Final = keys_of(WORDS["titles"])
_LITTLE_KEYS: Final = LIGHT_KEYS | _TITLE_KEYS
_OWNER = regex(r"\b(?:the\s+)?user(?:'s|\u2019s)", re.IGNORECASE)
_USER = regex(r"\b(?:the\s+)?user\b", re.IGNORECASE)
PEOPLE_KEYS = keys_of(PEOPLE)
NAME_KEYS = keys_of(("name",))


class ClauseContents(NamedTuple):
    """The keys of the words of a clause, as a set and in order, and which of them it affirms and denies.

    `is_elliptical`: it denies of its subject what was said just before ("the oral isn't").
    """

    words: frozenset[str]
    keys: tuple[str, ...]
    affirmed: frozenset[str]
    denied: frozenset[str]
    is_negated: bool
    is_elliptical: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The keys in order, without those of words that a summary supplies."""
        return tuple([key for key in self.keys if key not in FRAME_KEYS])


@lru_cache(maxsize=2_048)
def parse_clause(text: str) -> ClauseContents:
    """Return what the clause `text` says; its apostrophes must be plain."""
    tokens = parse_tokens(text)
    keys = tuple([key for token in tokens for key in token.keys])
    is_elliptical = _SAID["ends_denied"].search(text) is not None
    return ClauseContents(frozenset(keys), keys, *_parse_polarity(text, tokens), is_elliptical)


def _parse_polarity(text: str, tokens: Sequence[KeyedToken]) -> tuple[frozenset[str], frozenset[str], bool]:
    """Return the keys that a clause affirms, those that it denies, and whether it denies something as a whole.

    Words before a denial ("Redis is not used") are neither affirmed nor denied.
    """
    if not text.isascii() and _NO_SPACES_DENIAL.search(text):
        return frozenset(), frozenset(), True
    before: set[str] = set()
    affirmed: set[str] = set()
    denied: set[str] = set()
    target, denies, is_negated, change = before, False, False, ""
    for position, token in enumerate(tokens):
        low, following = token.low, tokens[position + 1].low if position + 1 < len(tokens) else ""
        before_it = tokens[position - 1].low if position else ""
        is_passive, is_contracted = before_it in WORDS["passives"], low == "t" and before_it.endswith("n")  # "n't"
        if low not in REVERSERS:
            target.update(token.keys)
        if low in REVERSERS and (is_passive or (following and following not in WORDS["no_object"])):
            denies, is_negated, change = not denies, is_negated or is_passive, low
        elif (low in DENIERS or is_contracted) and following not in WORDS["no_denial"]:
            denies, is_negated = True, is_negated or low != "no"
        elif _sets_aside(low, following, change):
            denies = True
        elif denies and _ends(low, following, change, is_open=not is_negated and bool(denied)):
            denies = False
        else:
            change = low if low in WORDS["changes"] or low.startswith("prefer") else change
            continue
        target = denied if denies else affirmed
    return frozenset(affirmed if is_negated else affirmed | before), frozenset(denied), is_negated


def _sets_aside(low: str, following: str, change: str) -> bool:
    """Whether the words that follow name what does not hold: "instead of X", "rather than X"."""
    if low == "than":
        return not following[:1].isdigit()
    if low == "over":
        return change.startswith("prefer")
    return (
        low in WORDS["setters_aside"]
        or (low == "instead" and following == "of")
        or (low == "from" and change in WORDS["changes"])
    )


def _ends(low: str, following: str, change: str, *, is_open: bool) -> bool:
    """Whether a denial ends at a word: at what replaces X, at a new verb after "and", or at a new subject.

    `is_open`: X has been set aside, and the rest of the clause denies nothing.
    """
    if low in JOINERS:
        return following in WORDS["restarts"] or following in HUMAN_VERBS
    if change in WORDS["changes"] or change.startswith("replac"):
        return low in WORDS["arrivals"]
    return low in WORDS["subjects"] and is_open


def has_name(name: str, words: frozenset[str], forms: frozenset[str]) -> bool:
    """Whether a text with these keys `words` and spellings `forms` has `name`, in the same or another spelling."""
    if name in forms or not (name.isascii() and name.isalpha()):
        return name in forms
    if is_same_word(name, words):
        return True
    alike = [(form, shared_head(name, form)) for form in forms if form.startswith(name[:_HEAD])]
    return any([head >= _HEAD and {name[head:], form[head:]} <= NAME_ENDINGS for form, head in alike])


def has_date(name: str, text: str) -> bool:
    """Whether the ISO date `name` stands in `text`, with its year or without: "3 June", "June 3rd"."""
    year, month, day = parse_date(name) or ("", "", "")
    number, short = rf"\b0?{day}(?:st|nd|rd|th)?", rf"{month[:3]}\w*"
    match = re.search(rf"{number} (?:of )?{short}|{short} {number}\b|{re.escape(name)}", text, re.IGNORECASE)
    return match is not None and set(_YEAR.findall(text)) <= {year}


def are_forms(key: str, other: str) -> bool:
    """Whether two keys look like forms of one word: "wohnt" and "wohne", "mag" and "magazi", "일한다" and "일해요"."""
    head = shared_head(key, other)
    if not key.isascii():
        return head > 0
    shorter, longer = sorted((len(key), len(other)))
    return (head >= 3 and head == shorter) or (head >= 4 and longer - head <= 2)


@lru_cache(maxsize=2_048)
def without_rejected(sentence: str) -> str:
    """Return `sentence` with blanks of the same length for what it names as not holding."""
    matches = [match for pattern in _ASIDES for match in pattern.finditer(sentence)]
    for begin, end in [span for match in matches for span in _rejected_spans(match)]:
        sentence = f"{sentence[:begin]}{' ' * (end - begin)}{sentence[end:]}"
    return sentence


def _rejected_spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return the span that is set aside; only its numbers if a bare number follows: "from Debian 11 to 12"."""
    begin, end = match.span("value")
    if not _NUMBER_FOLLOWS.match(match.string, end) or not _NUMBER.search(match["value"]):
        return [(begin, end)]
    return [(begin + number.start(), begin + number.end()) for number in _NUMBER.finditer(match["value"])]


def is_negative(text: str) -> bool:
    """Whether a text has a word of denial: "not", but not "not only"."""
    return any(_SAID["no_denial"].match(text, match.end()) is None for match in _SAID["denial"].finditer(text))


@lru_cache(maxsize=512)
def denies(text: str) -> bool:
    """Whether a text denies something: by a word of denial, an exception or a refusal."""
    return is_negative(text) or _SAID["exception"].search(text) is not None or _SAID["refusal"].search(text) is not None


_CONTRASTS: Final = [keys_of(group) for group in CONTRASTS]
#: The key of each word of a contrast -> the other keys of its groups.
CONTRARY: Final = {
    key: frozenset[str]().union(*[group for group in _CONTRASTS if key in group]) - {key}
    for key in frozenset[str]().union(*_CONTRASTS)
}


def are_contrary(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether `others` has a word of the same contrast as one of `words`: "staging", "production"."""
    return any(word in CONTRARY and not others.isdisjoint(CONTRARY[word]) for word in words - others)


def is_about_user(text: str) -> bool:
    """Whether the subject of a memory is the user: not "User's son", nor "the server"."""
    match = _SAID["about_user"].match(text)
    return match is not None and match["own"] is None


def in_first_person(text: str) -> str:
    """Return a memory in the user's own words: "User's son skis" is "My son skis"."""
    return _USER.sub("I", _OWNER.sub("My", text))


class Item(NamedTuple):
    """A word, a name or a number of a memory, with its weight; `name` is the spelling that it is looked up by.

    `is_aside`: the memory itself sets it aside ("not 8080"). `is_denied`: the memory denies it.
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
        """Whether it is a name or a number, which only the author of a statement can supply."""
        return self.weight == HARD

    @property
    def is_weighty(self) -> bool:
        """Whether it is more than a word that says little."""
        return self.weight >= SOFT


class Mentions:
    """The words, spellings and values that some texts mention, read lazily: most are never asked for."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    @cached_property
    def words(self) -> frozenset[str]:
        """The keys of all words, even of those that are asked for or denied."""
        sentences = [sentence for text in self.texts for sentence in split_sentences(text)]
        return frozenset().union(*[words_of(parse_tokens(sentence)) for sentence in sentences])

    @cached_property
    def values(self) -> tuple[SpokenValue, ...]:
        """All numbers, times and days, in order."""
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
        """Whether the word with this key is mentioned in some form."""
        head = key[:_HEAD]
        return key in self.words or any(
            [word[:_HEAD] == head and len(word) >= _HEAD and are_forms(word, key) for word in self.words]
        )

    @cached_property
    def _forms(self) -> frozenset[str]:
        return frozenset().union(*[_parse_forms(text) for text in self.texts])


@lru_cache(maxsize=2_048)
def parse_items(sentence: str) -> tuple[Item, ...]:
    """Return the items of a sentence of a memory, values first; a name that opens it counts as a word."""
    values = [value for value in find_spoken(sentence) if not parse_date(value.text)]
    items = [Item(value.text, SOFT if value.is_written else HARD, number=value) for value in values]
    spelled = {word.casefold() for value in values for word in value.text.split()}
    is_after_number = False
    for position, token in enumerate(parse_tokens(sentence)):
        keys = frozenset(token.keys) - FRAME_KEYS
        if parse_date(token.low):
            items.append(Item(token.low, HARD, keys, token.low))
            continue
        is_value = token.low[0].isdecimal() or token.low in spelled or (bool(token.unit) and is_after_number)
        if keys and not is_value:
            if (token.is_identifier or (token.is_name and position > 0)) and not keys <= _TITLE_KEYS:
                items.append(Item(token.low, HARD, keys, token.forms[-1]))
            else:
                items.append(Item(token.low, LIGHT if keys <= _LITTLE_KEYS else SOFT, keys))
        is_after_number = bool(token.number)
    return tuple(dict.fromkeys(items))


@lru_cache(maxsize=4_096)
def parse_mentions(text: str) -> Mentions:
    """Return what a text mentions; one object for each text, so that it is read once."""
    return Mentions(text)


def join(mentions: Iterable[Mentions]) -> Mentions:
    """Return what several texts mention, taken together."""
    return Mentions(*[text for mention in mentions for text in mention.texts])


@lru_cache(maxsize=4_096)
def _parse_forms(text: str) -> frozenset[str]:
    tokens = [token for sentence in split_sentences(text) for token in parse_tokens(sentence)]
    # "node 2" is also "node-2".
    joined = [token.low + number.number for token, number in pairwise(tokens) if number.number and token.low.isalpha()]
    return frozenset([form for token in tokens for form in token.forms] + joined)


@lru_cache(maxsize=4_096)
def find_places(word: str, text: str) -> tuple[tuple[int, int], ...]:
    """Return the span of the first place where `text` has `word` as a word of its own; empty if it has none."""
    match = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)
    return (match.span(),) if match else ()


def are_rivals(item: Item, other: Item) -> bool:
    """Whether two items may be two values of one thing: numbers of one kind, or names."""
    if item.number is not None and other.number is not None:
        return item.number.is_rival(other.number)
    return bool(item.name and other.name)


def keys_in(items: Iterable[Item]) -> frozenset[str]:
    """Return the keys of all words of some items, numbers included."""
    return frozenset().union(*(item.keys | words_of(parse_tokens(item.text)) for item in items))
