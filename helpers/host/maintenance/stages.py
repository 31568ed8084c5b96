"""The stages of maintenance, in their order; a new stage is a line in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...ledger.changes import Archive, FlagDormancy, Link, MemoryChange, Purge, Repoint, Rouse, Suspend, Unarchive
from ...ledger.lifecycle import is_classified, status_of
from ...maintenance.archival import decide_archival, decide_dormancy, decide_purge, decide_relevance
from ...maintenance.co_retrieval import candidates_of
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
        return (tactical & idle) | (archived & ~idle & columns.flags("is_recalled"))

    def decide(memory: Memory) -> MemoryChange | None:
        return decide_archival(memory, job.settings, cycle=job.cycle, at=job.at)

    changed = apply_all(job, _decide_each(job, may_change, decide))
    return named_outcome({"archived": changed.get(Archive, []), "brought back": changed.get(Unarchive, [])})


def mark_dormancy(job: Job) -> StageResult:
    """Mark memories that were never recalled as candidates for dormancy; with `auto_dormant` suspend them."""
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
        job, _decide_each(job, may_be_marked, lambda memory: decide_dormancy(memory, settings, cycle=job.cycle))
    )
    moved = apply_all(
        job,
        _decide_each(
            job, may_sleep_or_wake, lambda memory: decide_relevance(memory, settings, cycle=job.cycle, at=job.at)
        ),
    )
    return named_outcome(
        {
            "marked as never recalled, or not any more": marked.get(FlagDormancy, []),
            "put to sleep": moved.get(Suspend, []),
            "woken": moved.get(Rouse, []),
        }
    )


def purge_expired(job: Job) -> StageResult:
    """Delete memories that have been retired for longer than the settings keep them, if `enable_purge` is set."""
    if not job.settings.enable_purge:
        return StageResult()
    purges: list[Purge] = []
    for memory in job.read_each(lambda columns: columns.is_known() & ~columns.in_use()):
        change = decide_purge(memory, job.settings, cycle=job.cycle, at=job.at)
        purges.extend([change] if change is not None else [])
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


def apply_all(job: Job, changes: Iterator[MemoryChange]) -> dict[type, list[str]]:
    """Carry out `changes` slice by slice; return the ids of the changed memories by the kind of change."""
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
        for change in job.store.apply_each(changes):
            changed.setdefault(type(change), []).append(change.memory_id)
        job.throttle.rest()


def _decide_each(
    job: Job, may_change: Callable[[Columns], Flags], decide: Callable[[Memory], MemoryChange | None]
) -> Iterator[MemoryChange]:
    for memory in job.read_each(may_change):
        change = decide(memory)
        if change is not None:
            yield change


def link_related(job: Job) -> StageResult:
    """Link the active memories that share tags, and unlink the others, if a rebuild of links is due."""
    settings = job.settings.related_memories
    if not settings.enabled or not (job.is_forced or run.are_links_due(job.store.state, job.settings)):
        return StageResult()
    began_at_loop = job.store.state.loop_count
    active = set(job.find(Columns.active))
    linked: dict[str, tuple[str, ...]] = {}

    def read_tags() -> Iterator[Tagged]:
        for memory in job.read_each(Columns.is_known):
            if is_classified(memory):
                axes, lineage = status_of(memory)
                linked[memory.id] = lineage.related_memory_ids
                if memory.id in active:
                    yield Tagged(memory.id, memory.created_at.timestamp(), axes.tags)

    links = find_links(read_tags(), settings, pause=job.throttle.rest)
    changed = apply_all(
        job,
        (
            Link(memory_id=memory_id, related_ids=links.get(memory_id, ()))
            for memory_id, before in linked.items()
            if links.get(memory_id, ()) != before
        ),
    ).get(Link, [])
    job.store.state.linked_at_loop = began_at_loop
    return named_outcome({"linked anew": changed})


def name_clusters(job: Job) -> StageResult:
    """Name the pairs that are often recalled together in the co-retrieval log."""
    settings = job.settings.co_retrieval
    if not settings.enabled:
        return StageResult()
    job.co_retrieval.promote_clusters(settings)
    pairs = candidates_of(job.co_retrieval.read(settings), job.store.memory_subdir)
    return StageResult({"pairs often recalled together": len(pairs)})


def repair_pointers(job: Job) -> StageResult:
    """Replace pointers to winners and losers that have gone."""
    store = job.store
    pointing = [
        memory for memory in job.read_each(lambda columns: columns.flags("has_pointers")) if is_classified(memory)
    ]
    heirs = find_heirs((memory.id, status_of(memory)[1]) for memory in pointing)
    repairs = (decide_repair(memory, heirs, store.__contains__, at=job.at) for memory in pointing)
    return named_outcome({"repaired": apply_all(job, filter(None, repairs)).get(Repoint, [])})


def _count_status(job: Job) -> StageResult:
    """Count the classified memories."""
    counts = job.store.columns.count()
    return StageResult({"looked after": sum(counts.values())})


def _deduplicate(job: Job) -> StageResult:
    """Retire duplicates."""
    report = deduplicate(
        job.store,
        job.settings,
        cycle=job.cycle,
        stop=job.throttle.stop,
        rests=job.throttle.rests,
        progress=job.progress,
    )
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
