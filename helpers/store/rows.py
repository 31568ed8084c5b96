"""How the journal, the conflicts and the requests are written as rows of `ledger.db`."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..clock import format_time
from ..inbox import InboxRequest
from ..quality.conflict_record import Conflict, write_conflict
from . import damage, files
from . import db as sqlite

#: How many of the latest lines of the journal are kept, whatever their action.
KEPT_LINES = 20_000
#: After how many lines of the journal the oldest are dropped.
_DROPPED_AT = 1_000
#: The actions of older lines without `changed` that are kept as well: retirements, what ended them, and purges.
_LASTING = frozenset(
    "supersede restore partial reinstate withdraw confirm archive protect reattribute purge".split(),
)
#: How many of the latest conflicts that the rules have settled, or that are gone, are kept.
KEPT_SETTLED = 5_000
#: The time of settlement of a conflict that is gone, since the act that had opened it was taken back.
GONE = ""

_PUT_CONFLICT = """
INSERT INTO conflict (id, settled_at, line) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET settled_at = excluded.settled_at, line = excluded.line
WHERE ? OR line NOT LIKE '%"resolution":{%'
"""
_DROP_OLDEST_CONFLICTS = """
DELETE FROM conflict WHERE number IN (
    SELECT number FROM conflict WHERE settled_at IS NOT NULL ORDER BY settled_at DESC, id DESC LIMIT -1 OFFSET ?
)
"""
_PUT_REQUEST = """
INSERT INTO request (id, about, answered_at, line) VALUES (?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET about = excluded.about, answered_at = excluded.answered_at, line = excluded.line
"""


Lines = list[tuple[str, str]]


def make_lines(rows: Iterable[Mapping[str, Any]]) -> Lines:
    """Return lines for the journal, each with a key of its own, by which it is written once however often it is tried.

    Two lines may be the same otherwise.
    """
    return [(secrets.token_hex(8), sqlite.to_json(row)) for row in rows]


def insert_lines(db: sqlite3.Connection, lines: Lines) -> None:
    """Add lines to the journal, without those that are there already; now and then the oldest are dropped."""
    db.executemany("INSERT INTO event (key, line) VALUES (?, ?) ON CONFLICT DO NOTHING", lines)
    (last,) = db.execute("SELECT max(number) FROM event").fetchone()
    if last % _DROPPED_AT < len(lines):
        _drop_oldest(db, last - KEPT_LINES)


def _drop_oldest(db: sqlite3.Connection, end: int) -> None:
    """Drop the lines up to number `end`, except, for `undo`, the last of each kind about the same memories."""
    last: dict[tuple[str, ...], int] = {}
    for number, line in db.execute("SELECT number, line FROM event WHERE number <= ? ORDER BY number", (end,)):
        row = next(iter(parse_rows([(line,)])), {})
        if "changed" in row or str(row.get("action")) in _LASTING:
            last[tuple(str(row.get(key)) for key in ("action", "memory", "winner", "kind"))] = number
    kept = sqlite.to_json([*last.values()])
    db.execute("DELETE FROM event WHERE number <= ? AND number NOT IN (SELECT value FROM json_each(?))", (end, kept))


def put_conflict(db: sqlite3.Connection, one_id: str, conflict: Conflict | None, *, is_sure: bool = True) -> None:
    """Write the present state of a conflict; None if it is gone, which its row says, for an older copy may be read.

    Unless that `is_sure`, it takes back no decision. Of what rules have settled or what is gone the oldest goes.
    """
    if conflict is None:
        row: dict[str, Any] = {"id": one_id, "taken_back": True}
        settled_at: str | None = GONE
    else:
        row, settled_at = write_conflict(conflict), None
        if conflict.resolution is not None and not conflict.is_decided_by_person:
            settled_at = format_time(conflict.resolution.resolved_at)
    db.execute(_PUT_CONFLICT, (one_id, settled_at, sqlite.to_json(row), is_sure))
    if settled_at is not None:
        db.execute(_DROP_OLDEST_CONFLICTS, (KEPT_SETTLED,))


def export_conflicts(db: sqlite3.Connection, folder: Path) -> None:
    """Write `conflicts.jsonl`, a line for each conflict as it stands. Raises OSError.

    Call it in a transaction: then nothing changes meanwhile, and two exports cannot overtake each other.
    """
    lines = db.execute("SELECT line FROM conflict ORDER BY number").fetchall()
    files.write_atomically(folder / files.CONFLICTS_FILE, "".join(f"{line}\n" for (line,) in lines))


def read_rows(path: Path, table: str, lines: Iterable[tuple[str]]) -> list[dict[str, Any]]:
    """Return the JSON objects in all lines of a table of the database at `path`; how many are none is reported."""
    every = [*lines]
    rows = parse_rows(every)
    damage.note_lines(path, len(every) - len(rows), f"JSON objects in the table {table}; the other rows are read")
    return rows


def parse_rows(lines: Iterable[tuple[str]]) -> list[dict[str, Any]]:
    """Return the JSON objects in some lines."""
    return [row for (line,) in lines if isinstance(row := sqlite.from_json(line), dict)]


def put_request(db: sqlite3.Connection, request: InboxRequest) -> None:
    """Write a request in the place of what stands under its id."""
    about = None if request.asked is None else request.asked.about
    answered_at = None if request.answer is None else format_time(request.answer.at)
    db.execute(_PUT_REQUEST, (request.id, about, answered_at, sqlite.to_json(request.to_row())))
