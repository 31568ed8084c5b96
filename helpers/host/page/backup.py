"""The page of the backup: its age, what the store lacks of it, restoring, repairing; the chain and the installation.

Long work is the request of a terminal, carried out in a thread, one at a time for a folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from weakref import WeakKeyDictionary

from ...clock import format_time
from ...inbox import Arguments, BringBack, Repair, SignAnew
from ...quality.chain import Break
from ...quality.conflict_record import Resolver
from ...records import Memory
from ...service.arguments import ListBackup, Question, RestoreMemories, ServiceError
from ...service.inbox import SIGNED
from ...service.rows import Result
from ...store.backup import is_far_fewer
from ...store.backup_file import BackupFile, Contents
from ...store.deadline import Throttle
from ...store.files import CHAIN_FILE, FileStamp, file_stamp
from ...store.restore import find_heir
from ...store.vault_file import VaultFile
from ...vault.record import VaultRecord
from .. import agent_zero
from ..checks import BackupGap, find_gap
from ..installation import load_installer
from ..session import Folder

_CANNOT = "The installation cannot be checked from here; use `python3 install.py doctor` in a terminal."
#: The worst first.
_LEVELS = ("fail", "warn", "ok")
_MOST_CHARACTERS = 2_000
_MOST_SHOWN = 20

#: The last reading of each folder's backup, with the stamp of its file.
_contents: WeakKeyDictionary[Folder, tuple[FileStamp | None, Contents]] = WeakKeyDictionary()
_reading = threading.Lock()


def _compare(folder: Folder) -> BackupGap:
    """Compare the backup, which is read again only after a change, with the store; blocking, beside the chats."""
    file = BackupFile(folder.store.folder)
    with _reading:
        stamp = file_stamp(file.path)
        cached = _contents.get(folder)
        if cached is None or cached[0] != stamp:
            cached = _contents[folder] = stamp, file.read(Throttle()) or Contents()
    return find_gap(file.path.parent, cached[1], dict(folder.store.db.get_all_docs()))


def read_backup(folder: Folder, _: Question) -> Result:
    """Return the age of the backup, how much could come back, what disagrees, and the results of earlier orders."""
    stamp = file_stamp(BackupFile(folder.store.folder).path)
    gap = _compare(folder)
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
            "examples": [
                {"id": memory_id, "text": gap.present[memory_id].page_content[:_MOST_CHARACTERS]}
                for memory_id in torn.without_vector[:_MOST_SHOWN]
                if memory_id in gap.present
            ],
        },
        "answers": last_answers(folder),
    }


def read_order(folder: Folder, _: Question) -> Result:
    """Return the progress of the current order; reads nothing from the disk."""
    thread = folder.store.db.__dict__.get(_KEY)
    is_working = folder.carrying_out is not None and folder.carrying_out.is_alive()
    return {"is_working": is_working, "order": {**thread.row} if isinstance(thread, _Order) else None}


def list_backup(folder: Folder, asked: ListBackup) -> Result:
    """Return one page of the memories that the store lacks, or that were deleted."""
    gap = _compare(folder)
    ids = gap.missing if asked.which == "missing" else gap.deleted
    records = [_record_row(record) for record in gap.lost_records] if asked.which == "missing" else []
    rows = [*records, *({"id": memory_id} for memory_id in ids)]
    return {
        "which": asked.which,
        **asked.paging(len(rows)),
        "rows": [row if "text" in row else _row(folder, gap, row["id"]) for row in asked.cut(rows)],
    }


def _record_row(record: VaultRecord) -> Result:
    return {"id": record.id, "text": record.text[:_MOST_CHARACTERS], "is_record": True}


def _row(folder: Folder, gap: BackupGap, memory_id: str) -> Result:
    """Return a memory as the backup holds it, with who deleted it, and the memory that replaces it."""
    held = next(gap.contents.take([memory_id]), None)
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
    gap = _compare(folder)
    ids, records = _wanted(gap, asked)
    held = gap.contents.take(ids[:_MOST_SHOWN])
    shown = [{"id": memory.id, "text": memory.text[:_MOST_CHARACTERS]} for memory in held]
    return {
        "memories": len(ids),
        "records": len(records),
        "retired": len(gap.find_heirs(ids, folder.store.read)),
        "examples": [*map(_record_row, records), *shown][:_MOST_SHOWN],
    }


def restore(folder: Folder, asked: RestoreMemories) -> Result:
    """Restore memories in a thread that nobody waits for, and records of the vault at once."""
    ids, records = _wanted(_compare(folder), asked)
    if not ids and not records:
        raise ServiceError("Nothing is missing; allowed: memories that are in the backup but not in the store.")
    if ids:
        start_order(folder, BringBack(memories=tuple(ids) if asked.memories else ()))
    if records:
        VaultFile(folder.store.folder).restore(records)
    return {**read_order(folder, asked), "records": len(records)}


def _wanted(gap: BackupGap, asked: RestoreMemories) -> tuple[list[str], list[VaultRecord]]:
    """Return the requested memories and records of the vault; raises ServiceError if one of them cannot come back."""
    ids, records = gap.choose(asked.memories)
    if any(memory_id in gap.present for memory_id in ids):
        raise ServiceError("A memory with this id already exists; nothing was done.")
    if any(memory_id not in gap.contents.lines for memory_id in ids):
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
    texts = (finding.text.replace(f"{root}/", "").replace(str(root), "this folder") for finding in findings)
    rows = [{"level": finding.level, "text": text} for finding, text in zip(findings, texts, strict=True)]
    return {"findings": sorted(rows, key=lambda row: _LEVELS.index(row["level"]))}


_log = logging.getLogger(__name__)

#: The breaks of each folder's chain, with the state of the chain and the memories that was verified.
_found: WeakKeyDictionary[Folder, tuple[object, Sequence[Break]]] = WeakKeyDictionary()

_KEY = "_memory_ledger_asked_order"
_BUSY = "An earlier request is being carried out; wait until it is done."
_FAILED = "it failed; see the server log, and the next turn tries again"
_MOST_PROBLEMS = 20
#: Held while an order is started, for two people may ask at the same time.
_starting = threading.Lock()


class _Order(threading.Thread):
    """Carries out an order; `row` is its progress and its result."""

    def __init__(self, folder: Folder, kind: str) -> None:
        super().__init__(name="memory-ledger-orders", daemon=True)
        self._folder = folder
        began = format_time(folder.store.clock())
        self.row: Result = {"kind": kind, "began": began, "ended": None, "done": 0, "total": 0, "words": ""}
        self.row["problems"] = []

    def run(self) -> None:
        row, folder = self.row, self._folder
        try:
            answers = folder.orders.carry_out(lambda done, total: row.update(done=done, total=total))
            folder.end_turn()
            row["words"] = "; ".join(_plain(folder, answer.words) for answer in answers) or "there was nothing to do"
            problems = [_plain(folder, problem) for answer in answers for problem in answer.problems]
            row["problems"] = problems[:_MOST_PROBLEMS]
        except Exception:  # noqa: BLE001 - the last stop of a thread; the next hook goes on with what is left
            _log.exception("an order was not carried out")
            row["words"] = _FAILED
        finally:
            row["ended"] = format_time(folder.store.clock())


def _plain(folder: Folder, words: str) -> str:
    """Return words without the path of the folder."""
    return words.replace(f"{folder.store.folder}/", "")


def start_order(folder: Folder, asked: Arguments) -> None:
    """Append an order to the inbox and carry it out in a thread; raises ServiceError while another one goes on."""
    with _starting:
        if folder.carrying_out is not None and folder.carrying_out.is_alive():
            raise ServiceError(_BUSY)
        folder.store.requests.inbox.append(asked, at=folder.store.clock(), by=Resolver.OPERATOR.value)
        thread = _Order(folder, asked.kind)
        folder.carrying_out = thread
        folder.store.db.__dict__[_KEY] = thread
        thread.start()


def last_answers(folder: Folder) -> list[Result]:
    """Return the answers to earlier orders, the latest first."""
    rows = [
        {"kind": request.kind, "at": format_time(request.answer.at), "words": _plain(folder, request.answer.words)}
        for request in folder.store.requests.look()
        if request.answer is not None and request.kind in (BringBack.kind, Repair.kind)
    ]
    return sorted(rows, key=lambda row: str(row["at"]), reverse=True)


def find_breaks(folder: Folder) -> Sequence[Break]:
    """Return the breaks of the chain, the lowest line first; blocking, for it verifies every line, beside the chats."""
    store, throttle = folder.store, Throttle()
    state = (file_stamp(store.folder / CHAIN_FILE), store.version, len(store))
    cached = _found.get(folder)
    if cached is not None and cached[0] == state:
        return cached[1]

    def read(memory_id: str) -> Memory | None:
        throttle.rest()
        return store.read_as_found(memory_id)

    breaks = folder.chain.file.verify(read).in_order
    _found[folder] = state, breaks
    return breaks


def sign_anew(folder: Folder, _: Question) -> Result:
    """Sign all memories anew; the journal keeps the breaks, as after `sign-anew`."""
    requests = folder.store.requests
    requests.inbox.append(SignAnew(reason=SIGNED), at=folder.store.clock(), by=Resolver.OPERATOR.value)
    return {"words": "; ".join(request_answer.words for request_answer in requests.run(SignAnew))}
