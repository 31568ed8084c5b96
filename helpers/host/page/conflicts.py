"""The pairs of memories that are at odds, side by side, and one text in the place of both (C-96, Q-17, T-70)."""

from __future__ import annotations

from typing import Any

from ...inbox import ConflictDecision
from ...ledger.resolve import decide_memories
from ...ledger.transfer import is_same_text
from ...quality.conflict_record import Conflict, RequestKind
from ...records import Memory
from ...service.arguments import MergeConflict, Paged
from ...service.differences import differing_spans
from ...service.rows import memory_row
from ..session import Folder
from ..tools.conflicts import open_conflicts
from .acting import settle_as

_MOST_CHARACTERS = 2_000
_POSSIBLE = "their wording may be contradictory, but no rule is sure"
_RECORD = "one of them is a vault record, which is changed under Vault"
_SAME = "the text is the same as one of the two: keep that one"


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
        "older": memory_row(older, _MOST_CHARACTERS),
        "newer": memory_row(newer, _MOST_CHARACTERS),
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


def merge_conflict(folder: Folder, asked: MergeConflict) -> dict[str, Any]:
    """Let a text replace both memories of a conflict, if they stand as they were shown; blocking."""

    def decide(one: Memory, other: Memory) -> ConflictDecision | str:
        if any(each.id in folder.store.mirrored for each in (one, other)):
            return _RECORD
        if any(is_same_text(each.text, asked.text) for each in (one, other)):
            return _SAME
        return ConflictDecision(action=RequestKind.MERGE, memories=(one.id, other.id), text=asked.text)

    return settle_as(folder, asked.conflict, asked.stamps, decide)
