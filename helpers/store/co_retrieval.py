"""`co_retrieval_log.json` beside the memory folders, and the lines that are still to go into it.

A recall appends one line to `co_retrieval_log.jsonl`. The lines are folded into the log, which is replaced in one step,
at maintenance and as soon as they make up half of it or 8 KiB (some 40 recalls): a young log is never far behind, a
full one is not rewritten at each turn, and a reader always finds a whole file. A fault in either file is reported and
stops no turn.

Nothing is counted twice: if the log already holds a recall of the lines, a crash came between the two files, and the
lines up to that recall are left out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import Problem
from ..inbox import Row
from ..maintenance.co_retrieval import (
    CoRetrievalEntry,
    CoRetrievals,
    append_entries,
    parse_pair_entry,
    promote_clusters,
    read_log,
    without_memory,
    write_log,
)
from ..setting_groups import CoRetrieval
from . import files
from .damage import ProblemLog, parse, read_bytes, set_aside
from .lines import LineStore, RetryingLines

#: Lines of this many bytes are folded in at the latest.
MAX_WAITING = 8_192

_ALLOWED = "a co-retrieval log as specified"


class CoRetrievalLog:
    """The log of several memory folders, as one of them writes it; unusable files are reported to `problems`.

    Every call takes the current settings and blocks for as long as a small file takes.
    """

    def __init__(self, root: Path, memory_subdir: str, problems: ProblemLog) -> None:
        self._path = root / files.CO_RETRIEVAL_FILE
        self._lines = LineStore(root / files.CO_RETRIEVAL_LINES_FILE, is_durable=False)
        self._waiting = RetryingLines(self._lines, problems)
        self._memory_subdir = memory_subdir
        self._problems = problems
        self._retry_size = 0

    def append(self, entry: CoRetrievalEntry, settings: CoRetrieval) -> None:
        """Append one recall."""
        if not settings.enabled:
            return
        row = replace(entry, memory_subdir=self._memory_subdir).to_row()
        with suppress(OSError):  # it is told with the line that cannot be written
            self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._waiting.append([row]) and self._is_due():
            self.fold(settings)

    def write_owed(self) -> None:
        """Try again what could not be written."""
        self._waiting.append()

    def fold(self, settings: CoRetrieval) -> None:
        """Fold the lines into the log; a missing or damaged log is made anew."""
        self._rewrite(settings, lambda log: log)

    def promote_clusters(self, settings: CoRetrieval) -> None:
        """Fold the lines into the log, and name the pairs of this folder that it often shows."""
        change = partial(promote_clusters, memory_subdir=self._memory_subdir, threshold=settings.cluster_threshold)
        self._rewrite(settings, change)

    def forget(self, memory_id: str, settings: CoRetrieval) -> int:
        """Remove a memory from the log, even while it is switched off; return how many recalls named it."""
        self.write_owed()  # else it came into a file that has been cleaned
        if not (self._path.exists() or self._lines.path.exists()):
            return 0
        named = 0

        def leave_out(log: CoRetrievals) -> CoRetrievals:
            nonlocal named
            named = sum(memory_id in entry.memory_ids for entry in log.entries)
            return without_memory(log, memory_id)

        self._rewrite(settings.model_copy(update={"enabled": True}), leave_out)
        return named

    def read(self, settings: CoRetrieval) -> CoRetrievals:
        """Return the log of all folders with the lines that are still to be folded in; writes nothing."""
        with self._problems.reading(self._path):
            return self._load(files.read_lines(self._lines.path), settings, self._problems.tell)
        return CoRetrievals(max_entries=settings.max_entries)

    def _rewrite(self, settings: CoRetrieval, change: Callable[[CoRetrievals], CoRetrievals]) -> None:
        """Replace the log by the result of `change`, which gets it with the lines, and then drop the lines."""

        def fold_in(rows: list[Row]) -> list[Row]:
            text = write_log(change(self._load(rows, settings, self._set_aside)))
            if files.to_bytes(text) != read_bytes(self._path):
                files.write_atomically(self._path, text)
            return []

        if not settings.enabled:
            return
        self._retry_size = 2 * self._lines.size
        with self._problems.writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lines.rewrite(fold_in, keeps=lambda _: False)
            self._retry_size = 0

    def _is_due(self) -> bool:
        waiting, stamp = self._lines.size, files.file_stamp(self._path)
        return waiting >= max(self._retry_size, min(MAX_WAITING, (0 if stamp is None else stamp[1]) // 2))

    def _load(
        self, rows: list[dict[str, Any]], settings: CoRetrieval, tell: Callable[[Problem], object]
    ) -> CoRetrievals:
        """Return the log with those of the lines that it lacks."""
        log = self._load_log(settings, tell)
        known = set(map(_moment, log.entries))
        waiting = [entry for row in rows if (entry := parse_pair_entry(row)) is not None]
        folded = max((number for number, entry in enumerate(waiting, start=1) if _moment(entry) in known), default=0)
        return append_entries(log, waiting[folded:])

    def _load_log(self, settings: CoRetrieval, tell: Callable[[Problem], object]) -> CoRetrievals:
        empty, data = CoRetrievals(max_entries=settings.max_entries), read_bytes(self._path)
        if data is None:
            return empty
        try:
            value: Any = parse(data)
        except ValueError as exc:
            tell(Problem(where=str(self._path), found=str(exc), allowed=_ALLOWED))
            return empty
        log, problems = read_log(value, max_entries=settings.max_entries)
        if problems:
            first = f"{problems[0].where} is {problems[0].found}, one of {len(problems)} that cannot be read"
            tell(Problem(where=str(self._path), found=first, allowed=problems[0].allowed))
        return log

    def _set_aside(self, problem: Problem) -> None:
        """Keep a copy of the file before it is replaced by its readable part."""
        set_aside(self._path, problem.found, self._problems)


def _moment(entry: CoRetrievalEntry) -> tuple[object, ...]:
    """Return what identifies a recall, also after memories were removed from it."""
    return entry.at, entry.cycle, entry.memory_subdir, entry.query_domain
