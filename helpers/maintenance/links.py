"""The links between memories, and the replacement of a link to a memory that is gone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from ..ledger.changes import Repoint
from ..ledger.lifecycle import follow_to_head, is_classified, status_of
from ..records import Lineage, Memory
from ..setting_groups import RelatedMemories

#: A tag on a larger share of the memories links nothing by itself, unless it is on as few as this.
COMMON_SHARE = 0.01
COMMON_COUNT = 50

#: The number of newer partners of a memory that are considered.
_MOST_PARTNERS = 64
# The axes are no tags. Utility, area and role are on nearly every memory, so a shared value says nothing.
_NO_TAGS = ("validity:", "relevance:", "source:", "utility:", "area:", "role:")
#: The pairs, and the memories, that are worked on between two pauses.
_PAIRS_AT_ONCE, _MEMORIES_AT_ONCE = 2_000, 16

Numbers = np.ndarray[Any, np.dtype[np.int64]]
_NONE: Numbers = np.zeros(0, dtype=np.int64)


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
    ranked = sorted(memories, key=lambda memory: (-memory.written_at, memory.memory_id))
    tags = [counting_tags(memory.tags) for memory in ranked]
    most, links = settings.max_related_per_memory, defaultdict[int, list[int]](list)
    overlaps, newer_ranks, older_ranks = _find_pairs(tags, settings.tag_overlap_threshold, pause)
    order = np.lexsort((older_ranks, newer_ranks, -overlaps))
    for start in range(0, len(order), _PAIRS_AT_ONCE):
        chosen = order[start : start + _PAIRS_AT_ONCE]
        for newer, older in zip(newer_ranks[chosen].tolist(), older_ranks[chosen].tolist(), strict=True):
            if len(links[newer]) < most and len(links[older]) < most:
                links[newer].append(older)
                links[older].append(newer)
        pause()
    return {
        ranked[rank].memory_id: tuple(ranked[other].memory_id for other in others)
        for rank, others in links.items()
        if others
    }


def counting_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags that count in an overlap: the domain and the topics."""
    return frozenset(tag for tag in tags if not tag.startswith(_NO_TAGS))


def _find_pairs(
    tags: Sequence[frozenset[str]], threshold: int, pause: Callable[[], None]
) -> tuple[Numbers, Numbers, Numbers]:
    """Return the pairs with enough shared tags, at least one of them rare; `tags` are those of each rank.

    A pair is the number of shared tags, and the ranks of the newer and of the older memory.
    """
    holders = defaultdict[str, list[int]](list)
    for rank, own in enumerate(tags):
        for tag in own:
            holders[tag].append(rank)
    limit = max(COMMON_SHARE * len(tags), COMMON_COUNT)
    rare = {tag: np.array(ranks) for tag, ranks in holders.items() if 1 < len(ranks) <= limit}
    common = {tag: np.isin(np.arange(len(tags)), ranks) for tag, ranks in holders.items() if len(ranks) > limit}
    entered, tally = Counter[str](), np.zeros(len(tags), dtype=np.int64)
    pairs: list[tuple[Numbers, Numbers, Numbers]] = [(_NONE, _NONE, _NONE)]
    for rank, own in enumerate(tags):
        earlier = [rare[tag][: entered[tag]] for tag in own & rare.keys()]
        entered.update(own)
        near = np.concatenate([_NONE, *earlier])
        for ranks in earlier:
            tally[ranks] += 1
        shared = tally[near]
        tally[near] = 0
        for tag in own & common.keys():
            shared += common[tag][near]
        newer, first = np.unique(near[shared >= threshold], return_index=True)
        overlaps = shared[shared >= threshold][first]
        best = np.lexsort((-newer, -overlaps))[:_MOST_PARTNERS]
        pairs.append((overlaps[best], newer[best], np.full(len(best), rank)))
        if rank % _MEMORIES_AT_ONCE == 0:
            pause()
    overlaps, newer, older = map(np.concatenate, zip(*pairs, strict=True))
    return overlaps, newer, older


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
