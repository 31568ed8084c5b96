"""Take the ledger's metadata out of a store on disk: the way back from an installation (P-05, T-61).

For a host that is not running. The docstore file alone is replaced, in one step; the vectors and their hash stay as
they are. Pointers left behind would let the host's cascading deletes reach linked memories after an uninstall.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from ...pointers import hide_pointers
from ...records import LEDGER_KEYS, LINKING_KEYS
from ..docstore.docstore_file import DOCSTORE_FILE, as_langchain, read_docstore
from ..storage.files import write_atomically


def strip_metadata(folder: Path, *, only_pointers: bool = False, is_dry_run: bool = False) -> tuple[int, int]:
    """Remove the ledger's keys from every memory in `folder`; return how many were changed, and how many there are.

    With `only_pointers` the keys stay, and the ids of other memories in them are written so that the host does not
    take them for ids; a later installation reads them again. Raises StoreError where no store can be read.
    """
    positions, documents = read_docstore(folder)
    change = unlink_metadata if only_pointers else _remove_keys
    touched = sum(change(document.metadata) for document in documents.values())
    if touched and not is_dry_run:
        write_atomically(folder / DOCSTORE_FILE, pickle.dumps((as_langchain(documents), positions)))
    return touched, len(documents)


def _remove_keys(metadata: dict[str, Any]) -> bool:
    found = [key for key in LEDGER_KEYS if key in metadata]
    for key in found:
        del metadata[key]
    return bool(found)


def unlink_metadata(metadata: dict[str, Any]) -> bool:
    """Hide the ids of other memories in one memory's metadata; False where there were none."""
    found = {key: metadata[key] for key in LINKING_KEYS if isinstance(metadata.get(key), dict)}
    hidden = {key: hide_pointers(record) for key, record in found.items()}
    if hidden == found:
        return False
    metadata.update(hidden)
    return True
