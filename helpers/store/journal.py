"""The journal of a memory folder: the state before and after each change, the rule of it, and how to undo it.

It is the table `event` of `ledger.db`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ..inbox import ConflictDecision, Readmit, Row, TakeBack
from ..ledger.changes import Outdate, Restore, Retirement
from ..ledger.lifecycle import status_of
from ..ledger.undoing import Line, Steps
from ..quality.conflict_record import REASONS, RequestKind
from ..quality.requests import PERSON_RULE
from ..records import Memory, Source, Validity
from . import damage
from .database import Database
from .rows import insert_lines, make_lines, read_rows

_log = logging.getLogger(__name__)


def append_lines(database: Database, rows: Iterable[Mapping[str, Any]]) -> None:
    """Owe lines to the journal; they are written before whatever is read from it, and before the store is saved."""
    if lines := make_lines(rows):
        database.owe(lambda db: insert_lines(db, lines))


def read_journal(database: Database) -> list[Row]:
    """Return the lines of the journal, the oldest first. Raises OSError where the database cannot be read."""
    database.settle()
    rows = database.ask(lambda db: db.execute("SELECT line FROM event ORDER BY number").fetchall())
    return read_rows(database.path, "event", rows)


def read_journal_if_any(database: Database) -> list[Row]:
    """Return the lines of the journal; none where the database cannot be read, which is reported."""
    with damage.notices.reading(database.path):
        return read_journal(database)
    return []


def find_retirement(rows: Iterable[Mapping[str, Any]], loser: Memory, winner_id: str | None) -> Retirement:
    """Return the journal's record of the last retirement of `loser` in favour of `winner_id`, or of nothing.

    Without a journal: no pointers, and the first validity of the loser's source.
    """
    source = status_of(loser)[0].source
    retirement = Retirement(Validity.CONFIRMED if source is Source.USER_ASSERTED else Validity.INFERRED)
    own = [row for row in rows if row.get("memory") == loser.id]
    # A memory that replaces a winner which has gone did not retire anything itself.
    winners = {winner_id, *(row.get("gone") for row in own if row.get("action") == "repair")} - {None}
    for row in own:
        is_so = row.get("winner") in winners if winner_id else not row.get("winner")
        if row.get("action") != ("supersede" if winner_id else "withdraw") or not is_so:
            continue
        try:
            retirement = Retirement.of_row(row)
        except (KeyError, TypeError, ValueError) as exc:
            _log.warning("a journal line about memory %s is not as it was written: %s", loser.id, exc)
            continue
    return retirement


def find_winner(rows: Iterable[Mapping[str, Any]], memory_id: str) -> str | None:
    """Return the id of the memory that retired `memory_id`, as far as the journal knows; None while it is in use."""
    winner: str | None = None
    for row in rows:
        if row.get("memory") != memory_id:
            continue
        if row.get("action") == "supersede":
            winner = row.get("winner")
        elif row.get("action") == "restore":
            winner = None
        elif row.get("action") == "repair" and winner is not None:
            winner = row.get("winner") or winner
    return winner


NO_UNDO = "there is nothing to undo"


def read_steps(database: Database) -> Steps:
    """Return the steps in the journal of a memory folder."""
    return Steps(read_journal_if_any(database))


def to_restore(database: Database, moment: datetime, loser: Memory, winner_id: str | None) -> Restore:
    """Return the change that restores `loser` to its state before it was retired for `winner_id`, or for nothing."""
    before = find_retirement(read_journal(database), loser, winner_id)
    return Restore(
        memory_id=loser.id,
        winner_id=winner_id,
        at=moment,
        validity=before.validity,
        lineage=before.lineage,
        winner_lineage=before.winner_lineage,
        rule=PERSON_RULE,
        reasons=REASONS,
    )


def find_undo(
    memory: Memory, steps: Steps, journal: Sequence[Line], find_obstacle: Callable[[Line], str]
) -> ConflictDecision | TakeBack | Readmit | str:
    """Return the request that undoes the latest step about a memory, or why it cannot be undone."""
    step = steps.latest(memory.id, memory)
    obstacle = NO_UNDO if step is None else find_obstacle(step)
    if step is not None and step["changed"] and not obstacle:
        return TakeBack(act=str(step["act"]), memories=(str(step["memory"]),))
    if step is not None and step["action"] == Outdate.action:
        return ConflictDecision(action=RequestKind.UNDO, memories=(memory.id, str(step["winner"])))
    return bring_back(memory, journal, RequestKind.UNDO) if memory.is_deprecated else obstacle or NO_UNDO


def bring_back(
    memory: Memory, journal: Sequence[Line], action: RequestKind = RequestKind.READMIT
) -> ConflictDecision | Readmit:
    """Return the request that brings a retired memory back; the memory that had replaced it stays."""
    winner = (memory.lineage and memory.lineage.superseded_by) or find_winner(journal, memory.id)
    if winner:
        return ConflictDecision(action=action, memories=(memory.id, winner))
    return Readmit(memories=(memory.id,))
