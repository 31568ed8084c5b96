"""The files that versions before `ledger.db` kept: read once, moved into the database, and deleted.

Rows that the database holds already stay, since they are newer. The readable part of a damaged file is moved; the file
is then set aside and reported."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..clock import parse_time
from ..foreign import is_count
from . import damage, files
from . import db as sqlite
from .db import StateName

Row = Mapping[str, Any]
_DAMAGED = "not readable in some parts; the others are in the database"


#: The file of the counters: in the folder of a store that stood alone, beside the folders of a host.
_COUNTERS_FILE, _OWN_NAME, _HOSTS_FOLDER = "state.json", "store", "memory"
#: The folder of the archives whose memories were to arrive.
_ARCHIVES_FOLDER = "ledger_transfers"


@dataclass(frozen=True, slots=True)
class Moved:
    """A file whose content, or the readable part of it if it `is_damaged`, is in the database.

    Of a file that several folders share, only the entry `name` has been moved.
    """

    path: Path
    is_damaged: bool = False
    name: str | None = None


def is_any_in(folder: Path) -> bool:
    """Whether a folder holds a file of an older version; some stat calls."""
    return any(os.path.lexists(folder / name) for name in (*_OF_LINES, *_OF_OBJECTS)) or bool(_archives_in(folder))


def _archives_in(folder: Path) -> list[Path]:
    return sorted((folder / _ARCHIVES_FOLDER).glob("*.jsonl")) if (folder / _ARCHIVES_FOLDER).is_dir() else []


def take_in(db: sqlite3.Connection, folder: Path) -> list[Moved]:
    """Copy the files of a folder into a database; return those that are not needed any more.

    A file that cannot be read now is reported, and read another time.
    """
    moved = []
    for name, move_rows in _OF_LINES.items():
        path = folder / name
        with damage.notices.reading(path):
            data = damage.read_bytes(path) if os.path.lexists(path) else None
            if data is not None:
                rows, damaged = files.split_lines(data)
                moved.append(Moved(path, is_damaged=not move_rows(db, rows) or bool(damaged)))
    for name, move_object in _OF_OBJECTS.items():
        path = folder / name
        if os.path.lexists(path) and (value := files.read_object(path)) is not None:
            moved.append(Moved(path, is_damaged=not move_object(db, value)))
    for path in _archives_in(folder):
        with damage.notices.reading(path):
            data = damage.read_bytes(path)
            if data is not None and _insert(db, "arrival", _archive_rows(path.name, data)):
                moved.append(Moved(path))
    if sqlite.read_state(db, StateName.COUNTERS) is None:
        moved += _take_in_counters(db, folder)
    return moved


def _take_in_counters(db: sqlite3.Connection, folder: Path) -> list[Moved]:
    """Move the counters of a folder from a file beside it; a project's stand with the host's other memory folders."""
    place = folder.absolute()
    places = [(root, place.relative_to(root).as_posix()) for root in place.parents if root.name == _HOSTS_FOLDER]
    if place.parent.name == ".a0proj":  # v0.9.7 keeps memories outside `usr`
        places += [(root / _HOSTS_FOLDER, f"projects/{place.parents[1].name}") for root in place.parents[3:5]]
    for root, name in places:
        path = root / _COUNTERS_FILE
        counters = (files.read_object(path) or {}).get(name) if path.exists() else None
        if counters is not None:
            _move_state(db, StateName.COUNTERS, counters)
            return [Moved(path, name=name)]
    return []


def _archive_rows(name: str, data: bytes) -> Iterator[Row]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield {"archive": name, "number": number, "line": line.decode("utf-8", "backslashreplace")}


def remove(moved: Sequence[Moved]) -> None:
    """Delete the moved files, after the database is on the disk; damaged files are set aside."""
    for file in moved:
        if file.is_damaged:
            damage.set_aside(file.path, _DAMAGED)
            continue
        with damage.notices.writing(file.path):
            if not (file.name and _leave_out(file.path, file.name)):
                file.path.unlink(missing_ok=True)
        if file.path.parent.name == _ARCHIVES_FOLDER:
            with contextlib.suppress(OSError):  # there are others in it
                file.path.parent.rmdir()


def _leave_out(path: Path, name: str) -> bool:
    """Remove one entry from a file of several; return False if it was the last."""
    with files.only_writer(path):
        rest = {key: entry for key, entry in (files.read_object(path) or {}).items() if key != name}
        if rest:
            files.write_atomically(path, json.dumps(rest, indent=1, sort_keys=True) + "\n")
    return bool(rest)


# Each of these functions returns whether all rows were valid.


def _move_accesses(db: sqlite3.Connection, rows: Sequence[Row]) -> bool:
    counted = [
        row
        for row in rows
        if is_count(row.get("n")) and is_count(row.get("cycle")) and parse_time(row.get("at")) is not None
    ]
    latest = {
        str(row.get("id")): {
            "memory": row.get("id"),
            "count": row["n"],
            "at": row["at"],
            "cycle": row["cycle"],
            "archive_cycles": sqlite.to_json(row.get("since") or ()),
        }
        for row in counted
    }
    return _insert(db, "access", latest.values()) and len(counted) == len(rows)


def _move_secrets(db: sqlite3.Connection, rows: Sequence[Row]) -> bool:
    rows_with_kinds = [row for row in rows if isinstance(row.get("types"), list)]
    guards = [row["guard"] for row in rows if isinstance(row.get("guard"), str)]
    if guards:
        _move_state(db, StateName.GUARD, guards[-1])
    secrets = ({"memory": row.get("id"), "kinds": sqlite.to_json(row["types"])} for row in rows_with_kinds)
    return _insert(db, "secret", secrets) and len(rows_with_kinds) + len(guards) == len(rows)


def _move_proposals(db: sqlite3.Connection, report: Row) -> bool:
    rows, kept = report.get("proposals"), report.get("except") or []
    if not isinstance(rows, list) or not isinstance(kept, list) or not all(isinstance(row, dict) for row in rows):
        return False
    if sqlite.read_state(db, StateName.PROPOSED_AT) is not None:
        return True
    sqlite.write_state(db, StateName.PROPOSED_AT, str(report.get("made_at")))
    proposals = (
        {
            **{name: row.get(name) for name in ("loser", "winner", "rule", "accepted_at")},
            "texts": sqlite.to_json((str(row.get("loser_text")), str(row.get("winner_text")))),
            "reasons": sqlite.to_json([str(reason) for reason in row.get("reasons") or ()]),
        }
        for row in rows
    )
    return _insert(db, "proposal", proposals) & _insert(
        db, "kept_in_use", ({"memory": memory_id} for memory_id in kept)
    )


def _move_counters(db: sqlite3.Connection, states: Row) -> bool:
    own = states.get(_OWN_NAME)
    counters = {**own, "stands_alone": True} if isinstance(own, dict) else None
    return counters is not None and _move_state(db, StateName.COUNTERS, counters)


def _move_state(db: sqlite3.Connection, name: StateName, value: object) -> bool:
    if sqlite.read_state(db, name) is None:
        sqlite.write_state(db, name, value)
    return True


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> bool:
    """Insert the rows that are not there yet, without those that a column refuses; return whether there were none."""
    is_whole = True
    for row in rows:
        values = f"({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        try:
            db.execute(f"INSERT INTO {table} {values} ON CONFLICT DO NOTHING", tuple(row.values()))
        except (sqlite3.Error, OverflowError, UnicodeEncodeError):
            is_whole = False
    return is_whole


_PAIR_COLUMNS = ("at", "cycle", "a", "b", "cosine", "outcome", "why")
#: The files of lines, with the functions that move their rows.
_OF_LINES: Mapping[str, Callable[[sqlite3.Connection, Sequence[Row]], bool]] = {
    "duplicates.jsonl": lambda db, rows: _insert(
        db, "duplicate", ({name: row.get(name) for name in _PAIR_COLUMNS} for row in rows)
    ),
    "ledger_accesses.jsonl": _move_accesses,
    "ledger_purged.jsonl": lambda db, rows: _insert(
        db, "purged", ({"memory": row.get("memory"), "line": sqlite.to_json(row)} for row in rows)
    ),
    "ledger_secrets.jsonl": _move_secrets,
}
#: The files of one JSON object, with the functions that move it.
_OF_OBJECTS: Mapping[str, Callable[[sqlite3.Connection, Row], bool]] = {
    "duplicates_state.json": lambda db, progress: _move_state(db, StateName.DUPLICATES, progress),
    "ledger_proposals.json": _move_proposals,
    "ledger_turns.json": lambda db, turns: _move_state(db, StateName.TURNS, turns),
    _COUNTERS_FILE: _move_counters,
}
