"""The reading half of the quality layer: memories, links, errors and the report.

It works on an open store, or on a folder as it was last saved, where memories written by this pack are read in a quick
way, so that a hundred thousand take seconds.
"""

from __future__ import annotations

import copy
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...clock import Clock, system_clock
from ...errors import shorten
from ...ledger.lifecycle import is_classified
from ...quality.chain import ChainReport
from ...quality.kinds import MemoryType
from ...quality.objects import QualityError, RecallRequest, parse_value, show_content, show_memory
from ...quality.relationships import Graph, RelationshipType, all_relationships
from ...quality.report import Advice, QualityFigures, advise, find_wanting, make_report
from ...quality.requests import may_archive
from ...quality.scores import QualityRow, measure, parse_raw_row, read_row
from ...quality.validators import (
    NO_PROOF,
    Checked,
    MemoryObject,
    Proof,
    Validator,
    check_built_in,
    parse_validator,
    parse_verdict,
)
from ...records import QUALITY_KEY, Memory, Relationship, parse_memory
from ...setting_groups import PositiveCount
from ...settings import Settings
from ...store.conflicts import ConflictFile
from ...store.docstore_file import DOCSTORE_FILE, read_docstore
from ...store.quality_columns import Measured, QualityColumns, QualityFilter, figures_of
from .chain import ChainFile

if TYPE_CHECKING:  # a report over files needs no index
    from ...store.docstore import Store
    from ...store.index import Mask

_NEVER_SIGNED = "unsigned: it was there before memories were signed"
_NOT_CHAINED = "not in the chain yet"


class QualityReader:
    """Reads the quality of the memories of one open store."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self._graph: tuple[object, Graph] | None = None

    def read(self, memory_id: str) -> Memory:
        """Return a memory that has a status; raises QualityError where there is none."""
        memory = self.store.read(memory_id)
        if memory is None:
            raise QualityError(f"memory {memory_id} is not in {self.store.folder}; allowed: the id of one that is")
        if not is_classified(memory):
            raise QualityError(f"memory {memory_id} has no status yet; allowed: one that has been classified")
        return memory

    def show(self, memory_id: str, report: ChainReport | None = None) -> MemoryObject | None:
        """Return a memory as the interface shows it, None if there is none; with the signature in `report`."""
        memory = self.store.read(memory_id)
        document = self.store.db.get_all_docs().get(memory_id)
        if memory is None or document is None:
            return None
        return show_stored(
            memory, document.metadata, self.store.conflicts, self.settings, self.store.clock(), report=report
        )

    def show_all(self, memory_ids: Sequence[str]) -> list[MemoryObject]:
        """Return some memories in their order, without those that have gone."""
        return [shown for memory_id in memory_ids if (shown := self.show(memory_id)) is not None]

    def ids(self) -> list[str]:
        """Return the ids of all memories, in the order of insertion."""
        with self.store.lock:
            return list(self.store.db.get_all_docs())

    def measured(self) -> Measured:
        """Return staleness and score of every memory, one row for each position."""
        columns = self.store.columns
        return columns.quality.measure(len(columns), self.store.clock(), self.settings.staleness_config)

    def narrow(self, request: RecallRequest) -> Mask:
        """Return one flag per position: whether it passes the filters of `request`. Call it with the lock held."""
        columns, count = self.store.columns, len(self.store.columns)
        wanted = QualityFilter(
            request.min_quality, request.max_staleness, request.exclude_conflicted, request.min_confidence
        )
        flags = columns.quality.passing(count, wanted, self.store.clock(), self.settings.staleness_config)
        if len(request.types) < len(MemoryType):
            flags &= columns.quality.with_type(count, request.types)
        created = columns.quality.number("created", count)
        if request.since is not None:
            flags &= created >= request.since.timestamp()
        if request.until is not None:
            flags &= created <= request.until.timestamp()
        if request.tags:
            flags &= np.array(
                [self._has_tag(memory_id, request) for memory_id in self.store.index.ids[:count]], dtype=np.bool_
            )
        return flags

    def _has_tag(self, memory_id: str, request: RecallRequest) -> bool:
        memory = self.store.read(memory_id)
        if memory is None:
            return False
        stated = memory.quality.tags if memory.quality is not None else ()
        derived = memory.classification.tags if memory.classification is not None else ()
        return not {*request.tags}.isdisjoint((*stated, *derived))

    def list_newest(self, request: RecallRequest) -> list[str]:
        """Return the ids of the memories that match a request without a query, the newest first."""
        with self.store.lock:
            self.store.refresh_positions()
            count = len(self.store.columns)
            flags = self.narrow(request) & self.store.columns.in_use()
            if request.include_deleted:
                flags = flags | self.store.columns.quality.flag("is_forgotten", count)
            created = self.store.columns.quality.number("created", count)
            places = np.flatnonzero(flags)
            ids = self.store.index.ids
            ordered = sorted(places.tolist(), key=lambda place: (-created[place], ids[place]))
            return [ids[place] for place in ordered[request.offset : request.offset + request.limit]]

    def stale(self, threshold: float) -> list[str]:
        """Return the ids of the memories that are at least this stale, the stalest first."""
        with self.store.lock:
            self.store.refresh_positions()
            count = len(self.store.columns)
            staleness = self.measured().staleness
            flags = (staleness >= threshold) & self.known(count)
            ids = self.store.index.ids
            return [
                ids[place]
                for place in sorted(np.flatnonzero(flags), key=lambda position: (-staleness[position], ids[position]))
            ]

    def known(self, count: int) -> Mask:
        """Return one flag per position: whether it has a status and is not forgotten."""
        quality = self.store.columns.quality
        return quality.flag("is_known", count) & ~quality.flag("is_forgotten", count)

    def graph(self) -> Graph:
        """Return the graph of all links, built anew when something has changed."""
        stamp = (self.store.version, len(self.store), len(self.store.conflicts.get_open()))
        if self._graph is None or self._graph[0] != stamp:
            self._graph = (stamp, Graph(self._links()))
        return self._graph[1]

    def _links(self) -> Iterator[tuple[str, Relationship]]:
        with self.store.lock:
            documents = dict(self.store.db.get_all_docs())
        conflicted = {memory_id for conflict in self.store.conflicts.get_open() for memory_id in conflict.memories}
        for memory_id, document in documents.items():
            if memory_id not in conflicted and not _is_linked(document.metadata):
                continue
            memory = self.store.read(memory_id)
            if memory is not None:
                for link in all_relationships(memory, self.store.conflicts.of_memory(memory_id)):
                    yield memory_id, link

    def related(self, memory_id: str, kind: str | None = None, *, depth: int = 1) -> list[MemoryObject]:
        """Return the memories linked to a memory, by links of one type or of all, up to `depth` steps away.

        The nearest come first, without those that have gone or are forgotten.
        """
        wanted = None if kind is None else parse_value(RelationshipType, kind, "type")
        steps = parse_value(PositiveCount, depth, "depth")
        self.read(memory_id)

        def exists(other_id: str) -> bool:
            return (other := self.store.read(other_id)) is not None and not other.is_forgotten

        return self.show_all(self.graph().traverse(memory_id, exists, kind=wanted, depth=steps))

    def figures(self) -> QualityFigures:
        """Return the figures of the report; linear in the number of memories."""
        with self.store.lock:
            self.store.refresh_positions()
            quality, ids = self.store.columns.quality, self.store.index.ids
            return figures_of(quality, ids, self.store.conflicts, self.settings, self.store.clock())


class Checkable(Protocol):
    """The part of a store that the checks need."""

    clock: Clock

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory with the status in its metadata; None where there is none."""


class Checker:
    """Checks the memories of one store, or of a folder on disk: by the built-in rules, the chain, and custom rules."""

    def __init__(self, store: Checkable, settings: Settings, file: ChainFile) -> None:
        self._store = store
        self._settings = settings
        self._file = file
        self._validators: dict[str, Validator] = {}

    def add(self, value: object) -> None:
        """Register a validator; one of the same name is replaced. Raises ValidatorError."""
        validator = parse_validator(value)
        self._validators[validator.name] = validator

    def verify_chain(self) -> ChainReport:
        """Verify the whole chain."""
        return self._file.verify(self._store.read_as_found)

    def check(self, shown: MemoryObject, memory: Memory | None = None, proof: Proof = NO_PROOF) -> list[str]:
        """Return the errors by the rules and the validators, each as "<rule>: <message>"."""
        errors = check_built_in(Checked(shown=shown, now=self._store.clock(), memory=memory, proof=proof))
        for validator in self._validators.values():
            if validator.applies_to(shown) and (message := _ask(validator, shown)) is not None:
                errors.append(f"{validator.name}: {message}")
        return errors

    def proof(self, memory_id: str, report: ChainReport) -> Proof:
        """Return the chain's proof of a stored memory; an unsigned one is valid unless settings demand signatures."""
        line = report.lines.get(memory_id)
        signature_error, notes = report.signature_errors.get(memory_id), []
        if signature_error is None and (line is None or line.get("unsigned")):
            note = _NOT_CHAINED if line is None else _NEVER_SIGNED
            if self._settings.quality.require_signature:
                signature_error = note
            else:
                notes.append(note)
        return Proof(chain_error=report.error_of(memory_id), signature_error=signature_error, notes=tuple(notes))


def _ask(validator: Validator, shown: MemoryObject) -> str | None:
    """Return the objection of a custom rule to a copy of a memory; an exception counts as an objection."""
    try:
        return parse_verdict(validator.validate(copy.deepcopy(shown)))
    except (Exception, SystemExit) as exc:  # noqa: BLE001 - somebody else's code: whatever it raises is its answer
        return f"raised {type(exc).__name__}: {shorten(str(exc))}"


def show_stored(
    memory: Memory,
    metadata: Mapping[str, Any],
    conflicts: ConflictFile,
    settings: Settings,
    now: datetime,
    *,
    report: ChainReport | None = None,
) -> MemoryObject:
    """Return a memory as the interface shows it, with the signature in `report`."""
    row = read_row(memory)
    figures = measure(row, now, settings.staleness_config)
    links = all_relationships(memory, conflicts.of_memory(memory.id))
    signature = report.lines.get(memory.id, {}).get("signature") if report is not None else None
    return show_memory(memory, show_content(memory.text, metadata), row, figures, links, signature=signature)


def _is_linked(metadata: Any) -> bool:
    """Whether a memory may have links, by its raw metadata."""
    lineage, quality = metadata.get("lineage"), metadata.get(QUALITY_KEY)
    if not isinstance(lineage, dict) or (quality is not None and not isinstance(quality, dict)):
        return True
    has_links = any(lineage.get(key) for key in ("supersedes", "supersedes_ids", "related_memory_ids"))
    return has_links or bool(quality and quality.get("relationships"))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Switch off the garbage collector while many documents are made, which it would visit again and again."""
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
            return QualityColumns.of_rows(self._row(*item) for item in self.documents.items())

    def _row(self, memory_id: str, document: Any) -> QualityRow:
        row = parse_raw_row(document.page_content, document.metadata)
        if row is not None:
            return row
        memory = self.read_as_found(memory_id)
        assert memory is not None
        return read_row(memory)


@dataclass(frozen=True, slots=True)
class FolderReport:
    """The report about a folder, and the advice for a person."""

    report: dict[str, Any]
    advice: Sequence[Advice]
    #: How many old memories are not recalled, and not counted as stale.
    unrecalled: int


def report_folder(folder: Path, settings: Settings, now: datetime) -> FolderReport:
    """Return the report about a folder on disk."""
    saved = SavedMemories(folder)
    conflicts = ConflictFile(folder)
    figures: QualityFigures = figures_of(saved.columns(), list(saved.documents), conflicts, settings, now)
    pairs = {conflict.id: conflict.memories for conflict in conflicts.get_conflicts(unresolved=True)}
    texts = {memory_id: document.page_content for memory_id, document in saved.documents.items()}
    place = str(folder.absolute())
    advice = [
        advise(figure, folder=place, texts=texts, pairs=pairs) for figure in find_wanting(figures, settings.quality)
    ]
    return FolderReport(make_report(figures, settings.quality), advice, figures.unrecalled)


def grade(
    saved: SavedMemories, settings: Settings, now: datetime, wanted: QualityFilter
) -> dict[str, dict[str, float]]:
    """Return staleness, quality and confidence of each memory that is as good as `wanted`."""
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
    """Return the checker of saved memories and their chain."""
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
    """Return the report about the chain, and the errors of all faulty memories, or of the `chosen` ones, by id.

    Recorded errors count until somebody verifies the memory. Nothing is written. `validators` are used beside the
    built-in rules; raises ValidatorError. `each` passes the ids on, and can show the progress.
    """
    checker = open_checker(saved, settings, clock)
    for validator in validators:
        checker.add(validator)
    report, conflicts = checker.verify_chain(), ConflictFile(saved.folder)
    errors_by_id: dict[str, list[str]] = {}
    for memory_id in each(saved.documents if chosen is None else chosen):
        memory = saved.read_as_found(memory_id)
        if memory is None:
            continue
        shown = show_stored(memory, saved.documents[memory_id].metadata, conflicts, settings, clock())
        errors = checker.check(shown, memory, checker.proof(memory_id, report))
        errors += [error for error in shown["quality"]["validationErrors"] if error not in errors]
        if errors:
            errors_by_id[memory_id] = errors
    return report, errors_by_id


def find_stale(
    saved: SavedMemories, settings: Settings, now: datetime, *, threshold: float, older_than: timedelta, is_forced: bool
) -> list[str]:
    """Return the ids of memories that are stale and old enough to be archived."""
    columns, ids = saved.columns(), list(saved.documents)
    staleness = columns.measure(len(ids), now, settings.staleness_config).staleness
    wanted = (staleness >= threshold) & columns.flag("is_known", len(ids)) & ~columns.flag("is_forgotten", len(ids))
    ids_of_stale = (ids[place] for place in np.flatnonzero(wanted))
    return [
        memory_id
        for memory_id in ids_of_stale
        if may_archive(saved.read_as_found(memory_id), older_than=older_than, now=now, is_forced=is_forced)
    ]
