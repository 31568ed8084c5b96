"""A list of memories: searched by words or by meaning, narrowed, ordered, cut into pages (C-30, T-66)."""

from __future__ import annotations

from ..host.docstore.entries import Row, find_unused, without_content
from .arguments import FindMemories, ListMemories
from .narrowing import ID, matching, narrow, order
from .place import MemoryPlace
from .rows import Result, memory_row


def list_memories(place: MemoryPlace, asked: ListMemories) -> Result:
    """Return one page of the memories that are asked for; blocking."""
    found = find_entries(place, asked)
    shown = (place.read(one[ID]) for one in asked.cut(found))
    rows = [{**memory_row(one), "contested": is_contested(place, one.id)} for one in shown if one is not None]
    return {**asked.paging(len(found)), "rows": rows}


def find_entries(place: MemoryPlace, asked: FindMemories) -> list[Row]:
    """Return all that is asked for, in its order; blocking."""
    filters, about = asked.filters, asked.filters.about
    if about == "empty":  # which are all retired
        filters = filters.model_copy(update={"validity": ""})
    entries = narrow(place.entries(), filters)
    if about:
        meant = place.with_secrets() if about == "secrets" else without_content(place.documents())
        meant = find_unused(entries, place.now()) if about == "unused" else meant
        entries = [one for one in entries if one[ID] in meant]
    query = asked.query.strip()
    if query and asked.by_meaning:
        near = place.near(query)
        return sorted((one for one in entries if one[ID] in near), key=lambda one: (-near[one[ID]], one[ID]))
    return order(matching(entries, query, place.holding(query) if query else frozenset()), asked.sort, place.scores)


def is_contested(place: MemoryPlace, memory_id: str) -> bool:
    """Whether a memory is at odds with another one, or may be."""
    return any(one.resolution is None for one in place.conflicts.of_memory(memory_id))
