"""How a memory that was retired comes back: as the journal says that it stood (T-70)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ...ledger.changes import Restore
from ...quality.conflict_record import REASONS
from ...quality.requests import PERSON_RULE
from ...records import Memory
from . import files
from .journal import find_retirement


def to_restore(folder: Path, at: datetime, loser: Memory, winner_id: str) -> Restore:
    """Return the change that brings `loser` back as it stood before `winner_id` beat it."""
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
