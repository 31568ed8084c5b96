"""Access counts between two saves of the host: kept at every recall, replayed after a crash (C-60).

A row holds the whole count of one memory, so that replaying it twice does no harm. While none can be written, counting
goes on in the live documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...clock import format_time, parse_time
from ...plain import is_count
from ...store import db as sqlite
from .database import Database

_COLUMNS = "memory, count, at, cycle, archive_cycles"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """`memory_id` has been recalled `count` times, last at `at` in recall cycle `cycle`.

    `archive_cycles` are the latest cycles since it was archived, if it is (C-70).
    """

    memory_id: str
    count: int
    at: datetime
    cycle: int
    archive_cycles: tuple[int, ...] = ()

    def to_values(self) -> tuple[object, ...]:
        """Return the columns of its row."""
        return self.memory_id, self.count, format_time(self.at), self.cycle, sqlite.to_json(self.archive_cycles)


class AccessBook:
    """The access counts of one memory folder that its saved index lacks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> Iterator[Access]:
        """Yield the latest count of every memory; what is no count is left out."""
        for memory_id, count, counted_at, cycle, since in self._database.rows(f"SELECT {_COLUMNS} FROM access"):
            at, cycles = parse_time(counted_at), sqlite.from_json(since)
            if is_count(count) and is_count(cycle) and at is not None and isinstance(cycles, list):
                archive_cycles = tuple(filter(is_count, cycles))
                yield Access(memory_id=memory_id, count=count, at=at, cycle=cycle, archive_cycles=archive_cycles)

    def note(self, accesses: Sequence[Access]) -> None:
        """Keep what one recall counted."""
        rows = [access.to_values() for access in accesses]
        statement = f"INSERT OR REPLACE INTO access ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)"
        if rows:
            self._database.change_later(lambda db: db.executemany(statement, rows))

    def last(self) -> int:
        """Return the number of the latest row; 0 where there is none."""
        self._database.settle()
        rows = self._database.rows("SELECT number FROM access ORDER BY number DESC LIMIT 1")
        return int(rows[0][0]) if rows else 0

    def clear(self, last: int) -> None:
        """Remove the rows up to one, which the saved index holds; what came since stays."""
        self._database.change_later(lambda db: db.execute("DELETE FROM access WHERE number <= ?", (last,)))
