"""What speaks of one thing stands side by side in the prompt, and what holds stands last (C-47, C-96). Pure.

A model believes what it reads last. So of two memories of one thing the user's stands behind what only others said, and
what was said later behind what was said before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ..clock import HOST_RESOLUTION
from ..ledger.copies import is_users_word
from ..ledger.mentions import SOFT, are_rivals
from ..ledger.pairing import Sides
from ..records import Memory, is_only_written, order_of
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
            group.sort(key=lambda each: _standing(each.memory))
            groups.append(group)
            placed.update(each.memory.id for each in group)
    room = limit - len(selection.solutions)
    while sum(map(len, groups)) > max(room, 0) and (lone := [group for group in groups if len(group) == 1]):
        groups.remove(lone[-1])
    memories = tuple(one for group in groups for one in group)
    contested = frozenset(one.memory.id for group in groups if len(group) > 1 for one in group)
    certain = {
        memory_id
        for one_id, found in rivals.items()
        for rival in found
        if not rival.is_possible
        for memory_id in (one_id, rival.scored.memory.id)
    }
    return selection.holding(memories, limit, contested=contested, possible=contested - certain)


def order_by_standing(selection: Selection) -> Selection:
    """Return `selection` with what speaks of one thing side by side, where the first of it stood, what holds last."""
    groups: list[list[Scored]] = []
    for one in selection.memories:
        near = [group for group in groups if any(_speak_of_one_thing(one.memory, two.memory) for two in group)]
        if near:
            near[0].append(one)
        else:
            groups.append([one])
    return replace(
        selection,
        memories=tuple(one for group in groups for one in sorted(group, key=lambda each: _standing(each.memory))),
    )


def _standing(memory: Memory) -> tuple[bool, datetime, str]:
    """Return the sort key of a memory among those of one thing: others' word, the user's, each by when it was said."""
    return is_users_word(memory), order_of(memory) + is_only_written(memory) * HOST_RESOLUTION, memory.id


def _speak_of_one_thing(one: Memory, other: Memory) -> bool:
    """Whether two texts share a word, and each has a name or a number in the place of the other's.

    Where they share two words, it is enough that they are of one tier, or that only one of them is the user's word.
    """
    sides = Sides.of(one.text, other.text)
    tiers = {each.classification and each.classification.utility for each in (one, other)}
    shared = sum(item.weight >= SOFT for item in sides.kept)
    if shared > 1 and (is_users_word(one) is not is_users_word(other) or len(tiers) == 1):
        return True
    return shared > 0 and any(are_rivals(gone, come) for gone in sides.gone for come in sides.come)
