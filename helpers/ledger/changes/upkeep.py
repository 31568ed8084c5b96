"""The changes by maintenance of one memory: archived, asleep, linked, pointed elsewhere, gone. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ...clock import format_time
from ...records import Memory, Relevance, Utility, Validity
from ..adopt import fingerprint
from ..lifecycle import all_losers, require, restated, status_of, touched_cycle, with_utility
from .change import MemoryChange, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive(MemoryChange):
    """`memory_id` is tactical and was long not recalled: it becomes archived.

    `touched_cycle` is the cycle since which it has been idle; one that is recalled meanwhile stays. `is_stale`:
    somebody asked for what is stale to be archived, whatever its class of utility and status.
    """

    action = "archive"
    axis = "utility"
    is_step = True
    rule = "C-69"
    wording = "not recalled since cycle {since}"

    at: datetime
    cycle: int
    touched_cycle: int
    is_stale: bool = False

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as archived; raises LifecycleError if it may not be, or was recalled meanwhile."""
        axes, lineage = status_of(memory)
        require(memory, not memory.is_knowledge, "a piece of a knowledge file", "a memory that is none (T-47)")
        if self.is_stale:
            require(memory, axes.utility is not Utility.ARCHIVED, axes.utility.value, "a memory that is not archived")
        else:
            touched = touched_cycle(lineage)
            _check(memory, axes.utility is Utility.TACTICAL, axes.utility.value, Utility.TACTICAL.value)
            _check(memory, touched == self.touched_cycle, f"touched in cycle {touched}", f"{self.touched_cycle}")
        archived = {"archived_at_cycle": self.cycle, "archive_access_cycles": ()}
        return restated(with_utility(memory, Utility.ARCHIVED), archived)

    def because(self, *before: Memory) -> tuple[str, Sequence[str]]:
        """Return the rule and the reason; another one where somebody wanted what is stale to be archived."""
        return ("Q-28", ["stale"]) if self.is_stale else MemoryChange.because(self, *before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unarchive(MemoryChange):
    """`memory_id` is recalled again and again since it was archived: it becomes tactical."""

    action = "unarchive"
    axis = "utility"
    rule = "C-70"
    wording = "recalled {count} times since it was archived"

    at: datetime
    cycle: int

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as tactical again, its access count as it was; raises LifecycleError if not archived."""
        axes, _ = status_of(memory)
        _check(memory, axes.utility is Utility.ARCHIVED, axes.utility.value, Utility.ARCHIVED.value)
        tactical = with_utility(memory, Utility.TACTICAL)
        return restated(tactical, {"archived_at_cycle": None, "archive_access_cycles": ()})


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagDormancy(MemoryChange):
    """`memory_id` was never recalled, and may as well sleep; or it was, and is no candidate any more."""

    action = "flag"
    is_journalled = False

    is_candidate: bool
    cycle: int

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with or without the mark of a candidate; its relevance stays."""
        axes, lineage = status_of(memory)
        may_be = not self.is_candidate or (axes.utility is not Utility.LOAD_BEARING and lineage.access_count == 0)
        _check(memory, may_be, "load_bearing or recalled meanwhile", "a memory that was never recalled")
        flagged_at = self.cycle if self.is_candidate else None
        return restated(memory, {"dormancy_candidate": self.is_candidate, "dormancy_flagged_at_cycle": flagged_at})


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspend(MemoryChange):
    """`memory_id` is a candidate for dormancy and, as the settings say, becomes dormant."""

    action = "suspend"
    axis = "relevance"
    rule = "T-12"
    wording = "never recalled, and auto_dormant is on"

    at: datetime
    cycle: int

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as dormant; only an active candidate that is not load_bearing can be put to sleep."""
        axes, lineage = status_of(memory)
        is_active, is_bearing = axes.relevance is Relevance.ACTIVE, axes.utility is Utility.LOAD_BEARING
        may_sleep = is_active and lineage.dormancy_candidate and not is_bearing
        _check(memory, may_sleep, f"{axes.relevance.value}, {axes.utility.value}", "an active candidate")
        return restated(memory, {"dormant_since_cycle": self.cycle}, relevance=Relevance.DORMANT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouse(MemoryChange):
    """`memory_id`, which maintenance made dormant, is active again."""

    action = "rouse"
    axis = "relevance"
    rule = "T-12"
    wording = "recalled, or auto_dormant is off"

    at: datetime

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` as active; only what maintenance put to sleep is woken."""
        axes, lineage = status_of(memory)
        is_ours = axes.relevance is Relevance.DORMANT and lineage.dormant_since_cycle is not None
        _check(memory, is_ours, axes.relevance.value, "dormant by maintenance")
        return restated(memory, {"dormant_since_cycle": None}, relevance=Relevance.ACTIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(MemoryChange):
    """`memory_id` is linked to exactly `related_ids`, the strongest first."""

    action = "link"
    is_journalled = False

    related_ids: tuple[str, ...]

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with exactly these links; raises LifecycleError where they are there already."""
        is_new = status_of(memory)[1].related_memory_ids != self.related_ids
        require(memory, is_new, "linked so already", "another set of links")
        return restated(memory, {"related_memory_ids": self.related_ids})


@dataclass(frozen=True, slots=True, kw_only=True)
class Repoint(MemoryChange):
    """`memory_id` named a memory that has gone: from now on these stand for it, or nothing does."""

    action = "repair"
    rule = "T-43"
    wording = "what it named is not in the store any more"

    at: datetime
    superseded_by: str | None
    supersedes: str | None

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with other pointers; what it named stays on record in `supersedes_ids`."""
        _, lineage = status_of(memory)
        kept = all_losers(lineage, lineage.supersedes) if lineage.supersedes is not None else lineage.supersedes_ids
        pointers = {"superseded_by": self.superseded_by, "supersedes": self.supersedes, "supersedes_ids": kept}
        return restated(memory, pointers)

    def more(self, *before: Memory) -> Row:
        """Return what it named as its winner, what it names now, and both pointers from before."""
        _, lineage = status_of(before[0])
        named = {"supersedes": lineage.supersedes, "superseded_by": lineage.superseded_by}
        known = {key: memory_id for key, memory_id in named.items() if memory_id is not None}
        return {"gone": lineage.superseded_by, "winner": self.superseded_by, "before": known}


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge(MemoryChange):
    """`memory_id` has been retired for longer than it is kept, and is deleted for good."""

    action = "purge"

    at: datetime
    cycle: int

    def to_row(self, before: Sequence[Memory], after: Sequence[Memory] = ()) -> Row:
        """Return which memory was deleted, and since when it had been retired; of its text a digest."""
        _, lineage = status_of(before[0])
        return {
            "action": self.action,
            "at": format_time(self.at),
            "cycle": self.cycle,
            "memory": before[0].id,
            "superseded_by": lineage.superseded_by,
            "deprecated_at": lineage.deprecated_at and format_time(lineage.deprecated_at),
            "deprecated_at_cycle": lineage.deprecated_at_cycle,
            "fingerprint": fingerprint(before[0].text),
            "rule": "C-71",
            "by": "rule",
        }


def _check(memory: Memory, is_allowed: bool, state: str, allowed: str) -> None:
    """Raise LifecycleError if maintenance has decided about another status; what is retired it leaves alone."""
    require(memory, not memory.is_deprecated, Validity.DEPRECATED.value, "a memory in use")
    require(memory, is_allowed, state, allowed)
