"""Lines for a file that cannot be written now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ..inbox import Row
from . import files
from .damage import ProblemLog

#: The most rows that are owed; beyond, the oldest are dropped.
MOST_OWED = 20_000


class RetryingLines:
    """Appends to a file that may not be writable now: unwritten rows are owed in order, and go with the next rows.

    A full disk or a read-only folder is reported to `problems` instead of raised; no row is lost while the process
    lives. `append` is called as `files.append_lines` is, without the path.
    """

    def __init__(self, path: Path, problems: ProblemLog, append: Callable[..., None] | None = None) -> None:
        self._path = path
        self._problems = problems
        self._append = append or partial(files.append_lines, path)
        self._owed: list[Row] = []
        self._lock = threading.RLock()  # late rows may be written just when they are given up

    def append(self, rows: Iterable[Row] = ()) -> bool:
        """Write the owed rows, and `rows`; return False if all of them are still owed."""
        with self._lock:
            self._owed += rows
            owed = tuple(self._owed)
            with self._problems.writing(self._path):
                self._append(owed, note_late=lambda: self._forget(owed))
                self._owed.clear()
            del self._owed[:-MOST_OWED]
            return not self._owed

    def _forget(self, written: Iterable[Row]) -> None:
        """Drop owed rows that were written late."""
        with self._lock:
            known = {id(row) for row in written}
            self._owed = [row for row in self._owed if id(row) not in known]
