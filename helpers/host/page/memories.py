"""A page of memories: searched by words or by meaning, narrowed, ordered (C-30, T-66)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...clock import format_time
from ...recall.lexical import parse_terms
from ...recall.select import said_at
from ...records import Memory, Utility, Validity
from ..docstore.catalogue import PLACES, CatalogueEntry, read_rows
from ..docstore.catalogue import Row as Entry
from ..docstore.index import check_length
from ..docstore.store import Store
from ..session import Folder
from .questions import IN_USE, Filters, FindMemories, ListMemories
from .stamps import stamp_of

MOST_CHARACTERS = 300
#: So many of the nearest are found by meaning.
_MOST_NEAR = 100
#: A memory that holds all words of a query covers it but for rounding.
_WHOLE = 1.0 - 1e-9
_UTILITIES = (Utility.LOAD_BEARING.value, Utility.TACTICAL.value, Utility.ARCHIVED.value, "")
_ID = PLACES["id"]
_EQUAL = ("source", "validity", "utility", "relevance", "area", "domain", "role")

Row = dict[str, Any]


def list_memories(folder: Folder, asked: ListMemories) -> Row:
    """Return one page of the memories that are asked for; blocking."""
    found = find_entries(folder, asked)
    rows = (_to_row(folder.store, CatalogueEntry._make(one)) for one in asked.cut(found))
    return {
        **asked.paging(len(found)),
        "rows": [one for one in rows if one is not None],
    }


def find_entries(folder: Folder, asked: FindMemories) -> list[Entry]:
    """Return all that is asked for, in its order; blocking."""
    entries = narrow(folder.catalogue.rows(), asked.filters)
    if asked.filters.about:
        with_secrets = ids_with_secrets(folder)
        entries = [one for one in entries if one[_ID] in with_secrets]
    query = asked.query.strip()
    if query and asked.by_meaning:
        near = _near(folder, query)
        return sorted((one for one in entries if one[_ID] in near), key=lambda one: (-near[one[_ID]], one[_ID]))
    worded = _worded(folder.store, query) if query else frozenset()
    return order(matching(entries, query, worded), asked.sort, lambda: _scores(folder))


def ids_with_secrets(folder: Folder) -> frozenset[str]:
    """Return the memories in which a secret was found."""
    return frozenset(one for one in list(folder.adopter.secrets.found) if one in folder.store)


def narrow(entries: Sequence[Entry], filters: Filters) -> list[Entry]:
    """Return the entries that all filters let through."""
    is_in_use = filters.validity == IN_USE
    at, tags, validity = PLACES["at"], PLACES["tags"], PLACES["validity"]
    found = [one for one in entries if one[validity] != Validity.DEPRECATED] if is_in_use else [*entries]
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


def matching(entries: Sequence[Entry], query: str, worded: frozenset[str]) -> list[Entry]:
    """Return the entries that hold `query` as it is written, or are among the `worded`; all for no query."""
    plain, text = query.casefold(), PLACES["text"]
    return [one for one in entries if not plain or one[_ID] in worded or plain in one[text].casefold()]


def order(entries: Sequence[Entry], sort: str, scores: Callable[[], Mapping[str, float]]) -> list[Entry]:
    """Return the entries in the order that is asked for; what is equal in it newest first.

    Sorting happens outside the interpreter, which a host's chats need meanwhile.
    """
    at, utility, shown = PLACES["at"], PLACES["utility"], PLACES["shown"]
    newest = _descending(entries[::-1], [one[at] for one in entries[::-1]])
    if sort == "oldest":
        return newest[::-1]
    if sort == "utility":
        return _descending(newest, [-_UTILITIES.index(one[utility]) for one in newest])
    if sort == "shown":
        return _descending(newest, [one[shown] for one in newest])
    if sort == "quality":
        known = scores()
        return _descending(newest, [known.get(one[_ID], 0.0) for one in newest])
    return newest


def _descending(entries: Sequence[Entry], keys: Sequence[float]) -> list[Entry]:
    places = np.argsort(-np.array(keys, dtype=np.float64), kind="stable")
    return [entries[place] for place in places.tolist()]


def _worded(store: Store, query: str) -> frozenset[str]:
    """Return the memories that hold all words of a query, as recall reads words."""
    with store.lock:
        store.refresh_positions()
        everywhere = np.ones(len(store.index), dtype=np.bool_)
        terms = parse_terms(query)
        matches = store.lexical.match(terms, everywhere, store.index.position, layout=store.index.layout)
        return frozenset(store.index.ids[place] for place in np.flatnonzero(matches.coverage >= _WHOLE).tolist())


def _near(folder: Folder, query: str) -> dict[str, float]:
    store = folder.store
    vector = np.asarray(store.db.embedding_function.embed_query(query), dtype=np.float32)
    with store.lock:
        store.refresh_positions()
        check_length(store.db, vector.reshape(1, -1))
        return dict(store.index.search(vector, _MOST_NEAR, np.ones(len(store.index), dtype=np.bool_)))


def _scores(folder: Folder) -> dict[str, float]:
    store = folder.store
    read_rows(store)
    with store.lock:
        store.refresh_positions()
        columns = store.columns
        score = columns.quality.measure(len(columns), store.clock(), folder.settings.staleness_config).score
        return dict(zip(store.index.ids, score.tolist(), strict=False))


def _to_row(store: Store, entry: CatalogueEntry) -> Row | None:
    memory = store.read(entry.id)
    if memory is None:
        return None
    return {
        **brief(memory, MOST_CHARACTERS),
        "validity": entry.validity,
        "utility": entry.utility,
        "relevance": entry.relevance,
        "area": entry.area,
        "shown": entry.shown,
        "contested": any(one.resolution is None for one in store.conflicts.of_memory(entry.id)),
        "replaced_by": (memory.lineage and memory.lineage.superseded_by) or "",
    }


def brief(memory: Memory, most: int) -> Row:
    """Return what every list says of a memory, with at most so many characters of its text."""
    return {
        "id": memory.id,
        "text": memory.text[:most],
        "is_cut": len(memory.text) > most,
        "date": format_time(said_at(memory)),
        "source": "" if memory.classification is None else memory.classification.source.value,
        "stamp": stamp_of(memory),
    }
