"""Memories checked, shown, rated and summed up, of an open store or of a folder as it was last saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...clock import Clock
from ...quality.chain import ChainReport
from ...quality.objects import show_memory
from ...quality.report import Advice, advise, find_wanting, make_report
from ...quality.requests import may_archive
from ...quality.validators import (
    Checked,
    MemoryObject,
    Validator,
    check_built_in,
    parse_validator,
)
from ...records import Memory
from ...settings import Settings
from ...store.columns import Columns
from ...store.quality_columns import QualityFilter, figures_of, passing
from ...store.quality_columns import measure as measure_columns
from .chain import ChainFile, ReadMemory

if TYPE_CHECKING:
    from ...service.place import MemoryPlace

_NEVER_SIGNED = "unsigned: it was there before memories were signed"
_NOT_CHAINED = "not in the chain yet"


class Checker:
    """Checks memories by the built-in rules, the chain, and custom rules; `read` returns one as it is stored."""

    def __init__(self, read: ReadMemory, settings: Settings, file: ChainFile, clock: Clock) -> None:
        self._read = read
        self._settings = settings
        self._file = file
        self._clock = clock
        self._validators: dict[str, Validator] = {}

    def add(self, value: object) -> None:
        """Register a validator; one of the same name is replaced. Raises ValidatorError."""
        validator = parse_validator(value)
        self._validators[validator.name] = validator

    def verify_chain(self) -> ChainReport:
        """Verify the whole chain."""
        return self._file.verify(self._read)

    def check(self, shown: MemoryObject, memory: Memory | None, proof: Mapping[str, str] | None = None) -> list[str]:
        """Return the errors by the rules and the validators, each as "<rule>: <message>"."""
        errors = check_built_in(Checked(shown=shown, now=self._clock(), memory=memory, proof=proof or {}))
        for validator in self._validators.values():
            if validator.applies_to(shown) and (message := validator.find_objection(shown)) is not None:
                errors.append(f"{validator.name}: {message}")
        return errors

    def prove(self, memory_id: str, report: ChainReport) -> tuple[dict[str, str], list[str]]:
        """Return the errors of a stored memory by its chain and signature, and notes that are no errors.

        An unsigned memory is valid unless settings demand signatures.
        """
        line, notes = report.lines.get(memory_id), list[str]()
        found = {"chain": report.error_of(memory_id), "signature": report.signature_errors.get(memory_id)}
        if found["signature"] is None and (line is None or line.get("unsigned")):
            note = _NOT_CHAINED if line is None else _NEVER_SIGNED
            if self._settings.quality.require_signature:
                found["signature"] = note
            else:
                notes.append(note)
        return {rule: error for rule, error in found.items() if error is not None}, notes


class FolderReport(NamedTuple):
    """The report about a folder, and the advice for a person."""

    report: dict[str, Any]
    advice: Sequence[Advice]
    #: How many old memories are not recalled, and not counted as stale.
    unrecalled: int


def report_folder(place: MemoryPlace) -> FolderReport:
    """Return the report about a folder."""
    layer, documents = place.settings.quality, place.documents()
    figures = figures_of(_columns(place), [*documents], place.conflicts, place.settings, place.now())
    pairs = {conflict.id: conflict.memories for conflict in place.conflicts.get_conflicts(unresolved=True)}
    texts = {memory_id: document.page_content for memory_id, document in documents.items()}
    folder = str(place.path.absolute())
    advice = [advise(finding, folder=folder, texts=texts, pairs=pairs) for finding in find_wanting(figures, layer)]
    return FolderReport(make_report(figures, layer), advice, figures.unrecalled)


def _columns(place: MemoryPlace) -> Columns:
    """Return a row for each memory, in the order of the documents."""
    return Columns.of_memories([memory for memory in map(place.read, place.documents()) if memory is not None])


def grade(place: MemoryPlace, wanted: QualityFilter) -> dict[str, dict[str, float]]:
    """Return staleness, quality and confidence of each memory that is as good as `wanted`."""
    columns, ids = _columns(place), [*place.documents()]
    now, rates = place.now(), place.settings.staleness_config
    measured = measure_columns(columns, now, rates)
    return {
        ids[row]: {
            "quality": float(measured.score[row]),
            "staleness": float(measured.staleness[row]),
            "confidence": float(columns.confidence[row]),
        }
        for row in np.flatnonzero(passing(columns, wanted, now, rates)).tolist()
    }


def open_checker(place: MemoryPlace) -> Checker:
    """Return the checker of saved memories and their chain."""
    file = ChainFile(place.path, place.settings.quality.signature, place.now)
    return Checker(place.read, place.settings, file, place.now)


def check_saved(
    place: MemoryPlace,
    chosen: Iterable[str],
    *,
    each: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> tuple[ChainReport, dict[str, list[str]]]:
    """Return the report about the chain, and the errors of all faulty memories among the `chosen` ones, by id.

    Recorded errors count until somebody verifies the memory. Nothing is written. `each` passes the ids on, and can
    show the progress.
    """
    checker = open_checker(place)
    report, errors_by_id = checker.verify_chain(), dict[str, list[str]]()
    for memory_id in each(chosen):
        memory = place.read(memory_id)
        if memory is None:
            continue
        metadata = place.documents()[memory_id].metadata
        shown = show_memory(memory, metadata, place.conflicts.of_memory, place.settings, place.now())
        errors = checker.check(shown, memory, checker.prove(memory_id, report)[0])
        errors += [error for error in shown["quality"]["validationErrors"] if error not in errors]
        if errors:
            errors_by_id[memory_id] = errors
    return report, errors_by_id


def find_stale(place: MemoryPlace, *, threshold: float, older_than: timedelta, is_forced: bool) -> list[str]:
    """Return the ids of memories that are stale and old enough to be archived."""
    allows = partial(may_archive, older_than=older_than, now=place.now(), is_forced=is_forced)
    rated = grade(place, QualityFilter())
    return [key for key, row in rated.items() if row["staleness"] >= threshold and allows(place.read(key))]
