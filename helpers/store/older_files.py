"""The files that versions before `ledger.db` kept: what is found nowhere else is moved into it, and all are deleted."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..vault.record import parse_contents, write_row
from . import damage, files
from . import db as sqlite
from .db import StateName

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
#: The file of the counters: in the folder of a store that stood alone, beside the folders of a host.
_COUNTERS_FILE, _OWN_NAME, _HOSTS_FOLDER = "state.json", "store", "memory"
#: The folder of the archives whose memories were to arrive.
_ARCHIVES_FOLDER = "ledger_transfers"

#: A file that is not needed any more, or of a file of several folders the entry of one.
Moved = tuple[Path, str | None]


def is_any_in(folder: Path) -> bool:
    """Whether a folder holds a file of an older version; some stat calls."""
    names = (*_DERIVED, _PROPOSALS_FILE, _VAULT_COPY_FILE, _COUNTERS_FILE)
    return any((folder / name).is_file() for name in names) or bool(_archives_in(folder))


def _archives_in(folder: Path) -> list[Path]:
    return sorted((folder / _ARCHIVES_FOLDER).glob("*.jsonl"))


def take_in(db: sqlite3.Connection, folder: Path) -> list[Moved]:
    """Copy the files of a folder into a database, where what it holds already is newer; return the files.

    A file that cannot be read now is reported, and read another time.
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
    return moved


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
            if not (name and _leave_out(path, name)):
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
