"""The stages of maintenance, in their order; a new stage is a line in the list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import numpy as np

from ...ledger.changes import Archive, FlagDormancy, Link, MemoryChange, Repoint, Rouse, Suspend, Unarchive
from ...ledger.lifecycle import is_classified, status_of
from ...maintenance.archival import decide_archival, decide_dormancy, decide_purge, decide_relevance
from ...maintenance.links import Tagged, decide_repair, find_heirs, find_links
from ...records import Memory, Utility
from ...store.backup import deleting_for, write_backup
from ...store.columns import Columns, Flags
from ...store.restore import repair_store
from ...store.saving import drop_leftovers
from . import run
from .duplicates import deduplicate
from .run import Job, Stage, StageResult

#: How many changes are carried out under one lock: a few milliseconds, for which a recall may have to wait.
SLICE = 32

# Each deletion moves the vectors of all later memories.
_PURGED_AT_ONCE = 1_000


def archive_unused(job: Job) -> StageResult:
    """Archive memories that were not recalled for long, and bring back those that are recalled again."""

    def may_change(columns: Columns) -> Flags:
        idle = columns.idle(job.cycle, job.settings.archival_threshold_cycles)
        tactical, archived = columns.with_utility(Utility.TACTICAL), columns.with_utility(Utility.ARCHIVED)
        return np.asarray((tactical & idle) | (archived & ~idle & columns.is_recalled))

    decide = partial(decide_archival, settings=job.settings, cycle=job.cycle, at=job.at)
    changed = _change_each(job, may_change, decide)
    return named_outcome({"archived": changed[Archive], "brought back": changed[Unarchive]})


def mark_dormancy(job: Job) -> StageResult:
    """Mark memories that were never recalled as candidates for dormancy; with `auto_dormant` suspend them."""
    settings, cycle = job.settings, job.cycle

    def may_be_marked(columns: Columns) -> Flags:
        is_kept = columns.is_recalled | columns.with_utility(Utility.LOAD_BEARING)
        is_unused = columns.idle(cycle, settings.archival_threshold_cycles) & ~is_kept
        is_candidate = columns.is_candidate
        may_change = (is_unused & ~is_candidate) | (is_candidate & is_kept)
        return np.asarray(columns.is_known & columns.in_use() & may_change)

    def may_sleep_or_wake(columns: Columns) -> Flags:
        candidates = columns.active() & columns.is_candidate
        return np.asarray(columns.is_dormant | (candidates & np.bool_(settings.auto_dormant)))

    marked = _change_each(job, may_be_marked, partial(decide_dormancy, settings=settings, cycle=cycle))
    decide = partial(decide_relevance, settings=settings, cycle=cycle, at=job.at)
    moved = _change_each(job, may_sleep_or_wake, decide)
    return named_outcome(
        {
            "marked as never recalled, or not any more": marked[FlagDormancy],
            "put to sleep": moved[Suspend],
            "woken": moved[Rouse],
        }
    )


def purge_expired(job: Job) -> StageResult:
    """Delete memories that have been retired for longer than the settings keep them, if `enable_purge` is set."""
    if not job.settings.enable_purge:
        return StageResult()
    decide = partial(decide_purge, settings=job.settings, cycle=job.cycle, at=job.at)
    retired = job.read_each(lambda columns: columns.is_known & ~columns.in_use())
    purges = [change for change in map(decide, retired) if change is not None]
    deleted: list[str] = []
    for start in range(0, len(purges), _PURGED_AT_ONCE):
        job.throttle.rest()
        with deleting_for(job.store, "purge"):
            deleted += job.store.purge(purges[start : start + _PURGED_AT_ONCE])
    return named_outcome({"deleted for good": deleted})


def named_outcome(ids: dict[str, list[str]]) -> StageResult:
    """Return the result of a stage made of the ids behind each label."""
    return StageResult(
        {label: len(memory_ids) for label, memory_ids in ids.items()},
        {label: memory_ids for label, memory_ids in ids.items() if memory_ids},
    )


def _change_each(
    job: Job, may_change: Callable[[Columns], Flags], decide: Callable[[Memory], MemoryChange | None]
) -> defaultdict[type, list[str]]:
    """Decide about the memories that `may_change`; return the ids of the changed ones by the kind of change."""
    return _apply_all(job, (change for change in map(decide, job.read_each(may_change)) if change is not None))


def _apply_all(job: Job, changes: Iterator[MemoryChange]) -> defaultdict[type, list[str]]:
    """Carry out `changes` slice by slice; return the ids of the changed memories by the kind of change."""
    changed = defaultdict[type, list[str]](list)
    while some := list(islice(changes, SLICE)):
        for change in job.store.apply_each(some):
            changed[type(change)].append(change.memory_id)
        job.throttle.rest()
    return changed


def link_related(job: Job) -> StageResult:
    """Link the active memories that share tags, and unlink the others, if a rebuild of links is due."""
    settings = job.settings.related_memories
    if not settings.enabled or not (job.is_forced or run.are_links_due(job.store.state, job.settings)):
        return StageResult()
    began_at_loop = job.store.state.loop_count
    active = set(job.find(Columns.active))
    linked: dict[str, tuple[str, ...]] = {}

    def read_tags() -> Iterator[Tagged]:
        for memory in job.read_each(lambda columns: columns.is_known):
            if is_classified(memory):
                axes, lineage = status_of(memory)
                linked[memory.id] = lineage.related_memory_ids
                if memory.id in active:
                    yield Tagged(memory.id, memory.created_at.timestamp(), axes.tags)

    links = find_links(read_tags(), settings, pause=job.throttle.rest)
    relinked = (
        Link(memory_id=memory_id, related_ids=links.get(memory_id, ()))
        for memory_id, before in linked.items()
        if links.get(memory_id, ()) != before
    )
    changed = _apply_all(job, relinked)[Link]
    job.store.state.linked_at_loop = began_at_loop
    return named_outcome({"linked anew": changed})


def name_clusters(job: Job) -> StageResult:
    """Write the co-retrieval log, which names the pairs that are often recalled together."""
    settings = job.settings.co_retrieval
    if not settings.enabled:
        return StageResult()
    return StageResult({"pairs often recalled together": job.co_retrieval.export(settings)})


def repair_pointers(job: Job) -> StageResult:
    """Replace pointers to winners and losers that have gone."""
    pointing = [*filter(is_classified, job.read_each(lambda columns: columns.has_pointers))]
    heirs = find_heirs((memory.id, status_of(memory)[1]) for memory in pointing)
    repairs = (decide_repair(memory, heirs, job.store.__contains__, at=job.at) for memory in pointing)
    return named_outcome({"repaired": _apply_all(job, filter(None, repairs))[Repoint]})


def _count_status(job: Job) -> StageResult:
    """Count the classified memories."""
    counts = job.store.columns.count()
    return StageResult({"looked after": sum(counts.values())})


def _deduplicate(job: Job) -> StageResult:
    """Retire duplicates."""
    report = deduplicate(job)
    job.throttle.rest()
    retired, proposed = "duplicates retired", "duplicates proposed (`memory-ledger adopt --report`)"
    named = {retired: [*report.retired_ids], proposed: [*report.proposed_ids]}
    return StageResult(
        {
            retired: report.retired,
            proposed: report.proposed,
            "contradictions settled": report.resolved,
            "near pairs to look at": report.review,
            "near pairs left for the next run": report.waiting,
        },
        {label: ids for label, ids in named.items() if ids},
    )


def _repair_index(job: Job) -> StageResult:
    """Give each text its own vector, if the settings allow it; else count the texts without one."""
    disagreement = job.store.disagreement()
    repaired = repair_store(job.store, job.throttle) if disagreement and job.settings.repair_index else None
    if repaired is not None:
        counts = {"texts embedded anew": repaired.embedded, "texts that could not be embedded": len(repaired.failed)}
        return StageResult(
            {**counts, "vectors without a text taken out": len(disagreement.without_text) + disagreement.without_id}
        )
    return StageResult(
        {
            "texts without a vector (`memory-ledger repair`)": len(disagreement.without_vector),
            "vectors without a text (`memory-ledger repair`)": len(disagreement.without_text) + disagreement.without_id,
        },
        {"without_vector": [*disagreement.without_vector], "without_text": [*disagreement.without_text]}
        if disagreement
        else {},
    )


def _back_up(job: Job) -> StageResult:
    """Rewrite the backup, and delete the leftovers of crashes."""
    folder = job.store.folder
    leftover_count = sum(map(drop_leftovers, (folder, folder.parent)))
    report = write_backup(job.store, job.throttle)
    return StageResult(
        {"memories backed up": report.memories if report.is_written else 0, "files of a crash removed": leftover_count}
    )


STAGES: tuple[Stage, ...] = (
    Stage("archive", "looking for memories that have long been unused", archive_unused),
    Stage("deduplicate", "looking for duplicate memories", _deduplicate),
    Stage("link", "linking memories that share tags", link_related),
    Stage("cluster", "looking for memories that are often recalled together", name_clusters),
    Stage("dormancy", "looking for memories that were never recalled", mark_dormancy),
    Stage("purge", "looking for memories to purge", purge_expired),
    Stage("repair", "looking for links to missing memories", repair_pointers),
    Stage("index", "comparing vectors and texts", _repair_index),
    Stage("statistics", "counting", _count_status),
    Stage("backup", "writing the backup", _back_up),
)
