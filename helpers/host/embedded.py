"""A memory folder without Agent Zero: the same FAISS docstore, for the demo, the benchmarks and the terminal.

It has what the store needs of the host's `Memory` and nothing more; the pack's code cannot tell the two apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

import faiss
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_community.vectorstores import FAISS
from langchain_community.vectorstores.utils import DistanceStrategy

from ..clock import Clock, format_time

_INDEX_NAME = "index"


def _to_relevance(product: float) -> float:
    """Return an inner product on the host's scale, 0..1."""
    return max(0.0, min(1.0, (1.0 + product) / 2.0))


class EmbeddedFaiss(FAISS):
    """langchain's FAISS with the host's way to all documents."""

    def get_all_docs(self) -> dict[str, Any]:
        """Return the live documents by id, in insertion order."""
        docstore: Any = self.docstore
        documents: dict[str, Any] = docstore._dict
        return documents


class EmbeddedMemory:
    """One memory folder on disk."""

    index: ClassVar[dict[str, EmbeddedFaiss]] = {}

    def __init__(self, folder: Path, embedder: Any, *, clock: Clock, make_id: Callable[[], str]) -> None:
        self.folder = folder
        self.memory_subdir = str(folder)
        self._clock = clock
        self._make_id = make_id
        self.db = _load(folder, embedder)
        EmbeddedMemory.index[self.memory_subdir] = self.db

    def insert(self, text: str, metadata: Mapping[str, Any] | None = None) -> str:
        """Store `text` as the host does: new id, present time, area `main` unless given; return the id."""
        memory_id = self._make_id()
        full = {"area": "main", **(metadata or {}), "id": memory_id}
        full.setdefault("timestamp", format_time(self._clock()))
        self.db.add_texts([text], metadatas=[full], ids=[memory_id])
        return memory_id

    def save(self) -> None:
        """Write the index, as the host does after every insert."""
        self._save_db()

    def close(self) -> None:
        """Forget the folder in this process; what was not saved is gone, as after a crash."""
        EmbeddedMemory.index.pop(self.memory_subdir, None)

    def _save_db(self) -> None:
        """Write the index beside its place, then move both files there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        staging = self.folder / ".saving"
        self.db.save_local(str(staging), index_name=_INDEX_NAME)
        for suffix in (".faiss", ".pkl"):
            (staging / f"{_INDEX_NAME}{suffix}").replace(self.folder / f"{_INDEX_NAME}{suffix}")
        staging.rmdir()


def _load(folder: Path, embedder: Any) -> EmbeddedFaiss:
    shape: dict[str, Any] = {
        "distance_strategy": DistanceStrategy.COSINE,
        "relevance_score_fn": _to_relevance,
    }
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Normalizing L2 is not applicable")
        if (folder / f"{_INDEX_NAME}.faiss").exists():
            loaded: Any = EmbeddedFaiss.load_local(
                str(folder), embedder, index_name=_INDEX_NAME, allow_dangerous_deserialization=True, **shape
            )
            return cast(EmbeddedFaiss, loaded)
        return EmbeddedFaiss(
            embedding_function=embedder,
            index=faiss.IndexFlatIP(len(embedder.embed_query("the length of a vector"))),
            docstore=InMemoryDocstore(),
            index_to_docstore_id={},
            **shape,
        )
