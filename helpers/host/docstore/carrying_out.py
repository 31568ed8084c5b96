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
    FlagDormancy,
    Forget,
    Link,
    Outdate,
    Qualify,
    Reinstate,
    Repoint,
    Restore,
    Rouse,
    Supersede,
    Suspend,
    Unarchive,
    Upkeep,
)
from ...ledger.echo import ECHO_RULE
from ...maintenance.duplicates.policy import DUPLICATE_RULES
from ..storage.journal import (
    confirm_row,
    contest_row,
    forget_row,
    mark_row,
    repair_row,
    restore_row,
    supersede_row,
    upkeep_row,
)

if TYPE_CHECKING:
    from .store import Store

Row = dict[str, Any]

#: What is no change of standing gets no line of its own in the journal (T-70).
UNJOURNALLED = frozenset(("classify", "flag", "link", "qualify"))


def carry_out(store: Store, change: Change | Contest) -> Row | None:
    """Return the journal's row; None where a memory has gone. Raises LifecycleError where one stands otherwise.

    Call it with the store's change lock held.
    """
    retired = _retired_by(change)
    if retired in store.mirrored:
        raise lifecycle.LifecycleError(retired, "a record of the vault", "the vault's own update or delete (T-18)")
    match change:
        case Classify():
            return _classify(store, change)
        case Supersede():
            return _supersede(store, change)
        case Outdate() | Reinstate():
            return _mark(store, change)
        case Confirm():
            return _confirm(store, change)
        case Contest():
            return _contest(store, change)
        case Restore():
            return _restore(store, change)
        case Qualify() | Forget():
            return _assess(store, change)
        case _:
            return _look_after(store, change)


def _retired_by(change: Change | Contest) -> str:
    """Return the memory that a change would put out of use or to sleep, as a whole or in part; empty for none."""
    match change:
        case Supersede():
            return change.loser_id
        case Outdate() | Archive() | Suspend() | Forget():
            return change.memory_id
        case _:
            return ""


def _classify(store: Store, change: Classify) -> Row | None:
    memory = store.read_as_found(change.memory_id)
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
    elif change.rule in DUPLICATE_RULES:
        store.duplicates_retired += 1
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


def _look_after(store: Store, change: Upkeep) -> Row | None:
    """Carry out what maintenance found about one memory, or what is stale (C-69, C-70, E-26, E-33, Q-28, T-43)."""
    memory = store.read(change.memory_id)
    if memory is None:
        return None
    match change:
        case Archive():
            after, row = lifecycle.archive(memory, change), upkeep_row(change, memory)
        case Unarchive():
            after, row = lifecycle.unarchive(memory, change), upkeep_row(change, memory)
        case Suspend():
            after, row = lifecycle.suspend(memory, change), upkeep_row(change, memory)
        case Rouse():
            after, row = lifecycle.rouse(memory, change), upkeep_row(change, memory)
        case Repoint():
            after, row = lifecycle.repoint(memory, change), repair_row(change, memory)
        case FlagDormancy():
            after, row = lifecycle.flag_dormancy(memory, change), {"action": "flag", "memory": memory.id}
        case Link():
            after, row = lifecycle.link(memory, change), {"action": "link", "memory": memory.id}
    return row if store.put(after) else None


def _assess(store: Store, change: Assessment) -> Row | None:
    """Carry out what the quality layer found, or was told, about one memory (Q-55, Q-57)."""
    memory = store.read(change.memory_id)
    if memory is None:
        return None
    match change:
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
