"""Limits of time: no hook waits long for a file, and a thread leaves the interpreter to the chats."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from time import perf_counter
from typing import TypeVar

#: How long a hook waits for a file. Where every file takes long, as in tests on a busy machine, it may be more.
MOST_SECONDS = float(os.environ.get("MEMORY_LEDGER_FILE_SECONDS", "2"))

Result = TypeVar("Result")
#: Says whether nobody waits any more; then nothing is to be written, since the caller tries again.
IsGivenUp = Callable[[], bool]


class _Deadlines:
    """The deadline of this process, if it keeps one, and the paths of work that exceeded it: whether it is reading."""

    def __init__(self) -> None:
        self.seconds: float | None = None
        self._here = threading.local()
        self._stuck: dict[Path, bool] = {}

    def run(
        self, path: Path, work: Callable[[IsGivenUp], Result], undo: Callable[[Result], object], *, is_reading: bool
    ) -> Result:
        if self.seconds is None or getattr(self._here, "is_working", False):
            return work(bool)
        for stuck, was_reading in tuple(self._stuck.items()):
            is_near = path.parent in stuck.parents or stuck.parent in path.parent.parents
            if is_near and (was_reading or not is_reading):
                raise self._no_answer(path)
        given_up, future = threading.Event(), Future[Result]()
        thread = threading.Thread(
            target=self._work, args=(work, given_up, future), name="memory-ledger-file", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # the process is on its way out, and no hook waits
            return work(bool)
        thread.join(self.seconds)
        if not future.done():
            given_up.set()
            self._stuck[path] = is_reading or self._stuck.get(path, False)
            future.add_done_callback(lambda done: self._end(path, done, undo))
            raise self._no_answer(path)
        return future.result()

    def _work(self, work: Callable[[IsGivenUp], Result], given_up: threading.Event, future: Future[Result]) -> None:
        self._here.is_working = True
        try:
            future.set_result(work(given_up.is_set))
        except BaseException as exc:  # noqa: BLE001 - it is raised where somebody waits
            future.set_exception(exc)

    def _end(self, path: Path, done: Future[Result], undo: Callable[[Result], object]) -> None:
        try:
            if done.exception() is None:
                undo(done.result())
        finally:  # until here, nobody tries again
            self._stuck.pop(path, None)

    def _no_answer(self, path: Path) -> OSError:
        return OSError(errno.ETIMEDOUT, f"no answer within {self.seconds:g} s", str(path))


_deadlines = _Deadlines()


def keep_deadlines(seconds: float | None = None) -> None:
    """Limit every wait of this process, which is a host's, to `seconds` (default `MOST_SECONDS`).

    A terminal keeps no deadlines.
    """
    _deadlines.seconds = MOST_SECONDS if seconds is None else seconds


def keeps_deadlines() -> bool:
    """Whether this process is a host, whose hooks nothing may delay."""
    return _deadlines.seconds is not None


def in_time(
    path: Path,
    work: Callable[[IsGivenUp], Result],
    *,
    undo: Callable[[Result], object] = bool,
    is_reading: bool = False,
) -> Result:
    """Return the result of `work` at `path`; raises its errors, and OSError (ETIMEDOUT) where it takes too long.

    A result that comes too late is given to `undo`.
    """
    return _deadlines.run(path, work, undo, is_reading=is_reading)


# How long a thread works in one go before it rests.
_WORK_SECONDS = 0.005
# How long the preparation of a prompt has the interpreter to itself, unless the prompt is sent before.
_PROMPT_SECONDS = 1.0
# The longest rest for prompts, however many follow each other, and how often a rest checks whether they are sent.
_LONGEST_REST = 5.0
_GLANCE_SECONDS = 0.01


class _Prompts:
    """Until when a chat of this process prepares a prompt."""

    until = 0.0


def give_way() -> None:
    """Let work in threads rest until the prompt that is being prepared is sent, for a second at most."""
    _Prompts.until = perf_counter() + _PROMPT_SECONDS


def go_on() -> None:
    """Let work in threads go on: the prompt is sent."""
    _Prompts.until = 0.0


class Stopped(Exception):
    """A run has to end here; its results stay, and the next run continues."""


class Throttle:
    """Slows down work in a thread: `rest`, called between two small pieces, waits for a `share` of the time they took.

    It waits longer while a prompt is prepared. Raises Stopped once `stop` is set, or `is_wanted` says no. At a terminal
    nothing `rests`.
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
        """Start measuring the time of work now."""
        self._began = perf_counter()

    def rest(self) -> None:
        """Rest if enough time was worked; raises Stopped."""
        now = perf_counter()
        worked = now - self._began
        if worked >= _WORK_SECONDS and self.rests and not self.stop.wait(worked * self._share):
            while perf_counter() < min(_Prompts.until, now + _LONGEST_REST) and not self.stop.wait(_GLANCE_SECONDS):
                pass
            self.begin()
        if self.stop.is_set() or not self._is_wanted():
            raise Stopped
