"""A page of memories: searched by words or by meaning, narrowed, ordered (C-30, T-66)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...clock import format_time
from ...recall.lexical import parse_query
from ...records import Memory, said_at
from ..docstore.catalogue import read_rows
from ..docstore.entries import CatalogueEntry, without_content
from ..docstore.entries import Row as Entry
from ..docstore.index import check_length
from ..docstore.store import Store
from ..session import Folder
from .allowed import stamp_of
from .narrowing import ID, matching, narrow, order
from .questions import FindMemories, ListMemories

MOST_CHARACTERS = 300
#: So many of the nearest are found by meaning.
_MOST_NEAR = 100
#: A memory that holds all words of a query covers it but for rounding.
_WHOLE = 1.0 - 1e-9

Row = dict[str, Any]


def list_memories(folder: Folder, asked: ListMemories) -> Row:
    """Return one page of the memories that are asked for; blocking."""
    found = find_entries(folder, asked)
    rows = (_to_row(folder.store, CatalogueEntry._make(one)) for one in asked.cut(found))
    return {**asked.paging(len(found)), "rows": [one for one in rows if one is not None]}


def find_entries(folder: Folder, asked: FindMemories) -> list[Entry]:
    """Return all that is asked for, in its order; blocking."""
    filters, about = asked.filters, asked.filters.about
    if about == "empty":  # which are all retired
        filters = filters.model_copy(update={"validity": ""})
    entries = narrow(folder.catalogue.rows(), filters)
    if about:
        meant = ids_with_secrets(folder) if about == "secrets" else ids_without_content(folder)
        entries = [one for one in entries if one[ID] in meant]
    query = asked.query.strip()
    if query and asked.by_meaning:
        near = _near(folder, query)
        return sorted((one for one in entries if one[ID] in near), key=lambda one: (-near[one[ID]], one[ID]))
    worded = _worded(folder.store, query) if query else frozenset()
    return order(matching(entries, query, worded), asked.sort, lambda: _scores(folder))


def ids_with_secrets(folder: Folder) -> frozenset[str]:
    """Return the memories in which a secret was found."""
    return frozenset(one for one in list(folder.adopter.secrets.found) if one in folder.store)


def ids_without_content(folder: Folder) -> frozenset[str]:
    """Return the memories that a rule has retired because they say nothing."""
    with folder.store.lock:
        documents = dict(folder.store.db.get_all_docs())
    return without_content(documents)


def _worded(store: Store, query: str) -> frozenset[str]:
    """Return the memories that hold all words of a query, as recall reads words."""
    with store.lock:
        store.refresh_positions()
        everywhere = np.ones(len(store.index), dtype=np.bool_)
        matches = store.lexical.match([parse_query(query)], everywhere, store.index.positions)
        return frozenset(store.index.ids[place] for place in np.flatnonzero(matches.coverage[0] >= _WHOLE).tolist())


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
