"""What only a person asks for: a memory is retired with none in its place, is protected, or has its source set
right; and such steps are taken back. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ...records import Memory, Source, Utility, Validity
from ..lifecycle import TELLERS, LifecycleError, restated, status_of, with_utility
from ..undoing import UNDO, taken_back
from .change import MemoryChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(MemoryChange):
    """A person retires `memory_id`, and names none that holds instead (T-70)."""

    action = "withdraw"
    axis = "validity"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reattribute(MemoryChange):
    """A person says that `memory_id` comes from `source`: what follows from that is decided anew, its status stays."""

    action = "reattribute"
    axis = "source"
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
        return restated(memory, {"stated_by": TELLERS.get(self.source)}, source=self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert(MemoryChange):
    """A person takes a step back: the fields that it `changed` in `memory_id` are as they were before (T-70)."""

    action = UNDO
    is_journalled = False

    changed: Mapping[str, Any]

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the values from before; raises LifecycleError where it has moved on."""
        return taken_back(memory, self.changed)
