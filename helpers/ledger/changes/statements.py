"""The changes by a statement or a request about one memory: of its axes or quality, or that it holds no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from ...records import Classification, Lineage, Memory, Quality, Relationship, Relevance, Source, Utility, Validity
from ..lifecycle import TELLERS, all_losers, require, restated, status_of, with_utility
from ..replaced import Spoken
from ..undoing import UNDO, taken_back
from .change import MemoryChange

#: The rule under which a memory that says nothing is retired.
EMPTY_RULE: Final = "no content"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw(MemoryChange):
    """`memory_id` is retired, and none holds instead: a person asks for it, or for `reasons` it says nothing."""

    action = "withdraw"
    axis = "validity"
    rule = "T-70"
    wording = "a person retired it"

    at: datetime
    cycle: int
    reasons: tuple[str, ...] = ()

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as retired since now, its text on record; raises LifecycleError where it is already."""
        require(memory, not memory.is_deprecated, Validity.DEPRECATED.value, "a memory in use")
        rule = self.because(memory)[0]
        marks = {"deprecated_at": self.at, "deprecated_at_cycle": self.cycle, "deprecated_reason": rule}
        # What is in use has no winner: a pointer that foreign metadata left would stand for one.
        return restated(memory, {**marks, "superseded_by": None}, validity=Validity.DEPRECATED)

    def because(self, *before: Memory) -> tuple[str, Sequence[str]]:
        """Return that a person wanted it, or why it says nothing."""
        return (EMPTY_RULE, self.reasons) if self.reasons else MemoryChange.because(self, *before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Protect(MemoryChange):
    """A person wants `memory_id` to bear load: maintenance leaves it as it is, and a rule prefers it."""

    action = "protect"
    axis = "utility"
    rule = "T-70"
    wording = "a person protected it"

    at: datetime

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as load-bearing and no candidate for sleep; raises LifecycleError where it is already."""
        utility = status_of(memory)[0].utility
        require(memory, utility is not Utility.LOAD_BEARING, utility.value, "a memory that is not")
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
        require(memory, not memory.is_knowledge, "a piece of a knowledge file", "a memory of another source")
        require(memory, source is not self.source, source.value, "a memory of another source")
        return restated(memory, {"stated_by": TELLERS.get(self.source)}, source=self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revert(MemoryChange):
    """A person takes a step back: the fields that it `changed` in `memory_id` are as they were before."""

    action = UNDO
    is_journalled = False

    changed: Mapping[str, Any]

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the values from before; raises LifecycleError where it has moved on."""
        return taken_back(memory, self.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Classify(MemoryChange):
    """`memory_id` gets its axes and a lineage; `why` says, axis by axis, how they were found.

    `spoken` is how the user said it, where the user did, and `rejected` how the user took it back or rejected it.
    Unless `keeps_quality`, what its metadata says of its quality counts as little as the rest of it.
    """

    action = "classify"
    is_journalled = False

    classification: Classification
    lineage: Lineage
    keeps_quality: bool = True
    why: dict[str, str] = field(default_factory=dict)
    spoken: Spoken | None = None
    rejected: Spoken | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the axes and the lineage, and without a quality that nobody vouches for."""
        quality = memory.quality if self.keeps_quality or memory.quality is None else Quality()
        return replace(memory, classification=self.classification, lineage=self.lineage, quality=quality)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(MemoryChange):
    """The user validated an inferred memory: it becomes confirmed."""

    action = "confirm"
    axis = "validity"
    is_step = True

    at: datetime
    evidence: str

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as confirmed; raises LifecycleError for any but an inferred one."""
        validity = status_of(memory)[0].validity
        require(memory, validity is Validity.INFERRED, validity.value, Validity.INFERRED.value)
        return restated(memory, validity=Validity.CONFIRMED)

    def because(self, *_before: Memory) -> tuple[str, Sequence[str]]:
        """Return what the user said."""
        return "C-16", [self.evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualify(MemoryChange):
    """Something was stated or validated about `memory_id`: `stated` fields of its quality, a link, a citation.

    None in `stated` takes a field back.
    """

    action = "qualify"
    is_journalled = False

    stated: dict[str, Any] = field(default_factory=dict)
    relationship: Relationship | None = None
    cited_by: str | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with what was stated, and the axes as they are; a link replaces one of its type."""
        status_of(memory)
        quality = memory.quality or Quality()
        update = dict(self.stated)
        if (added := self.relationship) is not None:
            links = quality.relationships
            kept = [link for link in links if (link.type, link.target) != (added.type, added.target)]
            update["relationships"] = (*kept, added)
        if self.cited_by is not None and self.cited_by not in quality.cited_by:
            update["cited_by"] = (*quality.cited_by, self.cited_by)
        after = quality.model_copy(update=update)
        require(memory, after != quality, "stated so already", "something new about it")
        return replace(memory, quality=after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(MemoryChange):
    """Somebody wants `memory_id` forgotten: it stays in the store and takes part in no recall any more."""

    action = "forget"
    axis = "relevance"

    at: datetime
    reason: str | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as forgotten, its text on record; raises LifecycleError where it is already."""
        forgotten = restated(memory, {"dormant_since_cycle": None}, relevance=Relevance.DORMANT)
        require(memory, not memory.is_forgotten, "forgotten", "a memory that is not")
        deleted = {"deleted_at": self.at, "deleted_reason": self.reason}
        return replace(forgotten, quality=(memory.quality or Quality()).model_copy(update=deleted))

    def because(self, *_before: Memory) -> tuple[str, Sequence[str]]:
        """Return why somebody wanted it so."""
        return "Q-55", [self.reason or "somebody asked for it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(MemoryChange):
    """The agent deleted `memory_id` and saved `winner_id` about the same, which keeps that on record."""

    action = "replace"
    reads = ("winner_id",)
    rule = "T-43"
    wording = "the agent deleted it, and saved the other one about the same in its place"

    winner_id: str
    at: datetime

    def apply_to(self, memory: Memory) -> Memory:
        """Return the new memory with the deleted one on record; raises LifecycleError where that is on record."""
        _, lineage = status_of(memory)
        known = (*lineage.supersedes_ids, lineage.supersedes, memory.id)
        is_new = self.memory_id not in known
        require(memory, is_new, f"the one that replaced {self.memory_id}, or itself", "another memory")
        return restated(memory, {"supersedes_ids": all_losers(lineage, self.memory_id) or (self.memory_id,)})
