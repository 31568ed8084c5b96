"""`ledger.db` of one memory folder: everything that the pack remembers beside Agent Zero's own files.

Its faults stop no turn. A damaged database is set aside, and a copy of its backup takes its place, as it does where the
database is missing or empty; a change that cannot be written is reported, owed, and made before the next change. A hook
never waits for the disk: one thread writes what it leaves behind. Reading changes nothing in the folder: files of an
older version are read as if they stood there.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from ..errors import Problem
from ..inbox import InboxRequest, read_row
from . import damage, files, older_files
from . import db as sqlite
from .damage import ProblemLog
from .deadline import IsGivenUp, in_time, keeps_deadlines
from .rows import export_conflicts, parse_rows, put_request

_log = logging.getLogger(__name__)

#: The most changes that are owed; beyond, the oldest are dropped.
MOST_OWED = 10_000

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]
#: What is in no backup: where that is needed, it has happened since, and must not happen again.
_NOT_AGAIN = ("DELETE FROM access", "DELETE FROM arrival", "DELETE FROM request WHERE answered_at IS NULL")


class Database:
    """The database in one memory folder. Thread-safe; an instance that has written nothing costs nothing."""

    def __init__(self, folder: Path, problems: ProblemLog = damage.notices) -> None:
        self.folder = folder
        self.path = folder / files.DATABASE_FILE
        self.backup = folder / files.DATABASE_BACKUP_FILE
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
        """Do `work` in one transaction with the owed changes, which come first; raises OSError where it is not kept."""
        with self._settling:
            with self._owing:
                owed = self._owed.copy()

            def make(db: sqlite3.Connection) -> Result:
                self._make_owed(db, owed.values())
                return work(db)

            result = in_time(self.path, lambda is_given_up: self._repaired(lambda: self._commit(make, is_given_up)))
            with self._owing:
                self._owed = {name: work for name, work in self._owed.items() if owed.get(name) is not work}
            return result

    def change_later(self, work: Work[object], name: object = None) -> None:
        """Owe `work`, and do it at once unless this is a host, where a thread does it; `work` has to be idempotent.

        Work with a `name` replaces the owed work of that name.
        """
        self.owe(work, name)
        if not keeps_deadlines():
            self.settle()

    def owe(self, work: Work[object], name: object = None) -> None:
        """Owe `work` as `change_later` does; where this is no host, `settle` or the next `change` does it."""
        with self._owing:
            self._owed.pop(name, None)
            self._owed[object() if name is None else name] = work
            if len(self._owed) > MOST_OWED:
                del self._owed[next(iter(self._owed))]
            if keeps_deadlines() and self._writer is None:
                self._writer = threading.Thread(target=self._write, name="memory-ledger-database", daemon=True)
                self._writer.start()

    def settle(self) -> bool:
        """Make the owed changes; False if they have to wait, which is reported. Blocking.

        One that fails by a mistake of ours, which would be made again, is logged and left out.
        """
        if not self._owed:
            return True
        with self._problems.writing(self.path):
            self.change(bool)
            return True
        return False

    def _make_owed(self, db: sqlite3.Connection, owed: Iterable[Work[object]]) -> None:
        """Make owed changes, each of them whole or not at all."""
        for work in owed:
            try:
                with sqlite.savepoint(db):
                    work(db)
            except Exception as exc:
                if isinstance(exc, OSError) or sqlite.is_refusal(exc):
                    raise
                _log.exception("%s: a change is left out", self.path)

    def _write(self) -> None:
        """Make the owed changes until none is left, or they have to wait; then another thread may be started."""
        try:
            while True:
                is_done = self.settle()
                with self._owing:
                    if not (is_done and self._owed):
                        self._writer = None
                        return
        except BaseException:
            self._writer = None
            raise

    def _repaired(self, work: Callable[[], Result]) -> Result:
        """Do `work` with the database; one that is damaged or lost is made again, and the work done again."""
        with _lock_of(self.path):
            before = files.file_stamp(self.path)
            try:
                return work()
            except sqlite.DamagedDatabaseError as exc:
                self._is_checked = False
                after = files.file_stamp(self.path)
                if after is None or (before and before[-1] == after[-1]):  # else another process has made it again
                    self._make_again(str(exc))
            try:
                return work()
            except sqlite.DamagedDatabaseError as exc:
                raise OSError(errno.EIO, str(exc), str(self.path)) from exc

    def _make_again(self, fault: str) -> None:
        """Set a damaged database aside, and put its backup in its place; without a backup it begins anew."""
        told = ProblemLog()
        journal = self.path.with_name(f"{self.path.name}-journal")
        if (
            journal.is_file() and journal.stat().st_size
        ):  # it would be played into the new database; nobody needs to be told of two files
            damage.set_aside(journal, fault, ProblemLog())
        requests, is_whole = self._rescue_requests()
        is_aside = not os.path.lexists(self.path) or damage.set_aside(self.path, fault, told)
        outcome = ""
        try:
            if is_aside:
                again = "" if is_whole else "; what was asked and is not done has to be asked again"
                outcome = self._bring_back(requests) + again
        finally:
            lost = Problem(where=str(self.path), found=fault, allowed="a file as the pack wrote it")
            for problem in told.take() or [lost]:
                damage.notices.tell(replace(problem, allowed=problem.allowed + outcome), is_news=is_aside)
        if not is_aside:
            raise OSError(errno.EIO, fault, str(self.path))

    def _rescue_requests(self) -> tuple[list[InboxRequest], bool]:
        """Return the requests that a damaged database still holds, since no backup has those that wait, and if all."""
        with suppress(OSError):
            if self.path.is_file() and (data := damage.read_bytes(self.path)):
                lines, is_whole = sqlite.rescue(data, "SELECT line FROM request ORDER BY number")
                return [*filter(None, map(read_row, parse_rows(lines)))], is_whole
        return [], False

    def _bring_back(self, requests: Sequence[InboxRequest]) -> str:
        """Put the backup, with the requests, in the place of the database, and return that in words.

        A damaged backup is set aside.
        """
        outcome, copy = "", None
        try:
            if (data := damage.read_bytes(self.backup)) is not None:
                copy = sqlite.load(data, self.backup)
                moment = datetime.fromtimestamp(self.backup.stat().st_mtime, UTC)
                outcome = f"; it is made again from {self.backup.name}, as that was on {moment:%Y-%m-%d %H:%M} UTC"
        except sqlite.DamagedDatabaseError as exc:
            damage.set_aside(self.backup, str(exc))
        if copy is not None or requests:
            with closing(copy or sqlite.copy_in_memory()) as db:
                older_files.take_in_export(db, self.folder)
                for request in requests:
                    put_request(db, request)
                _put_in_place(db.serialize(), self.path)
        return outcome

    def _query(self, query: Work[Result]) -> Result:
        with self._open_to_read() as db:
            return query(db)

    @contextmanager
    def _open_to_read(self) -> Iterator[sqlite3.Connection]:
        is_older = older_files.is_any_in(self.folder)
        if not self._exists():
            with closing(sqlite.copy_in_memory()) as empty:
                older_files.take_in(empty, self.folder, is_new=True)
                yield empty
            return
        with sqlite.connect(self.path) as db:
            self._check(db)
            if sqlite.is_newest(db) and not is_older:
                yield db
                return
            with closing(sqlite.copy_in_memory(db)) as copy:
                older_files.take_in(copy, self.folder, is_new=not sqlite.has_conflicts(db))
                yield copy

    def _commit(self, work: Work[Result], is_given_up: IsGivenUp) -> Result:
        if not self._exists():
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
            is_new = not sqlite.has_conflicts(db)
            sqlite.migrate(db)
            moved = older_files.take_in(db, self.folder, is_new=is_new)
        if moved:
            with damage.notices.writing(self.backup):
                self._write_copy(db)
                older_files.remove(moved)

    def _check(self, db: sqlite3.Connection) -> None:
        """Check a database once, before anybody relies on it; an empty one is lost if it has a backup."""
        if sqlite.version_of(db) == 0 and self.backup.is_file():
            raise sqlite.DamagedDatabaseError("empty")
        if not self._is_checked:
            sqlite.check(db)
            self._is_checked = True

    def _exists(self) -> bool:
        """Whether there is a database. Raises DamagedDatabaseError where it is lost: it has a backup."""
        if os.path.lexists(self.path):
            return True
        if self.backup.is_file():
            raise sqlite.DamagedDatabaseError("missing")
        return False

    def read_bytes(self) -> bytes:
        """Return the file as it is, while nobody in this process writes it. Raises OSError."""
        with _lock_of(self.path):
            return damage.read_bytes(self.path) or b""

    def copy_to(self, folder: Path) -> None:
        """Write a copy, of the newest version, to another folder."""
        with _lock_of(self.path), self._open_to_read() as db:
            path = folder / self.path.name
            files.write_atomically(path, db.serialize(), mode=files.request_mode(path))

    def back_up(self) -> None:
        """Write the export of the conflicts and the backup, which is never newer. Raises OSError.

        No change of this or another process comes in between, and no two backups are written at once.
        """
        self.change(bool)
        self._repaired(lambda: self._commit(self._write_backup, bool))

    def _write_backup(self, db: sqlite3.Connection) -> None:
        export_conflicts(db, self.folder)
        self._write_copy(db)

    def _write_copy(self, db: sqlite3.Connection) -> None:
        with closing(sqlite.copy_in_memory(db)) as copy:
            for statement in _NOT_AGAIN:
                copy.execute(statement)
            copy.execute("VACUUM")
            data = copy.serialize()
        files.write_atomically(self.backup, data, mode=files.request_mode(self.backup))


def _put_in_place(data: bytes, path: Path) -> None:
    """Write a new file, unless another process has put one there meanwhile."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.time_ns()}.tmp")
    files.write_atomically(temporary, data, mode=files.request_mode(path))
    damage.give_to_host(path, temporary)
    try:
        os.link(temporary, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


_locks: dict[Path, threading.Lock] = {}


def _lock_of(path: Path) -> threading.Lock:
    """Return the lock of a file's readers and writers in this process.

    SQLite's own lock keeps out other processes; this process loses it when it closes another handle of the same file.
    """
    return _locks.setdefault(path, threading.Lock())
