"""One memory with all that is known of it: where it comes from, what became of it, what can be done (C-51, T-70)."""

from __future__ import annotations

from typing import Any

from ...clock import format_time
from ...ledger.history import find_beliefs
from ...ledger.undoing import Steps
from ...quality.relationships import RelationshipType
from ...quality.staleness import measure_memory
from ...records import Memory
from ..docstore.store import Store
from ..session import Folder
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..storage.undo import find_undo
from ..tools.beliefs import open_archive, read_reason
from .allowed import allowed_actions
from .memories import brief
from .questions import PageError, ShowMemory
from .timeline import MOST_OF_A_LINE, find_proof, timeline

_MOST_CHARACTERS = 100_000
_MOST_LINES = 200
_MOST_OTHERS = 50

Row = dict[str, Any]


def show_memory(folder: Folder, asked: ShowMemory) -> Row:
    """Return one memory; blocking, as long as reading all that was retired and the journal takes.

    Raises PageError where there is none.
    """
    store = folder.store
    memory = store.read(asked.id)
    if memory is None:
        raise PageError("This memory no longer exists.")
    lines = read_lines_if_any(store.folder / JOURNAL_FILE)
    journal = [row for row in lines if row.get("memory") == memory.id]
    archive = open_archive(store, folder.names)
    beliefs = find_beliefs(archive, "", memory_id=memory.id)
    told = timeline(memory.id, beliefs, lines, lambda loser, winner: read_reason(store, loser, winner), store.read)
    axes, lineage, quality = memory.classification, memory.lineage, memory.quality
    decay = measure_memory(memory, store.clock(), folder.settings.staleness_config)
    return {
        "memory": {
            **brief(memory, _MOST_CHARACTERS),
            "area": memory.area,
            "validity": "" if axes is None else axes.validity.value,
            "utility": "" if axes is None else axes.utility.value,
            "relevance": "" if axes is None else axes.relevance.value,
            "roles": [lineage.created_by_role] if lineage is not None and lineage.created_by_role else [],
            "domain": (lineage and lineage.bst_domain) or "",
            "tags": [] if axes is None else [*axes.tags],
        },
        "proof": find_proof(memory, journal, folder.turns.spoken),
        "timeline": told[-_MOST_LINES:],
        **_succession(store, memory),
        "links": _links(store, memory),
        "at_odds": [
            {"conflict": one.id, "id": other.id, "text": other.text[:MOST_OF_A_LINE]}
            for one in store.conflicts.of_memory(memory.id)
            if one.resolution is None and (other := store.read(one.other(memory.id))) is not None
        ],
        "quality": {
            "score": decay.score,
            "staleness": decay.staleness,
            "conflict_risk": (quality and quality.conflict_risk) or 0.0,
            "confidence": None if quality is None else quality.confidence,
            "errors": [] if quality is None else [*quality.validation_errors],
        },
        "shown": {
            "count": 0 if lineage is None else lineage.access_count,
            "last": None if lineage is None or lineage.last_accessed is None else format_time(lineage.last_accessed),
        },
        "can": allowed_actions(
            memory,
            can_undo=not isinstance(find_undo(memory, Steps(journal), journal, store.acts.find_obstacle), str),
            is_record=memory.id in store.mirrored,
            is_left_out=memory.id in folder.rules.left_out(),
        ),
    }


def _succession(store: Store, memory: Memory) -> Row:
    """Return what a memory replaces, the latest first, and what has replaced it, each with its text and why."""
    lineage = memory.lineage
    if lineage is None:
        return {"replaces": [], "replaced_by": None}
    losers = dict.fromkeys((*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])))
    winner = lineage.superseded_by
    return {
        "replaces": [
            _other(store, one, read_reason(store, one, memory.id)) for one in [*reversed(losers)][:_MOST_OTHERS]
        ],
        "replaced_by": None if not winner else _other(store, winner, read_reason(store, memory.id, winner)),
    }


def _links(store: Store, memory: Memory) -> list[Row]:
    """Return the memories that this one is linked to: as somebody stated, or as maintenance found."""
    stated = () if memory.quality is None else memory.quality.relationships
    related = () if memory.lineage is None else memory.lineage.related_memory_ids
    found = [{"what": one.type, **_other(store, one.target, one.reason)} for one in stated]
    found += [{"what": RelationshipType.RELATED_TO.value, **_other(store, one)} for one in related]
    return found[:_MOST_OTHERS]


def _other(store: Store, memory_id: str, why: str | None = None) -> Row:
    """Return what is said of another memory; without a text where it is not there any more."""
    memory = store.read(memory_id)
    text = "" if memory is None else memory.text[:MOST_OF_A_LINE]
    return {"id": memory_id, "text": text, "is_gone": memory is None, "why": why or ""}
