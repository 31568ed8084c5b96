"""How a memory gets into a store: through the host's own `Memory`, or into a store that stands alone (Q-55)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from langchain_core.documents import Document

from ..backup.rows import memory_row
from ..docstore.embedded import EmbeddedMemory
from ..docstore.locks import change_lock
from ..docstore.store import Store


class QualityBackend(Protocol):
    """What the quality store needs of a memory folder beside reading it."""

    @property
    def memory(self) -> Any:
        """The host's `Memory`, or what stands in for it."""

    async def insert(self, text: str, metadata: Mapping[str, Any]) -> str:
        """Embed and store a memory; return its id."""

    async def replace(self, memory_id: str, text: str, metadata: Mapping[str, Any]) -> None:
        """Put another text under the same id."""

    def keep(self, store: Store) -> None:
        """See to it that a kill loses nothing of what was changed so far."""


class HostBackend:
    """Agent Zero's own memory folder; the host embeds, inserts and saves."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    async def insert(self, text: str, metadata: Mapping[str, Any]) -> str:
        """Insert through the host."""
        return str(await self.memory.insert_text(text, dict(metadata)))

    async def replace(self, memory_id: str, text: str, metadata: Mapping[str, Any]) -> None:
        """Let the host delete and add again; it takes the metadata as it is."""
        await self.memory.update_documents([Document(page_content=text, metadata={**metadata, "id": memory_id})])

    def keep(self, store: Store) -> None:
        """Leave that to the host, which saves, and to the backup (T-64)."""


class EmbeddedBackend:
    """A store without a host."""

    def __init__(self, memory: EmbeddedMemory) -> None:
        self.memory = memory

    async def insert(self, text: str, metadata: Mapping[str, Any]) -> str:
        """Embed off the event loop, then insert."""
        return await asyncio.to_thread(self._insert, text, dict(metadata))

    def _insert(self, text: str, metadata: dict[str, Any]) -> str:
        [vector] = self.memory.db.embedding_function.embed_documents([text])  # type: ignore[union-attr]
        with change_lock(type(self.memory)):
            return self.memory.insert(text, metadata, vector=vector)

    async def replace(self, memory_id: str, text: str, metadata: Mapping[str, Any]) -> None:
        """Do as the host does: the text is embedded first, then the old one goes."""
        await asyncio.to_thread(self._replace, memory_id, text, dict(metadata))

    def _replace(self, memory_id: str, text: str, metadata: dict[str, Any]) -> None:
        [vector] = self.memory.db.embedding_function.embed_documents([text])  # type: ignore[union-attr]
        with change_lock(type(self.memory)):
            self.memory.db.delete([memory_id])
            self.memory.insert(text, metadata, memory_id=memory_id, vector=vector)

    def keep(self, store: Store) -> None:
        """Write what was changed since the last time into a file of lines: a save writes the whole index."""
        with change_lock(type(self.memory)):
            changed, store.rewritten = store.rewritten, set()
            store.refresh_positions()
            documents, find_vector = store.db.get_all_docs(), store.index.vector
            self.memory.keep(
                (memory_row(one, documents[one].page_content, documents[one].metadata), vector)
                for one in sorted(changed)
                if one in documents and (vector := find_vector(one)) is not None
            )
