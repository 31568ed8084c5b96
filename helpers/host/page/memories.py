"""A page of memories: searched by words or by meaning, narrowed, ordered (C-30, T-66)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...clock import format_time
from ...recall.lexical import parse_terms
from ...recall.select import said_at
from ...records import Memory, Utility, Validity
from ..docstore.catalogue import CatalogueEntry
from ..docstore.index import check_length
from ..docstore.store import Store
from ..session import Folder
from .questions import IN_USE, Filters, ListMemories
from .stamps import stamp_of

MOST_CHARACTERS = 300
#: So many of the nearest are found by meaning.
_MOST_NEAR = 100
#: A memory that holds all words of a query covers it but for rounding.
_WHOLE = 1.0 - 1e-9
_UTILITIES = (Utility.LOAD_BEARING.value, Utility.TACTICAL.value, Utility.ARCHIVED.value, "")
_EQUAL = ("source", "validity", "utility", "relevance", "area", "domain", "role")

Row = dict[str, Any]


def list_memories(folder: Folder, asked: ListMemories) -> Row:
    """Return one page of the memories that are asked for; blocking."""
    entries = narrow(folder.catalogue.entries(), asked.filters)
    query = asked.query.strip()
    if query and asked.by_meaning:
        near = _near(folder, query)
        found = sorted((one for one in entries if one.id in near), key=lambda one: (-near[one.id], one.id))
    else:
        worded = _worded(folder.store, query) if query else frozenset()
        found = order(matching(entries, query, worded), asked.sort, lambda: _scores(folder))
    first = (asked.page - 1) * asked.size
    rows = (_to_row(folder.store, one) for one in found[first : first + asked.size])
    return {
        "total": len(found),
        "page": asked.page,
        "pages": max(1, -(-len(found) // asked.size)),
        "rows": [one for one in rows if one is not None],
    }


def narrow(entries: Iterable[CatalogueEntry], filters: Filters) -> list[CatalogueEntry]:
    """Return the entries that all filters let through."""
    is_in_use = filters.validity == IN_USE
    names = [name for name in _EQUAL if not (is_in_use and name == "validity")]
    wanted = [(name, value) for name in names if (value := getattr(filters, name))]
    since = None if filters.since is None else filters.since.timestamp()
    until = None if filters.until is None else filters.until.timestamp()
    return [
        one
        for one in entries
        if all(getattr(one, name) == value for name, value in wanted)
        and (not is_in_use or one.validity != Validity.DEPRECATED)
        and (not filters.tag or filters.tag in one.tags)
        and (since is None or one.at >= since)
        and (until is None or one.at <= until)
    ]


def matching(entries: Sequence[CatalogueEntry], query: str, worded: frozenset[str]) -> list[CatalogueEntry]:
    """Return the entries that hold `query` as it is written, or are among the `worded`; all for no query."""
    plain = query.casefold()
    return [one for one in entries if not plain or one.id in worded or plain in one.text.casefold()]


def order(
    entries: Iterable[CatalogueEntry], sort: str, scores: Callable[[], Mapping[str, float]]
) -> list[CatalogueEntry]:
    """Return the entries in the order that is asked for; what is equal in it newest first."""
    newest = sorted(entries, key=lambda one: (-one.at, one.id))
    if sort == "oldest":
        return newest[::-1]
    if sort == "utility":
        return sorted(newest, key=lambda one: _UTILITIES.index(one.utility))
    if sort == "shown":
        return sorted(newest, key=lambda one: -one.shown)
    if sort == "quality":
        known = scores()
        return sorted(newest, key=lambda one: -known.get(one.id, 0.0))
    return newest


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
