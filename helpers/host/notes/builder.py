"""Build the index of the notes: new and changed pieces are embedded, the others are taken over.

An interrupted build writes what is embedded so far, and the next one continues. Only one build at a time works in a
folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from ...clock import Clock, format_time
from ...errors import EmbeddingError, Problem, StoreError
from ...notes.chunker import SemanticChunker
from ...notes.model import Chunking, NoteEntry, NoteError, NotesMeta, Skipped
from ...setting_groups import Notes
from ...store.embedding import HUB_NAME, load_model
from ...store.erase import Trace
from ...store.files import hold_folder, read_hosts_object
from .notes_faiss import META_FILE, NotesFAISS, Vectors, normalized, remove_index, write_index
from .sources import NoteSource, list_sources, read_source

_BATCH = 32
_EMBEDDING_FILE = "embedding.json"
_LOCAL = "huggingface"
_HUB_OWNER = "sentence-transformers"

#: Called with the number of embedded pieces and their total; an exception ends the build and keeps the vectors.
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class NotesModel:
    """An embedding model, loaded only if something has to be embedded, and its name in the index.

    `dimension` is the length of its vectors, if it is known.
    """

    name: str
    load: Callable[[], Any]
    dimension: int | None = None


def host_model_name(folder: Path) -> str | None:
    """Return the host's embedding model of a memory folder as `provider/name`; None if it is not recorded."""
    stored = read_hosts_object(folder / _EMBEDDING_FILE) or {}
    provider, name = stored.get("model_provider"), stored.get("model_name")
    return f"{provider}/{name}" if isinstance(provider, str) and isinstance(name, str) else None


def named_model(name: str) -> NotesModel:
    """Return a model of sentence-transformers, whose own models have names without an owner."""
    full = name if "/" in name else f"{_HUB_OWNER}/{name}"
    return NotesModel(f"{_LOCAL}/{full}", partial(_load, full))


#: Loads a model of ours once, unless another one is wanted meanwhile.
_load = lru_cache(maxsize=1)(load_model)


def model_of_host(folder: Path, settings: Notes, db: Any) -> NotesModel:
    """Return the model for the notes inside of a host; `db` is its FAISS object over the memory folder."""
    if settings.embedding_model is not None:
        return named_model(settings.embedding_model)
    embedder = db.embedding_function
    name = host_model_name(folder) or type(getattr(embedder, "underlying_embeddings", embedder)).__name__
    return NotesModel(name, lambda: embedder, int(db.index.d))


def model_at_terminal(folder: Path, settings: Notes) -> NotesModel:
    """Return the model for the notes at a terminal; raises StoreError if the host could not use the resulting index."""
    if settings.embedding_model is not None:
        return named_model(settings.embedding_model)
    model = named_model(HUB_NAME)
    used = host_model_name(folder)
    if used not in (None, model.name):
        raise StoreError(
            f"{folder}: Agent Zero embeds with {used}, which no command can; allowed: the setting "
            "notes.embedding_model, or to let Agent Zero index the notes at its next turn"
        )
    return model


@dataclass(slots=True)
class BuildReport:
    """The result of a build; `problems` are about files that are no readable notes."""

    notes: int
    pieces: int
    problems: list[Problem]
    embedded: int = 0
    is_changed: bool = False


def build_index(
    notes_folder: Path,
    index_folder: Path,
    model: NotesModel,
    chunker: SemanticChunker,
    clock: Clock,
    *,
    tell: Tell = lambda done, every: None,
) -> BuildReport:
    """Index the notes of a folder and return a report; raises StoreError while another build works there."""
    index_folder.mkdir(parents=True, exist_ok=True)
    with _held(index_folder):
        old = _open_old(index_folder)
        notes, skipped = _read_notes(list_sources(notes_folder), old, chunker)
        report = BuildReport(
            notes=len(notes),
            pieces=sum(len(note.chunks) for note in notes.values()),
            problems=[Problem(where=file.file, found=file.found, allowed=file.allowed) for file in skipped],
        )
        if old is not None and (notes, skipped) == (old.notes, old.meta.skipped) and _is_of(model, old.meta):
            return report
        vectors = old.vectors() if old is not None and _is_of(model, old.meta) else {}
        before = _known_notes(old, chunker)
        about = {"model": model.name, "built_at": format_time(clock()), "chunking": _chunking_of(chunker)}
        try:
            _embed(notes, vectors, model, report, tell)
        finally:
            if report.is_changed or report.embedded:
                # An interrupted build leaves its complete notes, and the old versions of the other ones.
                versions = ((key, note) for key, new in notes.items() for note in (before.get(key), new) if note)
                whole = {key: note for key, note in versions if all(chunk.digest in vectors for chunk in note.chunks)}
                _write(index_folder, whole, vectors, about | {"skipped": skipped})
    return report


@contextmanager
def _held(index_folder: Path) -> Iterator[None]:
    """Hold an index; raises StoreError while a build works there."""
    with hold_folder(index_folder) as is_held:
        if not is_held:
            raise StoreError(f"{index_folder} is being written by another build; allowed: one at a time")
        yield


def _write(
    folder: Path, notes: Mapping[str, NoteEntry], vectors: Mapping[str, Vectors], about: Mapping[str, Any]
) -> None:
    rows = [vectors[chunk.digest] for note in notes.values() for chunk in note.chunks]
    matrix = np.array(rows, dtype=np.float32).reshape(len(rows), len(rows[0]) if rows else 0)
    write_index(folder, matrix, {**about, "notes": notes})


def forget_index(folder: Path, trace: Trace) -> bool:
    """Remove the notes that reveal an erased memory from the index; the next build reads them anew.

    Returns whether there were any. Raises StoreError while a build works there.
    """
    meta = folder / META_FILE
    if not meta.exists() or not trace.is_in_bytes(meta.read_bytes()):
        return False
    with _held(folder):
        index = _open_old(folder)
        if index is None:  # it cannot be used anyway
            remove_index(folder)
            return True
        entries = index.notes.items()
        kept = {key: note for key, note in entries if not trace.is_in_bytes(f"{key}{note.model_dump_json()}".encode())}
        about = {"model": index.meta.model, "built_at": index.meta.built_at, "chunking": index.meta.chunking}
        _write(folder, kept, index.vectors(), about | {"skipped": []})
    return True


def compare_notes(notes_folder: Path, index: NotesFAISS, chunker: SemanticChunker) -> dict[str, int]:
    """Return the numbers of `new`, `changed` and `gone` notes since the index was built; embeds nothing."""
    now, old = _read_notes(list_sources(notes_folder), index, chunker)[0], index.notes
    known = now.keys() & old.keys()
    digests = {key: [[chunk.digest for chunk in note.chunks] for note in (now[key], old[key])] for key in known}
    changed = [key for key, (present, former) in digests.items() if present != former]
    return {"new": len(now) - len(known), "changed": len(changed), "gone": len(old) - len(known)}


def _open_old(folder: Path) -> NotesFAISS | None:
    try:
        return NotesFAISS.open(folder)
    except StoreError:  # a missing or unusable index is built anew
        return None


def _is_of(model: NotesModel, meta: NotesMeta) -> bool:
    """Whether a model makes the vectors of an index, as far as its name and their length tell."""
    return model.name == meta.model and (not meta.notes or model.dimension in (None, meta.dimension))


def _chunking_of(chunker: SemanticChunker) -> Chunking:
    return Chunking(min_chars=chunker.min_chars, max_chars=chunker.max_chars)


def _known_notes(old: NotesFAISS | None, chunker: SemanticChunker) -> Mapping[str, NoteEntry]:
    return old.notes if old is not None and old.meta.chunking == _chunking_of(chunker) else {}


def _read_notes(
    sources: Iterable[NoteSource], old: NotesFAISS | None, chunker: SemanticChunker
) -> tuple[dict[str, NoteEntry], list[Skipped]]:
    """Return the notes to index, and the files that are no readable notes; unchanged files are not read again."""
    notes: dict[str, NoteEntry] = {}
    skipped: list[Skipped] = []
    known_notes = _known_notes(old, chunker)
    for source in sources:
        known = known_notes.get(source.id)
        if known is not None and (known.file, known.stamp) == (source.file, source.stamp):
            notes[source.id] = known
            continue
        try:
            note = read_source(source)
        except NoteError as exc:
            skipped.append(Skipped(file=source.file, stamp=source.stamp, found=exc.found, allowed=exc.allowed))
            continue
        if note is not None and (chunks := chunker.chunk(note)):
            stamp = source.stamp or (0, 0, 0)
            notes[source.id] = NoteEntry(title=note.title, file=source.file, stamp=stamp, chunks=chunks)
    return notes, skipped


def _embed(
    notes: Mapping[str, NoteEntry], vectors: dict[str, Vectors], model: NotesModel, report: BuildReport, tell: Tell
) -> None:
    """Embed the missing texts into `vectors`."""
    texts = {chunk.digest: chunk.embedded_text(note.title) for note in notes.values() for chunk in note.chunks}
    while missing := [digest for digest in texts if digest not in vectors]:
        embedder = model.load()
        tell(0, len(missing))
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            made = _ask(embedder, [texts[digest] for digest in batch], model.name)
            is_other = bool(vectors) and made.shape[1] != len(next(iter(vectors.values())))
            if is_other:  # the same model makes other vectors now: nothing of before can be used
                vectors.clear()
            vectors.update(zip(batch, made, strict=True))
            report.embedded += len(batch)
            if is_other:
                break
            tell(start + len(batch), len(missing))
    report.is_changed = True


def _ask(embedder: Any, texts: list[str], name: str) -> Vectors:
    """Embed texts as unit vectors, shape (n, d); raises EmbeddingError for any other result of the model."""
    try:
        vectors: Any = np.array(embedder.embed_documents(texts), dtype=np.float64)
    except (TypeError, ValueError) as exc:
        raise EmbeddingError(f"{name} returned no vectors ({exc}); allowed: one for each text") from exc
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1] or not np.isfinite(vectors).all():
        raise EmbeddingError(
            f"{name} returned {vectors.shape} for {len(texts)} texts; allowed: a finite vector for each"
        )
    return normalized(vectors.astype(np.float32))
