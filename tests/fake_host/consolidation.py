"""How the host decides what a new memory does to similar ones (contract section 5, `process_new_memory`).

The point for a pack: metadata of removed memories is copied *shallowly* into the new ones, older values win
over the fresh lineage keys, and the model's own keys win over everything.
"""

import asyncio
import json
from typing import Any

from .langchain import Document
from .script import SYSTEM_PROMPTS

_SIMILARITY = "_consolidation_similarity"
_TIMEOUT_SECONDS = 60
_THRESHOLD = 0.7
_ACTIONS = ("merge", "replace", "keep_separate", "update")

Metadata = dict[str, Any]


async def process_new_memory(agent: Any, new: str, area: str, *, max_similar: int, max_shown: int) -> None:
    """Put one new memory into the store, among similar ones; after a timeout or an error it is lost."""
    try:
        db = await agent.process.memory().Memory.get(agent)
        await asyncio.wait_for(_place(agent, db, new, area, max_similar, max_shown), _TIMEOUT_SECONDS)
    except Exception:  # noqa: BLE001, S110 - the host prints and drops the memory
        pass


async def _place(agent: Any, db: Any, new: str, area: str, max_similar: int, max_shown: int) -> None:
    similar = await db.search_similarity_threshold(
        query=new, limit=max_similar, threshold=_THRESHOLD, filter=f"area == '{area}'"
    )
    for doc in similar:
        doc.metadata[_SIMILARITY] = 1.0  # in the live document, as in the host
    decision = await _ask(agent, new, area, similar[:max_shown]) if similar else {}
    action = str(decision.get("action", "skip")).lower()
    if action not in _ACTIONS:
        await db.insert_text(new, {"area": area})
    else:
        await _Change(agent.process, db, new, area, action, decision).apply()


async def _ask(agent: Any, new: str, area: str, similar: list[Document]) -> dict[str, Any]:
    """Ask the model; an answer that cannot be read means skip."""
    shown = "\n\n".join(
        f"ID: {doc.metadata['id']}\nTimestamp: {doc.metadata.get('timestamp')}\nContent: {doc.page_content}"
        for doc in similar
    )
    values = {
        "new_memory": new,
        "similar_memories": shown,
        "area": area,
        "new_memory_metadata": f'{{"area": "{area}"}}',
    }
    try:
        answer = await agent.call_utility_model(
            system=agent.read_prompt(SYSTEM_PROMPTS["consolidation"]),
            message=agent.read_prompt("memory.consolidation.msg.md", **values),
            background=True,
        )
        found: dict[str, Any] = json.loads(answer)
        return found
    except Exception:  # noqa: BLE001 - the host prints and skips
        return {}


class _Change:
    """One decision, applied to the store: deletions come before insertions."""

    def __init__(self, process: Any, db: Any, new: str, area: str, action: str, decision: dict[str, Any]) -> None:
        self.process, self.db, self.area, self.action = process, db, area, action
        self.remove: list[str] = decision.get("memories_to_remove", [])
        self.update: list[dict[str, Any]] = decision.get("memories_to_update", [])
        self.content: str = decision.get("new_memory_content", "" if action in ("merge", "replace") else new)
        self.metadata: Metadata = decision.get("metadata", {})
        self.gathered: Metadata = {"area": area}

    async def apply(self) -> None:
        """Carry out the action."""
        await self._gather()
        if self.action == "update":
            await self._update()
            return
        key = {"merge": "consolidated_from", "replace": "replaced_memories"}.get(self.action)
        if key and self.remove:
            await self.db.delete_documents_by_ids(self.remove)
        await self._insert(self.content, {key: self.remove} if key else {}, self.metadata)

    async def _gather(self) -> None:
        """Add every key of the involved memories that the new one lacks; nested values stay shared."""
        ids = [*self.remove, *(item["id"] for item in self.update if item.get("id"))]
        for doc in await self.db.db.aget_by_ids(ids) if ids else []:
            for key, value in doc.metadata.items():
                self.gathered.setdefault(key, value)

    async def _insert(self, content: str, fresh: Metadata, from_model: Metadata) -> None:
        """Insert with fresh keys, then gathered ones, then the model's; the later wins."""
        if content:
            metadata = {"area": self.area, "timestamp": self.process.machine.timestamp()}
            metadata |= {"consolidation_action": self.action, **fresh, **self.gathered, **from_model}
            await self.db.insert_text(content, metadata)

    async def _update(self) -> None:
        is_done = False
        for item in self.update:
            old_id, content = item.get("id"), item.get("new_content", "")
            if old_id and content and await self.db.db.aget_by_ids([old_id]):
                await self.db.delete_documents_by_ids([old_id])
                await self._insert(content, {"updated_from": old_id}, item.get("metadata", {}))
                is_done = True
        if self.process.traits.update_always_inserts or not is_done:
            await self._insert(self.content, {}, self.metadata)
