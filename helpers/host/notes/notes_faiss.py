"""The read-only index of the notes.

It has two files of one build, `notes_index.faiss` and `notes_meta.json`; a damaged or mismatched pair is not used. The
eligible notes are chosen before the search, so a large note never hides a small one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from ...errors import EmbeddingError, StoreError, reason_of
from ...notes.model import Chunk, NoteEntry, NoteHit, NotesMeta
from ...store.damage import open_to_read
from ...store.files import replacing, to_bytes

INDEX_FOLDER = "faiss"
INDEX_FILE = "notes_index.faiss"
META_FILE = "notes_meta.json"

Vectors = npt.NDArray[np.float32]


class NotesFAISS:
    """The last index of the notes of one folder, without any method that changes it."""

    def __init__(self, meta: NotesMeta, index: Any) -> None:
        self.meta = meta
        self._index = index
        self._chunks = meta.chunks

    @classmethod
    def open(cls, folder: Path) -> NotesFAISS:
        """Read the index in `folder`; raises StoreError where it is missing or incomplete."""
        path = folder / META_FILE
        try:
            meta = NotesMeta.model_validate_json(_read(path))
            data = _read(folder / INDEX_FILE)
            if hashlib.sha256(data).hexdigest() != meta.index_sha256:
                raise ValueError(f"{INDEX_FILE} and {META_FILE} are not of one build")
            index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8))
            if (index.ntotal, index.d) != (len(meta.chunks), max(meta.dimension, 1)):
                raise ValueError(f"{index.ntotal} vectors of {index.d} numbers do not fit {META_FILE}")
        except FileNotFoundError as exc:
            raise StoreError(f"{exc.filename} is missing; allowed: an index of notes") from exc
        except ValidationError:  # its own words would quote the notes
            words = f"{path} is damaged or of an earlier version; allowed: what `memory-ledger notes index` writes"
            raise StoreError(words) from None
        except (OSError, RuntimeError, ValueError) as exc:
            raise StoreError(f"{folder}: the index of notes cannot be read ({reason_of(exc)})") from exc
        return cls(meta, index)

    def __len__(self) -> int:
        return len(self._chunks)

    @property
    def notes(self) -> Mapping[str, NoteEntry]:
        """The notes by id, in the order of their rows."""
        return self.meta.notes

    def pieces(self, note_id: str) -> Sequence[Chunk]:
        """Return the pieces of a note in their order; none for an unknown note."""
        note = self.meta.notes.get(note_id)
        return () if note is None else note.chunks

    def search(self, vector: Any, *, limit: int, note_ids: Iterable[str] | None = None) -> list[NoteHit]:
        """Return the `limit` pieces nearest to a vector, nearest first; with `note_ids`, only of these notes.

        Unknown ids are ignored. Raises EmbeddingError for a vector of another length.
        """
        unit = np.array(vector, dtype=np.float32).reshape(1, -1)
        if len(self) and (unit.shape[1] != self.meta.dimension or not np.isfinite(unit).all()):
            raise EmbeddingError(f"a vector of {unit.shape[1]} numbers; allowed: {self.meta.dimension} finite ones")
        wanted = None if note_ids is None else {*note_ids}
        rows = [row for row, (note_id, _) in enumerate(self._chunks) if wanted is None or note_id in wanted]
        if limit < 1 or not rows:
            return []
        parameters: Any = faiss.SearchParameters
        chosen = parameters(sel=faiss.IDSelectorBatch(np.array(rows, dtype=np.int64)))
        similarities, nearest = self._index.search(normalized(unit), min(limit, len(rows)), params=chosen)
        hits = zip(similarities[0].tolist(), nearest[0].tolist(), strict=True)
        found = ((*self._chunks[row], similarity) for similarity, row in hits if row >= 0)
        return [
            NoteHit(note_id, self.meta.notes[note_id].title, chunk, similarity) for note_id, chunk, similarity in found
        ]

    def vectors(self) -> dict[str, Vectors]:
        """Return a copy of every vector by the digest of its text."""
        if not len(self):
            return {}
        matrix = self._index.reconstruct_n(0, len(self))
        return {chunk.digest: row for (_, chunk), row in zip(self._chunks, matrix, strict=True)}


def normalized(matrix: Vectors) -> Vectors:
    """Return the rows with length 1; a row of zeros stays."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    units: Vectors = np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)
    return units


def write_index(folder: Path, matrix: Vectors, describe: dict[str, Any]) -> NotesMeta:
    """Write both files, and put them in place once both are on the disk: a full disk leaves the former index.

    The description comes last: until then the two files do not match, and are not used.
    """
    index = faiss.IndexFlatIP(max(matrix.shape[1], 1))
    if len(matrix):
        index.add(np.ascontiguousarray(matrix, dtype=np.float32))
    data = faiss.serialize_index(index).tobytes()
    meta = NotesMeta(
        format=2,
        dimension=matrix.shape[1],
        index_type="IndexFlatIP",
        is_normalized=True,
        index_sha256=hashlib.sha256(data).hexdigest(),
        **describe,
    )
    with replacing(folder / INDEX_FILE) as (stream, put_index), replacing(folder / META_FILE) as (described, put_meta):
        stream.write(data)
        described.write(to_bytes(meta.model_dump_json() + "\n"))
        for output in (stream, described):
            output.flush()
            os.fsync(output.fileno())
        put_index()
        put_meta()
    return meta


def remove_index(folder: Path) -> None:
    """Remove both files."""
    for name in (META_FILE, INDEX_FILE):
        (folder / name).unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    with open_to_read(path) as stream:
        return stream.read()
