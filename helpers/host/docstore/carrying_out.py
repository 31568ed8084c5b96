"""Carry out one change in a store: read what it names, let the lifecycle decide, write it back (C-48, P-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ledger import lifecycle
from ...ledger.changes import (
    Archive,
    Assessment,
    Change,
    Classify,
    Confirm,
    Contest,
    Forget,
    Outdate,
    Qualify,
    Reinstate,
    Restore,
    Supersede,
)
from ...ledger.echo import ECHO_RULE
from ..storage.journal import archive_row, confirm_row, contest_row, forget_row, mark_row, restore_row, supersede_row

if TYPE_CHECKING:
    from .store import Store

Row = dict[str, Any]

#: What is no change of standing gets no line of its own in the journal (T-70).
UNJOURNALLED = frozenset(("classify", "qualify"))


def carry_out(store: Store, change: Change | Contest) -> list[Row]:
    """Return the journal's row, or none where a memory has gone; raises LifecycleError where it stands otherwise.

    Call it with the store's change lock held.
    """
    match change:
        case Classify():
            row = _classify(store, change)
        case Supersede():
            row = _supersede(store, change)
        case Outdate() | Reinstate():
            row = _mark(store, change)
        case Confirm():
            row = _confirm(store, change)
        case Contest():
            row = _contest(store, change)
        case Restore():
            row = _restore(store, change)
        case Archive() | Qualify() | Forget():
            row = _assess(store, change)
    return [] if row is None else [row]


def _classify(store: Store, change: Classify) -> Row | None:
    memory = store.read(change.memory_id)
    if memory is None or not store.put(lifecycle.classify(memory, change)):
        return None
    return {"action": "classify", "memory": change.memory_id}


def _supersede(store: Store, change: Supersede) -> Row | None:
    loser, winner = store.read(change.loser_id), store.read(change.winner_id)
    if loser is None or winner is None:
        return None
    retired, kept = lifecycle.supersede(loser, winner, change)
    store.put(retired)
    store.put(kept)
    store.conflicts.note_supersede(change, loser, winner)
    row = supersede_row(change, loser, winner)
    if change.rule == ECHO_RULE:
        store.echoes_retired += 1
    else:
        store.conflicts_resolved += 1
        store.conflict_log.append(row)
    return row


def _mark(store: Store, change: Outdate | Reinstate) -> Row | None:
    memory = store.read(change.memory_id)
    if memory is None:
        return None
    if isinstance(change, Outdate):
        store.put(lifecycle.outdate(memory, change))
        store.conflicts.note_outdate(change)
    else:
        store.put(lifecycle.reinstate(memory, change))
    store.conflict_log.append(row := mark_row(change))
    return row


def _restore(store: Store, change: Restore) -> Row | None:
    loser = store.read(change.memory_id)
    if loser is None:
        return None
    for memory in lifecycle.restore(loser, store.read(change.winner_id), change):
        if memory is not None:
            store.put(memory)
    store.conflicts.note_restore(change)
    store.conflict_log.append(row := restore_row(change))
    return row


def _confirm(store: Store, change: Confirm) -> Row | None:
    memory = store.read(change.memory_id)
    if memory is None:
        return None
    before = lifecycle.standing(memory)[0].validity
    store.put(lifecycle.confirm(memory, change))
    return confirm_row(change, before)


def _assess(store: Store, change: Assessment) -> Row | None:
    """Carry out what the quality layer found, or was told, about one memory (Q-28, Q-55, Q-57)."""
    memory = store.read(change.memory_id)
    if memory is None:
        return None
    match change:
        case Archive():
            after, row = lifecycle.archive(memory, change), archive_row(change, memory)
        case Forget():
            after, row = lifecycle.forget(memory, change), forget_row(change, memory)
        case Qualify():
            after, row = lifecycle.qualify(memory, change), {"action": "qualify", "memory": memory.id}
    return row if store.put(after) else None


def _contest(store: Store, change: Contest) -> Row:
    store.conflicts.note_contest(change)
    row = contest_row(change)
    store.conflict_log.append(row)
    store.version += 1
    return row
