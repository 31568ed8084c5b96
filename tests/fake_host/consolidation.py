"""How the host decides what a new memory does to similar ones (contract section 5, `process_new_memory`).

The point for a pack: metadata of removed memories is copied *shallowly* into the new ones, older values win
over the fresh lineage keys, and the model's own keys win over everything.
"""

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .langchain import Document
from .script import SYSTEM_PROMPTS, consolidation_case

if TYPE_CHECKING:
    from .process import Process

_SIMILARITY = "_consolidation_similarity"
_TIMEOUT_SECONDS = 60
_ACTIONS = ("merge", "replace", "keep_separate", "update", "skip")

Metadata = dict[str, Any]


@dataclass
class Decision:
    action: str
    remove: list[str] = field(default_factory=list)
    update: list[dict[str, Any]] = field(default_factory=list)
    content: str = ""
    metadata: Metadata = field(default_factory=dict)


class MemoryConsolidator:
    """Puts one new memory into the store, among similar ones."""

    def __init__(
        self,
        agent: Any,
        similarity_threshold: float = 0.7,
        max_similar_memories: int = 10,
        max_llm_context_memories: int = 5,
    ) -> None:
        self.agent = agent
        self.threshold = similarity_threshold
        self.max_similar = max_similar_memories
        self.max_shown = max_llm_context_memories
        self.process: Process = agent.process

    async def process_new_memory(
        self, new_memory: str, area: str, metadata: Metadata, log_item: Any = None
    ) -> dict[str, Any]:
        """Insert `new_memory`; after a timeout or an error it is lost, and only `success` says so."""
        try:
            work = self._place(new_memory, area, metadata)
            ids = await asyncio.wait_for(work, _TIMEOUT_SECONDS)
        except Exception as error:  # noqa: BLE001 - the host prints and drops the memory
            self.process.observed.printed.append(f"Memory consolidation error for area {area}: {error}")
            ids = []
        return {"success": bool(ids), "memory_ids": ids}

    async def _place(self, new: str, area: str, metadata: Metadata) -> list[str]:
        db = await self.process.memory().Memory.get(self.agent)
        similar = await self._find_similar(db, new, area)
        still_there = {doc.metadata["id"] for doc in db.db.get_by_ids([d.metadata["id"] for d in similar])}
        similar = [doc for doc in similar if doc.metadata["id"] in still_there]
        if not similar:
            return [await db.insert_text(new, metadata)]
        decision = await self._ask(new, area, metadata, similar)
        if decision.action == "skip":
            return [await db.insert_text(new, metadata)]
        return await _Change(self.process, db, area, decision).apply(metadata)

    async def _find_similar(self, db: Any, new: str, area: str) -> list[Document]:
        queries = await self._keywords(new)
        searches = [(new, self.max_similar)]
        searches += [(q.strip(), max(3, self.max_similar // max(1, len(queries)))) for q in queries if q.strip()]
        if self.process.traits.real_consolidation_scores:
            found = await self._search_scored(db, searches, area)
        else:
            found = await self._search_ranked(db, searches, area)
        return found[: self.max_shown]

    async def _search_ranked(self, db: Any, searches: list[tuple[str, int]], area: str) -> list[Document]:
        """Up to v1.7: a made-up score by rank, never below the threshold of a replacement."""
        unique: dict[str, Document] = {}
        for query, limit in searches:
            for doc in await db.search_similarity_threshold(
                query=query, limit=limit, threshold=self.threshold, filter=f"area == '{area}'"
            ):
                unique.setdefault(doc.metadata["id"], doc)
        floor = self.process.traits.replace_threshold
        for rank, doc in enumerate(unique.values()):
            share = 1.0 if len(unique) == 1 else 1.0 - rank / (len(unique) - 1)
            doc.metadata[_SIMILARITY] = max(floor + (1.0 - floor) * share, self.threshold)
        return list(unique.values())

    async def _search_scored(self, db: Any, searches: list[tuple[str, int]], area: str) -> list[Document]:
        """From v1.8: the real score; the one of the last search that found a document stays in it."""
        unique: dict[str, Document] = {}
        for query, limit in searches:
            for doc, score in await db.search_similarity_threshold_with_scores(
                query=query, limit=limit, threshold=self.threshold, filter=f"area == '{area}'"
            ):
                doc.metadata[_SIMILARITY] = score
                unique.setdefault(doc.metadata["id"], doc)
        return sorted(unique.values(), key=lambda doc: doc.metadata[_SIMILARITY], reverse=True)

    async def _keywords(self, new: str) -> list[str]:
        try:
            answer = await self.agent.call_utility_model(
                system=self.agent.read_prompt(SYSTEM_PROMPTS["keywords"]),
                message=self.agent.read_prompt("memory.keyword_extraction.msg.md", memory_content=new),
                background=True,
            )
            keywords = json.loads(answer)
        except Exception:  # noqa: BLE001 - the host falls back to the beginning of the text
            return [new[:200].strip()]
        if isinstance(keywords, str):
            return [keywords]
        return [str(keyword) for keyword in keywords if keyword] if isinstance(keywords, list) else []

    async def _ask(self, new: str, area: str, metadata: Metadata, similar: list[Document]) -> Decision:
        """Ask the model; an answer that cannot be read means skip."""
        shown = "\n\n".join(
            f"ID: {doc.metadata['id']}\nTimestamp: {doc.metadata.get('timestamp')}\nContent: {doc.page_content}"
            for doc in similar
        )
        token = consolidation_case.set((new, similar))
        try:
            answer = await self.agent.call_utility_model(
                system=self.agent.read_prompt(SYSTEM_PROMPTS["consolidation"]),
                message=self.agent.read_prompt(
                    "memory.consolidation.msg.md",
                    new_memory=new,
                    similar_memories=shown,
                    area=area,
                    new_memory_metadata=json.dumps(metadata),
                ),
                background=True,
            )
            return _read(json.loads(answer), new)
        except Exception as error:  # noqa: BLE001 - the host prints and skips
            self.process.observed.printed.append(f"LLM consolidation analysis failed: {error}")
            return Decision("skip")
        finally:
            consolidation_case.reset(token)


def _read(answer: dict[str, Any], new: str) -> Decision:
    action = str(answer.get("action", "skip")).lower()
    if action not in _ACTIONS:
        action = "skip"
    fallback = "" if action in ("merge", "replace") else new
    return Decision(
        action=action,
        remove=answer.get("memories_to_remove", []),
        update=answer.get("memories_to_update", []),
        content=answer.get("new_memory_content", fallback),
        metadata=answer.get("metadata", {}),
    )


class _Change:
    """One decision, applied to the store."""

    def __init__(self, process: "Process", db: Any, area: str, decision: Decision) -> None:
        self.process = process
        self.db = db
        self.area = area
        self.decision = decision
        self.gathered: Metadata = {}

    async def apply(self, metadata: Metadata) -> list[str]:
        """Carry out the action; deletions come before insertions."""
        try:
            self.gathered = await self._gather(metadata)
            return await getattr(self, f"_{self.decision.action}")()
        except Exception as error:  # noqa: BLE001 - the host prints and reports failure
            self.process.observed.printed.append(f"Failed to apply consolidation result: {error}")
            return []

    async def _gather(self, metadata: Metadata) -> Metadata:
        """Add every key of the involved memories that the new one lacks; nested values stay shared."""
        gathered = dict(metadata)
        ids = [*self.decision.remove, *(item["id"] for item in self.decision.update if item.get("id"))]
        for doc in await self.db.db.aget_by_ids(ids) if ids else []:
            for key, value in doc.metadata.items():
                if key not in gathered:
                    gathered[key] = value
                elif key == "tags" and isinstance(value, list) and isinstance(gathered[key], list):
                    gathered[key] = list(set(gathered[key] + value))
        return gathered

    async def _insert(self, content: str, fresh: Metadata, from_model: Metadata) -> list[str]:
        """Insert with fresh keys, then gathered ones, then the model's; the later wins."""
        if not content:
            return []
        metadata = {"area": self.area, "timestamp": self.process.machine.timestamp()}
        metadata |= {"consolidation_action": self.decision.action, **fresh, **self.gathered, **from_model}
        return [await self.db.insert_text(content, metadata)]

    async def _keep_separate(self) -> list[str]:
        return await self._insert(self.decision.content, {}, self.decision.metadata)

    async def _merge(self) -> list[str]:
        remove = self.decision.remove
        if remove:
            await self.db.delete_documents_by_ids(remove)
        return await self._insert(self.decision.content, {"consolidated_from": remove}, self.decision.metadata)

    async def _replace(self) -> list[str]:
        remove, threshold = self.decision.remove, self.process.traits.replace_threshold
        docs = await self.db.db.aget_by_ids(remove)
        if any(doc.metadata.get(_SIMILARITY, 0.7) < threshold for doc in docs):
            why = f"Similarity below threshold {threshold}"
            safety = {"consolidation_action": "keep_separate_safety", "original_action": "replace"}
            return await self._insert(self.decision.content, {**safety, "safety_reason": why}, self.decision.metadata)
        if remove:
            await self.db.delete_documents_by_ids(remove)
        return await self._insert(self.decision.content, {"replaced_memories": remove}, self.decision.metadata)

    async def _update(self) -> list[str]:
        ids: list[str] = []
        for item in self.decision.update:
            old_id, content = item.get("id"), item.get("new_content", "")
            if not old_id or not content or not await self.db.db.aget_by_ids([old_id]):
                continue
            await self.db.delete_documents_by_ids([old_id])
            ids += await self._insert(content, {"updated_from": old_id}, item.get("metadata", {}))
        if self.process.traits.update_always_inserts or not ids:
            ids += await self._insert(self.decision.content, {}, self.decision.metadata)
        return ids


def create_memory_consolidator(agent: Any, **limits: Any) -> MemoryConsolidator:
    """Return a consolidator; keywords are those of its constructor."""
    return MemoryConsolidator(agent, **limits)
