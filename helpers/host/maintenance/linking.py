"""The stages about memories and each other: links, clusters, pointers to what has gone (E-31, E-33, T-43)."""

from __future__ import annotations

from collections.abc import Iterator

from ...ledger.changes import Link, Repoint
from ...ledger.lifecycle import is_classified, status_of
from ...maintenance.co_retrieval import candidates_of
from ...maintenance.links import Tagged, find_links
from ...maintenance.repair import decide_repair, find_heirs
from ..docstore.columns import Columns
from . import schedule
from .run import Job, StageResult
from .status_stages import apply_all, named_outcome


def link_related(job: Job) -> StageResult:
    """Link the active memories that share tags, and unlink the others, if the links are due (E-33, E-71, E-84)."""
    settings = job.settings.related_memories
    if not settings.enabled or not (job.is_forced or schedule.are_links_due(job.store.state, job.settings)):
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
            Link(memory_id=one, related_ids=links.get(one, ()))
            for one, before in linked.items()
            if links.get(one, ()) != before
        ),
    ).get(Link, [])
    job.store.state.linked_at_loop = began_at_loop
    return named_outcome({"linked anew": changed})


def name_clusters(job: Job) -> StageResult:
    """Name the pairs that are often recalled together; nothing else follows (E-31, E-32)."""
    settings = job.settings.co_retrieval
    if not settings.enabled:
        return StageResult()
    job.co_retrieval.promote_clusters(settings)
    here = candidates_of(job.co_retrieval.read(settings), job.store.memory_subdir)
    return StageResult({"pairs often recalled together": len(here)})


def repair_pointers(job: Job) -> StageResult:
    """Let no memory name as its winner, or as its loser, one that is not there any more (T-43)."""
    store = job.store
    pointing = [one for one in job.read_each(lambda columns: columns.flags("has_pointers")) if is_classified(one)]
    heirs = find_heirs((memory.id, status_of(memory)[1]) for memory in pointing)
    found = (decide_repair(memory, heirs, store.__contains__, at=job.at) for memory in pointing)
    return named_outcome({"repaired": apply_all(job, (one for one in found if one is not None)).get(Repoint, [])})
