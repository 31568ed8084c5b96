"""Rows in a file of lines whose first line names the format; a plain copy of it is a backup.

What is appended is on the disk before that returns, and rewriting is one step. A line that cannot be read is named, and
stays where it is until whoever rewrites the file leaves it out. A file of a later format is left alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from ...errors import Problem, StoreError
from ...inbox import Row
from ...texts import counted
from . import damage, files

_FORMAT_KEY = "format"


class LinesError(StoreError):
    """A file of lines cannot be used; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class LineStore:
    """The rows of one file, of `version` of its format; a file without a first line that says so is read as well.

    `mode` is that of a new file, and of what is rewritten, if it is to be more private than the host's index.
    """

    def __init__(self, path: Path, *, version: int, mode: int | None = None) -> None:
        self.path = path
        self._version = version
        self._mode = mode

    def read(self) -> list[Row]:
        """Return the rows. Raises LinesError where the file cannot be read, or is of a later format."""
        try:
            return self._parse(damage.read_bytes(self.path) or b"")[0]
        except OSError as exc:
            raise LinesError(damage.unreadable(self.path, exc)) from exc

    def append(self, rows: Iterable[Row]) -> None:
        """Put rows at the end. Raises LinesError where the file is of a later format, and OSError."""
        with files.only_writer(self.path, mode=self._mode) as stream:
            found = stream.read()
            self._parse(found)
            files.append_held(stream, [*([] if found else [self._first]), *rows])
            os.fsync(stream.fileno())

    def rewrite(self, choose: Callable[[list[Row]], list[Row]], *, keeps: Callable[[bytes], bool] = bool) -> None:
        """Replace the rows by what `choose` makes of them; of the lines that are none those stay that it `keeps`."""
        with files.only_writer(self.path, mode=self._mode) as stream:
            rows, damaged = self._parse(stream.read())
            lines = [*(files.to_bytes(files.to_line(row)) for row in (self._first, *choose(rows)))]
            data = b"".join([*lines, *(one + b"\n" for one in damaged if keeps(one))])
            files.write_atomically(self.path, data, mode=self._mode)

    @property
    def _first(self) -> Row:
        return {_FORMAT_KEY: self._version}

    def _parse(self, data: bytes) -> tuple[list[Row], list[bytes]]:
        rows, damaged = list[Row](), list[bytes]()
        for line in filter(bytes.strip, data.removeprefix(b"\xef\xbb\xbf").split(b"\n")):
            try:
                row = json.loads(line.decode())
            except (ValueError, RecursionError):
                row = None
            if isinstance(row, dict):
                rows.append(row)
            else:
                damaged.append(line)
        if rows and set(rows[0]) == {_FORMAT_KEY}:
            found = rows.pop(0)[_FORMAT_KEY]
            if type(found) is int and found > self._version:
                allowed = f"up to {self._version}: a later version of the pack wrote it"
                raise LinesError(Problem(where=str(self.path), found=f"of format {found}", allowed=allowed))
        if damaged:
            found = f"not readable in {counted(len(damaged), 'line', 'lines')}"
            allowed = "JSON objects; the other lines are read, and these are kept"
            damage.notices.tell(Problem(where=str(self.path), found=found, allowed=allowed))
        return rows, damaged
