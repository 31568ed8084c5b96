"""The one place where a page's question is answered, and where its failure ends: in a sentence, never a traceback.

An action that is not named does nothing: the host lets requests through whose body is empty (GET after the first POST).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from ...door import find_fault
from ...errors import RequestError, shorten
from ...knowledge.curation import CurationVerb
from .. import agent_zero
from ..maintenance.asked_run import RunKind
from ..session import Folder, open_folder
from .acting import change_memories, settle_conflict, take_back_acts
from .allowed import MemoryAction
from .backup import list_backup, read_backup, read_doctor, read_order, repair, restore, try_restore
from .breaks import list_breaks, sign_anew
from .carrying import export_memories, move_memories
from .conflicts import list_conflicts, merge_conflict
from .detail import show_memory
from .knowledge import decide_entry, edit_entry, list_entries, show_entry, undo_decision
from .maintenance import begin_run, list_duplicates, read_maintenance, read_state, stop_run
from .memories import list_memories
from .notes import list_notes, preview_notes, search_notes, show_note
from .overview import check_folder, read_overview
from .proposals import accept_proposals, list_proposals, refuse_proposals
from .questions import (
    ChangeMemories,
    CheckSettings,
    CorrectMemories,
    DecideProposals,
    ExportMemories,
    ListBackup,
    ListMemories,
    MergeConflict,
    MoveMemories,
    Paged,
    PageError,
    Question,
    ReadSettings,
    RestoreMemories,
    SettleConflict,
    ShowMemory,
    TakeBackActs,
    parse_question,
)
from .questions_knowledge import DecideEntry, EditEntry, ListEntries, ShowEntry, UndoDecision
from .questions_texts import (
    AddRecord,
    AskRecall,
    ListNotes,
    ListRecords,
    OneRecord,
    PreviewVault,
    RevertRecord,
    SearchNotes,
    ShowNote,
    ShowRecall,
    ShowRecord,
    UpdateRecord,
)
from .recall import ask_recall, list_recalls, show_recall
from .settings import check_settings, read_settings
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
_FAILED = "Memory Ledger could not do that; see the server log."

#: What may be asked, and what answers it: from the memory folder, unless the question asks none.
Actions = Mapping[str, tuple[type[Question], Callable[[Any, Any], dict[str, Any]]]]


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
    "take_back": (TakeBackActs, take_back_acts),
    MemoryAction.CORRECT.value: (CorrectMemories, _changing(MemoryAction.CORRECT)),
}
CONFLICTS: Actions = {
    "list": (Paged, list_conflicts),
    "settle": (SettleConflict, settle_conflict),
    "merge": (MergeConflict, merge_conflict),
}
SETTINGS: Actions = {
    "read": (ReadSettings, lambda _, __: read_settings()),
    "check": (CheckSettings, lambda _, asked: check_settings(asked)),
}
KNOWLEDGE: Actions = {
    "list": (ListEntries, list_entries),
    "show": (ShowEntry, show_entry),
    **{verb.value: (DecideEntry, decide_entry(verb)) for verb in CurationVerb},
    "edit": (EditEntry, edit_entry),
    "undo": (UndoDecision, undo_decision),
}
MAINTENANCE: Actions = {
    "read": (Question, read_maintenance),
    "state": (Question, read_state),
    "try": (Question, begin_run(RunKind.TRIAL)),
    "run": (Question, begin_run(RunKind.REAL)),
    "stop": (Question, stop_run),
    "proposals": (Paged, list_proposals),
    "accept": (DecideProposals, accept_proposals),
    "refuse": (DecideProposals, refuse_proposals),
    "duplicates": (Paged, list_duplicates),
}
BACKUP: Actions = {
    "read": (Question, read_backup),
    "state": (Question, read_order),
    "list": (ListBackup, list_backup),
    "try": (RestoreMemories, try_restore),
    "restore": (RestoreMemories, restore),
    "repair": (Question, repair),
    "breaks": (Paged, list_breaks),
    "sign": (Question, sign_anew),
    "doctor": (Question, read_doctor),
}
RECALL: Actions = {"list": (Question, list_recalls), "show": (ShowRecall, show_recall), "ask": (AskRecall, ask_recall)}
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
    fault = find_fault(given, "what is asked", is_own=True)
    if fault is not None:
        raise PageError(str(fault))
    kind, act = actions[name]
    asked = parse_question(kind, given)
    if not kind.asks_folder:
        return act(None, asked)
    folders = agent_zero.memory_folders()
    if asked.folder not in folders:
        raise PageError(f"folder is {shorten(asked.folder)}; allowed: the name of a memory folder of this Agent Zero")
    folder = open_folder(asked.folder)
    if folder is None:
        raise PageError(_OFF)
    return {"folder": asked.folder, "folders": folders, **act(folder, asked)}
