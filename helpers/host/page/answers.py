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
from .conflicts import list_conflicts
from .detail import show_memory
from .memories import list_memories
from .notes import list_notes, preview_notes, search_notes, show_note
from .overview import read_overview
from .questions import (
    AddRecord,
    AskRecall,
    ChangeMemories,
    ListMemories,
    ListNotes,
    ListRecords,
    OneRecord,
    Paged,
    PageError,
    PreviewVault,
    Question,
    RevertRecord,
    SearchNotes,
    SettleConflict,
    ShowMemory,
    ShowNote,
    ShowRecall,
    ShowRecord,
    UpdateRecord,
    parse_question,
)
from .recall import ask_recall, list_recalls, show_recall
from .vault import (
    add_record,
    list_records,
    preview_vault,
    promote_record,
    retire_record,
    revert_record,
    show_record,
    update_record,
)

_log = logging.getLogger(__name__)

_OFF = "Memory Ledger is switched off (enabled: false)."
_FAILED = "Memory Ledger could not do that; the log of the server says why."

#: What may be asked, and what answers it.
Actions = Mapping[str, tuple[type[Question], Callable[[Folder, Any], dict[str, Any]]]]


def _changing(action: MemoryAction) -> Callable[[Folder, Any], dict[str, Any]]:
    return lambda folder, asked: change_memories(folder, action, asked)


OVERVIEW: Actions = {"read": (Question, lambda folder, _: read_overview(folder))}
MEMORIES: Actions = {
    "list": (ListMemories, list_memories),
    "show": (ShowMemory, show_memory),
    **{one.value: (ChangeMemories, _changing(one)) for one in MemoryAction},
}
CONFLICTS: Actions = {"list": (Paged, list_conflicts), "settle": (SettleConflict, settle_conflict)}
RECALL: Actions = {
    "list": (Question, list_recalls),
    "show": (ShowRecall, show_recall),
    "ask": (AskRecall, ask_recall),
}
VAULT: Actions = {
    "list": (ListRecords, list_records),
    "show": (ShowRecord, show_record),
    "preview": (PreviewVault, preview_vault),
    "add": (AddRecord, add_record),
    "update": (UpdateRecord, update_record),
    "promote": (OneRecord, promote_record),
    "retire": (OneRecord, retire_record),
    "revert": (RevertRecord, revert_record),
}
NOTES: Actions = {
    "list": (ListNotes, list_notes),
    "show": (ShowNote, show_note),
    "preview": (Question, preview_notes),
    "search": (SearchNotes, search_notes),
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
