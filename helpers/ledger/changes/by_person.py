"""What only a person asks for: a memory is retired with none in its place, is protected, or has its source set
right; and such steps are taken back. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...records import Memory, Source, Teller, Utility, Validity
from ..lifecycle import LifecycleError, restated, status_of, with_utility
from .change import MemoryChange, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(MemoryChange):
    """A person retires `memory_id`, and names none that holds instead (T-70)."""

    action = "withdraw"
    axis = "validity"
    undone_by = "revert"
    rule = "T-70"
    wording = "a person retired it"

    at: datetime
    cycle: int

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as retired since now, its text on record; raises LifecycleError where it is already."""
        if memory.is_deprecated:
            raise LifecycleError(memory.id, Validity.DEPRECATED.value, "a memory in use")
        marks = {"deprecated_at": self.at, "deprecated_at_cycle": self.cycle, "deprecated_reason": self.rule}
        # What is in use has no winner: a pointer that foreign metadata left would stand for one (T-09).
        return restated(memory, {**marks, "superseded_by": None}, validity=Validity.DEPRECATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Protect(MemoryChange):
    """A person wants `memory_id` to bear load: maintenance leaves it as it is, and a rule prefers it (C-20, T-70)."""

    action = "protect"
    axis = "utility"
    undone_by = "revert"
    rule = "T-70"
    wording = "a person protected it"

    at: datetime

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as load-bearing and no candidate for sleep; raises LifecycleError where it is already."""
        utility = status_of(memory)[0].utility
        if utility is Utility.LOAD_BEARING:
            raise LifecycleError(memory.id, utility.value, "a memory that is not")
        awake = {"dormancy_candidate": False, "dormancy_flagged_at_cycle": None}
        unarchived = {"archived_at_cycle": None, "archive_access_cycles": ()}
        return restated(with_utility(memory, Utility.LOAD_BEARING), awake | unarchived)


#: Who is known to have said what comes from such a source.
_TELLERS: dict[Source, Teller] = {Source.AGENT_INFERRED: "agent", Source.EXTERNAL_RETRIEVED: "tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reattribute(MemoryChange):
    """A person says that `memory_id` comes from `source`: what follows from that is decided anew, its status stays."""

    action = "reattribute"
    axis = "source"
    undone_by = "revert"
    rule = "T-70"
    wording = "a person said where it comes from"

    at: datetime
    source: Source

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as of that source; raises LifecycleError where it is, or is a piece of a knowledge file."""
        source = status_of(memory)[0].source
        if memory.is_knowledge or source is self.source:
            found = "a piece of a knowledge file" if memory.is_knowledge else source.value
            raise LifecycleError(memory.id, found, "a memory of another source")
        return restated(memory, {"stated_by": _TELLERS.get(self.source)}, source=self.source)

    def more(self, *before: Memory) -> Row:
        """Return who was known to have said it."""
        teller = status_of(before[0])[1].stated_by
        return {} if teller is None else {"stated_by": teller}


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
    stated_by: Teller | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the axis as it was; raises LifecycleError where it has moved on, or was replaced."""
        axes, lineage = status_of(memory)
        now = getattr(axes, self.moved).value
        if now != self.found:
            raise LifecycleError(memory.id, now, self.found)
        if self.moved == "utility":
            back = with_utility(memory, Utility(self.value))
            return restated(back, {"archived_at_cycle": None, "archive_access_cycles": ()})
        if self.moved == "source":
            return restated(memory, {"stated_by": self.stated_by}, source=Source(self.value))
        if lineage.superseded_by is not None:
            raise LifecycleError(memory.id, f"replaced by {lineage.superseded_by}", "one that nothing has replaced")
        marks = {"deprecated_at": None, "deprecated_at_cycle": None, "deprecated_reason": None}
        return restated(memory, marks, validity=Validity(self.value))

    def more(self, *_before: Memory) -> Row:
        """Return what was taken back, and how the axis has moved."""
        return {"reverted": self.reverted, "from": self.found, "to": self.value}
