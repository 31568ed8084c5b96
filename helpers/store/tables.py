"""The small tables of `ledger.db`: counters, accesses, compared pairs, secrets, seals, archives."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..clock import format_time, parse_time
from ..door import parse_line, read_lines
from ..errors import Problem, StoreError
from ..foreign import is_count
from ..ledger.adopt import Archived, Header, parse_archived, parse_header
from . import db as sqlite
from . import files
from .damage import open_to_read
from .database import Database
from .db import StateName


@dataclass(slots=True)
class FolderState:
    """The counters of one memory folder: recalls and message loops; `first_seen` is set after the first look.

    Memories up to `unsealed_until` are being sealed. Both moments are ISO 8601. `maintained_at_loop` and
    `linked_at_loop` are the loop counts at the last complete maintenance and rebuild of links. A folder that
    `stands_alone` has no host.
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
    """Return the counters of a folder; missing and invalid values start afresh."""
    return parse_counters(database.read(lambda db: sqlite.read_state(db, StateName.COUNTERS)))


def write_counters(database: Database, state: FolderState) -> None:
    """Write the counters of a folder, which is made if need be. Raises OSError."""
    new = replace(state)
    database.folder.mkdir(parents=True, exist_ok=True)
    database.change(lambda db: _put(db, new))


def write_counters_later(database: Database, state: FolderState) -> None:
    """Owe the counters of a folder to the database, without waiting in a host."""
    new = replace(state)
    database.change_later(lambda db: _put(db, new), StateName.COUNTERS)


def _put(db: sqlite3.Connection, new: FolderState) -> None:
    """Merge counters into the stored ones, which another host may have raised: no counter goes back."""
    stored = parse_counters(sqlite.read_state(db, StateName.COUNTERS))
    names = [field.name for field in fields(FolderState) if field.type == "int"]
    counts = {name: max(getattr(stored, name), getattr(new, name)) for name in names}
    merged = replace(new, **counts, first_seen=stored.first_seen or new.first_seen)
    row = {name: value for name, value in asdict(merged).items() if value not in (None, False)}
    sqlite.write_state(db, StateName.COUNTERS, row)


def parse_counters(value: Any) -> FolderState:
    """Return the counters in a JSON object; an invalid value starts afresh."""
    state = FolderState()
    if not isinstance(value, dict):
        return state
    for column in fields(FolderState):
        stored = value.get(column.name)
        if is_count(stored) if column.type == "int" else isinstance(stored, bool if column.type == "bool" else str):
            setattr(state, column.name, stored)
    return state


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """`memory_id` has been recalled `count` times, last at `at` in recall cycle `cycle`.

    `archive_cycles` are the latest cycles since it was archived, if it is.
    """

    memory_id: str
    count: int
    at: datetime
    cycle: int
    archive_cycles: tuple[int, ...] = ()


class AccessBook:
    """The access counts of one memory folder that its saved index lacks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> Iterator[Access]:
        """Yield the latest count of every memory; invalid rows are left out."""
        statement = "SELECT memory, count, at, cycle, archive_cycles FROM access"
        for memory_id, count, counted_at, cycle, since in self._database.rows(statement):
            moment, cycles = parse_time(counted_at), sqlite.from_json(since)
            if moment is not None and isinstance(cycles, list):
                archive_cycles = tuple(filter(is_count, cycles))
                yield Access(memory_id=memory_id, count=count, at=moment, cycle=cycle, archive_cycles=archive_cycles)

    def note(self, accesses: Sequence[Access]) -> None:
        """Note the counts of one recall."""
        rows = [
            (
                sqlite.as_text(access.memory_id),
                access.count,
                format_time(access.at),
                access.cycle,
                sqlite.to_json(access.archive_cycles),
            )
            for access in accesses
        ]
        statement = "INSERT OR REPLACE INTO access (memory, count, at, cycle, archive_cycles) VALUES (?, ?, ?, ?, ?)"
        if rows:
            self._database.change_later(lambda db: db.executemany(statement, rows))

    def last(self) -> int:
        """Return the number of the latest row; 0 where there is none."""
        self._database.settle()
        rows = self._database.rows("SELECT number FROM access ORDER BY number DESC LIMIT 1")
        return int(rows[0][0]) if rows else 0

    def clear(self, last: int) -> None:
        """Remove the rows up to number `last`, which the saved index holds."""
        self._database.change_later(lambda db: db.execute("DELETE FROM access WHERE number <= ?", (last,)))


Marks = npt.NDArray[np.uint64]
Row = Mapping[str, Any]

#: How many of the latest rows are kept.
KEPT_ROWS = 20_000
#: The most waiting pairs that are stored; the others are found again in a full run.
_MOST_WAITING = 200_000
_PAIR_COLUMNS = ("at", "cycle", "a", "b", "cosine", "outcome", "why")


def note_pairs(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Note the outcomes of candidate pairs, and drop the oldest rows."""
    statement = f"INSERT OR IGNORE INTO duplicate ({', '.join(_PAIR_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?)"
    db.executemany(statement, ([row[name] for name in _PAIR_COLUMNS] for row in rows))
    db.execute("DELETE FROM duplicate WHERE number <= (SELECT max(number) FROM duplicate) - ?", (KEPT_ROWS,))


def read_pairs(database: Database) -> list[dict[str, Any]]:
    """Return the last outcome of each pair as rows, the latest last."""
    statement = f"""
        SELECT {", ".join(_PAIR_COLUMNS)}, max(number) FROM duplicate
        GROUP BY min(a, b), max(a, b) ORDER BY max(number)
    """
    return [dict(zip(_PAIR_COLUMNS, row, strict=False)) for row in database.rows(statement)]


@dataclass(slots=True)
class Progress:
    """The memories that have been compared with each other under `key`, and the pairs that wait for an action."""

    key: str
    seen: Marks = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    waiting: list[tuple[str, str, float]] = field(default_factory=list)


def mark_of(memory_id: str, text: str) -> int:
    """Return a 64-bit hash of a memory's id and text."""
    return int.from_bytes(blake2b(f"{memory_id}\0{text}".encode(errors="replace"), digest_size=8).digest(), "little")


def read_progress(database: Database, key: str) -> Progress:
    """Return the progress of the last run; none if that used another `key`, or is unreadable."""
    stored = database.read(lambda db: sqlite.read_state(db, StateName.DUPLICATES))
    if not isinstance(stored, dict) or stored.get("key") != key:
        return Progress(key)
    try:
        seen = np.array(stored["seen"], dtype=np.uint64).reshape(-1)
        waiting = [(str(first), str(second), float(cosine)) for first, second, cosine in stored["waiting"]]
    except (KeyError, TypeError, ValueError, OverflowError):
        return Progress(key)
    return Progress(key, seen, waiting)


def write_progress(database: Database, progress: Progress) -> None:
    """Write the progress of a run; raises OSError where it cannot be kept."""
    value = {"key": progress.key, "seen": progress.seen.tolist(), "waiting": progress.waiting[:_MOST_WAITING]}
    database.change(lambda db: sqlite.write_state(db, StateName.DUPLICATES, value))


_GUARD_FOLDER = Path(__file__).parents[1] / "privacy"

Kinds = tuple[str, ...]


class SecretBook:
    """The memories of one folder that may hold secrets, read on first use; not thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, Kinds] | None = None
        self._is_whole = False
        self._news: dict[str, Kinds] = {}

    @property
    def found(self) -> Mapping[str, Kinds]:
        """The kinds of secrets by memory id."""
        return self._read()

    @property
    def is_whole(self) -> bool:
        """Whether this version of the guard has scanned every adopted memory."""
        self._read()
        return self._is_whole

    def _read(self) -> dict[str, Kinds]:
        if self._known is None:
            statement = "SELECT memory, kinds FROM secret"
            rows, guard = self._database.read(
                lambda db: (db.execute(statement).fetchall(), sqlite.read_state(db, StateName.GUARD))
            ) or ([], None)
            self._known = {memory_id: kinds for memory_id, text in rows if (kinds := _kinds(text))}
            self._is_whole = guard == guard_digest()
        return self._known

    def note(self, memory_id: str, kinds: Iterable[str]) -> bool:
        """Note the kinds of secrets in a memory, perhaps none; return whether they are new."""
        ordered = tuple(dict.fromkeys(kinds))
        if ordered == self.found.get(memory_id, ()):
            return False
        if not ordered:
            return self.drop([memory_id])
        self._read()[memory_id] = self._news[memory_id] = ordered
        row = (sqlite.as_text(memory_id), sqlite.to_json(ordered))
        self._database.change_later(lambda db: db.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", row))
        return True

    def drop(self, memory_ids: Iterable[str]) -> bool:
        """Forget memories that have gone; return whether one of them had findings."""
        known = self._read()
        gone = [memory_id for memory_id in memory_ids if known.pop(memory_id, None) is not None]
        for memory_id in gone:
            self._news.pop(memory_id, None)
        rows = [(sqlite.as_text(memory_id),) for memory_id in gone]
        if rows:
            self._database.change_later(lambda db: db.executemany("DELETE FROM secret WHERE memory = ?", rows))
        return bool(gone)

    def finish(self) -> None:
        """Note that the whole folder has been scanned."""
        if not self.is_whole:
            self._is_whole = True
            self._database.change_later(lambda db: sqlite.write_state(db, StateName.GUARD, guard_digest()))

    def take_news(self) -> dict[str, Kinds]:
        """Return the new findings since the last call."""
        news, self._news = self._news, {}
        return news


def _kinds(text: str) -> Kinds:
    kinds = sqlite.from_json(text)
    return tuple(kind for kind in kinds if isinstance(kind, str)) if isinstance(kinds, list) else ()


def guard_digest(guard: Path = _GUARD_FOLDER) -> str:
    """Return a digest of the guard's code and tables."""
    return code_digest(guard)


def code_digest(*packages: Path) -> str:
    """Return a digest of the code and the tables of some packages, which changes with every rule."""
    sums = hashlib.sha256()
    for path in (path for package in packages for path in sorted((*package.rglob("*.py"), *package.rglob("*.json")))):
        sums.update(path.read_bytes())
    return sums.hexdigest()[:16]


class Sealing:
    """The memories of one folder that are still to be sealed; `is_new` if no earlier process has begun with it."""

    def __init__(self, state: FolderState, *, has_key: bool, now: datetime) -> None:
        self._state = state
        self._is_first_look = state.first_seen is None
        self._until = parse_time(state.unsealed_until)
        self.is_new = not has_key or (self._is_first_look and self._until is None)
        if self.is_new:
            state.unsealed_until = format_time(now)
        self._known: set[str] | None = None
        self._is_done = False

    def note_sweep(self, added: Sequence[str], documents: Mapping[str, Any]) -> None:
        """Note the memories of a sweep: of the first one, those that are older than the key."""
        if self._known is None:
            self._known = {memory_id for memory_id in added if self._was_there(documents[memory_id].metadata)}
        else:
            self._known.difference_update(added)

    def _was_there(self, metadata: Mapping[str, Any]) -> bool:
        """Whether a memory is older than the key, by the time stamp that the host writes at each insert."""
        if self.is_new:
            return True
        inserted_at = parse_time(metadata.get("timestamp"))
        return self._until is not None and (inserted_at is None or inserted_at <= self._until)

    def honours(self, memory_id: str) -> bool:
        """Whether a memory keeps a valid status without a seal; before the first sweep, every memory of a new key."""
        return self.is_new if self._known is None else memory_id in self._known

    def finish(self) -> None:
        """Note that all older memories are sealed in the live documents."""
        self._is_done, self._known = True, set()

    def to_state(self, *, is_saved: bool) -> FolderState:
        """Return the state for the disk: first look and sealing are over once the host's saved index holds them."""
        if self._is_done and is_saved:
            self._state.unsealed_until = None
            self._is_first_look = False
        return replace(self._state, first_seen=None) if self._is_first_look else self._state


def to_lines(header: Header, memories: Iterable[Archived]) -> str:
    """Return the text of an archive: the header, then one line for each memory."""
    return "".join(map(to_line, (header.to_row(), *(memory.to_row() for memory in memories))))


def to_line(row: Mapping[str, Any]) -> str:
    """Return a row as a line of an archive."""
    return f"{json.dumps(row, ensure_ascii=False)}\n"


class ArchiveReader:
    """An archive read from numbered lines; `place` names it in errors. Raises StoreError for any other lines."""

    def __init__(self, place: str, lines: Sequence[tuple[int, bytes | str]]) -> None:
        self.place = place
        self._lines = lines
        rows = self._rows()
        first = next(rows, (1, Problem(where="the file", found="empty", allowed="an archive")))[1]
        header = first if isinstance(first, Problem) else parse_header(first)
        if isinstance(header, Problem):
            raise StoreError(f"{place}, line 1: {header}")
        self.header = header

    def __iter__(self) -> Iterator[tuple[int, Archived | Problem]]:
        """Yield the number of each line, and its memory or its problem."""
        rows = self._rows()
        next(rows, None)
        for number, row in rows:
            yield number, row if isinstance(row, Problem) else parse_archived(row, number)

    def _rows(self) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
        return ((number, parse_line(line, number)) for number, line in self._lines if line.strip())


def read_archive_file(path: Path) -> ArchiveReader:
    """Return the archive in a file; raises StoreError where it cannot be read."""
    try:
        with open_to_read(path) as stream:
            return ArchiveReader(str(path), [*read_lines(stream)])
    except OSError as exc:
        raise StoreError(f"{path}: {exc.strerror}; allowed: a file of `memory-ledger export`") from exc


def archive_name(lines: str) -> str:
    """Return the name of an archive, made of its content, so that storing it twice changes nothing."""
    return f"arrive-{blake2b(files.to_bytes(lines), digest_size=8).hexdigest()}.jsonl"


def put_archive(folder: Path, lines: str) -> str:
    """Store an archive for the host of `folder` and return its name. Raises OSError where it cannot be kept."""
    name = archive_name(lines)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(name, number, sqlite.as_text(line)) for number, line in enumerate(lines.split("\n"), 1) if line]
    Database(folder).change(lambda db: db.executemany("INSERT OR IGNORE INTO arrival VALUES (?, ?, ?)", rows))
    return name


def has_archive(database: Database, name: str) -> bool:
    """Whether an archive still waits in a folder. Raises OSError where the database cannot be read."""
    statement = "SELECT EXISTS (SELECT 1 FROM arrival WHERE archive = ?)"
    return bool(database.ask(lambda db: db.execute(statement, (name,)).fetchone()[0]))


def read_archive(database: Database, name: str) -> ArchiveReader:
    """Return an archive that waits in a folder; raises OSError if it cannot be read, StoreError if it is damaged."""
    statement = "SELECT number, line FROM arrival WHERE archive = ? ORDER BY number"
    rows = database.ask(lambda db: db.execute(statement, (name,)).fetchall())
    return ArchiveReader(f"{database.path}: {name}", rows)


def drop_archive(database: Database, name: str) -> None:
    """Delete an archive. Raises OSError where that cannot be kept."""
    database.change(lambda db: db.execute("DELETE FROM arrival WHERE archive = ?", (name,)))
