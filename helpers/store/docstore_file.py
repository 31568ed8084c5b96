"""The host's docstore on disk, for commands that read a folder without the host, and its list of imported files."""

from __future__ import annotations

import gc
import hashlib
import io
import pickle
import struct
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

from ..errors import StoreError, reason_of, shorten
from ..records import Memory, parse_memory
from .files import SET_ASIDE, FileStamp, file_stamp, read_hosts_object
from .tables import find_state

DOCSTORE_FILE = "index.pkl"
INDEX_FILE = "index.faiss"
#: The files that one save of the host writes.
SAVED_FILES = (INDEX_FILE, DOCSTORE_FILE, f"{INDEX_FILE}.sha256")

# Files that Agent Zero writes beside its index. It wipes an index that somebody else has changed (contract, trap 6).
_HOST_FILES = ("embedding.json", "index.faiss.sha256", "knowledge_import.json")
_MEMORIES, _PROJECT = "memory", ".a0proj"

# A running host writes its file in place: an unreadable file is read again, this many times, after this many seconds.
_READS, _PAUSE = 10, 0.05
_UNREADABLE = (
    pickle.UnpicklingError, EOFError, AttributeError, TypeError, ValueError, LookupError, OverflowError, RecursionError,
    MemoryError, struct.error,
)  # fmt: skip


def host_file(folder: Path) -> str | None:
    """Return the name of a file by which Agent Zero uses this folder; None where there is none."""
    return next((name for name in _HOST_FILES if (folder / name).exists()), None)


def is_of_host(folder: Path) -> bool:
    """Whether Agent Zero uses a folder, or will: a folder that it has not written yet is known by its place.

    Its memory folders lie in a folder called `memory`; a project's own is `.a0proj/memory`. The counters of a store
    say if it stands alone in such a place.
    """
    if host_file(folder) is not None:
        return True
    place = folder.absolute()
    is_hosts_place = place.parent.name == _MEMORIES or (place.name == _MEMORIES and place.parent.name == _PROJECT)
    return is_hosts_place and not find_state(folder).stands_alone


def user_folder_of(folder: Path) -> Path:
    """Return the user's folder, `usr`, around a memory folder of Agent Zero or of a project."""
    is_project = folder.absolute().parent.name == _PROJECT
    return folder.absolute().parents[3] if is_project else folder.parent.parent


def read_docstore(folder: Path) -> tuple[dict[int, str], dict[str, ReadDocument]]:
    """Return the last save of the host: the ids by the position of their vectors, and the documents by id, in order.

    The file is read by an allow list into plain, read-only data; nothing in it is run. Raises StoreError where no store
    can be read, or the file asks for anything else.
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
    """Unpickle a docstore with the garbage collector off, which would take most of the time for many memories."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        return _Reader(io.BytesIO(path.read_bytes())).load()
    finally:
        if is_collecting:
            gc.enable()


def read_index(folder: Path) -> Any:
    """Return the index of a folder as faiss reads it.

    Raises StoreError where the host could not load it either: the file is missing, or a crash cut it off.
    """
    import faiss

    path = folder / INDEX_FILE
    try:
        return faiss.read_index(str(path))
    except RuntimeError as exc:
        raise StoreError(f"{path} cannot be read ({exc}); allowed: both files of one save") from exc


def count_vectors(folder: Path) -> int:
    """Return the number of vectors; raises StoreError as `read_index` does."""
    return int(read_index(folder).ntotal)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Ids of texts without an own vector, ids of vectors without a text, and the number of vectors without an id."""

    without_vector: tuple[str, ...] = ()
    without_text: tuple[str, ...] = ()
    without_id: int = 0

    def __bool__(self) -> bool:
        return bool(self.without_vector or self.without_text or self.without_id)


def find_disagreement(positions: Mapping[int, str], texts: Collection[str], vectors: int) -> Disagreement:
    """Compare the ids by position, the ids that have a text, and the number of vectors.

    A save that was cut off leaves vectors and texts of two saves (contract, section 4). A text at two positions has no
    vector of its own.
    """
    places = place_of(positions, vectors)
    return Disagreement(
        tuple(memory_id for memory_id in texts if places.get(memory_id) is None),
        tuple(memory_id for memory_id in dict.fromkeys(positions.values()) if memory_id not in texts),
        vectors - sum(place < vectors for place in positions),
    )


def place_of(positions: Mapping[int, str], vectors: int) -> dict[str, int | None]:
    """Return the position of the vector of each id; None where it has none, or more than one."""
    places: dict[str, int | None] = {}
    for place, memory_id in positions.items():
        places[memory_id] = None if memory_id in places or place >= vectors else place
    return places


def new_folder_aside(folder: Path, moment: datetime) -> Path:
    """Make a folder beside an index for copies of its files, and return it."""
    target = folder / f"{SET_ASIDE}{moment:%Y%m%d-%H%M%S-%f}"
    target.mkdir()
    return target


class _Fixed(type):
    """The metaclass of the allowed classes, which a file cannot change."""

    def __setattr__(cls, name: str, value: object) -> None:
        raise TypeError(f"{cls.__name__} is not to be changed")


class ReadDocument(list[dict[str, Any]], metaclass=_Fixed):
    """A document as it is pickled, a third cheaper than the host's own object; its one member is its state."""

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
    """The type of a numpy number: first its code, then its state."""

    __slots__ = ()
    __setstate__ = list.append

    def __init__(self, code: str, *_: object) -> None:
        super().__init__((code,))


class _ReadNumber(metaclass=_Fixed):
    """Makes a Python number of a numpy number, which releases up to v2.4 write for a similarity."""

    def __new__(cls, kind: _ReadType, data: bytes) -> Any:
        code, state = kind
        return struct.unpack(f"{state[1]}{_CODES[code]}".replace("|", "="), data)[0]


class _ReadArea(metaclass=_Fixed):
    """Makes the text of a member of the host's enumeration of areas, which v0.9.7 writes."""

    def __new__(cls, value: str) -> Any:
        return str(value)


class _Foreign(Exception):
    """A file asks for a class that no docstore of the host holds."""


class _Reader(pickle.Unpickler):
    """The only reader of pickles in the pack. It imports nothing, not even the host's libraries, and runs nothing."""

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
    """Return a langchain docstore with these documents, as the host's own loading makes it."""
    from langchain_community.docstore.in_memory import InMemoryDocstore
    from langchain_core.documents import Document

    made = {
        memory_id: Document(id=memory_id, page_content=document.page_content, metadata=document.metadata)
        for memory_id, document in documents.items()
    }
    return InMemoryDocstore(dict[str, Document](made))


def read_documents(folder: Path) -> tuple[dict[str, ReadDocument], datetime]:
    """Return the documents of a folder as `read_docstore` does, and the time of the last save; raises StoreError."""
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
        """Read the list again if it has changed; one stat call. A half-written list is read once it is whole."""
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
        """Whether a document, first seen this time ago, may come from an import that is not listed yet.

        It may if it names a knowledge file that the host lists with another content or not at all.
        """
        if waited > _LONGEST_IMPORT:
            return False
        path = metadata.get("source_path")
        if not isinstance(path, str) or _FOLDERS.isdisjoint(Path(path).parts[:-1]):
            return False
        checksum = self._checksum(path)
        return checksum is not None and checksum != self._listed.get(path)

    def _checksum(self, path: str) -> str | None:
        """Return the present checksum of a file, computed as the host does; None if there is no such file."""
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
