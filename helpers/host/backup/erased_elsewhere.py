"""What another host on the same folder has erased does not come back with this host's next save (T-64)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ..docstore.locks import save_lock
from ..docstore.store import Store
from ..storage.damage import open_to_read
from .rows import Erased, id_digest, read_line

_MARK = b'{"erased"'
Pause = Callable[[], AbstractContextManager[None]]


class ErasedElsewhere:
    """Keeps an open store without the memories whose ids the backup at `path` says to be erased, by any host.

    The store deletes them while the backup is `paused`, which knows of them; `texts` keeps, by id, what they said until
    this process has forgotten it everywhere.
    """

    def __init__(self, store: Store, path: Path, paused: Pause, memory_class: Any) -> None:
        self.texts: dict[str, str] = {}
        self._store, self._path, self._paused, self._memory_class = store, path, paused, memory_class
        self._inode: int | None = None
        self._size = 0

    def drop(self) -> None:
        """Delete what was erased since the last call; whoever reads the backup as a whole tells where it cannot be."""
        with save_lock(self._memory_class):  # what one thread has read, no other reads again before its save
            digests = self._read_new()
            documents = self._store.db.get_all_docs() if digests else {}
            found = {one: document.page_content for one, document in documents.items() if id_digest(one) in digests}
            if found:
                with self._paused():
                    self._store.db.delete([*found])
                self.texts |= found

    def _read_new(self) -> set[str]:
        """Return the digests of the lines that have come since the last call; at first, of all."""
        found: set[str] = set()
        with contextlib.suppress(OSError), open_to_read(self._path) as stream:
            inode = os.fstat(stream.fileno()).st_ino
            self._size = self._size if inode == self._inode else 0
            self._inode = inode
            stream.seek(self._size)
            for line in stream:
                self._size += len(line) if line.endswith(b"\n") else 0
                if line.startswith(_MARK) and isinstance(row := read_line(line), Erased):
                    found.add(row.digest)
        return found
