"""The quality report over a memory folder as it was last saved, without a host and without anything remembered (Q-54).

A memory that this pack has written is read the quick way, so that a hundred thousand take seconds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from ...clock import Clock, system_clock
from ...quality.chain import ChainReport
from ...quality.report import Advice, QualityFigures, advise, find_wanting, make_report
from ...quality.staleness import QualityRow, parse_raw_row, read_row
from ...quality.upkeep import may_archive
from ...records import Memory, parse_memory
from ...settings import Settings
from ..docstore.docstore_file import DOCSTORE_FILE, read_docstore
from ..docstore.quality_columns import QualityColumns, QualityFilter
from ..storage.conflict_file import ConflictFile
from .chain_file import ChainFile
from .reading import Checker, figures_of, show_stored


@contextmanager
def _without_collector() -> Iterator[None]:
    """Let the collector of garbage rest while many documents are made: it would look at them all, again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class SavedMemories:
    """The memories of a folder on disk."""

    def __init__(self, folder: Path, clock: Clock = system_clock, *, documents: dict[str, Any] | None = None) -> None:
        self.folder = folder
        self.clock = clock
        with _without_collector():
            self.documents = read_docstore(folder)[1] if documents is None else documents
        self._written_at = datetime.fromtimestamp((folder / DOCSTORE_FILE).stat().st_mtime, UTC)

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory as it was saved; None where there is none."""
        document = self.documents.get(memory_id)
        if document is None:
            return None
        inserted_at = self._written_at
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=inserted_at)[0]

    def columns(self) -> QualityColumns:
        """Return a row for each memory, in the order of insertion."""
        with _without_collector():
            return QualityColumns.of_rows(self._row(one, document) for one, document in self.documents.items())

    def _row(self, memory_id: str, document: Any) -> QualityRow:
        found = parse_raw_row(document.page_content, document.metadata)
        if found is not None:
            return found
        memory = self.read_as_found(memory_id)
        assert memory is not None
        return read_row(memory)


@dataclass(frozen=True, slots=True)
class FolderReport:
    """The report over a folder, and what a person is told beside it."""

    report: dict[str, Any]
    advice: Sequence[Advice]
    #: How many memories are old and not recalled, and not stale for it.
    unrecalled: int


def report_folder(folder: Path, settings: Settings, now: datetime) -> FolderReport:
    """Return the report over a folder."""
    saved = SavedMemories(folder)
    conflicts = ConflictFile(folder)
    figures: QualityFigures = figures_of(saved.columns(), list(saved.documents), conflicts, settings, now)
    pairs = {one.id: one.memories for one in conflicts.get_conflicts(unresolved=True)}
    texts = {one: document.page_content for one, document in saved.documents.items()}
    place = str(folder.absolute())
    advice = [advise(one, folder=place, texts=texts, pairs=pairs) for one in find_wanting(figures, settings.quality)]
    return FolderReport(make_report(figures, settings.quality), advice, figures.unrecalled)


def grade(
    saved: SavedMemories, settings: Settings, now: datetime, wanted: QualityFilter
) -> dict[str, dict[str, float]]:
    """Return staleness, quality and confidence of each memory that is as good as `wanted` (Q-26, Q-51)."""
    columns, count = saved.columns(), len(saved.documents)
    rates = settings.staleness_config
    measured, confidence = columns.measure(count, now, rates), columns.number("confidence", count)
    ids = list(saved.documents)
    return {
        ids[place]: {
            "quality": float(measured.score[place]),
            "staleness": float(measured.staleness[place]),
            "confidence": float(confidence[place]),
        }
        for place in np.flatnonzero(columns.passing(count, wanted, now, rates)).tolist()
    }


def open_checker(saved: SavedMemories, settings: Settings, clock: Clock) -> Checker:
    """Return what checks saved memories, and their chain."""
    return Checker(saved, settings, ChainFile(saved.folder, settings.quality.signature, clock))


def check_saved(
    saved: SavedMemories,
    settings: Settings,
    clock: Clock,
    chosen: Iterable[str] | None = None,
    validators: Iterable[object] = (),
    *,
    each: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> tuple[ChainReport, dict[str, list[str]]]:
    """Return what the chain is worth, and the errors of every memory, or every `chosen` one, that has some (Q-49).

    Errors on record count until somebody verifies the memory. Nothing is written. `validators` take part beside the
    built-in rules; raises ValidatorError. `each` yields the ids that it is given, and hears so how many are done.
    """
    checker = open_checker(saved, settings, clock)
    for one in validators:
        checker.add(one)
    report, conflicts = checker.verify_chain(), ConflictFile(saved.folder)
    found: dict[str, list[str]] = {}
    for memory_id in each(saved.documents if chosen is None else chosen):
        memory = saved.read_as_found(memory_id)
        if memory is None:
            continue
        shown = show_stored(memory, saved.documents[memory_id].metadata, conflicts, settings, clock())
        errors = checker.check(shown, memory, checker.proof(memory_id, report))
        errors += [one for one in shown["quality"]["validationErrors"] if one not in errors]
        if errors:
            found[memory_id] = errors
    return report, found


def find_stale(
    saved: SavedMemories, settings: Settings, now: datetime, *, threshold: float, older_than: timedelta, is_forced: bool
) -> list[str]:
    """Return what is so stale and so old, and not archived yet (Q-28, T-27)."""
    columns, ids = saved.columns(), list(saved.documents)
    staleness = columns.measure(len(ids), now, settings.staleness_config).staleness
    wanted = (staleness >= threshold) & columns.flag("is_known", len(ids)) & ~columns.flag("is_forgotten", len(ids))
    found = (ids[place] for place in np.flatnonzero(wanted))
    return [
        one
        for one in found
        if may_archive(saved.read_as_found(one), older_than=older_than, now=now, is_forced=is_forced)
    ]
