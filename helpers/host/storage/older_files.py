"""What versions before `ledger.db` kept in files of their own: read once, moved into the database, and deleted.

What the database holds already stays: it is newer. Of a file with damaged parts the rest is moved; the file is then set
aside, and told.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...clock import parse_time
from ...plain import is_count
from ...store import db as sqlite
from . import damage, files

Row = Mapping[str, Any]
_DAMAGED_LINES = "not readable in some lines; the others are in the database"


@dataclass(frozen=True, slots=True)
class Moved:
    """A file whose content is in the database, but for what could not be read, if it `is_damaged`."""

    path: Path
    is_damaged: bool


def is_any_in(folder: Path) -> bool:
    """Whether a folder holds such a file; some stat calls."""
    return any(os.path.lexists(folder / name) for name in (*_OF_LINES, *_OF_OBJECTS))


def take_in(db: sqlite3.Connection, folder: Path) -> list[Moved]:
    """Put what the files of a folder hold into the database; return those that are not needed any more.

    One that cannot be read now is told, and read another time.
    """
    moved = []
    for name, move_rows in _OF_LINES.items():
        path = folder / name
        with damage.notices.reading(path):
            data = damage.read_bytes(path) if os.path.lexists(path) else None
            if data is not None:
                rows, damaged = files.split_lines(data)
                move_rows(db, rows)
                moved.append(Moved(path, bool(damaged)))
    for name, state in _OF_OBJECTS.items():
        path = folder / name
        if os.path.lexists(path) and (value := files.read_object(path)) is not None:
            _move_state(db, state, value)
            moved.append(Moved(path, is_damaged=False))
    return moved


def remove(moved: Sequence[Moved]) -> None:
    """Delete what has been moved, once that is on the disk; keep what could not be read beside it."""
    for one in moved:
        if one.is_damaged:
            damage.set_aside(one.path, _DAMAGED_LINES)
        else:
            with damage.notices.writing(one.path):
                one.path.unlink(missing_ok=True)


def _move_accesses(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    latest = {
        str(row.get("id")): {
            "memory": row.get("id"),
            "count": row["n"],
            "at": row["at"],
            "cycle": row["cycle"],
            "archive_cycles": sqlite.to_json(row.get("since") or ()),
        }
        for row in rows
        if is_count(row.get("n")) and is_count(row.get("cycle")) and parse_time(row.get("at")) is not None
    }
    _insert(db, "access", latest.values())


def _move_secrets(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    found = [row for row in rows if isinstance(row.get("types"), list)]
    _insert(db, "secret", ({"memory": row.get("id"), "kinds": sqlite.to_json(row["types"])} for row in found))
    for row in rows:
        if isinstance(row.get("guard"), str):
            _move_state(db, "guard", row["guard"])


def _move_purged(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    _insert(db, "purged", ({"memory": row.get("memory"), "line": sqlite.to_json(row)} for row in rows))


def _move_duplicates(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    columns = ("at", "cycle", "a", "b", "cosine", "outcome", "why")
    _insert(db, "duplicate", ({name: row.get(name) for name in columns} for row in rows))


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Row]) -> None:
    """Insert what is not there yet; a row with a value that its column does not take is left out."""
    for row in rows:
        statement = f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):
            db.execute(statement, tuple(row.values()))


def _move_state(db: sqlite3.Connection, name: str, value: object) -> None:
    if sqlite.read_state(db, name) is None:
        sqlite.write_state(db, name, value)


#: The files of one JSON object, and the names under which the state holds them.
_OF_OBJECTS = {
    "duplicates_state.json": "duplicates",
    "ledger_turns.json": "turns",
}
#: The files of lines, and what moves their rows.
_OF_LINES: Mapping[str, Callable[[sqlite3.Connection, Sequence[Row]], None]] = {
    "duplicates.jsonl": _move_duplicates,
    "ledger_accesses.jsonl": _move_accesses,
    "ledger_purged.jsonl": _move_purged,
    "ledger_secrets.jsonl": _move_secrets,
}
