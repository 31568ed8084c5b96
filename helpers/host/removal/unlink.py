"""Unlink memories from each other in a running host that is about to lose the pack (T-61).

Once the pack is gone nothing keeps the host's cascading deletes from following its pointers. Stores that are loaded are
changed in place and saved by the host; the others on disk. The ledger's metadata stays otherwise as it is.
"""

from __future__ import annotations

from typing import Any

from ...errors import MemoryLedgerError
from ...texts import counted
from .. import agent_zero
from ..docstore.locks import change_lock
from .strip import strip_metadata, unlink_metadata


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
