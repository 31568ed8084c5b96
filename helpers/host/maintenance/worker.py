"""The thread in which a memory folder is maintained: one at a time for each folder, never the event loop (C-68).

It hangs on the host's own index object, and holds the folder: two chats that end at once, a reload of the plugin and
a second process start no second run. It stops when the process ends, or when the host lets go of that object.
"""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ...settings import Settings
from ...texts import counted
from ..chat_log import chat_problems
from ..host_agent import HostAgent
from ..session import Folder, Session
from ..storage.files import hold_folder
from ..storage.throttle import Throttle
from ..upkeep import publish_health
from . import schedule
from .run import Job, Stage, StageReport, run_stages
from .stages import STAGES

_log = logging.getLogger(__name__)

_THREAD_KEY = "_memory_ledger_maintenance"
_STOP_SECONDS = 5.0


class MaintenanceThread(threading.Thread):
    """One run for one memory folder; `cancel` ends it at the next slice."""

    def __init__(self, session: Session, stages: Sequence[Stage]) -> None:
        super().__init__(name="memory-ledger-maintain", daemon=True)
        self._session = session
        self._stages = stages
        self._stop_asked = threading.Event()

    def cancel(self) -> None:
        """Let the run end in order; waits for its slice, a few seconds at most."""
        self._stop_asked.set()
        self.join(_STOP_SECONDS)

    def run(self) -> None:
        """Hold the folder and maintain it; a folder that somebody else maintains is left to them."""
        atexit.register(self.cancel)
        item: Any = None
        try:
            with hold_folder(self._session.folder.store.folder) as is_held:
                if is_held:
                    item = self._session.agent.context.log.log(
                        type="util", heading="Memory Ledger: maintaining the memories", update_progress="none"
                    )
                    self._maintain(item)
        except Exception as exc:  # noqa: BLE001 - the last stop of a thread; the next turn tries again
            _log.exception("maintenance failed")
            if item is not None:
                item.update(heading="Memory Ledger: maintenance stopped", content=f"{type(exc).__name__}: {exc}")
        finally:
            atexit.unregister(self.cancel)

    def _maintain(self, item: Any) -> None:
        session, folder = self._session, self._session.folder

        def tell(doing: str) -> None:
            item.update(heading=f"Memory Ledger: {doing}")

        report = maintain_folder(folder, session.settings, self._stages, stop=self._stop_asked, tell=tell)
        if folder.store.is_current():
            publish_health(session)
        _report_failures(session.agent, report)
        ended = "done" if report.is_whole else "stopped, to be continued later"
        item.update(heading=f"Memory Ledger: maintenance {ended}: {report.summary()}")


def maintain_folder(
    folder: Folder,
    settings: Settings,
    stages: Sequence[Stage],
    *,
    stop: threading.Event,
    tell: Callable[[str], None],
    is_forced: bool = False,
) -> StageReport:
    """Maintain a folder that the caller holds, beside its chats, and save it; blocking."""
    store = folder.store
    job = Job(
        store=store,
        settings=settings,
        co_retrieval=folder.co_retrieval,
        throttle=Throttle(stop=stop, is_wanted=store.is_current),
        cycle=store.state.recall_cycle,
        at=store.clock(),
        is_forced=is_forced,
    )
    report = run_stages(job, stages, tell)
    if store.is_current():
        report.attempt("save", folder.end_turn)
    return report


def is_adopting(folder: Folder) -> bool:
    """Whether a store is still being looked through, which nobody maintains meanwhile (C-92)."""
    return folder.store.is_first_look or (folder.background is not None and folder.background.is_alive())


def running_in(folder: Folder) -> threading.Thread | None:
    """Return the thread that maintains a folder now."""
    running = folder.store.db.__dict__.get(_THREAD_KEY)
    return running if isinstance(running, threading.Thread) and running.is_alive() else None


def start_in(folder: Folder, thread: threading.Thread) -> None:
    """Start the thread that maintains a folder from now on."""
    folder.store.db.__dict__[_THREAD_KEY] = thread
    thread.start()


def maintain_if_due(session: Session, stages: Sequence[Stage] = STAGES) -> MaintenanceThread | None:
    """Start a run if one is due and none goes on; a store that is still being looked through is left alone (C-92)."""
    folder = session.folder
    if is_adopting(folder) or not schedule.is_due(folder.store.state, session.settings):
        return None
    if running_in(folder) is not None:
        return None
    thread = MaintenanceThread(session, stages)
    start_in(folder, thread)
    return thread


def _report_failures(agent: HostAgent, report: StageReport) -> None:
    """Put one warning about each stage that failed into the chat's log, and again once it has worked since (C-74)."""
    failed = [f"{name}: {type(exc).__name__}: {exc}" for name, exc in report.failures.items()]
    new = chat_problems(agent).settle(_report_failures, failed)
    if new:
        steps = counted(len(new), "step", "steps")
        agent.context.log.log(
            type="warning",
            heading=f"Memory Ledger: {steps} of the maintenance failed; the others were completed",
            content="\n".join(new),
        )
