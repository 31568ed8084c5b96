"""The stages of maintenance, in their order; a new one is a line in the list."""

from __future__ import annotations

from ..backup.backup import write_backup
from ..backup.repair import repair_store
from ..docstore.consistency import disagreement_of
from ..storage.leftovers import drop_leftovers
from .duplicates import deduplicate
from .linking import link_related, name_clusters, repair_pointers
from .run import Job, Stage, StageResult
from .status_stages import archive_unused, mark_dormancy, purge_expired


def _count_status(job: Job) -> StageResult:
    """Count what there is (C-62)."""
    counts = job.store.columns.count()
    return StageResult({"looked after": sum(counts.values())})


def _deduplicate(job: Job) -> StageResult:
    """Retire what says the same as another memory (E-38 ... E-46)."""
    done = deduplicate(
        job.store,
        job.settings,
        cycle=job.cycle,
        stop=job.throttle.stop,
        rests=job.throttle.rests,
        progress=job.progress,
    )
    job.throttle.rest()
    retired, proposed = "duplicates retired", "duplicates proposed (`memory-ledger adopt --report`)"
    named = {retired: [*done.retired_ids], proposed: [*done.proposed_ids]}
    return StageResult(
        {
            retired: done.retired,
            proposed: done.proposed,
            "contradictions settled": done.resolved,
            "near pairs to look at": done.review,
            "near pairs left for the next run": done.waiting,
        },
        {what: ids for what, ids in named.items() if ids},
    )


def _repair_index(job: Job) -> StageResult:
    """Give each text its own vector, if the settings allow it; else count what has none (T-64)."""
    found = disagreement_of(job.store)
    done = repair_store(job.store, job.throttle) if found and job.settings.repair_index else None
    if done is not None:
        counts = {"texts embedded anew": done.embedded, "texts that could not be embedded": len(done.failed)}
        return StageResult({**counts, "vectors without a text taken out": len(found.without_text) + found.without_id})
    return StageResult(
        {
            "texts without a vector (`memory-ledger repair`)": len(found.without_vector),
            "vectors without a text (`memory-ledger repair`)": len(found.without_text) + found.without_id,
        },
        {"without_vector": [*found.without_vector], "without_text": [*found.without_text]} if found else {},
    )


def _back_up(job: Job) -> StageResult:
    """Rewrite the copy of every memory beside the store, and drop what a crash left of such a rewriting (T-64)."""
    folder = job.store.folder
    left = sum(map(drop_leftovers, (folder, folder.parent)))
    done = write_backup(job.store, job.throttle)
    return StageResult(
        {"memories backed up": done.memories if done.is_written else 0, "files of a crash removed": left}
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
