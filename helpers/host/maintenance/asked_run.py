"""Maintenance that a person has asked for in a running host: tried on a copy first, then done (C-68).

It runs in a thread as the one that is due does, and stands in its place: there is one at a time for each folder. What
came of it hangs on the host's own index object, so that whoever asks later finds it.
"""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ..session import Folder
from ..storage.files import hold_folder
from .at_terminal import try_maintenance
from .run import StageReport
from .stages import STAGES
from .worker import is_adopting, maintain_folder, running_in, start_in

_log = logging.getLogger(__name__)

_ASKED_KEY = "_memory_ledger_asked_maintenance"
_STOP_SECONDS = 5.0
#: Two people ask at the same time.
_starting = threading.Lock()


class RunKind(StrEnum):
    """Whether anything is changed."""

    TRIAL = "trial"
    REAL = "real"


class Failure(StrEnum):
    """Why nothing came of a run."""

    HELD = "another process maintains this folder now"
    BROKEN = "it failed; see the server log"


class BusyError(Exception):
    """Nothing was started; the words say why."""


@dataclass(slots=True)
class RunState:
    """How far a run has come, and what came of it."""

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
        """Try it on a copy, or hold the folder and maintain it."""
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
    """Start a run; raises BusyError while one goes on, or the store is still being looked through (C-92)."""
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
    """Return the run that somebody asked for last, whether or not it has ended."""
    thread = folder.store.db.__dict__.get(_ASKED_KEY)
    return thread.state if isinstance(thread, AskedRun) else None
