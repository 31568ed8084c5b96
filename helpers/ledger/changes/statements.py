"""What is found or stated about one memory: its axes, its quality, that it holds, or is not wanted any more. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ...records import Classification, Lineage, Memory, Quality, Relationship, Relevance, Validity
from ..lifecycle import LifecycleError, all_losers, restated, status_of
from ..replaced import Spoken
from .change import MemoryChange


@dataclass(frozen=True, slots=True, kw_only=True)
class Classify(MemoryChange):
    """`memory_id` gets its axes and a lineage; `why` says, axis by axis, how they were found (C-32).

    `spoken` is how the user said it, where the user did, and `rejected` how the user took it back or rejected it.
    Unless `keeps_quality`, what its metadata says of its quality counts as little as the rest of it (C-91).
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
    """The user validated an inferred memory: it becomes confirmed (C-16)."""

    action = "confirm"
    axis = "validity"
    is_step = True

    at: datetime
    evidence: str

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as confirmed; raises LifecycleError for any but an inferred one."""
        validity = status_of(memory)[0].validity
        if validity is not Validity.INFERRED:
            raise LifecycleError(memory.id, validity.value, Validity.INFERRED.value)
        return restated(memory, validity=Validity.CONFIRMED)

    def because(self, *_before: Memory) -> tuple[str, Sequence[str]]:
        """Return what the user said."""
        return "C-16", [self.evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualify(MemoryChange):
    """Something was stated or validated about `memory_id`: `stated` fields of its quality, a link, a citation (Q-57).

    None in `stated` takes a field back.
    """

    action = "qualify"
    is_journalled = False

    stated: dict[str, Any] = field(default_factory=dict)
    relationship: Relationship | None = None
    cited_by: str | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with what was stated; the axes stay. Raises LifecycleError where that is known.

        A link to the same memory, of the same type, replaces the one from before.
        """
        status_of(memory)
        quality = memory.quality or Quality()
        update = dict(self.stated)
        if (added := self.relationship) is not None:
            kept = [one for one in quality.relationships if (one.type, one.target) != (added.type, added.target)]
            update["relationships"] = (*kept, added)
        if self.cited_by is not None and self.cited_by not in quality.cited_by:
            update["cited_by"] = (*quality.cited_by, self.cited_by)
        after = quality.model_copy(update=update)
        if after == quality:
            raise LifecycleError(memory.id, "stated so already", "something new about it")
        return replace(memory, quality=after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(MemoryChange):
    """Somebody wants `memory_id` forgotten: it stays in the store and takes part in no recall any more (Q-55)."""

    action = "forget"
    axis = "relevance"

    at: datetime
    reason: str | None = None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as forgotten, its text on record (T-12); raises LifecycleError where it is already."""
        quality = memory.quality or Quality()
        forgotten = restated(memory, {"dormant_since_cycle": None}, relevance=Relevance.DORMANT)
        if memory.is_forgotten:
            raise LifecycleError(memory.id, "forgotten", "a memory that is not")
        return replace(
            forgotten, quality=quality.model_copy(update={"deleted_at": self.at, "deleted_reason": self.reason})
        )

    def because(self, *_before: Memory) -> tuple[str, Sequence[str]]:
        """Return why somebody wanted it so."""
        return "Q-55", [self.reason or "somebody asked for it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(MemoryChange):
    """The agent deleted `memory_id` and saved `winner_id`, which speaks of the same, in its place (T-43).

    Only the new one is there to be changed; it keeps on record which one it replaced (T-09).
    """

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
        if self.memory_id in known:
            raise LifecycleError(memory.id, f"the one that replaced {self.memory_id}, or itself", "another memory")
        return restated(memory, {"supersedes_ids": all_losers(lineage, self.memory_id) or (self.memory_id,)})
