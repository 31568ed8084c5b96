"""The host's docstore on disk, for commands that look at a memory folder without the host (contract, section 4)."""

from __future__ import annotations

import gc
import io
import pickle
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ...errors import StoreError
from ...records import Memory, parse_memory
from ..storage.files import SET_ASIDE, STATE_FILE

DOCSTORE_FILE = "index.pkl"
INDEX_FILE = "index.faiss"
#: What one save of the host's writes.
SAVED_FILES = (INDEX_FILE, DOCSTORE_FILE, f"{INDEX_FILE}.sha256")

# What Agent Zero writes beside its index. It wipes an index that somebody else has changed (contract, trap 6).
_HOST_FILES = ("embedding.json", "index.faiss.sha256", "knowledge_import.json")
_MEMORIES, _PROJECT = "memory", ".a0proj"

# A running host writes its file in place: what cannot be read is read again, so often, so many seconds later.
_READS, _PAUSE = 10, 0.05
_UNREADABLE = (pickle.UnpicklingError, EOFError, ImportError, AttributeError, TypeError, ValueError)


def host_file(folder: Path) -> str | None:
    """Return the name of a file that says that Agent Zero uses this folder; None where there is none."""
    return next((name for name in _HOST_FILES if (folder / name).exists()), None)


def is_of_host(folder: Path) -> bool:
    """Whether Agent Zero uses a folder, or will: one that it has not written yet is told by its place.

    Its memory folders lie in one called `memory`; a project's own is `.a0proj/memory`. A store that stands alone has
    its counters in it.
    """
    if host_file(folder) is not None:
        return True
    place = folder.absolute()
    if (folder / STATE_FILE).exists():
        return False
    return place.parent.name == _MEMORIES or (place.name == _MEMORIES and place.parent.name == _PROJECT)


def user_folder_of(folder: Path) -> Path:
    """Return the folder of the user's, `usr`, that a memory folder of Agent Zero, or of a project there, lies in."""
    is_project = folder.absolute().parent.name == _PROJECT
    return folder.absolute().parents[3] if is_project else folder.parent.parent


def read_docstore(
    folder: Path, unpickler: type[pickle.Unpickler] = pickle.Unpickler
) -> tuple[Any, Any, dict[str, Any]]:
    """Return the host's own file as the host reads it: the docstore, the positions of its documents, the documents.

    Raises StoreError where no store can be read.
    """
    path = folder / DOCSTORE_FILE
    try:
        docstore, positions = _load(path, unpickler)
        return docstore, positions, docstore._dict
    except FileNotFoundError as exc:
        raise StoreError(f"{path} is missing; allowed: a memory folder of Agent Zero") from exc
    except _UNREADABLE as exc:
        raise StoreError(f"{path} cannot be read ({exc}); allowed: a docstore that Agent Zero wrote") from exc


def _load(path: Path, unpickler: type[pickle.Unpickler] = pickle.Unpickler) -> Any:
    for _ in range(_READS - 1):
        try:
            return _unpickle(path, unpickler)
        except _UNREADABLE:
            time.sleep(_PAUSE)
    return _unpickle(path, unpickler)


def _unpickle(path: Path, unpickler: type[pickle.Unpickler]) -> Any:
    """Read it without looking for garbage meanwhile, of which there is none: of many memories that takes most time."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        return unpickler(io.BytesIO(path.read_bytes())).load()
    finally:
        if is_collecting:
            gc.enable()


def count_vectors(folder: Path) -> int:
    """Return how many vectors there are.

    Raises StoreError where the host could not load them: the file is missing, or a crash cut it off.
    """
    import faiss

    path = folder / INDEX_FILE
    try:
        return int(faiss.read_index(str(path)).ntotal)
    except RuntimeError as exc:
        raise StoreError(f"{path} cannot be read ({exc}); allowed: both files of one save") from exc


def new_folder_aside(folder: Path, at: datetime) -> Path:
    """Make a folder beside an index for its files as they are."""
    target = folder / f"{SET_ASIDE}{at:%Y%m%d-%H%M%S-%f}"
    target.mkdir()
    return target


class _ReadDocument(list[dict[str, Any]]):
    """A document as it is pickled, which costs a third less than the host's own object; its one member is its state."""

    __slots__ = ()
    __setstate__ = list.append

    @property
    def page_content(self) -> str:
        return cast(str, self[0]["__dict__"]["page_content"])

    @property
    def metadata(self) -> dict[str, Any]:
        return cast(dict[str, Any], self[0]["__dict__"]["metadata"])


class _ReadDocstore:
    """The docstore as it is pickled."""

    _dict: dict[str, Any]


class _Reader(pickle.Unpickler):
    """Reads the file without the host's libraries, which take longer to load than many a store."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        known = _READ_AS.get((module_name, global_name))
        return super().find_class(module_name, global_name) if known is None else known


_READ_AS: dict[tuple[str, str], type[Any]] = {
    ("langchain_core.documents.base", "Document"): _ReadDocument,
    ("langchain_community.docstore.in_memory", "InMemoryDocstore"): _ReadDocstore,
}


def read_documents(folder: Path) -> tuple[dict[str, Any], datetime]:
    """Return the documents of a folder in the order in which they were written, and when that was last; StoreError.

    They have a `page_content` and `metadata` and nothing else, and are to be looked at only.
    """
    documents = read_docstore(folder, _Reader)[2]
    return documents, datetime.fromtimestamp((folder / DOCSTORE_FILE).stat().st_mtime, UTC)


def read_memories(folder: Path) -> list[Memory]:
    """Return the memories of a folder in the order in which they were written; raises StoreError."""
    documents, written_at = read_documents(folder)
    return [
        parse_memory(memory_id, one.page_content, one.metadata, inserted_at=written_at)[0]
        for memory_id, one in documents.items()
    ]
