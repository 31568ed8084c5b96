"""A line file that may not be writable now: what is owed is kept in order, and written with the next lines (C-74).

A full disk or a read-only folder is told once; no hook fails for it, and no line is lost while the process lives.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import files
from .problem_log import ProblemLog

#: So many lines are owed at most; the oldest go first.
MOST_OWED = 20_000


class PatientLines:
    """Appends to one line file; `problems` are told of a file that cannot be written."""

    def __init__(self, path: Path, problems: ProblemLog) -> None:
        self._path = path
        self._problems = problems
        self._owed: deque[dict[str, Any]] = deque(maxlen=MOST_OWED)
        self._lock = threading.RLock()  # what is late may have been written just when it is given up

    def append(self, rows: Iterable[dict[str, Any]] = ()) -> bool:
        """Write what is owed, and `rows`; False where all of it is still owed."""
        with self._lock:
            self._owed.extend(rows)
            owed = tuple(self._owed)
            with self._problems.writing(self._path):
                files.append_lines(self._path, owed, note_late=lambda: self._forget(owed))
                self._owed.clear()
            return not self._owed

    def _forget(self, written: Iterable[dict[str, Any]]) -> None:
        """Owe no longer what was written late."""
        with self._lock:
            known = {id(row) for row in written}
            self._owed = deque((row for row in self._owed if id(row) not in known), maxlen=MOST_OWED)
