"""One text in the place of two memories that are at odds, as a person has written it (C-96, T-70)."""

from __future__ import annotations

from typing import Any

from ...inbox import ConflictDecision
from ...ledger.transfer import is_same_text
from ...quality.conflict_record import RequestKind
from ...records import Memory
from ..session import Folder
from .acting import settle_as
from .questions import MergeConflict

_RECORD = "one of them is a vault record, which is changed under Vault"
_SAME = "the text is the same as one of the two: keep that one"


def merge_conflict(folder: Folder, asked: MergeConflict) -> dict[str, Any]:
    """Let a text replace both memories of a conflict, if they stand as they were shown; blocking."""

    def decide(one: Memory, other: Memory) -> ConflictDecision | str:
        if any(each.id in folder.store.mirrored for each in (one, other)):
            return _RECORD
        if any(is_same_text(each.text, asked.text) for each in (one, other)):
            return _SAME
        return ConflictDecision(action=RequestKind.MERGE, memories=(one.id, other.id), text=asked.text)

    return settle_as(folder, asked.conflict, asked.stamps, decide)
