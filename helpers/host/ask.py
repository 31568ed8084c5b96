"""Ask a store at a terminal what it would recall; nothing in it changes, and nothing is counted (C-54 ... C-58)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..clock import Clock
from ..errors import StoreError
from ..recall.select import Selection
from .embedded import EmbeddedMemory, has_store
from .files import read_key
from .recall import RecallLimits, recall
from .state import OwnState
from .store import Store

_DEFAULTS = RecallLimits()


def plain_limits(count: int, *, has_gate: bool) -> RecallLimits:
    """Return the limits of a recall of the `count` nearest; without the gate, however far away they are (T-53)."""
    return RecallLimits(
        threshold=_DEFAULTS.threshold if has_gate else 0.0,
        searched_memories=count,
        searched_solutions=count,
        injected=count,
        solutions=min(count, _DEFAULTS.solutions),
    )


class Reader:
    """A store that is open for questions only."""

    def __init__(self, store: Store, embedder: Any) -> None:
        self._store = store
        self._embedder = embedder

    def answer(self, queries: Sequence[str], limits: RecallLimits) -> Iterator[Selection]:
        """Yield what each of `queries` brings, in their order; they are embedded at once."""
        vectors = self._embedder.embed_documents(list(queries)) if queries else []
        for vector in vectors:
            yield recall(self._store, np.asarray(vector, dtype=np.float32), limits)


@contextmanager
def open_reader(folder: Path, embedder: Any, *, clock: Clock) -> Iterator[Reader]:
    """Open the store in `folder`; raises StoreError where there is none, or this pack has never written to it."""
    if not has_store(folder) or read_key(folder) is None:
        raise StoreError(f"{folder} holds no store of this pack; allowed: a folder that `ingest` has made")
    memory = EmbeddedMemory(folder, embedder, clock=clock)
    try:
        states = OwnState(folder, is_read_only=True)
        yield Reader(Store(memory, folder=folder, states=states, clock=clock), embedder)
    finally:
        memory.close()
