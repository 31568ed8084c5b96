"""Which value of an older memory and which of a newer one stand in one place, so that one may follow the other.

Two memories are laid beside each other: what both say, what only one says, in phrases. The pair of values is the one
that the user names together, or that is of one kind, or stands in one place of the two sentences. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ..language.keys import FRAME_KEYS, KeyedToken, iter_tokens, keys_of, parse_tokens, words_of
from ..language.lexicon import DETERMINERS
from ..language.verbs import is_verb
from ..language.vocabulary import BEFORE_VALUES, WORDS
from .mentions import LIGHT, LIGHT_KEYS, SOFT, Item, Mentions, find_places, parse_items, parse_mentions
from .passages import PREPOSITIONS, TIME_KEYS

#: The words of one value, in order.
Phrase = tuple[Item, ...]

#: Between two words of a phrase stand at most so many characters: "oat-milk", "Los Olmos", "School of Arts".
_BETWEEN: Final = 4
#: Words that come and go from one summary to the next.
_LITTLE_KEYS: Final = keys_of(WORDS["little"])
_NO_HEAD: Final = PREPOSITIONS | {"including", "each", "every"}
_MOST_WORDS: Final = 3
#: Kinds of numbers that say when.
_WHEN: Final = frozenset(("number month", "number weekday", "number clock"))
BEFORE_NOUNS: Final = DETERMINERS | {"user", "s", "new"}
*_LITTLE_WORDS, _OTHER_LITTLE_WORDS = BEFORE_VALUES
_ANY_LITTLE_WORD: Final = _OTHER_LITTLE_WORDS.union(*_LITTLE_WORDS)


@dataclass(frozen=True, eq=False)
class Sides:
    """What two memories share, and what only the older and only the newer one says."""

    older: str
    newer: str
    kept: tuple[Item, ...]
    gone: tuple[Item, ...]
    come: tuple[Item, ...]

    @classmethod
    def of(cls, older: str, newer: str, heard: str = "") -> Sides:
        """Return the two laid beside each other; in `heard` the user spells what may be a name."""
        return _lay_beside(older, newer, _find_opening_name(older, heard), _find_opening_name(newer, heard))

    @property
    def is_one_sentence(self) -> bool:
        """Whether they are the same sentence but for one phrase each."""
        return len(_phrases(self.gone, self.older)) == len(_phrases(self.come, self.newer)) == 1 and _order(
            self.older, self.gone
        ) == _order(self.newer, self.come)

    @cached_property
    def values(self) -> tuple[list[_Value], list[_Value]]:
        """Return what of the older and of the newer one may be a value."""
        differ = frozenset[str]().union(*(item.keys for item in (*self.gone, *self.come)))
        return _find_values(self.gone, self.older, differ), _find_values(self.come, self.newer, differ)


@lru_cache(maxsize=256)
def _lay_beside(older: str, newer: str, *names: str) -> Sides:
    before, after = (
        [_weigh(item, name) for item in parse_items(text)] for text, name in zip((older, newer), names, strict=True)
    )
    in_older, in_newer = parse_mentions(older), parse_mentions(newer)
    gone = tuple(one for one in before if not in_newer.has(one))
    kept = tuple(one for one in before if one not in gone)
    return Sides(older, newer, kept, gone, tuple(one for one in after if not in_older.has(one)))


def _weigh(item: Item, name: str) -> Item:
    """Return an item with the weight that it has where two sentences are laid beside each other, `name` as a name."""
    if name and item.text == name and item.number is None:
        item = item._replace(name=name)
    return item._replace(weight=LIGHT) if item.keys and item.keys <= _LITTLE_KEYS else item


def _find_opening_name(text: str, heard: str) -> str:
    """Return what opens a memory in small letters, if the user wrote it as a name inside a sentence; or nothing."""
    low = text.casefold()
    for item in parse_items(text):
        if item.number is None and not item.name and low.startswith(item.text):
            name = item.text.capitalize()
            if name in heard and re.search(rf"\w,? {re.escape(name)}\b", heard):
                return item.text
    return ""


class Pair(NamedTuple):
    """The value that went and the value that came; `is_named` where the user names both.

    They are `is_in_place` where they stand after or before the same word.
    """

    gone: Phrase
    come: Phrase
    is_named: bool
    is_in_place: bool

    @property
    def is_number(self) -> bool:
        """Whether both are numbers."""
        return all(one.number is not None for one in (*self.gone, *self.come))

    @property
    def has_words(self) -> bool:
        """Whether one of them is neither a number nor a name."""
        return "words" in (_kind(self.gone), _kind(self.come))


def pair_values(sides: Sides, told: Mentions, heard: Mentions, *, is_named_only: bool = False) -> Pair | None:
    """Return the value that went with the one that came: of one kind, or in one place; None where several may be meant.

    `told` is what the user tells with the newer one, `heard` also what the user only mentions there. Where it
    `is_named_only`, what the user does not name is no value that went.
    """
    gone, come = sides.values
    come = [one for one in come if all(map(told.has, one.core))]
    named = [one for one in gone if all(map(heard.has, one.core)) and not _is_time(one.phrase)] if come else []
    for candidates, is_named in ((named, True), ([] if is_named_only else gone, False)):
        for is_of_kind in (True, False):
            found = [
                (candidate, other)
                for candidate in candidates
                for other in come
                if (candidate.kind == other.kind) is is_of_kind and _are_alike(candidate, other, is_named)
            ]
            if found:
                one, other = found[0]
                pair = Pair(one.phrase, other.phrase, is_named, one.stands_like(other))
                return pair if len(found) == 1 else None
    return None


@dataclass(frozen=True, eq=False)
class _Value:
    """A phrase that may be a value of `text`; `differ` are the keys of what only one of the two memories says."""

    phrase: Phrase
    text: str
    differ: frozenset[str]

    @cached_property
    def kind(self) -> str:
        return _kind(self.phrase)

    @cached_property
    def core(self) -> list[Item]:
        """The names and numbers, or all the words where it has none."""
        return [item for item in self.phrase if item.is_hard] or [item for item in self.phrase if item.weight >= SOFT]

    def stands_like(self, other: _Value) -> bool:
        """Whether both stand after or before the same word, or after little words that say the same."""
        (before, after), (other_before, other_after) = self._near, other._near
        if before & other_before or after & other_after:
            return True
        if before & _ANY_LITTLE_WORD and other_before & _ANY_LITTLE_WORD:
            return True
        return any(self._before_all & kind and other._before_all & kind for kind in _LITTLE_WORDS)

    @cached_property
    def _near(self) -> tuple[frozenset[str], frozenset[str]]:
        """What stands right before and after it, determiners apart: as keys and, for little words, as it is."""
        return _first(self._before), _first(iter_tokens(self.text[max(end for _, end in self._spans) :]))

    @cached_property
    def _before_all(self) -> frozenset[str]:
        """What both memories have and stands nearest before it."""
        return _first(token for token in self._before if self.differ.isdisjoint(token.keys))

    @cached_property
    def _before(self) -> list[KeyedToken]:
        return [*iter_tokens(self.text[: min(begin for begin, _ in self._spans)])][::-1]

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [place for item in self.phrase for place in find_places(item, self.text)]


def _first(tokens: Iterable[KeyedToken]) -> frozenset[str]:
    found = next((token for token in tokens if token.low not in BEFORE_NOUNS), None)
    return frozenset() if found is None else frozenset((found.low, *found.keys))


def _find_values(items: Sequence[Item], text: str, differ: frozenset[str]) -> list[_Value]:
    return [_Value(phrase, text, differ) for phrase in _phrases(items, text) if _may_be_value(phrase)]


def _is_time(phrase: Phrase) -> bool:
    """Whether a phrase only says when in words: "these days"."""
    return all(one.number is None and one.keys <= TIME_KEYS for one in phrase)


def _may_be_value(phrase: Phrase) -> bool:
    return any(item.weight >= SOFT for item in phrase) and len(phrase) <= _MOST_WORDS and _kind(phrase) != "verb"


def _kind(phrase: Phrase) -> str:
    """Return what a value is: a date, the dimension of its number, a name, a verb, or words."""
    numbers = [one.number for one in phrase if one.number is not None]
    if len(numbers) == len(phrase):
        return f"number {next((number.dimension for number in numbers if number.dimension), '')}"
    if any(item.name for item in phrase):
        return "name"
    return "verb" if len(phrase) == 1 and is_verb(phrase[0].text) else "words"


def _are_alike(gone: _Value, come: _Value, is_named: bool) -> bool:
    """Whether two phrases may be two values of one thing: numbers of a kind, names, or words in one place."""
    kinds = gone.kind, come.kind
    if all(kind.startswith("number") for kind in kinds):
        one, two = (next(item.number for item in value.phrase) for value in (gone, come))
        is_rival = one is not None and two is not None and one.is_rival(two)
        return is_rival and (is_named or _count_alike(gone, come))
    if any(kind in _WHEN for kind in kinds):
        return False  # "on June 12" and "on Postgres": when, and what
    return set(kinds) == {"name"} or gone.stands_like(come)


def _count_alike(gone: _Value, come: _Value) -> bool:
    """Whether two numbers are of one dimension, or count the same."""
    one, two = (next(item for item in value.phrase if item.number is not None) for value in (gone, come))
    if one.number is None or two.number is None or one.number.dimension != two.number.dimension:
        return False
    heads = [_head(item.text, value.text) for item, value in ((one, gone), (two, come))]
    return bool(one.number.dimension) or not all(heads) or bool(heads[0] & heads[1])


def _head(number: str, text: str) -> frozenset[str]:
    """Return the keys of the word right after a number."""
    rest = text.casefold().partition(number)[2].split()
    return (
        words_of(parse_tokens(rest[0])) - LIGHT_KEYS - FRAME_KEYS if rest and rest[0] not in _NO_HEAD else frozenset()
    )


def _phrases(items: Sequence[Item], text: str) -> list[Phrase]:
    """Return words in groups that stand side by side, or with a little word between them."""
    weighty = (item for item in items if item.weight >= SOFT)
    placed = sorted((place, item) for item in weighty for place in find_places(item, text)[:1])
    found: list[list[Item]] = []
    end = -_BETWEEN - 1
    for (begin, after), one in placed:
        is_near = begin - end <= _BETWEEN and "," not in text[max(end, 0) : begin]
        if found and is_near and _are_one(found[-1][-1], one):
            found[-1].append(one)
        else:
            found.append([one])
        end = after
    return [tuple(one) for one in found]


def _are_one(one: Item, following: Item) -> bool:
    """Whether two items side by side are one value: two names, two words, or a date."""
    kinds = _kind((one,)), _kind((following,))
    if kinds == ("number month", "number ") or kinds == ("number ", "number month"):
        return True
    return kinds[0] == kinds[1] and kinds[0] in ("name", "words")


def _order(text: str, differing: Sequence[Item]) -> list[str]:
    """Return the keys of a sentence in order, without those of the items that differ."""
    keys = frozenset().union(*(item.keys for item in differing), *(_keys(item) for item in differing))
    return [key for token in parse_tokens(text) for key in token.keys if key not in keys]


def _keys(item: Item) -> frozenset[str]:
    return words_of(parse_tokens(item.text))
