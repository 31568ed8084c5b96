"""The host's own recall, `_50_recall_memories` and `_91_recall_wait`, in its three behaviours (contract section 6).

A1: a bare task writes into the loop data. A2, B, C: the same with a time limit that ends the turn.
C+: the task returns its result, errors stay inside, and `_91` applies the result once.
"""

import asyncio
import json
from typing import TYPE_CHECKING, Any

from . import config
from .script import SYSTEM_PROMPTS

if TYPE_CHECKING:
    from .process import Process

TASK = "_recall_memories_task"
ITERATION = "_recall_memories_iter"
LOOP = "_recall_memories_loop"
RESULT = "_recall_memories_result"
SCOPE = "_recall_memories_result_scope"
SEARCH_TIMEOUT_SECONDS = 30

_KEYS = ("memories", "solutions")
Found = dict[str, list[Any]]


async def start(agent: Any, loop_data: Any) -> None:
    """Stand for `_50`: start a search in iterations 0, interval, 2 * interval ..."""
    settings = config.memory_settings(agent.process.machine, agent)
    if not settings or not settings["memory_recall_enabled"]:
        return
    is_due = loop_data.iteration % settings["memory_recall_interval"] == 0
    if agent.process.traits.recall_returns_result:
        _start_returning(agent, loop_data, is_due)
        return
    task = _new_task(agent, _search_into(agent, loop_data, _announce(agent))) if is_due else None
    agent.set_data(TASK, task)
    agent.set_data(ITERATION, loop_data.iteration)


async def wait(agent: Any, loop_data: Any) -> None:
    """Stand for `_91`: wait for the search, or note that it comes later."""
    settings = config.memory_settings(agent.process.machine, agent)
    if not settings:
        return
    returns = agent.process.traits.recall_returns_result
    task = agent.get_data(TASK)
    if not task or (task.done() and not returns):
        return
    started_now = (agent.get_data(ITERATION) or 0) == loop_data.iteration
    if settings["memory_recall_delayed"] and started_now and not task.done():
        loop_data.extras_temporary["memory_recall_delayed"] = agent.read_prompt("memory.recall_delay_msg.md")
        return
    result = await task
    if returns:
        is_current = agent.get_data(SCOPE) == get_recall_scope(agent)
        apply_recall_result(loop_data, result if is_current else {})
        _forget_result(agent)


def _new_task(agent: Any, search: Any) -> "asyncio.Task[Any]":
    process: Process = agent.process
    if process.traits.recall_times_out and not process.traits.recall_returns_result:
        search = asyncio.wait_for(search, SEARCH_TIMEOUT_SECONDS)
    task = asyncio.create_task(search)
    process.recall_tasks.append(task)
    return task


def _announce(agent: Any) -> Any:
    return agent.context.log.log(type="util", heading="Searching memories...")


async def _search_into(agent: Any, loop_data: Any, log_item: Any) -> None:
    """A1 to C: drop the old texts first, write the new ones as a side effect."""
    for key in _KEYS:
        loop_data.extras_persistent.pop(key, None)
    found = await _search(agent, loop_data, log_item)
    loop_data.extras_persistent.update(_rendered(agent, found))


def _start_returning(agent: Any, loop_data: Any, is_due: bool) -> None:
    """C+: a result that nobody applied yet is applied here; then a new search starts if one is due."""
    cached = agent.get_data(RESULT)
    if cached is not None:
        if agent.get_data(SCOPE) == get_recall_scope(agent):
            apply_recall_result(loop_data, cached)
        else:
            cached = None
        _forget_result(agent)
    if not is_due:
        return
    previous = agent.get_data(TASK)
    if previous and not previous.done():
        if agent.get_data(LOOP) is loop_data:
            return
        previous.cancel()
    if cached is None:
        apply_recall_result(loop_data, {})
    search = _search_and_cache(agent, loop_data, _announce(agent), get_recall_scope(agent))
    agent.set_data(TASK, _new_task(agent, search))
    agent.set_data(ITERATION, loop_data.iteration)
    agent.set_data(LOOP, loop_data)


async def _search_and_cache(agent: Any, loop_data: Any, log_item: Any, recall_scope: tuple[str, ...]) -> dict[str, str]:
    try:
        search = _search(agent, loop_data, log_item)
        result = _rendered(agent, await asyncio.wait_for(search, SEARCH_TIMEOUT_SECONDS))
    except TimeoutError:
        log_item.update(heading="Memory recall timed out")
        result = {}
    except Exception as error:  # noqa: BLE001 - C+ lets no recall error out
        agent.context.log.log(type="warning", heading="Memory recall error", content=str(error))
        result = {}
    if get_recall_scope(agent) != recall_scope:
        _forget_result(agent)
        return {}
    agent.set_data(RESULT, result)
    agent.set_data(SCOPE, recall_scope)
    return result


def get_recall_scope(agent: Any) -> tuple[str, ...]:
    machine = agent.process.machine
    project = agent.context.get_data("project") or "none"
    return (agent.config.profile or "none", project, config.memory_subdir(machine, agent))


def _forget_result(agent: Any) -> None:
    agent.set_data(RESULT, None)
    agent.set_data(SCOPE, None)


def apply_recall_result(loop_data: Any, result: Any) -> None:
    """Replace both texts in the extras; anything but a dict means none."""
    for key in _KEYS:
        loop_data.extras_persistent.pop(key, None)
        if isinstance(result, dict) and result.get(key):
            loop_data.extras_persistent[key] = result[key]


async def _search(agent: Any, loop_data: Any, log_item: Any) -> Found:
    """Return memories and solutions as documents, after the optional steps of the utility model."""
    settings = config.memory_settings(agent.process.machine, agent) or {}
    history = agent.history.output_text()[-settings["memory_recall_history_len"] :]
    message = loop_data.user_message.output_text() if loop_data.user_message else "None"
    query = f"{message}\n\n{history}"
    if settings["memory_recall_query_prep"]:
        query = await _ask_for_query(agent, log_item, message, history)
    if len(query) <= 3:
        log_item.update(query="No relevant memory query generated, skipping search")
        return {}
    _arranged_trouble(agent.process)
    found = await _search_both_areas(agent, settings, query)
    if not any(found.values()):
        log_item.update(heading="No memories or solutions found")
        return {}
    if settings["memory_recall_post_filter"]:
        found = await _ask_for_filter(agent, found, message, history)
    for key in _KEYS:
        found[key] = found[key][: settings[f"memory_recall_{key}_max_result"]]
    counts = f"{len(found['memories'])} memories and {len(found['solutions'])} relevant solutions found"
    log_item.update(heading=counts, **_joined(found))
    return found


async def _ask_for_query(agent: Any, log_item: Any, message: str, history: str) -> str:
    try:
        query = await agent.call_utility_model(
            system=agent.read_prompt(SYSTEM_PROMPTS["query"]),
            message=agent.read_prompt("memory.memories_query.msg.md", history=history, message=message),
        )
    except Exception as error:  # noqa: BLE001 - the host reports and searches nothing
        agent.context.log.log(type=_problem(agent), heading="Recall memories extension error:", content=str(error))
        query = ""
    if not query.strip():
        log_item.update(heading="Failed to generate memory query")
    else:
        log_item.update(query=query.strip())
    return query.strip()


def _arranged_trouble(process: "Process") -> None:
    """Fail here if the test asked for it."""
    error, process.machine.recall_error = process.machine.recall_error, None
    if error is not None:
        raise error


async def _search_both_areas(agent: Any, settings: dict[str, Any], query: str) -> Found:
    db = await agent.process.memory().Memory.get(agent)
    shared: dict[str, Any] = {"threshold": settings["memory_recall_similarity_threshold"]}
    if agent.process.traits.accepts_embedding:
        shared["embedding"] = await db.embed_query(query)
    filters = {"memories": "area == 'main' or area == 'fragments'", "solutions": "area == 'solutions'"}
    return {
        key: await db.search_similarity_threshold(
            query=query, limit=settings[f"memory_recall_{key}_max_search"], filter=filters[key], **shared
        )
        for key in _KEYS
    }


async def _ask_for_filter(agent: Any, found: Found, message: str, history: str) -> Found:
    """Keep what the model names by position; an answer that is no list keeps nothing."""
    numbered = dict(enumerate(doc.page_content for key in _KEYS for doc in found[key]))
    try:
        answer = await agent.call_utility_model(
            system=agent.read_prompt(SYSTEM_PROMPTS["filter"]),
            message=agent.read_prompt(
                "memory.memories_filter.msg.md", memories=numbered, history=history, message=message
            ),
        )
    except Exception as error:  # noqa: BLE001 - the host reports and keeps everything
        agent.context.log.log(type=_problem(agent), heading="Failed to filter relevant memories", content=str(error))
        return found
    docs = [(key, doc) for key in _KEYS for doc in found[key]]
    try:
        positions = json.loads(answer)
    except ValueError:
        positions = []
    kept: Found = {key: [] for key in _KEYS}
    for position in positions if isinstance(positions, list) else []:
        if isinstance(position, int) and position < len(docs):
            kept[docs[position][0]].append(docs[position][1])
    return kept


def _problem(agent: Any) -> str:
    return "error" if agent.process.traits.tells_recall_trouble_as_error else "warning"


def _rendered(agent: Any, found: Found) -> dict[str, str]:
    """Return the texts for the prompt: contents only, no ids, no scores."""
    return {key: agent.parse_prompt(f"agent.system.{key}.md", **{key: text}) for key, text in _joined(found).items()}


def _joined(found: Found) -> dict[str, str]:
    return {key: "\n\n".join(doc.page_content for doc in docs) for key, docs in found.items() if docs}
