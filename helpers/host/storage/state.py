"""Counters that survive a restart: one row of the folder's database (T-06)."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from ...plain import is_count
from ...store import db as sqlite
from ...store.db import StateName
from .database import Database


@dataclass(slots=True)
class FolderState:
    """What is counted for one memory folder: recalls and message loops; `first_seen` once the first look is over.

    Memories up to `unsealed_until` are being sealed. Both moments are ISO 8601. `maintained_at_loop` and
    `linked_at_loop` say how many loops there had been at the last whole maintenance, and rebuild of links. A folder
    that `stands_alone` has no host.
    """

    recall_cycle: int = 0
    loop_count: int = 0
    first_seen: str | None = None
    unsealed_until: str | None = None
    maintained_at_loop: int = 0
    linked_at_loop: int = 0
    stands_alone: bool = False


def find_state(folder: Path) -> FolderState:
    """Return the counters of a memory folder on disk."""
    return read_counters(Database(folder))


def read_counters(database: Database) -> FolderState:
    """Return the counters of a folder; what is missing or not valid starts afresh."""
    return parse_counters(database.read(lambda db: sqlite.read_state(db, StateName.COUNTERS)))


def write_counters(database: Database, state: FolderState) -> None:
    """Keep the counters of a folder, which is made if need be. Raises OSError where that cannot be done now."""
    new = replace(state)
    database.folder.mkdir(parents=True, exist_ok=True)
    database.change(lambda db: _put(db, new))


def write_counters_later(database: Database, state: FolderState) -> None:
    """Do the same, and wait for nothing in a host."""
    new = replace(state)
    database.change_later(lambda db: _put(db, new), StateName.COUNTERS)


def _put(db: sqlite3.Connection, new: FolderState) -> None:
    """Write counters over those of another host, or of a process that could not read them: none goes back."""
    stored = parse_counters(sqlite.read_state(db, StateName.COUNTERS))
    names = [field.name for field in fields(FolderState) if field.type == "int"]
    counts = {name: max(getattr(stored, name), getattr(new, name)) for name in names}
    merged = replace(new, **counts, first_seen=stored.first_seen or new.first_seen)
    row = {name: value for name, value in asdict(merged).items() if value not in (None, False)}
    sqlite.write_state(db, StateName.COUNTERS, row)


def parse_counters(value: Any) -> FolderState:
    """Return the counters that a row of an object holds; a value that is not valid starts afresh."""
    state = FolderState()
    if not isinstance(value, dict):
        return state
    for field in fields(FolderState):
        found = value.get(field.name)
        if is_count(found) if field.type == "int" else isinstance(found, bool if field.type == "bool" else str):
            setattr(state, field.name, found)
    return state
