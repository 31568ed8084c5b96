"""Contradictions among memories that were there before the pack: found, listed, decided by a person. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from ..records import Memory
from .changes import Supersede
from .resolve import Outcome, Party, decide_memories, read_claims

# More live memories than this under one subject and slot are compared only with the newest ones.
_MOST_HEADS = 20


def propose_retirements(memories: Iterable[Memory], *, at: datetime, cycle: int) -> list[Supersede]:
    """Return what the rules would retire among `memories`, oldest first; nothing is retired twice.

    Memories are compared where they speak of the same slot of the same subject, so the work grows with the number
    of claims, not of pairs.
    """
    live = [one for one in memories if one.classification is not None and not one.is_deprecated]
    groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
    for memory in sorted(live, key=lambda one: (Party.of(one).at, one.id)):
        for key in dict.fromkeys(claim.key for claim in read_claims(memory)):
            groups[key].append(memory)
    proposals: dict[str, Supersede] = {}
    for key in sorted(groups):
        for proposal in _review_group(groups[key], at=at, cycle=cycle):
            proposals.setdefault(proposal.loser_id, proposal)
    return [proposals[loser_id] for loser_id in sorted(proposals)]


def _review_group(group: list[Memory], *, at: datetime, cycle: int) -> list[Supersede]:
    heads: list[Memory] = []
    found: list[Supersede] = []
    for newer in group:
        survives = True
        for older in list(heads[-_MOST_HEADS:]):
            proposal = propose(older, newer, at=at, cycle=cycle)
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


def propose(one: Memory, other: Memory, *, at: datetime, cycle: int) -> Supersede | None:
    """Return the retirement that the rules name for two memories, if they name one."""
    older, newer, decision = decide_memories(one, other)
    if decision.outcome is not Outcome.SUPERSEDE:
        return None
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )
