"""Take the ledger's metadata out of stores: the way back from an installation (P-05, T-61).

Pointers left behind would let the host's cascading deletes reach linked memories after an uninstall. On disk the
docstore file is replaced in one step, and the vectors stay; a loaded store is changed in place and saved by the host.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from ..errors import MemoryLedgerError
from ..pointers import hide_pointers
from ..records import LEDGER_KEYS, LINKING_KEYS
from ..texts import counted
from . import agent_zero
from .docstore.docstore_file import DOCSTORE_FILE, as_langchain, read_docstore
from .docstore.locks import change_lock
from .storage.files import write_atomically


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


def unlink_all() -> list[str]:
    """Hide the pointers in every memory folder; return what was done, a line each. One bad folder stops no other."""
    module = agent_zero.memory_module()
    loaded = dict(module.Memory.index)
    lines = [_unlink_loaded(module, subdir, db) for subdir, db in loaded.items()]
    for subdir in module.get_existing_memory_subdirs():
        folder = agent_zero.memory_folder(subdir)
        if subdir in loaded or not (folder / "index.pkl").is_file():
            continue
        try:
            touched, _ = strip_metadata(folder, only_pointers=True)
        except MemoryLedgerError as exc:
            lines.append(f"warn  {exc}")
        else:
            lines.append(_line(subdir, touched))
    return lines


def _unlink_loaded(module: Any, subdir: str, db: Any) -> str:
    memory_class = module.Memory
    with change_lock(memory_class):
        touched = sum(unlink_metadata(document.metadata) for document in list(db.get_all_docs().values()))
        if touched:
            memory_class(db, subdir)._save_db()
    return _line(subdir, touched)


def _line(subdir: str, touched: int) -> str:
    return f"ok    {subdir}: {counted(touched, 'memory', 'memories')} unlinked from others"
