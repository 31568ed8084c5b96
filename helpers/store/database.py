"""`ledger.db` of one memory folder: everything that the pack remembers beside Agent Zero's own files.

Its faults stop no turn. A damaged database is set aside and begun anew; a change that cannot be written is reported,
owed, and made before the next change. A hook never waits for the disk: one thread writes what it leaves behind. Reading
changes nothing in the folder: files of an older version are read as if they stood in the database."""

from __future__ import annotations

import errno
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from . import damage, files, older_files
from . import db as sqlite
from .damage import ProblemLog
from .deadline import IsGivenUp, in_time, keeps_deadlines

_log = logging.getLogger(__name__)

#: The most changes that are owed; beyond, the oldest are dropped.
MOST_OWED = 10_000

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class Database:
    """The database in one memory folder. Thread-safe; an instance that has written nothing costs nothing."""

    def __init__(self, folder: Path, problems: ProblemLog = damage.notices) -> None:
        self.folder = folder
        self.path = folder / files.DATABASE_FILE
        self._problems = problems
        self._owed: dict[object, Work[object]] = {}
        self._owing, self._settling = threading.Lock(), threading.Lock()
        self._writer: threading.Thread | None = None
        self._is_checked = False

    def read(self, query: Work[Result]) -> Result | None:
        """Return the result of a query; None where the database cannot be read, which is reported."""
        with self._problems.reading(self.path):
            return self.ask(query)
        return None

    def ask(self, query: Work[Result]) -> Result:
        """Return the result of a query. Raises OSError where the database cannot be read."""
        return in_time(self.path, lambda _: self._repaired(lambda: self._query(query)), is_reading=True)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; none where the database cannot be read, which is reported."""
        return self.read(lambda db: db.execute(statement, values).fetchall()) or []

    def change(self, work: Work[Result]) -> Result:
        """Do `work` in one transaction, after the owed changes; raises OSError where it cannot be kept."""
        self.settle()
        return self._change(work)

    def change_later(self, work: Work[object], name: object = None) -> None:
        """Owe `work`, and do it at once unless this is a host, where a thread does it; `work` has to be idempotent.

        Work with a `name` replaces the owed work of that name.
        """
        with self._owing:
            self._owed.pop(name, None)
            self._owed[object() if name is None else name] = work
            if len(self._owed) > MOST_OWED:
                del self._owed[next(iter(self._owed))]
            if keeps_deadlines():
                if self._writer is None:
                    self._writer = threading.Thread(target=self._write, name="memory-ledger-database", daemon=True)
                    self._writer.start()
                return
        self.settle()

    def settle(self) -> bool:
        """Make the owed changes; False if they have to wait, which is reported. Blocking."""
        with self._settling:
            with self._owing:
                owed = self._owed.copy()
            if not owed:
                return True
            try:
                with self._problems.writing(self.path):
                    self._change(lambda db: [work(db) for work in owed.values()])
                    self._forget(owed)
                    return True
            except sqlite3.Error:  # a mistake of ours, which would be made again
                _log.exception("%s: some changes are left out", self.path)
                self._forget(owed)
            return False

    def _forget(self, done: dict[object, Work[object]]) -> None:
        """Drop owed changes that are made, or can never be."""
        with self._owing:
            self._owed = {name: work for name, work in self._owed.items() if done.get(name) is not work}

    def _write(self) -> None:
        """Make the owed changes until none is left, or they have to wait."""
        while True:
            is_done = self.settle()
            with self._owing:
                if not (is_done and self._owed):
                    self._writer = None
                    return

    def _change(self, work: Work[Result]) -> Result:
        return in_time(self.path, lambda is_given_up: self._repaired(lambda: self._commit(work, is_given_up)))

    def _repaired(self, work: Callable[[], Result]) -> Result:
        """Do `work` with the database; a damaged one is set aside, and the work done again."""
        with _lock_of(self.path):
            try:
                return work()
            except sqlite.DamagedDatabaseError as exc:
                self._is_checked = False
                journal = self.path.with_name(f"{self.path.name}-journal")
                if journal.exists():  # it would be played into the new database; nobody needs to be told of two files
                    damage.set_aside(journal, str(exc), ProblemLog())
                if not damage.set_aside(self.path, str(exc)):
                    raise OSError(errno.EIO, str(exc), str(self.path)) from exc
            return work()

    def _query(self, query: Work[Result]) -> Result:
        with self._open_to_read() as db:
            return query(db)

    @contextmanager
    def _open_to_read(self) -> Iterator[sqlite3.Connection]:
        is_older = older_files.is_any_in(self.folder)
        if not self.path.exists():
            with closing(sqlite.copy_in_memory()) as empty:
                older_files.take_in(empty, self.folder)
                yield empty
            return
        with sqlite.connect(self.path) as db:
            self._check(db)
            if sqlite.is_newest(db) and not is_older:
                yield db
                return
            with closing(sqlite.copy_in_memory(db)) as copy:
                older_files.take_in(copy, self.folder)
                yield copy

    def _commit(self, work: Work[Result], is_given_up: IsGivenUp) -> Result:
        if not self.path.exists():
            files.create_empty(self.path, files.request_mode(self.path))  # its journal gets the same rights
        with sqlite.connect(self.path) as db:
            self._check(db)
            self._bring_up_to_date(db)
            with sqlite.transaction(db):
                result = work(db)
                if is_given_up():
                    raise OSError(errno.ETIMEDOUT, "nobody waits any more", str(self.path))
            return result

    def _bring_up_to_date(self, db: sqlite3.Connection) -> None:
        """Make the tables of this version, and move in the files of an older version."""
        if sqlite.is_newest(db) and not older_files.is_any_in(self.folder):
            return
        with sqlite.transaction(db):
            sqlite.migrate(db)
            moved = older_files.take_in(db, self.folder)
        older_files.remove(moved)

    def _check(self, db: sqlite3.Connection) -> None:
        """Check a database once, before anybody relies on it."""
        if not self._is_checked:
            sqlite.check(db)
            self._is_checked = True

    def read_bytes(self) -> bytes:
        """Return the bytes of the file. Raises OSError where there is none."""
        with _lock_of(self.path):
            return self.path.read_bytes()

    def copy_to(self, folder: Path) -> None:
        """Write a copy, of the newest version, to another folder."""
        with _lock_of(self.path), self._open_to_read() as db:
            sqlite.copy_to(db, folder / self.path.name)


_locks: dict[Path, threading.Lock] = {}


def _lock_of(path: Path) -> threading.Lock:
    """Return the lock of a file's readers and writers in this process.

    SQLite's own lock keeps out other processes; this process loses it when it closes another handle of the same file.
    """
    return _locks.setdefault(path, threading.Lock())
