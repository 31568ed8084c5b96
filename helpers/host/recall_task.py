"""Take over the host's recall: what reaches the prompt is chosen here (T-02; contract, section 6).

The host keeps its search as a task under an agent-data key and awaits it later. Where its search is a plain one the
task is cancelled before it has begun, and ours takes its place; where the host lets a model write the query or filter
the result, ours runs after it. A recall that fails or takes too long costs the turn its memories and nothing else.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..recall.select import Selection, join_texts
from ..settings import RecallMode, Settings
from .extension import report_failure
from .index import Vector
from .injection import Injection, remember_injection, set_sections
from .messages import user_text
from .recall import RecallLimits
from .recall import recall as search
from .session import Session
from .upkeep import adopt_what_is_new, publish_health
from .view import current_view

TASK_KEY = "_recall_memories_task"
RESULT_KEY = "_recall_memories_result"
SCOPE_KEY = "_recall_memories_result_scope"
OUR_TASK_KEY = "_memory_ledger_recall_task"
EXPLANATION_KEY = "_memory_ledger_last_recall"

_RECALL_MODULE = "plugins._memory.extensions.python.message_loop_prompts_after._50_recall_memories"
_HOST_LIMITS = RecallLimits()
_LIMIT_KEYS = {
    "threshold": "memory_recall_similarity_threshold",
    "searched_memories": "memory_recall_memories_max_search",
    "searched_solutions": "memory_recall_solutions_max_search",
    "solutions": "memory_recall_solutions_max_result",
}


def take_over(session: Session, loop_data: Any) -> bool:
    """Put our recall in the place of the host's pending one; False if there is none, or it is ours already."""
    agent = session.agent
    task = agent.get_data(TASK_KEY)
    if task is None or task is agent.data.get(OUR_TASK_KEY) or task.done():
        return False
    arguments = _arguments_before_start(task)
    config = session.memory_settings
    uses_model = config.get("memory_recall_query_prep") or config.get("memory_recall_post_filter")
    recall: Coroutine[Any, Any, Mapping[str, str] | None]
    if arguments is None or uses_model or session.settings.recall_mode is RecallMode.WRAP:
        recall = _after_host(task, session, loop_data, config)
    else:
        _discard(task)
        recall = _instead_of_host(session, loop_data, config, arguments)
    ours = asyncio.create_task(recall)
    agent.data[OUR_TASK_KEY] = ours
    agent.set_data(TASK_KEY, ours)
    return True


async def _instead_of_host(
    session: Session, loop_data: Any, config: Mapping[str, Any], arguments: Mapping[str, Any]
) -> Mapping[str, str] | None:
    found = await _recall_safely(session, loop_data, config, arguments.get("log_item"))
    if "recall_scope" not in arguments:
        set_sections(loop_data, found)
        return None
    scope = arguments["recall_scope"]
    if _present_scope(session.agent, scope) != scope:
        found = {}
        session.agent.set_data(RESULT_KEY, None)
        session.agent.set_data(SCOPE_KEY, None)
    else:
        session.agent.set_data(RESULT_KEY, found)
        session.agent.set_data(SCOPE_KEY, scope)
    return found


async def _after_host(
    task: Any, session: Session, loop_data: Any, config: Mapping[str, Any]
) -> Mapping[str, str] | None:
    """Await the host's own recall, then replace what it found; its failure is reported and no longer ends the turn."""
    try:
        theirs = await task
    except Exception as exc:  # noqa: BLE001 - the host's search may fail in any way; the turn must go on
        report_failure(session.agent, "the host's recall", exc)
        theirs = None
    found = await _recall_safely(session, loop_data, config, None)
    if not isinstance(theirs, dict):
        set_sections(loop_data, found)
        return None
    if session.agent.get_data(RESULT_KEY) is theirs:
        session.agent.set_data(RESULT_KEY, found)
    return found


async def _recall_safely(
    session: Session, loop_data: Any, config: Mapping[str, Any], log_item: Any
) -> Mapping[str, str]:
    """Return the rendered sections; nothing at all if the recall fails, takes too long, or comes too late.

    It comes too late if the host works in another folder by now (T-06).
    """
    agent, injection = session.agent, Injection(store=session.folder.store)
    try:
        found = await asyncio.wait_for(
            _recall(session, loop_data, config, log_item), timeout=session.settings.recall_timeout_seconds
        )
        if current_view(agent).memory_subdir == session.folder.store.memory_subdir:
            injection = found
    except Exception as exc:  # noqa: BLE001 - see the module's last sentence
        report_failure(agent, "recall", exc)
    remember_injection(agent, loop_data, injection)
    return injection.sections


async def _recall(session: Session, loop_data: Any, config: Mapping[str, Any], log_item: Any) -> Injection:
    query = user_text(loop_data.user_message).strip()
    if not query:
        return Injection(store=session.folder.store)
    await adopt_what_is_new(session)
    publish_health(session)
    vector = await session.folder.store.db.embedding_function.aembed_query(query)
    limits = _limits(session.settings, config)
    selection = await asyncio.to_thread(_search, session, np.asarray(vector, dtype=np.float32), limits)
    session.agent.data[EXPLANATION_KEY] = explain(query, selection)
    found = {"memories": selection.memories, "solutions": selection.solutions}
    texts = {key: join_texts(chosen) for key, chosen in found.items() if chosen}
    _tell_log(log_item, selection, texts)
    return Injection(
        store=session.folder.store,
        sections={key: session.agent.parse_prompt(_template(key), **{key: text}) for key, text in texts.items()},
        ids={key: tuple(one.memory.id for one in found[key]) for key in texts},
    )


def _template(section: str) -> str:
    return f"agent.system.{section}.md"


def _search(session: Session, vector: Vector, limits: RecallLimits) -> Selection:
    """Choose what may enter the prompt; in a worker thread, since a save of the index may hold the lock."""
    folder = session.folder
    selection = search(
        folder.store, vector, limits, allowed=session.allowed_domains, role_domains=folder.roles.domains_of
    )
    folder.store.count_recall(())
    return selection


def _limits(settings: Settings, config: Mapping[str, Any]) -> RecallLimits:
    """Return the host's own limits under the pack's cap; a key that the host's configuration lacks has its default."""
    given = {name: config[key] for name, key in _LIMIT_KEYS.items() if config.get(key) is not None}
    found = {name: type(getattr(_HOST_LIMITS, name))(value) for name, value in given.items()}
    return replace(_HOST_LIMITS, injected=settings.max_injected_memories, **found)


def explain(query: str, selection: Selection) -> dict[str, Any]:
    """Return, for the last recall, every candidate with its similarity and what became of it."""
    chosen = [(one, "injected") for one in (*selection.memories, *selection.solutions)]
    return {
        "query": query,
        "candidates": [
            {"id": one.memory.id, "similarity": round(one.similarity, 6), "outcome": outcome}
            for one, outcome in (*chosen, *selection.left_out)
        ],
    }


def _tell_log(log_item: Any, selection: Selection, texts: Mapping[str, str]) -> None:
    if log_item is None:
        return
    found = f"{len(selection.memories)} memories and {len(selection.solutions)} solutions recalled"
    log_item.update(heading=found if selection.ids else "No memory in use fits the message", **_present(texts))


def _present(texts: Mapping[str, str]) -> dict[str, str]:
    return {key: text for key, text in texts.items() if text}


def _arguments_before_start(task: Any) -> dict[str, Any] | None:
    """Return the arguments of a task that has not begun, those of the coroutine it wraps included; None if it has."""
    coroutine = task.get_coro()
    if not _is_unstarted(coroutine):
        return None
    arguments = dict(coroutine.cr_frame.f_locals)
    for inner in [one for one in arguments.values() if _is_unstarted(one)]:
        arguments |= inner.cr_frame.f_locals
    return arguments


def _is_unstarted(value: object) -> bool:
    return inspect.iscoroutine(value) and inspect.getcoroutinestate(value) == inspect.CORO_CREATED


def _discard(task: Any) -> None:
    """Cancel a task that has not begun, and close the coroutine that it would have awaited."""
    inner = [one for one in task.get_coro().cr_frame.f_locals.values() if _is_unstarted(one)]
    task.cancel()
    for one in inner:
        one.close()


def _present_scope(agent: Any, default: Any) -> Any:
    """Return what the newest hosts compare a recall's result with before they use it."""
    module = sys.modules.get(_RECALL_MODULE)
    return module.get_recall_scope(agent) if module is not None else default
