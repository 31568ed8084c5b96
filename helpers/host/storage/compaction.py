"""Keep a file of lines from growing for ever: what no longer counts is left out once the file has doubled (T-70)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import files
from .line_store import LineStore

Rows = list[dict[str, Any]]

# A file up to this many bytes is left alone.
SMALLEST_SIZE = 1_048_576


class Compaction:
    """Rewrites one line file to what `choose` keeps of its rows, at most once for each time that it has doubled."""

    def __init__(self, path: Path, choose: Callable[[Rows], Rows]) -> None:
        self._path = path
        self._choose = choose
        self._limit = 0

    def run_if_due(self) -> bool:
        """Rewrite the file if it has grown enough, and say whether it was; otherwise this is one stat call."""
        if self._size() <= max(SMALLEST_SIZE, self._limit):
            return False
        LineStore(self._path).rewrite(self._choose)
        self._limit = 2 * self._size()
        return True

    def _size(self) -> int:
        stamp = files.file_stamp(self._path)
        return 0 if stamp is None else stamp[1]
