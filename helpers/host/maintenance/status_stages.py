"""The stages that change what one memory by itself is worth: archive, dormancy, purge (C-69 ... C-71, E-26, T-12).

The columns name those that may change; the rules decide about each of these, and the store once more when it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...ledger.changes import Archive, FlagDormancy, MemoryChange, Purge, Rouse, Suspend, Unarchive
from ...maintenance.archival import decide_archival, decide_dormancy, decide_purge, decide_relevance
from ...records import Memory, Utility
from ..backup.backup import deleting_for
from ..docstore.columns import Columns, Flags
from .run import Job, StageResult

#: So many changes are carried out under one lock: a few milliseconds, for which a recall may have to wait.
SLICE = 32

# Each deletion moves the vectors of all later memories.
_PURGED_AT_ONCE = 1_000


def archive_unused(job: Job) -> StageResult:
    """Archive what was long not recalled, and bring back what is recalled again (C-69, C-70)."""

    def may_change(columns: Columns) -> Flags:
        idle = columns.idle(job.cycle, job.settings.archival_threshold_cycles)
        tactical, archived = columns.with_utility(Utility.TACTICAL), columns.with_utility(Utility.ARCHIVED)
        return (tactical & idle) | (archived & ~idle & columns.flags("is_recalled"))

    def decide(memory: Memory) -> MemoryChange | None:
        return decide_archival(memory, job.settings, cycle=job.cycle, at=job.at)

    changed = apply_all(job, _decide_each(job, may_change, decide))
    return named_outcome({"archived": changed.get(Archive, []), "brought back": changed.get(Unarchive, [])})


def mark_dormancy(job: Job) -> StageResult:
    """Mark what was never recalled as a candidate for dormancy; with `auto_dormant` let it sleep (E-26, T-12)."""
    settings = job.settings

    def may_be_marked(columns: Columns) -> Flags:
        is_recalled, is_candidate = columns.flags("is_recalled"), columns.flags("is_candidate")
        is_bearing = columns.with_utility(Utility.LOAD_BEARING)
        idle = columns.idle(job.cycle, settings.archival_threshold_cycles)
        known = columns.is_known() & columns.in_use()
        return known & (
            (idle & ~is_recalled & ~is_candidate & ~is_bearing) | (is_candidate & (is_recalled | is_bearing))
        )

    def may_sleep_or_wake(columns: Columns) -> Flags:
        candidates = columns.active() & columns.flags("is_candidate")
        return columns.flags("is_dormant") | (candidates & np.bool_(settings.auto_dormant))

    marked = apply_all(
        job, _decide_each(job, may_be_marked, lambda one: decide_dormancy(one, settings, cycle=job.cycle))
    )
    moved = apply_all(
        job,
        _decide_each(job, may_sleep_or_wake, lambda one: decide_relevance(one, settings, cycle=job.cycle, at=job.at)),
    )
    return named_outcome(
        {
            "marked as never recalled, or not any more": marked.get(FlagDormancy, []),
            "put to sleep": moved.get(Suspend, []),
            "woken": moved.get(Rouse, []),
        }
    )


def purge_expired(job: Job) -> StageResult:
    """Delete what has been retired for longer than it is kept; without `enable_purge` nothing (C-71, T-08)."""
    if not job.settings.enable_purge:
        return StageResult()
    found: list[Purge] = []
    for memory in job.read_each(lambda columns: columns.is_known() & ~columns.in_use()):
        change = decide_purge(memory, job.settings, cycle=job.cycle, at=job.at)
        found.extend([change] if change is not None else [])
    gone: list[str] = []
    for start in range(0, len(found), _PURGED_AT_ONCE):
        job.throttle.rest()
        with deleting_for(job.store, "purge"):
            gone += job.store.purge(found[start : start + _PURGED_AT_ONCE])
    return named_outcome({"deleted for good": gone})


def named_outcome(ids: dict[str, list[str]]) -> StageResult:
    """Return what was done to which memories, with the figures."""
    return StageResult(
        {what: len(found) for what, found in ids.items()}, {what: one for what, one in ids.items() if one}
    )


def apply_all(job: Job, changes: Iterator[MemoryChange]) -> dict[type, list[str]]:
    """Carry out `changes` slice by slice; return the memories that each kind of change was made for, as decided."""
    changed: dict[type, list[str]] = {}
    waiting: list[MemoryChange] = []
    for change in changes:
        waiting.append(change)
        if len(waiting) == SLICE:
            _apply(job, waiting, changed)
            waiting = []
    _apply(job, waiting, changed)
    return changed


def _apply(job: Job, changes: list[MemoryChange], changed: dict[type, list[str]]) -> None:
    if changes:
        for one in job.store.apply_each(changes):
            changed.setdefault(type(one), []).append(one.memory_id)
        job.throttle.rest()


def _decide_each(
    job: Job, may_change: Callable[[Columns], Flags], decide: Callable[[Memory], MemoryChange | None]
) -> Iterator[MemoryChange]:
    for memory in job.read_each(may_change):
        change = decide(memory)
        if change is not None:
            yield change
