"""The memories of an open store, narrowed by their quality; their links and conflicts. Blocking."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ...errors import RequestError
from ...inbox import ConflictDecision
from ...ledger.authority import Actor
from ...maintenance.duplicates import PairOutcome, Surroundings, decide_pair
from ...quality.conflict_record import (
    RANKING,
    Conflict,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    resolve,
)
from ...quality.conflicts import detect_conflicts, open_conflict, stated_list
from ...quality.kinds import MemoryType
from ...quality.objects import MOST_RECALLED, ArchiveOptions, RecallRequest
from ...quality.relationships import Graph, RelationshipType, all_relationships
from ...quality.requests import Bring, may_archive
from ...recall.plan import RecallLimits, make_plan, widen
from ...records import LINEAGE_KEY, QUALITY_KEY, Memory
from ...settings import Settings
from ...store.docstore import Store
from ...store.index import Mask
from ...store.quality_columns import QualityFilter, counted, measure, passing
from ...store.query_vectors import remember_queries
from ...vault.taxonomy import SHARED_SCOPE
from ..adoption.adopter import Adopter
from ..adoption.linking import judge_decision
from ..recall.search import Audience, search_ids


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


async def search(store: Store, settings: Settings, request: RecallRequest) -> list[str]:
    """Return the ids of the memories that match the query and the filters of a request, the best first."""
    # The pages of one answer are cut from one search, or a memory would stand on two of them, and another on none.
    wanted = math.ceil((request.limit + request.offset) / MOST_RECALLED) * MOST_RECALLED
    plan = make_plan(request.query or "", settings, store.clock(), limits=widen(RecallLimits(), wanted))
    vectors = await remember_queries(store.db).embed([variant.text for variant in plan.variants])
    audience = Audience(narrow=lambda store: narrow(store, settings, request))
    ids = await asyncio.to_thread(search_ids, store, vectors, plan, audience)
    return ids[request.offset : request.offset + request.limit]


def find_stale(store: Store, settings: Settings, threshold: float) -> list[str]:
    """Return the ids of the memories that are at least this stale, the stalest first."""
    with store.lock:
        store.refresh_positions()
        columns, ids = store.columns, store.index.ids
        staleness = measure(columns, store.clock(), settings.staleness_config).staleness
        places = np.flatnonzero((staleness >= threshold) & counted(columns))
        return [ids[place] for place in sorted(places, key=lambda row: (-staleness[row], ids[row]))]


def find_archivable(store: Store, settings: Settings, asked: ArchiveOptions) -> list[str]:
    """Return the ids of the memories that are stale and old enough to be archived, the stalest first."""
    allows = partial(may_archive, older_than=asked.older_than, now=store.clock(), is_forced=asked.force)
    stale = find_stale(store, settings, asked.threshold)
    return [memory_id for memory_id in stale if allows(store.read(memory_id))]


def find_related(store: Store, memory_id: str, kind: RelationshipType | None, depth: int) -> list[str]:
    """Return the memories up to `depth` links away, the nearest first; linear in the number of memories.

    No step leads through a memory that is gone or forgotten.
    """
    with store.lock:
        documents = dict(store.db.get_all_docs())
    conflicted = {memory_id for conflict in store.conflicts.get_open() for memory_id in conflict.memories}
    linked = (key for key, document in documents.items() if key in conflicted or _is_linked(document.metadata))
    memories = (memory for memory_id in linked if (memory := store.read(memory_id)) is not None)
    graph = Graph(
        (memory.id, link)
        for memory in memories
        for link in all_relationships(memory, store.conflicts.of_memory(memory.id))
    )

    def exists(other_id: str) -> bool:
        return (other := store.read(other_id)) is not None and not other.is_forgotten

    return graph.traverse(memory_id, exists, kind=kind, depth=depth)


def _is_linked(metadata: Any) -> bool:
    """Whether a memory may have links, by its raw metadata."""
    lineage, quality = metadata.get(LINEAGE_KEY), metadata.get(QUALITY_KEY)
    if not isinstance(lineage, dict) or (quality is not None and not isinstance(quality, dict)):
        return True
    has_links = any(lineage.get(key) for key in ("supersedes", "supersedes_ids", "related_memory_ids"))
    return has_links or bool(quality and quality.get("relationships"))


def detect(adopter: Adopter, memory: Memory | None = None) -> list[Conflict]:
    """Return the conflicts among the memories in use, or of one memory, in the recorded state if there is one."""
    store = adopter.store
    compared: Iterable[Memory] = _visible(store) if memory is None else adopter.candidates(memory)
    if memory is not None and (stated := stated_list(memory)) is not None:
        same = (other for other in _visible(store) if (stated_list(other) or ("",))[0] == stated[0])
        compared = chain(compared, same)
    found = detect_conflicts(compared, at=store.clock(), memory=memory)
    return [store.conflicts.get(conflict.id) or conflict for conflict in found]


def _visible(store: Store) -> Iterator[Memory]:
    """Yield the memories without the records of the vault that only one agent sees: they are nobody else's conflict."""
    with store.lock:
        ids = list(store.db.get_all_docs())
    shared = (memory_id for memory_id in ids if store.mirrored.get(memory_id, SHARED_SCOPE) == SHARED_SCOPE)
    return (memory for memory in map(store.read, shared) if memory is not None)


def decide(adopter: Adopter, conflict: Conflict, strategy: Strategy) -> Conflict:
    """Resolve a conflict and return it; it is recorded for a person if the strategy names no winner."""
    store = adopter.store
    if store.conflicts.get(conflict.id) is None:
        store.conflicts.record(conflict)
    if strategy is Strategy.MANUAL or conflict.is_decided_by_person:
        return conflict
    moment, is_merge = store.clock(), strategy is Strategy.MERGE
    action = RequestKind.MERGE if is_merge else RequestKind.DECIDE
    ranking = strategy if strategy in RANKING else None
    asked = ConflictDecision(action=action, memories=conflict.memories, strategy=ranking)
    try:
        _, chosen, changes = judge_decision(store, asked, moment)
        for change in changes:
            if isinstance(change, Bring):
                adopter.transfers.bring(change.archived)
    except RequestError:
        return conflict
    store.apply((change for change in changes if not isinstance(change, Bring)), by=Actor.PERSON)
    verdict = ConflictVerdict.MERGED if is_merge else ConflictVerdict.ACCEPTED
    answer = resolve(conflict, strategy, verdict, winner=chosen.keep, at=moment, by=Resolver.AGENT)
    store.conflicts.record(answer)
    return answer


def suggest(store: Store, settings: Settings, memory: Memory) -> list[dict[str, Any]]:
    """Return suggested links to similar, older memories that a memory has no link to."""
    threshold, links = settings.quality.relationship_threshold, store.conflicts.of_memory(memory.id)
    linked = {link.target for link in all_relationships(memory, links)}
    with store.lock:
        store.refresh_positions()
        vector, position = store.index.vector(memory.id), store.index.position(memory.id)
        if vector is None or position is None:
            return []
        eligible = store.columns.in_use() & counted(store.columns)
        eligible[position] = np.False_
        hits = store.index.search(vector, settings.conflict_top_k, eligible)
    return [
        {
            "type": RelationshipType.SUPERSEDES.value,
            "target": other_id,
            "reason": f"similarity {similarity:.3f} is above {threshold:g}, and this memory is the newer one",
        }
        for other_id, similarity in hits
        if similarity > threshold and other_id not in linked
    ]


def ask_about(adopter: Adopter, settings: Settings, memory: Memory, similar: Iterable[str]) -> None:
    """Record the possible conflicts of a new memory, for a person.

    They are those with other lists of the same property, and with near duplicates that no rule decides about.
    """
    store, moment, rates = adopter.store, adopter.store.clock(), settings.staleness_config
    listed = detect(adopter, memory) if stated_list(memory) is not None else []
    possible = [conflict for conflict in listed if conflict.is_possible]
    around = Surroundings(at=moment, cycle=store.state.recall_cycle)
    for other_id in similar:
        other = store.read(other_id) if other_id not in store.mirrored else None
        if other is None:
            continue
        decision = decide_pair(other, memory, settings.deduplication, around)
        if decision.outcome in (PairOutcome.REVIEW, PairOutcome.KEPT):
            reasons = (decision.why,)
            possible.append(open_conflict(other, memory, at=moment, reasons=reasons, rates=rates, is_possible=True))
    store.conflicts.record(*(conflict for conflict in possible if store.conflicts.get(conflict.id) is None))
