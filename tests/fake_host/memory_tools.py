"""What the model's own memory tools do (contract section 5, "Tools")."""

from typing import Any

_THRESHOLD = 0.7


async def _open(agent: Any) -> Any:
    return await agent.process.memory().Memory.get(agent)


async def save(agent: Any, text: str = "", area: str = "", **metadata: Any) -> str:
    """Insert directly; whatever else the model names becomes metadata."""
    db = await _open(agent)
    return f"Memory saved as {await db.insert_text(text, {'area': area or 'main', **metadata})}"


async def load(
    agent: Any, query: str = "", threshold: float = _THRESHOLD, limit: int = 10, filter: str = "", **_: Any
) -> str:
    """Show the model every metadata key of what is found."""
    db = await _open(agent)
    docs = await db.search_similarity_threshold(query=query, limit=limit, threshold=threshold, filter=filter)
    return "\n\n".join(type(db).format_docs_plain(docs)) or "No memories found"


async def delete(agent: Any, ids: str = "", **_: Any) -> str:
    """Delete by ids; from v1.14 on with cascade."""
    db = await _open(agent)
    options = {"cascade": True} if agent.process.traits.deletes_derived else {}
    wanted = [id_.strip() for id_ in ids.split(",") if id_.strip()]
    return f"{len(await db.delete_documents_by_ids(wanted, **options))} memories deleted"


async def forget(agent: Any, query: str = "", threshold: float = _THRESHOLD, filter: str = "", **_: Any) -> str:
    """Delete by query; from v1.14 on with exact matches and cascade."""
    db = await _open(agent)
    options = {"include_exact": True, "cascade": True} if agent.process.traits.deletes_derived else {}
    removed = await db.delete_documents_by_query(query=query, threshold=threshold, filter=filter, **options)
    return f"{len(removed)} memories deleted"
