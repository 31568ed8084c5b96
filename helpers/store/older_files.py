"""The files that earlier versions kept: what is found nowhere else is moved into `ledger.db`, and all are deleted."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..inbox import read_row
from ..quality.conflict_record import parse_conflict
from ..vault.record import parse_contents, write_row
from . import damage, files
from . import db as sqlite
from .db import StateName
from .rows import put_conflict, put_request

#: What these say is found again in the memories: counts since the last save, compared pairs, secrets, recent turns.
_DERIVED = (
    "duplicates.jsonl",
    "duplicates_state.json",
    "ledger_accesses.jsonl",
    "ledger_purged.jsonl",
    "ledger_secrets.jsonl",
    "ledger_turns.json",
)
_PROPOSALS_FILE = "ledger_proposals.json"
_VAULT_COPY_FILE = "vault_backup.jsonl"
_JOURNAL_FILE, _INBOX_FILE = "ledger.jsonl", "ledger_inbox.jsonl"
#: The file of the counters: in the folder of a store that stood alone, beside the folders of a host.
_COUNTERS_FILE, _OWN_NAME, _HOSTS_FOLDER = "state.json", "store", "memory"
#: The folder of the archives whose memories were to arrive.
_ARCHIVES_FOLDER = "ledger_transfers"

#: A file that is not needed any more, or of a file of several folders the entry of one.
Moved = tuple[Path, str | None]
#: Stands for an entry where some lines of a file could not be read: it is set aside.
_DAMAGED = "damaged"


def is_any_in(folder: Path) -> bool:
    """Whether a folder holds a file of an older version; some stat calls."""
    names = (*_DERIVED, _PROPOSALS_FILE, _VAULT_COPY_FILE, _COUNTERS_FILE, _JOURNAL_FILE, _INBOX_FILE)
    return any((folder / name).is_file() for name in names) or bool(_archives_in(folder))


def _archives_in(folder: Path) -> list[Path]:
    return sorted((folder / _ARCHIVES_FOLDER).glob("*.jsonl"))


def take_in(db: sqlite3.Connection, folder: Path, *, is_new: bool) -> list[Moved]:
    """Copy the files of a folder into a database, where what it holds already is newer; return the files.

    A database that `is_new`, or was before there was a table for them, takes in the conflicts as well. A file that
    cannot be read now is reported, and read another time.
    """
    moved: list[Moved] = [(path, None) for name in _DERIVED if (path := folder / name).is_file()]
    moved += _take_in_counters(db, folder)
    report = folder / _PROPOSALS_FILE
    if report.is_file() and (value := files.read_object(report)) is not None:
        _take_in_proposals(db, value)
        moved.append((report, None))
    copy = folder / _VAULT_COPY_FILE
    if copy.is_file():
        with damage.notices.reading(copy):
            records = parse_contents(files.parse_lines(copy, damage.read_bytes(copy) or b"")[0]).latest
            rows = [(record.id, record.version, sqlite.to_json(write_row(record))) for record in records]
            _insert(db, "vault (record, version, line)", rows)
            moved.append((copy, None))
    for path in _archives_in(folder):
        with damage.notices.reading(path):
            lines = enumerate((damage.read_bytes(path) or b"").split(b"\n"), 1)
            arriving = [(path.name, number, line.decode("utf-8", "backslashreplace")) for number, line in lines if line]
            _insert(db, "arrival (archive, number, line)", arriving)
            moved.append((path, None))
    return [*moved, *_take_in_lines(db, folder, is_new=is_new)]


def _take_in_lines(db: sqlite3.Connection, folder: Path, *, is_new: bool) -> Iterator[Moved]:
    """Move the journal and the requests; the conflicts, which stay as an export, are read where a database is new.

    A file that could not be deleted after it had been moved is not moved again: it knows nothing of the answers since.
    """
    takers = {_JOURNAL_FILE: _take_in_journal, _INBOX_FILE: _take_in_requests}
    if is_new:
        takers[files.CONFLICTS_FILE] = _take_in_conflicts
    known = sqlite.read_state(db, StateName.MOVED) or {}
    found = {name: files.file_stamp(folder / name) for name in takers}
    for name, stamp in ((name, [*stamp]) for name, stamp in found.items() if stamp is not None):
        path = folder / name
        with damage.notices.reading(path):
            rows, damaged = files.parse_lines(path, damage.read_bytes(path) or b"")
            if known.get(name) != stamp:
                takers[name](db, rows)
                sqlite.write_state(db, StateName.MOVED, known := {**known, name: stamp})
            if damaged or name != files.CONFLICTS_FILE:
                yield path, _DAMAGED if damaged else None


def _take_in_journal(db: sqlite3.Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Move the lines of the journal before those of the database, unless they are there after a crash."""
    known = {line for (line,) in db.execute("SELECT line FROM event")}
    lines = [line for line in map(sqlite.to_json, rows) if line not in known]
    first = int(db.execute("SELECT coalesce(min(number), 1) FROM event").fetchone()[0])
    db.executemany("INSERT INTO event (number, line) VALUES (?, ?)", enumerate(lines, first - len(lines)))


def _take_in_requests(db: sqlite3.Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Move requests and answers that are not there; what no version so far has written stays as it is."""
    present = {name for (name,) in db.execute("SELECT id FROM request")}
    for row in rows:
        if (request := read_row(row)) is None:
            name = row["id"] if isinstance(row.get("id"), str) else None
            _insert(db, "request (id, line)", [(name, sqlite.to_json(row))])
        elif request.id not in present:
            put_request(db, request)


def take_in_export(db: sqlite3.Connection, folder: Path) -> None:
    """Take in the conflicts of the export, each as it stands there; an export that cannot be read is reported.

    A conflict that it does not name stays: it says of each that has gone that it has.
    """
    path = folder / files.CONFLICTS_FILE
    with damage.notices.reading(path):
        _take_in_conflicts(db, files.parse_lines(path, damage.read_bytes(path) or b"")[0])


def _take_in_conflicts(db: sqlite3.Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Take in the conflicts, of each the last line; a line may say that the act that had opened it was taken back."""
    for row in rows:
        conflict = parse_conflict(row)
        if conflict is not None or row.get("taken_back"):
            put_conflict(db, str(row.get("id")), conflict)
        else:
            _insert(db, "conflict (line)", [(sqlite.to_json(row),)])


def _take_in_counters(db: sqlite3.Connection, folder: Path) -> list[Moved]:
    """Move the counters of a folder from its own file, or from one beside it, as for a project."""
    place = folder.absolute()
    places = [(root, place.relative_to(root).as_posix()) for root in place.parents if root.name == _HOSTS_FOLDER]
    if place.parent.name == ".a0proj":  # v0.9.7 keeps memories outside `usr`
        places += [(root / _HOSTS_FOLDER, f"projects/{place.parents[1].name}") for root in place.parents[3:5]]
    for root, name in ((folder, _OWN_NAME), *places):
        path = root / _COUNTERS_FILE
        counters = (files.read_object(path) or {}).get(name) if path.is_file() else None
        if isinstance(counters, dict):
            if sqlite.read_state(db, StateName.COUNTERS) is None:
                own = {"stands_alone": True} if name == _OWN_NAME else {}
                sqlite.write_state(db, StateName.COUNTERS, {**counters, **own})
            return [(path, name)]
    return [(path, None)] if (path := folder / _COUNTERS_FILE).is_file() else []


def _take_in_proposals(db: sqlite3.Connection, report: dict[str, Any]) -> None:
    """Move the report of proposals, with what a person has said about them, unless there is a newer report."""
    proposals, kept = report.get("proposals"), report.get("except")
    if sqlite.read_state(db, StateName.PROPOSED_AT) is not None or not isinstance(proposals, list):
        return
    sqlite.write_state(db, StateName.PROPOSED_AT, str(report.get("made_at")))
    for row in proposals:
        with contextlib.suppress(LookupError, TypeError):  # not as it was written
            texts, reasons = (row["loser_text"], row["winner_text"]), row["reasons"]
            values = row["loser"], row["winner"], sqlite.to_json(texts), row["rule"], sqlite.to_json(reasons)
            _insert(db, "proposal (loser, winner, texts, rule, reasons, accepted_at)", [(*values, row["accepted_at"])])
    _insert(db, "kept_in_use (memory)", [(memory_id,) for memory_id in kept] if isinstance(kept, list) else ())


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert the rows that are not there yet, without those that a column refuses."""
    for row in rows:
        with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))}) ON CONFLICT DO NOTHING", row)


def remove(moved: Iterable[Moved]) -> None:
    """Delete the moved files, after the database is on the disk."""
    for path, name in moved:
        with damage.notices.writing(path):
            if name is _DAMAGED:
                damage.set_aside(path, "not readable in some lines; the others are in the database")
            elif not (name and _leave_out(path, name)):
                path.unlink(missing_ok=True)
        if path.parent.name == _ARCHIVES_FOLDER:
            with contextlib.suppress(OSError):  # there are others in it
                path.parent.rmdir()


def _leave_out(path: Path, name: str) -> bool:
    """Remove one entry from a file of several; return False if it was the last."""
    with files.only_writer(path):
        rest = {key: entry for key, entry in (files.read_object(path) or {}).items() if key != name}
        if rest:
            files.write_atomically(path, json.dumps(rest, indent=1, sort_keys=True) + "\n")
    return bool(rest)
