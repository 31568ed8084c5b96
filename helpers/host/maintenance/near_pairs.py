"""The pairs of memories whose vectors are nearer than a threshold: exact, from the host's index.

Nothing is embedded. The lock is held while the vectors of a slice are copied, never while they are multiplied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...store.deadline import Throttle
from ...store.docstore import Store
from .run import Job

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]

# Rows and columns of one product: 8 MiB of single precision.
_ROWS, _COLUMNS = 512, 4_096
# Products in single precision count from a little below the threshold, and are then computed exactly.
_MARGIN = 1e-4
# Of the memories near a memory, only the nearest ones make pairs.
_MOST_NEAR = 16
# After a product, which does not hold the interpreter, the cores rest for this share of its time.
_REST = 0.1


class MovedError(Exception):
    """The host deleted something, so positions have moved."""


class NearPairs(NamedTuple):
    """The result of one slice: positions that are now compared with all before them, and their near pairs."""

    compared: Places
    firsts: Places
    seconds: Places
    cosines: npt.NDArray[np.float64]


def near_pairs(job: Job, fresh: Flags, known: Flags, threshold: float, *, layout: int) -> Iterator[NearPairs]:
    """Yield the pairs of a fresh position with a known one, or with another fresh one, whose cosine is above.

    `fresh` and `known` have one flag per position. Ends early once the job is stopped; raises MovedError if positions
    move.
    """
    store, throttle = job.store, Throttle(_REST, rests=job.throttle.rests)
    for start in range(0, len(fresh), _ROWS):
        end = min(start + _ROWS, len(fresh))
        rows = start + np.flatnonzero(fresh[start:end])
        if not len(rows):
            continue
        matrix = _vectors(store, start, end, layout)[rows - start]
        parts: list[tuple[Any, Any, Any]] = []
        for left in range(0, len(fresh), _COLUMNS):
            if job.throttle.stop.is_set():
                return
            right = min(left + _COLUMNS, len(fresh))
            if left < end or known[left:right].any():
                throttle.begin()
                columns = _vectors(store, left, right, layout)
                products = matrix @ columns.T
                row, column = np.nonzero(products > np.float32(threshold - _MARGIN))
                # Of two fresh ones the later is the row, so that no pair comes twice.
                place = column + left
                is_wanted = known[place] | (fresh[place] & (place < rows[row]))
                row, column = row[is_wanted], column[is_wanted]
                nearest = _nearest(row, products[row, column])
                row, column = row[nearest], column[nearest]
                parts.append((rows[row], column + left, _exact(matrix[row], columns[column])))
                throttle.rest()
        firsts, seconds, cosines = (np.concatenate(part) for part in zip(*parts, strict=True))
        near = _nearest(firsts, cosines)
        near = near[cosines[near] > threshold]
        yield NearPairs(rows, firsts[near], seconds[near], cosines[near])


def _exact(matrix: Matrix, others: Matrix) -> npt.NDArray[np.float64]:
    """Return the cosines of pairs of rows in double precision."""
    first, second = matrix.astype(np.float64), others.astype(np.float64)
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return np.asarray(np.einsum("ij,ij->i", first, second) / np.where(lengths > 0.0, lengths, 1.0))


def _nearest(firsts: Places, cosines: npt.NDArray[Any]) -> Places:
    """Return the indexes of the nearest pairs of each row, in their order."""
    order = np.lexsort((-cosines, firsts))
    ranks = np.arange(len(order)) - np.searchsorted(firsts[order], firsts[order])
    return np.sort(order[ranks < _MOST_NEAR])


def _vectors(store: Store, start: int, stop: int, layout: int) -> Matrix:
    with store.lock:
        vectors = store.index.unit_vectors(start, stop, layout)
    if vectors is None or len(vectors) < stop - start:
        raise MovedError
    return vectors
