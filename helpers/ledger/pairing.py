"""Which value of an older memory and which of a newer one stand in one place, so that one may follow the other (C-41).

Two memories are laid beside each other: what both say, what only one says, in phrases. The pair of values is the one
that the user names together, or that is of one kind, or stands in one place of the two sentences. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from ..language.keys import keys_of, parse_tokens, words_of
from ..language.lexicon import DETERMINERS
from ..language.verbs import is_verb
from ..language.vocabulary import WORDS
from ..similar.alignment import AlignedWord, Alignment, align, read
from .mentions import LIGHT, LIGHT_KEYS, SOFT, Item, Mentions, find_places, parse_items, parse_mentions
from .passages import TIME_KEYS

#: Between two words of a phrase stand at most so many characters: "oat-milk", "Los Olmos", "School of Arts".
_BETWEEN: Final = 4
#: Words that come and go from one summary to the next.
_LITTLE_KEYS: Final = keys_of(WORDS["little"])
_MOST_WORDS: Final = 3
#: Kinds of numbers that say when.
_WHEN: Final = frozenset(("number month", "number weekday", "number clock"))
BEFORE_NOUNS: Final = DETERMINERS | {"user", "s", "new"}


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

    @cached_property
    def is_one_sentence(self) -> bool:
        """Whether they are the same sentence but for the words in one place of it."""
        older, newer, _, swaps, _ = self._aligned
        return len(swaps) == 1 and swaps[0] == (older.alone, newer.alone)

    def are_in_place(self, gone: Phrase, come: Phrase) -> bool:
        """Whether two values stand in each other's place, or behind the same word of grammar: "in"."""
        if any(gone.find(before) and come.find(after) for before, after in self._aligned.swaps):
            return True
        before, after = gone.find(self._aligned.older.alone), come.find(self._aligned.newer.alone)
        return bool(before and after) and not set(before[0].marks).isdisjoint(after[0].marks)

    @cached_property
    def _aligned(self) -> Alignment:
        return align(self.older, self.newer)

    @cached_property
    def values(self) -> tuple[list[Phrase], list[Phrase]]:
        """Return what of the older and of the newer one may be a value."""
        gone, come = (
            [one for phrase in _phrases(items, text) if (one := Phrase(phrase, text)).may_change]
            for text, items in ((self.older, self.gone), (self.newer, self.come))
        )
        return gone, come


@lru_cache(maxsize=256)
def _lay_beside(older: str, newer: str, *names: str) -> Sides:
    before, after = (
        [_weigh(one, name) for one in parse_items(text)] for text, name in zip((older, newer), names, strict=True)
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
    words = [one.text for one in parse_items(text) if one.number is None and not one.name]
    opening = (one for one in words if text.casefold().startswith(one))
    return next((one for one in opening if re.search(rf"\w,? {re.escape(one.capitalize())}\b", heard)), "")


def nouns(items: Iterable[Item]) -> list[Item]:
    """Return the words among `items` that say something and are no verbs."""
    return [one for one in items if one.weight >= SOFT and not is_verb(one.text)]


def all_keys(items: Iterable[Item]) -> frozenset[str]:
    """Return every key under which one of `items` counts as said."""
    return frozenset().union(*(one.keys | words_of(parse_tokens(one.text)) for one in items))


@dataclass(frozen=True, eq=False)
class Phrase:
    """Words of `text` that stand side by side and may be one value."""

    words: tuple[Item, ...]
    text: str

    def __iter__(self) -> Iterator[Item]:
        return iter(self.words)

    @property
    def name(self) -> str:
        """The words as a text."""
        return " ".join(dict.fromkeys(one.text for one in self.words))

    @cached_property
    def kind(self) -> str:
        """What it is: a date, the dimension of its number, a name, a verb, or words."""
        return _kind(self.words)

    @cached_property
    def core(self) -> list[Item]:
        """The names and numbers, or all the words where it has none."""
        return [one for one in self.words if one.is_hard] or [one for one in self.words if one.weight >= SOFT]

    @property
    def may_change(self) -> bool:
        """Whether it can be a value: no verb, and not too long."""
        return any(one.weight >= SOFT for one in self.words) and len(self.words) <= _MOST_WORDS and self.kind != "verb"

    @property
    def is_time(self) -> bool:
        """Whether it only says when in words: "these days"."""
        return all(one.number is None and one.keys <= TIME_KEYS for one in self.words)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where it stands; a word that is spelled otherwise in the text has no place."""
        return sorted({place for one in self.words for place in find_places(one, self.text)})

    @property
    def begin(self) -> int:
        """Where it begins."""
        return min((begin for begin, _ in self.spans), default=0)

    @property
    def end(self) -> int:
        """Where it ends."""
        return max((end for _, end in self.spans), default=0)

    @property
    def rest(self) -> str:
        """The text without it."""
        text = self.text
        for begin, end in reversed(self.spans):
            text = f"{text[:begin]}{text[end:]}"
        return " ".join(text.split())

    def find(self, words: Iterable[AlignedWord]) -> list[AlignedWord]:
        """Return which of some aligned words are its own."""
        own = {low for one in self.words for low in one.text.split()}
        return [one for one in words if one.low in own]

    def is_right_after(self, item: Item) -> bool:
        """Whether a word stands right before it, as what kind it is of: "the restaurant La Encina"."""
        return any(end == self.begin - 1 for _, end in find_places(item, self.text))

    def is_after(self, item: Item) -> bool:
        """Whether a word stands before it, and not as what kind it is of: "went to the restaurant La Encina"."""
        return any(end < self.begin for _, end in find_places(item, self.text)) and not self.is_right_after(item)


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
        return "words" in (self.gone.kind, self.come.kind)


def pair_values(sides: Sides, told: Mentions, heard: Mentions, *, is_named_only: bool = False) -> Pair | None:
    """Return the value that went with the one that came: of one kind, or in one place; None where several may be meant.

    `told` is what the user tells with the newer one, `heard` also what the user only mentions there. Where it
    `is_named_only`, what the user does not name is no value that went.
    """
    gone, come = sides.values
    come = [one for one in come if all(map(told.has, one.core))]
    named = [one for one in gone if all(map(heard.has, one.core)) and not one.is_time] if come else []
    for candidates, is_named in ((named, True), ([] if is_named_only else gone, False)):
        for is_of_kind in (True, False):
            found = [
                (one, other)
                for one in candidates
                for other in come
                if (one.kind == other.kind) is is_of_kind and _are_alike(one, other, sides, is_named)
            ]
            if found:
                one, other = found[0]
                return Pair(one, other, is_named, sides.are_in_place(one, other)) if len(found) == 1 else None
    return None


def _kind(words: Sequence[Item]) -> str:
    numbers = [one.number for one in words if one.number is not None]
    if len(numbers) == len(words):
        return f"number {next((one.dimension for one in numbers if one.dimension), '')}"
    if any(one.name for one in words):
        return "name"
    return "verb" if len(words) == 1 and is_verb(words[0].text) else "words"


def _are_alike(gone: Phrase, come: Phrase, sides: Sides, is_named: bool) -> bool:
    """Whether two phrases may be two values of one thing: numbers of a kind, names, or words in one place."""
    kinds = gone.kind, come.kind
    if all(one.startswith("number") for one in kinds):
        one, two = (next(item.number for item in value) for value in (gone, come))
        is_rival = one is not None and two is not None and one.is_rival(two)
        return is_rival and (is_named or _count_alike(gone, come))
    if any(one in _WHEN for one in kinds):
        return False  # "on June 12" and "on Postgres": when, and what
    return set(kinds) == {"name"} or sides.are_in_place(gone, come)


def _count_alike(gone: Phrase, come: Phrase) -> bool:
    """Whether two numbers are of one dimension, or count the same."""
    dimensions = [one.number.dimension for one in (*gone.words[:1], *come.words[:1]) if one.number is not None]
    head, other = _counted(gone), _counted(come)
    return dimensions[0] == dimensions[1] and (bool(dimensions[0]) or not (head and other) or head == other)


def _counted(number: Phrase) -> str:
    """Return what a number counts: the key of the word right after it, if that carries meaning."""
    words = read(number.text).words
    last = number.find(words)[-1:]
    return next((one.key for one in words if last and one.place == last[0].place + 1 and one.key not in LIGHT_KEYS), "")


def _phrases(items: Sequence[Item], text: str) -> list[tuple[Item, ...]]:
    """Return words in groups that stand side by side, or with a little word between them."""
    weighty = (one for one in items if one.weight >= SOFT)
    placed = sorted((place, one) for one in weighty for place in find_places(one, text)[:1])
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
    if kinds in (("number month", "number "), ("number ", "number month")):
        return True
    return kinds[0] == kinds[1] and kinds[0] in ("name", "words")
