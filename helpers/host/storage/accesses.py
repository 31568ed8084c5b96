"""Access counts between two saves of the host: appended at every recall, replayed after a crash (C-60).

A row holds the whole count of one memory, so that replaying it twice does no harm. Without the file counting goes on in
the live documents; what is wrong with it is told, and stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeGuard

from ...clock import format_time, parse_time
from ...records import MOST_COUNT
from . import files
from .line_store import LineStore, RetryingLines
from .problem_log import ProblemLog


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


class AccessFile:
    """The access counts of one memory folder; `problems` are told of a file that cannot be used."""

    def __init__(self, folder: Path, problems: ProblemLog) -> None:
        self._lines = LineStore(folder / files.ACCESS_FILE, is_durable=False)
        self._retrying = RetryingLines(self._lines, problems)
        self._problems = problems

    def read(self) -> Iterator[Access]:
        """Yield the latest count of every memory in the file; what is no count is left out."""
        latest: dict[str, dict[str, Any]] = {}
        with self._problems.reading(self._lines.path):
            latest = {str(row.get("id")): row for row in files.read_lines(self._lines.path)}
        for memory_id, row in latest.items():
            count, cycle, at = row.get("n"), row.get("cycle"), parse_time(row.get("at"))
            if _is_count(count) and _is_count(cycle) and at is not None:
                yield Access(
                    memory_id=memory_id, count=count, at=at, cycle=cycle, archive_cycles=_read_cycles(row.get("since"))
                )

    def append(self, accesses: Sequence[Access]) -> None:
        """Add what one recall counted."""
        self._retrying.append(
            {
                "id": one.memory_id,
                "n": one.count,
                "at": format_time(one.at),
                "cycle": one.cycle,
                **({"since": list(one.archive_cycles)} if one.archive_cycles else {}),
            }
            for one in accesses
        )

    def write_owed(self) -> None:
        """Try again what could not be written."""
        self._retrying.append()

    def size(self) -> int:
        """Return how long the file is now."""
        return self._lines.size

    def clear(self, size: int) -> None:
        """Remove the file if it is as long as it was when the host began to save; what came since stays."""
        if self.size() != size:
            return
        with self._problems.writing(self._lines.path):
            self._lines.path.unlink(missing_ok=True)


def _read_cycles(value: object) -> tuple[int, ...]:
    return tuple(one for one in value if _is_count(one)) if isinstance(value, list) else ()


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and 0 <= value <= MOST_COUNT
