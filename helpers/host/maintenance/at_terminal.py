"""Maintenance at once, whether or not it is due: of a store without a host, or of a copy of any store as a trial.

Nothing is embedded, so no model is needed. A memory folder of Agent Zero is only maintained as a copy: its host
maintains the folder itself, and would wipe an index that somebody else has changed.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from ...clock import Clock
from ...settings import Settings
from ...store import files
from ...store.co_retrieval import CoRetrievalLog
from ...store.database import Database
from ...store.deadline import Throttle
from ...store.docstore import Store
from ...store.embedded import EmbeddedMemory, NoModel
from ...store.files import only_one
from ...store.tables import FolderState, write_counters
from ..adoption.ingest import refuse_host_folder
from ..recall.folder_recall import check_reader
from .run import Job, StageReport, run_stages
from .stages import STAGES

#: Called with a description of each stage.
Tell = Callable[[str], None]
#: Called with the progress of a long stage: done, and total.
Progress = Callable[[int, int], None]


def maintain_store(
    folder: Path, settings: Settings, *, clock: Clock, tell: Tell, progress: Progress = lambda done, every: None
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
    progress: Progress = lambda done, every: None,
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
    folder: Path, settings: Settings, clock: Clock, tell: Tell, stop: threading.Event | None, progress: Progress
) -> StageReport:
    memory = EmbeddedMemory(folder, NoModel(folder), clock=clock)
    try:
        store = Store(memory, folder=folder, clock=clock, stands_alone=True)
        job = Job(
            store=store,
            settings=settings,
            co_retrieval=CoRetrievalLog(folder, store.memory_subdir, store.problems),
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
