"""The memories as lists show, filter and order them; each is read again only after it has changed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ledger.changes import EMPTY_RULE
from ..records import CLASSIFICATION_KEY, LINEAGE_KEY, Memory, parse_memory, said_at
from .deadline import Throttle

if TYPE_CHECKING:
    from .docstore import Store

_UNUSED = timedelta(days=90)


class CatalogueEntry(NamedTuple):
    """One memory as a list shows it; `at` is a time in seconds. Unknown fields are empty."""

    id: str
    text: str
    at: float
    area: str
    source: str = ""
    validity: str = ""
    utility: str = ""
    relevance: str = ""
    domain: str = ""
    role: str = ""
    tags: tuple[str, ...] = ()
    shown: int = 0


#: The fields of an entry in their order. A plain tuple, because the garbage collector, which stops every thread of the
#: process, stops tracking plain tuples of atoms and visits all other objects again and again.
Row = tuple[Any, ...]
#: The position of each field in a row.
PLACES = {name: place for place, name in enumerate(CatalogueEntry._fields)}


def to_entry(memory: Memory) -> CatalogueEntry:
    """Return the list entry of a memory."""
    axes, lineage = memory.classification, memory.lineage
    known = CatalogueEntry(memory.id, memory.text, said_at(memory).timestamp(), memory.area)
    if axes is None or lineage is None:
        return known
    return known._replace(
        source=axes.source.value,
        validity=axes.validity.value,
        utility=axes.utility.value,
        relevance=axes.relevance.value,
        domain=lineage.bst_domain or "",
        role=lineage.created_by_role or "",
        tags=axes.tags,
        shown=lineage.access_count,
    )


def read_entries(documents: Mapping[str, Any], written_at: datetime) -> list[Row]:
    """Return the rows of all documents on disk, whatever status they carry, in their order.

    `written_at` stands in for a memory without a time of its own.
    """
    memories = (
        parse_memory(memory_id, document.page_content, document.metadata, inserted_at=written_at)[0]
        for memory_id, document in documents.items()
    )
    return [tuple(to_entry(memory)) for memory in memories]


def without_content(documents: Mapping[str, Any]) -> frozenset[str]:
    """Return the ids of the memories that a rule has retired because they say nothing."""
    lineages = ((memory_id, document.metadata.get(LINEAGE_KEY)) for memory_id, document in documents.items())
    return frozenset(
        memory_id
        for memory_id, lineage in lineages
        if type(lineage) is dict and lineage.get("deprecated_reason") == EMPTY_RULE
    )


def find_unused(entries: Iterable[Row], now: datetime) -> frozenset[str]:
    """Return the ids of the memories that are older than 90 days and were in no prompt."""
    limit, time, shown = (now - _UNUSED).timestamp(), PLACES["at"], PLACES["shown"]
    return frozenset(entry[PLACES["id"]] for entry in entries if entry[time] < limit and not entry[shown])


_SLICE = 50
#: The share of time left to the chats while a person waits for the list; more while a prompt is prepared.
_REST_SHARE = 0.25


class Catalogue:
    """The entries of one store; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        #: The document of each memory, its metadata objects, and the row made of them.
        self._known: dict[str, tuple[Any, Any, Any, Row]] = {}

    def rows(self) -> Sequence[Row]:
        """Return the rows of all memories, in the order of the docstore; blocking while many are new."""
        with self._store.lock:
            documents = dict(self._store.db.get_all_docs())
        with self._lock:
            before, self._known, throttle = self._known, {}, Throttle(_REST_SHARE)
            for number, (memory_id, document) in enumerate(documents.items()):
                sources = document, document.metadata.get(CLASSIFICATION_KEY), document.metadata.get(LINEAGE_KEY)
                known = before.get(memory_id)
                if known is not None and all(map(is_, known, sources)):
                    self._known[memory_id] = known
                elif (memory := self._store.read(memory_id)) is not None:
                    self._known[memory_id] = *sources, tuple(to_entry(memory))
                if number % _SLICE == 0:
                    throttle.rest()
            return [row for *_, row in self._known.values()]


def read_rows(store: Store, rest_share: float = _REST_SHARE) -> None:
    """Read the unread rows of the columns, a few at a time, so that nobody waits long for the lock."""
    throttle = Throttle(rest_share)
    while True:
        with store.lock:
            store.refresh_positions()
            if not store.rows.read(limit=_SLICE):
                return
        throttle.rest()
