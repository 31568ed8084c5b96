"""The memories as lists show, filter and order them; each is read again only after it has changed."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

from ..clock import parse_time
from ..ledger.adopt import holds_seal
from ..ledger.changes import EMPTY_RULE
from ..records import (
    CLASSIFICATION_KEY,
    LINEAGE_KEY,
    Memory,
    Relevance,
    Source,
    Utility,
    Validity,
    parse_memory,
    said_at,
)
from .deadline import Throttle

if TYPE_CHECKING:
    from .docstore import Store

_UNUSED = timedelta(days=90)
#: Validity, relevance, utility and source.
Axes = tuple[str, str, str, str]

_STATUSES = frozenset(
    (validity.value, relevance.value, utility.value, source.value)
    for validity, relevance, utility, source in itertools.product(Validity, Relevance, Utility, Source)
)


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
_UNKNOWN = tuple(CatalogueEntry._field_defaults.values())
#: The position of each field in a row.
PLACES = {name: place for place, name in enumerate(CatalogueEntry._fields)}


def read_row(key: bytes, memory_id: str, document: Any) -> Row | None:
    """Return the row of a memory that this pack has sealed with `key`, or that has no status.

    None for any other memory and for any other form of metadata: it has to be parsed in full.
    """
    return parse_row(
        memory_id, document, lambda axes, seal: holds_seal(key, memory_id, document.page_content, axes, seal)
    )


def parse_row(
    memory_id: str, document: Any, is_believed: Callable[[Axes, object], bool] = lambda axes, seal: True
) -> Row | None:
    """Return the row of a memory that has no status, or whose status `is_believed`, given its axes and its seal.

    None for any other memory and for any other form of metadata.
    """
    metadata, text = document.metadata, document.page_content
    area, axes, lineage = metadata.get("area"), metadata.get(CLASSIFICATION_KEY), metadata.get(LINEAGE_KEY)
    if type(area) is not str or not area:
        return None
    if axes is None and lineage is None:
        moment = parse_time(metadata.get("timestamp"))
        return None if moment is None else (memory_id, text, moment.timestamp(), area, *_UNKNOWN)
    if type(axes) is not dict or type(lineage) is not dict:
        return None
    status = axes.get("validity"), axes.get("relevance"), axes.get("utility"), axes.get("source")
    stated_at, created_at = lineage.get("stated_at"), lineage.get("created_at")
    domain, role, shown = lineage.get("bst_domain"), lineage.get("created_by_role"), lineage.get("access_count", 0)
    tags = axes.get("tags", [])
    if type(tags) is not list or type(created_at) is not str:
        return None
    try:
        if status not in _STATUSES or not is_believed(status, lineage.get("seal")):
            return None
        said_at = datetime.fromisoformat(created_at if stated_at is None else stated_at)
    except (TypeError, ValueError):
        return None
    if said_at.tzinfo is None or type(shown) is not int or shown < 0:
        return None
    domain, role = "" if domain is None else domain, "" if role is None else role
    if type(domain) is not str or type(role) is not str or (tags and {*map(type, tags)} != {str}):
        return None
    validity, relevance, utility, source = status
    axes_of_row = source, validity, utility, relevance
    return memory_id, text, said_at.timestamp(), area, *axes_of_row, domain, role, tuple(tags), shown


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

    def parse_entry(memory_id: str, document: Any) -> Row:
        text, metadata = document.page_content, document.metadata
        return tuple(to_entry(parse_memory(memory_id, text, metadata, inserted_at=written_at)[0]))

    return [parse_row(*item) or parse_entry(*item) for item in documents.items()]


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
                is_known = known is not None and all(map(is_, known, sources))
                row = known[-1] if known is not None and is_known else self._read(memory_id, document)
                if row is not None:
                    self._known[memory_id] = *sources, row
                if number % _SLICE == 0:
                    throttle.rest()
            return [row for *_, row in self._known.values()]

    def _read(self, memory_id: str, document: Any) -> Row | None:
        row = read_row(self._store.key, memory_id, document)
        if row is not None:
            return row
        memory = self._store.read(memory_id)
        return None if memory is None else tuple(to_entry(memory))


def read_rows(store: Store, rest_share: float = _REST_SHARE) -> None:
    """Read the unread rows of the columns, a few at a time, so that nobody waits long for the lock."""
    throttle = Throttle(rest_share)
    while True:
        with store.lock:
            store.refresh_positions()
            if not store.rows.read(limit=_SLICE):
                return
        throttle.rest()
