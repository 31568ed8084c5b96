"""The memories that were recalled together: rows of `ledger.db`, and the file that is made of them.

One file serves every memory folder of a host. The rows of the folder `default` have exactly the keys of the
specification; those of another folder name it besides, and stay as they are when this folder writes its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..clock import parse_time
from ..foreign import is_count
from ..setting_groups import CoRetrieval
from . import db as sqlite
from . import files
from .damage import ProblemLog, parse, read_bytes
from .database import Database
from .db import StateName

Row = dict[str, Any]

_MAX_ENTRIES, _ENTRIES, _CANDIDATES, _FOLDER = "max_entries", "entries", "cluster_candidates", "memory_subdir"
_DEFAULT_FOLDER = "default"

_ADD_MEMORIES = """
INSERT OR IGNORE INTO recalled (recall, memory)
SELECT number, value FROM recall, json_each(?) WHERE at = ? AND cycle = ?
"""
_EVICT = "DELETE FROM recall WHERE number NOT IN (SELECT number FROM recall ORDER BY number DESC LIMIT ?)"
_LIST_ENTRIES = """
SELECT json_object(
    'timestamp', substr(at, 1, 19) || 'Z',
    'query_domain', domain,
    'memory_ids', json((SELECT json_group_array(memory) FROM
        (SELECT memory FROM recalled WHERE recall = number ORDER BY recalled.rowid))),
    'cycle', cycle
) FROM recall ORDER BY number
"""
_LIST_PAIRS = """
SELECT json_object(
    'memory_ids', json_array(one.memory, other.memory),
    'co_retrieval_count', count(*),
    'first_seen', substr(min(at), 1, 19) || 'Z',
    'last_seen', substr(max(at), 1, 19) || 'Z'
) FROM recall
JOIN recalled one ON one.recall = number JOIN recalled other ON other.recall = number AND one.memory < other.memory
GROUP BY one.memory, other.memory HAVING count(*) > ? ORDER BY count(*) DESC, one.memory, other.memory
"""


class CoRetrievalLog:
    """The latest recalls of one memory folder; the file, in `root`, is reported to `problems` where it cannot be used.

    Every call takes the current settings.
    """

    def __init__(self, root: Path, database: Database, memory_subdir: str, problems: ProblemLog) -> None:
        self._path = root / files.CO_RETRIEVAL_FILE
        self._database = database
        self._folder = memory_subdir
        self._problems = problems
        self._is_due = False

    def append(
        self, memory_ids: Iterable[str], settings: CoRetrieval, *, at: datetime, cycle: int, query_domain: str | None
    ) -> None:
        """Append a recall of a turn about `query_domain`, if that is known; a host does not wait until it is kept."""
        if not settings.enabled:
            return
        entry = _to_text(at), query_domain, cycle, [*memory_ids]

        def work(db: sqlite3.Connection) -> None:
            self._begin(db, settings)
            _insert(db, *entry)
            db.execute(_EVICT, (sqlite.read_state(db, StateName.RECALLS) or settings.max_entries,))

        self._database.change_later(work)
        self._is_due = True

    def end_turn(self, settings: CoRetrieval) -> None:
        """Write the file if there was a recall since it was written. Blocking."""
        if self._is_due:
            self._is_due = False
            self.export(settings)

    def forget(self, memory_ids: Iterable[str], settings: CoRetrieval) -> int:
        """Remove memories from all recalls, even while the log is switched off; return how many recalls named them.

        Raises OSError where the database cannot be written. Blocking.
        """
        ids = [*map(sqlite.as_text, memory_ids)]

        def work(db: sqlite3.Connection) -> int:
            self._begin(db, settings)
            return db.executemany("DELETE FROM recalled WHERE memory = ?", [(memory_id,) for memory_id in ids]).rowcount

        count = self._database.change(work)
        if self._path.exists():
            self.export(settings, erased=ids)
        return count

    def export(self, settings: CoRetrieval, *, erased: Collection[str] = ()) -> int:
        """Write the file, with the pairs that are often recalled together; return how many pairs. Blocking.

        Rows of other folders stay, unless they name one of the `erased` memories.
        """
        with self._problems.writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with files.only_writer(self._path):
                try:
                    return self._write(settings, erased)
                finally:
                    if (stamp := files.file_stamp(self._path)) and not stamp[1]:  # made to be locked, and left empty
                        self._path.unlink()
        return 0

    def _write(self, settings: CoRetrieval, erased: Collection[str]) -> int:
        file = self._read()
        kept = _read_size(file) or settings.max_entries
        self._database.change_later(lambda db: self._resize(db, settings, kept))
        is_read = self._database.settle()  # else the file may hold what the database does not
        listed = self._database.read(lambda db: self._list(db, settings.cluster_threshold)) if is_read else None
        if listed is None:
            return 0
        value: Row = {_MAX_ENTRIES: kept}
        for name, own in zip((_ENTRIES, _CANDIDATES), listed, strict=True):
            others = (row for row in _rows(file, name) if not self._is_own(row))
            value[name] = [*(row for row in others if not _names_any(row, erased)), *own]
        files.write_atomically(self._path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
        return len(listed[1])

    def _begin(self, db: sqlite3.Connection, settings: CoRetrieval) -> None:
        """Take in the recalls of the file once: an earlier version kept them there, and a new database has none."""
        if sqlite.read_state(db, StateName.RECALLS) is not None:
            return
        with self._problems.reading(self._path):
            file = self._read()
            for row in filter(self._is_own, _rows(file, _ENTRIES)):
                ids, moment, cycle = row.get("memory_ids"), parse_time(row.get("timestamp")), row.get("cycle")
                if moment is not None and is_count(cycle) and isinstance(ids, list):
                    with suppress(OverflowError):  # a moment that no calendar has in UTC
                        _insert(db, _to_text(moment), row.get("query_domain"), cycle, ids)
            sqlite.write_state(db, StateName.RECALLS, _read_size(file) or settings.max_entries)

    def _resize(self, db: sqlite3.Connection, settings: CoRetrieval, kept: int) -> None:
        self._begin(db, settings)
        sqlite.write_state(db, StateName.RECALLS, kept)
        db.execute(_EVICT, (kept,))

    def _read(self) -> Row:
        """Return the object in the file, an empty one if there is none. Raises OSError."""
        with suppress(ValueError):
            value = parse(read_bytes(self._path) or b"{}")  # an empty file was made to be locked
            return value if isinstance(value, dict) else {}
        return {}

    def _is_own(self, row: Row) -> bool:
        return bool(row.get(_FOLDER, _DEFAULT_FOLDER) == self._folder)

    def _list(self, db: sqlite3.Connection, threshold: int) -> tuple[list[Row], list[Row]]:
        """Return the recalls, and the pairs that more than `threshold` of them name, the most frequent first."""
        folder = {} if self._folder == _DEFAULT_FOLDER else {_FOLDER: self._folder}
        entries, pairs = db.execute(_LIST_ENTRIES).fetchall(), db.execute(_LIST_PAIRS, (threshold,)).fetchall()
        return [json.loads(row) | folder for (row,) in entries], [json.loads(row) | folder for (row,) in pairs]


def _insert(db: sqlite3.Connection, at: str, domain: object, cycle: int, memory_ids: Sequence[object]) -> None:
    """Insert a recall, which happens once however often it is inserted."""
    words = sqlite.as_text(domain) if isinstance(domain, str) else None
    ids = [sqlite.as_text(memory_id) for memory_id in memory_ids if isinstance(memory_id, str)]
    db.execute("INSERT OR IGNORE INTO recall (at, cycle, domain) VALUES (?, ?, ?)", (at, cycle, words))
    db.execute(_ADD_MEMORIES, (sqlite.to_json(ids), at, cycle))


def _rows(file: Row, name: str) -> list[Row]:
    rows = file.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _names_any(row: Row, memory_ids: Iterable[str]) -> bool:
    text = json.dumps(row)
    return any(json.dumps(memory_id) in text for memory_id in memory_ids)


def _read_size(file: Row) -> int | None:
    """Return how many recalls the log of each folder keeps, if the file says so."""
    size = file.get(_MAX_ENTRIES)
    return size if is_count(size) and size > 0 else None


def _to_text(moment: datetime) -> str:
    """Return a moment as the database keeps it: texts of one length, the earlier one first."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
