"""Bring the index up to the notes: what is new or changed is embedded, the rest is taken over (V-05, V-11, T-20).

A build can be stopped or killed at any moment; the next one goes on where it was, and embeds nothing twice. Only one
build at a time works in a folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ...clock import Clock, format_time
from ...errors import EmbeddingError, Problem, StoreError
from ...notes.chunker import SemanticChunker
from ...notes.meta import ChunkEntry, NoteEntry, NotesMeta, Skipped
from ...notes.model import Chunk, NoteError, embedded_text
from ..storage.files import hold_folder
from .notes_faiss import NotesFAISS, Vectors, normalized, write_index
from .sources import NoteSource, list_sources, read_source
from .vector_log import VectorLog

LOG_FILE = "notes_vectors.part"
_BATCH = 32

#: (pieces embedded, pieces to embed); raising ends the build, and keeps what was embedded.
Tell = Callable[[int, int], None]


class Embedder(Protocol):
    """What makes vectors of texts: the host's embedding model, or one of our own (T-20)."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""


@dataclass(frozen=True, slots=True)
class NotesModel:
    """An embedding model and the name that the index bears; it is loaded only if something has to be embedded.

    `dimension` is the length of its vectors, where that is known.
    """

    name: str
    load: Callable[[], Embedder]
    dimension: int | None = None


@dataclass(slots=True)
class BuildReport:
    """What a build did; `problems` are the files that are no readable notes."""

    notes: int = 0
    pieces: int = 0
    embedded: int = 0
    is_changed: bool = False
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Plan:
    notes: dict[str, NoteEntry] = field(default_factory=dict)
    chunks: list[ChunkEntry] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    def pieces(self, note_id: str) -> Sequence[ChunkEntry]:
        note = self.notes[note_id]
        return self.chunks[note.first : note.first + note.count]


def build_index(
    notes_folder: Path,
    index_folder: Path,
    model: NotesModel,
    chunker: SemanticChunker,
    clock: Clock,
    *,
    tell: Tell = lambda done, every: None,
) -> BuildReport:
    """Index the notes of a folder, and say what was done; raises StoreError while another build works there."""
    index_folder.mkdir(parents=True, exist_ok=True)
    with hold_folder(index_folder) as is_held:
        if not is_held:
            raise StoreError(f"{index_folder} is being written by another build; allowed: one at a time")
        return _build(notes_folder, index_folder, model, chunker, clock, tell)


def _build(
    notes_folder: Path, index_folder: Path, model: NotesModel, chunker: SemanticChunker, clock: Clock, tell: Tell
) -> BuildReport:
    old = _open_old(index_folder)
    plan = _plan(list_sources(notes_folder), old, chunker)
    report = BuildReport(
        notes=len(plan.notes),
        pieces=len(plan.chunks),
        problems=[Problem(where=one.file, found=one.found, allowed=one.allowed) for one in plan.skipped],
    )
    log = VectorLog(index_folder / LOG_FILE, model.name)
    if old is not None and _is_same(plan, old.meta, model):
        log.remove()
        return report
    matrix, report.embedded = _embed(plan, old, log, model, tell)
    describe = {
        "model": model.name,
        "built_at": format_time(clock()),
        "chunking": {"min_chars": chunker.min_chars, "max_chars": chunker.max_chars},
        "notes": plan.notes,
        "chunks": plan.chunks,
        "skipped": plan.skipped,
    }
    write_index(index_folder, matrix, describe)
    log.remove()
    report.is_changed = True
    return report


def compare_notes(notes_folder: Path, index: NotesFAISS, chunker: SemanticChunker) -> dict[str, int]:
    """Return how many notes are `new`, `changed` or `gone` since the index was built; nothing is embedded."""
    plan = _plan(list_sources(notes_folder), index, chunker)
    known = [one for one in plan.notes if one in index.notes]
    old = {one: [piece.digest for piece in index.pieces(one)] for one in known}
    now = {one: [piece.digest for piece in plan.pieces(one)] for one in known}
    return {
        "new": len(plan.notes) - len(known),
        "changed": sum(old[one] != now[one] for one in known),
        "gone": len(index.notes) - len(known),
    }


def _open_old(folder: Path) -> NotesFAISS | None:
    try:
        return NotesFAISS.open(folder)
    except StoreError:  # there is none, or it cannot be used: it is built anew
        return None


def _is_same(plan: _Plan, meta: NotesMeta, model: NotesModel) -> bool:
    is_of_model = model.name == meta.model and (not plan.chunks or model.dimension in (None, meta.dimension))
    return is_of_model and (plan.notes, plan.chunks, plan.skipped) == (meta.notes, meta.chunks, meta.skipped)


def _plan(sources: Sequence[NoteSource], old: NotesFAISS | None, chunker: SemanticChunker) -> _Plan:
    """Return which pieces there are to be; a note whose file has not changed is not read again."""
    plan = _Plan()
    is_cut_alike = old is not None and (old.meta.chunking.min_chars, old.meta.chunking.max_chars) == (
        chunker.min_chars,
        chunker.max_chars,
    )
    for source in sources:
        known = old.notes.get(source.id) if old is not None and is_cut_alike else None
        if old is not None and known is not None and (known.file, known.stamp) == (source.file, source.stamp):
            _add(plan, source, known.title, list(old.pieces(source.id)))
            plan.texts |= {
                one.digest: embedded_text(known.title, one.section_path, one.text) for one in old.pieces(source.id)
            }
            continue
        try:
            note = read_source(source)
        except NoteError as exc:
            plan.skipped.append(Skipped(file=source.file, stamp=source.stamp, found=exc.found, allowed=exc.allowed))
            continue
        chunks = chunker.chunk(note) if note is not None else ()
        if note is not None and chunks:
            _add(plan, source, note.title, [_to_entry(one) for one in chunks])
            plan.texts |= {one.digest: one.embedded_text for one in chunks}
    return plan


def _add(plan: _Plan, source: NoteSource, title: str, chunks: list[ChunkEntry]) -> None:
    plan.notes[source.id] = NoteEntry(
        title=title, file=source.file, stamp=source.stamp or (0, 0, 0), first=len(plan.chunks), count=len(chunks)
    )
    plan.chunks += chunks


def _to_entry(chunk: Chunk) -> ChunkEntry:
    return ChunkEntry(
        digest=chunk.digest,
        section_title=chunk.section_title,
        section_path=chunk.section_path,
        start_line=chunk.start_line,
        text=chunk.text,
    )


def _embed(plan: _Plan, old: NotesFAISS | None, log: VectorLog, model: NotesModel, tell: Tell) -> tuple[Vectors, int]:
    """Return the vector of every piece, and how many were embedded now."""
    known: dict[str, Vectors] = {}
    if old is not None and old.meta.model == model.name and model.dimension in (None, old.meta.dimension):
        known |= old.vectors()
    known |= log.read(model.dimension)
    count = 0
    while missing := [one for one in plan.texts if one not in known]:
        for digest, vector in _embed_missing(missing, plan, log, model, tell):
            count += 1
            is_other = bool(known) and len(vector) != len(next(iter(known.values())))
            if is_other:  # the same model makes other vectors now: nothing of before can be used
                known.clear()
            known[digest] = vector
            if is_other:
                break
    dimension = len(next(iter(known.values()))) if plan.chunks else 0
    rows = [known[one.digest] for one in plan.chunks]
    return np.array(rows, dtype=np.float32).reshape(len(rows), dimension), count


def _embed_missing(
    missing: list[str], plan: _Plan, log: VectorLog, model: NotesModel, tell: Tell
) -> Iterator[tuple[str, Vectors]]:
    embedder, waiting, done = model.load(), iter(missing), 0
    tell(0, len(missing))
    while batch := list(islice(waiting, _BATCH)):
        vectors = _ask(embedder, [plan.texts[one] for one in batch], model.name)
        records = list(zip(batch, vectors, strict=True))
        log.append(records, vectors.shape[1])
        yield from records
        done += len(batch)
        tell(done, len(missing))


def _ask(embedder: Embedder, texts: list[str], name: str) -> Vectors:
    """Return unit vectors; raises EmbeddingError for anything but a vector of finite numbers for each text."""
    try:
        found: Any = np.array(embedder.embed_documents(texts), dtype=np.float64)
    except (TypeError, ValueError) as exc:
        raise EmbeddingError(f"{name} returned no vectors ({exc}); allowed: one for each text") from exc
    if found.ndim != 2 or len(found) != len(texts) or not found.shape[1] or not np.isfinite(found).all():
        raise EmbeddingError(f"{name} returned {found.shape} for {len(texts)} texts; allowed: a finite vector for each")
    return normalized(found.astype(np.float32))
