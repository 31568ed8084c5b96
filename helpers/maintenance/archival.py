"""The effects of long disuse: archived, brought back, a candidate for dormancy, permanently deleted. Pure.

Age is counted in recall cycles of the memory folder, never in time. Each function decides about one memory and returns
the change, or None; a retired memory is left as it is, but for the purge. A piece of a knowledge file is neither
archived nor purged: the host would import it again. A standing rule is in use in every prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..ledger.changes import Archive, FlagDormancy, Purge, Rouse, Suspend, Unarchive
from ..ledger.lifecycle import is_classified, status_of, touched_cycle
from ..recall.eligibility import is_standing_rule
from ..records import Memory, Relevance, Utility
from ..settings import Settings


def decide_archival(memory: Memory, settings: Settings, *, cycle: int, at: datetime) -> Archive | Unarchive | None:
    """Archive an idle tactical memory, whatever its access count; bring back one that is recalled again."""
    if not is_classified(memory) or memory.is_deprecated:
        return None
    axes, lineage = status_of(memory)
    is_idle = cycle - (touched := touched_cycle(lineage)) >= settings.archival_threshold_cycles
    if axes.utility is Utility.TACTICAL and is_idle and not memory.is_knowledge and not is_standing_rule(memory):
        return Archive(memory_id=memory.id, at=at, cycle=cycle, touched_cycle=touched)
    if axes.utility is Utility.ARCHIVED and not is_idle and is_recalled_again(lineage.archive_access_cycles, settings):
        return Unarchive(memory_id=memory.id, at=at, cycle=cycle)
    return None


def is_recalled_again(accesses: Sequence[int], settings: Settings) -> bool:
    """Whether an archived memory was recalled often enough within a window of cycles."""
    count = settings.unarchive_min_accesses
    window = settings.unarchive_window_cycles or settings.archival_threshold_cycles
    ordered = sorted(accesses)
    return any(last - first <= window for first, last in zip(ordered, ordered[count - 1 :], strict=False))


def decide_dormancy(memory: Memory, settings: Settings, *, cycle: int) -> FlagDormancy | None:
    """Mark a memory that was never recalled, and unmark one that was; a load-bearing memory has no mark."""
    if not is_classified(memory) or memory.is_deprecated:
        return None
    axes, lineage = status_of(memory)
    is_idle = cycle - touched_cycle(lineage) >= settings.archival_threshold_cycles
    is_spared = axes.utility is Utility.LOAD_BEARING or lineage.access_count > 0
    is_candidate = not is_spared and (lineage.dormancy_candidate or is_idle)
    if is_candidate is lineage.dormancy_candidate:
        return None
    return FlagDormancy(memory_id=memory.id, is_candidate=is_candidate, cycle=cycle)


def decide_relevance(memory: Memory, settings: Settings, *, cycle: int, at: datetime) -> Suspend | Rouse | None:
    """With `auto_dormant` let candidates sleep; without it wake those that maintenance put to sleep."""
    if not is_classified(memory) or memory.is_deprecated:
        return None
    axes, lineage = status_of(memory)
    is_active = axes.relevance is Relevance.ACTIVE
    may_sleep = lineage.dormancy_candidate and axes.utility is not Utility.LOAD_BEARING and settings.auto_dormant
    if is_active and may_sleep:
        return Suspend(memory_id=memory.id, at=at, cycle=cycle)
    if not is_active and lineage.dormant_since_cycle is not None and not may_sleep:
        return Rouse(memory_id=memory.id, at=at)
    return None


def decide_purge(memory: Memory, settings: Settings, *, cycle: int, at: datetime) -> Purge | None:
    """Delete a memory that has been retired for longer than it is kept, if a person has switched that on.

    A memory whose time of retirement is unknown stays.
    """
    if not settings.enable_purge or not is_classified(memory) or not memory.is_deprecated or memory.is_knowledge:
        return None
    since = status_of(memory)[1].deprecated_at_cycle
    if since is None or cycle - since <= settings.deprecation_retention_cycles:
        return None
    return Purge(memory_id=memory.id, at=at, cycle=cycle)
