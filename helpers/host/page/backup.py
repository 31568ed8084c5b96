"""The page of the backup: its age, what the store lacks of it, and restoring; and findings about the installation."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from ...clock import format_time
from ...inbox import BringBack, Repair
from ...service.arguments import Question, ServiceError
from ...service.page_arguments import ListBackup, RestoreMemories
from ...service.rows import Result
from ...store.backup import is_far_fewer
from ...store.backup_file import BackupFile, Contents, id_digest
from ...store.deadline import Throttle
from ...store.files import FileStamp, file_stamp
from ...store.restore import find_heir
from ...store.vault_file import VaultFile
from ...vault.record import VaultRecord
from .. import agent_zero
from ..installation import load_installer
from ..session import Folder
from .orders import is_working, last_answers, order_row, start_order

_CANNOT = "The installation cannot be checked from here; use `python3 install.py doctor` in a terminal."
#: The worst first.
_LEVELS = ("fail", "warn", "ok")
_MOST_CHARACTERS = 2_000
_MOST_SHOWN = 20

#: The last reading of each folder's backup, with the stamp of its file.
_contents: WeakKeyDictionary[Folder, tuple[FileStamp | None, Contents]] = WeakKeyDictionary()
_reading = threading.Lock()


@dataclass(frozen=True, slots=True)
class BackupGap:
    """The differences of a backup and the store of its folder."""

    contents: Contents
    present: Mapping[str, Any]
    missing: Sequence[str]
    deleted: Sequence[str]
    lost_records: Sequence[VaultRecord]


def compare(folder: Folder) -> BackupGap:
    """Compare the backup with the store; blocking, for it reads every line, beside the chats."""
    vault = VaultFile(folder.store.folder)
    contents = _read_contents(folder)
    present = dict(folder.store.db.get_all_docs())
    lost = [record for record in vault.lost() if id_digest(record.id) not in contents.erased]
    missing = folder.backup.wanted(contents, {**present, **dict.fromkeys(record.id for record in lost)})
    deleted = [memory_id for memory_id in contents.deleted if memory_id in contents.places and memory_id not in present]
    return BackupGap(contents, present, missing, deleted[::-1], lost)


def _read_contents(folder: Folder) -> Contents:
    """Return the content of the backup, which is read again only after a change."""
    file = BackupFile(folder.store.folder)
    with _reading:
        stamp = file_stamp(file.path)
        cached = _contents.get(folder)
        if cached is None or cached[0] != stamp:
            cached = _contents[folder] = stamp, file.read(Throttle()) or Contents()
    return cached[1]


def read_backup(folder: Folder, _: Question) -> Result:
    """Return the age of the backup, how much could come back, what disagrees, and the results of earlier orders."""
    stamp = file_stamp(BackupFile(folder.store.folder).path)
    gap = compare(folder)
    torn = folder.store.disagreement()
    return {
        **read_order(folder, _),
        "enabled": folder.settings.backup.enabled,
        "exists": stamp is not None,
        "written": None if stamp is None else format_time(datetime.fromtimestamp(stamp[0] / 1e9, UTC)),
        "bytes": 0 if stamp is None else stamp[1],
        "memories": len(gap.present),
        "backed_up": gap.contents.live_count,
        "is_far_fewer": is_far_fewer(len(gap.present), gap.contents.live_count),
        "missing": len(gap.missing) + len(gap.lost_records),
        "deleted": len(gap.deleted),
        "unreadable": gap.contents.unreadable,
        "torn": {
            "texts": len(torn.without_vector),
            "vectors": len(torn.without_text) + torn.without_id,
            "examples": [_text_of(gap.present, memory_id) for memory_id in torn.without_vector[:_MOST_SHOWN]],
        },
        "answers": last_answers(folder),
    }


def read_order(folder: Folder, _: Question) -> Result:
    """Return the progress of the current order; reads nothing from the disk."""
    return {"is_working": is_working(folder), "order": order_row(folder)}


def _text_of(present: Mapping[str, Any], memory_id: str) -> Result:
    document = present.get(memory_id)
    return {"id": memory_id, "text": "" if document is None else document.page_content[:_MOST_CHARACTERS]}


def list_backup(folder: Folder, asked: ListBackup) -> Result:
    """Return one page of the memories that the store lacks, that were deleted, or that differ in the store."""
    gap = compare(folder)
    if asked.which == "changed":
        changed = [*_changed(folder, gap)]
        return _paged(changed, asked)
    ids = gap.missing if asked.which == "missing" else gap.deleted
    records = [_record_row(record) for record in gap.lost_records] if asked.which == "missing" else []
    rows = [*records, *({"id": memory_id} for memory_id in ids)]
    answer = _paged(rows, asked)
    answer["rows"] = [row if "text" in row else _row(folder, gap, row["id"]) for row in answer["rows"]]
    return answer


def _paged(rows: Sequence[Result], asked: ListBackup) -> Result:
    return {"which": asked.which, **asked.paging(len(rows)), "rows": [*asked.cut(rows)]}


def _changed(folder: Folder, gap: BackupGap) -> Iterator[Result]:
    """Yield rows of the memories whose texts in store and backup differ."""
    places, deleted = gap.contents.places, gap.contents.deleted
    both = [memory_id for memory_id in places if memory_id in gap.present and memory_id not in deleted]
    throttle = Throttle()
    for number, backed_up in enumerate(BackupFile(folder.store.folder).take(gap.contents, both) if both else ()):
        text = gap.present[backed_up.id].page_content
        if text != backed_up.text:
            yield {"id": backed_up.id, "text": backed_up.text[:_MOST_CHARACTERS], "now": text[:_MOST_CHARACTERS]}
        if number % _MOST_SHOWN == 0:
            throttle.rest()


def _record_row(record: VaultRecord) -> Result:
    return {"id": record.id, "text": record.text[:_MOST_CHARACTERS], "is_record": True}


def _row(folder: Folder, gap: BackupGap, memory_id: str) -> Result:
    """Return a memory as the backup holds it, with who deleted it, and the memory that replaces it."""
    held = next(BackupFile(folder.store.folder).take(gap.contents, [memory_id]), None)
    deleted = gap.contents.deleted.get(memory_id)
    heir = find_heir(gap.contents, memory_id, folder.store.read)
    return {
        "id": memory_id,
        "text": "" if held is None else held.text[:_MOST_CHARACTERS],
        "deleted_at": None if deleted is None else format_time(deleted.at),
        "by": "" if deleted is None else deleted.by,
        "heir": None if heir is None else {"id": heir.id, "text": heir.text[:_MOST_CHARACTERS]},
    }


def try_restore(folder: Folder, asked: RestoreMemories) -> Result:
    """Return, as the dry run of a terminal, how many memories would come back, and how many of them retired."""
    gap = compare(folder)
    ids, records = _wanted(gap, asked)
    file, contents = BackupFile(folder.store.folder), gap.contents
    heirs = [
        memory_id
        for memory_id in ids
        if (heir := find_heir(contents, memory_id, folder.store.read)) and not heir.is_deprecated
    ]
    held = file.take(contents, ids[:_MOST_SHOWN]) if ids else ()
    shown = [{"id": memory.id, "text": memory.text[:_MOST_CHARACTERS]} for memory in held]
    return {
        "memories": len(ids),
        "records": len(records),
        "retired": len(heirs),
        "examples": [*map(_record_row, records), *shown][:_MOST_SHOWN],
    }


def restore(folder: Folder, asked: RestoreMemories) -> Result:
    """Restore memories in a thread that nobody waits for, and records of the vault at once."""
    gap = compare(folder)
    ids, records = _wanted(gap, asked)
    if not ids and not records:
        raise ServiceError("Nothing is missing; allowed: memories that are in the backup but not in the store.")
    if ids:
        start_order(folder, BringBack(memories=tuple(ids) if asked.memories else ()))
    if records:
        VaultFile(folder.store.folder).restore(records)
    return {**read_order(folder, asked), "records": len(records)}


def _wanted(gap: BackupGap, asked: RestoreMemories) -> tuple[list[str], list[VaultRecord]]:
    """Return the requested memories and records of the vault; raises ServiceError if one of them cannot come back."""
    if not asked.memories:
        return [*gap.missing], [*gap.lost_records]
    records = [record for record in gap.lost_records if record.id in asked.memories]
    names = {record.id for record in records}
    ids = [memory for memory in dict.fromkeys(asked.memories) if memory not in names]
    if any(memory_id in gap.present for memory_id in ids):
        raise ServiceError("A memory with this id already exists; nothing was done.")
    if any(memory_id not in gap.contents.places for memory_id in ids):
        raise ServiceError("This memory is no longer in the backup; nothing was done.")
    return ids, records


def repair(folder: Folder, asked: Question) -> Result:
    """Repair the vectors in a thread that nobody waits for."""
    start_order(folder, Repair())
    return read_order(folder, asked)


def read_doctor(_: Folder, __: Question) -> dict[str, Any]:
    """Return the findings about the installation, the worst first, without paths of this machine; blocking."""
    root = agent_zero.user_folder().parent
    installer = load_installer()
    if installer is None:
        raise ServiceError(_CANNOT)
    try:
        findings = installer.diagnose(installer.find_host(root))
    except (installer.InstallError, OSError) as exc:
        raise ServiceError(_CANNOT) from exc
    rows = [{"level": finding.level, "text": _without(root, finding.text)} for finding in findings]
    return {"findings": sorted(rows, key=lambda row: _LEVELS.index(row["level"]))}


def _without(root: Path, text: str) -> str:
    return text.replace(f"{root}/", "").replace(str(root), "this folder")
