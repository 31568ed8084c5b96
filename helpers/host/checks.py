"""The faults of one memory folder, found in its files, each with the command that mends it; read-only.

The judgements are those of other commands: vectors are compared as by `repair`, the chain is verified as by `validate`,
the backup is read as by `restore`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..clock import Clock
from ..door import parse_own_line
from ..errors import Problem, StoreError, reason_of, refusal_of
from ..inbox import InboxRequest
from ..ledger.adopt import KEY_BYTES
from ..records import Memory
from ..settings import Settings
from ..store import damage, files
from ..store.backup import find_missing
from ..store.backup_file import BackupFile, Contents, id_digest
from ..store.damage import ProblemLog
from ..store.database import Database
from ..store.docstore_file import find_disagreement, is_of_host, read_docstore, read_index, read_memories
from ..store.embedding import MiniLM
from ..store.requests import Inbox
from ..store.restore import find_heir
from ..store.saving import leftovers
from ..store.tables import SecretBook
from ..store.vault_file import VaultFile
from ..texts import counted
from ..vault.record import VaultRecord
from .quality.chain import ChainFile

OK, WARN, FAIL = "ok", "warn", "fail"
#: The files that only their owner may read: with them, anybody can forge a status or a signature.
_SECRET = (files.KEY_FILE, files.SIGNING_KEYS_FILE)
_OTHERS = 0o077
_OWN = ("*.jsonl", "*.json")


class Diagnosis(NamedTuple):
    """A finding: its level, the text, and the command that mends it, if one does."""

    level: str
    text: str
    command: str | None = None


class BackupState(NamedTuple):
    """The ids that the store has lost, those that the backup lacks, and the number of damaged lines."""

    lost: tuple[str, ...]
    behind: tuple[str, ...]
    damaged: int


def check_folder(folder: Path, settings: Settings, clock: Clock) -> Iterator[Diagnosis]:
    """Yield the findings about a folder; raises StoreError for any other path."""
    if not folder.is_dir():
        raise StoreError(f"{folder} is not a folder; allowed: a memory folder, such as usr/memory/default")
    yield from _index(folder)
    yield from _backup(folder)
    yield from _files(folder)
    yield from _keys(folder)
    yield from _chain(folder, settings, clock)
    yield from _requests(folder)
    for path in sorted(leftovers(folder)):
        yield Diagnosis(WARN, f"{path.name}: left by a crash", shlex.join(["rm", "-r", str(path)]))
    yield from _secrets(folder)


def _next(folder: Path) -> str:
    return "Agent Zero's next turn" if is_of_host(folder) else "the next command that changes it"


def _command(name: str, folder: Path, *options: str) -> str:
    return shlex.join(["memory-ledger", name, "--folder", str(folder), *options])


def _index(folder: Path) -> Iterator[Diagnosis]:
    try:
        positions, documents = read_docstore(folder)
        index = read_index(folder)
        disagreement = find_disagreement(positions, documents, index.ntotal)
    except StoreError as exc:
        has_backup = (folder / files.BACKUP_FILE).exists() or bool(VaultFile(folder).kept().latest)
        none = "; no backup is there: bring index.pkl and index.faiss back from a copy of the folder"
        command = _command("restore", folder, "--set-aside") if has_backup else None
        yield Diagnosis(FAIL, f"index: {exc}{'' if has_backup else none}", command)
        return
    memories = counted(len(documents), "memory", "memories")
    if index.d != MiniLM.dimension and not is_of_host(folder):
        text = f"index: vectors of {index.d} numbers, and the model of these commands makes {MiniLM.dimension}"
        yield Diagnosis(WARN, f"{text}; only what embeds as it was built can search it")
    if not disagreement:
        yield Diagnosis(OK, f"index: {memories}, each with its vector")
        return
    text = (
        f"index: of {memories} {len(disagreement.without_vector)} without a vector of their own, "
        f"{len(disagreement.without_text)} without a text; "
        f"{counted(disagreement.without_id, 'vector', 'vectors')} without an id"
    )
    yield Diagnosis(FAIL, text, _command("repair", folder))


def compare_backup(folder: Path) -> BackupState | None:
    """Compare the store with its backup; None where there is no backup."""
    contents = BackupFile(folder).read()
    if contents is None:
        return None
    try:
        present = read_docstore(folder)[1]
    except StoreError:
        present = {}
    lost = find_missing(folder, contents, present)
    behind = [memory_id for memory_id in present if memory_id not in contents.lines or memory_id in contents.deleted]
    return BackupState(tuple(lost), tuple(behind), contents.unreadable)


def _backup(folder: Path) -> Iterator[Diagnosis]:
    state = compare_backup(folder)
    if state is None:
        text = "backup: none yet; it is made at the end of the next turn" if is_of_host(folder) else "backup: none kept"
        yield Diagnosis(WARN if is_of_host(folder) else OK, text)
        return
    if state.lost:
        text = f"backup: {counted(len(state.lost), 'memory', 'memories')} of it not in the index"
        yield Diagnosis(FAIL, text, _command("restore", folder))
    if state.behind:
        text = f"backup: {counted(len(state.behind), 'memory', 'memories')} not in it yet; {_next(folder)} adds them"
        yield Diagnosis(WARN, text)
    if state.damaged:
        lines = counted(state.damaged, "damaged line", "damaged lines")
        text = f"backup: {lines} left out; {_next(folder)} writes what the index has of them again"
        yield Diagnosis(WARN, text)
    if not (state.lost or state.behind):
        yield Diagnosis(OK, "backup: holds every memory")


def _files(folder: Path) -> Iterator[Diagnosis]:
    """Check that every file of the pack can be read, and name those that were set aside."""
    own = sorted(path for pattern in _OWN for path in folder.glob(pattern) if damage.SUFFIX not in path.name)
    faults = [fault for path in own if (fault := _fault(path)) is not None]
    yield from (Diagnosis(FAIL, fault) for fault in faults)
    for path in sorted(folder.glob(f"*{damage.SUFFIX}*")):
        text = f"{path.name}: set aside, because it could not be read; delete it once nothing of it is needed"
        yield Diagnosis(WARN, text, shlex.join(["rm", "-r", str(path)]))
    if not faults:
        yield Diagnosis(OK, "files: all can be read")


def _fault(path: Path) -> str | None:
    try:
        data = path.read_bytes()
    except OSError as exc:
        return refusal_of(exc)
    try:
        if path.suffix == ".json":
            damage.parse(data)
            return None
    except ValueError as exc:
        return f"{path.name}: {exc}; allowed: JSON; it is begun anew when it is needed, and kept as {path.name}.damaged"
    lines = enumerate(data.split(b"\n"), 1)
    bad = [number for number, line in lines if line.strip() and isinstance(parse_own_line(line), Problem)]
    if not bad:
        return None
    fault = f"{path.name}: {counted(len(bad), 'line is', 'lines are')} no JSON objects; the others are read"
    return f"{fault}; correct or delete in an editor, while nothing else uses the folder, line {bad[0]}" + (
        " and the like" if len(bad) > 1 else ""
    )


def _keys(folder: Path) -> Iterator[Diagnosis]:
    faults = [*filter(None, (_key_fault(folder / name) for name in _SECRET))]
    yield from faults or [Diagnosis(OK, "keys: only their owner may read them")]


def _key_fault(path: Path) -> Diagnosis | None:
    """Return the fault of the file of a key; None if there is no fault, or no file."""
    try:
        mode, data = path.stat().st_mode, path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as exc:
        return Diagnosis(FAIL, f"{path.name}: {reason_of(exc)}; allowed: a key that Agent Zero's user may read")
    if path.name == files.KEY_FILE and files.parse_key(data) is None:
        text = f"{path.name}: no key; what was written to the index by others cannot be told from what the pack wrote"
        return Diagnosis(FAIL, f"{text}; allowed: {2 * KEY_BYTES} hexadecimal digits; {files.NEW_KEY}")
    if mode & _OTHERS:
        text = f"{path.name}: others may read it (mode {mode & 0o777:o})"
        return Diagnosis(FAIL, text, shlex.join(["chmod", "600", str(path)]))
    return None


def _chain(folder: Path, settings: Settings, clock: Clock) -> Iterator[Diagnosis]:
    if not (folder / files.CHAIN_FILE).exists():
        yield Diagnosis(OK, "chain: none yet")
        return
    try:
        memories = {memory.id: memory for memory in read_memories(folder)}
        report = ChainFile(folder, settings.quality.signature, clock).verify(memories.get)
    except StoreError:  # which was said of the index
        return
    if report.is_intact and not report.signature_errors:
        yield Diagnosis(OK, f"chain: {counted(report.length, 'line', 'lines')}, intact")
        return
    breaks, signatures = len(report.in_order), len(report.signature_errors)
    text = f"chain: {counted(breaks, 'break', 'breaks')}, {counted(signatures, 'wrong signature', 'wrong signatures')}"
    text += f"; look at each, then sign anew, which keeps them on record: {_command('sign-anew', folder)}"
    yield Diagnosis(FAIL, text, _command("validate", folder))


def waiting_requests(folder: Path) -> list[InboxRequest]:
    """Return the unanswered requests."""
    return [request for request in Inbox(folder).read() if request.answer is None]


def _requests(folder: Path) -> Iterator[Diagnosis]:
    if waiting := waiting_requests(folder):
        text = f"requests: {counted(len(waiting), 'request waits', 'requests wait')} for {_next(folder)}"
        yield Diagnosis(WARN, text, _command("status", folder))
    else:
        yield Diagnosis(OK, "requests: none waits")


def count_secrets(folder: Path) -> int:
    """Return how many memories may hold a secret."""
    return len(SecretBook(Database(folder, ProblemLog())).found)


def _secrets(folder: Path) -> Iterator[Diagnosis]:
    if count := count_secrets(folder):
        text = f"secrets: {counted(count, 'memory', 'memories')} may hold one"
        yield Diagnosis(WARN, text, _command("scan", folder))


class BackupGap(NamedTuple):
    """The difference of a backup and the store: ids of memories, and records that only the vault's backup holds."""

    contents: Contents
    present: Mapping[str, Any]
    missing: Sequence[str]
    deleted: Sequence[str]
    lost_records: Sequence[VaultRecord]

    def choose(self, ids: Collection[str]) -> tuple[list[str], list[VaultRecord]]:
        """Return the memories and the lost records with these ids; all that is missing without any."""
        if not ids:
            return [*self.missing], [*self.lost_records]
        records = [record for record in self.lost_records if record.id in ids]
        named = {record.id for record in records}
        return [memory_id for memory_id in dict.fromkeys(ids) if memory_id not in named], records

    def find_heirs(self, ids: Sequence[str], read: Callable[[str], Memory | None]) -> dict[str, Memory]:
        """Return the memories in use that replaced some of `ids`, which come back as retired memories."""
        heirs = ((memory_id, find_heir(self.contents, memory_id, read)) for memory_id in ids)
        return {memory_id: heir for memory_id, heir in heirs if heir is not None and not heir.is_deprecated}


def find_gap(folder: Path, contents: Contents, present: Mapping[str, Any]) -> BackupGap:
    """Compare the backup of a folder with the documents that are `present`."""
    lost = [record for record in VaultFile(folder).lost() if id_digest(record.id) not in contents.erased]
    missing = find_missing(folder, contents, {*present, *(record.id for record in lost)})
    return BackupGap(contents, present, missing, contents.gone(present)[::-1], lost)
