"""Pairs of values: which value of a newer memory may have taken the place of which value of an older one.

Two memories are laid beside each other: what both say, and what only one says, in phrases. A pair of values is named
together by the user, is of one kind, or stands in the same place of both sentences. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, KeyedToken, iter_tokens, keys_of, parse_tokens, words_of
from ..language.lexicon import DETERMINERS
from ..language.verbs import is_verb
from ..language.vocabulary import BEFORE_VALUES, WORDS
from .mentions import LIGHT, LIGHT_KEYS, SOFT, Item, Mentions, find_places, keys_in, parse_items, parse_mentions
from .passages import PREPOSITIONS, TIME_KEYS

#: The words of one value, in order.
Phrase = tuple[Item, ...]

#: At most so many characters stand between two words of one phrase: "oat-milk", "Los Olmos", "School of Arts".
_BETWEEN: Final = 4
#: Words that a summary may have or leave out.
_LITTLE_KEYS: Final = keys_of(WORDS["little"])
#: "Moved to" stands for "lives in" another place, so that verb counts as shared.
_LIVING: Final = keys_of(("live",))
_NO_HEAD: Final = PREPOSITIONS | {"including", "each", "every"}
_MOST_WORDS: Final = 3
#: Kinds of numbers that say when.
_WHEN: Final = frozenset(("number month", "number weekday", "number clock"))
BEFORE_NOUNS: Final = DETERMINERS | {"user", "s", "new"}
*_LITTLE_WORDS, _OTHER_LITTLE_WORDS = BEFORE_VALUES
_ANY_LITTLE_WORD: Final = _OTHER_LITTLE_WORDS.union(*_LITTLE_WORDS)


@dataclass(frozen=True, eq=False)
class Sides:
    """The items that two memories share (`kept`), those of the older one alone (`gone`), of the newer one (`come`)."""

    older: str
    newer: str
    kept: tuple[Item, ...]
    gone: tuple[Item, ...]
    come: tuple[Item, ...]

    @classmethod
    def of(cls, older: str, newer: str, heard: str = "") -> Sides:
        """Lay two memories beside each other; `heard` is the user's text, which shows how names are spelled."""
        before, after = _parse_side(older, heard), _parse_side(newer, heard)
        in_older, in_newer = parse_mentions(older), parse_mentions(newer)
        gone = tuple(item for item in before if not in_newer.has(item))
        kept = tuple(item for item in before if item not in gone)
        return cls(older, newer, kept, gone, tuple(item for item in after if not in_older.has(item)))

    @property
    def shared(self) -> float:
        """The weight of what they share."""
        return sum(SOFT if item.keys & _LIVING else item.weight for item in self.kept)

    @property
    def is_one_sentence(self) -> bool:
        """Whether they are the same sentence but for one phrase each."""
        return len(_phrases(self.gone, self.older)) == len(_phrases(self.come, self.newer)) == 1 and _order(
            self.older, self.gone
        ) == _order(self.newer, self.come)

    @cached_property
    def values(self) -> tuple[list[_Value], list[_Value]]:
        """The phrases that may be values, of the older and of the newer memory."""
        differ = frozenset[str]().union(*(item.keys for item in (*self.gone, *self.come)))
        older, newer = (
            [
                _Value(phrase, text, differ)
                for phrase in _phrases(items, text)
                if len(phrase) <= _MOST_WORDS and _kind(phrase) != "verb"
            ]
            for items, text in ((self.gone, self.older), (self.come, self.newer))
        )
        return older, newer


def _parse_side(text: str, heard: str) -> list[Item]:
    """Return the items of a memory as they weigh beside those of another one."""
    name = _find_opening_name(text, heard)
    items = [
        item._replace(name=name) if item.text == name and item.number is None else item for item in parse_items(text)
    ]
    return [item._replace(weight=LIGHT) if item.keys and item.keys <= _LITTLE_KEYS else item for item in items]


def _find_opening_name(text: str, heard: str) -> str:
    """Return the word that opens a memory, if the user wrote it as a name inside a sentence; else empty."""
    low = text.casefold()
    for item in parse_items(text):
        if item.number is None and not item.name and low.startswith(item.text):
            name = item.text.capitalize()
            if name in heard and re.search(rf"\w,? {re.escape(name)}\b", heard):
                return item.text
    return ""


class Pair(NamedTuple):
    """The value that went and the one that came: the user names both, or both stand after or before the same word."""

    gone: Phrase
    come: Phrase
    is_named: bool
    is_in_place: bool

    @property
    def is_number(self) -> bool:
        """Whether both are numbers."""
        return all(item.number is not None for item in (*self.gone, *self.come))

    @property
    def has_words(self) -> bool:
        """Whether one of them is neither a number nor a name."""
        return "words" in (_kind(self.gone), _kind(self.come))


def pair_values(sides: Sides, stated: Mentions, heard: Mentions, *, is_named_only: bool = False) -> Pair | None:
    """Return the value that went with the one that came, of one kind or in one place; None if several may be meant.

    `stated` is what the user states with the newer memory, `heard` what the user mentions there in any way. With
    `is_named_only`, the value that went must be one that the user names.
    """
    gone, come = sides.values
    come = [value for value in come if all(map(stated.has, value.core))]
    named = [value for value in gone if all(map(heard.has, value.core)) and not value.is_time] if come else []
    for candidates, is_named in ((named, True), ([] if is_named_only else gone, False)):
        for is_of_kind in (True, False):
            pairs = [(old, new) for old in candidates for new in come if (old.kind == new.kind) is is_of_kind]
            matches = [(old, new) for old, new in pairs if _are_alike(old, new, is_named)]
            if matches:
                old, new = matches[0]
                pair = Pair(old.phrase, new.phrase, is_named, old.stands_like(new))
                return pair if len(matches) == 1 else None
    return None


@dataclass(frozen=True, eq=False)
class _Value:
    """A phrase of `text` that may be a value; `differ` are the keys that only one of the two memories has."""

    phrase: Phrase
    text: str
    differ: frozenset[str]

    @cached_property
    def kind(self) -> str:
        return _kind(self.phrase)

    @cached_property
    def core(self) -> list[Item]:
        """The names and numbers of the phrase, or its words if it has none."""
        return [item for item in self.phrase if item.is_hard] or [item for item in self.phrase if item.is_weighty]

    @property
    def is_time(self) -> bool:
        """Whether it only says in words when something is: "these days"."""
        return all(item.number is None and item.keys <= TIME_KEYS for item in self.phrase)

    def stands_like(self, other: _Value) -> bool:
        """Whether both stand after or before the same word, or after little words of one meaning."""
        (before, after), (other_before, other_after) = self._near, other._near
        if before & other_before or after & other_after:
            return True
        if before & _ANY_LITTLE_WORD and other_before & _ANY_LITTLE_WORD:
            return True
        return any(self._before_all & kind and other._before_all & kind for kind in _LITTLE_WORDS)

    @cached_property
    def _near(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words right before and right after it, without determiners: as keys and as they are written."""
        return _first(self._before), _first(iter_tokens(self.text[max(end for _, end in self._spans) :]))

    @cached_property
    def _before_all(self) -> frozenset[str]:
        """The nearest word before it that both memories have."""
        return _first(token for token in self._before if self.differ.isdisjoint(token.keys))

    @cached_property
    def _before(self) -> list[KeyedToken]:
        return [*iter_tokens(self.text[: min(begin for begin, _ in self._spans)])][::-1]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [place for item in self.phrase for place in find_places(item.text, self.text)]


def _first(tokens: Iterable[KeyedToken]) -> frozenset[str]:
    """Return the first of some tokens that is no determiner, in lower case and by its keys."""
    nearest = next((token for token in tokens if token.low not in BEFORE_NOUNS), None)
    return frozenset() if nearest is None else frozenset((nearest.low, *nearest.keys))


def _kind(phrase: Phrase) -> str:
    """Return the kind of a value: "number" with its dimension, "name", "verb" or "words"."""
    numbers = [item.number for item in phrase if item.number is not None]
    if len(numbers) == len(phrase):
        return f"number {next((number.dimension for number in numbers if number.dimension), '')}"
    if any(item.name for item in phrase):
        return "name"
    return "verb" if len(phrase) == 1 and is_verb(phrase[0].text) else "words"


def _are_alike(gone: _Value, come: _Value, is_named: bool) -> bool:
    """Whether two phrases may be two values of one thing: numbers of one kind, names, or words in one place."""
    kinds = gone.kind, come.kind
    if all(kind.startswith("number") for kind in kinds):
        old, new = gone.phrase[0].number, come.phrase[0].number
        if old is None or new is None or not old.is_rival(new):
            return False
        heads = [_head(value.phrase[0].text, value.text) for value in (gone, come)]
        # Both are of one dimension, or count the same thing.
        counts_alike = bool(old.dimension) or not all(heads) or bool(heads[0] & heads[1])
        return is_named or (old.dimension == new.dimension and counts_alike)
    if any(kind in _WHEN for kind in kinds):
        return False  # "on June 12" and "on Postgres": when, and what
    return set(kinds) == {"name"} or gone.stands_like(come)


def _head(number: str, text: str) -> frozenset[str]:
    """Return the keys of the word right after a number."""
    rest = text.casefold().partition(number)[2].split()
    if not rest or rest[0] in _NO_HEAD:
        return frozenset()
    return words_of(parse_tokens(rest[0])) - LIGHT_KEYS - FRAME_KEYS


def _phrases(items: Sequence[Item], text: str) -> list[Phrase]:
    """Return the weighty items in groups that stand side by side in `text`, or with a little word between them."""
    weighty = (item for item in items if item.is_weighty)
    placed = sorted((place, item) for item in weighty for place in find_places(item.text, text)[:1])
    phrases: list[list[Item]] = []
    end = -_BETWEEN - 1
    for (begin, after), following in placed:
        is_near = begin - end <= _BETWEEN and "," not in text[max(end, 0) : begin]
        if phrases and is_near and _are_one(phrases[-1][-1], following):
            phrases[-1].append(following)
        else:
            phrases.append([following])
        end = after
    return [tuple(phrase) for phrase in phrases]


def _are_one(item: Item, following: Item) -> bool:
    """Whether two items that stand side by side make one value: two names, two words, or a date."""
    kinds = _kind((item,)), _kind((following,))
    if kinds == ("number month", "number ") or kinds == ("number ", "number month"):
        return True
    return kinds[0] == kinds[1] and kinds[0] in ("name", "words")


def _order(text: str, differing: Sequence[Item]) -> list[str]:
    """Return the keys of a sentence in order, without those of the items that differ."""
    left_out = keys_in(differing)
    return [key for token in parse_tokens(text) for key in token.keys if key not in left_out]
