"""What a person asks for: a memory is retired with none in its place, as a rule does with what says nothing, is
protected, or has its source set right; and such steps are taken back. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from ...records import Memory, Source, Utility, Validity
from ..lifecycle import TELLERS, LifecycleError, restated, status_of, with_utility
from ..undoing import UNDO, taken_back
from .change import MemoryChange

#: The rule under which a memory that says nothing is retired.
EMPTY_RULE: Final = "no content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(MemoryChange):
    """`memory_id` is retired, and none holds instead: a person asks for it (T-70), or for `reasons` it says nothing."""

    action = "withdraw"
    axis = "validity"
    rule = "T-70"
    wording = "a person retired it"

    at: datetime
    cycle: int
    reasons: tuple[str, ...] = ()

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as retired since now, its text on record; raises LifecycleError where it is already."""
        if memory.is_deprecated:
            raise LifecycleError(memory.id, Validity.DEPRECATED.value, "a memory in use")
        rule = self.because(memory)[0]
        marks = {"deprecated_at": self.at, "deprecated_at_cycle": self.cycle, "deprecated_reason": rule}
        # What is in use has no winner: a pointer that foreign metadata left would stand for one (T-09).
        return restated(memory, {**marks, "superseded_by": None}, validity=Validity.DEPRECATED)

    def because(self, *before: Memory) -> tuple[str, Sequence[str]]:
        """Return that a person wanted it, or why it says nothing."""
        return (EMPTY_RULE, self.reasons) if self.reasons else MemoryChange.because(self, *before)


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
