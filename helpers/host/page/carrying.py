"""Moves of memories to another folder of this Agent Zero, exports as JSON Lines, and imports of files.

These are the terminal's `move`, `export` and `import`, over the live folders of this process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ...clock import format_time
from ...errors import Problem, StoreError, shorten
from ...formats.memories import NewMemory, name_memories
from ...formats.reading import read_memories
from ...inbox import Arguments, Arrive, Leave
from ...ledger.adopt import Archived, ArrivalPlan, Header, plan_arrival
from ...quality.conflict_record import Resolver
from ...quality.merging import replace_by_text
from ...service.arguments import MOST_AT_ONCE, ExportMemories, ImportFile, MemoryAction, MoveMemories, ServiceError
from ...service.live import LivePlace
from ...service.rows import Result, find_entries, stamp_of
from ...store.tables import ArchiveReader, to_lines
from ...texts import regex
from .. import agent_zero
from ..adoption.transfers import FolderArchive, ask_to_carry
from ..session import Folder, open_folder
from .acting import CHANGED, GONE, ONE_AT_A_TIME, adopt, stamps_now, waits

_MOST_FAULTS = 20
#: The name of a folder that does not exist yet; one of a project is made by the host.
_NEW_FOLDER = regex(r"[A-Za-z0-9][\w-]{0,59}", re.ASCII)
_IMPORTED = "it is part of a knowledge file, and is recreated wherever that file is"
_RECORD = "it is a vault record, which is deleted under Vault"
_NOT_TAKEN = "the other folder cannot store it as it is"
_TAKEN = "its id already belongs to a different text there"


def move_memories(folder: Folder, asked: MoveMemories) -> Result:
    """Move memories that stand as they were shown to another folder; return which were moved, and why not the others.

    They leave once the other folder holds them on disk; blocking. Raises ServiceError where there is no such folder.
    """
    names = agent_zero.memory_folders()
    if asked.is_new and (not _NEW_FOLDER.fullmatch(asked.target) or asked.target in names):
        raise ServiceError(f"target is {shorten(asked.target)}; allowed: a new name of letters, digits, - and _")
    target = open_folder(asked.target) if asked.is_new or asked.target in {*names} - {asked.folder} else None
    if target is None:
        raise ServiceError(f"target is {shorten(asked.target)}; allowed: another memory folder of this Agent Zero")
    with ONE_AT_A_TIME:
        archive = _archive(folder)
        refused: list[Result] = []
        chosen: list[str] = []
        for shown in {memory.id: memory for memory in asked.memories}.values():
            reason = _why_not(folder, archive, shown.id, shown.stamp)
            if reason:
                refused.append({"id": shown.id, "why": reason})
            else:
                chosen.append(shown.id)
        plan = _plan(target, map(archive.archived, chosen))
        going = [*plan.present, *(archived.id for archived in plan.coming)]
        refused += [{"id": memory_id, "why": _TAKEN} for memory_id in chosen if memory_id not in going]
        if going:
            header = archive.header(len(plan.coming), exported_at=folder.store.clock())
            ask_to_carry(folder.store.folder, target.store.folder, header, plan, _asker(folder, target), leaves=True)
            adopt(target)
            adopt(folder)
        moved = [memory_id for memory_id in going if memory_id not in folder.store and memory_id in target.store]
        staying = [memory_id for memory_id in going if memory_id not in moved]
        waiting = staying if waits(target, Arrive) or waits(folder, Leave) else []
        refused += [{"id": memory_id, "why": _NOT_TAKEN} for memory_id in staying if not waiting]
        return {"done": moved, "refused": refused, "waiting": waiting, "now": stamps_now(target, moved)}


def _archive(folder: Folder) -> FolderArchive:
    return FolderArchive(folder.store.folder, LivePlace(folder).documents())


def _plan(target: Folder, coming: Iterable[Archived]) -> ArrivalPlan:
    held = LivePlace(target).documents().items()
    return plan_arrival(coming, {memory_id: document.page_content for memory_id, document in held})


def _why_not(folder: Folder, archive: FolderArchive, memory_id: str, stamp: str) -> str:
    memory = folder.store.read(memory_id)
    if memory is None or memory_id not in archive:
        return GONE
    if stamp_of(memory) != stamp:
        return CHANGED
    if archive.is_import(memory_id):
        return _IMPORTED
    if (fault := archive.fault(memory_id)) is not None:
        return f"{_NOT_TAKEN}: {fault}"
    return _RECORD if archive.is_record(memory_id) else ""


def _asker(*folders: Folder) -> Any:
    stores = {folder.store.folder: folder.store for folder in folders}

    def ask(place: Any, asked: Arguments) -> None:
        store = stores[place]
        store.requests.inbox.append(asked, at=store.clock(), by=Resolver.OPERATOR.value)

    return ask


def import_file(folder: Folder, asked: ImportFile) -> Result:
    """Import the memories of a file: those of an export with status and history, others as new memories. Blocking.

    Returns how many came, how many are there already, why others did not come, and the `steps` that take it back.
    Raises ServiceError where the file is nothing that can be read.
    """
    archived, faults = _read_file(asked, folder.store.clock())
    plan = _plan(folder, archived)
    header = Header(folder=asked.file, exported_at=folder.store.clock(), memories=len(plan.coming))
    with ONE_AT_A_TIME:
        ask_to_carry(folder.store.folder, folder.store.folder, header, plan, _asker(folder), leaves=False)
        adopt(folder)
        adopt(folder)  # what has come is compared with the rest
    refused = [*faults, *map(str, plan.refused)]
    return {
        "came": len(plan.coming),
        "present": len(plan.present),
        "refused": refused[:_MOST_FAULTS],
        "steps": _steps_back(folder, [archived.id for archived in plan.coming]),
    }


def _steps_back(folder: Folder, ids: Sequence[str]) -> list[Result]:
    """Return the acts that take an import back: what it replaced holds again, and what came is retired."""
    came = [memory for memory in map(folder.store.read, ids) if memory is not None and not memory.is_deprecated]
    lineages = [memory.lineage for memory in came if memory.lineage is not None]
    replaced = {other for lineage in lineages for other in (lineage.supersedes, *lineage.supersedes_ids) if other}
    steps = (
        (MemoryAction.RESTORE, stamps_now(folder, sorted(replaced.difference(ids)))),
        (MemoryAction.RETIRE, stamps_now(folder, [memory.id for memory in came])),
    )
    return [
        {"action": action, "memories": memories[first : first + MOST_AT_ONCE]}
        for action, memories in steps
        for first in range(0, len(memories), MOST_AT_ONCE)
    ]


def _read_file(asked: ImportFile, now: datetime) -> tuple[list[Archived], list[str]]:
    """Return the memories of a file, and its faults in words."""
    try:
        lines = [entry for _, entry in ArchiveReader(asked.file, [*enumerate(asked.text.split("\n"), 1)])]
        return [entry for entry in lines if isinstance(entry, Archived)], [
            str(entry) for entry in lines if isinstance(entry, Problem)
        ]
    except StoreError:
        pass
    reading = read_memories(asked.text.encode("utf-8", "replace"), asked.file)
    faults = [f"{fault.where} {fault.words}".strip() for fault in reading.faults]
    if faults and not reading.memories:
        raise ServiceError(f"{asked.file}: {faults[0]}")
    return [_as_archived(memory_id, memory, now) for memory_id, memory in name_memories(reading.memories)], faults


def _as_archived(memory_id: str, memory: NewMemory, now: datetime) -> Archived:
    """Return a new memory as an export would hold it: confirmed if the file names its source."""
    moment = min(now, memory.stated_at or now)
    if memory.source is None:
        return Archived(id=memory_id, text=memory.text, metadata={"timestamp": format_time(moment)})
    return replace(replace_by_text((), memory.text, source=memory.source, at=moment), id=memory_id)


def export_memories(folder: Folder, asked: ExportMemories) -> Result:
    """Return one page of an export of matching memories, or of the named ones, as lines that `import` reads.

    The first page begins with the header. Blocking, for it reads the journal.
    """
    archive = _archive(folder)
    ids = asked.ids or [entry[0] for entry in find_entries(LivePlace(folder), asked)]
    wanted = [memory_id for memory_id in ids if memory_id in archive]
    some = (archive.archived(memory_id) for memory_id in asked.cut(wanted))
    if asked.page == 1:
        lines = to_lines(archive.header(len(wanted), exported_at=folder.store.clock()), some)
    else:
        lines = "".join(f"{json.dumps(archived.to_row(), ensure_ascii=False)}\n" for archived in some)
    return {**asked.paging(len(wanted)), "lines": lines}
