"""What happens before a prompt is built: the notes that the settings name stand in it (V-50)."""

from __future__ import annotations

import asyncio
from typing import Any

from .. import agent_zero
from ..session import report_problems
from ..view import current_view
from .block import NotesBlock, is_fresh, make_block

_BLOCK_KEY = "_memory_ledger_notes_block"


async def show_notes(agent: Any, system_prompt: list[str]) -> None:
    """Append the block to the system prompt; it is made anew, off the event loop, when a note has changed."""
    view = current_view(agent)
    notes = view.settings.notes
    if not view.settings.enabled or not notes.enabled or not notes.always:
        return
    folder = agent_zero.memory_folder(view.memory_subdir)
    block = agent.data.get(_BLOCK_KEY)
    if type(block) is not NotesBlock or not is_fresh(block, folder, notes):
        block = agent.data[_BLOCK_KEY] = await asyncio.to_thread(make_block, folder, notes)
        report_problems(agent, "notes that the prompt cannot show in full", list(block.problems))
    if block.text:
        system_prompt.append(block.text)
