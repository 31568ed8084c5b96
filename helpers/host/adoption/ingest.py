"""Store anybody's memories in a store of their own, through the write path of the hooks.

Texts are embedded in batches and adopted one by one: each is compared with all earlier ones, as in a chat. An operator
vouches for the lines, so their sources are believed and their times are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import faiss

from ...clock import Clock, format_time
from ...errors import Problem, StoreError
from ...formats.memories import MARK_KEY, NewMemory
from ...settings import Settings
from ...store.backup import BackupWriter
from ...store.backup_file import BackupFile, id_digest
from ...store.damage import ProblemKind
from ...store.docstore import Store
from ...store.docstore_file import host_file
from ...store.embedded import EmbeddedMemory, has_store
from ...store.files import only_one
from ..turns import TurnRing
from .adopter import Adopter

_BATCH_SIZE = 64
_READ_AT_ONCE = 1_000
# A save writes the whole index, so the pauses grow with it: all saves together cost a constant per memory.
_SMALLEST_PAUSE = 256
_SHARE_OF_PAUSE = 0.1


class Ingest:
    """Feeds memories into an open store, in order. Everything that it returns is saved."""

    def __init__(self, memory: EmbeddedMemory, embedder: Any, settings: Settings, clock: Clock) -> None:
        self._memory = memory
        self._embedder = embedder
        self._settings = settings
        self._clock = clock
        self._unsaved_count = 0
        self.store = Store(memory, folder=memory.folder, clock=clock, stands_alone=True)
        self.backup = BackupWriter(self.store, settings.backup, memory_class=EmbeddedMemory)
        self._adopter = Adopter(self.store, TurnRing(settings.turn_window))

    def take_up_what_was_there(self, tell_read: Callable[[int, int], None]) -> None:
        """End the first look, so that new memories, which the operator vouches for, are settled as they come."""
        every = 0
        while not (adoption := self._adopter.run(self._settings, limit=_READ_AT_ONCE)).is_done:
            waiting = adoption.remaining + adoption.unreviewed
            every = max(every, waiting + _READ_AT_ONCE)
            tell_read(every - waiting, every)
        self._adopter.trusts_origin = True
        self.save()

    def leave_known(self, named: Sequence[tuple[str, NewMemory]]) -> tuple[list[tuple[str, NewMemory]], int]:
        """Return the memories that the store lacks, and how many of the others were erased from it."""
        documents, backup = self._memory.db.get_all_docs(), BackupFile(self.store.folder).read()
        erased = {} if backup is None else backup.erased
        new = {memory_id: memory for memory_id, memory in named if id_digest(memory_id) not in erased}
        erased_count = len({memory_id for memory_id, _ in named} - new.keys())
        return [(memory_id, memory) for memory_id, memory in new.items() if memory_id not in documents], erased_count

    def run(
        self,
        memories: Iterable[tuple[str, NewMemory]],
        *,
        moment: datetime | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        tell_saved: Callable[[int], None] = lambda line: None,
        tell_problem: Callable[[Problem], None] = lambda problem: None,
    ) -> int:
        """Store memories, by id, until they end or `should_stop` says so; return how many were stored and saved.

        A memory without a time of its own gets `moment`, or the present time. `tell_saved` is called after every save
        with the number of saved memories.
        """
        count = 0
        for memory_id, memory, vector in self._embedded(memories, should_stop):
            self._store_one(memory_id, memory, vector, memory.stated_at or moment)
            count += 1
            for problem in self.store.problems.take(ProblemKind.METADATA, ProblemKind.UNUSABLE, ProblemKind.BACKUP):
                tell_problem(problem)
            if self._unsaved_count >= max(_SMALLEST_PAUSE, _SHARE_OF_PAUSE * len(self.store)):
                self.save()
                tell_saved(count)
            if should_stop():
                break
        self.save()
        return count

    def _embedded(
        self, memories: Iterable[tuple[str, NewMemory]], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[str, NewMemory, Sequence[float]]]:
        remaining = iter(memories)
        while not should_stop() and (batch := list(islice(remaining, _BATCH_SIZE))):
            vectors = self._embedder.embed_documents([memory.text for _, memory in batch])
            for (memory_id, memory), vector in zip(batch, vectors, strict=True):
                yield memory_id, memory, vector

    def _store_one(self, memory_id: str, memory: NewMemory, vector: Sequence[float], moment: datetime | None) -> None:
        metadata = {**memory.metadata, MARK_KEY: True if memory.row_id is None else memory.row_id}
        if memory.source is not None:
            metadata["origin"] = memory.source.value
        metadata["timestamp"] = format_time(moment or self._clock())
        self._adopter.trusts_time = moment is not None
        self._memory.insert(memory.text, metadata, memory_id=memory_id, vector=vector)
        self._unsaved_count += 1
        self._adopter.run(self._settings, limit=1)

    def save(self) -> None:
        """Write the backup, the index and the counters."""
        self.backup.end_turn()
        if not self.store.save():
            self.store.save_state()
        self._unsaved_count = 0


@contextmanager
def open_ingest(
    folder: Path,
    embedder: Any,
    settings: Settings,
    *,
    clock: Clock,
    tell_read: Callable[[int, int], None] = lambda done, every: None,
    may_disagree: bool = False,
) -> Iterator[Ingest]:
    """Open the store in `folder`, or make one, as its only writer.

    `tell_read` is called with the progress of reading the memories that are there already. For a repair the store is
    opened although vectors and texts `may_disagree`.

    Raises StoreError where the folder is Agent Zero's, is being written by somebody else, or cannot be used.
    """
    refuse_host_folder(folder)
    with only_one(folder):
        faiss.omp_set_num_threads(1)  # a search for one vector has no work for two: they would wait for each other
        memory = EmbeddedMemory(folder, embedder, clock=clock, may_disagree=may_disagree)
        with closing(memory):
            if not has_store(folder):
                memory.save()
            ingest = Ingest(memory, embedder, settings, clock)
            ingest.take_up_what_was_there(tell_read)
            yield ingest


def refuse_host_folder(folder: Path) -> None:
    """Raise StoreError where Agent Zero keeps its memories."""
    name = host_file(folder)
    if name is not None:
        raise StoreError(f"{folder} holds {name} of Agent Zero; allowed: a new folder, or one that ingest has made")
