"""Which memories hold what looks like a secret: their ids and of which kind, never the secret itself (V-56, T-22).

It is kept beside them which version of the guard has looked through the whole folder, so that no memory that the pack
knows is looked at twice. Losing this means to look once more.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...store import db as sqlite
from ...store.db import StateName
from .database import Database

_GUARD_FOLDER = Path(__file__).parents[2] / "privacy"

Kinds = tuple[str, ...]


class SecretBook:
    """The findings of one memory folder; it reads them when it is first asked. Not thread-safe by itself."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, Kinds] | None = None
        self._is_whole = False
        self._news: dict[str, Kinds] = {}

    @property
    def found(self) -> Mapping[str, Kinds]:
        """The memories with findings, by id."""
        return self._read()

    @property
    def is_whole(self) -> bool:
        """Whether every memory that the pack had adopted has been looked at by this version of the guard."""
        self._read()
        return self._is_whole

    def _read(self) -> dict[str, Kinds]:
        if self._known is None:
            rows, guard = self._database.read(_query) or ([], None)
            self._known = {memory_id: kinds for memory_id, text in rows if (kinds := _kinds(text))}
            self._is_whole = guard == guard_digest()
        return self._known

    def note(self, memory_id: str, kinds: Iterable[str]) -> bool:
        """Note what was found in a memory, which may be nothing; whether that is news."""
        ordered = tuple(dict.fromkeys(kinds))
        if ordered == self.found.get(memory_id, ()):
            return False
        if not ordered:
            return self.drop([memory_id])
        self._read()[memory_id] = self._news[memory_id] = ordered
        row = (memory_id, sqlite.to_json(ordered))
        self._database.change_later(lambda db: db.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", row))
        return True

    def drop(self, memory_ids: Iterable[str]) -> bool:
        """Forget memories that are gone; whether there was anything to forget."""
        known = self._read()
        gone = [(memory_id,) for memory_id in memory_ids if known.pop(memory_id, None) is not None]
        for (one,) in gone:
            self._news.pop(one, None)
        if gone:
            self._database.change_later(lambda db: db.executemany("DELETE FROM secret WHERE memory = ?", gone))
        return bool(gone)

    def finish(self) -> None:
        """Note that the whole folder has been looked through."""
        if not self.is_whole:
            self._is_whole = True
            self._database.change_later(lambda db: sqlite.write_state(db, StateName.GUARD, guard_digest()))

    def take_news(self) -> dict[str, Kinds]:
        """Return what was found since the last call."""
        news, self._news = self._news, {}
        return news


def _query(db: sqlite3.Connection) -> tuple[list[tuple[str, str]], object]:
    return db.execute("SELECT memory, kinds FROM secret").fetchall(), sqlite.read_state(db, StateName.GUARD)


def _kinds(text: str) -> Kinds:
    found = sqlite.from_json(text)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def guard_digest(guard: Path = _GUARD_FOLDER) -> str:
    """Return what changes with every rule of the guard, in its code or in its tables."""
    sums = hashlib.sha256()
    for path in sorted((*guard.glob("*.py"), *guard.glob("*.json"))):
        sums.update(path.read_bytes())
    return sums.hexdigest()[:16]
