"""What the host inserts and deletes is in the backup before the host says that it is done (T-64).

langchain adds vectors in one place, deletes in one and saves in one. They are wrapped at run time, once per class,
whatever thread calls; the wrapper finds the backup on the index object itself, so it serves every later copy of the
pack. Nothing that goes wrong with a backup reaches the host. The host replaces a memory by deleting it and then
inserting another one, in one task: what an insert may take the place of is what its task has deleted since the last.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from .saving import save_whole

_BACKUP_KEY = "_memory_ledger_backup"
_MARK = "_memory_ledger_recorded"

#: The task, which a context is copied from, and what it has deleted, by id.
_deleted: ContextVar[tuple[Any, tuple[Any, ...]]] = ContextVar("_memory_ledger_deleted", default=(None, ()))


def attach(db: Any, backup: Any) -> None:
    """Let what is inserted into `db` and deleted from it be noted by `backup`."""
    db.__dict__[_BACKUP_KEY] = backup


def attached_to(db: Any) -> Any:
    """Return the backup that `db` is noted by; None without one."""
    return db.__dict__.get(_BACKUP_KEY)


def record_changes(module: ModuleType | Any, find: Callable[[Any, str], Any] = getattr) -> None:
    """Wrap the host's insert and delete; a second call changes nothing. What `find` does not find is left alone."""
    for name, make in _WRAPPERS.items():
        method = find(module.MyFaiss, name)
        if method is not None and not getattr(method, _MARK, False):
            wrapped = make(method)
            setattr(wrapped, _MARK, True)
            setattr(module.MyFaiss, name, wrapped)


def _recorded_add(add: Callable[..., list[str]]) -> Callable[..., list[str]]:
    @functools.wraps(add)
    def wrapper(
        self: Any, texts: Any, embeddings: Any, metadatas: Any = None, ids: Any = None, **kwargs: Any
    ) -> list[str]:
        backup = attached_to(self)
        if backup is None or not ids:
            return add(self, texts, embeddings, metadatas, ids, **kwargs)
        texts, ids = list(texts), list(ids)
        metadatas = [{} for _ in texts] if metadatas is None else list(metadatas)
        backup.note_insert(ids, texts, metadatas, _deleted_here())
        _deleted.set((None, ()))
        try:
            return add(self, texts, embeddings, metadatas, ids, **kwargs)
        except BaseException:
            backup.note_refused(ids)
            raise

    return wrapper


def _whole_save(save_local: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(save_local)
    def wrapper(self: Any, folder_path: str, index_name: str = "index") -> None:
        backup = attached_to(self)
        if backup is not None:
            backup.elsewhere.drop()
        try:
            cut = save_whole(partial(save_local, self, index_name=index_name), self.get_all_docs(), Path(folder_path))
        except Exception as exc:
            if backup is not None:
                backup.note_unsaved(exc)
            raise
        if backup is not None:
            backup.note_saved(cut)

    return wrapper


def _recorded_delete(delete: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(delete)
    def wrapper(self: Any, ids: Any = None, **kwargs: Any) -> Any:
        ids = None if ids is None else list(ids)
        done = delete(self, ids, **kwargs)
        backup = attached_to(self)
        if backup is not None and ids:
            backup.note_deleted(ids)
        return done

    return wrapper


def _remembered_delete(adelete: Callable[..., Any]) -> Callable[..., Any]:
    """Remember the documents for the insert that follows; the delete itself runs in another thread."""

    @functools.wraps(adelete)
    async def wrapper(self: Any, ids: Any = None, **kwargs: Any) -> Any:
        ids = None if ids is None else list(ids)
        if attached_to(self) is not None and ids:
            documents = self.get_all_docs()
            found = tuple((memory_id, documents[memory_id]) for memory_id in ids if memory_id in documents)
            _deleted.set((asyncio.current_task(), (*_deleted_here(), *found)))
        return await adelete(self, ids, **kwargs)

    return wrapper


_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "_FAISS__add": _recorded_add,
    "delete": _recorded_delete,
    "adelete": _remembered_delete,
    "save_local": _whole_save,
}


def _deleted_here() -> tuple[Any, ...]:
    """Return what this task itself has deleted since its last insert; an insert outside of one replaces nothing."""
    task, deleted = _deleted.get()
    try:
        return deleted if task is not None and task is asyncio.current_task() else ()
    except RuntimeError:  # no event loop runs here
        return ()
