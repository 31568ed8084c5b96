"""Ask a store at a terminal what it would recall; nothing in it changes, and nothing is counted (C-54 ... C-58)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...clock import Clock, parse_time
from ...errors import StoreError
from ...recall.plan import RecallPlan
from ...recall.selection import Selection
from ..docstore.embedded import EmbeddedMemory, has_store
from ..docstore.store import Store
from ..storage.damage import only_looking
from ..storage.files import read_key
from .search import recall

#: Told how many of how many memories are ready.
Progress = Callable[[int, int], None]

_EMBEDDED_AT_ONCE = 256


class GivenMemory(NamedTuple):
    """A memory of anybody's own; `metadata` as the host would store it."""

    id: str
    text: str
    metadata: Mapping[str, Any]


class ReadOnlyStore:
    """A store that is open for questions only."""

    def __init__(self, store: Store, embedder: Any, tell: Progress) -> None:
        self._store = store
        self._embedder = embedder
        with store.lock:
            store.refresh_positions()
        documents, opened_at = store.db.get_all_docs(), store.clock()
        dated = {
            memory_id: (found.page_content, parse_time(found.metadata.get("timestamp")) or opened_at)
            for memory_id in store.index.ids
            if (found := documents.get(memory_id)) is not None  # its status takes longer to read than this
        }
        store.lexical.add_all(dated)
        for place, one in enumerate(store.index.ids):
            if one in dated:
                store.rows.so_far.note_time(place, dated[one][1])
        tell(len(store.index.ids), len(store.index.ids))

    def answer(self, plans: Sequence[RecallPlan]) -> Iterator[Selection]:
        """Yield what each of `plans` brings, in their order; all their variants are embedded at once."""
        texts = [variant.text for plan in plans for variant in plan.variants]
        vectors = np.asarray(self._embedder.embed_documents(texts) if texts else [], dtype=np.float32)
        first = 0
        for plan in plans:
            last = first + len(plan.variants)
            yield recall(self._store, vectors[first:last], plan)
            first = last


def _silent(_done: int, _all: int) -> None:
    """Tell nobody."""


def check_reader(folder: Path) -> None:
    """Raise StoreError where there is no store in `folder`, or this pack has never written to it."""
    if not has_store(folder) or read_key(folder) is None:
        raise StoreError(f"{folder} holds no store of this pack; allowed: a folder that `ingest` has made")


@contextmanager
def open_reader(folder: Path, embedder: Any, *, clock: Clock, tell: Progress = _silent) -> Iterator[ReadOnlyStore]:
    """Open the store in `folder`; raises StoreError as `check_reader` does."""
    check_reader(folder)
    with _reading(EmbeddedMemory(folder, embedder, clock=clock), clock, embedder, tell) as reader:
        yield reader


@contextmanager
def open_memories(
    memories: Sequence[GivenMemory], embedder: Any, *, clock: Clock, tell: Progress = _silent
) -> Iterator[ReadOnlyStore]:
    """Open `memories`, in their order, as a store of its own that is gone afterwards.

    What their metadata says of their status holds; `tell` hears of every batch that is embedded.
    """
    with tempfile.TemporaryDirectory(prefix="memory-ledger-") as name:
        memory = EmbeddedMemory(Path(name), embedder, clock=clock)
        for start in range(0, len(memories), _EMBEDDED_AT_ONCE):
            batch = memories[start : start + _EMBEDDED_AT_ONCE]
            vectors = embedder.embed_documents([given_memory.text for given_memory in batch])
            for one, vector in zip(batch, vectors, strict=True):
                memory.insert(one.text, one.metadata, memory_id=one.id, vector=vector)
            tell(start + len(batch), len(memories))
        with _reading(memory, clock, embedder, _silent) as reader:
            yield reader


@contextmanager
def _reading(memory: EmbeddedMemory, clock: Clock, embedder: Any, tell: Progress) -> Iterator[ReadOnlyStore]:
    try:
        with only_looking():
            store = Store(memory, folder=memory.folder, clock=clock)
        yield ReadOnlyStore(store, embedder, tell)
    finally:
        memory.close()
        memory.db.get_all_docs().clear()  # a store refers to itself: a search for garbage costs far more
