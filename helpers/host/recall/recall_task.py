"""Take over the host's recall, and choose the memories for the prompt (contract, section 6).

The host keeps its search as a task under an agent-data key and awaits it later. A plain search is cancelled before it
has begun, and ours takes its place; if the host lets a model write the query or filter the result, ours runs after it
and admits nothing that the model refused. A recall that fails or takes too long costs the turn its memories and nothing
else.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import HostError
from ...recall.plan import RecallLimits, RecallPlan, make_plan
from ...recall.selection import Selection, explain, join_texts
from ...records import Memory
from ...settings import RecallMode
from ...store.embedding import MOST_SECONDS, tell_failure
from ...store.index import Matrix, check_length, no_vectors
from ...store.query_vectors import remember_queries
from .. import agent_zero
from ..chat_log import report_failure
from ..host_agent import HostAgent, user_text
from ..session import Session
from ..upkeep import adopt_what_is_new, show_health
from ..view import current_view
from .folder_recall import RecentRecall
from .injection import (
    SECTIONS,
    Injection,
    RecallVerdict,
    contents_of_prompt,
    discard,
    has_begun,
    read_log_item,
    read_verdict,
    remember_injection,
    render_section,
    set_sections,
    take_sections,
    tell_log,
    unshown,
    uses_model,
)
from .search import EVERYBODY, Audience
from .search import recall as search

TASK_KEY = "_recall_memories_task"
ITERATION_KEY = "_recall_memories_iter"
RESULT_KEY = "_recall_memories_result"
SCOPE_KEY = "_recall_memories_result_scope"
OUR_TASK_KEY = "_memory_ledger_recall_task"
EXPLANATION_KEY = "_memory_ledger_last_recall"
_REQUEST_KEY = "_memory_ledger_recall_request"

_RECALL_MODULE = "plugins._memory.extensions.python.message_loop_prompts_after._50_recall_memories"
_HOST_LIMITS = RecallLimits()
#: The share of a recall's time that the embedding model may take.
_MODEL_SHARE = 0.5
_LIMIT_KEYS = {
    "threshold": "memory_recall_similarity_threshold",
    "searched_memories": "memory_recall_memories_max_search",
    "searched_solutions": "memory_recall_solutions_max_search",
    "solutions": "memory_recall_solutions_max_result",
}


@dataclass(slots=True)
class _Request:
    """One recall that was taken over, for a prompt (`iteration`) of a loop, in a scope (see `_present_scope`).

    `is_enhanced` is set once the enhancement has asked for it too; until then the classification's ranking counts.
    `log_item` is the host's, if it is known; `cycle` the number of the recall in the folder, once it is counted;
    `recent` the record of it, once it is done.
    """

    session: Session
    loop_data: Any
    iteration: int | None
    scope: Any
    is_enhanced: bool
    log_item: Any = None
    verdict: RecallVerdict = field(default_factory=RecallVerdict)
    cycle: int | None = None
    recent: RecentRecall | None = None


def take_over(session: Session, loop_data: Any, *, is_enhanced: bool) -> None:
    """Replace the host's pending recall, if there is one, by ours; a pending recall of ours is enhanced.

    Either of the two calling hooks is enough; both together make one recall. If the host starts none for this prompt,
    there is one only with `run_every_iteration`. A delayed result of ours that the newest hosts have just put up stays
    for this prompt: its scope is restored, without which they would remove it again.
    """
    agent, scope, config = session.agent, _present_scope(session.agent), session.memory_settings
    is_on = bool(config.get("memory_recall_enabled"))
    task, iteration = agent.get_data(TASK_KEY), getattr(loop_data, "iteration", None)
    request: _Request | None = agent.data.get(_REQUEST_KEY) if task is agent.data.get(OUR_TASK_KEY) else None
    if task is not None and request is not None and (request.loop_data, request.iteration) == (loop_data, iteration):
        _enhance(agent, task, request, is_enhanced=is_enhanced)
    elif task is None or task.done():
        is_extra = session.settings.run_every_iteration and is_on
        if is_extra and iteration is not None and iteration % (config.get("memory_recall_interval") or 1) != 0:
            request = _Request(session, loop_data, iteration, scope, is_enhanced)
            agent.set_data(ITERATION_KEY, iteration)
            _start(agent, request, _deliver(request))
        elif request is not None and scope is not None and unshown(agent, loop_data):
            agent.set_data(SCOPE_KEY, scope)
        elif task is None and iteration == 0 and is_on and _RECALL_MODULE in sys.modules:
            report_failure(agent, "recall", HostError("the host has begun none where it is looked for"))
    elif request is None:
        _replace(_Request(session, loop_data, iteration, scope, is_enhanced, read_log_item(task)), task)


def shown_late(agent: HostAgent, loop_data: Any) -> Injection | None:
    """Return the delayed recall of an earlier turn whose result the newest hosts have put up for this prompt."""
    request: _Request | None = agent.data.get(_REQUEST_KEY)
    return None if request is None or request.loop_data is loop_data else unshown(agent, loop_data)


def _enhance(agent: HostAgent, task: Any, request: _Request, *, is_enhanced: bool) -> None:
    """Enhance the recall that the first of the two hooks has started."""
    if is_enhanced > request.is_enhanced:
        request.is_enhanced = True
        if task.done() and not task.cancelled():  # a slow hook came between the two
            _start(agent, request, _deliver(request))


def _replace(request: _Request, task: Any) -> None:
    """Replace a pending task of the host, or wait for it."""
    session = request.session
    must_wait = (
        has_begun(task) or uses_model(session.memory_settings) or session.settings.recall_mode is RecallMode.WRAP
    )
    if not must_wait:
        discard(task)
    _start(session.agent, request, _after_host(task, request) if must_wait else _deliver(request))


def _start(agent: HostAgent, request: _Request, recall: Coroutine[Any, Any, Mapping[str, str] | None]) -> None:
    ours = asyncio.create_task(recall)
    agent.data[OUR_TASK_KEY], agent.data[_REQUEST_KEY] = ours, request
    agent.set_data(TASK_KEY, ours)


async def _deliver(request: _Request) -> Mapping[str, str] | None:
    """Recall, and hand over the sections as the host's own task does."""
    sections = await _recall_safely(request)
    if request.scope is None:
        set_sections(request.loop_data, sections)
        return None
    is_current = _present_scope(request.session.agent) in (None, request.scope)
    _keep(request, sections if is_current else None)
    return sections if is_current else {}


def _keep(request: _Request, sections: Mapping[str, str] | None) -> None:
    """Set the result where the newest hosts look for a delayed one."""
    request.session.agent.set_data(RESULT_KEY, sections)
    request.session.agent.set_data(SCOPE_KEY, None if sections is None else request.scope)


async def _after_host(task: Any, request: _Request) -> Mapping[str, str] | None:
    """Await the host's own recall, then replace its result by ours.

    Its failure does not end the turn, and is reported unless the embedding model is away, which is reported elsewhere.
    Its sections are removed at once, for a prompt may be built before our recall has ended.
    """
    agent, failure = request.session.agent, None
    try:
        theirs = await task
    except Exception as exc:  # noqa: BLE001 - the host's search may fail in any way; the turn must go on
        failure = exc
    else:
        left = theirs if isinstance(theirs, dict) else take_sections(request.loop_data)
        request.verdict = read_verdict(agent, request.log_item, left, request.session.memory_settings)
    if request.scope is not None:
        _keep(request, None)
    sections = await _deliver(request)
    if failure is not None and remember_queries(request.session.folder.store.db).failure is None:
        report_failure(agent, "the host's recall", failure)
    return sections


async def _recall_safely(request: _Request) -> Mapping[str, str]:
    """Return the rendered sections; none if the recall fails, takes too long, or the folder has changed meanwhile.

    The host's log item shows the outcome.
    """
    session, injection = request.session, Injection(store=request.session.folder.store)
    agent, timeout = session.agent, session.settings.recall_timeout_seconds
    try:
        recalled = await asyncio.wait_for(_recall(request), timeout=timeout)
        if current_view(agent).memory_subdir != session.folder.store.memory_subdir:
            outcome = "The memory folder has changed; no memory was recalled"
            agent.data.pop(EXPLANATION_KEY, None)
        else:
            injection, outcome = recalled, _describe(recalled)
            if request.recent is not None:
                session.folder.recent.note(request.recent)
    except Exception as exc:  # noqa: BLE001 - see the module's last sentence
        report_failure(agent, "recall", exc)
        outcome = "Recall failed; the prompt has no memories"
        agent.data.pop(EXPLANATION_KEY, None)
    remember_injection(agent, request.loop_data, injection)
    if not request.verdict.is_refusal:
        tell_log(request.log_item, outcome, injection.texts)
    return injection.sections


async def _recall(request: _Request) -> Injection:
    session = request.session
    agent, store = session.agent, session.folder.store
    await adopt_what_is_new(session)
    await show_health(session)
    plan = _plan(request)
    if not _may_ask(request, plan):
        _explain(request, plan, Selection())
        return Injection(store=store)
    selection = await _select(request, plan)
    while request.is_enhanced is not plan.is_enhanced:  # the second hook came while the first one's recall was on
        plan = _plan(request)
        selection = await _select(request, plan)
    await asyncio.to_thread(_note, request, plan, selection)
    _explain(request, plan, selection)
    chosen_by_section = dict(zip(SECTIONS, (selection.memories, selection.solutions), strict=True))
    texts = {key: join_texts(chosen, selection) for key, chosen in chosen_by_section.items() if chosen}
    return Injection(
        store=store,
        texts=texts,
        sections={key: render_section(agent, key, text) for key, text in texts.items()},
        ids={key: tuple(candidate.memory.id for candidate in chosen_by_section[key]) for key in texts},
    )


def _explain(request: _Request, plan: RecallPlan, selection: Selection) -> None:
    """Keep the outcomes of all candidates, on the agent and in the record of the recall."""
    agent, explanation = request.session.agent, explain(plan, selection)
    agent.data[EXPLANATION_KEY] = explanation
    audience = audience_of(request.session)
    request.recent = RecentRecall(
        chat=agent.context.id,
        agent=agent.number,
        profile=agent_zero.profile_name(agent),
        plan=plan,
        audience=audience,
        explanation=explanation,
    )


def _plan(request: _Request) -> RecallPlan:
    """Return the plan for the query of the host's model, or for the user's message."""
    session, message = request.session, user_text(request.loop_data.user_message).strip()
    return make_plan(
        request.verdict.query or message,
        session.settings,
        session.folder.store.clock(),
        limits=recall_limits(session),
        domain=session.circumstances.domain,
        is_enhanced=request.is_enhanced,
        message=message,
    )


def _may_ask(request: _Request, plan: RecallPlan) -> bool:
    """Whether there is a query, and neither the host's model nor a profile forbids the recall."""
    return bool(plan.query) and not request.verdict.is_refusal and not request.session.profile.switches_off(plan.domain)


async def embed(session: Session, plan: RecallPlan) -> Matrix:
    """Return the vectors of the plan's variants, shape (m, d), embedded in one call or remembered.

    No vectors, shape (0, d), if the model is away and words may decide.
    """
    settings, store = session.settings, session.folder.store
    queries = remember_queries(store.db)
    seconds = min(MOST_SECONDS, _MODEL_SHARE * settings.recall_timeout_seconds)
    try:
        vectors = await queries.embed([variant.text for variant in plan.variants], seconds=seconds)
        check_length(store.db, vectors)
    except Exception as exc:
        if not settings.lexical.enabled:
            raise
        tell_failure(store.problems, exc)
        return no_vectors(store.db)
    tell_failure(store.problems, queries.failure)
    return vectors


async def _select(request: _Request, plan: RecallPlan) -> Selection:
    """Return the selection for the prompt, made in a worker thread, since a change of the index may hold the lock."""
    audience = audience_of(request.session, request.verdict.admits)
    vectors = await embed(request.session, plan)
    return await asyncio.to_thread(search, request.session.folder.store, vectors, plan, audience)


def audience_of(session: Session, is_admitted: Callable[[Memory], bool] = EVERYBODY.is_admitted) -> Audience:
    """Return the audience of a session; `is_admitted` is the verdict of the host's own recall."""
    return Audience(
        allowed=session.allowed_domains,
        role_domains=session.folder.roles.domains_of,
        is_admitted=is_admitted,
        scopes=session.vault_scopes,
        contents=contents_of_prompt(session.agent, session.folder.store),
    )


def _note(request: _Request, plan: RecallPlan, selection: Selection) -> None:
    """Count a recall, once, and write its co-retrieval; blocking."""
    folder = request.session.folder
    if request.cycle is None:
        folder.store.count_recall(())
        request.cycle = folder.store.state.recall_cycle
    if plan.is_enhanced:
        settings = request.session.settings.co_retrieval
        folder.co_retrieval.append(selection.ids, settings, at=plan.now, cycle=request.cycle, query_domain=plan.domain)


def recall_limits(session: Session) -> RecallLimits:
    """Return the host's limits and the pack's cap, either replaced by the limits of the model's profile.

    A key missing in the host's configuration has its default.
    """
    config, profile = session.memory_settings, session.profile
    given = {name: config[key] for name, key in _LIMIT_KEYS.items() if config.get(key) is not None}
    limits = {name: type(getattr(_HOST_LIMITS, name))(value) for name, value in given.items()}
    if profile.similarity_threshold is not None:
        limits["threshold"] = profile.similarity_threshold
    injected = profile.max_injected or session.settings.max_injected_memories
    return replace(_HOST_LIMITS, injected=injected, **limits)


def _describe(injection: Injection) -> str:
    memories, solutions = (len(injection.ids.get(key, ())) for key in SECTIONS)
    is_any = memories or solutions
    return f"{memories} memories and {solutions} solutions recalled" if is_any else "No memory in use fits the message"


def _present_scope(agent: HostAgent) -> Any:
    """Return the scope that the newest hosts compare before they use a delayed result; None on older ones.

    Raises HostError for an unknown way of handing over results: such a recall is left alone.
    """
    module = sys.modules.get(_RECALL_MODULE)
    read_scope = getattr(module, "get_recall_scope", None)
    if read_scope is None and hasattr(module, "DATA_NAME_RESULT"):
        raise HostError("its recall hands over a result in a way that is not known; what it recalls is not filtered")
    return read_scope(agent) if read_scope is not None else None
