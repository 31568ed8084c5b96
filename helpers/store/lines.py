"""Files of lines, each a JSON object; all of the pack's line files are written here, and a plain copy is a backup.

An append is one write, and a rewrite is one step. An unreadable line is reported, and stays in its place until a
rewrite leaves it out."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import Problem, reason_of
from ..inbox import Row
from . import damage, files
from .damage import ProblemLog
from .deadline import IsGivenUp, in_time

#: A file up to this many bytes is not shortened.
SMALLEST_SIZE = 1_048_576
#: The most rows that are owed; beyond, the oldest are dropped.
MOST_OWED = 20_000

Choose = Callable[[list[Row]], list[Row]]


class LineStore:
    """The rows of one file, which any number of threads, processes and hosts may append to.

    Without `is_durable`, rows may be lost with the machine, not with the process. `mode` is for a file more private
    than the host's index. When a large file has doubled, the rows that `keep` chooses stay.
    """

    def __init__(
        self,
        path: Path,
        *,
        is_durable: bool = True,
        mode: int | None = None,
        keep: Choose | None = None,
    ) -> None:
        self.path = path
        self._is_durable = is_durable
        self._mode = mode
        self._keep = keep
        self._limit = 0

    def read(self) -> list[Row]:
        """Return the rows. Raises OSError where the file cannot be read."""
        return files.read_lines(self.path)

    def append(self, rows: Iterable[Row], *, note_late: Callable[[], object] = bool) -> None:
        """Append rows. Raises OSError.

        `note_late` is called if the rows are written after all when this has failed for taking too long.
        """
        new = [*rows]
        if not new:
            return

        def write(is_given_up: IsGivenUp) -> bool:
            with files.only_writer(self.path, mode=self._mode) as stream:
                if is_given_up():
                    return False
                files.append_held(stream, new)
                if self._is_durable:
                    os.fsync(stream.fileno())
            return True

        in_time(self.path, write, undo=lambda is_written: is_written and note_late())
        self._shorten_if_due()

    def _shorten_if_due(self) -> None:
        """Rewrite the file if it has grown enough; after a failure, again once it has doubled."""
        if self._keep is None or self.size <= max(SMALLEST_SIZE, self._limit):
            return
        try:
            self.rewrite(self._keep)
        except OSError as exc:
            fault, allowed = f"not shortened ({reason_of(exc)})", "a file that can be written"
            damage.notices.tell(Problem(where=str(self.path), found=fault, allowed=allowed))
        self._limit = 2 * self.size

    def rewrite(self, choose: Choose, *, keeps: Callable[[bytes], bool] = bool) -> None:
        """Replace the rows by the result of `choose`; unreadable lines stay if `keeps` says so."""
        with files.only_writer(self.path, mode=self._mode) as stream:
            before = stream.read()
            rows, damaged = files.parse_lines(self.path, before)
            lines = [files.to_bytes(files.to_line(row)) for row in choose(rows)]
            after = b"".join([*lines, *(line + b"\n" for line in damaged if keeps(line))])
            if after != before:
                files.write_atomically(self.path, after, mode=self._mode)

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        stamp = files.file_stamp(self.path)
        return 0 if stamp is None else stamp[1]


class RetryingLines:
    """Appends to a file that may not be writable now: unwritten rows are owed in order, and go with the next rows.

    A full disk or a read-only folder is reported to `problems` instead of raised; no row is lost while the process
    lives.
    """

    def __init__(self, lines: LineStore, problems: ProblemLog) -> None:
        self._lines = lines
        self._problems = problems
        self._owed: list[Row] = []
        self._lock = threading.RLock()  # late rows may be written just when they are given up

    def append(self, rows: Iterable[Row] = ()) -> bool:
        """Write the owed rows, and `rows`; return False if all of them are still owed."""
        with self._lock:
            self._owed += rows
            owed = tuple(self._owed)
            with self._problems.writing(self._lines.path):
                self._lines.append(owed, note_late=lambda: self._forget(owed))
                self._owed.clear()
            del self._owed[:-MOST_OWED]
            return not self._owed

    def _forget(self, written: Iterable[Row]) -> None:
        """Drop owed rows that were written late."""
        with self._lock:
            known = {id(row) for row in written}
            self._owed = [row for row in self._owed if id(row) not in known]
