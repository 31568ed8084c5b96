"""The pairs of memories that are at odds, side by side (C-96, Q-17)."""

from __future__ import annotations

from typing import Any

from ...ledger.resolve import decide_memories
from ...quality.conflict_record import Conflict
from ...records import Memory
from ..session import Folder
from ..tools.conflicts import open_conflicts
from .differences import differing_spans
from .memories import brief
from .questions import Paged

_MOST_CHARACTERS = 2_000
_POSSIBLE = "their wording may be contradictory, but no rule is sure"


def list_conflicts(folder: Folder, asked: Paged) -> dict[str, Any]:
    """Return one page of what is not settled, the latest first; blocking."""
    found = [*open_conflicts(folder.store)][::-1]
    return {
        **asked.paging(len(found)),
        "rows": [_to_row(conflict, *pair) for conflict, pair in asked.cut(found)],
    }


def _to_row(conflict: Conflict, older: Memory, newer: Memory) -> dict[str, Any]:
    differs = differing_spans(older.text, newer.text)
    return {
        "id": conflict.id,
        "possible": conflict.is_possible,
        "older": brief(older, _MOST_CHARACTERS),
        "newer": brief(newer, _MOST_CHARACTERS),
        "reasons": reasons_of(conflict, older, newer),
        "proposal": None if conflict.proposal is None else conflict.proposal.model_dump(mode="json"),
        "differs": dict(zip(("older", "newer"), differs, strict=True)),
    }


def reasons_of(conflict: Conflict, older: Memory, newer: Memory) -> list[str]:
    """Return why two memories are at odds: as the rules say now, or else as it was put on record."""
    if conflict.is_possible:
        return [_POSSIBLE]
    decision = decide_memories(older, newer)[2]
    return [*decision.reasons] if decision.is_contradiction else [conflict.description]
