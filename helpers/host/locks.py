"""One lock around everything that changes or writes the host's index (T-48).

The host adds documents on one event loop, deletes them in worker threads and saves wherever it happens to be, without
any lock: two saves at once, or a save during an insert, can ruin both files. While the pack runs, those calls take
turns. The methods are wrapped at run time, once per class; no file of the host is touched.
"""

from __future__ import annotations

import functools
import inspect
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
    _guard(module.Memory, "_save_db_file", lock)
    for name in _INDEX_METHODS:
        _guard(module.MyFaiss, name, lock)


def _guard(owner: type, name: str, lock: Any) -> None:
    """Wrap one method of `owner`, static or not, unless it is wrapped already."""
    method = inspect.getattr_static(owner, name)
    function = method.__func__ if isinstance(method, staticmethod) else method
    if getattr(function, _MARK, False):
        return
    wrapped = _locked(function, lock)
    setattr(wrapped, _MARK, True)
    setattr(owner, name, staticmethod(wrapped) if isinstance(method, staticmethod) else wrapped)


def _locked(function: Callable[..., Any], lock: Any) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with lock:
            return function(*args, **kwargs)

    return wrapper
