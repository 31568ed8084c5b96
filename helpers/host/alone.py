"""Work on a memory folder without a host, at once: the requests about it, and maintenance.

The model is loaded only if something has to be embedded. A memory folder of Agent Zero is only maintained as a copy:
its host maintains the folder itself, and would wipe an index that somebody else has changed.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..clock import Clock
from ..errors import EmbeddingError
from ..inbox import BringBack, InboxRequest, Repair, SignAnew
from ..settings import Settings
from ..store import files
from ..store.co_retrieval import CoRetrievalLog
from ..store.database import Database
from ..store.deadline import Throttle
from ..store.docstore import Store
from ..store.embedded import EmbeddedMemory, NoModel, has_store
from ..store.erase import Trace
from ..store.files import CHAIN_FILE, CO_RETRIEVAL_FILE, only_one
from ..store.requests import Inbox
from ..store.restore import OrderHandler
from ..store.tables import FolderState, write_counters
from .adoption.ingest import Ingest, open_ingest, refuse_host_folder
from .maintenance.run import Job, StageReport, run_stages
from .maintenance.stages import STAGES
from .notes.service import NotesService
from .quality.chain import ChainKeeper
from .recall.folder_recall import check_reader

#: The requests that begin with a repair of the vectors.
_REPAIRING: Final = (BringBack, Repair)
#: Called with a problem, or with a description of each stage.
Tell = Callable[[Any], None]
#: Called with the progress of long work: done, and total.
Advance = Callable[[int, int], None]


def carry_out(
    folder: Path, settings: Settings, *, load: Callable[[], Any], clock: Clock, tell: Tell, advance: Advance
) -> list[InboxRequest]:
    """Carry out the waiting requests of the store in `folder`, and return them with their answers, if they have one.

    `advance` is called with the progress of reading or embedding.

    Raises StoreError where the folder is Agent Zero's, is open elsewhere, or cannot be used.
    """
    waiting = [request for request in Inbox(folder).read() if request.answer is None]
    is_repaired = any(isinstance(request.asked, _REPAIRING) for request in waiting)
    embedder = load() if is_repaired or not has_store(folder) else _LateModel(folder, load)
    with open_ingest(folder, embedder, settings, clock=clock, tell_read=advance, may_disagree=is_repaired) as ingest:
        _carry_out_orders(ingest, settings, clock, {type(request.asked) for request in waiting}, advance)
        ingest.save()
        for problem in ingest.store.problems.take():
            tell(problem)
    answered = {request.id: request for request in Inbox(folder).read()}
    return [answered.get(request.id, request) for request in waiting]


class _LateModel(NoModel):
    """An embedder that is loaded for its first text."""

    def __init__(self, folder: Path, load: Callable[[], Any]) -> None:
        super().__init__(folder)
        self._load = cache(load)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts; raises EmbeddingError if they have another length than those of the store."""
        vectors: list[list[float]] = self._load().embed_documents(texts)
        if any(len(vector) != self._length for vector in vectors):
            raise EmbeddingError(f"vectors of {len(vectors[0])} numbers; allowed: {self._length}, as the index holds")
        return vectors


def _carry_out_orders(
    ingest: Ingest, settings: Settings, clock: Clock, kinds: set[type[Any] | type[None]], advance: Advance
) -> None:
    """Erase, restore and the like; continue the chain if there is one, or if `kinds` ask for it."""
    store = ingest.store
    keeper, notes = ChainKeeper(store, settings.quality.signature), NotesService(store.folder, clock, store.problems)
    recalled = CoRetrievalLog(store.folder, store.database, store.memory_subdir, store.problems)

    def forget(trace: Trace) -> dict[str, int]:
        return {
            CO_RETRIEVAL_FILE: recalled.forget(trace.ids, settings.co_retrieval),
            CHAIN_FILE: sum(map(keeper.erase, trace.ids)),
            "notes": notes.forget(trace, settings.notes),
        }

    OrderHandler(ingest.backup, forget).carry_out(advance)
    ingest.backup.end_turn()  # it notes restored memories, and each new status
    if SignAnew in kinds or (store.folder / CHAIN_FILE).exists():
        keeper.catch_up()


def maintain_store(
    folder: Path, settings: Settings, *, clock: Clock, tell: Tell, progress: Advance = lambda done, every: None
) -> StageReport:
    """Maintain the store in `folder` and save it; raises StoreError where it cannot, or must not, be used."""
    check_reader(folder)
    refuse_host_folder(folder)
    with only_one(folder):
        return _maintain(folder, settings, clock, tell, None, progress)


def try_maintenance(
    folder: Path,
    settings: Settings,
    *,
    clock: Clock,
    tell: Tell,
    stop: threading.Event | None = None,
    state: FolderState | None = None,
    progress: Advance = lambda done, every: None,
) -> StageReport:
    """Maintain a temporary copy of `folder`, which may be one of Agent Zero's, and return the report.

    A running host passes the counters of the folder as `state`, and `stop`, which ends the run; the run then rests
    between two pieces of work, beside the chats.
    """
    check_reader(folder)
    with tempfile.TemporaryDirectory(prefix="memory-ledger-") as name:
        copy = Path(name) / "copy"
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(f"{files.STAGING}*", f"{files.DATABASE_FILE}*"))
        for path in (copy, *copy.rglob("*")):  # the folder may be read-only for this user
            path.chmod(path.stat().st_mode | stat.S_IRWXU)
        Database(folder).copy_to(copy)
        if state is not None:
            write_counters(Database(copy), state)
        return _maintain(copy, settings, clock, tell, stop, progress)


def _maintain(
    folder: Path, settings: Settings, clock: Clock, tell: Tell, stop: threading.Event | None, progress: Advance
) -> StageReport:
    memory = EmbeddedMemory(folder, NoModel(folder), clock=clock)
    try:
        store = Store(memory, folder=folder, clock=clock, stands_alone=True)
        job = Job(
            store=store,
            settings=settings,
            co_retrieval=CoRetrievalLog(folder, store.database, store.memory_subdir, store.problems),
            throttle=Throttle(stop=stop, is_wanted=store.is_current, rests=stop is not None),
            cycle=store.state.recall_cycle,
            at=clock(),
            is_forced=True,
            progress=progress,
        )
        report = run_stages(job, STAGES, tell)
        if not store.save():
            store.save_state()
        store.database.settle()  # before a trial's folder is deleted
        return report
    finally:
        memory.close()
