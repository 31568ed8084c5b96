"""One memory with all that is known of it: where it comes from, what became of it, what can be done (C-51, T-70)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...clock import format_time
from ...ledger.attribution import Conversation, attribute
from ...ledger.changes import Archive, Confirm, Protect, Reattribute, Revert, Unarchive, Withdraw
from ...ledger.history import Belief, find_beliefs
from ...quality.relationships import RelationshipType
from ...quality.staleness import measure_memory
from ...quality.upkeep import VERIFIED
from ...records import Memory, Source
from ..docstore.store import Store
from ..session import Folder
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..tools.beliefs import open_archive, read_reason
from .allowed import allowed_actions
from .memories import brief
from .questions import PageError, ShowMemory

_MOST_CHARACTERS = 100_000
_MOST_OF_A_LINE = 2_000
_MOST_LINES = 200
_MOST_OTHERS = 50
_SOURCES = {
    Source.USER_ASSERTED: "you said so",
    Source.AGENT_INFERRED: "the agent concluded it",
    Source.BOOKSHELF_DOCUMENT: "a document says so",
    Source.EXTERNAL_RETRIEVED: "a tool brought it",
}
_DONE = {
    Withdraw.action: "retired by a person",
    Archive.action: "archived",
    Unarchive.action: "in use again, after it was archived",
    Confirm.action: "confirmed",
    Protect.action: "protected by a person",
    Reattribute.action: "its source was corrected by a person",
    Revert.action: "a change was taken back",
    "restore": "brought back into use",
    "forget": "forgotten",
    "suspend": "put to sleep",
    "rouse": "woken",
}

Row = dict[str, Any]


def show_memory(folder: Folder, asked: ShowMemory) -> Row:
    """Return one memory; blocking, as long as reading all that was retired and the journal takes.

    Raises PageError where there is none.
    """
    store = folder.store
    memory = store.read(asked.id)
    if memory is None:
        raise PageError("This memory is not there any more.")
    journal = [row for row in read_lines_if_any(store.folder / JOURNAL_FILE) if row.get("memory") == memory.id]
    archive = open_archive(store, folder.names)
    beliefs = find_beliefs(archive, "", memory_id=memory.id)
    lines = timeline(beliefs, journal, lambda loser, winner: read_reason(store, loser, winner))
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
        "timeline": lines[-_MOST_LINES:],
        **_succession(store, memory),
        "links": _links(store, memory),
        "at_odds": [
            {"conflict": one.id, "id": other.id, "text": other.text[:_MOST_OF_A_LINE]}
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
        "can": allowed_actions(memory, journal, is_record=memory.id in store.mirrored),
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
    text = "" if memory is None else memory.text[:_MOST_OF_A_LINE]
    return {"id": memory_id, "text": text, "is_gone": memory is None, "why": why or ""}


def timeline(
    beliefs: Iterable[Belief], journal: Iterable[Mapping[str, Any]], reason: Callable[[str, str], str | None]
) -> list[Row]:
    """Return what was believed and what became of it, oldest first; `journal` are the lines about the memory itself."""
    lines = [_lines_of(one, reason) for one in beliefs]
    found = [begin for begin, *_ in lines]  # what is said ends the other at the same moment, and stands before that
    found += [
        {"date": str(row.get("at")), "what": _DONE[action], "text": "", "id": str(row.get("memory"))}
        for row in journal
        if (action := str(row.get("action"))) in _DONE
    ]
    found += [end for _, *ends in lines for end in ends]
    return sorted(found, key=lambda row: str(row["date"]))


def _lines_of(one: Belief, reason: Callable[[str, str], str | None]) -> list[Row]:
    begin = {
        "date": format_time(one.since),
        "what": _SOURCES[one.source],
        "text": one.text[:_MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    if one.until is None or one.replaced_by is None:
        return [begin]
    why = reason(one.memory_id, one.replaced_by)
    what = "no longer true" if one.part is not None else "retired"
    end = {
        "date": format_time(one.until),
        "what": f"{what}: {why}" if why else what,
        "text": (one.part or one.text)[:_MOST_OF_A_LINE],
        "id": one.memory_id,
    }
    return [begin, end]


def find_proof(memory: Memory, journal: Iterable[Mapping[str, Any]], spoken: Callable[[], Any]) -> str:
    """Return the words that show where a memory comes from: what the user said of late, or what confirmed it."""
    if memory.classification is not None and memory.classification.source is Source.USER_ASSERTED:
        said = Conversation(spoken()[0])
        found = attribute(memory.text, said)
        if found.is_user and found.index is not None:
            return said[found.index].text
    confirmed = [row.get("reasons") for row in journal if row.get("action") == Confirm.action]
    words = confirmed[-1][0] if confirmed and isinstance(confirmed[-1], list) and confirmed[-1] else ""
    return "" if words == VERIFIED else str(words)
