"""Contradictions among memories that were there before the pack: found, listed, decided by a person. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from itertools import chain

from ..claims import asked_keys, entered_keys, is_ending, is_name_key, same_mark, shared_keys
from ..records import Memory
from .changes import Supersede
from .resolve import Outcome, Party, decide_memories, parse_claims

# More live memories than this under one subject and slot are compared only with the newest ones.
_MOST_HEADS = 20


class Review:
    """A search for contradictions among many memories, some at a time.

    Memories are compared where they speak of the same slot of the same subject, so the work grows with the number
    of claims, not of pairs.
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], list[Memory]] = defaultdict(list)
        self._open: set[tuple[str, str]] = set()
        self._found: dict[tuple[str, str], list[Supersede]] = {}

    def add(self, memory: Memory) -> None:
        """Take in a memory; one that is retired, or has no status, contradicts nothing."""
        if memory.classification is None or memory.is_deprecated:
            return
        for key in dict.fromkeys(key for claim in parse_claims(memory) for key in shared_keys(claim)):
            group = self._groups[key]
            group.append(memory)
            if len(group) > 1:
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
            self._found[key] = _review_group(group, key, at=at, cycle=cycle)
            self._open.remove(key)
            limit -= len(group)

    def proposals(self) -> list[Supersede]:
        """Return what was found so far, in the order of the losers' ids."""
        found: dict[str, Supersede] = {}
        for key in sorted(self._found):
            for proposal in self._found[key]:
                found.setdefault(proposal.loser_id, proposal)
        return [found[loser_id] for loser_id in sorted(found)]


def _review_group(group: list[Memory], key: tuple[str, str], *, at: datetime, cycle: int) -> list[Supersede]:
    """Compare each memory of a group with the latest that stand."""
    heads: list[Memory] = []
    found: list[Supersede] = []
    may_differ = _pairs_to_compare(group, key)
    for newer in group:
        survives = True
        for older in list(heads[-_MOST_HEADS:]):
            proposal = propose(older, newer, at=at, cycle=cycle) if may_differ(older.id, newer.id) else None
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


def _pairs_to_compare(group: list[Memory], key: tuple[str, str]) -> Callable[[str, str], bool]:
    """Which two of a group may contradict each other under its key, as the claim index would say.

    Where they only share a name, one must end something.
    """
    claims = {one.id: [claim for claim in parse_claims(one) if key in shared_keys(claim)] for one in group}
    if is_name_key(key):
        endings = {one_id for one_id, read in claims.items() if any(map(is_ending, read))}
        return lambda one, other: one in endings or other in endings
    entered = {one: {*chain.from_iterable(map(entered_keys, read))} for one, read in claims.items()}
    marks = {one: {mark for mark in map(same_mark, read) if mark is not None} for one, read in claims.items()}
    asked = {one: [*chain.from_iterable(map(asked_keys, read))] for one, read in claims.items()}

    def speaks_against(one: str, other: str) -> bool:
        return any(not entered[other].isdisjoint(ask.keys) and ask.same not in marks[other] for ask in asked[one])

    return lambda one, other: speaks_against(one, other) or speaks_against(other, one)


def propose(one: Memory, other: Memory, *, at: datetime, cycle: int) -> Supersede | None:
    """Return the retirement that the rules name for two memories, if they name one."""
    older, newer, decision = decide_memories(one, other)
    if decision.outcome is not Outcome.SUPERSEDE:
        return None
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )
