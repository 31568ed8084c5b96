"""The memories that a person carries from one memory folder to another: archives in `ledger_transfers/`.

What is to become of them is a request in the inbox.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...door import parse_line, read_lines
from ...errors import Problem, StoreError
from ...ledger.transfer import Archived, Header, parse_archived, parse_header
from . import files
from .damage import give_to_host, open_to_read

TRANSFERS_FOLDER = "ledger_transfers"


def transfers_folder(folder: Path) -> Path:
    """Return where the archives lie that come into a memory folder."""
    return folder / TRANSFERS_FOLDER


# --- archives --------------------------------------------------------------------------------------------------------


def to_lines(header: Header, memories: Iterable[Archived]) -> str:
    """Return an archive as it is written: the header, then one line for each memory."""
    return "".join(map(to_line, (header.to_row(), *(one.to_row() for one in memories))))


def to_line(row: Mapping[str, Any]) -> str:
    """Return a row as it is written."""
    return f"{json.dumps(row, ensure_ascii=False)}\n"


class ArchiveReader:
    """An archive on disk; raises StoreError where it cannot be read or is none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        rows = self._rows()
        first = next(rows, (1, Problem(where="the file", found="empty", allowed="an archive")))[1]
        found = first if isinstance(first, Problem) else parse_header(first)
        if isinstance(found, Problem):
            raise StoreError(f"{path}, line 1: {found}")
        self.header = found

    def __iter__(self) -> Iterator[tuple[int, Archived | Problem]]:
        """Yield the number of each line, and the memory that it holds or what is wrong with it."""
        rows = self._rows()
        next(rows, None)
        for number, row in rows:
            yield number, row if isinstance(row, Problem) else parse_archived(row, number)

    def _rows(self) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
        try:
            with open_to_read(self.path) as stream:
                for number, line in read_lines(stream):
                    if line.strip():
                        yield number, parse_line(line, number)
        except OSError as exc:
            raise StoreError(f"{self.path}: {exc.strerror}; allowed: a file of `memory-ledger export`") from exc


# --- requests --------------------------------------------------------------------------------------------------------


def archive_name(lines: str) -> str:
    """Return the name of an archive, which is that of its content: putting it there twice is putting it there once."""
    return f"arrive-{blake2b(files.to_bytes(lines), digest_size=8).hexdigest()}.jsonl"


def archive_path(folder: Path, name: str) -> Path:
    """Return where the archive lies that a request of a memory folder names, until its memories have come."""
    return transfers_folder(folder) / Path(name).name


def put_archive(folder: Path, lines: str) -> str:
    """Put an archive where the host of `folder` finds it; return its name."""
    path = archive_path(folder, archive_name(lines))
    path.parent.mkdir(parents=True, exist_ok=True)
    give_to_host(path.parent, path.parent)
    files.write_atomically(path, lines, mode=files.request_mode(path))
    return path.name
