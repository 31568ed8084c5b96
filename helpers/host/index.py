"""Positions and searches in the host's FAISS index, without its detours (T-15, T-52).

The host filters after the 20 nearest and returns no scores. Here the eligible memories are named first and the search
is exact among them. Similarities are on the host's scale, (1 + inner product) / 2, in 0..1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class Index:
    """A view of one FAISS store: which memory stands where, and who is nearest to a vector.

    Cheap to keep: positions are extended when the host appended, and made anew when it deleted.
    """

    def __init__(self, db: Any) -> None:
        self._db = db
        self._map: dict[int, str] | None = None
        self.ids: list[str] = []
        self._positions: dict[str, int] = {}

    def refresh(self) -> bool:
        """Bring the positions up to date; True if earlier ones have moved.

        The host replaces its position map on every delete and extends it on every insert.
        """
        current: dict[int, str] = self._db.index_to_docstore_id
        moved = current is not self._map or len(current) < len(self.ids)
        if moved:
            self._map, self.ids, self._positions = current, [], {}
        for position in range(len(self.ids), len(current)):
            memory_id = current.get(position)
            if memory_id is None:
                break
            self._positions[memory_id] = position
            self.ids.append(memory_id)
        return moved

    def __len__(self) -> int:
        return len(self.ids)

    def position(self, memory_id: str) -> int | None:
        """Return where the vector of a memory stands, or None."""
        return self._positions.get(memory_id)

    def vector(self, memory_id: str) -> Vector | None:
        """Return the stored vector of a memory, shape (d,); nothing is embedded anew."""
        position = self._positions.get(memory_id)
        if position is None or position >= self._db.index.ntotal:
            return None
        return np.asarray(self._db.index.reconstruct(position), dtype=np.float32)

    def search(self, query: Vector, k: int, eligible: Mask) -> list[tuple[str, float]]:
        """Return the `k` nearest of the eligible positions, best first, ties ended by id, with their similarity.

        `query` has shape (d,); `eligible` has one flag per position, shape (n,).
        """
        if k < 1 or not eligible.any():
            return []
        bits = np.packbits(eligible, bitorder="little")
        selector = faiss.IDSelectorBitmap(len(bits), faiss.swig_ptr(bits))
        wanted = min(k, int(eligible.sum()))
        products, positions = self._db.index.search(
            query.reshape(1, -1), wanted, params=faiss.SearchParameters(**{"sel": selector})
        )
        found = [
            (self.ids[position], min(1.0, max(0.0, (1.0 + float(product)) / 2.0)))
            for product, position in zip(products[0], positions[0], strict=True)
            if 0 <= position < len(self.ids)
        ]
        return sorted(found, key=lambda one: (-one[1], one[0]))


def make_mask(ids: list[str], accepts: Callable[[str], bool]) -> Mask:
    """Return one flag per id."""
    return np.fromiter((accepts(one) for one in ids), dtype=np.bool_, count=len(ids))
