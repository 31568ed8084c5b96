"""The host's docstore on disk, for commands that look at a folder without the host; and what the host imported."""

from __future__ import annotations

import gc
import hashlib
import io
import pickle
import struct
import time
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

from ..errors import StoreError, reason_of, shorten
from ..records import Memory, parse_memory
from .files import SET_ASIDE, FileStamp, file_stamp, read_hosts_object
from .tables import find_state

DOCSTORE_FILE = "index.pkl"
INDEX_FILE = "index.faiss"
#: What one save of the host's writes.
SAVED_FILES = (INDEX_FILE, DOCSTORE_FILE, f"{INDEX_FILE}.sha256")

# What Agent Zero writes beside its index. It wipes an index that somebody else has changed (contract, trap 6).
_HOST_FILES = ("embedding.json", "index.faiss.sha256", "knowledge_import.json")
_MEMORIES, _PROJECT = "memory", ".a0proj"

# A running host writes its file in place: what cannot be read is read again, so often, so many seconds later.
_READS, _PAUSE = 10, 0.05
_UNREADABLE = (
    pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError, LookupError, OverflowError, RecursionError,
    MemoryError, struct.error,
)  # fmt: skip


def host_file(folder: Path) -> str | None:
    """Return the name of a file that says that Agent Zero uses this folder; None where there is none."""
    return next((name for name in _HOST_FILES if (folder / name).exists()), None)


def is_of_host(folder: Path) -> bool:
    """Whether Agent Zero uses a folder, or will: one that it has not written yet is told by its place.

    Its memory folders lie in one called `memory`; a project's own is `.a0proj/memory`. Its
    counters say where a store stands alone in such a place.
    """
    if host_file(folder) is not None:
        return True
    place = folder.absolute()
    is_hosts_place = place.parent.name == _MEMORIES or (place.name == _MEMORIES and place.parent.name == _PROJECT)
    return is_hosts_place and not find_state(folder).stands_alone


def user_folder_of(folder: Path) -> Path:
    """Return the folder of the user's, `usr`, that a memory folder of Agent Zero, or of a project there, lies in."""
    is_project = folder.absolute().parent.name == _PROJECT
    return folder.absolute().parents[3] if is_project else folder.parent.parent


def read_docstore(folder: Path) -> tuple[dict[int, str], dict[str, ReadDocument]]:
    """Return what the host saved last: where the vector of each id lies, and the documents in the order of writing.

    Nothing in the file is run, whatever it asks for: it is read by an allow list, into plain data that is to be looked
    at only. Raises StoreError where no store can be read, or the file asks for something else.
    """
    path = folder / DOCSTORE_FILE
    try:
        docstore, positions = _load(path)
        documents = docstore._dict
        if not (type(documents) is type(positions) is dict and all(map(_is_document, documents, documents.values()))):
            raise TypeError("it holds other things than documents")
        if not all(type(place) is int and type(memory_id) is str for place, memory_id in positions.items()):
            raise TypeError("it does not say which vector is whose")
        return positions, documents
    except FileNotFoundError as exc:
        raise StoreError(f"{path} is missing; allowed: a memory folder of Agent Zero, or of `ingest`") from exc
    except _Foreign as exc:
        raise StoreError(f"{path}: {exc}; nothing of it was run or read; allowed: {_ALLOWED}") from exc
    except _UNREADABLE as exc:
        fault = "is empty" if not path.stat().st_size else f"cannot be read ({reason_of(exc)})"
        raise StoreError(f"{path} {fault}; allowed: {_ALLOWED}") from exc


def _is_document(memory_id: object, document: object) -> bool:
    if type(memory_id) is not str or type(document) is not ReadDocument:
        return False
    return type(document.page_content) is str and type(document.metadata) is dict


def _load(path: Path) -> Any:
    for _ in range(_READS - 1):
        try:
            return _unpickle(path)
        except _UNREADABLE:
            time.sleep(_PAUSE)
    return _unpickle(path)


def _unpickle(path: Path) -> Any:
    """Read it without looking for garbage meanwhile, of which there is none: of many memories that takes most time."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        return _Reader(io.BytesIO(path.read_bytes())).load()
    finally:
        if is_collecting:
            gc.enable()


def read_index(folder: Path) -> Any:
    """Return the vectors as faiss has them.

    Raises StoreError where the host could not load them: the file is missing, or a crash cut it off.
    """
    import faiss

    path = folder / INDEX_FILE
    try:
        return faiss.read_index(str(path))
    except RuntimeError as exc:
        raise StoreError(f"{path} cannot be read ({exc}); allowed: both files of one save") from exc


def count_vectors(folder: Path) -> int:
    """Return how many vectors there are; raises StoreError as `read_index` does."""
    return int(read_index(folder).ntotal)


def new_folder_aside(folder: Path, at: datetime) -> Path:
    """Make a folder beside an index for its files as they are."""
    target = folder / f"{SET_ASIDE}{at:%Y%m%d-%H%M%S-%f}"
    target.mkdir()
    return target


class _Fixed(type):
    """The class of what a file may ask for: the file can change none of them."""

    def __setattr__(cls, name: str, value: object) -> None:
        raise TypeError(f"{cls.__name__} is not to be changed")


class ReadDocument(list[dict[str, Any]], metaclass=_Fixed):
    """A document as it is pickled, which costs a third less than the host's own object; its one member is its state."""

    __slots__ = ()
    __setstate__ = list.append

    @property
    def page_content(self) -> str:
        return cast(str, self[0]["__dict__"]["page_content"])

    @property
    def metadata(self) -> dict[str, Any]:
        return cast(dict[str, Any], self[0]["__dict__"]["metadata"])


class _ReadDocstore(metaclass=_Fixed):
    """The docstore as it is pickled."""

    _dict: dict[str, ReadDocument]


class _ReadType(list[Any], metaclass=_Fixed):
    """The type of a number of numpy's: first its code, then its state."""

    __slots__ = ()
    __setstate__ = list.append

    def __init__(self, code: str, *_: object) -> None:
        super().__init__((code,))


class _ReadNumber(metaclass=_Fixed):
    """Makes a number of Python's of one of numpy's, such as releases up to v2.4 write for a likeness."""

    def __new__(cls, kind: _ReadType, data: bytes) -> Any:
        code, state = kind
        return struct.unpack(f"{state[1]}{_CODES[code]}".replace("|", "="), data)[0]


class _ReadArea(metaclass=_Fixed):
    """Makes the text of a member of the host's own enumeration, which v0.9.7 writes."""

    def __new__(cls, value: str) -> Any:
        return str(value)


class _Foreign(Exception):
    """A file asks for what no docstore of the host's holds."""


class _Reader(pickle.Unpickler):
    """The one reader of a pickle in the pack. It imports nothing, the host's libraries included, and runs nothing."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        reader = _READ_AS.get(f"{module_name}.{global_name}")
        if reader is None:
            raise _Foreign(f"it asks for {shorten(f'{module_name}.{global_name}')}")
        return reader


_ALLOWED = "a docstore that Agent Zero wrote: documents with texts, numbers, times, lists and objects"
_CODES = dict(zip("b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split(), "?bhiqBHIQefd", strict=True))
_READ_AS: dict[str, Any] = {
    "langchain_core.documents.base.Document": ReadDocument,
    "langchain.schema.document.Document": ReadDocument,
    "langchain_community.docstore.in_memory.InMemoryDocstore": _ReadDocstore,
    "langchain.docstore.in_memory.InMemoryDocstore": _ReadDocstore,
    "python.helpers.memory.Memory.Area": _ReadArea,
    "plugins._memory.helpers.memory.Memory.Area": _ReadArea,
    "numpy.dtype": _ReadType,
    "numpy.core.multiarray.scalar": _ReadNumber,
    "numpy._core.multiarray.scalar": _ReadNumber,
    **{f"datetime.{time_class.__name__}": time_class for time_class in (date, datetime, timedelta, timezone)},
}


def as_langchain(documents: Mapping[str, ReadDocument]) -> Any:
    """Return the docstore of langchain's that holds these documents, as the host's own loading would make it."""
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_core.documents import Document

    made = {
        memory_id: Document(id=memory_id, page_content=document.page_content, metadata=document.metadata)
        for memory_id, document in documents.items()
    }
    return InMemoryDocstore(dict[str, Document](made))


def read_documents(folder: Path) -> tuple[dict[str, ReadDocument], datetime]:
    """Return the documents of a folder as `read_docstore` does, and when they were written last; raises StoreError."""
    documents = read_docstore(folder)[1]
    return documents, datetime.fromtimestamp((folder / DOCSTORE_FILE).stat().st_mtime, UTC)


def read_memories(folder: Path) -> list[Memory]:
    """Return the memories of a folder in the order in which they were written; raises StoreError."""
    documents, written_at = read_documents(folder)
    return [
        parse_memory(memory_id, document.page_content, document.metadata, inserted_at=written_at)[0]
        for memory_id, document in documents.items()
    ]


_LIST_FILE = "knowledge_import.json"
# The host imports from folders of these names only (contract, section 4); `instruments` up to v0.9.7.
_FOLDERS = frozenset({"knowledge", "instruments"})
_LONGEST_IMPORT = timedelta(hours=1)


class KnowledgeImports:
    """The host's list of imported documents of one memory folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _LIST_FILE
        self._stamp: FileStamp | None = None
        self._ids: frozenset[str] = frozenset()
        self._listed: dict[str, Any] = {}
        self._found: dict[str, tuple[FileStamp, str]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the list again if it has changed since; one stat call. A half-written one is read when it is whole."""
        stamp = file_stamp(self._path)
        if stamp is None or stamp == self._stamp:
            return
        self._stamp = stamp
        files = {path: row for path, row in (read_hosts_object(self._path) or {}).items() if isinstance(row, Mapping)}
        self._listed = {path: row.get("checksum") for path, row in files.items()}
        ids = (row.get("ids") for row in files.values())
        self._ids = frozenset(str(memory_id) for row in ids if isinstance(row, list) for memory_id in row)

    def lists(self, memory_id: str) -> bool:
        """Whether the host says that it imported this document."""
        return memory_id in self._ids

    def may_come(self, metadata: Mapping[str, Any], *, waited: timedelta) -> bool:
        """Whether a document that was first seen so long ago may stem from an import that is not listed yet.

        It names a knowledge file, and the host has listed that file with other content or not at all.
        """
        if waited > _LONGEST_IMPORT:
            return False
        path = metadata.get("source_path")
        if not isinstance(path, str) or _FOLDERS.isdisjoint(Path(path).parts[:-1]):
            return False
        checksum = self._checksum(path)
        return checksum is not None and checksum != self._listed.get(path)

    def _checksum(self, path: str) -> str | None:
        """Return the host's checksum of a file as it is now; None if there is no such file."""
        stamp = file_stamp(path)
        if stamp is None:
            return None
        digest = self._found.get(path)
        if digest is None or digest[0] != stamp:
            try:
                digest = stamp, hashlib.md5(Path(path).read_bytes(), usedforsecurity=False).hexdigest()
            except OSError:
                return None
            self._found[path] = digest
        return digest[1]
