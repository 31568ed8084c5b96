"""A memory with everything that is known of it: its origin, its history, and the possible actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..clock import format_time
from ..contents import stated_content
from ..inbox import rules_left_out
from ..ledger.attribution import Conversation, Utterance, attribute
from ..ledger.authority import WISHES, retirements, tell
from ..ledger.changes import Confirm, Supersede
from ..ledger.history import Belief, find_beliefs
from ..ledger.undoing import Line, Steps
from ..quality.conflict_record import Conflict
from ..quality.objects import show_memory as show_object
from ..quality.relationships import find_stated, show_relationship
from ..quality.requests import VERIFIED
from ..records import QUALITY_KEY, Memory, Source
from ..store.files import JOURNAL_FILE, read_lines_if_any
from ..store.journal import find_undo
from .arguments import ServiceError, ShowOne, allowed_actions
from .place import MemoryPlace
from .rows import MOST_OF_A_LINE, Result, memory_row, other_row

_MOST_CHARACTERS = 100_000
_MOST_LINES = 200
_MOST_OTHERS = 50
_SOURCES = {
    Source.USER_ASSERTED: "you said so",
    Source.AGENT_INFERRED: "the agent concluded it",
    Source.BOOKSHELF_DOCUMENT: "a document says so",
    Source.EXTERNAL_RETRIEVED: "from a tool",
}
#: The actions of the journal that the beliefs or the conflicts show.
_TOLD_ELSEWHERE = frozenset(("supersede", "partial", "contest", "replace"))


def show_memory(place: MemoryPlace, asked: ShowOne) -> Result:
    """Return a memory with its details; blocking, as it reads all retired memories and the journal.

    Raises ServiceError if the memory is missing.
    """
    memory = place.read(asked.id)
    if memory is None:
        raise ServiceError("This memory no longer exists.")
    lines = [*read_lines_if_any(place.path / JOURNAL_FILE)]
    journal = [row for row in lines if row.get("memory") == memory.id]
    beliefs = find_beliefs(place.archive(), "", memory_id=memory.id)
    last: Line = next((row for row in reversed(journal) if row.get("action") not in WISHES), {})
    why, lineage = last.get("reasons"), memory.lineage
    return {
        **memory_row(memory, _MOST_CHARACTERS),
        "written_at": format_time(memory.created_at),
        "domain": lineage and lineage.bst_domain,
        "role": lineage and lineage.created_by_role,
        "why": [str(reason) for reason in why] if isinstance(why, list) else [],
        "rule": last.get("rule"),
        "last_shown": format_time(lineage.last_accessed) if lineage is not None and lineage.last_accessed else None,
        "outdated_parts": [] if lineage is None else [part.text for part in lineage.outdated_parts],
        "proof": find_proof(memory, journal, place.spoken) or None,
        "timeline": timeline(memory.id, beliefs, lines, place.reason, place.read)[-_MOST_LINES:],
        "beliefs": [_span(belief) for belief in beliefs][-_MOST_OTHERS:],
        **_succession(place, memory),
        "conflicts": [_conflict(place, memory, conflict) for conflict in place.conflicts.of_memory(memory.id)],
        **_quality(place, memory),
        "can": _allowed(place, memory, journal),
    }


def _succession(place: MemoryPlace, memory: Memory) -> Result:
    """Return the memories that a memory replaces, the latest first, and its replacement, with texts and reasons."""
    lineage = memory.lineage
    if lineage is None:
        return {"replaces": [], "replacement": None}
    losers = dict.fromkeys((*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])))
    winner = lineage.superseded_by
    latest = [*reversed(losers)][:_MOST_OTHERS]
    return {
        "replaces": [other_row(loser, place.read(loser), place.reason(loser, memory.id)) for loser in latest],
        "replacement": winner and other_row(winner, place.read(winner), place.reason(memory.id, winner)),
    }


def _conflict(place: MemoryPlace, memory: Memory, conflict: Conflict) -> Result:
    other, resolution = place.read(conflict.other(memory.id)), conflict.resolution
    return {
        "id": conflict.id,
        "with": conflict.other(memory.id),
        "text": other and other.text[:MOST_OF_A_LINE],
        "resolved": resolution is not None,
        "winner": resolution and resolution.winner,
    }


def _quality(place: MemoryPlace, memory: Memory) -> Result:
    """Return the figures of the quality layer, under its own names, and the links of a memory."""
    documents = place.documents()
    shown = show_object(memory, documents[memory.id].metadata, place.conflicts.of_memory, place.settings, place.now())
    away = [_link(place, memory, relationship) for relationship in shown["relationships"]]
    return {
        "type": shown["type"],
        "content": stated_content(shown["content"], memory.text, memory.content),
        "relationships": [*away, *_links_to(place, documents, memory.id)][:_MOST_OTHERS],
        "confidence": shown["confidence"],
        "quality": shown["quality"],
    }


def _link(place: MemoryPlace, source: Memory, link: Mapping[str, Any], *, leads_here: bool = False) -> Result:
    """Return a link with the text at its other end; only a `stated` link can be removed."""
    other = source if leads_here else place.read(link["target"])
    is_stated = find_stated(source, link["type"], link["target"]) is not None
    return {"source": source.id, **link, "stated": is_stated, "text": other and other.text[:MOST_OF_A_LINE]}


def _links_to(place: MemoryPlace, documents: Mapping[str, Any], memory_id: str) -> Iterator[Result]:
    """Yield the links from other memories to this one."""
    for other_id, document in documents.items():
        quality = document.metadata.get(QUALITY_KEY)
        if quality and memory_id in str(quality) and (other := place.read(other_id)) is not None:
            stated = other.quality.relationships if other.quality is not None else ()
            links = (show_relationship(relationship) for relationship in stated if relationship.target == memory_id)
            yield from (_link(place, other, link, leads_here=True) for link in links)


def _allowed(place: MemoryPlace, memory: Memory, journal: Sequence[Line]) -> list[str]:
    undo = find_undo(memory, Steps(journal), journal, place.find_obstacle)
    return [
        action.value
        for action in allowed_actions(
            memory,
            can_undo=not isinstance(undo, str),
            is_record=place.is_record(memory.id),
            is_left_out=memory.id in rules_left_out(place.requests()),
        )
    ]


def timeline(
    memory_id: str,
    beliefs: Sequence[Belief],
    journal: Sequence[Mapping[str, Any]],
    reason: Callable[[str, str], str | None],
    read: Callable[[str], Memory | None],
) -> list[Result]:
    """Return the events of a memory, oldest first: what was believed, and each change with its actor and its reason.

    A memory that retired it for a time is among them, with its text.
    """
    retired = retirements(journal)
    lines = [_lines_of(belief, retired, reason) for belief in beliefs]
    timeline = [begin for begin, *_ in lines]  # what is said ends the other at the same moment, and stands before that
    own = [row for row in journal if row.get("memory") == memory_id]
    descriptions = ((row, tell(row)) for row in own if row.get("action") not in _TOLD_ELSEWHERE)
    timeline += [_event(row.get("at"), what, "", memory_id) for row, what in descriptions if what]
    shown = {belief.replaced_by for belief in beliefs}
    past = [row for row in own if row.get("action") == Supersede.action and row.get("winner") not in shown]
    for row in past:
        winner = read(str(row.get("winner")))
        timeline.append(_event(row.get("at"), tell(row), winner.text if winner else "", str(row.get("winner"))))
    timeline += [end for _, *ends in lines for end in ends]
    return sorted(timeline, key=lambda row: str(row["date"]))


def _span(belief: Belief) -> Result:
    """Return from when until when something was believed; `until` is None while it is."""
    until = None if belief.until is None else format_time(belief.until)
    text = (belief.part or belief.text)[:MOST_OF_A_LINE]
    return {"id": belief.memory_id, "text": text, "since": format_time(belief.since), "until": until}


def _event(at: object, what: str, text: str, memory_id: str) -> Result:
    return {"date": str(at), "what": what, "text": text[:MOST_OF_A_LINE], "id": memory_id}


def _lines_of(
    belief: Belief, retired: Mapping[tuple[str, str], Mapping[str, Any]], reason: Callable[[str, str], str | None]
) -> list[Result]:
    begin = _event(format_time(belief.since), _SOURCES[belief.source], belief.text, belief.memory_id)
    if belief.until is None or belief.replaced_by is None:
        return [begin]
    lost = {"action": "supersede" if belief.part is None else "partial"}
    line = retired.get((belief.memory_id, belief.replaced_by), lost)
    what = tell(line, reason(belief.memory_id, belief.replaced_by))
    return [begin, _event(format_time(belief.until), what, belief.part or belief.text, belief.memory_id)]


def find_proof(memory: Memory, journal: Iterable[Mapping[str, Any]], spoken: Callable[[], list[Utterance]]) -> str:
    """Return the words that prove the origin of a memory: of the user's recent messages, or of its confirmation."""
    if memory.classification is not None and memory.classification.source is Source.USER_ASSERTED:
        conversation = Conversation(spoken())
        attribution = attribute(memory.text, conversation)
        if attribution.is_user and attribution.index is not None:
            return conversation[attribution.index].text
    confirmed = [row.get("reasons") for row in journal if row.get("action") == Confirm.action]
    words = confirmed[-1][0] if confirmed and isinstance(confirmed[-1], list) and confirmed[-1] else ""
    return "" if words == VERIFIED else str(words)
