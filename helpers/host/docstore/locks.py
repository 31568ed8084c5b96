"""Two locks around what changes, reads and writes the host's index (T-48).

The host adds documents on one event loop, deletes them in worker threads and saves wherever it happens to be, without
any lock: two saves at once, or a save during an insert, can ruin both files, and a search during a delete ends in an
error or in the wrong memory. While the pack runs, those calls take turns: whoever saves holds the save lock, whoever
changes the index or the shape of its metadata holds both, and whoever searches, the host's own search included, holds
the index lock only, so that no recall waits for a save. The save lock is always taken first. The methods are wrapped at
run time, once per class; no file of the host is touched.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import Any

_INDEX_LOCK = "_memory_ledger_lock"
_SAVE_LOCK = "_memory_ledger_save_lock"
_MAKER = "_memory_ledger_lock_maker"
_MARK = "_memory_ledger_guarded"
# The name-mangled method is the one place through which langchain adds vectors.
_INDEX_METHODS = ("_FAISS__add", "delete")
# Every search of the host's ends here, in a worker thread.
_SEARCH = "similarity_search_with_score_by_vector"

MakeLock = Callable[[], AbstractContextManager[Any]]


def index_lock(memory_class: Any) -> Any:
    """Return the lock around the positions and vectors of this process's memory class."""
    return _lock_of(memory_class, _INDEX_LOCK)


def save_lock(memory_class: Any) -> Any:
    """Return the lock around whatever the host's save reads; never ask for it with the index lock held."""
    return _lock_of(memory_class, _SAVE_LOCK)


@contextmanager
def change_lock(memory_class: Any) -> Iterator[None]:
    """Hold both locks: no save and no search meanwhile."""
    with save_lock(memory_class), index_lock(memory_class):
        yield


def _lock_of(memory_class: Any, name: str) -> Any:
    """Return a lock that lives on the class, so that every copy of the pack shares it."""
    lock = memory_class.__dict__.get(name)
    if lock is not None:
        return lock
    # `threading` is one module for all copies of the pack, and setdefault is one step.
    with vars(threading).setdefault(_MAKER, threading.Lock()):
        lock = memory_class.__dict__.get(name)
        if lock is None:
            lock = threading.RLock()
            setattr(memory_class, name, lock)
        return lock


def guard_index(module: ModuleType) -> None:
    """Make the host's inserts, deletes, searches and saves take turns; a second call changes and awaits nothing."""
    memory_class = module.Memory
    if vars(module).get(_MARK) is memory_class:
        return
    with change_lock(memory_class):
        _guard(memory_class, "_save_db_file", lambda: save_lock(memory_class))
        for name in _INDEX_METHODS:
            _guard(module.MyFaiss, name, lambda: change_lock(memory_class))
        _guard(module.MyFaiss, _SEARCH, lambda: index_lock(memory_class))
    setattr(module, _MARK, memory_class)


def _guard(owner: type, name: str, lock: MakeLock) -> None:
    """Wrap one method of `owner`, static or not, if it has one that is not wrapped already."""
    method = inspect.getattr_static(owner, name, None)
    if method is None:
        return
    function = method.__func__ if isinstance(method, staticmethod) else method
    if getattr(function, _MARK, False):
        return
    wrapped = _locked(function, lock)
    setattr(wrapped, _MARK, True)
    setattr(owner, name, staticmethod(wrapped) if isinstance(method, staticmethod) else wrapped)


def _locked(function: Callable[..., Any], lock: MakeLock) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with lock():
            return function(*args, **kwargs)

    return wrapper
