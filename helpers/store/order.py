"""The order of events: the locks around the host's index, and the order of time in one folder."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import Any

from ..clock import EPOCH, HOST_RESOLUTION, parse_time
from ..records import LINEAGE_KEY, Memory, order_of

_INDEX_LOCK = "_memory_ledger_lock"
_SAVE_LOCK = "_memory_ledger_save_lock"
_MAKER = "_memory_ledger_lock_maker"
_MARK = "_memory_ledger_guarded"
# The name-mangled method is the only place where langchain adds vectors.
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
    """Hold both locks: no save and no search runs inside the block."""
    with save_lock(memory_class), index_lock(memory_class):
        yield


def _lock_of(memory_class: Any, name: str) -> Any:
    """Return a lock that is an attribute of the class, so that every copy of the pack shares it."""
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
    def locked(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with lock():
                return function(*args, **kwargs)

        return wrapper

    wrap_once(owner, name, locked)


def wrap_once(owner: type, name: str, wrap: Callable[[Any], Any], mark: str = _MARK) -> None:
    """Replace a method of `owner`, static or not, by its wrapper, unless it is missing or bears the mark already."""
    method = inspect.getattr_static(owner, name, None)
    function = method.__func__ if isinstance(method, staticmethod) else method
    if function is not None and not getattr(function, mark, False):
        wrapped = wrap(function)
        setattr(wrapped, mark, True)
        setattr(owner, name, staticmethod(wrapped) if isinstance(method, staticmethod) else wrapped)


_TICK = timedelta(microseconds=1)
#: The least time between two messages, whatever was written between them.
STEP = timedelta(milliseconds=1)
# A later time is made up; times after it have to stay possible.
_LAST_MOMENT = datetime(9000, 1, 1, tzinfo=UTC)


class TimeOrder:
    """Gives each message and each new memory a moment after all earlier ones, whatever the clock does; thread-safe.

    It continues after the times in `documents`, those of the folder.
    """

    def __init__(self, documents: Iterable[Any] = ()) -> None:
        self._latest = self._written = max((_read_moment(document.metadata) for document in documents), default=EPOCH)
        self._is_behind = False
        self._placed: tuple[datetime, datetime] | None = None
        self._lock = threading.Lock()

    def next(self, now: datetime) -> datetime:
        """Return the moment of a message that is said `now`, by the clock."""
        with self._lock:
            self._look_at(now)
            apart = STEP + HOST_RESOLUTION if self._is_behind else STEP  # written times may be later by as much
            return max(now, self._latest + apart)

    def note(self, moment: datetime) -> None:
        """Remember when something was said."""
        with self._lock:
            self._latest = max(self._latest, min(moment, _LAST_MOMENT))

    def place(self, memory: Memory, now: datetime, *, may_be_old: bool = False) -> tuple[Memory, datetime]:
        """Return the next memory of a sweep with the time that is shown, and the moment that orders it.

        Memories of one sweep and one time share a moment. A memory that `may_be_old`, known before with another text,
        keeps its time unless the clock has gone back.
        """
        moment = self._moment_of(memory.created_at, now, may_be_old=may_be_old)
        is_near = abs(moment - memory.created_at) < HOST_RESOLUTION
        return replace(memory, created_at=moment if is_near else min(memory.created_at, now)), moment

    def _moment_of(self, written_at: datetime, now: datetime, *, may_be_old: bool) -> datetime:
        with self._lock:
            self._look_at(now)
            floor = self._latest if self._is_behind else self._written
            if may_be_old and not self._is_behind and written_at <= floor - HOST_RESOLUTION:
                return written_at
            last, moment = self._placed or (EPOCH, EPOCH), written_at
            if written_at == last[0]:
                moment = last[1]
            elif not floor < written_at <= now or (self._is_behind and written_at < last[0]):
                moment = max(max(floor, last[1]) + _TICK, now if written_at > now else EPOCH)
            self._placed = written_at, moment
            return moment

    def end_sweep(self, memories: Iterable[Memory], now: datetime) -> None:
        """Remember the memories of a sweep, so that later ones get later moments."""
        with self._lock:
            moments = (
                max(order_of(memory), memory.lineage.created_at) for memory in memories if memory.lineage is not None
            )
            self._written = max(self._written, *(min(moment, _LAST_MOMENT) for moment in moments), EPOCH)
            self._latest, self._placed, self._is_behind = max(self._latest, self._written), None, False
            self._look_at(now)

    def _look_at(self, now: datetime) -> None:
        self._is_behind = self._is_behind or now < self._latest - HOST_RESOLUTION


def _read_moment(metadata: dict[str, Any]) -> datetime:
    """Return the moment of a memory that this pack has sealed, from the raw metadata; else EPOCH."""
    lineage = metadata.get(LINEAGE_KEY)
    if type(lineage) is not dict or type(lineage.get("seal")) is not str:
        return EPOCH
    return min(parse_time(lineage.get("ordered_at") or lineage.get("created_at")) or EPOCH, _LAST_MOMENT)
