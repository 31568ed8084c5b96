"""Open `ledger.db`, bring it up to date, and change it in transactions; this module alone knows SQLite.

A connection lives for one piece of work: no thread shares it, no fork inherits it, and it never holds on to a file that
somebody has replaced. A refusal of the system raises OSError, a damaged or foreign file DamagedDatabaseError.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

#: How long a process waits for another one that is writing.
_BUSY_SECONDS = 5.0
_SETTINGS = (
    "PRAGMA journal_mode = TRUNCATE",  # works on network volumes, as far as SQLite does
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
)
_LAST_COLUMNS = {"state": "value", "request": "line"}
_VERSION_MARK = "-- version "
_REFUSALS = {
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_PERM: errno.EACCES,
}
_DAMAGES = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
_MISTAKES = frozenset(
    (
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_RANGE,
        sqlite3.SQLITE_TOOBIG,
    )
)


class StateName(StrEnum):
    """The single values of the pack's state."""

    COUNTERS = "counters"  # recalls and turns, and when the folder was first seen
    DUPLICATES = "duplicates"  # how far deduplication has looked
    MOVED = "moved"  # the files of lines of older versions that were moved here, and their stamps
    GUARD = "guard"  # which version of the guard has looked through all memories for secrets
    PROPOSED_AT = "proposed_at"  # when the report of proposals was begun
    RECALLS = "recalls"  # how many recalls the log of what was recalled together keeps
    READER = "reader"  # which version of the rules has read the names in the texts
    TURNS = "turns"  # the messages of the last turns


class DamagedDatabaseError(Exception):
    """A file is no database, or a damaged one; the message says which."""


def _read_migrations() -> tuple[tuple[str, ...], ...]:
    """Return the statements that make each version out of the one before it."""
    scripts = Path(__file__).with_name("schema.sql").read_text("utf-8").split(_VERSION_MARK)[1:]
    return tuple(
        tuple(statement for statement in script.partition("\n")[2].split(";\n") if statement.strip())
        for script in scripts
    )


_MIGRATIONS = _read_migrations()


@contextlib.contextmanager
def connect(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database at `path`, an existing file that may be empty, for one piece of work.

    Raises OSError where the system refuses it or a later version of the pack has written it, and DamagedDatabaseError.
    """
    if not path.is_file():
        raise DamagedDatabaseError("no regular file")
    with _errors_of(path):
        address = f"{path.absolute().as_uri()}?mode=rw"
        db = sqlite3.connect(address, uri=True, isolation_level=None, timeout=_BUSY_SECONDS)
        with contextlib.closing(db):
            for setting in _SETTINGS:
                db.execute(setting)
            _refuse_later(db, path)
            db.text_factory = _read_text
            yield db


def _refuse_later(db: sqlite3.Connection, path: Path) -> None:
    if version_of(db) > len(_MIGRATIONS):
        reason = f"of version {version_of(db)}, and this pack knows {len(_MIGRATIONS)}: a later one wrote it"
        raise OSError(errno.ENOTSUP, reason, str(path))


def _open_in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = _read_text
    db.execute("PRAGMA secure_delete = ON")
    return db


def copy_in_memory(source: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Return a database of the newest version in memory, with the content of `source`."""
    db = _open_in_memory()
    if source is not None and source.execute("PRAGMA page_count").fetchone()[0]:  # SQLite serializes no empty file
        db.deserialize(source.serialize())  # in a transaction too, unlike `backup`
    migrate(db)
    return db


def load(data: bytes, path: Path) -> sqlite3.Connection:
    """Return a database of the newest version in memory, made of the bytes of the file at `path`.

    Raises DamagedDatabaseError, and OSError where a later version of the pack has written it.
    """
    db = _open_in_memory()
    try:
        with _errors_of(path):
            if not data:
                raise DamagedDatabaseError("empty")
            db.deserialize(data)
            _refuse_later(db, path)
            check(db)
            migrate(db)
    except BaseException:
        db.close()
        raise
    return db


def rescue(data: bytes, statement: str) -> tuple[list[tuple[Any, ...]], bool]:
    """Return the rows that the bytes of a damaged database still give, and whether these are all."""
    rows: list[tuple[Any, ...]] = []
    with contextlib.closing(_open_in_memory()) as db, contextlib.suppress(sqlite3.Error):
        db.deserialize(data)
        for row in db.execute(statement):
            rows.append(row)
        return rows, True
    return rows, False


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit all of the block or nothing, with no other writer in between."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def savepoint(db: sqlite3.Connection) -> Iterator[None]:
    """Take back what the block has done in a transaction if it fails, and nothing else."""
    db.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK TO part")
            db.execute("RELEASE part")
        raise
    db.execute("RELEASE part")


def version_of(db: sqlite3.Connection) -> int:
    """Return how many migrations have made a database; 0 for an empty one."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def is_newest(db: sqlite3.Connection) -> bool:
    """Whether a database needs no migration."""
    return version_of(db) == len(_MIGRATIONS)


def migrate(db: sqlite3.Connection) -> None:
    """Bring a database up to date; call it inside a transaction if the database is kept."""
    for number, statements in enumerate(_MIGRATIONS[version_of(db) :], version_of(db) + 1):
        for statement in statements:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {number}")


def check(db: sqlite3.Connection) -> None:
    """Raise DamagedDatabaseError if a database is damaged, or lacks a table of its version."""
    (result,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if result != "ok":
        raise DamagedDatabaseError(f"a damaged database ({' '.join(str(result).split())})")
    with contextlib.closing(copy_in_memory()) as whole:
        missing = _tables_of(whole) - _tables_of(db) if is_newest(db) else set()
    if missing:
        raise DamagedDatabaseError(f"a database without {', '.join(sorted(missing))}")


def has_conflicts(db: sqlite3.Connection) -> bool:
    """Whether a database is new enough to hold the conflicts."""
    return "conflict" in _tables_of(db)


def _tables_of(db: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def find_rows(db: sqlite3.Connection, tells: Callable[[bytes], bool]) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """Yield the table, the number and the values of every row with a value that `tells` of a memory."""
    for table in sorted(_tables_of(db) - {"sqlite_sequence"}):
        for number, *values in db.execute(f'SELECT rowid, * FROM "{table}"').fetchall():
            if any(tells(str(value).encode("utf-8")) for value in values):
                yield table, number, tuple(values)


def erase(
    db: sqlite3.Connection, tells: Callable[[bytes], bool], cleaned: Mapping[str, Callable[[str], str | None]]
) -> int:
    """Delete every row with a value that `tells` of an erased memory; return how many were deleted or cleaned.

    The last column of a table in `cleaned` is replaced by its cleaned form instead, unless that is None. Call it in a
    transaction.
    """
    count = 0
    for table, number, values in find_rows(db, tells):
        left = cleaned[table](values[-1]) if table in cleaned else None
        if left is None:
            db.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (number,))
        elif left != values[-1]:
            db.execute(f'UPDATE "{table}" SET {_LAST_COLUMNS[table]} = ? WHERE rowid = ?', (left, number))
        count += left != values[-1]
    return count


def read_state(db: sqlite3.Connection, name: StateName) -> Any:
    """Return a single value of the pack's state; None where there is none."""
    row = db.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return None if row is None else from_json(row[0])


def write_state(db: sqlite3.Connection, name: StateName, value: object) -> None:
    """Replace a single value of the pack's state; JSON has to be able to hold it."""
    db.execute("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", (name, to_json(value)))


def to_json(value: object) -> str:
    """Return a value as the JSON text that a column holds."""
    return as_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def from_json(text: str) -> Any:
    """Return the value of a JSON column; None if it is no JSON any more."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_text(text: str) -> str:
    """Return a text that SQLite can keep: a lone surrogate becomes its JSON escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def is_refusal(exc: BaseException) -> bool:
    """Whether an error comes from the file or the system, and not from a mistake in a statement or its values."""
    code = getattr(exc, "sqlite_errorcode", None)
    return isinstance(exc, sqlite3.Error) and code is not None and code & 0xFF not in _MISTAKES


@contextlib.contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a file into OSError or DamagedDatabaseError; programming errors stay as they are."""
    try:
        yield
    except sqlite3.Error as exc:
        code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGES:
            raise DamagedDatabaseError(f"no database that can be read ({exc})") from exc
        if is_refusal(exc):
            if code == sqlite3.SQLITE_READONLY:  # which tells nobody why
                number = errno.EROFS if os.statvfs(path).f_flag & os.ST_RDONLY else errno.EACCES
                raise OSError(number, os.strerror(number), str(path)) from exc
            raise OSError(_REFUSALS.get(code, errno.EIO), str(exc), str(path)) from exc
        raise


def _read_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
