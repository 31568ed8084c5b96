"""Open `ledger.db`, bring it up to date, and change it in transactions; this module alone knows SQLite.

A connection lives for one piece of work: no thread shares it, no fork inherits it, and it never holds on to a file that
somebody has replaced. A refusal of the system raises OSError, a damaged or foreign file DamagedDatabaseError.
"""

from __future__ import annotations

import contextlib
import errno
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
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
_STATE = "state"
_VERSION_MARK = "-- version "
_REFUSALS = {
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_READONLY: errno.EROFS,
}
_DAMAGES = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))


class StateName(StrEnum):
    """The single values of the pack's state."""

    COUNTERS = "counters"  # recalls and turns, and when the folder was first seen
    DUPLICATES = "duplicates"  # how far deduplication has looked
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
            if version_of(db) > len(_MIGRATIONS):
                reason = f"of version {version_of(db)}, and this pack knows {len(_MIGRATIONS)}: a later one wrote it"
                raise OSError(errno.ENOTSUP, reason, str(path))
            db.text_factory = _read_text
            yield db


def copy_in_memory(source: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """Return a database of the newest version in memory, with the content of `source`."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = _read_text
    if source is not None:
        source.backup(db)
    migrate(db)
    return db


def copy_to(source: sqlite3.Connection, path: Path) -> None:
    """Write the content of a database to a file at `path`."""
    with contextlib.closing(sqlite3.connect(path)) as target:
        source.backup(target)


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


def _tables_of(db: sqlite3.Connection) -> set[str]:
    return {str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def erase(db: sqlite3.Connection, tells: Callable[[bytes], bool], cleaned: Callable[[str], str]) -> Counter[str]:
    """Delete every row with a value that `tells` of an erased memory; return how many went, by table.

    A single value of the pack's state is replaced by its `cleaned` form instead. Call it in a transaction.
    """
    erased = Counter[str]()
    for table in sorted(_tables_of(db) - {"sqlite_sequence"}):
        for number, *values in db.execute(f'SELECT rowid, * FROM "{table}"').fetchall():
            if not any(tells(str(value).encode("utf-8")) for value in values):
                continue
            erased[table] += 1
            if table == _STATE:
                name, value = values
                db.execute("UPDATE state SET value = ? WHERE name = ?", (cleaned(value), name))
            else:
                db.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (number,))
    return erased


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


@contextlib.contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Turn SQLite's errors about a file into OSError or DamagedDatabaseError; programming errors stay as they are."""
    try:
        yield
    except sqlite3.Error as exc:
        code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGES:
            raise DamagedDatabaseError(f"no database that can be read ({exc})") from exc
        if isinstance(exc, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
            raise OSError(_REFUSALS.get(code, errno.EIO), str(exc), str(path)) from exc
        raise


def _read_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
