"""The installation: the installer's package, the removal of metadata, and the card on the welcome screen."""

from __future__ import annotations

import importlib.util
import pickle
import threading
from pathlib import Path
from typing import Any

from ..errors import MemoryLedgerError
from ..foreign import hide_pointers
from ..records import LEDGER_KEYS, LINKING_KEYS
from ..store.docstore_file import DOCSTORE_FILE, as_langchain, read_docstore
from ..store.files import write_atomically
from ..store.order import change_lock
from ..texts import counted
from . import agent_zero

_PACK = Path(__file__).resolve().parents[2]
_MODULE = "memory_ledger_installer"
#: Loading the installer changes the table of modules for a moment.
_loading = threading.Lock()


def load_installer() -> Any | None:
    """Return the package `installer/`; None where it does not stand beside the code, as in a wheel."""
    path = _PACK / "install.py"
    spec = importlib.util.spec_from_file_location(_MODULE, path) if (_PACK / "installer").is_dir() else None
    if spec is None or spec.loader is None or not path.is_file():
        return None
    with _loading:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.load_installer()


def strip_metadata(folder: Path, *, only_pointers: bool = False, is_dry_run: bool = False) -> tuple[int, int]:
    """Remove the ledger's keys from every memory in `folder`; return how many were changed, and how many there are.

    With `only_pointers` the keys stay, and ids of other memories in them are disguised, so that the host does not take
    them for ids; a later installation reads them again. Raises StoreError where no store can be read.
    """
    positions, documents = read_docstore(folder)
    change = unlink_metadata if only_pointers else _remove_keys
    touched = sum(change(document.metadata) for document in documents.values())
    if touched and not is_dry_run:
        write_atomically(folder / DOCSTORE_FILE, pickle.dumps((as_langchain(documents), positions)))
    return touched, len(documents)


def _remove_keys(metadata: dict[str, Any]) -> bool:
    return any([metadata.pop(key, None) is not None for key in LEDGER_KEYS])


def unlink_metadata(metadata: dict[str, Any]) -> bool:
    """Hide the ids of other memories in one memory's metadata; False where there were none."""
    linking = {key: metadata[key] for key in LINKING_KEYS if isinstance(metadata.get(key), dict)}
    hidden = {key: hide_pointers(record) for key, record in linking.items()}
    if hidden == linking:
        return False
    metadata.update(hidden)
    return True


def unlink_all() -> list[str]:
    """Hide the pointers in every memory folder, and return a line about each; a bad folder does not stop the others."""
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


def add_card(banners: Any) -> None:
    """Append the pack's card to the host's list of banners; anything but a list is left alone."""
    if isinstance(banners, list):
        banners.append(
            {
                "id": "memory-ledger",
                "type": "feature",
                "title": "Memory Ledger",
                "description": "See what your agent remembers and why, and correct what is wrong.",
                "thumbnail": f"/plugins/{agent_zero.PLUGIN_NAME}/webui/thumbnail.png",
                "icon": "fact_check",
                "cta_text": "Set up",
                "cta_action": f"open-plugin-config:{agent_zero.PLUGIN_NAME}",
                "dismissible": True,
                "priority": 45,
            }
        )
