"""The threads that maintain a memory folder, when that is due or when a person asks for it."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from ...settings import Settings
from ...store.deadline import Throttle
from ...store.files import hold_folder
from ...texts import counted
from ..chat_log import chat_problems
from ..host_agent import HostAgent
from ..session import Folder, Session
from ..upkeep import publish_health
from . import run
from .at_terminal import try_maintenance
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
        """Lock the folder and maintain it, unless somebody else maintains it."""
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
    """Maintain a folder that the caller has locked, beside its chats, and save it; blocking."""
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
    """Whether the memories of a store are still being adopted, so that it cannot be maintained."""
    return folder.store.is_first_look or (folder.background is not None and folder.background.is_alive())


def running_in(folder: Folder) -> threading.Thread | None:
    """Return the thread that maintains a folder now."""
    running = folder.store.db.__dict__.get(_THREAD_KEY)
    return running if isinstance(running, threading.Thread) and running.is_alive() else None


def start_in(folder: Folder, thread: threading.Thread) -> None:
    """Start a thread that maintains a folder."""
    folder.store.db.__dict__[_THREAD_KEY] = thread
    thread.start()


def maintain_if_due(session: Session, stages: Sequence[Stage] = STAGES) -> MaintenanceThread | None:
    """Start a run if one is due, none goes on, and no adoption does."""
    folder = session.folder
    if is_adopting(folder) or not run.is_due(folder.store.state, session.settings):
        return None
    if running_in(folder) is not None:
        return None
    thread = MaintenanceThread(session, stages)
    start_in(folder, thread)
    return thread


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


_ASKED_KEY = "_memory_ledger_asked_maintenance"
#: Held while a run is started, for two people may ask at the same time.
_starting = threading.Lock()


class RunKind(StrEnum):
    """Whether a run changes the store, or a copy."""

    TRIAL = "trial"
    REAL = "real"


class Failure(StrEnum):
    """Why a run failed."""

    HELD = "another process maintains this folder now"
    BROKEN = "it failed; see the server log"


class BusyError(Exception):
    """No run was started; the message says why."""


@dataclass(slots=True)
class RunState:
    """The progress and the result of a run."""

    kind: RunKind
    began: datetime
    doing: str = "getting ready"
    #: How many stages have begun.
    begun: int = 0
    ended: datetime | None = None
    report: StageReport | None = None
    failure: Failure | None = None
    stop: threading.Event = field(default_factory=threading.Event)


class AskedRun(threading.Thread):
    """One run for one memory folder; `cancel` ends it at the next slice."""

    def __init__(self, folder: Folder, kind: RunKind) -> None:
        super().__init__(name="memory-ledger-maintain", daemon=True)
        self._folder = folder
        self.state = RunState(kind, folder.store.clock())

    def cancel(self) -> None:
        """Let the run end in order; waits for its slice, a few seconds at most."""
        self.state.stop.set()
        self.join(_STOP_SECONDS)

    def run(self) -> None:
        """Maintain a copy, or lock the folder and maintain it."""
        atexit.register(self.cancel)
        state, store = self.state, self._folder.store
        try:
            if state.kind is RunKind.TRIAL:
                settings = self._folder.settings
                state.report = try_maintenance(
                    store.folder, settings, clock=store.clock, tell=self._tell, stop=state.stop, state=store.state
                )
            else:
                self._maintain()
        except Exception:  # noqa: BLE001 - the last stop of a thread
            _log.exception("maintenance that was asked for failed")
            state.failure = Failure.BROKEN
        finally:
            state.ended = store.clock()
            atexit.unregister(self.cancel)

    def _maintain(self) -> None:
        state = self.state
        with hold_folder(self._folder.store.folder) as is_held:
            if not is_held:
                state.failure = Failure.HELD
                return
            state.report = maintain_folder(
                self._folder, self._folder.settings, STAGES, stop=state.stop, tell=self._tell, is_forced=True
            )

    def _tell(self, doing: str) -> None:
        self.state.doing = doing
        self.state.begun += 1


def start_run(folder: Folder, kind: RunKind) -> RunState:
    """Start a run; raises BusyError while a run or an adoption goes on."""
    with _starting:
        if is_adopting(folder):
            raise BusyError("Not every memory was read yet, which goes on with the next message to the agent.")
        if running_in(folder) is not None:
            raise BusyError("A run goes on in this folder; allowed: one at a time.")
        thread = AskedRun(folder, kind)
        folder.store.db.__dict__[_ASKED_KEY] = thread
        start_in(folder, thread)
        return thread.state


def last_asked(folder: Folder) -> RunState | None:
    """Return the state of the last run that somebody asked for; None for none."""
    thread = folder.store.db.__dict__.get(_ASKED_KEY)
    return thread.state if isinstance(thread, AskedRun) else None
