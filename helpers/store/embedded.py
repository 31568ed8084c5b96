"""A memory folder without Agent Zero: the same FAISS docstore, for the demo, the benchmarks and the terminal.

It has the parts of the host's `Memory` that the store needs and nothing more; the pack cannot tell the two apart."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import faiss
import numpy as np
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_community.vectorstores import FAISS
from langchain_community.vectorstores.utils import DistanceStrategy
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from ..clock import Clock, format_time
from ..errors import EmbeddingError, StoreError
from ..inbox import Row
from . import files
from .docstore_file import as_langchain, read_docstore, read_index
from .lines import LineStore
from .order import change_lock

_INDEX_NAME = "index"
_SUFFIXES = (".faiss", ".pkl")
#: A save counts once its folder has this name.
_WHOLE = ".saved"
_VECTOR = "<f4"


class NoModel(Embeddings):
    """An embedder that only knows the length of the stored vectors; raises StoreError where no index can be read."""

    def __init__(self, folder: Path) -> None:
        self._length = int(read_index(folder).d)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Raise EmbeddingError: a made-up vector would be stored, or compared with a real one."""
        raise EmbeddingError(f"{len(texts)} texts to embed, and no model is loaded; allowed: a command that loads one")

    def embed_query(self, text: str) -> list[float]:
        """Return zeros of the right length, which are compared with nothing."""
        return [0.0] * self._length


class EmbeddedFaiss(FAISS):
    """langchain's FAISS with the host's method for all documents."""

    def get_all_docs(self) -> dict[str, Any]:
        """Return the live documents by id, in insertion order."""
        docstore: Any = self.docstore
        documents: dict[str, Any] = docstore._dict
        return documents


class EmbeddedMemory:
    """One memory folder on disk; for a repair it is opened although vectors and texts `may_disagree`."""

    index: ClassVar[dict[str, EmbeddedFaiss]] = {}

    def __init__(
        self,
        folder: Path,
        embedder: Any,
        *,
        clock: Clock,
        make_id: Callable[[], str] = lambda: secrets.token_hex(8),
        may_disagree: bool = False,
    ) -> None:
        self.folder = folder
        self.memory_subdir = str(folder)
        self._clock = clock
        self._make_id = make_id
        self._unsaved = LineStore(folder / files.UNSAVED_FILE)
        self.db = _load(folder, embedder, may_disagree=may_disagree)
        #: The ids of memories recovered from lines: the process that had written them ended before its save.
        self.recovered = frozenset(self._recover(self._unsaved.read()))
        EmbeddedMemory.index[self.memory_subdir] = self.db

    def insert(
        self,
        text: str,
        metadata: Mapping[str, Any] | None = None,
        *,
        memory_id: str | None = None,
        vector: Sequence[float] | None = None,
    ) -> str:
        """Store `text` as the host does and return its id: new id, present time, area `main` unless given.

        `vector` is the vector of the text, if it is embedded already.
        """
        memory_id = memory_id or self._make_id()
        full = {"area": "main", **(metadata or {}), "id": memory_id}
        full.setdefault("timestamp", format_time(self._clock()))
        if vector is None:
            self.db.add_texts([text], metadatas=[full], ids=[memory_id])
        else:
            self._append(Document(id=memory_id, page_content=text, metadata=full), vector)
        return memory_id

    async def insert_text(self, text: str, metadata: Mapping[str, Any]) -> str:
        """Embed off the event loop and store, as the host's method of this name; return the id."""
        return await asyncio.to_thread(self._embed_and_insert, text, metadata)

    async def update_documents(self, documents: Iterable[Document]) -> None:
        """Store new texts under the ids in their metadata: each is embedded before the old document is deleted."""
        for document in documents:
            await asyncio.to_thread(
                self._embed_and_insert, document.page_content, document.metadata, document.metadata["id"]
            )

    def _embed_and_insert(self, text: str, metadata: Mapping[str, Any], memory_id: str | None = None) -> str:
        [vector] = self.db.embedding_function.embed_documents([text])  # type: ignore[union-attr]
        with change_lock(type(self)):
            if memory_id is not None:
                self.db.delete([memory_id])
            return self.insert(text, metadata, memory_id=memory_id, vector=vector)

    def _append(self, document: Document, vector: Sequence[float]) -> None:
        """Add a document as `add_embeddings` does, which copies the whole docstore each time."""
        self.db.index.add(np.asarray([vector], dtype=np.float32))
        self.db.get_all_docs()[str(document.id)] = document
        self.db.index_to_docstore_id[len(self.db.index_to_docstore_id)] = str(document.id)

    def keep(self, rows: Iterable[tuple[Row, Any]]) -> None:
        """Append memories to a file of lines, each as its line of a backup with its vector, safe from a kill."""
        self._unsaved.append(
            {**row, "vector": base64.b64encode(np.asarray(vector, dtype=_VECTOR).tobytes()).decode()}
            for row, vector in rows
        )

    def _recover(self, rows: Iterable[Row]) -> list[str]:
        """Store the memories of these lines, the last line of each; return their ids."""
        latest = {str(row["id"]): row for row in rows}
        for memory_id, row in latest.items():
            document = self.db.get_all_docs().get(memory_id)
            if document is not None and document.page_content == row["text"]:
                document.metadata = row["metadata"]
                continue
            if document is not None:
                self.db.delete([memory_id])
            vector = np.frombuffer(base64.b64decode(row["vector"]), dtype=_VECTOR)
            self.insert(row["text"], row["metadata"], memory_id=memory_id, vector=vector.tolist())
        return [*latest]

    def save(self) -> None:
        """Write the index, as the host does after every insert."""
        self._save_db()

    def close(self) -> None:
        """Close the folder in this process; unsaved changes are lost, as after a crash."""
        EmbeddedMemory.index.pop(self.memory_subdir, None)

    def _save_db(self) -> None:
        """Write the index to a staging folder, rename that in one step, and move both files to their places.

        The file of unsaved lines is then deleted.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        staging = self.folder / files.STAGING
        self.db.save_local(str(staging), index_name=_INDEX_NAME)
        for path in staging.iterdir():
            with files.synchronised(path):
                pass
        staging.replace(self.folder / _WHOLE)
        _finish_save(self.folder)
        self._unsaved.path.unlink(missing_ok=True)


def _finish_save(folder: Path) -> None:
    """Move the remaining files of a complete save to their places."""
    whole = folder / _WHOLE
    if not whole.exists():
        return
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            (whole / f"{_INDEX_NAME}{suffix}").replace(folder / f"{_INDEX_NAME}{suffix}")
    with contextlib.suppress(FileNotFoundError):
        whole.rmdir()


def has_store(folder: Path) -> bool:
    """Whether an index has been saved in `folder`, by its docstore, the last of the two files."""
    return (folder / f"{_INDEX_NAME}.pkl").exists()


def _load(folder: Path, embedder: Any, *, may_disagree: bool) -> EmbeddedFaiss:
    shape: dict[str, Any] = {
        "distance_strategy": DistanceStrategy.COSINE,
        "relevance_score_fn": lambda product: max(0.0, min(1.0, (1.0 + product) / 2.0)),
    }
    _finish_save(folder)
    dimension = len(embedder.embed_query("the length of a vector"))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Normalizing L2 is not applicable")
        if has_store(folder):
            loaded = _load_saved(folder, embedder, dimension, shape)
            if not may_disagree:
                _settle_lengths(folder, loaded)
            return loaded
        return EmbeddedFaiss(
            embedding_function=embedder,
            index=faiss.IndexFlatIP(dimension),
            docstore=InMemoryDocstore(),
            index_to_docstore_id={},
            **shape,
        )


def _load_saved(folder: Path, embedder: Any, dimension: int, shape: dict[str, Any]) -> EmbeddedFaiss:
    positions, documents = read_docstore(folder)
    index = read_index(folder)
    if index.d != dimension:
        raise StoreError(
            f"{folder} holds vectors of {index.d} numbers; allowed: {dimension}, as the embedding model makes"
        )
    return EmbeddedFaiss(embedder, index, as_langchain(documents), positions, **shape)


def _settle_lengths(folder: Path, loaded: Any) -> None:
    documents, vectors = len(loaded.index_to_docstore_id), loaded.index.ntotal
    if vectors < documents:
        raise StoreError(f"{folder} holds {vectors} vectors for {documents} memories; allowed: one for each")
    if vectors > documents:
        # A kill between the two files of a save left the vectors of memories that were never saved, at the end.
        loaded.index.remove_ids(faiss.IDSelectorRange(documents, vectors))
