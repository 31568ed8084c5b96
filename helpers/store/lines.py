"""The one way in which the pack writes a file of lines, each a JSON object; a plain copy of it is a backup.

What is appended goes to the disk in one write, and rewriting is one step. A line that cannot be read is named, and
stays where it is until whoever rewrites the file leaves it out. Where the first line names the format, a file of a
later one is left alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from ..errors import Problem, StoreError, reason_of
from ..inbox import Row
from . import damage, files
from .damage import ProblemLog, unreadable
from .deadline import IsGivenUp, in_time

_FORMAT_KEY = "format"
#: A file up to this many bytes is not shortened.
SMALLEST_SIZE = 1_048_576
#: So many rows are owed at most; the oldest go first.
MOST_OWED = 20_000

Choose = Callable[[list[Row]], list[Row]]


class LinesError(StoreError):
    """A file of lines cannot be used; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class LineStore:
    """The rows of one file, any number of which may be appended by threads, processes and hosts.

    `version` is that of its format, where it has one; a file without a first line that says so is read as well. Unless
    it is `is_durable`, rows may be lost with the machine, not with the process. `mode` is that of a file that is more
    private than the host's index. Of a file that has doubled, and is not small, the rows stay that `keep` chooses.
    """

    def __init__(
        self,
        path: Path,
        *,
        version: int | None = None,
        is_durable: bool = True,
        mode: int | None = None,
        keep: Choose | None = None,
    ) -> None:
        self.path = path
        self._version = version
        self._is_durable = is_durable
        self._mode = mode
        self._keep = keep
        self._limit = 0

    def read(self) -> list[Row]:
        """Return the rows. Raises LinesError where the file cannot be read, or is of a later format."""
        try:
            return self._parse(damage.read_bytes(self.path) or b"")[0]
        except OSError as exc:
            raise LinesError(unreadable(self.path, exc)) from exc

    def append(self, rows: Iterable[Row], *, note_late: Callable[[], object] = bool) -> None:
        """Put rows at the end. Raises LinesError where the file is of a later format, and OSError.

        `note_late` is called if they come to be written after this has failed, since that took too long.
        """
        new = [*rows]
        if not new:
            return

        def write(is_given_up: IsGivenUp) -> bool:
            with files.only_writer(self.path, mode=self._mode) as stream:
                if is_given_up():
                    return False
                if self._version is not None:
                    content = stream.read()
                    self._parse(content)
                    new[:0] = [] if content else self._first
                files.append_held(stream, new)
                if self._is_durable:
                    os.fsync(stream.fileno())
            return True

        in_time(self.path, write, undo=lambda is_written: is_written and note_late())
        self._shorten_if_due()

    def _shorten_if_due(self) -> None:
        """Rewrite the file if it has grown enough, which is tried again once it has doubled."""
        if self._keep is None or self.size <= max(SMALLEST_SIZE, self._limit):
            return
        try:
            self.rewrite(self._keep)
        except OSError as exc:
            fault, allowed = f"not shortened ({reason_of(exc)})", "a file that can be written"
            damage.notices.tell(Problem(where=str(self.path), found=fault, allowed=allowed))
        self._limit = 2 * self.size

    def rewrite(self, choose: Choose, *, keeps: Callable[[bytes], bool] = bool) -> None:
        """Replace the rows by what `choose` makes of them; of the lines that are none those stay that it `keeps`."""
        with files.only_writer(self.path, mode=self._mode) as stream:
            before = stream.read()
            rows, damaged = self._parse(before)
            lines = [files.to_bytes(files.to_line(row)) for row in (*self._first, *choose(rows))]
            after = b"".join([*lines, *(line + b"\n" for line in damaged if keeps(line))])
            if after != before:
                files.write_atomically(self.path, after, mode=self._mode)

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        stamp = files.file_stamp(self.path)
        return 0 if stamp is None else stamp[1]

    @property
    def _first(self) -> list[Row]:
        return [] if self._version is None else [{_FORMAT_KEY: self._version}]

    def _parse(self, data: bytes) -> tuple[list[Row], list[bytes]]:
        rows, damaged = files.parse_lines(self.path, data)
        if self._version is not None and rows and set(rows[0]) == {_FORMAT_KEY}:
            version = rows.pop(0)[_FORMAT_KEY]
            if type(version) is int and version > self._version:
                allowed = f"up to {self._version}: a later version of the pack wrote it"
                raise LinesError(Problem(where=str(self.path), found=f"of format {version}", allowed=allowed))
        return rows, damaged


class RetryingLines:
    """Appends to a file that may not be writable now: what is owed is kept in order, and goes with the next rows.

    `problems` are told of a full disk or a read-only folder; nobody fails for it, and no row is lost while the process
    lives.
    """

    def __init__(self, lines: LineStore, problems: ProblemLog) -> None:
        self._lines = lines
        self._problems = problems
        self._owed: list[Row] = []
        self._lock = threading.RLock()  # what is late may have been written just when it is given up

    def append(self, rows: Iterable[Row] = ()) -> bool:
        """Write what is owed, and `rows`; False where all of it is still owed."""
        with self._lock:
            self._owed += rows
            owed = tuple(self._owed)
            with self._problems.writing(self._lines.path):
                self._lines.append(owed, note_late=lambda: self._forget(owed))
                self._owed.clear()
            del self._owed[:-MOST_OWED]
            return not self._owed

    def _forget(self, written: Iterable[Row]) -> None:
        """Owe no longer what was written late."""
        with self._lock:
            known = {id(row) for row in written}
            self._owed = [row for row in self._owed if id(row) not in known]
