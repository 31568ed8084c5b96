"""The search by words: BM25 over the memories that may take part, kept up to date memory by memory (T-66).

Words are stemmed; numbers, versions, paths and identifiers stay whole. The score depends on what may take part and on
nothing else: not on what was removed, nor on the order in which memories came.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .text_words import ALIAS, Dated, Group, TextWords
from .text_words import parse_query as parse_query
from .text_words import parse_terms as parse_terms

Mask = npt.NDArray[np.bool_]
Slots = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

# Short texts: how often a word stands in one says little, and its length says little (tuned on the benchmark's part).
_SATURATION = 0.9
_LENGTH_SHARE = 0.3
# A small store says little about how rare a word is: it counts as if so many more texts had been looked at.
_UNSEEN = 100
_NONE: Slots = np.zeros(0, dtype=np.int64)
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


class Matches(NamedTuple):
    """What the words of m queries found at n places, each of shape (m, n).

    `scores` is BM25, at least 0; `coverage` the share of the query's words, weighted by rarity, in 0..1; `rarest` how
    rare the rarest of them is that stands there, 1 where no other memory has it; `named` the same of numbers and of
    what is spelled in several ways, such as identifiers.
    """

    scores: Scores
    coverage: Scores
    rarest: Scores
    named: Scores

    def best(self, count: int, ids: Sequence[str]) -> list[list[int]]:
        """Return for each query the `count` best places that match at all, best first, ties ended by id."""
        return [_best(scores, count, ids) for scores in self.scores]

    def take(self, places: Sequence[int]) -> Matches:
        """Return the same of some places, shape (m, k)."""
        return Matches(*(one[:, list(places)] for one in self))


def _best(scores: Scores, count: int, ids: Sequence[str]) -> list[int]:
    found = np.flatnonzero(scores > 0.0)
    if len(found) > count > 0:
        found = found[scores[found] >= np.partition(scores[found], len(found) - count)[len(found) - count]]
    return sorted(found.tolist(), key=lambda place: (-scores[place], ids[place]))[:count]


class LexicalIndex:
    """Which words stand in which memories. Adding costs the words of one memory, a query the postings of its words."""

    def __init__(self) -> None:
        self._ids: list[str] = []  # by slot; "" where a memory was left out
        self._slots: dict[str, int] = {}
        self._lengths = array("H")
        self._postings: dict[str, array[int]] = {}
        self._unasked: TextWords | None = None
        self._places: Mapping[str, int] = {}
        self._located = _NONE

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, memory_id: str) -> bool:
        return memory_id in self._slots

    def add(self, memory_id: str, terms: Iterable[str]) -> None:
        """Enter a memory by the words that it can be found by; one that was there is entered anew."""
        self.remove(memory_id)
        slot, counts = len(self._ids), Counter(terms)
        for term, count in counts.items():
            self._ask(term)
            self._postings.setdefault(term, array("I")).append(slot << _COUNT_BITS | min(count, _MOST_COUNTED))
        self._ids.append(memory_id)
        self._slots[memory_id] = slot
        self._lengths.append(min(sum(count for term, count in counts.items() if term[0] != ALIAS), _LONGEST))

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
        if slot is not None:
            self._ids[slot] = ""
            self._located[slot : slot + 1] = -1
            if len(self._slots) < _LEAST_USED * len(self._ids) - 64:
                self._pack()

    def match(self, queries: Sequence[Sequence[Group]], eligible: Mask, places: Mapping[str, int]) -> Matches:
        """Return how well each place of `eligible`, shape (n,), matches the words of each query, however spelled.

        `places` tells where a memory stands, and is another mapping once any of them has moved; what has no place
        matches nothing.
        """
        found = Matches(*np.zeros((4, len(queries), len(eligible))))
        at = self._locate(places)
        in_use = (at >= 0) & (at < len(eligible))
        in_use[in_use] = eligible[at[in_use]]
        if total := int(in_use.sum()):
            lengths = np.array(self._lengths, dtype=np.float64)
            norm = _SATURATION * (1.0 - _LENGTH_SHARE + _LENGTH_SHARE * lengths / max(lengths[in_use].mean(), 1.0))
            for row, groups in enumerate(queries):
                held, whole = self._rarest(groups, in_use, total)
                whole += sum(rarity * weight for rarity, weight, *_ in held)
                for rarity, weight, is_named, slots, counts in held:
                    there = row, at[slots]
                    found.scores[there] += rarity * weight * counts * (_SATURATION + 1.0) / (counts + norm[slots])
                    found.coverage[there] += rarity * weight / whole
                    for best in (found.rarest, found.named) if is_named else (found.rarest,):
                        best[there] = np.maximum(best[there], rarity / _rarity(1, total))
        return found

    def _rarest(
        self, groups: Iterable[Group], in_use: Mask, total: int
    ) -> tuple[list[tuple[float, int, bool, Slots, Scores]], float]:
        """Return (rarity, count in the query, is named, slots, counts) of the rarest held words, rarest first.

        And the weight of all the words that nothing holds: they push out none that something does.
        """
        held, unheard = [], 0
        known = (tuple(one for one in group if len(self._held(one))) for group in groups)
        for group, weight in sorted(Counter(known).items()):
            # Of the alternatives in one text the most frequent counts: it is sorted behind the others.
            packed = np.sort(np.concatenate([_NONE, *map(self._held, group)]))
            packed = packed[(np.diff(packed >> _COUNT_BITS, append=-1) != 0) & in_use[packed >> _COUNT_BITS]]
            if len(packed):
                slots, counts = packed >> _COUNT_BITS, (packed & _MOST_COUNTED).astype(np.float64)
                is_named = any(len(one) > _SHORTEST_NAME and not one.isalpha() for one in group)
                held.append((_rarity(len(packed), total), weight, is_named, slots, counts))
            else:
                unheard += weight
        held.sort(key=lambda one: -one[0])
        return held[:_MOST_TERMS], unheard * _rarity(0, total)

    def _held(self, term: str) -> Slots:
        """Return the postings of a word, or of several that stand together."""
        self._ask(term)
        if " " not in term[1:] or term in self._postings:
            return np.array(self._postings.get(term, ()), dtype=np.int64)
        packed = np.sort(np.concatenate([self._held(one) for one in term.split()]))
        first, last = packed[: -term.count(" ")], packed[term.count(" ") :]
        return np.asarray(first[first >> _COUNT_BITS == last >> _COUNT_BITS])

    def _ask(self, term: str) -> None:
        """Make the postings of a word of those that were entered at once, unless they are made."""
        if self._unasked is not None and term not in self._postings and term in self._unasked.terms:
            slots, counts = self._unasked.find(term)
            packed = slots << _COUNT_BITS | np.minimum(counts, _MOST_COUNTED)
            self._postings[term] = array("I", packed.tolist())

    def _locate(self, places: Mapping[str, int]) -> Slots:
        """Return the place of each slot, -1 where it has none; what is known is asked again when places have moved."""
        known = self._located if places is self._places else _NONE
        asked = [places.get(memory_id, -1) for memory_id in self._ids[len(known) :]]
        at = np.concatenate((known, np.array(asked, dtype=np.int64)))
        # What has no place yet may have one at the next call.
        late = (slot for slot, place in enumerate(asked, len(known)) if place < 0 and self._ids[slot])
        self._places, self._located = places, at[: next(late, len(at))]
        return at

    def _pack(self) -> None:
        """Number the slots in use anew, in their order."""
        for term in self._unasked.terms if self._unasked is not None else ():
            self._ask(term)
        self._unasked, self._located = None, _NONE
        is_used = np.array([memory_id != "" for memory_id in self._ids], dtype=bool)
        lost = (np.arange(len(is_used)) + 1 - np.cumsum(is_used)) << _COUNT_BITS
        for term, packed in list(self._postings.items()):
            old = np.array(packed, dtype=np.int64)
            left = (old - lost[old >> _COUNT_BITS])[is_used[old >> _COUNT_BITS]]
            self._postings[term] = array("I", left.tolist())
            if not len(left):
                del self._postings[term]
        self._lengths = array("H", np.array(self._lengths)[is_used].tolist())
        self._ids = [*filter(None, self._ids)]
        self._slots = {one: slot for slot, one in enumerate(self._ids)}


def _rarity(holders: int, total: int) -> float:
    """Return how much a word says that so many of `total` texts hold."""
    return math.log(1.0 + (_UNSEEN + total - holders + 0.5) / (holders + 0.5))
