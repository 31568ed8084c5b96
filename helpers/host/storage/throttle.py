"""How long work in a thread leaves the interpreter to the chats between, and how it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter

# So long it works in one go; then it rests.
_WORK_SECONDS = 0.005
# Who prepares a prompt has the interpreter to itself for so long, unless the prompt is sent before.
_PROMPT_SECONDS = 1.0
# So long one rest is for prompts at most, however many follow each other, and so often it is looked whether they went.
_LONGEST_REST = 5.0
_GLANCE_SECONDS = 0.01


class _Prompts:
    """Until when a chat of this process prepares a prompt."""

    until = 0.0


def give_way() -> None:
    """A prompt is prepared: work in threads rests until it is sent, or a second has passed."""
    _Prompts.until = perf_counter() + _PROMPT_SECONDS


def go_on() -> None:
    """The prompt is sent: while the model answers there is time."""
    _Prompts.until = 0.0


class Stopped(Exception):
    """The run is to end here; what it has done stays, and the next one goes on."""


class Throttle:
    """`rest` is called between two small pieces of work: it waits for a `share` of the time that they took.

    It waits longer while a prompt is prepared. Raises Stopped once `stop` is set, or the folder is not `is_wanted` any
    more. At a terminal nothing `rests`.
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
        now = perf_counter()
        worked = now - self._began
        if worked >= _WORK_SECONDS and self.rests and not self.stop.wait(worked * self._share):
            while perf_counter() < min(_Prompts.until, now + _LONGEST_REST) and not self.stop.wait(_GLANCE_SECONDS):
                pass
            self.begin()
        if self.stop.is_set() or not self._is_wanted():
            raise Stopped
