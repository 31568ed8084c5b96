"""Which memories are linked: those that share tags, each with a few of the others (E-33, E-68, E-70, T-11). Pure.

Two memories are linked if they share `tag_overlap_threshold` tags, among them one that is not on very many memories:
without that, nearly everything of one area and utility would be linked. Links are mutual. The strongest overlap comes
first, of equal ones the newer pair, then the ids; a memory that has its full number takes part in no more.

An inverted index of tags finds the pairs, newest memory first; nobody compares all with all. Of its newer partners a
memory considers the 64 strongest, of equal ones the nearest in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..setting_groups import RelatedMemories

Ints = npt.NDArray[np.int32]
Bits = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int16]

#: A tag on a larger share of the memories than this links nothing by itself, unless it is on this few.
COMMON_SHARE = 0.01
COMMON_COUNT = 50

#: So many of the newer partners of a memory are considered.
_MOST_PARTNERS = 64
# The axes are no tags, but for the utility (E-82).
_NO_TAGS = ("validity:", "relevance:", "source:")
_BITS = np.array([bin(number).count("1") for number in range(256)], dtype=np.uint8)
_SLICE = 2_000


@dataclass(frozen=True, slots=True)
class Tagged:
    """An active memory, the moment it was written (seconds, any epoch) and its tags."""

    memory_id: str
    written_at: float
    tags: tuple[str, ...]


def find_links(
    memories: Sequence[Tagged], settings: RelatedMemories, *, pause: Callable[[], None] = lambda: None
) -> dict[str, tuple[str, ...]]:
    """Return for each of `memories` that has any the ids that it is linked to, the strongest first.

    The result depends on nothing but the memories, in whatever order they come. `pause` is called again and again.
    """
    newest_first = sorted(memories, key=lambda one: (-one.written_at, one.memory_id))
    index = _TagIndex([counting_tags(one.tags) for one in newest_first])
    pairs = _find_pairs(index, settings.tag_overlap_threshold, pause)
    links = _choose(pairs, len(newest_first), settings.max_related_per_memory, pause)
    ids = [one.memory_id for one in newest_first]
    return {ids[one]: tuple(ids[other] for other in others) for one, others in links.items()}


def counting_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags that count in an overlap (E-82)."""
    return frozenset(tag for tag in tags if not tag.startswith(_NO_TAGS))


class _TagIndex:
    """Which memories have which tag, by their rank; the tags of very many stand apart, as bits."""

    def __init__(self, tags: Sequence[frozenset[str]]) -> None:
        self.count = len(tags)
        numbers = Counter(tag for one in tags for tag in one)
        limit = max(COMMON_SHARE * self.count, COMMON_COUNT)
        common = {tag: place for place, tag in enumerate(sorted(tag for tag in numbers if numbers[tag] > limit))}
        shared = {tag for tag, number in numbers.items() if 1 < number <= limit}
        self.rare = [sorted(one & shared) for one in tags]
        self._postings = {tag: np.zeros(numbers[tag], dtype=np.int32) for tag in shared}
        self._filled = dict.fromkeys(shared, 0)
        flags = np.zeros((self.count, len(common)), dtype=np.bool_)
        for rank, one in enumerate(tags):
            for tag in one:
                if tag in common:
                    flags[rank, common[tag]] = True
        self.common: Bits = np.packbits(flags, axis=1)

    def add(self, rank: int) -> None:
        """Enter a memory under its tags; call it in the order of ranks."""
        for tag in self.rare[rank]:
            filled = self._filled[tag]
            self._postings[tag][filled] = rank
            self._filled[tag] = filled + 1

    def newer(self, rank: int) -> list[Ints]:
        """Return for each rare tag of a memory the ranks of those that were entered before and have it too."""
        found = ((self._postings[tag], self._filled[tag]) for tag in self.rare[rank])
        return [postings[:filled] for postings, filled in found if filled]


def _find_pairs(index: _TagIndex, threshold: int, pause: Callable[[], None]) -> tuple[Counts, Ints, Ints]:
    """Return the pairs that share enough tags: how many, and the ranks of the newer and of the older memory."""
    overlaps: list[Counts] = []
    newer: list[Ints] = []
    older: list[Ints] = []
    tally = np.zeros(index.count, dtype=np.int16)
    for rank in range(index.count):
        postings = index.newer(rank)
        index.add(rank)
        if postings:
            found, overlap = _partners(index, rank, postings, tally, threshold)
            newer.append(found)
            overlaps.append(overlap)
            older.append(np.full(len(found), rank, dtype=np.int32))
        if rank % 16 == 0:
            pause()
    if not newer:
        nothing = np.zeros(0, dtype=np.int32)
        return np.zeros(0, dtype=np.int16), nothing, nothing
    return np.concatenate(overlaps), np.concatenate(newer), np.concatenate(older)


def _partners(index: _TagIndex, rank: int, postings: list[Ints], tally: Counts, threshold: int) -> tuple[Ints, Counts]:
    """Return the newer memories that share enough tags with one, and how many; `tally` is zero before and after."""
    for one in postings:
        tally[one] += 1
    found = np.concatenate(postings)
    shared = tally[found]
    if index.common.shape[1]:
        own = index.common[rank]
        shared = shared + _BITS[index.common[found] & own].sum(axis=1, dtype=np.int16)
    is_enough = shared >= threshold
    tally[found] = 0
    found, where = np.unique(found[is_enough], return_index=True)
    shared = shared[is_enough][where]
    if len(found) > _MOST_PARTNERS:
        best = np.lexsort((-found, -shared))[:_MOST_PARTNERS]
        found, shared = found[best], shared[best]
    return found, shared


def _choose(pairs: tuple[Counts, Ints, Ints], count: int, most: int, pause: Callable[[], None]) -> dict[int, list[int]]:
    """Return the links of each memory by rank: the pairs in their order, as long as both have room (E-70)."""
    overlaps, newer, older = pairs
    links: dict[int, list[int]] = {}
    is_full = np.zeros(count, dtype=np.bool_) if most else np.ones(count, dtype=np.bool_)
    order = np.lexsort((older, newer, -overlaps))
    for start in range(0, len(order), _SLICE):
        part = order[start : start + _SLICE]
        part = part[~(is_full[newer[part]] | is_full[older[part]])]
        for one, other in zip(newer[part].tolist(), older[part].tolist(), strict=True):
            of_one, of_other = links.setdefault(one, []), links.setdefault(other, [])
            if len(of_one) < most and len(of_other) < most:
                of_one.append(other)
                of_other.append(one)
                is_full[one] = len(of_one) >= most
                is_full[other] = len(of_other) >= most
        pause()
    return {one: others for one, others in links.items() if others}
