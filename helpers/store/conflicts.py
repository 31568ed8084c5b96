"""The conflicts of one memory folder: `conflicts.jsonl`, one line for each time that a conflict is opened or resolved.

Every line is the whole conflict at that time; the last line of a conflict counts. Only the host process writes here.
Open conflicts and decisions of a person stay for good; of the conflicts that rules have settled, the latest stay."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

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
    write_conflict,
)
from ..quality.conflicts import conflict_risk, conflict_weight, open_conflict, weigh
from ..quality.kinds import STALENESS_RATES, Rates
from ..records import Memory, Quality
from . import files
from .damage import ProblemLog
from .lines import LineStore, RetryingLines

_log = logging.getLogger(__name__)

#: How many of the latest conflicts that the rules have settled are kept when the file is rewritten.
KEPT_SETTLED = 5_000

#: Marks the line of a conflict that was removed, because the act that had opened it was taken back.
_GONE = "taken_back"

ReadMemory = Callable[[str], Memory | None]


class ConflictFile:
    """The recorded conflicts; `get`, `of_pair` and `is_decided_by_person` cost one look-up."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / files.CONFLICTS_FILE
        self._latest: dict[str, Conflict] = {}
        self._of_memory: defaultdict[str, set[str]] = defaultdict(set)
        self._proposed: dict[str, None] = {}
        self._enter_all(files.read_lines_if_any(self._path))

    def _enter_all(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Begin anew with these rows; return those that are no conflicts."""
        self._latest, self._of_memory, self._proposed = {}, defaultdict(set), {}
        unreadable = [row for row in rows if not self._enter_row(row)]
        if unreadable:
            _log.warning("%s: %d lines are not conflicts and were left out", self._path, len(unreadable))
        return unreadable

    def _enter_row(self, row: dict[str, Any]) -> bool:
        conflict = parse_conflict(row)
        if conflict is not None:
            self._enter(conflict)
        elif row.get(_GONE):
            self._drop(str(row.get("id")))
        return conflict is not None or bool(row.get(_GONE))

    def _enter(self, conflict: Conflict) -> None:
        self._latest[conflict.id] = conflict
        self._proposed.pop(conflict.id, None)
        if conflict.proposal is not None and conflict.resolution is None:
            self._proposed[conflict.id] = None
        for memory_id in conflict.memories:
            self._of_memory[memory_id].add(conflict.id)

    def forget(self, memory_id: str) -> None:
        """Drop the conflicts of an erased memory; whoever erases it cleans the file."""
        for one_id in tuple(self._of_memory.pop(memory_id, ())):
            self._drop(one_id)

    def _drop(self, one_id: str) -> None:
        conflict = self._latest.pop(one_id, None)
        self._proposed.pop(one_id, None)
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
        return [self._latest[conflict_id] for conflict_id in list(self._proposed)]

    def get(self, one_id: str) -> Conflict | None:
        """Return a conflict by its own id."""
        return self._latest.get(one_id)

    def of_pair(self, one_id: str, other_id: str) -> Conflict | None:
        """Return the conflict between two memories."""
        return self._latest.get(conflict_id(one_id, other_id))

    def of_memory(self, memory_id: str) -> Iterator[Conflict]:
        """Yield the conflicts that a memory takes part in."""
        return (self._latest[conflict_id] for conflict_id in sorted(self._of_memory.get(memory_id, ())))

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


class ConflictBook(ConflictFile):
    """The conflicts of an open store: records the rulings, and keeps the conflict risk of the memories in step.

    `rates` says how fast memories go out of date.
    """

    def __init__(
        self,
        folder: Path,
        read: ReadMemory,
        put: Callable[[Memory], bool],
        problems: ProblemLog,
        note: Callable[[str, Conflict | None], object],
    ) -> None:
        super().__init__(folder)
        self._held: list[dict[str, Any]] | None = None
        self._note = note
        self._lines = RetryingLines(LineStore(self._path, is_durable=False, keep=self._keep), problems)
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
            self._write(write_conflict(conflict))
            self._enter(conflict)
            if conflict.is_open or (known is not None and known.is_open):
                doubted.update(conflict.memories)
        for memory_id in sorted(doubted):
            self._update_risk(memory_id)

    def put_back(self, one_id: str, before: Conflict | None) -> None:
        """Restore the recorded state of a conflict; the figures of its memories stay."""
        self._note(one_id, self.get(one_id))
        self._write({"id": one_id, _GONE: True} if before is None else write_conflict(before))
        if before is None:
            self._drop(one_id)
        else:
            self._enter(before)

    def hold(self) -> None:
        """Hold lines back until the store is saved: a conflict on record as settled must be settled there too."""
        self._held = self._held or []

    def release(self) -> None:
        """Write the lines that were held back."""
        held, self._held = self._held, None
        self._lines.append(held or [])

    def _write(self, row: dict[str, Any]) -> None:
        if self._held is None:
            self._lines.append([row])
        else:
            self._held.append(row)

    def _keep(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the last row of each conflict without the oldest settled ones; only these are known from now on.

        Rows of another form stay: another version of the pack may have written a decision there.
        """
        foreign = self._enter_all(rows)
        settled = [
            (conflict.resolution.resolved_at, conflict.id)
            for conflict in self._latest.values()
            if conflict.resolution is not None and not conflict.is_decided_by_person
        ]
        for _, old_id in sorted(settled)[: max(0, len(settled) - KEPT_SETTLED)]:
            self._drop(old_id)
        kept = [*foreign, *map(write_conflict, self._latest.values())]
        for row in self._held or ():
            self._enter_row(row)
        return kept

    def write_owed(self) -> None:
        """Try again what could not be written."""
        self._lines.append()

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
        others = [
            conflict for conflict in self.of_memory(loser_id) if conflict.resolution is None and conflict.id != but
        ]
        self.record(
            *(_accept(conflict, strategy, conflict.other(loser_id), moment, Resolver.AUTOMATIC) for conflict in others)
        )

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
        others = [
            conflict
            for conflict in self.of_memory(change.memory_id)
            if conflict.other(change.memory_id) != change.winner_id
        ]
        settled = [
            conflict
            for conflict in others
            if conflict.resolution is not None
            and not conflict.is_decided_by_person
            and conflict.resolution.winner == conflict.other(change.memory_id)
        ]
        self.record(*(conflict.model_copy(update={"resolution": None}) for conflict in settled))

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
        others = [self._read(conflict.other(memory_id)) for conflict in self.of_memory(memory_id) if conflict.is_open]
        risk = round(
            conflict_risk(
                conflict_weight(memory, opponent, self.rates) for opponent in others if is_classified(opponent)
            ),
            4,
        )
        quality = memory.quality or Quality()
        if risk != (quality.conflict_risk or 0.0):
            self._put(replace(memory, quality=quality.model_copy(update={"conflict_risk": risk})))


def _accept(conflict: Conflict, strategy: Strategy, winner: str, moment: datetime, by: Resolver) -> Conflict:
    return resolve(conflict, strategy, ConflictVerdict.ACCEPTED, winner=winner, at=moment, by=by)
