"""What a person may do about one memory as it stands now. Pure."""

from __future__ import annotations

import json
from enum import StrEnum
from hashlib import blake2b

from ..recall.standing_rules import is_standing_rule
from ..records import Memory, Utility, Validity

_STATUS = {"superseded_by", "deprecated_at", "outdated_parts", "archived_at_cycle", "dormant_since_cycle"}


class MemoryAction(StrEnum):
    """What a page can ask for about a memory."""

    RETIRE = "retire"
    RESTORE = "restore"
    CONFIRM = "confirm"
    ARCHIVE = "archive"
    PROTECT = "protect"
    LEAVE_OUT = "leave_out"
    PUT_IN = "put_in"
    CORRECT = "correct"
    ERASE = "erase"
    UNDO = "undo"


def allowed_actions(
    memory: Memory, *, can_undo: bool, is_record: bool, is_left_out: bool = False
) -> list[MemoryAction]:
    """Return what may be done about a memory.

    What `is_record` of the vault is changed there alone (T-18), and what has no status yet can only be erased. What
    `is_left_out` a person has taken out of the standing rules.
    """
    axes = memory.classification
    if is_record:
        return []
    if axes is None:
        return [MemoryAction.ERASE]
    can = [MemoryAction.ERASE]
    if can_undo:
        can.insert(0, MemoryAction.UNDO)
    if memory.is_deprecated:
        return [MemoryAction.RESTORE, *can]
    if is_standing_rule(memory):
        can.insert(0, MemoryAction.PUT_IN if is_left_out else MemoryAction.LEAVE_OUT)
    if not memory.is_knowledge:
        can.insert(0, MemoryAction.CORRECT)
    if axes.utility is not Utility.LOAD_BEARING:
        can.insert(0, MemoryAction.PROTECT)
    if axes.utility is not Utility.ARCHIVED and not memory.is_knowledge:
        can.insert(0, MemoryAction.ARCHIVE)
    if axes.validity is Validity.INFERRED:
        can.insert(0, MemoryAction.CONFIRM)
    return [MemoryAction.RETIRE, *can]


def stamp_of(memory: Memory) -> str:
    """Return a digest of the text and the status of a memory; how often it was shown does not count."""
    axes, lineage, quality = memory.classification, memory.lineage, memory.quality
    parts = (
        memory.text,
        None if axes is None else axes.model_dump(mode="json", exclude={"tags"}),
        None if lineage is None else lineage.model_dump(mode="json", include=_STATUS),
        None if quality is None else str(quality.deleted_at),
    )
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()
