"""The host's save of its index: whole or not at all, in the backup first, and without what another host has erased."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import functools
import itertools
import os
import pickle
import re
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
from .deadline import in_time
from .docstore import Store
from .files import STAGING, is_at, keep_owner_and_mode, lock, try_lock
from .order import save_lock

# What `files.replacing` names a file until it is in place, and `staging` the folder of a save.
_LEFTOVER = regex(rf"\..+\.\d+\.\d+\.tmp|{re.escape(STAGING)}(\.\d+)+")
_NUMBERS = itertools.count(1)


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """Give an empty folder in `folder` to save into, held until it is deleted: one that nobody holds is left over."""
    with contextlib.ExitStack() as held:
        path = next(filter(None, (_make_staging(folder, held) for _ in itertools.count())))
        try:
            yield path
        finally:
            _delete(path)


def _make_staging(folder: Path, held: contextlib.ExitStack) -> Path | None:
    """Make a folder to save into and hold it; None if its name is taken, or it was dropped before it was held."""
    path = folder / f"{STAGING}.{os.getpid()}.{next(_NUMBERS)}"
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        path.mkdir()
        if _hold(path, held) and path.is_dir():
            return path
    return None


def _hold(path: Path, held: contextlib.ExitStack) -> bool:
    """Lock a folder; True also where the disk gives no answer, which it gives to nobody who might drop the folder."""
    try:
        descriptor = in_time(path, lambda _: os.open(path, os.O_RDONLY), undo=os.close, is_reading=True)
    except TimeoutError:
        return True
    held.callback(os.close, descriptor)
    return try_lock(descriptor)


def drop_leftovers(folder: Path) -> int:
    """Delete the new files in a folder, and the folders of saves, whose writers have died; return how many."""
    count = 0
    for path in leftovers(folder):
        _delete(path)
        count += 1
    return count


def _delete(path: Path) -> None:
    """Delete a file, or a folder of files, as far as the system lets."""
    with contextlib.suppress(OSError):
        if path.is_dir():
            for member in path.iterdir():
                member.unlink()
            path.rmdir()
        else:
            path.unlink()


def leftovers(folder: Path) -> Iterator[Path]:
    """Yield the new files in a folder, and the folders of saves, whose writers have died.

    Each is held meanwhile, so that nobody takes it for his own. Without locks on the file system there is no telling.
    """
    for path in filter(lambda path: _LEFTOVER.fullmatch(path.name), folder.glob(".*")):
        with contextlib.suppress(OSError), contextlib.ExitStack() as held:  # gone, held by its writer, or out of reach
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            held.callback(os.close, descriptor)
            if lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB) and is_at(path, descriptor):
                yield path


#: So many levels may stand between a value and where pickling began, and as many calls before that.
_LEVELS_AROUND = 60


def save_whole(save: Callable[[str], None], documents: Mapping[str, Any], folder: Path) -> list[Problem]:
    """Have `save` write into another folder, and move what it wrote into this one; return what had to be cut for it.

    Whatever `save` raises goes on, but for what cutting mends; nothing in the folder has changed then.
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
        for path in sorted(written.iterdir()):  # the vectors, then the texts, as the host does
            _put_in_place(path, folder / path.name)
    return cut


def _put_in_place(new: Path, path: Path) -> None:
    with new.open("rb+") as stream:
        if path.exists():
            keep_owner_and_mode(path, stream.fileno())
        os.fsync(stream.fileno())
    new.replace(path)


def _cut_to_storable(documents: Mapping[str, Any]) -> list[Problem]:
    """Make plain what of the metadata cannot be pickled; return what that was. The texts stay whole."""
    cut = []
    for memory_id, document in list(documents.items()):
        for key, value in list(document.metadata.items()):
            if not _is_storable(value):
                document.metadata[key] = to_plain(value)
                where = f"memory {memory_id}: metadata {shorten(key)}"
                fault = find_fault(value, where) or Problem(where=where, found="not storable", allowed=PLAIN)
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
        if method is not None and not getattr(method, _RECORDED_MARK, False):
            wrapped = make(method)
            setattr(wrapped, _RECORDED_MARK, True)
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
    """Return what this task itself has deleted since its last insert; an insert outside of one replaces nothing."""
    task, deleted = _deleted.get()
    try:
        return deleted if task is not None and task is asyncio.current_task() else ()
    except RuntimeError:  # no event loop runs here
        return ()


_ERASED_MARK = b'{"erased"'
Pause = Callable[[], AbstractContextManager[None]]


class ErasedElsewhere:
    """Keeps an open store without the memories whose ids the backup at `path` says to be erased, by any host.

    The store deletes them while the backup is `paused`, which knows of them; `texts` keeps, by id, what they said until
    this process has forgotten it everywhere.
    """

    def __init__(self, store: Store, path: Path, paused: Pause, memory_class: Any) -> None:
        self.texts: dict[str, str] = {}
        self._store, self._path, self._paused, self._memory_class = store, path, paused, memory_class
        self._inode: int | None = None
        self._size = 0

    def drop(self) -> None:
        """Delete what was erased since the last call; whoever reads the backup as a whole tells where it cannot be."""
        with save_lock(self._memory_class):  # what one thread has read, no other reads again before its save
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
        """Return the digests of the lines that have come since the last call; at first, of all."""
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
