"""Permanently delete a memory, for privacy: from the store, and from every file that the pack keeps of it (T-64).

What points to it points nowhere afterwards. The backup keeps a digest of its id alone, so that nothing brings it back.
In the chain a digest of the line that it had stands in its place, from which nobody can tell what it said (Q-31).
Whether it is gone is then looked up, in every file of the memory folder; what still holds it is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...inbox import Erase, without
from ...store import db as sqlite
from ..docstore.locks import change_lock
from ..storage import damage, files
from ..storage.database import Database
from ..storage.inbox import Inbox
from ..storage.leftovers import drop_leftovers
from ..storage.line_store import LineStore
from ..storage.vault_file import VaultFile
from .backup import BackupWriter
from .mentions import OUTSIDE, Trace, left_in
from .rows import BackedUp, erased_row, id_digest, memory_row, read_line
from .versions import Versions

#: Makes the rest of a running host forget a memory; returns what it took out, by where that was.
Forget = Callable[[Trace], dict[str, int]]

_CLEANED_APART = (files.BACKUP_FILE, files.CHAIN_FILE, files.INBOX_FILE, files.VAULT_FILE, files.VAULT_BACKUP_FILE)
_LINEAGE, _WINNER, _REASON = "lineage", "superseded_by", "deprecated_reason"


@dataclass(slots=True)
class Erasure:
    """How much was taken out of which place, and which files still hold it."""

    counts: dict[str, int] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    def add(self, place: str, count: int) -> None:
        """Note what was taken out."""
        if count:
            self.counts[place] = self.counts.get(place, 0) + count

    def words(self) -> str:
        """Return what was done; neither id nor text."""
        found = ", ".join(f"{place} {count}" for place, count in self.counts.items()) or "it was nowhere"
        left = f"still in {', '.join(self.left)}" if self.left else "no file of the folder holds it any more"
        return f"a memory was erased ({found}); {left}; {OUTSIDE}"


def erase(backup: BackupWriter, memory: Versions, forget: Forget) -> Erasure:
    """Erase a memory with its earlier versions and copies; doing it again changes nothing.

    The backup comes last: whatever ends this before, another try still knows what they said. Raises OSError where a
    file cannot be rewritten.
    """
    done = Erasure()
    trace = Trace(memory.ids, memory.texts)
    folder = backup.store.folder
    done.add("earlier versions and copies", len(memory.ids) - 1)

    def forget_elsewhere() -> None:
        for place, count in forget(trace).items():
            done.add(place, count)

    forget_elsewhere()
    backup.store.agent_deletes.forget(trace.ids)
    backup.store.write_owed()  # else it came into a file that has been cleaned
    _bar(backup, trace)
    done.add(files.VAULT_FILE, _erase_records(VaultFile(folder), trace))
    _erase_from_store(backup, trace, done)
    for memory_id in trace.ids:
        backup.store.conflicts.forget(memory_id)
    done.add("files that a crash left", sum(map(drop_leftovers, (folder, folder.parent))))
    for path in sorted(folder.glob("*.jsonl")):
        if path.name not in _CLEANED_APART:
            done.add(path.name, _erase_lines(path, trace))
    done.add(files.INBOX_FILE, _erase_requests(Inbox(folder), trace))
    done.add(files.DATABASE_FILE, _erase_rows(backup.store.database, trace))
    done.add("what was set aside", _erase_set_aside(folder, trace))
    forget_elsewhere()  # again: a turn may have gone on meanwhile, with the memory in its prompt
    _erase_from_backup(backup, trace, done)
    done.left = left_in(folder, trace)
    return done


def _erase_records(vault: VaultFile, trace: Trace) -> int:
    """Leave out every version of the vault's records of these ids; before the store.

    Without its latest line alone an earlier version would hold again, and a document without a line comes back. A
    damaged line that says nothing of it stays: the mirror keeps the memory of that record only for as long.
    """

    def is_erased(line: bytes, row: object) -> bool:
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            return row["id"] in trace.ids
        return trace.is_in_bytes(line)

    return vault.drop(is_erased)


def _bar(backup: BackupWriter, trace: Trace) -> None:
    """Put the digests of the ids on record, which hold from now on, whatever comes between this and the end."""
    contents = backup.file.read()
    known = {} if contents is None else contents.erased
    new = [one for one in map(id_digest, trace.ids) if one not in known]
    backup.file.append(erased_row(one, at=backup.store.clock()) for one in new)


def _erase_from_backup(backup: BackupWriter, trace: Trace, done: Erasure) -> None:
    """Leave out every line about the memory, and what other lines say of it; none that is owed comes after."""
    backup.forgive(trace.ids)
    _bar(backup, trace)
    contents = backup.file.read()
    if contents is None or not trace.is_in_bytes(backup.file.path.read_bytes()):
        return
    count = len({one.id for one in backup.file.lines() if isinstance(one, BackedUp)}.intersection(trace.ids))

    def clean(line: bytes) -> bytes:
        nonlocal count
        found = read_line(line) if trace.is_in_bytes(line) else None
        if not isinstance(found, BackedUp) or not trace.is_in(found.metadata):
            return line
        count += 1
        return files.to_bytes(files.to_line(memory_row(found.id, found.text, trace.without(found.metadata))))

    erased = [erased_row(one.digest, at=one.at) for one in contents.erased.values()]
    if backup.file.rewrite(erased, list(contents.places), contents, clean):
        done.add(files.BACKUP_FILE, count)
    else:  # another process has rewritten it meanwhile
        _erase_from_backup(backup, trace, done)


def _erase_from_store(backup: BackupWriter, trace: Trace, done: Erasure) -> None:
    """Delete the document, take its id out of the metadata of all others, and have the host save."""
    db, store = backup.store.db, backup.store
    with backup.appending, change_lock(backup.memory_class), backup.paused():
        present = [memory_id for memory_id in trace.ids if memory_id in db.get_all_docs()]
        if present:
            db.delete(present)
            done.add("store", len(present))
        backup.erasures += 1
        for other_id, document in db.get_all_docs().items():
            changed = _unlinked(document.metadata, trace)
            if changed:
                document.metadata.update(changed)
                store.rewritten.add(other_id)
                done.add("pointers of others", 1)
        store.is_dirty = True
    store.save()


def _unlinked(metadata: dict[str, Any], trace: Trace) -> dict[str, Any]:
    """Return the keys of one memory's metadata that spoke of the erased one, as they are without it."""
    changed = {key: trace.without(value) for key, value in metadata.items() if key != "id" and trace.is_in(value)}
    before = metadata.get(_LINEAGE)
    if _LINEAGE in changed and isinstance(before, dict) and before.get(_WINNER) != changed[_LINEAGE].get(_WINNER):
        changed[_LINEAGE] = {**changed[_LINEAGE], _REASON: None}
    return changed


def _erase_set_aside(folder: Path, trace: Trace) -> int:
    """Delete what was set aside because it could not be used, and holds it: nothing can be taken out of that."""
    found = [
        path
        for path in files.files_below(folder)
        if (name := str(path.relative_to(folder))).startswith(files.SET_ASIDE) or damage.SUFFIX in name
        if trace.is_in_bytes(path.read_bytes())
    ]
    for path in found:
        path.unlink()
    return len(found)


def _erase_lines(path: Path, trace: Trace) -> int:
    """Leave out the lines that speak of the memory; a damaged one as well."""
    count = 0

    def choose(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        nonlocal count
        kept = [row for row in rows if not trace.is_in(row)]
        count = len(rows) - len(kept)
        return kept

    if trace.is_in_bytes(damage.read_bytes(path) or b""):
        LineStore(path).rewrite(choose, keeps=lambda line: not trace.is_in_bytes(line))
    return count


def _erase_rows(database: Database, trace: Trace) -> int:
    """Delete the rows that speak of the memory; SQLite overwrites them with nothing."""

    def cleaned(text: str) -> str:
        return sqlite.to_json(trace.without(sqlite.from_json(text)))

    return database.change(lambda db: sqlite.erase(db, trace.is_in_bytes, cleaned)).total()


def _erase_requests(inbox: Inbox, trace: Trace) -> int:
    """Take the memory out of what is asked for, which may be about others too; the order to erase it waits still."""
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
