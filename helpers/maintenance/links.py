"""The links between memories, and the replacement of a link to a memory that is gone."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from ..ledger.changes import Repoint
from ..ledger.lifecycle import follow_to_head, is_classified, status_of
from ..records import Lineage, Memory
from ..setting_groups import RelatedMemories

Ints = npt.NDArray[np.int32]
Bits = npt.NDArray[np.uint8]
Longs = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int16]

#: A tag on a larger share of the memories links nothing by itself, unless it is on as few as this.
COMMON_SHARE = 0.01
COMMON_COUNT = 50

#: The number of newer partners of a memory that are considered.
_MOST_PARTNERS = 64
# The axes are no tags. Utility, area and role are on nearly every memory, so a shared value says nothing.
_NO_TAGS = ("validity:", "relevance:", "source:", "utility:", "area:", "role:")
_BITS = np.array([bin(number).count("1") for number in range(256)], dtype=np.uint8)
_SLICE = 2_000


@dataclass(frozen=True, slots=True)
class Tagged:
    """An active memory, the moment it was written (seconds, any epoch) and its tags."""

    memory_id: str
    written_at: float
    tags: tuple[str, ...]


def find_links(
    memories: Iterable[Tagged], settings: RelatedMemories, *, pause: Callable[[], None] = lambda: None
) -> dict[str, tuple[str, ...]]:
    """Return the ids of the linked memories for each of `memories` that has any, the strongest first.

    The result does not depend on the order of the memories. `pause` is called again and again.
    """
    index = _TagIndex(memories)
    pairs = _find_pairs(index, settings.tag_overlap_threshold, pause)
    links = _choose(pairs, len(index.ids), settings.max_related_per_memory, pause)
    return {index.ids[rank]: tuple(index.ids[other] for other in others) for rank, others in links.items()}


def counting_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags that count in an overlap: the domain and the topics."""
    return frozenset(tag for tag in tags if not tag.startswith(_NO_TAGS))


class _TagIndex:
    """The memories of each tag, newest memory first; very frequent tags are kept apart, as bits.

    All in flat arrays: a few objects for each memory would slow down the garbage collector of the process.
    """

    def __init__(self, memories: Iterable[Tagged]) -> None:
        ids: list[str] = []
        written, tags, ends = array("d"), array("q"), array("q")
        numbers: dict[str, int] = {}
        for memory in memories:
            ids.append(memory.memory_id)
            written.append(memory.written_at)
            tags.extend(numbers.setdefault(tag, len(numbers)) for tag in counting_tags(memory.tags))
            ends.append(len(tags))
        count = len(ids)
        by_id = np.argsort(np.argsort(np.array(ids, dtype=object), kind="stable"))
        order = np.lexsort((by_id, -np.array(written, dtype=np.float64)))
        self.ids = [ids[place] for place in order.tolist()]
        ranks = np.empty(count, dtype=np.int64)
        ranks[order] = np.arange(count)
        tag_of, rank_of = self._by_rank(np.array(tags, dtype=np.int64), np.array(ends, dtype=np.int64), ranks)
        frequency = np.bincount(tag_of, minlength=len(numbers))
        limit = max(COMMON_SHARE * count, COMMON_COUNT)
        self._fill_common(tag_of, rank_of, frequency > limit)
        is_rare = (frequency > 1) & (frequency <= limit)
        kept = is_rare[tag_of]
        self._tags = tag_of[kept]
        self._ends = np.cumsum(np.bincount(rank_of[kept], minlength=count))
        size = np.where(is_rare, frequency, 0)
        self._first = (np.cumsum(size) - size).tolist()
        self._filled = list(self._first)
        self._postings = np.zeros(int(size.sum()), dtype=np.int32)

    @staticmethod
    def _by_rank(tags: Longs, ends: Longs, ranks: Longs) -> tuple[Longs, Longs]:
        """Return every tag of every memory with the rank of the memory, by rank."""
        rank_of = np.repeat(ranks, np.diff(ends, prepend=0))
        order = np.argsort(rank_of, kind="stable")
        return tags[order], rank_of[order]

    def _fill_common(self, tag_of: Longs, rank_of: Longs, is_common: npt.NDArray[np.bool_]) -> None:
        places = np.cumsum(is_common) - 1
        kept = is_common[tag_of]
        flags = np.zeros((len(self.ids), int(is_common.sum())), dtype=np.bool_)
        flags[rank_of[kept], places[tag_of[kept]]] = True
        self.common: Bits = np.packbits(flags, axis=1)

    def enter(self, rank: int) -> list[Ints]:
        """Enter a memory, in the order of ranks; return for each rare tag the earlier memories that have it too."""
        sharing: list[Ints] = []
        start = int(self._ends[rank - 1]) if rank else 0
        for tag in self._tags[start : int(self._ends[rank])].tolist():
            first, filled = self._first[tag], self._filled[tag]
            if filled > first:
                sharing.append(self._postings[first:filled])
            self._postings[filled] = rank
            self._filled[tag] = filled + 1
        return sharing


def _find_pairs(index: _TagIndex, threshold: int, pause: Callable[[], None]) -> tuple[Counts, Ints, Ints]:
    """Return the pairs that share enough tags: the number of tags, and the ranks of the newer and the older memory."""
    overlaps: list[Counts] = []
    newer: list[Ints] = []
    older: list[Ints] = []
    count = len(index.ids)
    tally = np.zeros(count, dtype=np.int16)
    for rank in range(count):
        postings = index.enter(rank)
        if postings:
            partners, overlap = _partners(index, rank, postings, tally, threshold)
            newer.append(partners)
            overlaps.append(overlap)
            older.append(np.full(len(partners), rank, dtype=np.int32))
        if rank % 16 == 0:
            pause()
    if not newer:
        nothing = np.zeros(0, dtype=np.int32)
        return np.zeros(0, dtype=np.int16), nothing, nothing
    return np.concatenate(overlaps), np.concatenate(newer), np.concatenate(older)


def _partners(index: _TagIndex, rank: int, postings: list[Ints], tally: Counts, threshold: int) -> tuple[Ints, Counts]:
    """Return the newer memories that share enough tags with one, and how many; `tally` is zero before and after."""
    for posting in postings:
        tally[posting] += 1
    partners = np.concatenate(postings)
    shared = tally[partners]
    if index.common.shape[1]:
        own = index.common[rank]
        shared = shared + _BITS[index.common[partners] & own].sum(axis=1, dtype=np.int16)
    is_enough = shared >= threshold
    tally[partners] = 0
    partners, where = np.unique(partners[is_enough], return_index=True)
    shared = shared[is_enough][where]
    if len(partners) > _MOST_PARTNERS:
        best = np.lexsort((-partners, -shared))[:_MOST_PARTNERS]
        partners, shared = partners[best], shared[best]
    return partners, shared


def _choose(
    pairs: tuple[Counts, Ints, Ints], count: int, most: int, pause: Callable[[], None]
) -> dict[int, Sequence[int]]:
    """Return the links of each memory by rank: the pairs in their order, as long as both have room."""
    overlaps, newer, older = pairs
    links: dict[int, array[int]] = {}
    is_full = np.zeros(count, dtype=np.bool_) if most else np.ones(count, dtype=np.bool_)
    order = np.lexsort((older, newer, -overlaps))
    for start in range(0, len(order), _SLICE):
        part = order[start : start + _SLICE]
        part = part[~(is_full[newer[part]] | is_full[older[part]])]
        for rank, other in zip(newer[part].tolist(), older[part].tolist(), strict=True):
            of_one, of_other = links.setdefault(rank, array("q")), links.setdefault(other, array("q"))
            if len(of_one) < most and len(of_other) < most:
                of_one.append(other)
                of_other.append(rank)
                is_full[rank] = len(of_one) >= most
                is_full[other] = len(of_other) >= most
        pause()
    return {rank: others for rank, others in links.items() if others}


IsThere = Callable[[str], bool]


def find_heirs(records: Iterable[tuple[str, Lineage]]) -> dict[str, str]:
    """Return by id the memory that says it replaced that one; the first by id of several."""
    heirs: dict[str, str] = {}
    for memory_id, lineage in sorted(records, key=lambda record: record[0]):
        for replaced in (*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])):
            if replaced != memory_id:
                heirs.setdefault(replaced, memory_id)
    return heirs


def decide_repair(memory: Memory, heirs: Mapping[str, str], is_there: IsThere, *, at: datetime) -> Repoint | None:
    """Return the new pointers of `memory`: the heir of its winner, and the latest loser that is left, or none."""
    if not is_classified(memory):
        return None
    _, lineage = status_of(memory)
    winner, loser = lineage.superseded_by, lineage.supersedes
    if memory.is_deprecated and (winner is None or not is_there(winner)):
        winner = _find_winner(winner or memory.id, memory.id, heirs, is_there)
    if loser is not None and not is_there(loser):
        loser = next((memory_id for memory_id in reversed(lineage.supersedes_ids) if is_there(memory_id)), None)
    if (winner, loser) == (lineage.superseded_by, lineage.supersedes):
        return None
    return Repoint(memory_id=memory.id, at=at, superseded_by=winner, supersedes=loser)


def _find_winner(start: str, memory_id: str, heirs: Mapping[str, str], is_there: IsThere) -> str | None:
    """Return the first memory that is left in the line of heirs that begins at `start`."""
    head = follow_to_head(start, lambda heir: heirs.get(heir) if heir == start or not is_there(heir) else None)
    return head if head != memory_id and is_there(head) else None
