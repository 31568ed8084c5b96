"""How likely it is that two texts contradict each other: a linear model of cues, and shallow trees over it. Pure.

The weights are written by `benchmarks/train_disagreement.py` from open data. Vectors are not asked: with them, the
trees found no more of the pairs that they had not seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from ..language.tables import read_table
from .alignment import align
from .cues import cues
from .features import features

_WEIGHTS: Final = "weights.json"

#: A leaf, or (column, the greatest value that goes left, left, right); the last two are places in the tree.
Node = float | tuple[int, float, int, int]


class Detector(NamedTuple):
    """Boosted trees: the sum of what they say about the columns, in log odds, and from which on a pair is marked."""

    columns: Sequence[str]
    base: float
    trees: Sequence[Sequence[Node]]
    threshold: float = 0.0

    def score(self, row: Mapping[str, float]) -> float:
        """Return the log odds of a contradiction."""
        values = [row[name] for name in self.columns]
        return self.base + math.fsum(_leaf(tree, values) for tree in self.trees)

    def reaches_threshold(self, values: Sequence[float], most_to_come: Sequence[float]) -> bool:
        """Whether the score does; stops where the trees to come, which add so much `most_to_come`, cannot help."""
        score = self.base
        for tree, most in zip(self.trees, most_to_come, strict=True):
            if score + most < self.threshold:
                return False
            score += _leaf(tree, values)
        return score >= self.threshold


def is_at_odds(older: str, newer: str) -> bool:
    """Return whether two texts look like a contradiction; never without a word that both share."""
    if not align(older, newer).older.shared:
        return False
    detector = _detector()
    row = columns(older, newer, read_table(__file__, "cues", _WEIGHTS))
    return detector.reaches_threshold([row[name] for name in detector.columns], _most_to_come())


def columns(older: str, newer: str, weights: Mapping[str, float]) -> dict[str, float]:
    """Return all that the trees ask for, by name, with the `weights` of the cues."""
    alignment = align(older, newer)
    return features(alignment, older, newer) | {"cues": cue_score(cues(alignment), weights)}


def cue_score(found: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return what the cues of a pair weigh together."""
    return round(math.fsum(weights.get(one, 0.0) for one in found), 2)


def _leaf(tree: Sequence[Node], values: Sequence[float]) -> float:
    node = tree[0]
    while not isinstance(node, int | float):
        column, bound, left, right = node
        node = tree[left if values[column] <= bound else right]
    return node


@cache
def _detector() -> Detector:
    stored: dict[str, Any] = read_table(__file__, "detector", _WEIGHTS)
    return Detector(**stored)


@cache
def _most_to_come() -> list[float]:
    """Return by tree the most that it and those behind it can add."""
    found, most = list[float](), 0.0
    for tree in reversed(_detector().trees):
        most += max(node for node in tree if isinstance(node, int | float))
        found.append(most)
    return found[::-1]
