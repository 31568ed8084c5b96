"""What deduplication remembers of a store: the candidate pairs, and how far it has looked (E-46).

Losing either costs time only: everything is looked at once more.
"""

from __future__ import annotations

import base64
import binascii
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from ...store import db as sqlite
from ...store.db import StateName
from .database import Database

Marks = npt.NDArray[np.uint64]
Row = Mapping[str, Any]

#: So many of the latest rows are kept.
KEPT_ROWS = 20_000
#: Pairs beyond these are not noted down to wait; they are found again when all is looked at anew.
_MOST_WAITING = 200_000
_COLUMNS = ("at", "cycle", "a", "b", "cosine", "outcome", "why")


def note_pairs(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Keep what became of candidate pairs, and of all the latest ones."""
    statement = f"INSERT OR IGNORE INTO duplicate ({', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?)"
    db.executemany(statement, ([row[name] for name in _COLUMNS] for row in rows))
    db.execute("DELETE FROM duplicate WHERE number <= (SELECT max(number) FROM duplicate) - ?", (KEPT_ROWS,))


def read_pairs(database: Database) -> list[dict[str, Any]]:
    """Return what became of each pair the last time that it was looked at, the latest last."""
    statement = f"""
        SELECT {", ".join(_COLUMNS)}, max(number) FROM duplicate
        GROUP BY min(a, b), max(a, b) ORDER BY max(number)
    """
    return [dict(zip(_COLUMNS, row, strict=False)) for row in database.rows(statement)]


@dataclass(slots=True)
class Progress:
    """Which memories have been compared with each other under `key`, and the pairs that an action waits for."""

    key: str
    seen: Marks = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    waiting: list[tuple[str, str, float]] = field(default_factory=list)


def mark_of(memory_id: str, text: str) -> int:
    """Return a number that stands for a memory as it is worded now."""
    return int.from_bytes(blake2b(f"{memory_id}\0{text}".encode(errors="replace"), digest_size=8).digest(), "little")


def read_progress(database: Database, key: str) -> Progress:
    """Return how far the last run came; from the beginning where it went by other settings, or is not known."""
    found = database.read(lambda db: sqlite.read_state(db, StateName.DUPLICATES))
    if not isinstance(found, dict) or found.get("key") != key:
        return Progress(key)
    try:
        seen = np.frombuffer(base64.b64decode(found["seen"], validate=True), dtype="<u8").astype(np.uint64)
        waiting = [(str(one), str(other), float(cosine)) for one, other, cosine in found["waiting"]]
    except (KeyError, TypeError, ValueError, binascii.Error):
        return Progress(key)
    return Progress(key, seen, waiting)


def write_progress(database: Database, progress: Progress) -> None:
    """Note how far a run came, in one step; raises OSError where it cannot be kept."""
    seen = base64.b64encode(np.sort(progress.seen).astype("<u8").tobytes()).decode("ascii")
    value = {"key": progress.key, "seen": seen, "waiting": progress.waiting[:_MOST_WAITING]}
    database.change(lambda db: sqlite.write_state(db, StateName.DUPLICATES, value))
