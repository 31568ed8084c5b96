"""Carry out the requests about a store without a host, at once.

The model is loaded only if something has to be embedded.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from ..clock import Clock
from ..inbox import Arrive, BringBack, ConflictDecision, InboxRequest, Repair, SignAnew
from ..quality.conflict_record import RequestKind
from ..records import CLASSIFICATION_KEY
from ..settings import Settings
from ..store.backup import BackupWriter
from ..store.co_retrieval import CoRetrievalLog
from ..store.docstore import Store
from ..store.docstore_file import read_docstore
from ..store.embedded import NoModel, has_store
from ..store.erase import Trace
from ..store.files import CHAIN_FILE, CO_RETRIEVAL_FILE
from ..store.requests import Inbox
from ..store.restore import OrderHandler
from .adoption.ingest import open_ingest
from .notes.service import NotesService
from .quality.chain import ChainKeeper

#: The requests that embed texts.
_EMBEDDING: Final = (Arrive, BringBack, Repair)
#: The requests that begin with a repair of the vectors.
_REPAIRING: Final = (BringBack, Repair)
Tell = Callable[[object], None]
Advance = Callable[[int, int], None]


def carry_out(
    folder: Path, settings: Settings, *, load: Callable[[], Any], clock: Clock, tell: Tell, advance: Advance
) -> list[InboxRequest]:
    """Carry out the waiting requests of the store in `folder`, and return them with their answers, if they have one.

    `advance` is called with the progress of reading or embedding.

    Raises StoreError where the folder is Agent Zero's, is open elsewhere, or cannot be used.
    """
    waiting = [request for request in Inbox(folder).read() if request.answer is None]
    merges = (request.asked for request in waiting if isinstance(request.asked, ConflictDecision))
    is_embedding = (
        any(isinstance(request.asked, _EMBEDDING) for request in waiting)
        or any(decision.action is RequestKind.MERGE for decision in merges)
        or _has_unclassified(folder)
    )
    is_repaired = any(isinstance(request.asked, _REPAIRING) for request in waiting)
    embedder = load() if is_embedding else NoModel(folder)
    with open_ingest(folder, embedder, settings, clock=clock, tell_read=advance, may_disagree=is_repaired) as ingest:
        _Orders(ingest.store, ingest.backup, settings, clock).run({type(request.asked) for request in waiting}, advance)
        ingest.save()
        for problem in ingest.store.problems.take():
            tell(problem)
    answered = {request.id: request for request in Inbox(folder).read()}
    return [answered.get(request.id, request) for request in waiting]


def _has_unclassified(folder: Path) -> bool:
    """Whether a memory waits to be classified, which compares it with others."""
    if not has_store(folder):
        return True
    return any(CLASSIFICATION_KEY not in document.metadata for document in read_docstore(folder)[1].values())


class _Orders:
    """The work of a host for a folder beside adoption: erasing, restoring, and the chain."""

    def __init__(self, store: Store, backup: BackupWriter, settings: Settings, clock: Clock) -> None:
        self._store, self._backup, self._settings = store, backup, settings
        self._orders = OrderHandler(self._backup, self._forget)
        self._keeper = ChainKeeper(store, settings.quality.signature)
        self._co_retrieval = CoRetrievalLog(store.folder, store.memory_subdir, store.problems)
        self._notes = NotesService(store.folder, clock, store.problems)

    def run(self, kinds: set[type[Any] | type[None]], advance: Advance) -> None:
        """Carry out the orders, and continue the chain if there is one, or if `kinds` ask for it."""
        self._orders.carry_out(advance)
        self._backup.end_turn()  # it notes restored memories, and each new status
        if SignAnew in kinds or (self._store.folder / CHAIN_FILE).exists():
            self._keeper.catch_up()

    def _forget(self, trace: Trace) -> dict[str, int]:
        return {
            CO_RETRIEVAL_FILE: sum(
                self._co_retrieval.forget(memory_id, self._settings.co_retrieval) for memory_id in trace.ids
            ),
            CHAIN_FILE: sum(map(self._keeper.erase, trace.ids)),
            "notes": self._notes.forget(trace, self._settings.notes),
        }
