"""The thread that maintains a memory folder, when that is due or when a person asks for it."""

from __future__ import annotations

import atexit
import logging
import threading
from datetime import datetime
from typing import Any

from ...service.arguments import ServiceError
from ...store.deadline import Throttle
from ...store.files import hold_folder
from ...texts import counted
from ..alone import try_maintenance
from ..chat_log import chat_problems
from ..host_agent import HostAgent
from ..session import Folder, Session
from ..upkeep import publish_health
from . import run
from .run import Job, StageReport, run_stages
from .stages import STAGES

_log = logging.getLogger(__name__)

_THREAD_KEY = "_memory_ledger_maintenance"
_ASKED_KEY = "_memory_ledger_asked_maintenance"
_STOP_SECONDS = 5.0
#: Held while a run is started, for two people may ask at the same time.
_starting = threading.Lock()


class MaintenanceThread(threading.Thread):
    """One run for one memory folder: its progress, and in the end its report, or its failure in words.

    A run that is due tells the log of the chat of its `session`; one that a person asked for does everything, a trial
    on a copy. `stop` ends it at the next slice.
    """

    def __init__(self, folder: Folder, *, is_trial: bool = False, session: Session | None = None) -> None:
        super().__init__(name="memory-ledger-maintain", daemon=True)
        self._folder = folder
        self._session = session
        self._item: Any = None
        self.is_trial = is_trial
        self.began: datetime = folder.store.clock()
        self.ended: datetime | None = None
        self.doing = "getting ready"
        #: How many stages have begun.
        self.begun = 0
        self.report: StageReport | None = None
        self.failure = ""
        self.stop = threading.Event()

    def cancel(self) -> None:
        """Let the run end in order; waits for its slice, a few seconds at most."""
        self.stop.set()
        self.join(_STOP_SECONDS)

    def run(self) -> None:
        """Maintain a copy; or lock the folder and maintain it, unless somebody else does."""
        atexit.register(self.cancel)
        store = self._folder.store
        try:
            if self.is_trial:
                settings = self._folder.settings
                self.report = try_maintenance(
                    store.folder, settings, clock=store.clock, tell=self._tell, stop=self.stop, state=store.state
                )
                return
            with hold_folder(store.folder) as is_held:
                if is_held:
                    self._maintain()
                else:
                    self.failure = "another process maintains this folder now"
        except Exception as exc:  # noqa: BLE001 - the last stop of a thread; the next turn tries again
            _log.exception("maintenance failed")
            self.failure = "it failed; see the server log"
            if self._item is not None:
                self._item.update(heading="Memory Ledger: maintenance stopped", content=f"{type(exc).__name__}: {exc}")
        finally:
            self.ended = store.clock()
            atexit.unregister(self.cancel)

    def _maintain(self) -> None:
        """Maintain the locked folder beside its chats, save it, and tell the chat of the session."""
        folder, session = self._folder, self._session
        store = folder.store
        job = Job(
            store=store,
            settings=folder.settings if session is None else session.settings,
            co_retrieval=folder.co_retrieval,
            throttle=Throttle(stop=self.stop, is_wanted=store.is_current),
            cycle=store.state.recall_cycle,
            at=store.clock(),
            is_forced=session is None,
        )
        report = self.report = run_stages(job, STAGES, self._tell)
        if store.is_current():
            report.attempt("save", folder.end_turn)
        if session is not None:
            if store.is_current():
                publish_health(session)
            _report_failures(session.agent, report)
            ended = "done" if report.is_whole else "stopped, to be continued later"
            self._show(f"Memory Ledger: maintenance {ended}: {report.summary()}")

    def _tell(self, doing: str) -> None:
        self.doing = doing
        self.begun += 1
        self._show(f"Memory Ledger: {doing}")

    def _show(self, heading: str) -> None:
        if self._item is not None:
            self._item.update(heading=heading)
        elif self._session is not None:
            self._item = self._session.agent.context.log.log(type="util", heading=heading, update_progress="none")


def is_adopting(folder: Folder) -> bool:
    """Whether the memories of a store are still being adopted, so that it cannot be maintained."""
    return folder.store.is_first_look or (folder.background is not None and folder.background.is_alive())


def running_in(folder: Folder) -> threading.Thread | None:
    """Return the thread that maintains a folder now, which code from before a reload may have started."""
    running = folder.store.db.__dict__.get(_THREAD_KEY)
    return running if isinstance(running, threading.Thread) and running.is_alive() else None


def _start(folder: Folder, thread: MaintenanceThread) -> None:
    folder.store.db.__dict__[_THREAD_KEY] = thread
    thread.start()


def maintain_if_due(session: Session) -> None:
    """Start a run if one is due, none goes on, and no adoption does."""
    folder = session.folder
    if not is_adopting(folder) and run.is_due(folder.store.state, session.settings) and running_in(folder) is None:
        _start(folder, MaintenanceThread(folder, session=session))


def start_run(folder: Folder, *, is_trial: bool) -> None:
    """Start a run that a person asks for; raises ServiceError while a run or an adoption goes on."""
    with _starting:
        if is_adopting(folder):
            raise ServiceError("Not every memory was read yet, which goes on with the next message to the agent.")
        if running_in(folder) is not None:
            raise ServiceError("A run goes on in this folder; allowed: one at a time.")
        thread = folder.store.db.__dict__[_ASKED_KEY] = MaintenanceThread(folder, is_trial=is_trial)
        _start(folder, thread)


def last_asked(folder: Folder) -> MaintenanceThread | None:
    """Return the last run that somebody asked for; None for none."""
    thread = folder.store.db.__dict__.get(_ASKED_KEY)
    return thread if isinstance(thread, MaintenanceThread) else None


def _report_failures(agent: HostAgent, report: StageReport) -> None:
    """Write a warning about failed stages to the chat's log, again only after a success in between."""
    failed = [f"{name}: {type(exc).__name__}: {exc}" for name, exc in report.failures.items()]
    new = chat_problems(agent).settle(_report_failures, failed)
    if new:
        steps = counted(len(new), "step", "steps")
        agent.context.log.log(
            type="warning",
            heading=f"Memory Ledger: {steps} of the maintenance failed; the others were completed",
            content="\n".join(new),
        )
