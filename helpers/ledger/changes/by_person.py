"""What only a person asks for: a memory goes out of use with none in its place, and such steps are taken back. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...records import Memory, Utility, Validity
from ..lifecycle import LifecycleError, restated, status_of, with_utility
from .change import MemoryChange, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(MemoryChange):
    """A person puts `memory_id` out of use, and names none that holds instead (T-70)."""

    action = "withdraw"
    axis = "validity"
    is_retirement = True
    undone_by = "revert"
    rule = "T-70"
    wording = "a person put it out of use"

    at: datetime
    cycle: int

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as out of use since now, its text on record; raises LifecycleError where it is already."""
        if memory.is_deprecated:
            raise LifecycleError(memory.id, Validity.DEPRECATED.value, "a memory in use")
        marks = {"deprecated_at": self.at, "deprecated_at_cycle": self.cycle, "deprecated_reason": self.rule}
        # What is in use has no winner: a pointer that foreign metadata left would stand for one (T-09).
        return restated(memory, {**marks, "superseded_by": None}, validity=Validity.DEPRECATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert(MemoryChange):
    """A person takes back what `reverted` names: the axis that it moved to `found` is `value` again (T-70)."""

    action = "revert"
    rule = "T-70"
    wording = "a person took it back"

    at: datetime
    reverted: str
    moved: str
    found: str
    value: str

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the axis as it was; raises LifecycleError where it has moved on, or was replaced."""
        axes, lineage = status_of(memory)
        now = getattr(axes, self.moved).value
        if now != self.found:
            raise LifecycleError(memory.id, now, self.found)
        if self.moved == "utility":
            back = with_utility(memory, Utility(self.value))
            return restated(back, {"archived_at_cycle": None, "archive_access_cycles": ()})
        if lineage.superseded_by is not None:
            raise LifecycleError(memory.id, f"replaced by {lineage.superseded_by}", "one that nothing has replaced")
        marks = {"deprecated_at": None, "deprecated_at_cycle": None, "deprecated_reason": None}
        return restated(memory, marks, validity=Validity(self.value))

    def more(self, *_before: Memory) -> Row:
        """Return what was taken back, and how the axis has moved."""
        return {"reverted": self.reverted, "from": self.found, "to": self.value}
