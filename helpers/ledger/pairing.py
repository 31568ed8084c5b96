"""Which value of an older memory and which of a newer one stand in one place, so that one may follow the other (C-41).

Two memories are laid beside each other: what both say, what only one says, and of that what is of the same kind, in the
same place of the sentence, once each. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ..claims import is_verb
from .mentions import SOFT, Item, join, read_items, read_mentions
from .spoken import Spoken
from .tokens import read_tokens, words_of

#: What two memories must have in common beside the values, weighed as in `mentions`.
LEAST_SHARED: Final = 2.0
#: A value has at most so many words, with so many characters between two of them.
_MOST_WORDS: Final = 3
_BETWEEN: Final = 4

_DETERMINERS: Final = frozenset("a an the my our your his her its their user s new".split())
#: Words before a value that say the same: where, by what, where to.
_LITTLE_WORDS: Final = tuple(
    frozenset(row.split()) for row in ("in at on under", "with via through by per", "to into", "from off")
)
_ANY_LITTLE_WORD: Final = frozenset("for of till until".split()).union(*_LITTLE_WORDS)
#: A memory that says what went and what came.
_NAMES_BOTH: Final = re.compile(r"\b(?:from\b.*\b(?:to|into)|instead\s+of|in\s+place\s+of|replac\w+)\b", re.IGNORECASE)


class Sides(NamedTuple):
    """What two memories share, and what only the older and only the newer one says."""

    kept: list[Item]
    gone: list[Item]
    come: list[Item]

    @classmethod
    def of(cls, older: str, newer: str) -> Sides:
        before, after = read_items(older), read_items(newer)
        in_older, in_newer = read_mentions(older), read_mentions(newer)
        gone = [one for one in before if not in_newer.has(one)]
        kept = [one for one in before if one not in gone]
        return cls(kept, gone, [one for one in after if not in_older.has(one)])

    @property
    def differing(self) -> list[Item]:
        """What only one of them says."""
        return [*self.gone, *self.come]


def pair_values(sides: Sides, older: str, newer: str, spoken: Spoken) -> list[tuple[Item, Item]]:
    """Return the words that went, each with what came for it; none where they are no one value of one kind."""
    return _pair(sides, older, newer, spoken.everything) or _pair_told(sides, older, newer, spoken)


def _pair(sides: Sides, older: str, newer: str, heard: str) -> list[tuple[Item, Item]]:
    """Pair the values that went with those that came, if they are as many and of the same kinds."""
    numbers = [one for one in sides.gone if one.number], [one for one in sides.come if one.number]
    names = (
        [one for one in sides.gone if is_name(one, older, heard)],
        [one for one in sides.come if is_name(one, newer, heard)],
    )
    if len(numbers[0]) != len(numbers[1]) or bool(names[0]) != bool(names[1]):
        return []
    if numbers[0]:
        pairs = list(zip(*numbers, strict=True))
        return pairs if not names[0] and all(_counts_alike(one, two, older, newer) for one, two in pairs) else []
    is_one = names[0] and _is_one_phrase(names[0], older) and _is_one_phrase(names[1], newer)
    is_one = is_one and _stand_alike(*names, older, newer)
    return _zip(*names) if is_one and not _names_a_kind(names[0], sides.gone, older) else []


def _is_one_phrase(items: Sequence[Item], text: str) -> bool:
    """Whether words stand side by side."""
    places = sorted(place for one in items for place in find_places(one, text))
    return len(places) == len(items) and all(two[0] - one[1] <= 1 for one, two in pairwise(places))


def _names_a_kind(names: Sequence[Item], gone: Sequence[Item], text: str) -> bool:
    """Whether the word right after a name went as well: "the MPL licence" has a licence, and no tool, of that name."""
    end = max(place[1] for one in names for place in find_places(one, text))
    return any(start == end + 1 for one in gone if one not in names for start, _ in find_places(one, text))


def _zip(one: Sequence[Item], other: Sequence[Item]) -> list[tuple[Item, Item]]:
    """Pair words that together are a value; the last word of the shorter one goes with the rest of the longer."""
    size = max(len(one), len(other))
    return [(one[min(at, len(one) - 1)], other[min(at, len(other) - 1)]) for at in range(size)]


def _pair_told(sides: Sides, older: str, newer: str, spoken: Spoken) -> list[tuple[Item, Item]]:
    """Pair what the user told then and tells no more with what the user tells now: one phrase each, in words of change.

    What only the summaries word in two ways is no value.
    """
    if not spoken.has_change or _NAMES_BOTH.search(newer):
        return []
    said = read_mentions(spoken.told)
    heard = join(map(read_mentions, spoken.before))
    gone = _phrases([one for one in sides.gone if one.weight >= SOFT and heard.has(one)], older)
    come = _phrases([one for one in sides.come if one.weight >= SOFT and said.has(one) and not heard.has(one)], newer)
    if len(gone) != 1 or len(come) != 1 or sum(one.weight for one in sides.kept) < LEAST_SHARED:
        return []
    is_value = all(len(side[0]) <= _MOST_WORDS and not _is_no_value(side[0]) for side in (gone, come))
    return _zip(gone[0], come[0]) if is_value and _stand_alike(gone[0], come[0], older, newer) else []


def _is_no_value(phrase: Sequence[Item]) -> bool:
    return any(one.number is not None for one in phrase) or is_verb(phrase[0].text)


def _phrases(items: Sequence[Item], text: str) -> list[list[Item]]:
    """Return words in groups that stand side by side, or with a little word between them."""
    placed = sorted((place, one) for one in items for place in find_places(one, text)[:1])
    found: list[list[Item]] = []
    end = -_BETWEEN - 1
    for (begin, after), one in placed:
        found[-1:] = [[*found[-1], one]] if begin - end <= _BETWEEN else [*found[-1:], [one]]
        end = after
    return found


def _stand_alike(gone: Sequence[Item], come: Sequence[Item], older: str, newer: str) -> bool:
    """Whether two phrases stand after or before the same word, or after little words that say the same."""
    one, two = _beside(gone, older), _beside(come, newer)
    if one[0] & two[0] or one[1] & two[1] or (one[0] & _ANY_LITTLE_WORD and two[0] & _ANY_LITTLE_WORD):
        return True
    differ = frozenset().union(*(one.keys for one in Sides.of(older, newer).differing))
    one, two = _beside(gone, older, differ), _beside(come, newer, differ)
    return any(one[0] & kind and two[0] & kind for kind in _LITTLE_WORDS)


def _beside(
    items: Sequence[Item], text: str, differ: frozenset[str] = frozenset()
) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands before and after a phrase, and both memories have: as keys or, of a little word, as it is."""
    places = [place for one in items for place in find_places(one, text)[:1]]
    before = read_tokens(text[: min(place[0] for place in places)])
    after = read_tokens(text[max(place[1] for place in places) :])
    near = (
        next((one for one in side if one.low not in _DETERMINERS and differ.isdisjoint(one.keys)), None)
        for side in (reversed(before), iter(after))
    )
    one, two = (frozenset[str]() if token is None else frozenset((token.low, *token.keys)) for token in near)
    return one, two


def is_name(item: Item, text: str, heard: str) -> bool:
    """Whether it is a name; what opens a memory is one if the user wrote it so inside a sentence."""
    if item.name is not None:
        return True
    return item.number is None and text.casefold().startswith(item.text) and f" {item.text.capitalize()}" in heard


def _counts_alike(one: Item, two: Item, older: str, newer: str) -> bool:
    """Whether two numbers have one unit, or count the same."""
    if one.number is None or two.number is None or one.number.dimension != two.number.dimension:
        return False
    heads = [_head(item.text, text) for item, text in ((one, older), (two, newer))]
    return not all(heads) or bool(heads[0] & heads[1]) or one.number.dimension in ("month", "weekday", "clock")


def _head(number: str, text: str) -> frozenset[str]:
    """Return the keys of the word right after a number."""
    rest = text.casefold().partition(number)[2].split()
    return words_of(read_tokens(rest[0])) if rest else frozenset()


def find_places(item: Item, text: str) -> list[tuple[int, int]]:
    """Return where the text has `item` as a word of its own."""
    found = re.search(rf"(?<!\w){re.escape(item.text)}(?!\w)", text.casefold())
    return [found.span()] if found else []
