"""A memory folder as a running host holds it: a `MemoryPlace` that is answered from its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from ..host.knowledge.places import KnowledgeFiles
from ..host.page.backup import find_breaks
from ..host.session import Folder
from ..host.tools.questions import open_archive, read_reason
from ..inbox import InboxRequest
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex
from ..ledger.undoing import Line
from ..quality.chain import Break
from ..recall.lexical import parse_query
from ..records import Memory
from ..store.catalogue import Row, read_rows
from ..store.index import check_length
from ..store.quality_columns import measure
from .place import MemoryPlace

#: The number of memories that a search by meaning returns.
_MOST_NEAR = 100
#: The coverage of a memory that has every word of a query, but for rounding.
_WHOLE = 1.0 - 1e-9


class LivePlace(MemoryPlace):
    """A folder of this process."""

    def __init__(self, folder: Folder) -> None:
        store = folder.store
        self._folder, self._store, self.path = folder, store, store.folder
        self.settings, self.conflicts, self.database = folder.settings, store.conflicts, store.database

    def documents(self) -> Mapping[str, Any]:
        with self._store.lock:
            return dict(self._store.db.get_all_docs())

    def requests(self) -> Sequence[InboxRequest]:
        return self._store.requests.look()

    def now(self) -> datetime:
        return self._store.clock()

    def read(self, memory_id: str) -> Memory | None:
        return self._store.read(memory_id)

    def entries(self) -> Sequence[Row]:
        return self._folder.catalogue.rows()

    def holding(self, query: str) -> frozenset[str]:
        store = self._store
        with store.lock:
            store.refresh_positions()
            everywhere = np.ones(len(store.index), dtype=np.bool_)
            matches = store.lexical.match([parse_query(query)], everywhere, store.index.positions)
            positions = np.flatnonzero(matches.coverage[0] >= _WHOLE).tolist()
            return frozenset(store.index.ids[position] for position in positions)

    def near(self, query: str) -> Mapping[str, float]:
        store = self._store
        vector = np.asarray(store.db.embedding_function.embed_query(query), dtype=np.float32)
        with store.lock:
            store.refresh_positions()
            check_length(store.db, vector.reshape(1, -1))
            return dict(store.index.search(vector, _MOST_NEAR, np.ones(len(store.index), dtype=np.bool_)))

    def scores(self) -> Mapping[str, float]:
        store = self._store
        read_rows(store)
        with store.lock:
            store.refresh_positions()
            score = measure(store.columns, store.clock(), self.settings.staleness_config).score
            return dict(zip(store.index.ids, score.tolist(), strict=False))

    def breaks(self) -> Sequence[Break]:
        return find_breaks(self._folder)

    def knowledge(self) -> KnowledgeFiles:
        return self._folder.knowledge.open(self.settings.knowledge).files

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        return {name: kinds for name, kinds in [*self._folder.adopter.secrets.found.items()] if name in self._store}

    def archive(self) -> HistoryIndex:
        return open_archive(self._store, self._folder.names)

    def reason(self, loser: str, winner: str) -> str | None:
        return read_reason(self._store, loser, winner)

    def spoken(self) -> list[Utterance]:
        return self._folder.turns.spoken()[0]

    def find_obstacle(self, step: Line) -> str:
        return self._store.acts.find_obstacle(step)

    def is_record(self, memory_id: str) -> bool:
        return memory_id in self._store.mirrored
