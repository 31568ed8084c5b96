"""The pairs of memories that are at odds, side by side, and one text in the place of both (C-96, Q-17, T-70)."""

from __future__ import annotations

from typing import Any

from ...inbox import ConflictDecision
from ...ledger.transfer import is_same_text
from ...quality.conflict_record import RequestKind
from ...records import Memory
from ...service.arguments import MergeConflict, Paged
from ...service.rows import conflict_row
from ..session import Folder
from ..tools.conflicts import open_conflicts
from .acting import settle_as

_RECORD = "one of them is a vault record, which is changed under Vault"
_SAME = "the text is the same as one of the two: keep that one"


def list_conflicts(folder: Folder, asked: Paged) -> dict[str, Any]:
    """Return one page of what is not settled, the latest first; blocking."""
    found = [*open_conflicts(folder.store)][::-1]
    return {
        **asked.paging(len(found)),
        "rows": [conflict_row(conflict, *pair) for conflict, pair in asked.cut(found)],
    }


def merge_conflict(folder: Folder, asked: MergeConflict) -> dict[str, Any]:
    """Let a text replace both memories of a conflict, if they stand as they were shown; blocking."""

    def decide(one: Memory, other: Memory) -> ConflictDecision | str:
        if any(each.id in folder.store.mirrored for each in (one, other)):
            return _RECORD
        if any(is_same_text(each.text, asked.text) for each in (one, other)):
            return _SAME
        return ConflictDecision(action=RequestKind.MERGE, memories=(one.id, other.id), text=asked.text)

    return settle_as(folder, asked.conflict, asked.stamps, decide)
