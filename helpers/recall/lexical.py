"""The search by words: BM25 over the memories that may take part, kept up to date memory by memory (T-66).

Words are stemmed; numbers, versions, paths and identifiers stay whole. The score depends on what may take part and on
nothing else: not on what was removed, nor on the order in which memories came.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .text_words import ALIAS, Dated, Group, TextWords
from .text_words import parse_query as parse_query
from .text_words import parse_terms as parse_terms

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

# Short texts: how often a word stands in one says little, and its length says little (tuned on the benchmark's part).
_SATURATION = 0.9
_LENGTH_SHARE = 0.3
# A small store says little about how rare a word is: it counts as if so many more texts had been looked at.
_UNSEEN = 100
# A posting is a slot and how often the word stands in its text, in one number.
_COUNT_BITS = 6
_MOST_COUNTED = (1 << _COUNT_BITS) - 1
# A number, or what is spelled in several ways, names something if it is longer than this: 23 does not.
_SHORTEST_NAME = 3
_LONGEST = 0xFFFF  # words of a text count
# Of a longer message only the rarest words are looked for, so that a pasted log costs no more than a question.
_MOST_TERMS = 48
# With fewer than this share of slots in use the index is packed anew.
_LEAST_USED = 0.5


@dataclass(frozen=True, slots=True)
class Matches:
    """What the words of a query found: one row per place, shape (n,).

    `scores` is BM25, at least 0; `coverage` the share of the query's words, weighted by rarity, in 0..1; `rarest` how
    rare the rarest of them is that stands there, 1 where no other memory has it; `named` the same of numbers and of
    what is spelled in several ways, such as identifiers.
    """

    scores: Scores
    coverage: Scores
    rarest: Scores
    named: Scores

    def best(self, count: int, ids: Sequence[str]) -> list[int]:
        """Return the `count` best places that match at all, best first, ties ended by id."""
        found = np.flatnonzero(self.scores > 0.0)
        if len(found) > count > 0:
            least = np.partition(self.scores[found], len(found) - count)[len(found) - count]
            found = found[self.scores[found] >= least]
        return sorted(found.tolist(), key=lambda place: (-self.scores[place], ids[place]))[:count]


class LexicalIndex:
    """Which words stand in which memories. Adding costs the words of one memory, a query the postings of its words."""

    def __init__(self) -> None:
        self._ids: list[str | None] = []
        self._slots: dict[str, int] = {}
        self._lengths = array("H")
        self._postings: dict[str, array[int]] = {}
        self._unasked: TextWords | None = None
        self._layout: int | None = None
        self._known_places = np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._slots

    def add(self, memory_id: str, terms: Iterable[str]) -> None:
        """Enter a memory by the words that it can be found by; one that was there is entered anew."""
        self.remove(memory_id)
        slot, length = len(self._ids), 0
        for term, count in Counter(terms).items():
            length += count if term[0] != ALIAS else 0
            postings = self._held(term) or self._postings.setdefault(term, array("I"))
            postings.append(slot << _COUNT_BITS | min(count, _MOST_COUNTED))
        self._ids.append(memory_id)
        self._slots[memory_id] = slot
        self._lengths.append(min(length, _LONGEST))

    def add_all(self, memories: Mapping[str, Dated]) -> None:
        """Enter many memories into an empty index, each by its text and when it was written.

        The postings of a word are made when it is asked for: that costs a small part of entering all words.
        """
        assert not self._ids, "entered into an index that is not empty"
        self._ids = [*memories]
        self._slots = {one: slot for slot, one in enumerate(memories)}
        self._unasked = TextWords([*memories.values()])
        self._lengths = array("H", np.minimum(self._unasked.lengths, _LONGEST).tolist())

    def remove(self, memory_id: str) -> None:
        """Leave a memory out; one that is not there makes no difference."""
        slot = self._slots.pop(memory_id, None)
        if slot is None:
            return
        self._ids[slot] = None
        if slot < len(self._known_places):
            self._known_places[slot] = -1
        if len(self._slots) < _LEAST_USED * len(self._ids) - 64:
            self._pack()

    def match(
        self, groups: Iterable[Group], eligible: Mask, position: Callable[[str], int | None], *, layout: int
    ) -> Matches:
        """Return how well each place of `eligible`, shape (n,), matches the words of a query, in whatever spelling.

        `position` tells the place of a memory, and `layout` is another number whenever places that it told have moved;
        a memory that has no place, or that is not entered yet, matches nothing.
        """
        count = len(eligible)
        scores, coverage, rarest, named = np.zeros((4, count))
        places = self._places(position, layout)
        lengths = np.array(self._lengths, dtype=np.float64)
        in_use = (places >= 0) & (places < count)
        in_use[in_use] = eligible[places[in_use]]
        total = int(in_use.sum())
        if not total:
            return Matches(scores, coverage, rarest, named)
        norm = _SATURATION * (1.0 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / max(lengths[in_use].mean(), 1.0))
        held, whole = self._rarest(groups, in_use, total)
        for rarity, weight, is_named, slots, counts in held:
            whole += rarity * weight
            found = places[slots]
            scores[found] += rarity * weight * counts * (_SATURATION + 1.0) / (counts + norm[slots])
            coverage[found] += rarity * weight
            for best in (rarest, named) if is_named else (rarest,):
                best[found] = np.maximum(best[found], rarity / _rarity(1, total))
        return Matches(scores, coverage / whole if whole else coverage, rarest, named)

    def _rarest(
        self, groups: Iterable[Group], in_use: Mask, total: int
    ) -> tuple[list[tuple[float, int, bool, Places, Scores]], float]:
        """Return (rarity, count in the query, is named, slots, counts) of the rarest held words, rarest first.

        And the weight of all the words that nothing holds: they push out none that something does.
        """
        held, unheard = [], 0
        for group, weight in sorted(Counter(tuple(filter(self._held, group)) for group in groups).items()):
            # Of the alternatives in one text the most frequent counts: it is sorted behind the others.
            packed = np.sort(np.concatenate([np.zeros(0, dtype=np.int64), *map(self._held, group)]), kind="stable")
            packed = packed[(np.diff(packed >> _COUNT_BITS, append=-1) != 0) & in_use[packed >> _COUNT_BITS]]
            if len(packed):
                slots, counts = packed >> _COUNT_BITS, (packed & _MOST_COUNTED).astype(np.float64)
                is_named = any(len(one) > _SHORTEST_NAME and not one.isalpha() for one in group)
                held.append((_rarity(len(packed), total), weight, is_named, slots, counts))
            else:
                unheard += weight
        held.sort(key=lambda one: -one[0])
        return held[:_MOST_TERMS], unheard * _rarity(0, total)

    def _held(self, term: str) -> array[int] | None:
        """Return the postings of a word, or of several that stand together; None where nothing has it."""
        found = self._postings.get(term)
        if found is None and self._unasked is not None and term in self._unasked.terms:
            slots, counts = self._unasked.find(term)
            packed = slots << _COUNT_BITS | np.minimum(counts, _MOST_COUNTED)
            found = self._postings[term] = array("I", packed.tolist())
        if found is None and " " in term[1:]:
            packed = np.sort(np.concatenate([np.array(self._held(one) or (), dtype=np.int64) for one in term.split()]))
            last = packed[term.count(" ") :]
            return array("I", packed[: len(last)][packed[: len(last)] >> _COUNT_BITS == last >> _COUNT_BITS].tolist())
        return found

    def _places(self, position: Callable[[str], int | None], layout: int) -> Places:
        """Return the place of each slot, -1 where its memory has none; what is known is asked again when it moved."""
        known = self._known_places if layout == self._layout else np.zeros(0, dtype=np.int64)
        asked = [position(one) if one is not None else -1 for one in self._ids[len(known) :]]
        found = np.array([-1 if place is None else place for place in asked], dtype=np.int64)
        places = np.concatenate((known, found))
        # What has no place yet may have one at the next call.
        settled = next((slot for slot, place in enumerate(asked, len(known)) if place is None), len(places))
        self._known_places, self._layout = places[:settled], layout
        return places

    def _pack(self) -> None:
        """Number the slots in use anew, in their order."""
        for term in self._unasked.terms if self._unasked is not None else ():
            self._held(term)
        self._unasked = None
        kept = [slot for slot, one in enumerate(self._ids) if one is not None]
        numbers = np.full(len(self._ids), -1, dtype=np.int64)
        numbers[kept] = np.arange(len(kept))
        postings: dict[str, array[int]] = {}
        for term, packed in self._postings.items():
            old = np.array(packed, dtype=np.int64)
            slots = numbers[old >> _COUNT_BITS]
            left = (slots << _COUNT_BITS | (old & _MOST_COUNTED))[slots >= 0]
            if len(left):
                postings[term] = array("I", left.tolist())
        self._postings = postings
        self._lengths = array("H", [self._lengths[slot] for slot in kept])
        self._ids = [self._ids[slot] for slot in kept]
        self._slots = {one: slot for slot, one in enumerate(self._ids) if one is not None}
        self._layout = None


def _rarity(holders: int, total: int) -> float:
    """Return how much a word says that so many of `total` texts hold."""
    return math.log(1.0 + (_UNSEEN + total - holders + 0.5) / (holders + 0.5))
