"""The memory core over a real FAISS (contract section 4).

The index is `IndexFlatIP` with langchain's own search: with a filter it looks at the 20 nearest only.
Nothing is locked and saving is not atomic, as in the host.
"""

import hashlib
import json
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from . import config, knowledge, matching, paths
from .classes import copy_class
from .embedder import CachedEmbedder, LiteLLMEmbeddingWrapper
from .generations import AREAS
from .langchain import FAISS, DistanceStrategy, Document, InMemoryDocstore, faiss

if TYPE_CHECKING:
    from .process import Process

_BATCH = 100


class MyFaiss(FAISS):  # type: ignore[misc]
    """The host's vector store. `machine` is set by whoever makes one."""

    machine: Any = None

    def get_by_ids(self, ids: Any, /) -> list[Document]:
        """Return the live documents of a list of ids, or of one id; unknown ids are skipped."""
        wanted = ids if isinstance(ids, list) else [ids]
        return [self.docstore._dict[id_] for id_ in wanted if id_ in self.docstore._dict]

    async def aget_by_ids(self, ids: Any, /) -> list[Document]:
        return self.get_by_ids(ids)

    def get_all_docs(self) -> dict[str, Document]:
        """Return the live dict from id to document."""
        return self.docstore._dict

    def save_local(self, folder_path: str, index_name: str = "index") -> None:
        super().save_local(folder_path, index_name)
        self.machine.record_save(Path(folder_path))


def _index_digest(folder: Path) -> str:
    return hashlib.sha256((folder / "index.faiss").read_bytes()).hexdigest()


def _matches_hash(folder: Path) -> bool:
    """A store without a hash file passes."""
    stored = folder / "index.faiss.sha256"
    return not stored.exists() or stored.read_text().strip() == _index_digest(folder)


class Memory:
    """A view of one store, A. `index` holds the stores of the process, by memory subdirectory."""

    process: ClassVar["Process"]
    Area: ClassVar[type[Enum]]
    index: ClassVar[dict[str, MyFaiss]]

    def __init__(self, db: MyFaiss, memory_subdir: str) -> None:
        self.db = db
        self.memory_subdir = memory_subdir

    @staticmethod
    async def get(agent: Any) -> Any:
        """Return the store of an agent; the first call loads it and imports knowledge."""
        subdir = config.memory_subdir(Memory.process.machine, agent)
        if Memory.index.get(subdir) is None:
            log_item = agent.context.log.log(type="util", heading=f"Initializing VectorDB in '/{subdir}'")
            Memory.index[subdir], _created = Memory.initialize(log_item, None, subdir)
            await Memory(Memory.index[subdir], subdir)._import_knowledge(agent.config.knowledge_subdirs)
        return Memory(Memory.index[subdir], subdir)

    @staticmethod
    async def get_by_subdir(memory_subdir: str, log_item: Any = None, preload_knowledge: bool = True) -> Any:
        """Return a store without an agent; it becomes visible to others only after the import."""
        if not Memory.index.get(memory_subdir):
            db, _created = Memory.initialize(log_item, None, memory_subdir)
            if preload_knowledge:
                await Memory(db, memory_subdir)._import_knowledge(["default", "custom"])
            Memory.index[memory_subdir] = db
        return Memory(Memory.index[memory_subdir], memory_subdir)

    @staticmethod
    async def reload(agent: Any) -> Any:
        """Drop the agent's store and load it from disk; others keep writing to the orphan."""
        Memory.index.pop(config.memory_subdir(Memory.process.machine, agent), None)
        return await Memory.get(agent)

    @staticmethod
    def initialize(
        log_item: Any, model_config: Any, memory_subdir: str, in_memory: bool = False
    ) -> tuple[MyFaiss, bool]:
        """Load a store, or make an empty one; blocking. A new embedding model re-embeds every document."""
        machine = Memory.process.machine
        folder = Path(paths.memory_folder(machine, memory_subdir))
        folder.mkdir(parents=True, exist_ok=True)
        embedder = CachedEmbedder(
            LiteLLMEmbeddingWrapper(machine.embedder), machine.document_vectors.setdefault(machine.embedder.name, {})
        )
        old = Memory._load(folder, embedder)
        if old is not None and Memory._knows_embedder(folder):
            return old, False
        db = MyFaiss(
            embedder,
            faiss.IndexFlatIP(len(embedder.embed_query("example"))),
            InMemoryDocstore(),
            {},
            relevance_score_fn=Memory._cosine_normalizer,
            distance_strategy=DistanceStrategy.COSINE,
        )
        db.machine = machine
        if old is not None and (docs := old.get_all_docs()):
            db.add_documents(documents=list(docs.values()), ids=list(docs))
        Memory._save_db_file(db, memory_subdir)
        written = {"model_provider": machine.embedder.provider, "model_name": machine.embedder.name}
        (folder / "embedding.json").write_text(json.dumps(written))
        return db, True

    @staticmethod
    def _load(folder: Path, embedder: CachedEmbedder) -> MyFaiss | None:
        """Return what is on disk. A hash that does not match means: nothing (v1.8 on)."""
        if not (folder / "index.faiss").exists():
            return None
        if Memory.process.traits.has_index_hash and not _matches_hash(folder):
            return None
        db = MyFaiss.load_local(
            str(folder),
            embedder,
            allow_dangerous_deserialization=True,
            relevance_score_fn=Memory._cosine_normalizer,
            distance_strategy=DistanceStrategy.COSINE,
        )
        db.machine = Memory.process.machine
        return db

    @staticmethod
    def _knows_embedder(folder: Path) -> bool:
        path = folder / "embedding.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        model = Memory.process.machine.embedder
        return (known.get("model_provider"), known.get("model_name")) == (model.provider, model.name)

    async def _import_knowledge(self, knowledge_subdirs: list[str]) -> None:
        if self.memory_subdir.startswith("projects/"):  # grows the caller's list, as in the host
            name = self.memory_subdir.removeprefix("projects/")
            knowledge_subdirs.append(paths.project_meta(self.process.machine, name, "knowledge"))
        await knowledge.preload(self, knowledge_subdirs)

    async def search_similarity_threshold(
        self, query: str, limit: int, threshold: float, filter: str = ""
    ) -> list[Document]:
        return await self._search(query, limit, threshold, filter)

    async def _search(self, query: str, limit: int, threshold: float, filter: str) -> list[Document]:
        return await self.db.asearch(
            query,
            search_type="similarity_score_threshold",
            k=limit,
            score_threshold=threshold,
            filter=matching.comparator(filter) if filter else None,
        )

    async def delete_documents_by_ids(self, ids: list[str]) -> list[Document]:
        """Delete what exists; save only if something was deleted."""
        docs = await self.db.aget_by_ids(ids)
        return await self._delete(docs)

    async def delete_documents_by_query(self, query: str, threshold: float, filter: str = "") -> list[Document]:
        removed = await self._delete_similar(query, threshold, filter)
        if removed:
            self._save_db()
        return removed

    async def _delete(self, docs: list[Document]) -> list[Document]:
        if docs:
            await self.db.adelete(ids=[doc.metadata["id"] for doc in docs])
            self._save_db()
        return docs

    async def _delete_similar(self, query: str, threshold: float, filter: str) -> list[Document]:
        removed: list[Document] = []
        while True:
            docs = await self.search_similarity_threshold(query, limit=_BATCH, threshold=threshold, filter=filter)
            if docs:
                await self.db.adelete(ids=[doc.metadata["id"] for doc in docs])
            removed += docs
            if len(docs) < _BATCH:
                return removed

    async def insert_text(self, text: str, metadata: dict[str, Any] | None = None) -> str:
        ids = await self.insert_documents([Document(page_content=text, metadata=metadata or {})])
        return ids[0]

    async def insert_documents(self, docs: list[Document]) -> list[str]:
        """Insert under new ids; `id` and `timestamp` are always overwritten, an empty `area` becomes main."""
        ids = [self.process.machine.new_id() for _ in docs]
        timestamp = self.process.machine.timestamp()
        for doc, id_ in zip(docs, ids, strict=True):
            doc.metadata |= {"id": id_, "timestamp": timestamp}
            doc.metadata["area"] = doc.metadata.get("area") or "main"
        if ids:
            await self.db.aadd_documents(documents=docs, ids=ids)
            self._save_db()
        return ids

    async def update_documents(self, docs: list[Document]) -> list[str]:
        """Delete and add again; between the two the documents are gone, after an error for good."""
        ids = [doc.metadata["id"] for doc in docs]
        await self.db.adelete(ids=ids)
        added = await self.db.aadd_documents(documents=docs, ids=ids)
        self._save_db()
        return added

    def _save_db(self) -> None:
        Memory._save_db_file(self.db, self.memory_subdir)

    @staticmethod
    def _save_db_file(db: MyFaiss, memory_subdir: str) -> None:
        folder = Path(paths.memory_folder(Memory.process.machine, memory_subdir))
        db.save_local(str(folder))
        if Memory.process.traits.has_index_hash:
            (folder / "index.faiss.sha256").write_text(_index_digest(folder))

    @staticmethod
    def _cosine_normalizer(val: Any) -> Any:
        """Map an inner product to 0..1; numpy's type unless it was clipped, then an int."""
        return max(0, min(1, (1 + val) / 2))

    @staticmethod
    def format_docs_plain(docs: list[Document]) -> list[str]:
        """Return every metadata key and value, then the content."""
        return [
            "".join(f"{key}: {value}\n" for key, value in doc.metadata.items()) + f"Content: {doc.page_content}"
            for doc in docs
        ]


class MemoryWithCascade(Memory):
    """B and C: exact deletion and cascade."""

    async def delete_documents_by_ids(
        self, ids: list[str], *, cascade: bool = False, filter: str = ""
    ) -> list[Document]:
        """Delete what exists; with `cascade` also what refers to one of `ids`, even if that one is long gone."""
        docs = await self.db.aget_by_ids(ids)
        if cascade:
            docs = docs + self._find_related_docs_by_ids({*ids, *(doc.metadata["id"] for doc in docs)})
        return await self._delete(docs)

    async def delete_documents_by_query(
        self, query: str, threshold: float, filter: str = "", *, include_exact: bool = False, cascade: bool = False
    ) -> list[Document]:
        """Delete what a search finds, then what holds the query literally, then what refers to the deleted."""
        removed = await self._delete_similar(query, threshold, filter)
        if include_exact:
            found = {doc.metadata["id"] for doc in removed}
            removed += await self._drop(self._find_exact_query_docs(query, filter, found))
        if cascade and removed:
            found = {doc.metadata["id"] for doc in removed}
            removed += await self._drop(self._find_related_docs_by_ids(found))
        if removed:
            self._save_db()
        return removed

    async def _drop(self, docs: list[Document]) -> list[Document]:
        if docs:
            await self.db.adelete(ids=[doc.metadata["id"] for doc in docs])
        return docs

    def _find_exact_query_docs(self, query: str, filter: str, skip_ids: set[str]) -> list[Document]:
        matches = matching.comparator(filter) if filter else lambda metadata: True
        docs = [doc for doc in self.db.get_all_docs().values() if doc.metadata.get("id") not in skip_ids]
        return [doc for doc in docs if matches(doc.metadata) and matching.holds_exactly(doc, query)]

    def _find_related_docs_by_ids(self, ids: set[str], filter: str = "") -> list[Document]:
        """One step only: what refers to the documents found here stays."""
        matches = matching.comparator(filter) if filter else lambda metadata: True
        docs = [doc for doc in self.db.get_all_docs().values() if doc.metadata.get("id") not in ids]
        return [doc for doc in docs if matches(doc.metadata) and matching.refers_to(doc.metadata, ids)]


class MemoryWithEmbeddings(MemoryWithCascade):
    """C+: a query can be embedded once and used twice; scores are plain floats."""

    async def embed_query(self, query: str) -> list[float]:
        return await self.db.embedding_function.aembed_query(query)

    async def search_similarity_threshold(
        self, query: str, limit: int, threshold: float, filter: str = "", embedding: list[float] | None = None
    ) -> list[Document]:
        """Return documents without their scores; `embedding` saves the model call."""
        if embedding is None:
            return await self._search(query, limit, threshold, filter)
        matches = matching.comparator(filter) if filter else None
        found = await self.db.asimilarity_search_with_score_by_vector(embedding, k=limit, filter=matches)
        return [doc for doc, score in found if self._cosine_normalizer(score) >= threshold]

    @staticmethod
    def _cosine_normalizer(val: Any) -> float:
        return float(max(0, min(1, (1 + val) / 2)))


def make_memory_classes(process: "Process") -> tuple[Any, type[MyFaiss]]:
    """Return new classes Memory (with an empty index) and MyFaiss, as every import of the module makes them."""
    template = Memory
    if process.traits.deletes_derived:
        template = MemoryWithEmbeddings if process.traits.accepts_embedding else MemoryWithCascade
    module = process.traits.memory_module
    members = [(area.upper(), area) for area in AREAS]
    area_enum = Enum("Area", members, module=module, qualname="Memory.Area")  # type: ignore[misc]
    store = type("MyFaiss", (MyFaiss,), {"__module__": module})
    attributes = {"process": process, "Area": area_enum, "index": {}}
    return copy_class(template, module, "Memory", scope={"MyFaiss": store}, **attributes), store
