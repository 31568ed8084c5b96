"""How a maintenance run leaves the interpreter to the chats, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter

# So long it works in one go; then it rests for as long as that took.
_WORK_SECONDS = 0.005


class Stopped(Exception):
    """The run is to end here; what it has done stays, and the next one goes on."""


class Pace:
    """Called between two small pieces of work; `is_wanted` says whether the folder is still in use."""

    def __init__(self, stop: threading.Event, is_wanted: Callable[[], bool], *, rests: bool = True) -> None:
        self.stop = stop
        self._is_wanted = is_wanted
        self._rests = rests
        self._began = perf_counter()

    def rest(self) -> None:
        """Rest for as long as was worked, if that was long enough; raises Stopped once nobody wants the run."""
        worked = perf_counter() - self._began
        if worked >= _WORK_SECONDS and self._rests:
            self.stop.wait(worked)
            self._began = perf_counter()
        if self.stop.is_set() or not self._is_wanted():
            raise Stopped
