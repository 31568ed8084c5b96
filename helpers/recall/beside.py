"""What is put beside what was chosen: what speaks of one thing, and what was so before (C-47, C-51, C-96). Pure.

A model believes what it reads last. So of two memories of one thing the user's stands behind what only others said, and
what was said later behind what was said before. A question about the past brings what no longer holds, with its dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ..clock import HOST_RESOLUTION
from ..ledger.authority import is_users_word
from ..ledger.mentions import SOFT, are_rivals
from ..ledger.pairing import Sides
from ..records import Memory, is_only_written, order_of
from ..setting_groups import NoiseGate
from ..similar.alignment import may_share_most
from .rank import TOO_LITTLE
from .selection import Candidate, Selection, score_order

#: Of the past, half as likely as anything must be, and nearly as relevant as the best.
_HALF, _NEARLY = 0.5, 0.8


class Rival(NamedTuple):
    """What a memory is at odds with, or where it `is_possible` only looks so; `is_origin`: what it repeats (C-44)."""

    candidate: Candidate
    is_possible: bool = False
    is_origin: bool = False


def put_beside(selection: Selection, rivals: Mapping[str, Sequence[Rival]], *, limit: int) -> Selection:
    """Return `selection` with each memory's open `rivals` beside it, older first, each with its date.

    What they push over the `limit` is left out, the last first; of two that are at odds neither goes alone.
    """
    groups: list[list[Candidate]] = []
    placed: set[str] = set()
    for one in selection.memories:
        if one.memory.id not in placed:
            others = (rival.candidate for rival in rivals.get(one.memory.id, ()))
            group = [one, *(other for other in others if other.memory.id not in placed)]
            group.sort(key=lambda each: _standing(each.memory))
            groups.append(group)
            placed.update(each.memory.id for each in group)
    room = limit - len(selection.solutions)
    while sum(map(len, groups)) > max(room, 0) and (lone := [group for group in groups if len(group) == 1]):
        groups.remove(lone[-1])
    memories = tuple(one for group in groups for one in group)
    shown = {one.memory.id for group in groups if len(group) > 1 for one in group}
    pairs = [(one_id, rival) for one_id, found in rivals.items() for rival in found if not rival.is_origin]
    certain, possible = (
        {one for pair in pairs if pair[1].is_possible is kind for one in (pair[0], pair[1].candidate.memory.id)}
        for kind in (False, True)
    )
    contested = frozenset(shown & (certain | possible))
    return selection.holding(memories, limit, contested=contested, possible=contested - certain)


def find_origins(memories: Iterable[Candidate], found: Iterable[Candidate]) -> dict[str, list[Rival]]:
    """Return by memory that only others said what the user said of the very same, if a search `found` it: the best.

    A search may rank a claim about the user's word, a forged quote for instance, above the word itself.
    """
    own = sorted((candidate for candidate in found if is_users_word(candidate.memory)), key=score_order)
    claims = [candidate.memory for candidate in memories if not is_users_word(candidate.memory)]
    near = ((claim.id, [one for one in own if _is_of_the_very_same(claim, one.memory)]) for claim in claims)
    return {claim_id: [Rival(of_it[0], is_origin=True)] for claim_id, of_it in near if of_it}


def order_by_standing(selection: Selection) -> Selection:
    """Return `selection` with what speaks of one thing side by side, where the first of it stood, what holds last."""
    groups: list[list[Candidate]] = []
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


def _is_of_the_very_same(claim: Memory, users: Memory) -> bool:
    """Whether a claim has most words of what the user said, two at least: be it denied, or with another value."""
    if not may_share_most(users.text, claim.text):
        return False
    sides = Sides.of(users.text, claim.text)
    shared, lacking = (sum(item.weight >= SOFT for item in items) for items in (sides.kept, sides.gone))
    return shared > 1 and 2 * lacking <= shared


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


class Past(NamedTuple):
    """What no longer holds, when it did, in words, and what holds now, where that may be shown."""

    candidate: Candidate
    held: str
    present: Candidate | None = None


def keep_meant(asked: Selection, gate: NoiseGate) -> Selection:
    """Return what of the past is likely to be meant by itself, and not far behind the best: what holds may be, too."""
    if not (asked.uses_words and gate.enabled):
        return asked
    least = _HALF * gate.least_likely
    kept = [memory for memory in asked.memories if memory.likely >= least and memory.relevance >= _NEARLY]
    others = [(memory, TOO_LITTLE) for memory in asked.memories if memory not in kept]
    return replace(asked, memories=tuple(kept), left_out=(*asked.left_out, *others))


def put_past_beside(selection: Selection, found: Sequence[Past], *, limit: int) -> Selection:
    """Return `selection` with what was `found`, the best first, before what holds now, the oldest first.

    As much of it as `limit` has room for. It pushes out what nothing of it belongs to, the last first, but never what
    holds now, nor what is at odds with something.
    """
    room, needed, kept = limit - len(selection.solutions), set(selection.contested), list[Past]()
    for one in found:
        both = {each.memory.id for each in (one.candidate, one.present) if each is not None}
        if len(needed | both) <= room:
            needed |= both
            kept.append(one)
    others = [one.memory.id for one in selection.memories if one.memory.id not in needed]
    needed.update(others[: max(0, room - len(needed))])
    groups = {one.memory.id: [one] for one in selection.memories if one.memory.id in needed}
    for one in sorted(kept, key=lambda each: (order_of(each.candidate.memory), each.candidate.memory.id)):
        last = [one.present] if one.present is not None else []
        group = groups.setdefault((one.present or one.candidate).memory.id, last)
        group.insert(len(group) - len(last), one.candidate)
    memories = [one for group in groups.values() for one in group]
    past = {one.candidate.memory.id: one.held for one in kept}
    return selection.holding(memories, limit, more=[one.candidate for one in found], past=past)
