"""One lock around everything that changes or writes the host's index (T-48).

The host adds documents on one event loop, deletes them in worker threads and saves wherever it happens to be, without
any lock: two saves at once, or a save during an insert, can ruin both files. While the pack runs, those calls take
turns. The methods are wrapped at run time, once per class; no file of the host is touched.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

_LOCK = "_memory_ledger_lock"
_MARK = "_memory_ledger_guarded"
# The name-mangled method is the one place through which langchain adds vectors.
_INDEX_METHODS = ("_FAISS__add", "delete")


def index_lock(memory_class: Any) -> Any:
    """Return the lock of this process's memory class; it lives there, so every copy of the pack shares it."""
    lock = memory_class.__dict__.get(_LOCK)
    if lock is None:
        setattr(memory_class, _LOCK, threading.RLock())
        lock = memory_class.__dict__[_LOCK]
    return lock


def guard_index(module: ModuleType) -> None:
    """Make the host's inserts, deletes and saves take turns; a second call changes nothing."""
    lock = index_lock(module.Memory)
    save = module.Memory.__dict__["_save_db_file"]
    if not getattr(save, _MARK, False):
        module.Memory._save_db_file = staticmethod(_locked(getattr(save, "__func__", save), lock))
        setattr(module.Memory.__dict__["_save_db_file"], _MARK, True)
    for name in _INDEX_METHODS:
        method = getattr(module.MyFaiss, name)
        if not getattr(method, _MARK, False):
            wrapped = _locked(method, lock)
            setattr(wrapped, _MARK, True)
            setattr(module.MyFaiss, name, wrapped)


def _locked(function: Callable[..., Any], lock: Any) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with lock:
            return function(*args, **kwargs)

    return wrapper
