"""The rows of lists, and a list of memories: searched, filtered, ordered, cut into pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from hashlib import blake2b
from operator import itemgetter
from typing import Any

from ..clock import format_time, parse_time
from ..language.segment import tokenise
from ..language.token import Token
from ..ledger.authority import Actor, actor_of, tell
from ..notes.model import NoteHit
from ..records import Memory, Utility, Validity
from ..store.catalogue import PLACES, CatalogueEntry, Row, find_unused, to_entry, without_content
from ..store.files import JOURNAL_FILE, read_lines_if_any
from .arguments import IN_USE, Filters, FindMemories, ListMemories
from .place import MemoryPlace

#: The length of a text in a list, and on a line about another memory.
MOST_CHARACTERS = 300
MOST_OF_A_LINE = 2_000

Result = dict[str, Any]
_STATUS = {"superseded_by", "deprecated_at", "outdated_parts", "archived_at_cycle", "dormant_since_cycle"}
#: Longer texts are compared at their beginning only: the time grows with the square of the words.
_MOST_CHARACTERS = 2_000

Spans = list[list[int]]


def entry_row(entry: Row) -> Result:
    """Return the row of a memory in every list; None stands for an unknown value."""
    fields = CatalogueEntry._make(entry)
    return {
        "id": fields.id,
        "text": fields.text,
        "area": fields.area,
        "validity": fields.validity or None,
        "source": fields.source or None,
        "utility": fields.utility or None,
        "relevance": fields.relevance or None,
        "said_at": format_time(datetime.fromtimestamp(fields.at, UTC)),
        "tags": [*fields.tags],
        "shown": fields.shown,
    }


def memory_row(memory: Memory, most: int = MOST_CHARACTERS) -> Result:
    """Return the row of a memory in a list with actions, with at most `most` characters of its text."""
    return {
        **entry_row(to_entry(memory)),
        "text": memory.text[:most],
        "is_cut": len(memory.text) > most,
        "replaced_by": memory.lineage and memory.lineage.superseded_by,
        "stamp": stamp_of(memory),
    }


def other_row(memory_id: str, memory: Memory | None, why: str | None = None) -> Result:
    """Return the row of another memory; without a text if it is gone."""
    return {"id": memory_id, "text": memory and memory.text[:MOST_OF_A_LINE], "why": why or None}


def hit_row(hit: NoteHit) -> Result:
    """Return the row of a piece of a note."""
    return {
        "note_id": hit.note_id,
        "title": hit.title,
        "section": hit.chunk.section_path,
        "line": hit.chunk.start_line,
        "similarity": round(hit.similarity, 6),
        "text": hit.chunk.text,
    }


def stamp_of(memory: Memory) -> str:
    """Return a digest of the text and the status of a memory; recalls do not change it."""
    axes, lineage, quality = memory.classification, memory.lineage, memory.quality
    parts = (
        memory.text,
        None if axes is None else axes.model_dump(mode="json", exclude={"tags"}),
        None if lineage is None else lineage.model_dump(mode="json", include=_STATUS),
        None if quality is None else str(quality.deleted_at),
    )
    return blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()


def differing_spans(older: str, newer: str) -> tuple[Spans, Spans]:
    """Return the stretches of words of each text that the other text does not have in that place."""
    sides = [older[:_MOST_CHARACTERS], newer[:_MOST_CHARACTERS]]
    words = [tokenise(side) for side in sides]
    plain = [[word.low for word in words_of_text] for words_of_text in words]
    blocks = SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    return (
        [_span(sides[0], words[0], begin, end) for _, begin, end, _, _ in changed if begin < end],
        [_span(sides[1], words[1], begin, end) for _, _, _, begin, end in changed if begin < end],
    )


def _span(text: str, words: Sequence[Token], begin: int, end: int) -> list[int]:
    return [_units(text[: words[begin].start]), _units(text[: words[end - 1].end])]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_UTILITIES = (Utility.LOAD_BEARING.value, Utility.TACTICAL.value, Utility.ARCHIVED.value, "")
ID = PLACES["id"]
_THE_AGENTS = (Actor.AGENT, Actor.RULE)
_EQUAL = ("source", "validity", "utility", "relevance", "area", "domain", "role")


def list_memories(place: MemoryPlace, asked: ListMemories) -> Result:
    """Return a page of the memories that are asked for; blocking."""
    entries = find_entries(place, asked)
    shown = (place.read(entry[ID]) for entry in asked.cut(entries))
    rows = [memory_row(memory) for memory in shown if memory is not None]
    for row in rows:
        row["contested"] = any(conflict.resolution is None for conflict in place.conflicts.of_memory(row["id"]))
    return {**asked.paging(len(entries)), "rows": rows}


def find_entries(place: MemoryPlace, asked: FindMemories) -> list[Row]:
    """Return all memories that are asked for, in their order; blocking."""
    filters, about = asked.filters, asked.filters.about
    if about in ("empty", "changed") and filters.validity == IN_USE:
        filters = filters.model_copy(update={"validity": ""})
    if about == "changed":  # by then, not said then
        filters = filters.model_copy(update={"since": None, "until": None})
    entries = narrow(place.entries(), filters)
    if about:
        meant = _ABOUT[about](place, asked)
        entries = [entry for entry in entries if entry[ID] in meant]
    query = asked.query.strip()
    if query and asked.by_meaning:
        near = place.near(query)
        return sorted((entry for entry in entries if entry[ID] in near), key=lambda row: (-near[row[ID]], row[ID]))
    return order(matching(entries, query, place.holding(query) if query else frozenset()), asked.sort, place.scores)


def _changed(place: MemoryPlace, asked: FindMemories) -> set[str]:
    """Return the ids of the memories that the agent or a rule has changed, from `since` until `until`."""
    since, until = asked.filters.since, asked.filters.until
    rows = (row for row in read_lines_if_any(place.path / JOURNAL_FILE) if tell(row) and row.get("memory"))
    times = ((str(row["memory"]), parse_time(row.get("at"))) for row in rows if actor_of(row) in _THE_AGENTS)
    return {name for name, time in times if time and (not since or time >= since) and (not until or time <= until)}


#: The filter behind each value of `about`.
_ABOUT: dict[str, Callable[[MemoryPlace, FindMemories], Container[str]]] = {
    "secrets": lambda place, _: place.open_secrets(),
    "empty": lambda place, _: without_content(place.documents()),
    "unused": lambda place, _: find_unused(place.entries(), place.now()),
    "changed": _changed,
}


def narrow(entries: Sequence[Row], filters: Filters) -> list[Row]:
    """Return the entries that pass all filters."""
    is_in_use = filters.validity == IN_USE
    said_at, tags, validity = PLACES["at"], PLACES["tags"], PLACES["validity"]
    wanted = {PLACES[name]: value for name in _EQUAL if (value := getattr(filters, name))}
    if is_in_use:
        del wanted[validity]
    since, until = (moment and moment.timestamp() for moment in (filters.since, filters.until))
    return [
        entry
        for entry in entries
        if not (is_in_use and entry[validity] == Validity.DEPRECATED)
        and all(entry[place] == value for place, value in wanted.items())
        and (not filters.tag or filters.tag in entry[tags])
        and (since is None or entry[said_at] >= since)
        and (until is None or entry[said_at] <= until)
    ]


def matching(entries: Sequence[Row], query: str, worded: frozenset[str]) -> list[Row]:
    """Return the entries whose text has the `query`, or that are among the `worded`; all without a query."""
    plain, text = query.casefold(), PLACES["text"]
    return [entry for entry in entries if not plain or entry[ID] in worded or plain in entry[text].casefold()]


def order(entries: Sequence[Row], sort: str, scores: Callable[[], Mapping[str, float]]) -> list[Row]:
    """Return the entries in the order `sort`; equal ones newest first."""
    said_at, utility, shown = PLACES["at"], PLACES["utility"], PLACES["shown"]
    newest = sorted(reversed(entries), key=itemgetter(said_at), reverse=True)
    if sort == "oldest":
        return newest[::-1]
    if sort == "utility":
        return sorted(newest, key=lambda entry: _UTILITIES.index(entry[utility]))
    if sort == "shown":
        return sorted(newest, key=itemgetter(shown), reverse=True)
    if sort == "quality":
        known = scores()
        return sorted(newest, key=lambda entry: known.get(entry[ID], 0.0), reverse=True)
    return newest
