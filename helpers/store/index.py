"""Positions and searches in the host's FAISS index, without its detours.

The host filters the 20 nearest and returns no scores. Here the search is exact among the eligible memories.
Similarities are on the host's scale, (1 + cosine) / 2, in 0..1, whatever the norm of the vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

from ..errors import EmbeddingError

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

# Cosines that are equal to this many digits are a tie, which ends with the id: the last bits are rounding.
_DIGITS, _SAME = 6, 1e-6
# A sample of a large store is made of this many stretches.
_BLOCKS = 8


class Index:
    """A view of one FAISS store: the positions of the memories, and searches.

    Positions are extended after the host's inserts and rebuilt after its deletes; `layout` counts the rebuilds.
    """

    def __init__(self, db: Any) -> None:
        self._db = db
        self._map: dict[int, str] | None = None
        self.ids: list[str] = []
        self.layout = 0
        self._positions: dict[str, int] = {}
        self._lengths = np.zeros(0, dtype=np.float32)

    def refresh(self) -> bool:
        """Bring the positions up to date; True if earlier ones have moved.

        The host replaces its position map on every delete and extends it on every insert.
        """
        current: dict[int, str] = self._db.index_to_docstore_id
        moved = current is not self._map or len(current) < len(self.ids)
        if moved:
            self._map, self.ids, self._positions = current, [], {}
            self._lengths = np.zeros(0, dtype=np.float32)
            self.layout += 1
        for position in range(len(self.ids), len(current)):
            memory_id = current.get(position)
            if memory_id is None:
                break
            self._positions[memory_id] = position
            self.ids.append(memory_id)
        return moved

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def positions(self) -> Mapping[str, int]:
        """The position of each memory; when positions move, a new mapping replaces this one, which stays as it is."""
        return self._positions

    def position(self, memory_id: str) -> int | None:
        """Return the position of a memory's vector, or None."""
        return self._positions.get(memory_id)

    def vector(self, memory_id: str) -> Vector | None:
        """Return the stored vector of a memory, shape (d,); nothing is embedded anew."""
        position, vectors = self._positions.get(memory_id), _all_vectors(self._db.index)
        return None if position is None or position >= len(vectors) else vectors[position].copy()

    def count_vectors(self) -> int:
        """Return how many positions have a vector: fewer than all if index and docstore disagree."""
        return min(len(self.ids), int(self._db.index.ntotal))

    def unit_vectors(self, start: int, stop: int, layout: int) -> Matrix | None:
        """Return the vectors at positions `start` to `stop` with length 1, shape (n, d).

        None if the positions are no longer those of `layout`. Call it with the lock held, a slice at a time.
        """
        if self.layout != layout or self._db.index_to_docstore_id is not self._map:
            return None
        return _unit(_all_vectors(self._db.index)[start:stop])

    def search(self, query: Vector, k: int, eligible: Mask) -> list[tuple[str, float]]:
        """Return the ids and similarities of the `k` nearest eligible memories, best first, ties ordered by id.

        `query` has shape (d,); `eligible` has one flag per position, shape (n,).
        """
        return [(self.ids[place], similarity) for place, similarity in self._nearest(query, k, eligible)]

    def search_all(self, queries: Matrix, k: int, eligible: Mask) -> list[list[tuple[int, float]]]:
        """Return, for each row of `queries`, shape (m, d), the `k` nearest positions with their similarity."""
        return [self._nearest(query, k, eligible) for query in queries]

    def rows(self, places: Sequence[int]) -> Matrix:
        """Return the vectors at some positions with length 1, shape (k, d).

        A text that a crash left without its vector gets zeros, which are neither near nor far.
        """
        vectors, chosen = _all_vectors(self._db.index), np.asarray(places, dtype=np.int64)
        rows = np.zeros((len(chosen), vectors.shape[1]), dtype=np.float32)
        has_vector = chosen < len(vectors)
        rows[has_vector] = vectors[chosen[has_vector]]
        return _unit(rows)

    def similarities(self, queries: Matrix, rows: Matrix) -> npt.NDArray[np.float64]:
        """Return the similarity of each of `queries`, shape (m, d), to each of `rows`, (k, d): shape (m, k)."""
        return np.clip((1.0 + (_unit(queries) @ rows.T).astype(np.float64)) / 2.0, 0.0, 1.0)

    def centre(self, queries: Matrix, rows: Matrix, sample: Matrix, trust: float) -> tuple[Matrix, Matrix]:
        """Return the centred cosines of `queries`, shape (m, d), and `rows`, (k, d), and those of `rows` and the mean.

        Their shapes are (m, k) and (k,). The mean is that of the `sample`, (n, d); `trust`, in 0..1, is the share of it
        that is subtracted before the cosines are taken.
        """
        mean = sample.mean(axis=0) if len(sample) else np.zeros(rows.shape[1], dtype=np.float32)
        return _unit(_unit(queries) - trust * mean) @ _unit(rows - trust * mean).T, rows @ mean

    def sample(self, count: int = 2_000) -> Matrix:
        """Return up to `count` vectors of the whole store with length 1, evenly spread, shape (n, d)."""
        total, vectors = self.count_vectors(), _all_vectors(self._db.index)
        if total <= count:
            return _unit(vectors[:total])
        starts = [block * total // _BLOCKS for block in range(_BLOCKS)]
        return _unit(np.concatenate([vectors[start : start + count // _BLOCKS] for start in starts]))

    def _nearest(self, query: Vector, k: int, eligible: Mask) -> list[tuple[int, float]]:
        """Return the `k` nearest eligible positions with their similarity, ties ordered by id."""
        places = np.flatnonzero(eligible[: self.count_vectors()])
        if k < 1 or not len(places):
            return []
        cosines = self._cosines(_unit(query.reshape(1, -1))[0])[places]
        least = np.partition(cosines, -k)[-k] if k < len(cosines) else -1.0
        best = np.flatnonzero(cosines >= least - _SAME)
        found = [(int(places[row]), round(float(cosines[row]), _DIGITS)) for row in best]
        ranked = [(place, min(1.0, max(0.0, (1.0 + cosine) / 2.0))) for place, cosine in found]
        return sorted(ranked, key=lambda hit: (-hit[1], self.ids[hit[0]]))[:k]

    def _cosines(self, query: Vector) -> Vector:
        """Return the cosine of every vector with `query`, a unit vector: shape (n,)."""
        vectors = _all_vectors(self._db.index)[: self.count_vectors()]
        known = len(self._lengths) if len(self._lengths) <= len(vectors) else 0
        fresh = np.linalg.norm(vectors[known:], axis=1)
        self._lengths = np.concatenate([self._lengths[:known], np.where(fresh > 0.0, fresh, 1.0)])
        # A model may have made a vector that holds no numbers.
        return np.asarray(np.nan_to_num(vectors @ query / self._lengths, nan=-1.0), dtype=np.float32)


def _all_vectors(index: Any) -> Matrix:
    """Return the vectors of a flat FAISS index without a copy, shape (n, d); valid until the index changes."""
    count, length = int(index.ntotal), int(index.d)
    if not count:
        return np.zeros((0, length), dtype=np.float32)
    return np.asarray(faiss.rev_swig_ptr(index.get_xb(), count * length)).reshape(count, length)


def no_vectors(db: Any) -> Matrix:
    """Return the query vectors of a question that could not be embedded: none, shape (0, d)."""
    return np.zeros((0, db.index.d), dtype=np.float32)


def check_length(db: Any, vectors: Matrix) -> None:
    """Raise EmbeddingError if vectors, shape (m, d), do not have the length of those in the store."""
    if vectors.shape[1] != db.index.d:
        raise EmbeddingError(f"vectors of {vectors.shape[1]} numbers; allowed: {db.index.d}, as the index holds")


def _unit(vectors: Matrix) -> Matrix:
    """Return the rows with length 1; a row of zeros stays, and NaN counts as zero."""
    vectors = np.nan_to_num(vectors, posinf=0.0, neginf=0.0)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.ascontiguousarray(vectors / np.where(lengths > 0.0, lengths, 1.0), dtype=np.float32)
