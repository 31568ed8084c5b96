"""The names in the memories of a folder as `ledger.db` keeps them: no text is read twice to be found by its claims."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from ..ledger.history import NameBook, TextNames
from . import db as sqlite
from .database import Database
from .db import StateName, as_text
from .tables import code_digest

#: The packages that read a text; when a file of theirs changes, every text is read again.
_READERS = [Path(__file__).parents[1] / name for name in ("claims", "language")]


class KeptNames:
    """The names in the memories of one folder; `book` begins with those in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.book = NameBook(self._read)

    def _read(self) -> Mapping[str, TextNames]:
        statement = "SELECT memory, text, words FROM name"
        rows, reader = self._database.read(
            lambda db: (db.execute(statement).fetchall(), sqlite.read_state(db, StateName.READER))
        ) or ([], None)
        known = rows if reader == reader_digest() else []
        return {memory_id: TextNames(text, frozenset(words.split())) for memory_id, text, words in known}

    def keep(self) -> None:
        """Write to the database what was read from texts since the last call."""
        fresh = self.book.take_fresh().items()
        rows = [(as_text(key), names.digest, as_text(" ".join(names.words))) for key, names in fresh]
        if rows:
            self._database.change_later(lambda db: _put(db, rows))

    def drop(self, memory_ids: Iterable[str]) -> None:
        """Forget memories that have gone."""
        gone = [(as_text(memory_id),) for memory_id in memory_ids]
        if gone:
            self._database.change_later(lambda db: db.executemany("DELETE FROM name WHERE memory = ?", gone))


def _put(db: sqlite3.Connection, rows: list[tuple[str, str, str]]) -> None:
    if sqlite.read_state(db, StateName.READER) != reader_digest():
        db.execute("DELETE FROM name")
        sqlite.write_state(db, StateName.READER, reader_digest())
    db.executemany("INSERT OR REPLACE INTO name VALUES (?, ?, ?)", rows)


@cache
def reader_digest() -> str:
    """Return a digest of the rules that read texts."""
    return code_digest(*_READERS)
