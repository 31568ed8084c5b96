"""The rulings about a new memory and those that it contradicts, and the proposals of the first look at a full store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np

from ...clock import EPOCH
from ...ledger.attribution import Conversation, Known, Speaker, Utterance
from ...ledger.authority import Actor, is_users_word
from ...ledger.changes import Contest, Outdate, Replace, Supersede, Withdraw
from ...ledger.claim_index import ClaimIndex
from ...ledger.classify import NO_CIRCUMSTANCES, Circumstances
from ...ledger.copies import ECHO_RULE, find_echo, retire_copy, winners_of
from ...ledger.lifecycle import is_classified, status_of, why_empty
from ...ledger.replaced import Spoken
from ...ledger.resolve import Decision, Party, decide_as_said, decide_memories, parse_claims
from ...ledger.settle import (
    POSSIBLE_RULE,
    Review,
    find_claim_against,
    find_possible,
    speak_of_one_thing,
    to_change,
)
from ...records import Memory, Source
from ...settings import Settings
from ...similar.changes import may_tell_change
from ...store.backup import note_replaced
from ...store.damage import unwritable
from ...store.docstore import Store
from ...store.proposals import to_proposal, write_proposals
from ...vault.taxonomy import SHARED_SCOPE
from ..turns import TurnRing

#: Whether a person has decided about two memories.
IsSettled = Callable[[str, str], bool]

#: So many values of one thing, said at once, are a list.
_FEWEST_ITEMS: Final = 3
_RECALLED = "the older one had just been recalled into a prompt, and this restates it"


def gather(departed: Iterable[Memory], turns: TurnRing, was_there: bool) -> tuple[Conversation, list[Circumstances]]:
    """Return the recent utterances, oldest first, with the user's words in `departed` memories, which the host merged.

    The second list holds the circumstances of each. Without times for a memory that `was_there` before the pack.
    """
    asserted = [
        Utterance(Speaker.USER, memory.text, at=Party.of(memory).at, is_memory=True)
        for memory in departed
        if memory.lineage is not None and is_users_word(memory)
    ]
    utterances, circumstances = turns.spoken()
    latest = turns.latest()
    now = latest.circumstances if latest is not None else NO_CIRCUMSTANCES
    spoken = [*((utterance, now) for utterance in asserted), *zip(utterances, circumstances, strict=True)]
    spoken.sort(key=lambda pair: pair[0].at or EPOCH)
    conversation = Conversation(replace(utterance, at=None) if was_there else utterance for utterance, _ in spoken)
    return conversation, [circumstance for _, circumstance in spoken]


def find_nearest(store: Store, memory_id: str, top_k: int, *, is_in_use: bool = True) -> list[str]:
    """Return the ids of the `top_k` nearest memories in use, or retired ones, nearest first, by the stored vector."""
    with store.lock:
        store.refresh_positions()
        vector = store.index.vector(memory_id)
        position = store.index.position(memory_id)
        if vector is None or position is None:
            return []
        eligible = store.columns.in_use().copy() if is_in_use else store.columns.is_known & ~store.columns.in_use()
        eligible[position] = np.False_
        return [other_id for other_id, _ in store.index.search(vector, top_k, eligible)]


def retire_echoes(
    store: Store, fresh: Iterable[str], injected: Iterable[str], is_settled: IsSettled
) -> Iterator[Supersede]:
    """Yield a change for each of the `fresh` memories that restates one of the `injected` ones.

    Carry out each change before the next. Pairs that a person has decided about are left out.
    """
    originals = list(injected)
    for new in filter(None, map(store.read, fresh if originals else ())):
        is_users = is_users_word(new)
        for original in filter(None, map(store.read, originals)):
            reason = find_echo(new, original)
            if reason is None or is_settled(original.id, new.id):
                continue
            if is_users and any(conflict.is_open for conflict in store.conflicts.of_memory(original.id)):
                continue  # saying it again may settle that
            yield Supersede(
                winner_id=original.id,
                loser_id=new.id,
                at=store.clock(),
                cycle=store.state.recall_cycle,
                rule=ECHO_RULE,
                reasons=(_RECALLED, reason),
                says_again=is_users,
            )
            break


def link_replaced(store: Store, fresh: Iterable[str], departed: Iterable[Memory]) -> list[Replace]:
    """Link the memories that the agent has deleted to the first `fresh` memory about the same thing.

    Returns the changes that took effect. Retired memories and knowledge among the `departed` are left out.
    """
    by_id = {memory.id: memory for memory in departed if not (memory.is_deprecated or memory.is_knowledge)}
    linked: list[Replace] = []
    for new_id in fresh:
        for old_id, moment in store.agent_deletes.before(new_id):
            old, new = by_id.get(old_id), store.read(new_id)
            if not is_classified(old) or not is_classified(new) or old_id in store:
                continue
            change = Replace(memory_id=old_id, winner_id=new_id, at=moment)
            if speak_of_one_thing(old, new) and store.apply([change], by=Actor.AGENT):
                note_replaced(store, change)
                store.agent_deletes.forget([old_id])
                linked.append(change)
    return linked


def _find_listed(memory: Memory, contradictions: Iterable[tuple[Memory, Memory, Decision]]) -> set[str]:
    """Return the ids of memories that are items of a list, which a new value of the same thing leaves as it is.

    Of values that were said at once under one heading, two may be a slip; three were meant side by side.
    """
    groups: dict[datetime, list[Memory]] = defaultdict(list)
    for older, newer, decision in contradictions:
        if decision.rule != "C-41":  # what says in words that it corrects, corrects a list too
            other = older if newer is memory else newer
            groups[Party.of(other).at].append(other)
    listed: set[str] = set()
    for moment, items in groups.items():
        at_once = [*items, memory] if Party.of(memory).at == moment else items
        apart: list[Memory] = []
        for item in at_once:
            if len(apart) < _FEWEST_ITEMS and all(_stand_side_by_side(item, other) for other in apart):
                apart.append(item)
        if len(apart) == _FEWEST_ITEMS:
            listed |= {item.id for item in items}
    return listed


def _stand_side_by_side(memory: Memory, other: Memory) -> bool:
    """Whether two memories have one heading ("Files created: a.md"), and would contradict each other."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(memory.text, other.text, strict=False))
    return ":" in {character for character, _ in same} and decide_memories(memory, other)[2].is_contradiction


#: For 95 of 100 pairs at odds, the older text is among this many nearest neighbours of the newer one.
_MOST_JUDGED = 3


class Wording(NamedTuple):
    """The user's wording of a new memory, if it tells a change or an addition, and of its rejection."""

    spoken: Spoken | None = None
    rejected: Spoken | None = None


class Settler:
    """Compares new memories with the others of one folder; `is_settled` says if a person has decided about two."""

    def __init__(self, store: Store, is_settled: IsSettled) -> None:
        self._store = store
        self._is_settled = is_settled
        self._claims = ClaimIndex()
        self._heard: dict[str, Wording] = {}

    def enter(self, memory: Memory) -> None:
        """Enter a memory into the claim index, or remove a retired one."""
        self._store.names.book.names(memory.id, memory.text)
        if memory.is_deprecated:
            self._claims.remove(memory.id)
        else:
            self._claims.add(memory.id, parse_claims(memory))

    def remove(self, memory_id: str) -> None:
        """Remove a memory from the claim index, if it is there."""
        self._claims.remove(memory_id)

    def hear(self, memory_id: str, spoken: Spoken | None, rejected: Spoken | None = None) -> None:
        """Keep the user's wording of a memory, if it tells a change, an addition or a rejection, for the decision."""
        if spoken is not None and not (spoken.is_change or spoken.replaces or spoken.is_addition()):
            spoken = None
        if spoken is not None or rejected is not None:
            self._heard[memory_id] = Wording(spoken, rejected)

    def known_before(self, memory: Memory, top_k: int) -> Known:
        """Return the texts of older memories near `memory`: a correction need not repeat them."""
        near = self._neighbours(memory, top_k)
        own = [other for other in near if status_of(other)[0].source is Source.USER_ASSERTED]
        return Known([other.text for other in near], [other.text for other in own])

    def decide_about(
        self, memory_id: str, settings: Settings, *, is_all_read: bool
    ) -> Iterator[Supersede | Outdate | Contest]:
        """Yield the rulings about a new memory, then its possible contradictions.

        Carry out each change before the next.
        """
        memory, heard = self._store.read(memory_id), self._heard.get(memory_id, Wording())
        if is_all_read:
            self._heard.pop(memory_id, None)
        if not is_classified(memory) or memory.is_deprecated:
            return
        nearest = self._neighbours(memory, settings.conflict_top_k)
        repeated = self._find_repeated(memory, nearest, settings.conflict_top_k)
        if repeated is not None:
            yield repeated
            if isinstance(repeated, Supersede):
                return
        yield from self._decide_by_rules(memory, heard, nearest, is_all_read=is_all_read)
        if settings.possible_conflicts and is_all_read and not (heard.spoken and heard.spoken.is_addition()):
            yield from self._find_possible(memory.id, nearest)

    def _decide_by_rules(
        self, memory: Memory, heard: Wording, nearest: list[Memory], *, is_all_read: bool
    ) -> Iterator[Supersede | Outdate | Contest]:
        candidates = self.candidates(memory, nearest, is_change=heard != Wording())
        compared = [self._compare(other, memory, heard) for other in candidates]
        contradictions = [
            comparison
            for comparison in compared
            if comparison[2].is_contradiction and not self._is_settled(comparison[0].id, comparison[1].id)
        ]
        if not is_all_read or sum(decision.is_elliptical for *_, decision in contradictions) > 1:
            # A correction is about a single memory, which is unknown while several fit, or not all are read.
            contradictions = [comparison for comparison in contradictions if not comparison[2].is_elliptical]
        listed = _find_listed(memory, contradictions)
        contradictions = [pair for pair in contradictions if not {pair[0].id, pair[1].id} & listed]
        for older, newer, decision in contradictions:
            cycle = self._store.state.recall_cycle
            moment, mirrored = self._store.clock(), self._store.mirrored
            change = to_change(older, newer, decision, at=moment, cycle=cycle, mirrored=mirrored)
            if isinstance(change, Contest):
                known = self._store.conflicts.of_pair(change.older_id, change.newer_id)
                if known is not None and known.is_open:
                    continue
            yield change
            if isinstance(change, Supersede) and change.loser_id == memory.id:
                return

    def _find_possible(self, memory_id: str, nearest: list[Memory]) -> Iterator[Contest]:
        """Yield the nearest memories that may contradict a memory, without pairs that are on record."""
        memory = self._store.read(memory_id)
        if not is_classified(memory) or memory.is_deprecated:
            return
        near = [neighbour.id for neighbour in nearest[:_MOST_JUDGED] if self._may_pair(neighbour.id)]
        for other in filter(is_classified, map(self._store.read, near)):
            if other.is_deprecated or self._store.conflicts.of_pair(other.id, memory.id) is not None:
                continue
            against = find_claim_against(other, memory)
            finding = against or find_possible(other, memory)
            if finding is not None and not self._is_settled(finding[0].id, finding[1].id):
                older, newer, reasons = finding
                moment, rule = self._store.clock(), POSSIBLE_RULE if against is None else "C-44"
                yield Contest(older_id=older.id, newer_id=newer.id, at=moment, rule=rule, reasons=reasons)

    def retire_copies(self, retired_id: str, winner_id: str, top_k: int) -> Iterator[Supersede | Outdate]:
        """Yield a change for each memory in use that repeats a memory which has just been retired."""
        retired, winner = self._store.read(retired_id), self._store.read(winner_id)
        if is_classified(retired) and is_classified(winner) and not winner.is_deprecated:
            copies = (self._retire_copy(other, retired, winner) for other in self._neighbours(retired, top_k))
            yield from (change for change in copies if change is not None)

    def _find_repeated(self, memory: Memory, nearest: list[Memory], top_k: int) -> Supersede | Outdate | None:
        """Return the ruling about a new memory that repeats a retired memory, or an outdated part; else None."""
        lost = [other for other in nearest if status_of(other)[1].outdated_parts]
        retired = map(self._store.read, find_nearest(self._store, memory.id, top_k, is_in_use=False))
        for loser in filter(is_classified, (*retired, *lost)):
            for winner in filter(is_classified, map(self._store.read, winners_of(loser))):
                change = None if winner.is_deprecated else self._retire_copy(memory, loser, winner)
                if change is not None:
                    return change
        return None

    def _retire_copy(self, memory: Memory, retired: Memory, winner: Memory) -> Supersede | Outdate | None:
        if not self._may_pair(memory.id) or memory.id in self._store.mirrored or self._is_settled(memory.id, winner.id):
            return None
        return retire_copy(memory, retired, winner, at=self._store.clock(), cycle=self._store.state.recall_cycle)

    def candidates(self, memory: Memory, nearest: list[Memory], *, is_change: bool = False) -> list[Memory]:
        """Return the memories that `memory` may contradict: those about the same thing, then the nearest ones in use.

        A memory told as a change is compared with all nearest ones.
        """
        claims = parse_claims(memory)
        if not is_change:
            compared = set(self._claims.contradictable([other.id for other in nearest], claims))
            nearest = [other for other in nearest if other.id in compared or may_tell_change(other.text, memory.text)]
        near_ids = {memory.id, *(other.id for other in nearest)}
        meeting = [
            self._store.read(candidate) for candidate in self._claims.candidates(claims) if candidate not in near_ids
        ]
        others = [*(other for other in meeting if is_classified(other) and not other.is_deprecated), *nearest]
        return [other for other in others if self._may_pair(other.id)]

    def _compare(self, other: Memory, memory: Memory, heard: Wording) -> tuple[Memory, Memory, Decision]:
        """Return two memories, older first, and the decision, by their claims and by the user's wording."""
        older, newer, decision = decide_memories(other, memory)
        wording = Wording(heard.spoken, None) if newer is memory else Wording(None, heard.rejected)
        return older, newer, decide_as_said(older, newer, decision, *wording)

    def _may_pair(self, memory_id: str) -> bool:
        """Whether everybody sees a memory; a private record of the vault settles nothing for others."""
        return self._store.mirrored.get(memory_id, SHARED_SCOPE) == SHARED_SCOPE

    def _neighbours(self, memory: Memory, top_k: int) -> list[Memory]:
        neighbours = (self._store.read(memory_id) for memory_id in find_nearest(self._store, memory.id, top_k))
        return [neighbour for neighbour in neighbours if is_classified(neighbour)]


class FirstLook:
    """The first look at a store that held memories before the pack, and the report that it makes."""

    def __init__(self, store: Store, is_settled: IsSettled, acted_on: Callable[[], frozenset[str]]) -> None:
        self._store = store
        self._is_settled = is_settled
        self._acted_on = acted_on
        self._review = Review()
        self._empty: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    @property
    def remaining(self) -> int:
        """The number of memories that wait to be compared with the others."""
        return self._review.remaining

    def add(self, memory: Memory) -> None:
        """Add a memory to be compared with the others, unless it says nothing."""
        if (reason := why_empty(memory)) is None:
            self._review.add(memory)
        else:
            self._empty[memory.id] = reason
        self._texts[memory.id] = memory.text

    def advance(self, settings: Settings, limit: int) -> list[Supersede | Withdraw]:
        """Compare at most `limit` memories; at the end write the report, or return retirements if settings allow."""
        store = self._store
        moment, cycle = store.clock(), store.state.recall_cycle
        self._review.advance(limit, at=moment, cycle=cycle)
        if self._review.remaining:
            return []
        empty = self._empty.keys() & self._texts.keys() - self._acted_on() if self._empty else set[str]()
        retirements: list[Supersede | Withdraw] = [
            Withdraw(memory_id=memory_id, at=moment, cycle=cycle, reasons=(self._empty[memory_id],))
            for memory_id in sorted(empty)
        ]
        for proposal in self._review.proposals():
            if {*proposal.ids} <= self._texts.keys() and not self._is_settled(*proposal.ids):
                retirements.append(proposal)
        if self._texts and not settings.retire_existing:
            try:
                proposals = [to_proposal(retirement, self._texts) for retirement in retirements]
                write_proposals(store.database, proposals, at=store.clock())
            except OSError as exc:  # the look is not over: the next run writes it
                store.problems.tell(unwritable(store.database.path, exc))
                return []
        self._review, self._empty, self._texts = Review(), {}, {}
        store.end_first_look()
        return retirements if settings.retire_existing else []

    def leave_out(self, memory_id: str) -> None:
        """Drop the proposals about a memory that a new one has retired."""
        self._texts.pop(memory_id, None)
