"""Which value of an older memory and which of a newer one stand in one place, so that one may follow the other (C-41).

Two memories are laid beside each other: what both say, what only one says, in phrases. The pair of values is the one
that the user names together, or that is of one kind, or stands in one place of the two sentences. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..claims import is_verb
from .clauses import Value
from .mentions import LIGHT, LIGHT_KEYS, SOFT, Item, Mentions, read_items, read_mentions
from .passages import PREPOSITIONS, TIME_KEYS
from .tokens import FRAME_KEYS, keys_of, read_tokens, words_of

#: The words of one value, in order.
Phrase = tuple[Item, ...]

#: Between two words of a phrase stand at most so many characters: "oat-milk", "Los Olmos", "School of Arts".
_BETWEEN: Final = 4
#: Words that come and go from one summary to the next.
_LITTLE_KEYS: Final = keys_of("always usually must above below every next than new current".split())
_NO_HEAD: Final = PREPOSITIONS | {"including", "each", "every"}
_MOST_WORDS: Final = 3
#: Kinds of numbers that say when.
_WHEN: Final = frozenset(("number month", "number weekday", "number clock"))
DETERMINERS: Final = frozenset("a an the my our your his her its their user s new".split())
#: Words before a value that say the same: where, by what, where to.
_LITTLE_WORDS: Final = tuple(
    frozenset(row.split()) for row in ("in at on under", "with via through by per", "to into", "from off")
)
_ANY_LITTLE_WORD: Final = frozenset("for of till until".split()).union(*_LITTLE_WORDS)


class Sides(NamedTuple):
    """What two memories share, and what only the older and only the newer one says."""

    older: str
    newer: str
    kept: list[Item]
    gone: list[Item]
    come: list[Item]

    @classmethod
    def of(cls, older: str, newer: str, heard: str = "") -> Sides:
        """Return the two laid beside each other; in `heard` the user spells what may be a name."""
        before, after = ([_weigh(_named(one, text, heard)) for one in read_items(text)] for text in (older, newer))
        in_older, in_newer = read_mentions(older), read_mentions(newer)
        gone = [one for one in before if not in_newer.has(one)]
        kept = [one for one in before if one not in gone]
        return cls(older, newer, kept, gone, [one for one in after if not in_older.has(one)])

    @property
    def is_one_sentence(self) -> bool:
        """Whether they are the same sentence but for one phrase each."""
        return len(_phrases(self.gone, self.older)) == len(_phrases(self.come, self.newer)) == 1 and _order(
            self.older, self.gone
        ) == _order(self.newer, self.come)


def _weigh(item: Item) -> Item:
    """Return an item with the weight that it has where two sentences are laid beside each other."""
    return item._replace(weight=LIGHT) if item.keys and item.keys <= _LITTLE_KEYS else item


def _named(item: Item, text: str, heard: str) -> Item:
    """Return what opens a memory as a name, if the user wrote it so inside a sentence."""
    opens = item.number is None and item.name is None and text.casefold().startswith(item.text)
    if not opens or not re.search(rf"\w,? {re.escape(item.text.capitalize())}\b", heard):
        return item
    return item._replace(name=Value(item.text, is_number=False, keys=item.keys))


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


def pair_values(sides: Sides, told: Mentions, heard: Mentions) -> Pair | None:
    """Return the value that went with the one that came: of one kind, or in one place; None where several may be meant.

    `told` is what the user tells with the newer one, `heard` also what the user only mentions there.
    """
    for is_counted in (False, True):
        gone = [one for one in _phrases(sides.gone, sides.older, is_counted) if _may_be_value(one)]
        come = [
            one for one in _phrases(sides.come, sides.newer, is_counted) if _may_be_value(one) and _is_told(one, told)
        ]
        named = [one for one in gone if all(map(heard.has, _core(one))) and not _is_time(one)]
        for candidates, is_named in ((named, True), (gone, False)):
            pairs = [
                Pair(one, other, is_named, _stand_alike(one, other, sides))
                for one in candidates
                for other in come
                if _are_alike(one, other, sides, is_named)
            ]
            best = [one for one in pairs if _kind(one.gone) == _kind(one.come)] or pairs
            if best:
                return best[0] if len(best) == 1 else None
    return None


def _is_time(phrase: Phrase) -> bool:
    """Whether a phrase only says when in words: "these days"."""
    return all(one.number is None and one.keys <= TIME_KEYS for one in phrase)


def _may_be_value(phrase: Phrase) -> bool:
    return any(one.weight >= SOFT for one in phrase) and len(phrase) <= _MOST_WORDS and _kind(phrase) != "verb"


def _is_told(phrase: Phrase, told: Mentions) -> bool:
    return all(told.has(one) for one in _core(phrase))


def _core(phrase: Phrase) -> list[Item]:
    """Return the names and numbers of a phrase, or all its words where it has none."""
    return [one for one in phrase if one.is_hard] or [one for one in phrase if one.weight >= SOFT]


def _kind(phrase: Phrase) -> str:
    """Return what a value is: a date, the dimension of its number, a name, a verb, or words."""
    numbers = [one.number for one in phrase if one.number is not None]
    if len(numbers) == len(phrase):
        return f"number {next((one.dimension for one in numbers if one.dimension), '')}"
    if any(one.name is not None for one in phrase):
        return "name"
    return "verb" if len(phrase) == 1 and is_verb(phrase[0].text) else "words"


def _are_alike(gone: Phrase, come: Phrase, sides: Sides, is_named: bool) -> bool:
    """Whether two phrases may be two values of one thing: numbers of a kind, names, or words in one place."""
    kinds = _kind(gone), _kind(come)
    if all(one.startswith("number") for one in kinds):
        one, two = (next(item.number for item in phrase) for phrase in (gone, come))
        is_rival = one is not None and two is not None and one.is_rival(two)
        return is_rival and (is_named or _count_alike(gone, come, sides))
    if any(one in _WHEN for one in kinds):
        return False  # "on June 12" and "on Postgres": when, and what
    return set(kinds) == {"name"} or _stand_alike(gone, come, sides)


def _count_alike(gone: Phrase, come: Phrase, sides: Sides) -> bool:
    """Whether two numbers are of one dimension, or count the same."""
    one, two = (next(item for item in phrase if item.number is not None) for phrase in (gone, come))
    if one.number is None or two.number is None or one.number.dimension != two.number.dimension:
        return False
    heads = [_head(item.text, text) for item, text in ((one, sides.older), (two, sides.newer))]
    return bool(one.number.dimension) or not all(heads) or bool(heads[0] & heads[1])


def _head(number: str, text: str) -> frozenset[str]:
    """Return the keys of the word right after a number."""
    rest = text.casefold().partition(number)[2].split()
    return words_of(read_tokens(rest[0])) - LIGHT_KEYS - FRAME_KEYS if rest and rest[0] not in _NO_HEAD else frozenset()


def _phrases(items: Sequence[Item], text: str, is_counted: bool = False) -> list[Phrase]:
    """Return words in groups that stand side by side, or with a little word between them.

    With `is_counted`, a number and what it counts are one: "four spaces".
    """
    weighty = (one for one in items if one.weight >= SOFT)
    placed = sorted((place, one) for one in weighty for place in find_places(one, text)[:1])
    found: list[list[Item]] = []
    end = -_BETWEEN - 1
    for (begin, after), one in placed:
        is_near = begin - end <= _BETWEEN and "," not in text[max(end, 0) : begin]
        if found and is_near and _are_one(found[-1][-1], one, is_counted):
            found[-1].append(one)
        else:
            found.append([one])
        end = after
    return [tuple(one) for one in found]


def _are_one(one: Item, following: Item, is_counted: bool) -> bool:
    """Whether two items side by side are one value: two names, two words, a date, or an amount of something."""
    kinds = _kind((one,)), _kind((following,))
    if kinds == ("number month", "number ") or kinds == ("number ", "number month"):
        return True
    return (kinds[0] == kinds[1] and kinds[0] in ("name", "words")) or (is_counted and kinds == ("number ", "words"))


def _order(text: str, differing: Sequence[Item]) -> list[str]:
    """Return the keys of a sentence in order, without those of the items that differ."""
    keys = frozenset().union(*(one.keys for one in differing), *(_keys(one) for one in differing))
    return [key for token in read_tokens(text) for key in token.keys if key not in keys]


def _keys(item: Item) -> frozenset[str]:
    return words_of(read_tokens(item.text))


def _stand_alike(gone: Phrase, come: Phrase, sides: Sides) -> bool:
    """Whether two phrases stand after or before the same word, or after little words that say the same."""
    one, two = _beside(gone, sides.older), _beside(come, sides.newer)
    if one[0] & two[0] or one[1] & two[1] or (one[0] & _ANY_LITTLE_WORD and two[0] & _ANY_LITTLE_WORD):
        return True
    differ = frozenset().union(*(item.keys for item in (*sides.gone, *sides.come)))
    one, two = _beside(gone, sides.older, differ), _beside(come, sides.newer, differ)
    return any(one[0] & kind and two[0] & kind for kind in _LITTLE_WORDS)


def _beside(
    items: Sequence[Item], text: str, differ: frozenset[str] = frozenset()
) -> tuple[frozenset[str], frozenset[str]]:
    """Return what stands before and after a phrase, and both memories have: as keys or, of a little word, as it is."""
    places = [place for one in items for place in find_places(one, text)[:1]]
    before = read_tokens(text[: min(place[0] for place in places)])
    after = read_tokens(text[max(place[1] for place in places) :])
    near = (
        next((one for one in side if one.low not in DETERMINERS and differ.isdisjoint(one.keys)), None)
        for side in (reversed(before), iter(after))
    )
    one, two = (frozenset[str]() if token is None else frozenset((token.low, *token.keys)) for token in near)
    return one, two


def find_places(item: Item, text: str) -> list[tuple[int, int]]:
    """Return where the text has `item` as a word of its own."""
    found = re.search(rf"(?<!\w){re.escape(item.text)}(?!\w)", text, re.IGNORECASE)
    return [found.span()] if found else []
