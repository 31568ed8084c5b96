"""Permanently delete a memory, for privacy: from the store, and from every file of the pack."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..inbox import Erase, without
from ..language.words import content_words, shares_half
from . import damage, files
from . import db as sqlite
from .backup import BackupWriter
from .backup_file import BackedUp, erased_row, id_digest, memory_row, read_line
from .database import Database
from .lines import LineStore
from .order import change_lock, save_lock
from .requests import Inbox
from .saving import is_temporary
from .vault_file import VaultFile
from .versions import Versions

#: The traces of a shorter text are found by its id alone: "yes" stands in too many places.
_SHORTEST_TEXT = 8
_ERASING = b'"kind":"erase"'
#: The places that an erasure cannot reach, named with every erasure.
OUTSIDE = "exports and notes elsewhere, copies of the folder and Agent Zero's chats are not ours to erase"


@dataclass(frozen=True, slots=True)
class Trace:
    """The traces that reveal a memory: its ids, and all its texts that are long enough."""

    ids: tuple[str, ...]
    texts: tuple[str, ...] = ()

    @property
    def _telling(self) -> tuple[str, ...]:
        return tuple(text for text in self.texts if len(text) >= _SHORTEST_TEXT)

    def is_in_text(self, text: str) -> bool:
        """Whether a text names an id, alone, in a list or at the end of an item, or contains a text of the memory."""
        if any(memory_id in text for memory_id in self.ids):
            named = {item.rstrip().rpartition(" ")[2].removeprefix("m:") for item in text.split(",")}
            if not named.isdisjoint(self.ids):
                return True
        return any(passage in text for passage in self._telling)

    def is_talked_of(self, text: str) -> bool:
        """Whether something said in a chat may be about the memory: it shares half of its words, or a number."""
        spoken = content_words(text)
        for words in map(content_words, self.texts):
            if (
                shares_half(words, spoken)
                or shares_half(spoken, words)
                or any(map(str.isdigit, "".join(words & spoken)))
            ):
                return True
        return False

    def is_in(self, value: Any) -> bool:
        """Whether a JSON value reveals the memory, at any depth."""
        waiting = [value]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                if self.is_in_text(part):
                    return True
            elif isinstance(part, dict):
                waiting += [*part.keys(), *part.values()]
            elif isinstance(part, list | tuple):
                waiting += part
        return False

    def without(self, value: Any) -> Any:
        """Return another memory's metadata without any trace of this memory; a new object if anything changes."""
        if not self.is_in(value):
            return value
        if isinstance(value, str):
            items = [item for item in value.split(",") if not self.is_in_text(item)]
            return ",".join(items) or None
        if isinstance(value, dict):
            return {key: self.without(member) for key, member in value.items() if not self.is_in(key)}
        members = [
            member if isinstance(member, dict) else self.without(member)
            for member in value
            if not self._is_member(member)
        ]
        return [self.without(member) for member in members if member is not None]

    def _is_member(self, value: Any) -> bool:
        """Whether a whole member of a list goes: an id of the memory, or an object that points to it."""
        if isinstance(value, str):
            return self.is_in_text(value)
        return isinstance(value, dict) and any(
            isinstance(member, str) and self.is_in_text(member) for member in value.values()
        )

    def is_in_bytes(self, data: bytes) -> bool:
        """Whether the bytes of a file reveal the memory, in any format."""
        return any(
            passage in data
            for passage in (*(memory_id.encode("utf-8", "surrogatepass") for memory_id in self.ids), *self._passages())
        )

    def cut_from(self, data: bytes) -> bytes:
        """Return the bytes of a file without the texts of the memory."""
        for passage in sorted(self._passages(), key=len, reverse=True):
            data = data.replace(passage, b"")
        return data

    def _passages(self) -> Iterator[bytes]:
        """Yield the texts as bytes of a file: plain, in JSON, and in JSON with escapes."""
        for text in self._telling:
            yield files.to_bytes(text)
            yield files.to_bytes(json.dumps(text, ensure_ascii=False)[1:-1])
            yield json.dumps(text)[1:-1].encode("ascii")


def files_with(trace: Trace, folder: Path, beside: tuple[Path, ...] = ()) -> Iterator[Path]:
    """Yield every file in a memory folder, and every file of `beside`, that reveals a memory."""
    for path in (*files.files_below(folder), *(extra for extra in beside if extra.is_file())):
        try:
            data = Database(path.parent).read_bytes() if path.name == files.DATABASE_FILE else path.read_bytes()
        except FileNotFoundError:  # a running host puts a new file in place; that one is looked at by its own name
            continue
        if trace.is_in_bytes(data):
            yield path


def _asks(inbox: Path, trace: Trace) -> bool:
    """Whether a request in the inbox, other than one to erase, reveals a memory."""
    lines = inbox.read_bytes().split(b"\n")
    return any(trace.is_in_bytes(line) for line in lines if _ERASING not in line)


def left_in(folder: Path, trace: Trace) -> list[str]:
    """Return the names of the files, in a memory folder and beside it, that reveal a memory."""
    beside = folder.parent / files.CO_RETRIEVAL_FILE
    paths = [
        path for path in files_with(trace, folder, (beside,)) if path.name != files.INBOX_FILE or _asks(path, trace)
    ]
    return [str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name for path in paths]


#: Makes the rest of a running host forget a memory; returns how much was removed, by place.
Forget = Callable[[Trace], dict[str, int]]

_CLEANED_APART = (files.BACKUP_FILE, files.CHAIN_FILE, files.INBOX_FILE, files.VAULT_FILE)
_LINEAGE, _WINNER, _REASON = "lineage", "superseded_by", "deprecated_reason"


@dataclass(slots=True)
class Erasure:
    """The number of removals by place, and the files that still reveal the memory."""

    counts: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    def add(self, place: str, count: int) -> None:
        """Add to the number of removals at a place."""
        if count:
            self.counts[place] = self.counts.get(place, 0) + count

    def words(self) -> str:
        """Return the outcome in words, without id or text."""
        places = ", ".join(f"{place} {count}" for place, count in self.counts.items()) or "it was nowhere"
        rest = f"still in {', '.join(self.left)}" if self.left else "no file of the folder holds it any more"
        return f"a memory was erased ({places}); {rest}; {OUTSIDE}"


def erase(backup: BackupWriter, memory: Versions, forget: Forget) -> Erasure:
    """Erase a memory with its earlier versions and copies; a second call changes nothing.

    The backup comes last: after any failure before it, another try still knows the texts. Raises OSError where a file
    cannot be rewritten.
    """
    erasure = Erasure()
    trace = Trace(memory.ids, memory.texts)
    folder = backup.store.folder
    erasure.add("earlier versions and copies", len(memory.ids) - 1)

    def forget_elsewhere() -> None:
        for place, count in forget(trace).items():
            erasure.add(place, count)

    forget_elsewhere()
    backup.store.agent_deletes.forget(trace.ids)
    backup.store.write_owed()  # else it came into a file that has been cleaned
    _bar(backup, trace)
    erasure.add(files.VAULT_FILE, _erase_records(VaultFile(folder), trace))
    _erase_from_store(backup, trace, erasure)
    for memory_id in trace.ids:
        backup.store.conflicts.forget(memory_id)
    for path in sorted(folder.glob("*.jsonl")):
        if path.name not in _CLEANED_APART:
            erasure.add(path.name, _erase_lines(path, trace))
    erasure.add(files.INBOX_FILE, _erase_requests(Inbox(folder), trace))
    erasure.add(files.DATABASE_FILE, _erase_rows(backup.store.database, trace))
    with save_lock(backup.memory_class):  # what is being saved is no leftover
        erasure.add("what was set aside", _erase_set_aside(folder, trace))
    forget_elsewhere()  # again: a turn may have gone on meanwhile, with the memory in its prompt
    _erase_from_backup(backup, trace, erasure)
    erasure.left = left_in(folder, trace)
    return erasure


def _erase_records(vault: VaultFile, trace: Trace) -> int:
    """Remove every version of the vault's records of these ids and return how many lines; call it before the store.

    Without its latest line alone an earlier version would hold again, and a document without a line comes back. Other
    damaged lines stay: while they are there, the mirror keeps the memories of lost records.
    """

    def is_erased(line: bytes, row: object) -> bool:
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            return row["id"] in trace.ids
        return trace.is_in_bytes(line)

    return vault.drop(is_erased)


def _bar(backup: BackupWriter, trace: Trace) -> None:
    """Record the digests of the ids, which bar the memory from now on, whatever interrupts the erasure."""
    contents = backup.file.read()
    erased = {} if contents is None else contents.erased
    new = [digest for digest in map(id_digest, trace.ids) if digest not in erased]
    backup.file.append(erased_row(digest, at=backup.store.clock()) for digest in new)


def _erase_from_backup(backup: BackupWriter, trace: Trace, erasure: Erasure) -> None:
    """Remove every line about the memory from the backup, owed lines too, and its traces from other lines."""
    backup.forgive(trace.ids)
    _bar(backup, trace)
    contents = backup.file.read()
    if contents is None or not trace.is_in_bytes(backup.file.path.read_bytes()):
        return
    count = len({entry.id for entry in backup.file.lines() if isinstance(entry, BackedUp)}.intersection(trace.ids))

    def clean(line: bytes) -> bytes:
        nonlocal count
        entry = read_line(line) if trace.is_in_bytes(line) else None
        if not isinstance(entry, BackedUp) or not trace.is_in(entry.metadata):
            return line
        count += 1
        return files.to_bytes(files.to_line(memory_row(entry.id, entry.text, trace.without(entry.metadata))))

    erased = [erased_row(barred.digest, at=barred.at) for barred in contents.erased.values()]
    if backup.file.rewrite(erased, list(contents.lines), contents, clean):
        erasure.add(files.BACKUP_FILE, count)
    else:  # another process has rewritten it meanwhile
        _erase_from_backup(backup, trace, erasure)


def _erase_from_store(backup: BackupWriter, trace: Trace, erasure: Erasure) -> None:
    """Delete the documents, remove their ids from the metadata of all others, and have the host save."""
    db, store = backup.store.db, backup.store
    with backup.appending, change_lock(backup.memory_class), backup.paused():
        present = [memory_id for memory_id in trace.ids if memory_id in db.get_all_docs()]
        if present:
            db.delete(present)
            erasure.add("store", len(present))
        backup.erasures += 1
        for other_id, document in db.get_all_docs().items():
            changed = _unlinked(document.metadata, trace)
            if changed:
                document.metadata.update(changed)
                store.rewritten.add(other_id)
                erasure.add("pointers of others", 1)
        store.is_dirty = True
    store.save()


def _unlinked(metadata: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """Return those keys of another memory's metadata that named the erased memory, with their new values."""
    changed = {key: trace.without(value) for key, value in metadata.items() if key != "id" and trace.is_in(value)}
    before = metadata.get(_LINEAGE)
    if _LINEAGE in changed and isinstance(before, dict) and before.get(_WINNER) != changed[_LINEAGE].get(_WINNER):
        changed[_LINEAGE] = {**changed[_LINEAGE], _REASON: None}
    return changed


def _erase_set_aside(folder: Path, trace: Trace) -> int:
    """Delete the files set aside or left by a crash that reveal the memory, and return how many."""
    count = 0
    for path in (*files.files_below(folder), *filter(Path.is_file, folder.parent.glob(".*.tmp"))):
        name = str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name
        if name.startswith(files.SET_ASIDE) or damage.SUFFIX in name or is_temporary(name.split("/")[0]):
            with contextlib.suppress(FileNotFoundError):  # it was being written, and is in place
                if trace.is_in_bytes(path.read_bytes()):
                    path.unlink()
                    count += 1
    return count


def _erase_lines(path: Path, trace: Trace) -> int:
    """Remove the lines that reveal the memory, damaged ones too, and return how many."""
    count = 0

    def choose(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        nonlocal count
        rest = [row for row in rows if not trace.is_in(row)]
        count = len(rows) - len(rest)
        return rest

    if trace.is_in_bytes(damage.read_bytes(path) or b""):
        LineStore(path).rewrite(choose, keeps=lambda line: not trace.is_in_bytes(line))
    return count


def _erase_rows(database: Database, trace: Trace) -> int:
    """Delete the rows that reveal the memory, which SQLite overwrites, and return how many."""

    def cleaned(text: str) -> str:
        return sqlite.to_json(trace.without(sqlite.from_json(text)))

    return database.change(lambda db: sqlite.erase(db, trace.is_in_bytes, cleaned)).total()


def _erase_requests(inbox: Inbox, trace: Trace) -> int:
    """Remove the memory from all requests but the order to erase it; return how many of them named it."""
    count = 0

    def clean(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        nonlocal count
        spoken = [row.get("kind") != Erase.kind and trace.is_in(row) for row in rows]
        count = sum(spoken)
        cleaned = (without(row, trace.without) if is_in else row for row, is_in in zip(rows, spoken, strict=True))
        return [row for row in cleaned if row is not None and (row.get("kind") == Erase.kind or not trace.is_in(row))]

    if trace.is_in_bytes(damage.read_bytes(inbox.path) or b""):
        inbox.rewrite(clean, keeps=lambda line: not trace.is_in_bytes(line))
    return count
