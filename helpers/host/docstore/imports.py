"""Which documents the host itself imported from knowledge files (T-47, T-69).

Metadata that calls a memory knowledge may be an argument that a model gave. The host lists the ids of what it imported
beside the store, by knowledge file; but it writes that list when the whole import is done, after the documents, by
minutes where embedding is slow. A document that names a file which the host has yet to list is neither believed nor
disbelieved until then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from ..storage.files import FileStamp, file_stamp, read_hosts_object

_LIST_FILE = "knowledge_import.json"
# The host imports from folders of these names only (contract, section 4); `instruments` up to v0.9.7.
_FOLDERS = frozenset({"knowledge", "instruments"})
_LONGEST_IMPORT = timedelta(hours=1)


class KnowledgeImports:
    """The host's list of imported documents of one memory folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _LIST_FILE
        self._stamp: FileStamp | None = None
        self._ids: frozenset[str] = frozenset()
        self._listed: dict[str, Any] = {}
        self._found: dict[str, tuple[FileStamp, str]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the list again if it has changed since; one stat call. A half-written one is read when it is whole."""
        stamp = file_stamp(self._path)
        if stamp is None or stamp == self._stamp:
            return
        self._stamp = stamp
        files = {path: row for path, row in (read_hosts_object(self._path) or {}).items() if isinstance(row, Mapping)}
        self._listed = {path: row.get("checksum") for path, row in files.items()}
        ids = (row.get("ids") for row in files.values())
        self._ids = frozenset(str(one) for row in ids if isinstance(row, list) for one in row)

    def lists(self, memory_id: str) -> bool:
        """Whether the host says that it imported this document."""
        return memory_id in self._ids

    def may_come(self, metadata: Mapping[str, Any], *, waited: timedelta) -> bool:
        """Whether a document that was first seen so long ago may stem from an import that is not listed yet.

        It names a knowledge file, and the host has listed that file with other content or not at all.
        """
        if waited > _LONGEST_IMPORT:
            return False
        path = metadata.get("source_path")
        if not isinstance(path, str) or _FOLDERS.isdisjoint(Path(path).parts[:-1]):
            return False
        checksum = self._checksum(path)
        return checksum is not None and checksum != self._listed.get(path)

    def _checksum(self, path: str) -> str | None:
        """Return the host's checksum of a file as it is now; None if there is no such file."""
        stamp = file_stamp(path)
        if stamp is None:
            return None
        known = self._found.get(path)
        if known is None or known[0] != stamp:
            try:
                known = stamp, hashlib.md5(Path(path).read_bytes(), usedforsecurity=False).hexdigest()
            except OSError:
                return None
            self._found[path] = known
        return known[1]
