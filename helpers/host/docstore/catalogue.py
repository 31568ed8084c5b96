"""What a list of memories is filtered and ordered by, each memory read once and again only when it has changed.

A change gives a document new metadata objects (`store`), so that looking whether anything is new costs a comparison.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...recall.select import said_at
from ...records import LEDGER_KEYS, Memory
from ..storage.throttle import Throttle
from .store import Store

_SLICE = 50
#: A person waits for the list: the chats get so much of the time beside it, more while one prepares a prompt.
_REST_SHARE = 0.25


class CatalogueEntry(NamedTuple):
    """One memory as a list shows it; `at` in seconds. What is not known of it is empty."""

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


class _Read(NamedTuple):
    document: Any
    parts: tuple[Any, ...]
    entry: CatalogueEntry


class Catalogue:
    """The entries of one store; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: dict[str, _Read] = {}

    def entries(self) -> Sequence[CatalogueEntry]:
        """Return the entries of all memories, in the order of the docstore; blocking while many are new."""
        with self._store.lock:
            documents = dict(self._store.db.get_all_docs())
        throttle = Throttle(_REST_SHARE)
        with self._lock:
            found: dict[str, _Read] = {}
            for number, (memory_id, document) in enumerate(documents.items()):
                parts = tuple(map(document.metadata.get, LEDGER_KEYS))
                known = self._known.get(memory_id)
                if known is None or known.document is not document or not _are_same(known.parts, parts):
                    memory = self._store.read(memory_id)
                    if memory is None:
                        continue
                    known = _Read(document, parts, to_entry(memory))
                found[memory_id] = known
                if number % _SLICE == 0:
                    throttle.rest()
            self._known = found
            return [one.entry for one in found.values()]


def to_entry(memory: Memory) -> CatalogueEntry:
    """Return what a list shows of a memory."""
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


def _are_same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(one is other for one, other in zip(some, others, strict=True))
