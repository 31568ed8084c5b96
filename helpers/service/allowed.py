"""What a person may do about one memory as it stands now. Pure."""

from __future__ import annotations

from enum import StrEnum

from ..recall.eligibility import is_standing_rule
from ..records import Memory, Utility, Validity


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
