"""How long work in a thread leaves the interpreter to the chats between, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter

# So long it works in one go; then it rests.
_WORK_SECONDS = 0.005


class Stopped(Exception):
    """The run is to end here; what it has done stays, and the next one goes on."""


class Pace:
    """`rest` is called between two small pieces of work: it waits for a `share` of the time that they took.

    Raises Stopped once `stop` is set, or the folder is not `is_wanted` any more. At a terminal nothing `rests`.
    """

    def __init__(
        self,
        share: float = 1.0,
        *,
        stop: threading.Event | None = None,
        is_wanted: Callable[[], bool] = lambda: True,
        rests: bool = True,
    ) -> None:
        self.stop = stop or threading.Event()
        self._share = share
        self._is_wanted = is_wanted
        self.rests = rests
        self._began = perf_counter()

    def begin(self) -> None:
        """Let the work begin now: what came before takes no rest."""
        self._began = perf_counter()

    def rest(self) -> None:
        """Rest, if enough was worked to make it worth while."""
        worked = perf_counter() - self._began
        if worked >= _WORK_SECONDS and self.rests:
            self.stop.wait(worked * self._share)
            self.begin()
        if self.stop.is_set() or not self._is_wanted():
            raise Stopped
