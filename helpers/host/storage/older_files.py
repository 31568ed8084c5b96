"""What versions before `ledger.db` kept in files of their own: read once, moved into the database, and deleted.

What the database holds already stays: it is newer. Of a file with damaged parts the rest is moved; the file is then set
aside, and told.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
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
    return any(os.path.lexists(folder / name) for name in _OF_LINES)


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
        row["id"]: (row["n"], row["at"], row["cycle"], sqlite.to_json(row.get("since") or ()))
        for row in rows
        if isinstance(row.get("id"), str) and is_count(row.get("n")) and is_count(row.get("cycle"))
        if parse_time(row.get("at")) is not None
    }
    db.executemany(
        "INSERT OR IGNORE INTO access (memory, count, at, cycle, archive_cycles) VALUES (?, ?, ?, ?, ?)",
        ((memory, *counted) for memory, counted in latest.items()),
    )


def _move_secrets(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    for row in rows:
        if isinstance(row.get("guard"), str):
            _move_state(db, "guard", row["guard"])
        elif isinstance(row.get("id"), str) and isinstance(row.get("types"), list):
            db.execute("INSERT OR IGNORE INTO secret VALUES (?, ?)", (row["id"], sqlite.to_json(row["types"])))


def _move_state(db: sqlite3.Connection, name: str, value: object) -> None:
    if sqlite.read_state(db, name) is None:
        sqlite.write_state(db, name, value)


#: The files of lines, and what moves their rows.
_OF_LINES: Mapping[str, Callable[[sqlite3.Connection, Sequence[Row]], None]] = {
    "ledger_accesses.jsonl": _move_accesses,
    "ledger_secrets.jsonl": _move_secrets,
}
