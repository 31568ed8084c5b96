"""The one place where a page's question is answered, and where its failure ends: in a sentence, never a traceback.

An action that is not named does nothing: the host lets requests through whose body is empty (GET after the first POST).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from ...errors import RequestError, shorten
from .. import agent_zero
from ..session import Folder, open_folder
from .acting import change_memories, settle_conflict
from .allowed import MemoryAction
from .carrying import export_memories, move_memories
from .conflicts import list_conflicts
from .detail import show_memory
from .memories import list_memories
from .merging import merge_conflict
from .overview import check_folder, read_overview
from .questions import (
    ChangeMemories,
    CorrectMemories,
    ExportMemories,
    ListMemories,
    MergeConflict,
    MoveMemories,
    Paged,
    PageError,
    Question,
    SettleConflict,
    ShowMemory,
    parse_question,
)

_log = logging.getLogger(__name__)

_OFF = "Memory Ledger is switched off (enabled: false)."
_FAILED = "Memory Ledger could not do that; the log of the server says why."

#: What may be asked, and what answers it.
Actions = Mapping[str, tuple[type[Question], Callable[[Folder, Any], dict[str, Any]]]]


def _changing(action: MemoryAction) -> Callable[[Folder, Any], dict[str, Any]]:
    return lambda folder, asked: change_memories(folder, action, asked)


OVERVIEW: Actions = {
    "read": (Question, lambda folder, _: read_overview(folder)),
    "check": (Question, lambda folder, _: check_folder(folder)),
}
MEMORIES: Actions = {
    "list": (ListMemories, list_memories),
    "show": (ShowMemory, show_memory),
    **{one.value: (ChangeMemories, _changing(one)) for one in MemoryAction},
    "move": (MoveMemories, move_memories),
    "export": (ExportMemories, export_memories),
    MemoryAction.CORRECT.value: (CorrectMemories, _changing(MemoryAction.CORRECT)),
}
CONFLICTS: Actions = {
    "list": (Paged, list_conflicts),
    "settle": (SettleConflict, settle_conflict),
    "merge": (MergeConflict, merge_conflict),
}


async def answer(actions: Actions, given: object) -> dict[str, Any]:
    """Return what a page asks for, in plain JSON types; everything is read and done in a worker thread."""
    return await asyncio.to_thread(_answer, actions, given)


def _answer(actions: Actions, given: object) -> dict[str, Any]:
    try:
        return {"ok": True, **_ask(actions, given)}
    except (PageError, RequestError) as exc:
        return {"ok": False, "error": str(exc)}
    except Exception:  # noqa: BLE001 - the last stop before the host, which would show the whole traceback
        _log.exception("a page's question was not answered")
        return {"ok": False, "error": _FAILED}


def _ask(actions: Actions, given: object) -> dict[str, Any]:
    name = given.get("action") if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or not isinstance(name, str) or name not in actions:
        raise PageError(f"action is {shorten(name)}; allowed: {', '.join(actions)}")
    kind, act = actions[name]
    asked = parse_question(kind, given)
    folders = agent_zero.memory_folders()
    if asked.folder not in folders:
        raise PageError(f"folder is {shorten(asked.folder)}; allowed: the name of a memory folder of this Agent Zero")
    folder = open_folder(asked.folder)
    if folder is None:
        raise PageError(_OFF)
    return {"folder": asked.folder, "folders": folders, **act(folder, asked)}
