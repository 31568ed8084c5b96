"""What a hook file calls: read the host, run the ledger, report. One function per hook; see also `prompt_sections`."""

from __future__ import annotations

import asyncio
from typing import Any

from . import agent_zero
from .chat_log import report_problems
from .docstore.agent_deletes import note_tool
from .host_agent import HostAgent
from .knowledge import audit_log
from .knowledge.worker import distil_soon
from .maintenance.worker import maintain_if_due
from .recall.injection import count_shown, withhold_foreign, withhold_retired
from .recall.recall_task import shown_late, take_over
from .session import open_session, shared_session
from .storage.damage import notices
from .storage.throttle import give_way, go_on
from .tools.context import answer_handover
from .tools.loaded import TOOL_NAME, mark_blocks
from .tools.notes import look_after_notes
from .upkeep import adopt_what_is_new, note_turn, report_secrets, save_soon, show_health
from .view import end_look, refresh_view

_PROMPTS_AFTER = "message_loop_prompts_after"
_MONOLOGUE_END = "monologue_end"


async def filter_relevance(agent: HostAgent, loop_data: Any) -> None:
    """message_loop_prompts_after, 55: only what holds and fits the role may reach the prompt (C-07, C-52 ... C-60)."""
    await _recall(agent, loop_data, is_enhanced=False)


async def enhance_recall(agent: HostAgent, loop_data: Any) -> None:
    """message_loop_prompts_after, 56: asked from several angles, ranked by relevance and age (E-06 ... E-34)."""
    await _recall(agent, loop_data, is_enhanced=True)


async def _recall(agent: HostAgent, loop_data: Any, *, is_enhanced: bool) -> None:
    give_way()
    opened = shared_session if is_enhanced else open_session
    session = await opened(agent, point=_PROMPTS_AFTER)
    if session is None:
        return
    note_turn(session)
    if loop_data is not None:
        withhold_foreign(agent, loop_data, session.folder.store.memory_subdir)
        late = shown_late(agent, loop_data)
        take_over(session, loop_data, is_enhanced=is_enhanced)
        if late is not None:  # only now: the host's own recall would run while anything is awaited
            await adopt_what_is_new(session)
            withhold_retired(late, loop_data)
    look_after_notes(session)


async def count_accesses(agent: HostAgent, loop_data: Any) -> None:
    """before_main_llm_call, 05: an access is what stands in a prompt, whenever its recall was made (C-60)."""
    if loop_data is not None:
        await count_shown(agent, loop_data)
    go_on()


async def classify(agent: HostAgent, loop_data: Any) -> None:
    """monologue_end, 55: give every new memory its status and settle what it contradicts (C-04 ... C-06)."""
    session = await open_session(agent, point=_MONOLOGUE_END)
    end_look(agent)
    if session is None:
        await asyncio.to_thread(refresh_view, agent)
        return
    note_turn(session)
    folder = session.folder
    folder.store.state.loop_count += max(0, getattr(loop_data, "iteration", -1) + 1)
    await adopt_what_is_new(session)
    if folder.turns.ends_in_agreement():
        await asyncio.to_thread(folder.adopter.confirm_recent)
    await show_health(session)
    report_secrets(session)
    report_problems(agent, folder.store.problems, notices)
    save_soon(session)


async def maintain(agent: HostAgent) -> None:
    """monologue_end, 57: look after the memories in a thread, once that is due (C-68, C-92)."""
    session = await shared_session(agent, _MONOLOGUE_END)
    if session is not None:
        maintain_if_due(session)


async def mark_loaded(agent: HostAgent, response: Any, tool_name: str) -> None:
    """tool_execute_after, 55: mark what is retired in what `memory_load` answers (C-97)."""
    if tool_name != TOOL_NAME or not isinstance(getattr(response, "message", None), str):
        return
    session = await open_session(agent)
    if session is None:
        return
    await adopt_what_is_new(session)
    memory_class = agent_zero.memory_module().Memory
    response.message = mark_blocks(response.message, session.folder.store, memory_class, session.vault_scopes)


async def audit_start(agent: HostAgent, loop_data: Any) -> None:
    """monologue_start, 06: a chain begins, or goes on with a subordinate (T-56)."""
    audit_log.note_start(agent, loop_data)


async def audit_model_call(agent: HostAgent, loop_data: Any) -> None:
    """before_main_llm_call, 58: whether what the model said was a call, or the user has interrupted it (T-35)."""
    audit_log.note_model_call(agent, loop_data)


async def audit_tool_start(agent: HostAgent, tool_name: Any, tool_args: Any) -> None:
    """tool_execute_before, 58: an agent calls a tool (T-56), and what that deletes it may replace (T-43)."""
    note_tool(agent, tool_name)
    audit_log.note_tool_start(agent, tool_name, tool_args)


async def audit_tool_end(agent: HostAgent, tool_name: Any, response: Any) -> None:
    """tool_execute_after, 58: a tool has answered (T-56), perhaps with a question to the memory agent (M-26)."""
    await answer_handover(agent, response)
    audit_log.note_tool_end(agent, tool_name, response)


async def audit_end(agent: HostAgent) -> None:
    """monologue_end, 58: a chain has ended, and goes into the log of the day (T-56)."""
    audit_log.note_end(agent)


async def distil(agent: HostAgent) -> None:
    """monologue_end, 59: once the log of the turn is written, the memory agent takes it up in a thread (M-24, M-25)."""
    session = await shared_session(agent, _MONOLOGUE_END)
    if session is not None:
        session.folder.shared = None  # the turn is over
        distil_soon(session)
