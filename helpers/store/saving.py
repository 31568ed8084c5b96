"""The host's save of its index: complete or not at all, after the backup, and without memories erased elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import pickle
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from ..door import find_fault
from ..errors import Problem, shorten
from ..foreign import PLAIN
from ..texts import regex
from .backup_file import Erased, id_digest, read_line, to_plain
from .damage import open_to_read
from .docstore import Store
from .files import STAGING, keep_owner_and_mode
from .order import save_lock, wrap_once

# The names of temporary files of `files.replacing`, and of folders of `staging`.
_LEFTOVER = regex(rf"\..+\.\d+\.\d+\.tmp|{re.escape(STAGING)}(\.\d+)+")
#: Nobody writes to a temporary file or folder any more that is older than this.
_LEFT_SECONDS = 3_600


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """Yield an empty folder in `folder` to save into, and delete it."""
    path = folder / f"{STAGING}.{os.getpid()}.{time.time_ns()}"
    path.mkdir()
    try:
        yield path
    finally:
        _delete(path)


def drop_leftovers(folder: Path) -> int:
    """Delete the temporary files and folders that a crash has left; return how many."""
    paths = [*leftovers(folder)]
    for path in paths:
        _delete(path)
    return len(paths)


def _delete(path: Path) -> None:
    """Delete a file, or a folder of files, as far as the system permits."""
    with contextlib.suppress(OSError):
        if path.is_dir():
            for member in path.iterdir():
                member.unlink()
            path.rmdir()
        else:
            path.unlink()


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield the temporary files and folders in a folder that a crash has left: those that are an hour old."""
    for path in folder.glob(".*"):
        with contextlib.suppress(OSError):  # gone meanwhile
            if is_temporary(path.name) and time.time() - path.lstat().st_mtime > _LEFT_SECONDS:
                yield path


def is_temporary(name: str) -> bool:
    """Whether a file or folder of this name is written to, or was left by a crash."""
    return _LEFTOVER.fullmatch(name) is not None


#: The levels that may surround a value when it is pickled, and about as many calls before.
_LEVELS_AROUND = 60


def save_whole(save: Callable[[str], None], documents: Mapping[str, Any], folder: Path) -> list[Problem]:
    """Have `save` write to a staging folder, and move its files to `folder`; return what had to be cut of the metadata.

    Raises the errors of `save`, unless cutting mends them; nothing in the folder has changed then.
    """
    cut: list[Problem] = []
    folder.mkdir(parents=True, exist_ok=True)
    drop_leftovers(folder)
    with staging(folder) as written:
        try:
            save(str(written))
        except (pickle.PicklingError, RecursionError, TypeError, AttributeError, ValueError):
            cut = _cut_to_storable(documents)
            if not cut:
                raise
            save(str(written))
        paths = sorted(written.iterdir())  # the vectors, then the texts, as the host does
        for path in paths:
            _make_ready(path, folder / path.name)
        if sorted(written.iterdir()) != paths:
            raise FileNotFoundError(f"{folder} has lost a file of a save to an erase; the next save writes both")
        for path in paths:
            path.replace(folder / path.name)
    return cut


def _make_ready(new: Path, path: Path) -> None:
    with new.open("rb+") as stream:
        if path.exists():
            keep_owner_and_mode(path, stream.fileno())
        os.fsync(stream.fileno())


def _cut_to_storable(documents: Mapping[str, Any]) -> list[Problem]:
    """Replace metadata that cannot be pickled by plain values, and return a problem for each; texts stay whole."""
    cut = []
    for memory_id, document in list(documents.items()):
        for key, value in list(document.metadata.items()):
            if not _is_storable(value):
                document.metadata[key] = to_plain(value)
                place = f"memory {memory_id}: metadata {shorten(key)}"
                fault = find_fault(value, place) or Problem(where=place, found="not storable", allowed=PLAIN)
                cut.append(replace(fault, found=f"{fault.found}, and was cut; the text is whole"))
    return cut


def _is_storable(value: Any) -> bool:
    for _ in range(_LEVELS_AROUND):
        value = [value]
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - whatever an unknown object raises when it is pickled
        return False
    return True


_BACKUP_KEY = "_memory_ledger_backup"
_RECORDED_MARK = "_memory_ledger_recorded"

#: A task, since contexts are copied, and the documents that it has deleted, by id.
_deleted: ContextVar[tuple[Any, tuple[Any, ...]]] = ContextVar("_memory_ledger_deleted", default=(None, ()))


def attach(db: Any, backup: Any) -> None:
    """Have `backup` note the inserts into `db` and the deletes from it."""
    db.__dict__[_BACKUP_KEY] = backup


def attached_to(db: Any) -> Any:
    """Return the backup attached to `db`, or None."""
    return db.__dict__.get(_BACKUP_KEY)


def record_changes(module: ModuleType | Any, find: Callable[[Any, str], Any] = getattr) -> None:
    """Wrap the host's insert, delete and save, as far as `find` returns them; a second call changes nothing."""
    for name, wrap in _WRAPPERS.items():
        if find(module.MyFaiss, name) is not None:
            wrap_once(module.MyFaiss, name, wrap, _RECORDED_MARK)


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
        result = delete(self, ids, **kwargs)
        backup = attached_to(self)
        if backup is not None and ids:
            backup.note_deleted(ids)
        return result

    return wrapper


def _remembered_delete(adelete: Callable[..., Any]) -> Callable[..., Any]:
    """Remember the documents for the insert that follows; the delete itself runs in another thread."""

    @functools.wraps(adelete)
    async def wrapper(self: Any, ids: Any = None, **kwargs: Any) -> Any:
        ids = None if ids is None else list(ids)
        if attached_to(self) is not None and ids:
            documents = self.get_all_docs()
            documents_deleted = tuple((memory_id, documents[memory_id]) for memory_id in ids if memory_id in documents)
            _deleted.set((asyncio.current_task(), (*_deleted_here(), *documents_deleted)))
        return await adelete(self, ids, **kwargs)

    return wrapper


_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    "_FAISS__add": _recorded_add,
    "delete": _recorded_delete,
    "adelete": _remembered_delete,
    "save_local": _whole_save,
}


def _deleted_here() -> tuple[Any, ...]:
    """Return the documents that this task has deleted since its last insert; none outside of a task."""
    task, deleted = _deleted.get()
    try:
        return deleted if task is not None and task is asyncio.current_task() else ()
    except RuntimeError:  # no event loop runs here
        return ()


_ERASED_MARK = b'{"erased"'
Pause = Callable[[], AbstractContextManager[None]]


class ErasedElsewhere:
    """Keeps an open store free of the memories that the backup at `path` marks as erased, by any host.

    The store deletes them while the backup is `paused`. `texts` keeps their texts, by id, until this process has
    forgotten them everywhere.
    """

    def __init__(self, store: Store, path: Path, paused: Pause, memory_class: Any) -> None:
        self.texts: dict[str, str] = {}
        self._store, self._path, self._paused, self._memory_class = store, path, paused, memory_class
        self._inode: int | None = None
        self._size = 0

    def drop(self) -> None:
        """Delete the memories erased since the last call; an unreadable backup is reported elsewhere."""
        with save_lock(self._memory_class):  # no other thread saves between this reading and the delete
            digests = self._read_new()
            documents = self._store.db.get_all_docs() if digests else {}
            erased = {
                memory_id: document.page_content
                for memory_id, document in documents.items()
                if id_digest(memory_id) in digests
            }
            if erased:
                with self._paused():
                    self._store.db.delete([*erased])
                self.texts |= erased

    def _read_new(self) -> set[str]:
        """Return the digests of erased memories in the lines since the last call; the first time, in all lines."""
        digests: set[str] = set()
        with contextlib.suppress(OSError), open_to_read(self._path) as stream:
            inode = os.fstat(stream.fileno()).st_ino
            self._size = self._size if inode == self._inode else 0
            self._inode = inode
            stream.seek(self._size)
            for line in stream:
                self._size += len(line) if line.endswith(b"\n") else 0
                if line.startswith(_ERASED_MARK) and isinstance(row := read_line(line), Erased):
                    digests.add(row.digest)
        return digests
