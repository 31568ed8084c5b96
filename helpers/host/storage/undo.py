"""What takes back the latest step about a memory, and how one that was retired comes back (T-70)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from ...inbox import ConflictDecision, Readmit, TakeBack
from ...ledger.changes import Outdate, Restore
from ...ledger.undoing import Line, Steps
from ...quality.conflict_record import REASONS, RequestKind
from ...quality.requests import PERSON_RULE
from ...records import Memory
from . import files
from .journal import find_retirement, find_winner

NO_UNDO = "there is nothing to undo"


def read_steps(folder: Path) -> Steps:
    """Return the steps that the journal of a memory folder tells."""
    return Steps(files.read_lines_if_any(folder / files.JOURNAL_FILE))


def to_restore(folder: Path, at: datetime, loser: Memory, winner_id: str | None) -> Restore:
    """Return the change that brings `loser` back as it stood before it was retired, for `winner_id` or for none."""
    before = find_retirement(files.read_lines(folder / files.JOURNAL_FILE), loser, winner_id)
    return Restore(
        memory_id=loser.id,
        winner_id=winner_id,
        at=at,
        validity=before.validity,
        lineage=before.lineage,
        winner_lineage=before.winner_lineage,
        rule=PERSON_RULE,
        reasons=REASONS,
    )


def find_undo(
    memory: Memory, steps: Steps, journal: Sequence[Line], find_obstacle: Callable[[Line], str]
) -> ConflictDecision | TakeBack | Readmit | str:
    """Return what takes back the latest step about a memory: its own, or what a rule has done to it; or why not."""
    step = steps.latest(memory.id, memory)
    why = NO_UNDO if step is None else find_obstacle(step)
    if step is not None and step["changed"] and not why:
        return TakeBack(act=str(step["act"]), memories=(str(step["memory"]),))
    if step is not None and step["action"] == Outdate.action:
        return ConflictDecision(action=RequestKind.UNDO, memories=(memory.id, str(step["winner"])))
    return bring_back(memory, journal, RequestKind.UNDO) if memory.is_deprecated else why or NO_UNDO


def bring_back(
    memory: Memory, journal: Sequence[Line], action: RequestKind = RequestKind.READMIT
) -> ConflictDecision | Readmit:
    """Return what lets a retired memory hold again; what had replaced it stays."""
    winner = (memory.lineage and memory.lineage.superseded_by) or find_winner(journal, memory.id)
    if winner:
        return ConflictDecision(action=action, memories=(memory.id, winner))
    return Readmit(memories=(memory.id,))
