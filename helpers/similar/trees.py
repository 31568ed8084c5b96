"""Shallow trees over the columns of an alignment, which `benchmarks/train_similar.py` has grown on open data. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from ..language.tables import read_table

#: The file of all weights.
WEIGHTS: Final = "weights.json"

#: A leaf, or (column, the greatest value that goes left, left, right); the last two are places in the tree.
Node = float | tuple[int, float, int, int]


class Detector(NamedTuple):
    """Boosted trees: the sum of what they say about the columns, in log odds, and from which on the answer is yes."""

    columns: Sequence[str]
    base: float
    trees: Sequence[Sequence[Node]]
    threshold: float = 0.0

    def score(self, row: Mapping[str, float]) -> float:
        """Return the log odds."""
        values = [row[name] for name in self.columns]
        return self.base + math.fsum(_leaf(tree, values) for tree in self.trees)

    def accepts(self, row: Mapping[str, float]) -> bool:
        """Whether the log odds reach the threshold."""
        return self.score(row) >= self.threshold


@cache
def detector(name: str) -> Detector:
    """Return the trees that are stored under a name."""
    stored: dict[str, Any] = read_table(__file__, name, WEIGHTS)
    return Detector(**stored)


def _leaf(tree: Sequence[Node], values: Sequence[float]) -> float:
    node = tree[0]
    while not isinstance(node, int | float):
        column, bound, left, right = node
        node = tree[left if values[column] <= bound else right]
    return node
