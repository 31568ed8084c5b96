"""Open the quality interface over a memory folder, with a host or without."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ...clock import Clock, system_clock
from ...settings import Settings
from ...store.backup_file import memory_row
from ...store.docstore import Store
from ...store.embedded import EmbeddedMemory, has_store
from ...store.files import only_one
from ...store.order import change_lock
from .. import agent_zero
from ..adoption.adopter import Adopter
from ..host_agent import HostAgent
from ..session import open_session
from ..turns import TurnRing
from .chain import ChainKeeper
from .interface import QualityStore


@asynccontextmanager
async def open_quality_store(
    folder: Path, embedder: Any, settings: Settings | None = None, *, clock: Clock = system_clock
) -> AsyncIterator[QualityStore]:
    """Open the memories in `folder` without a host, as their only writer, and save them at the end.

    The changes of methods that have returned survive a kill. Raises StoreError while somebody else has the folder open.
    """
    settings = settings or Settings()
    with only_one(folder):
        memory = EmbeddedMemory(folder, embedder, clock=clock)
        try:
            if not has_store(folder):
                memory.save()
            store = Store(memory, folder=folder, clock=clock, stands_alone=True)
            adopter = Adopter(store, TurnRing(settings.turn_window))
            while not adopter.run(settings, limit=1_000).is_done:
                pass
            keeper = ChainKeeper(store, settings.quality.signature)
            keeper.expect(memory.recovered)  # after a kill: this pack has changed them
            store.is_dirty |= bool(memory.recovered)
            store.conflicts.settle_gone(clock())
            quality = QualityStore(memory, adopter, settings, keeper, keep=partial(_keep_changed, memory))
            await quality.save()
            yield quality
            store.is_dirty = True
            await quality.save()
        finally:
            memory.close()


def _keep_changed(memory: EmbeddedMemory, store: Store) -> None:
    """Append the memories changed since the last call to a file of lines, for a save writes the whole index."""
    with change_lock(type(memory)):
        changed, store.rewritten = store.rewritten, set()
        store.refresh_positions()
        documents, find_vector = store.db.get_all_docs(), store.index.vector
        memory.keep(
            (memory_row(memory_id, documents[memory_id].page_content, documents[memory_id].metadata), vector)
            for memory_id in sorted(changed)
            if memory_id in documents and (vector := find_vector(memory_id)) is not None
        )


async def open_agent_quality(agent: HostAgent, *, clock: Clock = system_clock) -> QualityStore | None:
    """Return the quality store of an agent's present folder; None while the pack is switched off.

    It shares everything with the hooks, and the host saves its changes at the end of the turn.
    """
    session = await open_session(agent, clock=clock)
    if session is None:
        return None
    folder = session.folder
    memory = agent_zero.memory_module().Memory(folder.store.db, folder.store.memory_subdir)
    return QualityStore(memory, folder.adopter, session.settings, folder.chain)
