"""The stages of maintenance, in their order; a new one is a line in the list."""

from __future__ import annotations

from .linking import link_related, name_clusters, repair_pointers
from .run import Job, Outcome, Stage
from .standing import archive_unused, mark_dormancy, purge_expired


def _count_standing(job: Job) -> Outcome:
    """Count what there is (C-62)."""
    counts = job.store.columns.count()
    return Outcome({"looked after": sum(counts.values())})


STAGES: tuple[Stage, ...] = (
    Stage("archive", "looking for memories that are long unused", archive_unused),
    # deduplicate: between archive and link
    Stage("link", "linking memories that share tags", link_related),
    Stage("cluster", "looking for memories that are often recalled together", name_clusters),
    Stage("dormancy", "looking for memories that were never recalled", mark_dormancy),
    Stage("purge", "looking for what may be deleted", purge_expired),
    Stage("repair", "looking for links to memories that have gone", repair_pointers),
    Stage("statistics", "counting", _count_standing),
    # backup: last
)
