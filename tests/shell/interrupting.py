"""Ctrl-C at a chosen moment: as a command is about to open, rename or remove a file, which Python tells of."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_CHANGES = ("os.mkdir", "os.remove", "os.rename", "os.rmdir")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class _Watch:
    """Counts what happens to files below a place: the first opening of one, and then whatever changes one."""

    def __init__(self, place: Path, at: int | None) -> None:
        self.moments: list[str] = []
        self._place, self._at = f"{place}{os.sep}", at

    def see(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count a moment; at the chosen one, type Ctrl-C."""
        is_change = event in _CHANGES or (event == "open" and bool(arguments[2] & _WRITING))
        if not (is_change or (event == "open" and not self.moments)) or not isinstance(
            arguments[0], (str, os.PathLike)
        ):
            return
        path = os.path.abspath(arguments[0])  # noqa: PTH100 - told as Python was
        if path.startswith(self._place):
            self.moments.append(f"{event} {path}")
            if len(self.moments) - 1 == self._at:
                signal.raise_signal(signal.SIGINT)


_watches: list[_Watch] = []


def _tell(event: str, arguments: tuple[Any, ...]) -> None:
    if _watches and (event == "open" or event in _CHANGES):
        _watches[-1].see(event, arguments)


sys.addaudithook(_tell)


@contextmanager
def interrupted(place: Path, at: int | None = None) -> Iterator[list[str]]:
    """Type Ctrl-C at moment `at`, or never; return the moments."""
    watch = _Watch(place, at)
    _watches.append(watch)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is deaf to it
    try:
        yield watch.moments
    finally:
        signal.signal(signal.SIGINT, before)
        _watches.remove(watch)
