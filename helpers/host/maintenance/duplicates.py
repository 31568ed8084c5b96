"""Find memories with the same content, and retire those that the rules allow.

The first run compares everything, later ones the new memories; pairs beyond the cap wait for the next run. Uses the
vectors of the host's index. Nothing is deleted: a change goes through the store, which journals it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...claims import Claim
from ...clock import format_time, parse_time
from ...ledger.changes import Supersede
from ...ledger.claim_index import ClaimIndex
from ...ledger.copies import DUPLICATE_RULES
from ...ledger.lifecycle import is_classified, status_of
from ...ledger.resolve import parse_claims
from ...maintenance.duplicates import (
    PairDecision,
    PairOutcome,
    Surroundings,
    decide_pair,
    least_cosine,
    precedence,
    readers_of,
)
from ...records import Memory
from ...similar.alignment import may_share_most
from ...similar.changes import may_tell_change
from ...similar.copies import judge_pair, same_text
from ...store.deadline import Throttle
from ...store.docstore_file import is_of_host
from ...store.proposals import add_proposals, to_proposal
from ...store.tables import Marks, mark_of, note_pairs, read_progress, write_progress
from .near_pairs import Flags, MovedError, NearPairs, near_pairs
from .run import Job

# The pairs judged, or texts read, before the interpreter is left to the chat for half of the time that they took.
_PAIRS_AT_ONCE = 20
_READ_AT_ONCE = 1_000
_ROWS_AT_ONCE = 1_000
_REST = 0.5
# With more copies of one text than this, each is compared only with the one that stays.
_MOST_COPIES = 20
# The least cosine of two vectors of one text.
_SAME_COSINE = 0.9999
_CACHED = 20_000
# The version of the comparison; another one voids the stored progress.
_VERSION = 4
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateReport:
    """The counts of one run; `candidates` are the pairs above the threshold or with the same content, by outcome.

    `proposed` pairs were there before the pack, so a person is asked. `waiting` pairs are left for the next run;
    `is_done` is False if the run was stopped before it had compared everything.
    """

    compared: int = 0
    candidates: int = 0
    divergent: int = 0
    review: int = 0
    kept: int = 0
    skipped: int = 0
    proposed: int = 0
    retired: int = 0
    resolved: int = 0
    waiting: int = 0
    is_done: bool = True
    retired_ids: tuple[str, ...] = ()
    proposed_ids: tuple[str, ...] = ()


_COUNTED = (PairOutcome.DIVERGENT, PairOutcome.REVIEW, PairOutcome.KEPT, PairOutcome.SKIPPED)


def deduplicate(job: Job) -> DuplicateReport:
    """Deduplicate the memories of a store; returns soon after the job is stopped, and the next run continues. Blocking.

    Its progress is the number of compared memories and their total.
    """
    return _Merging(job).run() if job.settings.deduplication.enabled else DuplicateReport()


class _Merging:
    def __init__(self, job: Job) -> None:
        self._job = job
        self._store = store = job.store
        self._stop = job.throttle.stop
        self._throttle = Throttle(_REST, rests=job.throttle.rests)
        settings = job.settings
        self._rules = rules = settings.deduplication
        first_seen = parse_time(store.state.first_seen)
        # Memories in a store without a host cannot be older than the pack.
        asks_first = not settings.retire_existing and is_of_host(store.folder)
        self._since_look = first_seen if asks_first else None
        self._rows: list[dict[str, Any]] = []
        self._progress = read_progress(
            store.database,
            f"{_VERSION} {rules.similarity_threshold} {rules.divergence_guard} {rules.auto_deprecate_agent_inferred} "
            f"{settings.retire_existing}",
        )
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._proposed: dict[str, tuple[Memory, Memory, Supersede]] = {}
        self._retired: list[str] = []
        self._claims, self._entered = ClaimIndex(), dict[str, tuple[Claim, ...]]()

    def run(self) -> DuplicateReport:
        try:
            is_done = not self._stop.is_set() and self._look()
        finally:
            write_progress(self._store.database, self._progress)
        self._write_proposals()
        acted = [] if self._stop.is_set() else self._act()
        self._counts["waiting"] = len(self._progress.waiting)
        # The store is saved once, at the end of the maintenance; a crash before that undoes these changes. So the pairs
        # stay noted as waiting: the next run drops those that are done.
        self._progress.waiting[:0] = acted
        write_progress(self._store.database, self._progress)
        return DuplicateReport(
            is_done=is_done, retired_ids=(*self._retired,), proposed_ids=(*self._proposed,), **self._counts
        )

    def _look(self) -> bool:
        """Compare new memories with all; return False if positions moved meanwhile, or the run was stopped.

        The next run goes on where this one has ended.
        """
        store, progress = self._store, self._progress
        with store.lock:
            store.refresh_positions()
            # A memory without a vector is compared after a repair.
            ids, layout = store.index.ids[: store.index.count_vectors()], store.index.layout
            in_use = store.columns.in_use() & store.columns.is_known
            for place in map(store.index.position, store.mirrored):
                if place is not None:  # the vault has its own gate for duplicates
                    in_use[place] = np.False_
        marks, is_there = self._marks(ids, in_use[: len(ids)])
        known = is_there & np.isin(marks, progress.seen)
        fresh = is_there & ~known
        progress.seen = marks[known]
        if not fresh.any():
            return True
        copies, fresh_first = self._copies(ids, fresh)
        self._judge((ids[row], ids[column], 1.0) for row, column in copies)
        limit = min(least_cosine(self._rules), _SAME_COSINE)
        try:
            for pairs in near_pairs(self._job, fresh_first, known, limit, layout=layout):
                self._judge(self._named(ids, pairs))
                progress.seen = np.concatenate([progress.seen, marks[pairs.compared]])
                self._counts["compared"] += len(pairs.compared)
                self._job.progress(self._counts["compared"], int(fresh_first.sum()))
        except MovedError:
            return False
        if self._stop.is_set():
            return False
        progress.seen = marks[is_there]
        return True

    def _marks(self, ids: list[str], in_use: Flags) -> tuple[Marks, Flags]:
        """Return the mark of each position, and one flag per position: whether it holds a memory in use."""
        marks, is_there = np.zeros(len(ids), dtype=np.uint64), np.zeros(len(ids), dtype=np.bool_)
        documents = self._store.db.get_all_docs()
        self._throttle.begin()
        for count, position in enumerate(np.flatnonzero(in_use).tolist(), 1):
            document = documents.get(ids[position])
            if document is not None:
                marks[position] = mark_of(ids[position], document.page_content)
                is_there[position] = True
            if count % _READ_AT_ONCE == 0:
                self._throttle.rest()
        return marks, is_there

    def _copies(self, ids: list[str], fresh: Flags) -> tuple[list[tuple[int, int]], Flags]:
        """Return the pairs of very frequent texts, and the flags of the positions that are left to compare by vectors.

        Each copy is paired with the one that stays among those with the same readers.
        """
        documents = self._store.db.get_all_docs()
        groups, pairs, rest = defaultdict[str, list[int]](list), list[tuple[int, int]](), fresh.copy()
        self._throttle.begin()
        for count, position in enumerate(np.flatnonzero(fresh).tolist(), 1):
            document = documents.get(ids[position])
            if document is not None:
                groups[same_text(document.page_content)].append(position)
            if count % _READ_AT_ONCE == 0:
                self._throttle.rest()
        for group in groups.values():
            for *copies, last in self._alike(ids, group) if len(group) > _MOST_COPIES else ():
                pairs.extend((place, last) for place in copies)
                rest[copies] = np.False_
        return pairs, rest

    def _alike(self, ids: list[str], group: list[int]) -> Iterable[list[int]]:
        """Return groups of positions of equal texts with the same readers, each in the order in which they retire."""
        memories = ((memory, place) for place in group if is_classified(memory := self._store.read(ids[place])))
        alike = defaultdict[Any, list[int]](list)
        for memory, place in sorted(memories, key=lambda pair: precedence(pair[0])):
            alike[readers_of(memory)].append(place)
        return alike.values()

    def _named(self, ids: list[str], pairs: NearPairs) -> Iterator[tuple[str, str, float]]:
        """Yield the pairs by ids; below the threshold, only those that a quick comparison does not rule out."""
        documents = self._store.db.get_all_docs()
        sure = min(self._rules.similarity_threshold, _SAME_COSINE)
        for row, column, cosine in zip(
            pairs.firsts.tolist(), pairs.seconds.tolist(), pairs.cosines.tolist(), strict=True
        ):
            pair = [documents[ids[position]].page_content for position in (row, column) if ids[position] in documents]
            if cosine > sure or (len(pair) == 2 and may_share_most(*pair)):
                yield ids[row], ids[column], cosine

    def _judge(self, pairs: Iterable[tuple[str, str, float]]) -> None:
        """Decide about each candidate; pairs with a change to make wait."""
        read = lru_cache(maxsize=_CACHED)(self._store.read)
        self._throttle.begin()
        for count, (one_id, other_id, cosine) in enumerate(pairs, 1):
            first, second = read(one_id), read(other_id)
            if first is not None and second is not None and self._is_candidate(first, second, cosine):
                decision = self._decide(first, second)
                self._counts["candidates"] += 1
                if decision.outcome in _COUNTED:
                    self._counts[decision.outcome.value] += 1
                if decision.outcome is PairOutcome.PROPOSE and isinstance(decision.change, Supersede):
                    self._propose(decision.change, first, second)
                elif decision.change is not None:
                    self._progress.waiting.append((one_id, other_id, round(cosine, _DIGITS)))
                self._note(one_id, other_id, cosine, decision.outcome.value, decision.why)
            if count % _PAIRS_AT_ONCE == 0:
                self._throttle.rest()
        self._write()

    def _propose(self, change: Supersede, first: Memory, second: Memory) -> None:
        """Note a proposed retirement; of several winners of a loser, the one that stays longest counts."""
        loser, winner = (first, second) if first.id == change.loser_id else (second, first)
        proposed = self._proposed.get(loser.id)
        if proposed is None or precedence(proposed[1]) < precedence(winner):
            self._proposed[loser.id] = (loser, winner, change)

    def _write_proposals(self) -> None:
        """Add the proposals to the report; a loser whose winner is a loser too comes first."""
        proposed = sorted(self._proposed.values(), key=lambda row: precedence(row[0]))
        self._counts["proposed"] = len(proposed)
        if proposed:
            rows = [to_proposal(change, {memory.id: memory.text for memory in pair}) for *pair, change in proposed]
            add_proposals(self._store.database, rows, at=self._store.clock())

    def _is_candidate(self, first: Memory, second: Memory, cosine: float) -> bool:
        """Whether a pair is above the threshold, or has the same content."""
        if cosine > self._rules.similarity_threshold or same_text(first.text) == same_text(second.text):
            return True
        is_near = cosine > least_cosine(self._rules)
        return is_near and judge_pair(first.text, second.text).is_copy

    def _decide(self, first: Memory, second: Memory) -> PairDecision:
        store = self._store
        conflict = store.conflicts.of_pair(first.id, second.id)
        around = Surroundings(
            at=store.clock(),
            cycle=self._job.cycle,
            is_decided=store.conflicts.is_decided_by_person(first.id, second.id),
            has_open_conflict=conflict is not None and conflict.resolution is None,
            since_look=self._since_look,
            may_contradict=self._may_contradict,
        )
        stood_for = [stood for memory in (first, second) for stood in self._stood_for(memory)]
        return decide_pair(first, second, self._rules, around, stood_for=stood_for)

    def _may_contradict(self, first: Memory, second: Memory) -> bool:
        """Whether the claims of two memories meet, which hardly any do among thousands of similar texts."""
        if may_tell_change(first.text, second.text):
            return True
        claims = parse_claims(second)
        if self._entered.get(second.id) != claims:
            self._entered[second.id] = claims
            self._claims.add(second.id, claims)
        return bool(self._claims.contradictable([second.id], parse_claims(first)))

    def _stood_for(self, memory: Memory) -> Iterator[Memory]:
        """Yield the memories that were retired as duplicates of this one, directly or through others."""
        seen, waiting = {memory.id}, [memory]
        while waiting:
            for loser_id in sorted({*_losers(waiting.pop())} - seen):
                seen.add(loser_id)
                loser = self._store.read(loser_id)
                if not is_classified(loser) or not loser.is_deprecated:
                    continue
                if status_of(loser)[1].deprecated_reason in DUPLICATE_RULES:
                    yield loser
                    waiting.append(loser)

    def _act(self) -> list[tuple[str, str, float]]:
        """Decide anew about the waiting pairs, carry out as many as the cap allows, and return these."""
        acted: list[tuple[str, str, float]] = []
        waiting = deque(self._progress.waiting)
        while waiting and len(acted) < self._rules.max_pairs_per_cycle and not self._stop.is_set():
            one_id, other_id, cosine = waiting.popleft()
            first, second = self._store.read(one_id), self._store.read(other_id)
            decision = None if first is None or second is None else self._decide(first, second)
            if decision is None or decision.change is None or decision.outcome is PairOutcome.PROPOSE:
                continue
            if not self._store.apply([decision.change]):
                continue
            acted.append((one_id, other_id, cosine))
            outcome = "retired" if decision.outcome is PairOutcome.RETIRE else "resolved"
            self._counts[outcome] += 1
            if isinstance(decision.change, Supersede) and outcome == "retired":
                self._retired.append(decision.change.loser_id)
            self._note(one_id, other_id, cosine, outcome, decision.why)
        self._progress.waiting = list(waiting)
        self._write()
        return acted

    def _note(self, one_id: str, other_id: str, cosine: float, outcome: str, reason: str) -> None:
        """Note the outcome of a pair; many are written at once."""
        moment = format_time(self._store.clock())
        row = {"at": moment, "cycle": self._job.cycle, "a": one_id, "b": other_id, "cosine": round(cosine, _DIGITS)}
        self._rows.append({**row, "outcome": outcome, "why": reason})
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._write()

    def _write(self) -> None:
        rows, self._rows = self._rows, []
        if rows and self._rules.log_all_candidates:
            self._store.database.change(lambda db: note_pairs(db, rows))


def _losers(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the memories that a memory has retired."""
    lineage = memory.lineage
    if lineage is None:
        return ()
    return (*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else ()))
