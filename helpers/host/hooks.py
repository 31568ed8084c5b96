"""The functions of the hooks: read the host, run the ledger, report; one function for each hook file."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

from ..recall.eligibility import render_rules
from ..store.damage import ProblemKind, notices
from ..store.deadline import give_way, go_on
from ..store.recent import note_tool
from ..texts import regex
from . import agent_zero
from .chat_log import chat_problems, log_failure, report_problems
from .host_agent import HostAgent, user_text
from .knowledge import audit_log
from .knowledge.worker import distil_soon
from .maintenance.worker import maintain_if_due
from .notes.sources import make_block
from .recall.injection import (
    NO_CONTENTS,
    contents_of_prompt,
    count_shown,
    make_contents,
    remember_contents,
    withhold_foreign,
    withhold_retired,
)
from .recall.recall_task import audience_of, shown_late, take_over
from .session import Session, open_session
from .tools.loaded import TOOL_NAME, mark_blocks
from .tools.questions import answer_handover, look_after_notes
from .upkeep import adopt_what_is_new, note_turn, report_secrets, save_soon, show_health
from .view import current_view, refresh_view

_log = logging.getLogger(__name__)

#: A section of the prompt that is about governance says so in its heading.
_GOVERNANCE = regex(r"\s{0,9}#{1,6}[^\n]{0,80}\bgovernance\b", re.IGNORECASE)
#: How many records are embedded while a prompt waits; more of them are left to a thread.
_EMBEDDED_AT_ONCE = 8
#: The time limits while a prompt waits, and where nobody waits.
_PROMPT_SECONDS, _MOST_SECONDS = 2.0, 60.0


async def show_vault(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 60: append the snapshot of the vault, and remember it for recall and for echoes."""
    give_way()
    session = await open_session(agent)
    if session is None:
        return
    vault, store, settings = session.folder.vault, session.folder.store, session.settings.vault
    contents = NO_CONTENTS
    if settings.enabled:
        await _keep_mirror(session)
        snapshot = vault.snapshot(settings, session.vault_scopes)
        if snapshot.text:
            system_prompt.append(snapshot.text)
            contents = make_contents((record.id, record.text) for record in snapshot.records)
            store.injected.note(agent.history.current, contents.ids)
    await asyncio.to_thread(vault.look_for_lost)
    remember_contents(agent, store, contents)
    report_problems(agent, store.problems)


async def _keep_mirror(session: Session) -> None:
    """Bring the mirror in step off the event loop; a prompt waits for a few records only."""
    vault = session.folder.vault
    differences = vault.differences()
    if not differences:
        return
    if len(differences.embed) <= _EMBEDDED_AT_ONCE:
        await asyncio.to_thread(vault.keep_mirror, _PROMPT_SECONDS)
        return
    work = asyncio.get_running_loop().run_in_executor(None, vault.keep_mirror, _MOST_SECONDS)
    work.add_done_callback(log_failure(_log, "the vault was not mirrored; the next prompt tries again"))


async def show_knowledge(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 61: insert the institutional knowledge at the beginning, or after a section about governance.

    An unreachable place of knowledge is reported once.
    """
    session = await open_session(agent)
    if session is None or not session.settings.knowledge.enabled:
        return
    knowledge = session.folder.knowledge
    section = await knowledge.section(session.settings, agent_zero.count_tokens)
    if section:
        governance = [number for number, section_text in enumerate(system_prompt, 1) if _GOVERNANCE.match(section_text)]
        system_prompt.insert(max(governance, default=0), section)
    notice = knowledge.open(session.settings.knowledge).notice
    for new in session.folder.store.problems.settle(show_knowledge, [notice] if notice else []):
        heading = "Memory Ledger: institutional knowledge is unreachable"
        agent.context.log.log(type="warning", heading=heading, content=new)


async def show_notes(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 62: append the notes that the settings name, as they are now."""
    view = current_view(agent)
    notes = view.settings.notes
    if not view.settings.enabled or not notes.enabled or not notes.always:
        return
    folder = agent_zero.memory_folder(view.memory_subdir)
    block = await asyncio.to_thread(make_block, folder, notes)
    problems = chat_problems(agent)
    problems.update(show_notes, block.problems, ProblemKind.NOTES)
    report_problems(agent, problems)
    if block.text:
        system_prompt.append(block.text)


async def show_rules(agent: HostAgent, system_prompt: list[str], loop_data: Any) -> None:
    """system_prompt, 63: append the standing rules, without those in the vault; recall leaves them out.

    Memories written since the last turn are adopted first, so that no prompt lacks a new rule.
    """
    session = await open_session(agent)
    if session is None or not session.settings.standing_rules.enabled:
        return
    if getattr(loop_data, "iteration", 0) < 1 and session.folder.store.has_news():
        note_turn(session)
        await adopt_what_is_new(session)
    folder, message = session.folder, user_text(getattr(loop_data, "user_message", None))
    limits = session.settings.standing_rules
    chosen = await asyncio.to_thread(folder.rules.choose, audience_of(session), message, limits)
    if chosen:
        system_prompt.append(render_rules(chosen))
        contents = make_contents(((rule.id, rule.text) for rule in chosen), contents_of_prompt(agent, folder.store))
        remember_contents(agent, folder.store, contents)
        folder.store.injected.note(agent.history.current, contents.ids)


async def filter_relevance(agent: HostAgent, loop_data: Any) -> None:
    """message_loop_prompts_after, 55: only memories that hold and fit the role may reach the prompt."""
    await _recall(agent, loop_data, is_enhanced=False)


async def enhance_recall(agent: HostAgent, loop_data: Any) -> None:
    """message_loop_prompts_after, 56: several queries, ranked by relevance and age."""
    await _recall(agent, loop_data, is_enhanced=True)


async def _recall(agent: HostAgent, loop_data: Any, *, is_enhanced: bool) -> None:
    give_way()
    session = await open_session(agent)
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
    """before_main_llm_call, 05: count an access of each memory that stands in the prompt."""
    if loop_data is not None:
        await count_shown(agent, loop_data)
    go_on()


async def classify(agent: HostAgent, loop_data: Any) -> None:
    """monologue_end, 55: give every new memory its status and settle its contradictions."""
    session = await open_session(agent)
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
    """monologue_end, 57: run the maintenance in a thread when it is due."""
    session = await open_session(agent)
    if session is not None:
        maintain_if_due(session)


async def mark_loaded(agent: HostAgent, response: Any, tool_name: str) -> None:
    """tool_execute_after, 55: mark retired memories in the answer of `memory_load`."""
    if tool_name != TOOL_NAME or not isinstance(getattr(response, "message", None), str):
        return
    session = await open_session(agent)
    if session is None:
        return
    await adopt_what_is_new(session)
    memory_class = agent_zero.memory_module().Memory
    response.message = mark_blocks(response.message, session.folder.store, memory_class, session.vault_scopes)


async def audit_start(agent: HostAgent, loop_data: Any) -> None:
    """monologue_start, 06: log the beginning of a chain, or of a subordinate's part."""
    audit_log.note_start(agent, loop_data)


async def audit_model_call(agent: HostAgent, loop_data: Any) -> None:
    """before_main_llm_call, 58: log a faulty answer of the model, or an intervention of the user."""
    audit_log.note_model_call(agent, loop_data)


async def audit_tool_start(agent: HostAgent, tool_name: Any, tool_args: Any) -> None:
    """tool_execute_before, 58: log a tool call, and attribute its deletions to the agent."""
    note_tool(agent, tool_name)
    audit_log.note_tool_start(agent, tool_name, tool_args)


async def audit_tool_end(agent: HostAgent, tool_name: Any, response: Any) -> None:
    """tool_execute_after, 58: log a tool's answer, and answer a question to the memory agent."""
    await answer_handover(agent, response)
    audit_log.note_tool_end(agent, tool_name, response)


async def audit_end(agent: HostAgent) -> None:
    """monologue_end, 58: write a finished chain to the log of the day."""
    audit_log.note_end(agent)


async def distil(agent: HostAgent) -> None:
    """monologue_end, 59: let the memory agent distil the turn in a thread, once its log is written."""
    session = await open_session(agent)
    if session is not None:
        distil_soon(session)
