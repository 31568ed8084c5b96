"""A list of memories: searched by words or by meaning, narrowed, ordered, cut into pages (C-30, T-66)."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import pairwise

from ..clock import parse_time
from ..ledger.authority import Actor, actor_of, tell
from ..records import Utility, Validity
from ..store.catalogue import PLACES, Row, find_unused, without_content
from ..store.files import JOURNAL_FILE, read_lines_if_any
from .arguments import IN_USE, Filters, FindMemories, ListMemories
from .place import MemoryPlace
from .rows import Result, memory_row

_UTILITIES = (Utility.LOAD_BEARING.value, Utility.TACTICAL.value, Utility.ARCHIVED.value, "")
ID = PLACES["id"]
_THE_AGENTS = (Actor.AGENT, Actor.RULE)
_EQUAL = ("source", "validity", "utility", "relevance", "area", "domain", "role")


def list_memories(place: MemoryPlace, asked: ListMemories) -> Result:
    """Return one page of the memories that are asked for; blocking."""
    found = find_entries(place, asked)
    shown = (place.read(one[ID]) for one in asked.cut(found))
    rows = [{**memory_row(one), "contested": is_contested(place, one.id)} for one in shown if one is not None]
    return {**asked.paging(len(found)), "rows": rows}


def find_entries(place: MemoryPlace, asked: FindMemories) -> list[Row]:
    """Return all that is asked for, in its order; blocking."""
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
        return sorted((entry for entry in entries if entry[ID] in near), key=lambda one: (-near[one[ID]], one[ID]))
    return order(matching(entries, query, place.holding(query) if query else frozenset()), asked.sort, place.scores)


def _changed(place: MemoryPlace, asked: FindMemories) -> set[str]:
    """Return what the agent or a rule has done something to, from `since` until `until`."""
    since, until = asked.filters.since, asked.filters.until
    rows = (row for row in read_lines_if_any(place.path / JOURNAL_FILE) if tell(row) and row.get("memory"))
    times = ((str(row["memory"]), parse_time(row.get("at"))) for row in rows if actor_of(row) in _THE_AGENTS)
    return {one for one, at in times if at and (not since or at >= since) and (not until or at <= until)}


#: What each value of `about` means.
_ABOUT: dict[str, Callable[[MemoryPlace, FindMemories], Container[str]]] = {
    "secrets": lambda place, _: place.open_secrets(),
    "empty": lambda place, _: without_content(place.documents()),
    "unused": lambda place, _: find_unused(place.entries(), place.now()),
    "changed": _changed,
}


def is_contested(place: MemoryPlace, memory_id: str) -> bool:
    """Whether a memory is at odds with another one, or may be."""
    return any(conflict.resolution is None for conflict in place.conflicts.of_memory(memory_id))


def narrow(entries: Sequence[Row], filters: Filters) -> list[Row]:
    """Return the entries that all filters let through."""
    is_in_use = filters.validity == IN_USE
    at, tags, validity = PLACES["at"], PLACES["tags"], PLACES["validity"]
    found = [entry for entry in entries if entry[validity] != Validity.DEPRECATED] if is_in_use else [*entries]
    for name in _EQUAL:
        place, value = PLACES[name], getattr(filters, name)
        if value and not (is_in_use and name == "validity"):
            found = [one for one in found if one[place] == value]
    if filters.tag:
        found = [one for one in found if filters.tag in one[tags]]
    if filters.since is not None:
        since = filters.since.timestamp()
        found = [one for one in found if one[at] >= since]
    if filters.until is not None:
        until = filters.until.timestamp()
        found = [one for one in found if one[at] <= until]
    return found


def matching(entries: Sequence[Row], query: str, worded: frozenset[str]) -> list[Row]:
    """Return the entries that hold `query` as it is written, or are among the `worded`; all for no query."""
    plain, text = query.casefold(), PLACES["text"]
    return [entry for entry in entries if not plain or entry[ID] in worded or plain in entry[text].casefold()]


def order(entries: Sequence[Row], sort: str, scores: Callable[[], Mapping[str, float]]) -> list[Row]:
    """Return the entries in the order that is asked for; what is equal in it newest first.

    Sorting happens outside the interpreter, which a host's chats need meanwhile.
    """
    at, utility, shown = PLACES["at"], PLACES["utility"], PLACES["shown"]
    newest = _descending(entries[::-1], [entry[at] for entry in entries[::-1]])
    if sort == "oldest":
        return newest[::-1]
    if sort == "utility":
        return _descending(newest, [-_UTILITIES.index(one[utility]) for one in newest])
    if sort == "shown":
        return _descending(newest, [one[shown] for one in newest])
    if sort == "quality":
        known = scores()
        return _descending(newest, [known.get(one[ID], 0.0) for one in newest])
    return newest


def _descending(entries: Sequence[Row], keys: Sequence[float]) -> list[Row]:
    if all(one >= other for one, other in pairwise(keys)):
        return [*entries]
    import numpy as np  # a command that lists what was written in the order of time does without

    places = np.argsort(-np.array(keys, dtype=np.float64), kind="stable")
    return [entries[place] for place in places.tolist()]
