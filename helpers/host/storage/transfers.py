"""The memories that a person carries from one memory folder to another: archives, in a file or in a database.

What is to become of them is a request in the inbox.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...door import parse_line, read_lines
from ...errors import Problem, StoreError
from ...ledger.transfer import Archived, Header, parse_archived, parse_header
from ...store import db as sqlite
from . import files
from .damage import open_to_read
from .database import Database


def to_lines(header: Header, memories: Iterable[Archived]) -> str:
    """Return an archive as it is written: the header, then one line for each memory."""
    return "".join(map(to_line, (header.to_row(), *(memory.to_row() for memory in memories))))


def to_line(row: Mapping[str, Any]) -> str:
    """Return a row as it is written."""
    return f"{json.dumps(row, ensure_ascii=False)}\n"


class ArchiveReader:
    """An archive at a `place`, of numbered lines; raises StoreError where it is none."""

    def __init__(self, place: str, lines: Sequence[tuple[int, bytes | str]]) -> None:
        self.place = place
        self._lines = lines
        rows = self._rows()
        first = next(rows, (1, Problem(where="the file", found="empty", allowed="an archive")))[1]
        found = first if isinstance(first, Problem) else parse_header(first)
        if isinstance(found, Problem):
            raise StoreError(f"{place}, line 1: {found}")
        self.header = found

    def __iter__(self) -> Iterator[tuple[int, Archived | Problem]]:
        """Yield the number of each line, and the memory that it holds or what is wrong with it."""
        rows = self._rows()
        next(rows, None)
        for number, row in rows:
            yield number, row if isinstance(row, Problem) else parse_archived(row, number)

    def _rows(self) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
        return ((number, parse_line(line, number)) for number, line in self._lines if line.strip())


def read_archive_file(path: Path) -> ArchiveReader:
    """Return the archive in a file; raises StoreError where it cannot be read or is none."""
    try:
        with open_to_read(path) as stream:
            return ArchiveReader(str(path), [*read_lines(stream)])
    except OSError as exc:
        raise StoreError(f"{path}: {exc.strerror}; allowed: a file of `memory-ledger export`") from exc


def archive_name(lines: str) -> str:
    """Return the name of an archive, which is that of its content: putting it there twice is putting it there once."""
    return f"arrive-{blake2b(files.to_bytes(lines), digest_size=8).hexdigest()}.jsonl"


def put_archive(folder: Path, lines: str) -> str:
    """Put an archive where the host of `folder` finds it; return its name. Raises OSError where it cannot be kept."""
    name = archive_name(lines)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(name, number, sqlite.as_text(line)) for number, line in enumerate(lines.split("\n"), 1) if line]
    Database(folder).change(lambda db: db.executemany("INSERT OR IGNORE INTO arrival VALUES (?, ?, ?)", rows))
    return name


def has_archive(database: Database, name: str) -> bool:
    """Whether an archive still waits in a folder. Raises OSError where nobody can tell."""
    statement = "SELECT EXISTS (SELECT 1 FROM arrival WHERE archive = ?)"
    return bool(database.ask(lambda db: db.execute(statement, (name,)).fetchone()[0]))


def read_archive(database: Database, name: str) -> ArchiveReader:
    """Return an archive that waits in a folder; raises OSError where it cannot be read, StoreError where it is none."""
    statement = "SELECT number, line FROM arrival WHERE archive = ? ORDER BY number"
    rows = database.ask(lambda db: db.execute(statement, (name,)).fetchall())
    return ArchiveReader(f"{database.path}: {name}", rows)


def drop_archive(database: Database, name: str) -> None:
    """Delete an archive whose memories have come. Raises OSError where that cannot be kept."""
    database.change(lambda db: db.execute("DELETE FROM arrival WHERE archive = ?", (name,)))
