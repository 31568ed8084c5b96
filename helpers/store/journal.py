"""The journal beside a store: the state before and after each change, the rule of it, and how to undo it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..inbox import ConflictDecision, Readmit, TakeBack
from ..ledger.changes import Outdate, Restore, Retirement
from ..ledger.lifecycle import status_of
from ..ledger.undoing import Line, Steps
from ..quality.conflict_record import REASONS, RequestKind
from ..quality.requests import PERSON_RULE
from ..records import Memory, Source, Validity
from . import files
from .damage import ProblemLog
from .lines import LineStore, RetryingLines

_log = logging.getLogger(__name__)

#: How many of the latest lines are kept when the journal is rewritten, whatever their action.
KEPT_LINES = 20_000
#: The actions of older lines without `changed` that are kept as well: retirements, and what ended them.
_LASTING = {"supersede", "restore", "partial", "reinstate", "withdraw", "confirm", "archive", "protect", "reattribute"}


class Journal(RetryingLines):
    """`ledger.jsonl` beside a store: a line per change of status, bounded by rewriting it as it grows."""

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        super().__init__(LineStore(folder / files.JOURNAL_FILE, is_durable=False, keep=rows_to_keep), problems)


def rows_to_keep(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the latest rows, and for `undo`, of the older ones, the last of each kind about the same memories."""
    begin = max(0, len(rows) - KEPT_LINES)
    last = {
        tuple(str(row.get(key)) for key in ("action", "memory", "winner", "kind")): index
        for index, row in enumerate(rows[:begin])
        if "changed" in row or str(row.get("action")) in _LASTING
    }
    return [*(rows[index] for index in sorted(last.values())), *rows[begin:]]


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


def read_steps(folder: Path) -> Steps:
    """Return the steps in the journal of a memory folder."""
    return Steps(files.read_lines_if_any(folder / files.JOURNAL_FILE))


def to_restore(folder: Path, moment: datetime, loser: Memory, winner_id: str | None) -> Restore:
    """Return the change that restores `loser` to its state before it was retired for `winner_id`, or for nothing."""
    before = find_retirement(files.read_lines(folder / files.JOURNAL_FILE), loser, winner_id)
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
