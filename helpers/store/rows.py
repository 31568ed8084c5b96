"""How the journal, the conflicts and the requests are written as rows of `ledger.db`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from ..clock import format_time
from ..inbox import InboxRequest, read_row
from ..quality.conflict_record import Conflict, write_conflict
from . import db as sqlite

#: How many of the latest lines of the journal are kept, whatever their action.
KEPT_LINES = 20_000
#: After how many lines of the journal the oldest are dropped.
_DROPPED_AT = 1_000
#: The actions of older lines without `changed` that are kept as well: retirements, what ended them, and purges.
_LASTING = frozenset(
    "supersede restore partial reinstate withdraw confirm archive protect reattribute purge".split(),
)
#: How many of the latest conflicts that the rules have settled are kept.
KEPT_SETTLED = 5_000

_PUT_CONFLICT = """
INSERT INTO conflict (id, settled_at, line) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET settled_at = excluded.settled_at, line = excluded.line
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


def insert_lines(db: sqlite3.Connection, lines: Sequence[tuple[str]]) -> None:
    """Add lines to the journal; now and then the oldest are dropped."""
    db.executemany("INSERT INTO event (line) VALUES (?)", lines)
    (last,) = db.execute("SELECT max(number) FROM event").fetchone()
    if last % _DROPPED_AT < len(lines):
        _drop_oldest(db, last - KEPT_LINES)


def _drop_oldest(db: sqlite3.Connection, end: int) -> None:
    """Drop the lines up to number `end`, except, for `undo`, the last of each kind about the same memories."""
    last: dict[tuple[str, ...], int] = {}
    for number, line in db.execute("SELECT number, line FROM event WHERE number <= ? ORDER BY number", (end,)):
        row = sqlite.from_json(line)
        if "changed" in row or str(row.get("action")) in _LASTING:
            last[tuple(str(row.get(key)) for key in ("action", "memory", "winner", "kind"))] = number
    kept = sqlite.to_json([*last.values()])
    db.execute("DELETE FROM event WHERE number <= ? AND number NOT IN (SELECT value FROM json_each(?))", (end, kept))


def put_conflict(db: sqlite3.Connection, one_id: str, conflict: Conflict | None) -> None:
    """Write the present state of a conflict; None if it is gone. Of those that rules have settled the oldest go."""
    if conflict is None:
        db.execute("DELETE FROM conflict WHERE id = ?", (one_id,))
        return
    resolution = None if conflict.is_decided_by_person else conflict.resolution
    settled_at = None if resolution is None else format_time(resolution.resolved_at)
    db.execute(_PUT_CONFLICT, (one_id, settled_at, sqlite.to_json(write_conflict(conflict))))
    if settled_at is not None:
        db.execute(_DROP_OLDEST_CONFLICTS, (KEPT_SETTLED,))


def put_request(db: sqlite3.Connection, request: InboxRequest) -> None:
    """Write a request in the place of what stands under its id."""
    about = None if request.asked is None else request.asked.about
    answered_at = None if request.answer is None else format_time(request.answer.at)
    db.execute(_PUT_REQUEST, (request.id, about, answered_at, sqlite.to_json(request.to_row())))


def read_line(line: str) -> InboxRequest | None:
    """Return the request of a line; None if it is none, or unknown to this version."""
    row = sqlite.from_json(line)
    return read_row(row) if isinstance(row, dict) else None
