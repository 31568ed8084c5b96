"""The vault searched by meaning: the host's own index is its vector cache, and can be lost (V-03, V-10, T-19).

The file is the source of truth. What is written here goes through the gate, then into the index; what is found there is
read from the file.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from ...vault.injector import parse_scopes
from ...vault.record import VaultRecord
from ..docstore.query_vectors import remember_queries
from ..docstore.store import Store
from .mirror import Mirror
from .vault_store import VaultStore, Written


class FAISSMemory:
    """Adds, updates, deletes and searches the records of one vault; blocking, for it embeds."""

    def __init__(self, vault: VaultStore, store: Store, mirror: Mirror) -> None:
        self._vault = vault
        self._store = store
        self._mirror = mirror

    def add(self, text: str, scope: str, category: str, **fields: Any) -> Written:
        """Store a text, if the gate lets it pass."""
        return self._mirrored(self._vault.add_memory(text, scope, category, **fields))

    def update(self, memory_id: str, **fields: Any) -> Written:
        """Write the next version of a record."""
        return self._mirrored(self._vault.update_memory(memory_id, **fields))

    def delete(self, memory_id: str) -> VaultRecord:
        """Write a tombstone."""
        gone = self._vault.delete_memory(memory_id)
        self._mirror.run()
        return gone

    def rebuild(self) -> int:
        """Bring the index in step with the file; return how many memories changed (V-60)."""
        return self._mirror.run()

    def search(
        self, query: str, scopes: str | Collection[str], *, limit: int = 20, seconds: float | None = None
    ) -> dict[str, float]:
        """Return the cosines of the nearest records by id, from `similarity_threshold` on; raises as the model."""
        wanted, db = parse_scopes(scopes), self._store.db
        embed = partial(db.embedding_function.embed_query, query)
        vector = np.asarray(embed() if seconds is None else remember_queries(db).ask(embed, seconds), dtype=np.float32)
        with self._store.lock:
            self._store.refresh_positions()
            eligible = np.zeros(len(self._store.index), dtype=np.bool_)
            for one, scope in self._store.mirrored.items():
                place = self._store.index.position(one)
                if place is not None and scope in wanted:
                    eligible[place] = True
            hits = self._store.index.search(vector, limit, eligible)
        cosines = {one: 2.0 * similarity - 1.0 for one, similarity in hits}
        return {one: cosine for one, cosine in cosines.items() if cosine >= self._vault.settings.similarity_threshold}

    def _mirrored(self, done: Written) -> Written:
        if done:
            self._mirror.run()
        return done
