"""What the pack adds to the system prompt: the vault, institutional knowledge, notes, the standing rules of the user.

One function for each hook of `system_prompt`. A prompt before which nothing was written costs a stat call for the file
of the vault, and a look at each record's document.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import Any

from ..patterns import regex
from ..recall.eligibility import render_rules
from . import agent_zero
from .chat_log import chat_problems, log_failure, report_problems
from .host_agent import HostAgent
from .notes.sources import NotesBlock, is_fresh, make_block
from .recall.injection import NOTHING_SAID, make_said, remember_said, said_in_prompt
from .recall.recall_task import audience_of
from .session import Session, open_session, shared_session
from .storage.problem_log import ProblemKind
from .storage.throttle import give_way
from .turns.messages import user_text
from .upkeep import adopt_what_is_new, note_turn
from .view import current_view

_log = logging.getLogger(__name__)

_POINT = "system_prompt"
#: A section of the prompt that is about governance says so in its heading.
_GOVERNANCE = regex(r"\s{0,9}#{1,6}[^\n]{0,80}\bgovernance\b", re.IGNORECASE)
_BLOCK_KEY = "_memory_ledger_notes_block"
#: So many records are embedded while a prompt waits; more of them are left to a thread.
_EMBEDDED_AT_ONCE = 8
#: So long for that, and so long where nobody waits.
_PROMPT_SECONDS, _MOST_SECONDS = 2.0, 60.0


async def show_vault(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 60: append what the vault holds, and remember it for recall and for echoes (V-50, T-21, T-68)."""
    give_way()
    session = await open_session(agent, point=_POINT)
    if session is None:
        return
    vault, store, settings = session.folder.vault, session.folder.store, session.settings.vault
    said = NOTHING_SAID
    if settings.enabled:
        await _keep_mirror(session)
        snapshot = vault.snapshot(settings, session.vault_scopes)
        if snapshot.text:
            system_prompt.append(snapshot.text)
            said = make_said((record.id, record.text) for record in snapshot.records)
            store.injected.note(agent.history.current, said.ids)
    if vault.has_changed():
        await asyncio.to_thread(vault.look_for_lost)
    remember_said(agent, store, said)
    report_problems(agent, store.problems)


async def _keep_mirror(session: Session) -> None:
    """Bring the mirror in step, off the event loop; a prompt waits for a few records and not for many."""
    vault = session.folder.vault
    found = vault.mirror.differences()
    if not found:
        return
    if len(found.embed) <= _EMBEDDED_AT_ONCE:
        await asyncio.to_thread(vault.keep_mirror, _PROMPT_SECONDS)
        return
    work = asyncio.get_running_loop().run_in_executor(None, vault.keep_mirror, _MOST_SECONDS)
    work.add_done_callback(log_failure(_log, "the vault was not mirrored; the next prompt tries again"))


async def show_knowledge(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 61: put what agents have learned together before the agent's own definition (M-20, M-51).

    Where a section is about governance, it stands after that. It is told once where its place is away.
    """
    session = await shared_session(agent, _POINT)
    if session is None or not session.settings.knowledge.enabled:
        return
    knowledge = session.folder.knowledge
    section = await knowledge.section(session.settings, agent_zero.count_tokens)
    if section:
        governance = [at for at, one in enumerate(system_prompt, 1) if _GOVERNANCE.match(one)]
        system_prompt.insert(max(governance, default=0), section)
    notice = knowledge.open(session.settings.knowledge).notice
    for new in session.folder.store.problems.settle(show_knowledge, [notice] if notice else []):
        heading = "Memory Ledger: institutional knowledge is unreachable"
        agent.context.log.log(type="warning", heading=heading, content=new)


async def show_notes(agent: HostAgent, system_prompt: list[str]) -> None:
    """system_prompt, 62: append the notes that the settings name, read anew when one has changed (V-50)."""
    view = current_view(agent)
    notes = view.settings.notes
    if not view.settings.enabled or not notes.enabled or not notes.always:
        return
    folder = agent_zero.memory_folder(view.memory_subdir)
    block = agent.data.get(_BLOCK_KEY)
    if type(block) is not NotesBlock or not is_fresh(block, folder, notes):
        block = agent.data[_BLOCK_KEY] = await asyncio.to_thread(make_block, folder, notes)
        problems = chat_problems(agent)
        problems.update(show_notes, block.problems, ProblemKind.NOTES)
        report_problems(agent, problems)
    if block.text:
        system_prompt.append(block.text)


async def show_rules(agent: HostAgent, system_prompt: list[str], loop_data: Any) -> None:
    """system_prompt, 63: append what the user wants always or never, unless the vault says it; nothing recalls it too.

    What was written since the last turn is read first, so that no prompt goes without it.
    """
    session = await shared_session(agent, _POINT)
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
        said = make_said(((one.id, one.text) for one in chosen), said_in_prompt(agent, folder.store))
        remember_said(agent, folder.store, said)
        folder.store.injected.note(agent.history.current, said.ids)
