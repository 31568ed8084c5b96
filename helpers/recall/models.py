"""The models of recall, which were learnt elsewhere: logistic ones and shallow regression trees (T-66)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..language.tables import read_table

_WEIGHTS = "weights.json"
Array = npt.NDArray[np.float64]


class Logistic:
    """A logistic model: a `bias`, and a weight for each feature that it looks at."""

    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self.bias, self.weights = bias, weights

    def evaluate(self, features: Mapping[str, Array]) -> Array:
        """Return the probability, in 0..1, for features of any one shape."""
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return np.asarray(1.0 / (1.0 + np.exp(-total)))


class Trees:
    """A sum of trees, walked down all at once.

    A tree is a number, or `[feature, threshold, tree up to the threshold, tree above it]`.
    """

    def __init__(self, names: list[str], trees: list[Any]) -> None:
        self.names = names
        nodes: list[tuple[int, float, float, list[int]]] = []  # feature, threshold, value and where it goes on

        def add(tree: Any) -> tuple[int, int]:
            at = len(nodes)
            if not isinstance(tree, list):
                nodes.append((0, 0.0, tree, [at, at]))
                return at, 0
            feature, threshold, *branches = tree
            nodes.append((feature, threshold, 0.0, ways := []))
            depths = []
            for branch in branches:
                way, depth = add(branch)
                ways.append(way)
                depths.append(depth)
            return at, 1 + max(depths)

        roots = [add(tree) for tree in trees]
        self._roots = np.array([at for at, _ in roots], dtype=np.int64)
        self._depth = max((depth for _, depth in roots), default=0)
        self._features = np.array([feature for feature, *_ in nodes], dtype=np.int64)
        self._thresholds = np.array([threshold for _, threshold, *_ in nodes])
        self._values = np.array([value for *_, value, _ in nodes])
        self._ways = np.array([ways for *_, ways in nodes], dtype=np.int64).reshape(-1, 2)

    def evaluate(self, features: Mapping[str, Array]) -> Array:
        """Return the sum of the trees for features of shape (k,), in that shape."""
        rows = np.stack([features[name] for name in self.names], axis=1) if self.names else np.zeros((1, 1))
        first = rows.shape[1] * np.arange(len(rows))[:, None]
        at = np.broadcast_to(self._roots, (len(rows), len(self._roots)))
        for _ in range(self._depth):
            goes_on = rows.take(first + self._features.take(at)) > self._thresholds.take(at)
            at = self._ways.take(2 * at + goes_on)
        return np.asarray(self._values.take(at).sum(axis=1))


class Models(NamedTuple):
    """What decides: by `meaning`, by `words` alone, and in which `order`."""

    meaning: Logistic
    words: Logistic
    order: Trees


@cache
def read_models() -> Models:
    """Return the models of the `weights.json` beside this file."""
    meaning, words, order = (read_table(__file__, name, _WEIGHTS) for name in Models._fields)
    return Models(Logistic(**meaning), Logistic(**words), Trees(**order))
