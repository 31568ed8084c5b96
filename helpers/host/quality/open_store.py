"""The memories of an open store, shown and narrowed by their quality."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...quality.chain import ChainReport
from ...quality.kinds import MemoryType
from ...quality.objects import RecallRequest
from ...quality.relationships import Graph, all_relationships
from ...quality.validators import MemoryObject
from ...records import LINEAGE_KEY, QUALITY_KEY, Memory
from ...settings import Settings
from ...store.docstore import Store
from ...store.index import Mask
from ...store.quality_columns import QualityFilter, counted, measure, passing
from .reading import show_stored


def show_memory(
    store: Store, settings: Settings, memory_id: str, report: ChainReport | None = None
) -> MemoryObject | None:
    """Return a memory as the interface shows it, None if there is none; with the signature in `report`."""
    memory, document = store.read(memory_id), store.db.get_all_docs().get(memory_id)
    if memory is None or document is None:
        return None
    return show_stored(memory, document.metadata, store.conflicts, settings, store.clock(), report=report)


def narrow(store: Store, settings: Settings, request: RecallRequest) -> Mask:
    """Return one flag per position: whether it passes the filters of `request`. Call it with the lock held."""
    columns = store.columns
    wanted = QualityFilter(
        request.min_quality, request.max_staleness, request.exclude_conflicted, request.min_confidence
    )
    flags = passing(columns, wanted, store.clock(), settings.staleness_config)
    if len(request.types) < len(MemoryType):
        flags &= columns.with_type(request.types)
    if request.since is not None:
        flags &= columns.created >= request.since.timestamp()
    if request.until is not None:
        flags &= columns.created <= request.until.timestamp()
    if request.tags:
        memories = map(store.read, store.index.ids[: len(columns)])
        flags &= np.array([_has_tag(memory, request) for memory in memories], dtype=np.bool_)
    return flags


def _has_tag(memory: Memory | None, request: RecallRequest) -> bool:
    if memory is None:
        return False
    stated = memory.quality.tags if memory.quality is not None else ()
    derived = memory.classification.tags if memory.classification is not None else ()
    return not {*request.tags}.isdisjoint((*stated, *derived))


def list_newest(store: Store, settings: Settings, request: RecallRequest) -> list[str]:
    """Return the ids of the memories that match a request without a query, the newest first."""
    with store.lock:
        store.refresh_positions()
        columns, ids = store.columns, store.index.ids
        flags = narrow(store, settings, request) & columns.in_use()
        if request.include_deleted:
            flags = flags | columns.is_forgotten
        ordered = sorted(np.flatnonzero(flags).tolist(), key=lambda place: (-columns.created[place], ids[place]))
        return [ids[place] for place in ordered[request.offset : request.offset + request.limit]]


def find_stale(store: Store, settings: Settings, threshold: float) -> list[str]:
    """Return the ids of the memories that are at least this stale, the stalest first."""
    with store.lock:
        store.refresh_positions()
        columns, ids = store.columns, store.index.ids
        staleness = measure(columns, store.clock(), settings.staleness_config).staleness
        places = np.flatnonzero((staleness >= threshold) & counted(columns))
        return [ids[place] for place in sorted(places, key=lambda row: (-staleness[row], ids[row]))]


def make_graph(store: Store) -> Graph:
    """Return the graph of all links; linear in the number of memories."""
    with store.lock:
        documents = dict(store.db.get_all_docs())
    conflicted = {memory_id for conflict in store.conflicts.get_open() for memory_id in conflict.memories}
    linked = (key for key, document in documents.items() if key in conflicted or _is_linked(document.metadata))
    memories = (memory for memory_id in linked if (memory := store.read(memory_id)) is not None)
    return Graph(
        (memory.id, link)
        for memory in memories
        for link in all_relationships(memory, store.conflicts.of_memory(memory.id))
    )


def _is_linked(metadata: Any) -> bool:
    """Whether a memory may have links, by its raw metadata."""
    lineage, quality = metadata.get(LINEAGE_KEY), metadata.get(QUALITY_KEY)
    if not isinstance(lineage, dict) or (quality is not None and not isinstance(quality, dict)):
        return True
    has_links = any(lineage.get(key) for key in ("supersedes", "supersedes_ids", "related_memory_ids"))
    return has_links or bool(quality and quality.get("relationships"))
