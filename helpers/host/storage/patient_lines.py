"""A line file that may not be writable now: what is owed is kept in order, and written with the next lines (C-74).

A full disk or a read-only folder is told once; no hook fails for it, and no line is lost while the process lives.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...errors import Problem
from . import files
from .damage import unwritable as unwritable

Tell = Callable[[Problem], None]

#: So many lines are owed at most; the oldest go first.
MOST_OWED = 20_000


class PatientLines:
    """Appends to one line file; `tell` hears of a file that cannot be written."""

    def __init__(self, path: Path, tell: Tell) -> None:
        self._path = path
        self._tell = tell
        self._owed: deque[dict[str, Any]] = deque(maxlen=MOST_OWED)
        self._lock = threading.RLock()  # what is late may have been written just when it is given up

    def append(self, rows: Iterable[dict[str, Any]] = ()) -> bool:
        """Write what is owed, and `rows`; False where all of it is still owed."""
        with self._lock:
            self._owed.extend(rows)
            owed = tuple(self._owed)
            try:
                files.append_lines(self._path, owed, note_late=lambda: self._forget(owed))
            except OSError as exc:
                self._tell(unwritable(self._path, exc))
                return False
            self._owed.clear()
        return True

    def _forget(self, written: Iterable[dict[str, Any]]) -> None:
        """Owe no longer what was written late."""
        with self._lock:
            known = {id(row) for row in written}
            self._owed = deque((row for row in self._owed if id(row) not in known), maxlen=MOST_OWED)
