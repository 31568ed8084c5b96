"""What a list of memories is filtered and ordered by, each memory read once and again only when it has changed.

A change gives a document new metadata objects (`store`), so that looking whether anything is new costs a comparison.
What this pack has written, in its own form and sealed, is read without the records: that takes a tenth of the time.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...records import CLASSIFICATION_KEY, LINEAGE_KEY
from ..storage.throttle import Throttle
from .entries import Row, read_row, to_entry
from .store import Store

_SLICE = 50
#: A person waits for the list: the chats get so much of the time beside it, more while one prepares a prompt.
_REST_SHARE = 0.25


class _Read(NamedTuple):
    """What was read, in the order of the docstore: each document, the metadata objects in it, and the row they make."""

    ids: list[str]
    documents: list[Any]
    axes: list[object]
    lineages: list[object]
    rows: list[Row]


class Catalogue:
    """The entries of one store; thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known = _Read([], [], [], [], [])

    def rows(self) -> Sequence[Row]:
        """Return the entries of all memories as rows, in the order of the docstore; blocking while many are new."""
        with self._store.lock:
            documents = dict(self._store.db.get_all_docs())
        with self._lock:
            self._known = self._read_anew(documents)
            return self._known.rows

    def _read_anew(self, documents: Mapping[str, Any]) -> _Read:
        """Return what is known of `documents`: what is as it was at the last look is taken from that, by its place."""
        known, found, throttle = self._known, _Read([], [], [], [], []), Throttle(_REST_SHARE)
        is_shifted = known.ids[: len(documents)] != [*itertools.islice(documents, len(known.ids))]
        places = {one: place for place, one in enumerate(known.ids)} if is_shifted else {}
        size = len(known.ids)
        for number, (one, document) in enumerate(documents.items()):
            axes, lineage = document.metadata.get(CLASSIFICATION_KEY), document.metadata.get(LINEAGE_KEY)
            place = places.get(one, size) if is_shifted else number
            is_known = place < size and known.documents[place] is document
            if is_known and known.axes[place] is axes and known.lineages[place] is lineage:
                row: Row | None = known.rows[place]
            else:
                row = self._read(one, document)
            if row is not None:
                found.ids.append(one)
                found.documents.append(document)
                found.axes.append(axes)
                found.lineages.append(lineage)
                found.rows.append(row)
            if number % _SLICE == 0:
                throttle.rest()
        return found

    def _read(self, memory_id: str, document: Any) -> Row | None:
        row = read_row(self._store.key, memory_id, document)
        if row is not None:
            return row
        memory = self._store.read(memory_id)
        return None if memory is None else tuple(to_entry(memory))


def read_rows(store: Store) -> None:
    """Read the rows of the columns that nobody has read yet, a few at a time: nobody waits long for the lock."""
    throttle = Throttle(_REST_SHARE)
    while True:
        with store.lock:
            store.refresh_positions()
            if not store.rows.read(limit=_SLICE):
                return
        throttle.rest()
