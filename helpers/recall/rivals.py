"""Two memories of which nobody can say which one holds stand side by side in the prompt, newest last (C-96). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..records import said_at
from .candidates import Scored
from .select import Selection


class Rival(NamedTuple):
    """What a memory is at odds with, or, where that `is_possible`, only looks so."""

    scored: Scored
    is_possible: bool = False


def put_beside(selection: Selection, rivals: Mapping[str, Sequence[Rival]], *, limit: int) -> Selection:
    """Return `selection` with each memory's open `rivals` beside it, older first, each with its date.

    What they push over the `limit` is left out, the last first; of two that are at odds neither goes alone.
    """
    groups: list[list[Scored]] = []
    placed: set[str] = set()
    for one in selection.memories:
        if one.memory.id not in placed:
            others = (rival.scored for rival in rivals.get(one.memory.id, ()))
            group = [one, *(other for other in others if other.memory.id not in placed)]
            group.sort(key=lambda each: (said_at(each.memory), each.memory.id))
            groups.append(group)
            placed.update(each.memory.id for each in group)
    room = limit - len(selection.solutions)
    while sum(map(len, groups)) > max(room, 0) and (lone := [group for group in groups if len(group) == 1]):
        groups.remove(lone[-1])
    memories = tuple(one for group in groups for one in group)
    kept = {one.memory.id for one in memories}
    cut = tuple((one, f"over the cap of {limit}") for one in selection.memories if one.memory.id not in kept)
    left_out = (*(pair for pair in selection.left_out if pair[0].memory.id not in kept), *cut)
    contested = frozenset(one.memory.id for group in groups if len(group) > 1 for one in group)
    certain = {
        memory_id
        for one_id, found in rivals.items()
        for rival in found
        if not rival.is_possible
        for memory_id in (one_id, rival.scored.memory.id)
    }
    return replace(selection, memories=memories, left_out=left_out, contested=contested, possible=contested - certain)
