"""Apply one change to the memories of a store: read those it names, let it decide, write them back (C-48, P-04)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from ...ledger.authority import Actor, Verdict, act_of, judge, word_of
from ...ledger.changes import (
    Change,
    Classify,
    Contest,
    Forget,
    Outdate,
    Restore,
    Revert,
    Row,
    Ruling,
    Supersede,
    Withdraw,
)
from ...ledger.copies import ECHO_RULE
from ...ledger.lifecycle import LifecycleError
from ...maintenance.duplicates import DUPLICATE_RULES
from ...records import Memory
from ..storage.conflict_file import ConflictBook

_CONFLICT_LOG_LENGTH = 20


@dataclass(slots=True)
class Outcomes:
    """What came of the rulings of this process: how many retired something, by their kind, and the latest lines."""

    conflicts_resolved: int = 0
    echoes_retired: int = 0
    duplicates_retired: int = 0
    conflict_log: deque[Row] = field(default_factory=lambda: deque(maxlen=_CONFLICT_LOG_LENGTH))

    def note(self, change: Change, row: Row) -> None:
        """Count a change that took effect; what speaks of a contradiction is kept."""
        if isinstance(change, Supersede) and change.rule == ECHO_RULE:
            self.echoes_retired += 1
        elif isinstance(change, Supersede) and change.rule in DUPLICATE_RULES:
            self.duplicates_retired += 1
        elif isinstance(change, Ruling):
            self.conflicts_resolved += isinstance(change, Supersede)
            self.conflict_log.append(row)


class Memories(Protocol):
    """What changes are applied to; who calls holds its change lock."""

    mirrored: Mapping[str, str]
    conflicts: ConflictBook
    outcomes: Outcomes

    def read(self, memory_id: str) -> Memory | None:
        """Return a memory as it stands now; None if it has gone."""

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory with whatever status its metadata claims."""

    def put(self, memory: Memory) -> bool:
        """Write the status of a memory; False if it has gone."""


def apply_change(memories: Memories, change: Change, by: Actor = Actor.RULE) -> Row | None:
    """Return the journal's row, empty for none; None where a memory has gone.

    Raises LifecycleError where one stands otherwise, or `by` may not do that to whose word it is.
    """
    read = memories.read_as_found if isinstance(change, Classify) else memories.read
    found = [read(memory_id) for memory_id in change.ids]
    if None in found[:1]:
        return None
    before = [one for one in found if one is not None]
    word = word_of(before[0], is_record=change.ids[0] in memories.mirrored) if before else None
    if word is not None and judge(by, act_of(change.action), word) is not Verdict.ALLOWED:
        raise LifecycleError(change.ids[0], f"the word of {word.value}", f"what the {by.value} may {change.action}")
    after = change.apply(*before)
    if after and not any([memories.put(one) for one in after]):
        return None
    _note_conflict(memories.conflicts, change, before, by)
    for one in after if not isinstance(change, Revert) else ():  # that brings back what was weighed before
        memories.conflicts.reweigh(one.id)
    row = change.to_row(before, after)
    if row:
        row["by"] = by.value
    memories.outcomes.note(change, row)
    return row


def _note_conflict(conflicts: ConflictBook, change: Change, before: list[Memory], by: Actor) -> None:
    match change:
        case Supersede():
            conflicts.note_supersede(change, by, *before)
        case Outdate():
            conflicts.note_outdate(change)
        case Withdraw() | Forget():
            conflicts.note_withdraw(change)
        case Restore():
            conflicts.note_restore(change)
        case Contest():
            conflicts.note_contest(change)
