"""What a person carries from one memory folder to another: requests in `ledger_transfers/` that the host carries out.

An arrival is a whole archive, `arrive-<digest>.jsonl`, in the folder that it goes to; the digest names its content, so
asking twice is asking once. A departure, `leave-<digest>.json`, lies in the folder that the memories leave, and names
the arrival that has to be done first (T-64: in between both folders hold them, never neither).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from ...errors import Problem, StoreError
from ...ledger.transfer import Archived, Header, parse_archived, parse_header
from . import files
from .damage import open_to_read

TRANSFERS_FOLDER = "ledger_transfers"

_ARRIVALS, _DEPARTURES = "arrive-*.jsonl", "leave-*.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """At `at` a person asked that `memories` leave a folder once `target` holds them, which `arrival` sees to.

    `target` is named from the folder that they leave: a container may know both under another root.
    """

    at: datetime
    target: str
    arrival: str
    memories: tuple[str, ...]


def transfers_folder(folder: Path) -> Path:
    """Return where the requests of a memory folder lie."""
    return folder / TRANSFERS_FOLDER


# --- archives --------------------------------------------------------------------------------------------------------


def to_lines(header: Header, memories: Iterable[Archived]) -> str:
    """Return an archive as it is written: the header, then one line for each memory."""
    rows = (header.to_row(), *(one.to_row() for one in memories))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


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
            yield number, row if isinstance(row, Problem) else parse_archived(row)

    def _rows(self) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
        try:
            with open_to_read(self.path) as stream:
                for number, line in enumerate(stream, 1):
                    if line.strip():
                        yield number, _to_row(line)
        except OSError as exc:
            raise StoreError(f"{self.path}: {exc.strerror}; allowed: a file of `memory-ledger export FOLDER`") from exc


def _to_row(line: bytes) -> dict[str, Any] | Problem:
    try:
        row = json.loads(line.decode("utf-8"))
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as exc:  # a text that is no Unicode is a ValueError too
        return Problem(where="the line", found=f"unreadable ({exc})", allowed="a JSON object")
    if not isinstance(row, dict):
        return Problem(where="the line", found=type(row).__name__, allowed="a JSON object")
    return row


# --- requests --------------------------------------------------------------------------------------------------------


def request_arrival(folder: Path, lines: str) -> str:
    """Put an archive where the host of `folder` finds it; return the name of the request."""
    name = arrival_name(lines)
    _write(folder, name, lines)
    return name


def arrival_name(lines: str) -> str:
    """Return the name of the request that these lines are."""
    return f"arrive-{_digest(lines)}.jsonl"


def request_departure(folder: Path, target: Path, arrival: str, memories: Iterable[str], *, at: datetime) -> None:
    """Ask the host of `folder` to remove `memories` once `target` holds them."""
    row = {
        "at": format_time(at),
        "target": os.path.relpath(target.resolve(), folder.resolve()),
        "arrival": arrival,
        "memories": list(memories),
    }
    _write(folder, f"leave-{_digest(arrival)}.json", json.dumps(row) + "\n")


def _digest(text: str) -> str:
    return blake2b(files.to_bytes(text), digest_size=8).hexdigest()


def _write(folder: Path, name: str, text: str) -> None:
    place = transfers_folder(folder)
    place.mkdir(parents=True, exist_ok=True)
    files.write_atomically(place / name, text, mode=0o600)


def waiting_arrivals(folder: Path) -> list[Path]:
    """Return the archives that wait to be taken in, in a fixed order."""
    return sorted(transfers_folder(folder).glob(_ARRIVALS))


def is_waiting(folder: Path, arrival: str) -> bool:
    """Whether an archive still waits to be taken in."""
    return (transfers_folder(folder) / arrival).exists()


def waiting_departures(folder: Path) -> dict[Path, Departure | None]:
    """Return what shall leave, by the file that asks for it; None where a file does not say."""
    found = ((path, files.read_object(path)) for path in sorted(transfers_folder(folder).glob(_DEPARTURES)))
    return {path: _to_departure(row) for path, row in found if row is not None}


def _to_departure(row: dict[str, Any]) -> Departure | None:
    at, memories, target, arrival = (row.get(key) for key in ("at", "memories", "target", "arrival"))
    moment = parse_time(at)
    if moment is None or not isinstance(memories, list) or not isinstance(target, str) or not isinstance(arrival, str):
        return None
    return Departure(at=moment, target=target, arrival=Path(arrival).name, memories=tuple(map(str, memories)))
