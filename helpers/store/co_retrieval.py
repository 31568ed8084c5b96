"""`co_retrieval_log.json` beside the memory folders: which memories were recalled together.

The recalls of a turn are written at its end, in one step, so that a reader always finds a whole file; what cannot be
written waits. A fault in the file is reported and stops no turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..errors import Problem
from ..maintenance.co_retrieval import (
    CoRetrievalEntry,
    CoRetrievals,
    append_entries,
    promote_clusters,
    read_log,
    without_memory,
    write_log,
)
from ..setting_groups import CoRetrieval
from . import files
from .damage import ProblemLog, parse, read_bytes, set_aside

_ALLOWED = "a co-retrieval log as specified"


class CoRetrievalLog:
    """The log of several memory folders, as one of them writes it; unusable files are reported to `problems`.

    Every call takes the current settings; all but `append` block for as long as a small file takes.
    """

    def __init__(self, root: Path, memory_subdir: str, problems: ProblemLog) -> None:
        self._path = root / files.CO_RETRIEVAL_FILE
        self._memory_subdir = memory_subdir
        self._problems = problems
        self._waiting: list[CoRetrievalEntry] = []
        self._settings = CoRetrieval()
        self._lock = threading.Lock()

    def append(self, entry: CoRetrievalEntry, settings: CoRetrieval) -> None:
        """Append one recall, which the next `write_owed` writes."""
        if settings.enabled:
            self._settings = settings
            self._waiting.append(replace(entry, memory_subdir=self._memory_subdir))

    def write_owed(self) -> None:
        """Write the recalls that wait; a missing or damaged log is made anew."""
        if self._waiting:
            self._rewrite(self._settings, lambda log: log)

    def promote_clusters(self, settings: CoRetrieval) -> None:
        """Write what waits, and name the pairs of this folder that the log often shows."""
        change = partial(promote_clusters, memory_subdir=self._memory_subdir, threshold=settings.cluster_threshold)
        if settings.enabled:
            self._rewrite(settings, change)

    def forget(self, memory_id: str, settings: CoRetrieval) -> int:
        """Remove a memory from the log, even while it is switched off; return how many recalls named it."""
        if not (self._path.exists() or self._waiting):
            return 0
        named = 0

        def leave_out(log: CoRetrievals) -> CoRetrievals:
            nonlocal named
            named = sum(memory_id in entry.memory_ids for entry in log.entries)
            return without_memory(log, memory_id)

        self._rewrite(settings, leave_out)
        return named

    def read(self, settings: CoRetrieval) -> CoRetrievals:
        """Return the log of all folders with the recalls that wait here; writes nothing."""
        with self._problems.reading(self._path):
            return append_entries(self._load(settings, self._problems.tell), self._waiting)
        return CoRetrievals(max_entries=settings.max_entries)

    def _rewrite(self, settings: CoRetrieval, change: Callable[[CoRetrievals], CoRetrievals]) -> None:
        """Replace the log by the result of `change`, which gets it with the recalls that wait."""
        with self._lock, self._problems.writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            waiting = [*self._waiting]
            with files.only_writer(self._path):
                try:
                    text = write_log(change(append_entries(self._load(settings, self._set_aside), waiting)))
                    if files.to_bytes(text) != read_bytes(self._path):
                        files.write_atomically(self._path, text)
                finally:
                    if (stamp := files.file_stamp(self._path)) and not stamp[1]:  # made to be locked, and left empty
                        self._path.unlink()
            del self._waiting[: len(waiting)]
            self._path.with_suffix(".jsonl").unlink(missing_ok=True)  # where an earlier version kept them

    def _load(self, settings: CoRetrieval, tell: Callable[[Problem], object]) -> CoRetrievals:
        empty, data = CoRetrievals(max_entries=settings.max_entries), read_bytes(self._path)
        if not data:  # an empty file was made to be locked
            return empty
        try:
            return read_log(parse(data), max_entries=settings.max_entries)
        except ValueError as exc:
            tell(Problem(where=str(self._path), found=str(exc), allowed=_ALLOWED))
            return empty

    def _set_aside(self, problem: Problem) -> None:
        """Keep a copy of the file before it is begun anew."""
        set_aside(self._path, problem.found, self._problems)
