"""The rows of the columns: filled as the index moves, and in a store that was just opened as somebody needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from ...records import Memory
from .columns import Columns
from .index import Index

# So many rows are read at once while somebody waits.
_READ_AT_ONCE = 256


class Rows:
    """Keeps one row for each position of the index; `read` returns the memory of an id. Call it with the lock held."""

    def __init__(self, index: Index, read: Callable[[str], Memory | None]) -> None:
        self._index = index
        self._read = read
        #: What is not read yet counts as in use, in every area and for every role.
        self.so_far = Columns()

    def refill(self, before: Mapping[str, int], is_as_seen: Callable[[str], bool]) -> None:
        """Move the rows to where their memories stand now; what is new, or not judged yet, has to be read.

        `before` says where they stood, `is_as_seen` whether a row still is that of its memory.
        """
        places = [before.get(memory_id, -1) if is_as_seen(memory_id) else -1 for memory_id in self._index.ids]
        self.so_far = self.so_far.rearranged(np.array(places, dtype=np.int64))
        self.so_far.forget(np.flatnonzero(~self.so_far.is_known()))
        if self.so_far.unread() <= _READ_AT_ONCE:
            self.read()

    def read(self, positions: Iterable[int] | None = None, *, limit: int | None = None) -> int:
        """Read those of `positions`, or of all, that are not read yet, at most `limit`; return how many that were."""
        waiting = self.so_far.unread_among(positions)[:limit]
        for position in waiting:
            memory = self._read(self._index.ids[position])
            if memory is None:
                self.so_far.pass_over(position)
            else:
                self.so_far.set(position, memory)
        return len(waiting)
