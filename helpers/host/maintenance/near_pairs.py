"""The pairs of memories whose vectors are nearer than a threshold: exact, from the host's index.

Nothing is embedded. The lock is held while the vectors of a slice are copied, never while they are multiplied.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...store.deadline import Throttle
from ...store.docstore import Store

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]

# Rows and columns of one product: 32 MiB of single precision.
_ROWS, _COLUMNS = 2_048, 4_096
# Products in single precision count from a little below the threshold, and are then computed exactly.
_MARGIN = 1e-4
_EXACT_AT_ONCE = 65_536
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


def near_pairs(
    store: Store,
    fresh: Flags,
    known: Flags,
    threshold: float,
    *,
    layout: int,
    stop: threading.Event,
    rests: bool = True,
) -> Iterator[NearPairs]:
    """Yield the pairs of a fresh position with a known one, or with another fresh one, whose cosine is above.

    `fresh` and `known` have one flag per position. Ends early once `stop` is set; raises MovedError if positions move.
    """
    throttle = Throttle(_REST, rests=rests)
    for start in range(0, len(fresh), _ROWS):
        rows = start + np.flatnonzero(fresh[start : start + _ROWS])
        if not len(rows):
            continue
        matrix = _vectors(store, start, min(start + _ROWS, len(fresh)), layout)[rows - start]
        parts: list[tuple[Any, Any, Any]] = []
        for left in range(0, len(fresh), _COLUMNS):
            if stop.is_set():
                return
            right = min(left + _COLUMNS, len(fresh))
            is_wanted = known[left:right] | (fresh[left:right] & (np.arange(left, right) < start + _ROWS))
            if is_wanted.any():
                throttle.begin()
                parts.append(_compare(store, rows, matrix, (left, right), is_wanted, known, threshold, layout))
                throttle.rest()
        firsts, seconds, cosines = (np.concatenate(part) for part in zip(*parts, strict=True))
        nearest = _nearest(firsts, cosines)
        yield NearPairs(rows, firsts[nearest], seconds[nearest], cosines[nearest])


def _compare(
    store: Store,
    rows: Places,
    matrix: Matrix,
    span: tuple[int, int],
    is_wanted: Flags,
    known: Flags,
    threshold: float,
    layout: int,
) -> tuple[Places, Places, npt.NDArray[np.float64]]:
    """Return the near pairs of some rows with the columns of one span."""
    columns = _vectors(store, *span, layout)
    row, column = np.nonzero((matrix @ columns.T) > np.float32(threshold - _MARGIN))
    positions = column + span[0]
    # Of two fresh ones the later is the row, so that no pair comes twice.
    is_wanted_pair = is_wanted[column] & (known[positions] | (positions < rows[row]))
    row, column = row[is_wanted_pair], column[is_wanted_pair]
    cosines = _exact(matrix, columns, row, column)
    is_near = cosines > threshold
    return rows[row[is_near]], column[is_near] + span[0], cosines[is_near]


def _nearest(firsts: Places, cosines: npt.NDArray[np.float64]) -> Places:
    """Return the indexes of the nearest pairs of each row, in their order."""
    order = np.lexsort((-cosines, firsts))
    ranks = np.arange(len(order)) - np.searchsorted(firsts[order], firsts[order])
    return np.sort(order[ranks < _MOST_NEAR])


def _exact(left_matrix: Matrix, right_matrix: Matrix, rows: Places, columns: Places) -> npt.NDArray[np.float64]:
    """Return the cosines of pairs of rows in double precision."""
    parts = [np.zeros(0)]
    for start in range(0, len(rows), _EXACT_AT_ONCE):
        left = left_matrix[rows[start : start + _EXACT_AT_ONCE]].astype(np.float64)
        right = right_matrix[columns[start : start + _EXACT_AT_ONCE]].astype(np.float64)
        lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
        parts.append(np.einsum("ij,ij->i", left, right) / np.where(lengths > 0.0, lengths, 1.0))
    return np.concatenate(parts)


def _vectors(store: Store, start: int, stop: int, layout: int) -> Matrix:
    with store.lock:
        vectors = store.index.unit_vectors(start, stop, layout)
    if vectors is None or len(vectors) < stop - start:
        raise MovedError
    return vectors
