"""Contradictions among memories that were there before the pack: found, listed, decided by a person. Pure."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from ..claims import SlotTable, shared_keys
from ..records import Memory
from .changes import Supersede
from .resolve import Outcome, Party, decide_memories, read_claims

# More live memories than this under one subject and slot are compared only with the newest ones.
_MOST_HEADS = 20


class Review:
    """A search for contradictions among many memories, some at a time.

    Memories are compared where they speak of the same slot of the same subject, so the work grows with the number
    of claims, not of pairs.
    """

    def __init__(self, slots: SlotTable) -> None:
        self._slots = slots
        self._groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        self._open: set[tuple[str, str]] = set()
        self._found: dict[tuple[str, str], list[Supersede]] = {}

    def add(self, memory: Memory) -> None:
        """Take in a memory; one that is out of use, or has no standing, contradicts nothing."""
        if memory.classification is None or memory.is_deprecated:
            return
        for key in dict.fromkeys(key for claim in read_claims(memory, self._slots) for key in shared_keys(claim)):
            self._groups[key].append(memory)
            self._open.add(key)

    @property
    def remaining(self) -> int:
        """How many memories are still to be compared with others, counted once for each thing that they speak of."""
        return sum(len(self._groups[key]) for key in self._open)

    def advance(self, limit: int, *, at: datetime, cycle: int) -> None:
        """Compare groups of together at least `limit` memories, or all that are left."""
        for key in sorted(self._open):
            if limit <= 0:
                return
            group = sorted(self._groups[key], key=lambda one: (Party.of(one).at, one.id))
            self._found[key] = _review_group(group, self._slots, at=at, cycle=cycle)
            self._open.remove(key)
            limit -= len(group)

    def proposals(self) -> list[Supersede]:
        """Return what was found so far, in the order of the losers' ids."""
        found: dict[str, Supersede] = {}
        for key in sorted(self._found):
            for proposal in self._found[key]:
                found.setdefault(proposal.loser_id, proposal)
        return [found[loser_id] for loser_id in sorted(found)]


def _review_group(group: list[Memory], slots: SlotTable, *, at: datetime, cycle: int) -> list[Supersede]:
    heads: list[Memory] = []
    found: list[Supersede] = []
    for newer in group:
        survives = True
        for older in list(heads[-_MOST_HEADS:]):
            proposal = propose(older, newer, slots, at=at, cycle=cycle)
            if proposal is None:
                continue
            found.append(proposal)
            if proposal.loser_id == newer.id:
                survives = False
                break
            heads.remove(older)
        if survives:
            heads.append(newer)
    return found


def propose(one: Memory, other: Memory, slots: SlotTable, *, at: datetime, cycle: int) -> Supersede | None:
    """Return the retirement that the rules name for two memories, if they name one."""
    older, newer, decision = decide_memories(one, other, slots)
    if decision.outcome is not Outcome.SUPERSEDE:
        return None
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )
