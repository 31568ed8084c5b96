"""The conflicts of one memory folder: the table `conflict` of `ledger.db`, and its export `conflicts.jsonl`.

A row is the whole conflict as it stands. Only the host process writes here. Open conflicts and decisions of a person
stay for good; of the conflicts that rules have settled, the latest stay."""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from ..ledger.authority import Actor
from ..ledger.changes import Contest, Forget, Outdate, Restore, Supersede, Withdraw
from ..ledger.lifecycle import is_classified
from ..ledger.settle import POSSIBLE_RULE
from ..quality.conflict_record import (
    STRATEGY_OF_RULE,
    Conflict,
    ConflictVerdict,
    Resolver,
    Strategy,
    conflict_id,
    parse_conflict,
    resolve,
)
from ..quality.conflicts import conflict_risk, conflict_weight, open_conflict, weigh
from ..quality.kinds import STALENESS_RATES, Rates
from ..records import Memory, Quality
from . import damage, files
from .database import Database
from .rows import export_conflicts, put_conflict, read_rows

_log = logging.getLogger(__name__)

#: After how long conflicts that could not be read are read again.
_RETRY_SECONDS = 10.0

ReadMemory = Callable[[str], Memory | None]


class ConflictRecord:
    """The recorded conflicts; `get`, `of_pair` and `is_decided_by_person` cost one look-up."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._entered: dict[str, Conflict] = {}
        self._of_memory: defaultdict[str, set[str]] = defaultdict(set)
        self._is_read, self._reading, self._read_at = False, threading.Lock(), time.monotonic() - _RETRY_SECONDS
        self._is_exported = True
        self._read_rows()

    @property
    def _latest(self) -> dict[str, Conflict]:
        """The conflicts by id; where they could not be read, that is tried again, but holds up nobody twice."""
        if not self._is_read:
            with self._reading:
                self._read_rows()
        return self._entered

    def _read_rows(self) -> None:
        """Enter the conflicts of the table; what was recorded before they could be read takes back no decision."""
        if self._is_read or time.monotonic() < self._read_at + _RETRY_SECONDS:
            return
        lines = self._database.read(lambda db: db.execute("SELECT line FROM conflict ORDER BY number").fetchall())
        self._read_at = time.monotonic()
        if lines is None:
            return
        rows = [row for row in read_rows(self._database.path, "conflict", lines) if not row.get("taken_back")]
        conflicts = [*filter(None, map(parse_conflict, rows))]
        if len(conflicts) < len(rows):
            _log.warning("%s: %d conflicts are of another form", self._database.path, len(rows) - len(conflicts))
        recorded, self._entered = self._entered, {}
        for conflict in conflicts:
            self._enter(conflict)
        for conflict in recorded.values():
            stored = self._entered.get(conflict.id)
            if stored is None or stored.resolution is None or conflict.is_decided_by_person:
                self._enter(conflict)
        self._is_read, self._is_exported = True, self._is_exported and not lines

    def _enter(self, conflict: Conflict) -> None:
        self._entered[conflict.id] = conflict
        for memory_id in conflict.memories:
            self._of_memory[memory_id].add(conflict.id)

    def forget(self, memory_id: str) -> None:
        """Drop the conflicts of an erased memory; whoever erases it cleans the table."""
        self._is_exported = False
        for one_id in [conflict.id for conflict in self.of_memory(memory_id)]:
            self._drop(one_id)

    def _drop(self, one_id: str) -> None:
        conflict = self._entered.pop(one_id, None)
        for memory_id in () if conflict is None else conflict.memories:
            self._of_memory[memory_id].discard(one_id)

    def get_conflicts(self, *, unresolved: bool = False) -> list[Conflict]:
        """Return every conflict, or the unresolved ones, in the order in which they were found."""
        return [conflict for conflict in self._latest.values() if conflict.resolution is None or not unresolved]

    def get_open(self) -> list[Conflict]:
        """Return the unresolved contradictions, without those that are only possible."""
        return [conflict for conflict in self._latest.values() if conflict.is_open]

    @property
    def proposed(self) -> list[Conflict]:
        """The unresolved conflicts with a proposal."""
        return [conflict for conflict in self.get_conflicts(unresolved=True) if conflict.proposal is not None]

    def get(self, one_id: str) -> Conflict | None:
        """Return a conflict by its own id."""
        return self._latest.get(one_id)

    def of_pair(self, one_id: str, other_id: str) -> Conflict | None:
        """Return the conflict between two memories."""
        return self._latest.get(conflict_id(one_id, other_id))

    def of_memory(self, memory_id: str) -> Iterator[Conflict]:
        """Yield the conflicts that a memory takes part in."""
        latest = self._latest
        return (latest[conflict_id] for conflict_id in sorted(self._of_memory.get(memory_id, ())))

    def reason(self, one_id: str, other_id: str) -> str | None:
        """Return the recorded reason why one of two memories was preferred; None if there is none."""
        conflict = self.of_pair(one_id, other_id)
        if conflict is None:
            return None
        if conflict.resolution is None or not conflict.is_decided_by_person:
            return conflict.description
        return "the agent settled it" if conflict.resolution.resolved_by is Resolver.AGENT else "a person decided so"

    def is_decided_by_person(self, one_id: str, other_id: str) -> bool:
        """Whether a person has resolved the conflict of two memories, which no rule overturns."""
        conflict = self.of_pair(one_id, other_id)
        return conflict is not None and conflict.is_decided_by_person


class ConflictBook(ConflictRecord):
    """The conflicts of an open store: records the rulings, and keeps the conflict risk of the memories in step.

    `rates` says how fast memories go out of date.
    """

    def __init__(
        self,
        database: Database,
        read: ReadMemory,
        put: Callable[[Memory], bool],
        note: Callable[[str, Conflict | None], object],
    ) -> None:
        super().__init__(database)
        self._held: set[str] | None = None
        self._note = note
        self.rates: Rates = STALENESS_RATES
        self._read = read
        self._put = put

    def record(self, *conflicts: Conflict) -> None:
        """Record conflicts in their present state, and update the risk of memories in those that were or are open."""
        doubted: set[str] = set()
        for conflict in conflicts:
            known = self._latest.get(conflict.id)
            if known == conflict:
                continue
            self._note(conflict.id, known)
            self._enter(conflict)
            self._write(conflict.id)
            if conflict.is_open or (known is not None and known.is_open):
                doubted.update(conflict.memories)
        for memory_id in sorted(doubted):
            self._update_risk(memory_id)

    def put_back(self, one_id: str, before: Conflict | None) -> None:
        """Restore the recorded state of a conflict; the figures of its memories stay."""
        self._note(one_id, self.get(one_id))
        if before is None:
            self._drop(one_id)
        else:
            self._enter(before)
        self._write(one_id)

    def hold(self) -> None:
        """Hold changes back until the store is saved: a conflict on record as settled must be settled there too."""
        self._held = self._held or set()

    def release(self) -> None:
        """Write the conflicts whose changes were held back."""
        held, self._held = self._held, None
        for one_id in sorted(held or ()):
            self._write(one_id)

    def _write(self, one_id: str) -> None:
        """Write the present state of a conflict, or that it is gone."""
        self._is_exported = False
        if self._held is not None:
            self._held.add(one_id)
            return
        conflict = self.get(one_id)
        is_sure = self._is_read or (conflict is not None and conflict.is_decided_by_person)
        self._database.owe(lambda db: put_conflict(db, one_id, conflict, is_sure=is_sure), ("conflict", one_id))

    def export(self) -> None:
        """Write `conflicts.jsonl` if it is not as the table is."""
        if self._is_exported or not self._database.settle():
            return
        self._is_exported = self._held is None  # before it is read: what changes meanwhile is written the next time
        is_written, folder = False, self._database.folder
        with damage.notices.writing(folder / files.CONFLICTS_FILE):
            self._database.change(lambda db: export_conflicts(db, folder))  # nobody changes or writes it meanwhile
            is_written = True
        if not is_written:
            self._is_exported = False

    def note_supersede(self, change: Supersede, by: Actor, loser: Memory, winner: Memory) -> None:
        """Record a supersession; both memories are as they stood before it.

        All other open conflicts of the loser are settled for the other side. Only a rule about contradictions opens a
        conflict, and what a person asked for is recorded where it is answered.
        """
        strategy = STRATEGY_OF_RULE.get(change.rule)
        pair = conflict_id(loser.id, winner.id)
        if strategy is not None:
            known = self.get(pair)
            if known is None or known.is_possible:
                known = self._open(loser, winner, change)
            resolver = Resolver.AUTOMATIC if by is Actor.RULE else Resolver.OPERATOR
            self.record(_accept(known, strategy, winner.id, change.at, resolver))
        self._settle_others(loser.id, change.at, strategy or Strategy.MANUAL, but=pair)

    def note_withdraw(self, change: Withdraw | Forget) -> None:
        """Settle the open conflicts of a retired memory for the other side."""
        self._settle_others(change.memory_id, change.at, Strategy.MANUAL)

    def settle_gone(self, moment: datetime) -> None:
        """Settle the open conflicts of memories that are missing, because a kill came before they were saved."""
        open_ids = {memory for conflict in self.get_conflicts(unresolved=True) for memory in conflict.memories}
        for memory_id in sorted(open_ids):
            if self._read(memory_id) is None:
                self._settle_others(memory_id, moment, Strategy.MANUAL)

    def _settle_others(self, loser_id: str, moment: datetime, strategy: Strategy, *, but: str = "") -> None:
        others = (conflict for conflict in self.of_memory(loser_id) if conflict.resolution is None)
        for conflict in [conflict for conflict in others if conflict.id != but]:
            self.record(_accept(conflict, strategy, conflict.other(loser_id), moment, Resolver.AUTOMATIC))

    def note_contest(self, change: Contest) -> None:
        """Record once that two memories contradict each other, or may, and both stay.

        A contradiction by a rule replaces one that was only possible.
        """
        known = self.of_pair(change.older_id, change.newer_id)
        if known is not None and (change.rule == POSSIBLE_RULE or known.is_open or known.is_decided_by_person):
            return
        older, newer = self._read(change.older_id), self._read(change.newer_id)
        if is_classified(older) and is_classified(newer):
            proposal = None if known is None or known.resolution is not None else known.proposal
            self.record(self._open(older, newer, change).model_copy(update={"proposal": proposal}))

    def _open(self, first: Memory, second: Memory, change: Supersede | Contest) -> Conflict:
        is_possible = change.rule == POSSIBLE_RULE
        return open_conflict(
            first, second, at=change.at, reasons=change.reasons, rates=self.rates, is_possible=is_possible
        )

    def note_outdate(self, change: Outdate) -> None:
        """Record that a part of a memory contradicts another memory; the rest of it stays."""
        reasons = ("partial: the rest of the older memory still holds", *change.reasons)
        self.note_contest(
            Contest(
                older_id=change.memory_id, newer_id=change.winner_id, at=change.at, rule=change.rule, reasons=reasons
            )
        )

    def note_restore(self, change: Restore) -> None:
        """Reopen the conflicts that were settled only because a memory had been retired."""
        for conflict in tuple(self.of_memory(change.memory_id)):
            other, resolution = conflict.other(change.memory_id), conflict.resolution
            if resolution is None or conflict.is_decided_by_person or other == change.winner_id:
                continue
            if resolution.winner == other:
                self.record(conflict.model_copy(update={"resolution": None}))

    def reweigh(self, memory_id: str) -> None:
        """Update type, severity and risk after a change of a memory's confidence, source or type."""
        pending = [conflict for conflict in self.of_memory(memory_id) if conflict.resolution is None]
        for conflict in pending:
            first, second = map(self._read, conflict.memories)
            if is_classified(first) and is_classified(second):
                self.record(weigh(conflict, first, second, self.rates))
        for one_id in sorted({each for conflict in pending if conflict.is_open for each in conflict.memories}):
            self._update_risk(one_id)

    def _update_risk(self, memory_id: str) -> None:
        """Compute the conflict risk of a memory from its open conflicts."""
        memory = self._read(memory_id)
        if not is_classified(memory):
            return
        others = (self._read(conflict.other(memory_id)) for conflict in self.of_memory(memory_id) if conflict.is_open)
        weights = (conflict_weight(memory, other, self.rates) for other in filter(is_classified, others))
        risk = round(conflict_risk(weights), 4)
        quality = memory.quality or Quality()
        if risk != (quality.conflict_risk or 0.0):
            self._put(replace(memory, quality=quality.model_copy(update={"conflict_risk": risk})))


def _accept(conflict: Conflict, strategy: Strategy, winner: str, moment: datetime, by: Resolver) -> Conflict:
    return resolve(conflict, strategy, ConflictVerdict.ACCEPTED, winner=winner, at=moment, by=by)
