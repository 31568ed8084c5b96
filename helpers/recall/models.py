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
    """A sum of trees, evaluated all at once.

    A tree is a number, or `[feature, threshold, tree up to the threshold, tree above it]`. A node compares a feature; a
    leaf counts where all nodes above it turn its way.
    """

    def __init__(self, names: list[str], trees: list[Any]) -> None:
        self.names = names
        nodes: list[tuple[int, float]] = []
        leaves: list[tuple[dict[int, bool], float]] = []

        def walk(tree: Any, above: dict[int, bool]) -> None:
            if not isinstance(tree, list):
                leaves.append((above, tree))
                return
            node, (feature, threshold, low, high) = len(nodes), tree
            nodes.append((feature, threshold))
            walk(low, {**above, node: False})
            walk(high, {**above, node: True})

        for tree in trees:
            walk(tree, {})
        self._features = np.array([feature for feature, _ in nodes], dtype=np.int64)
        self._thresholds = np.array([threshold for _, threshold in nodes])
        self._values = np.array([value for _, value in leaves])
        # A leaf that is not as deep as the deepest one has, in place of nodes, one more that is always true.
        shape = len(leaves), max((len(above) for above, _ in leaves), default=0)
        self._above, self._turns = np.full(shape, len(nodes)), np.ones(shape, dtype=np.bool_)
        for at, (above, _) in enumerate(leaves):
            self._above[at, : len(above)] = list(above)
            self._turns[at, : len(above)] = list(above.values())

    def evaluate(self, features: Mapping[str, Array]) -> Array:
        """Return the sum of the trees for features of shape (k,), in that shape."""
        rows = np.stack([features[name] for name in self.names], axis=1)
        turned = np.ones((len(rows), len(self._features) + 1), dtype=np.bool_)
        turned[:, :-1] = rows[:, self._features] > self._thresholds
        return np.asarray((turned[:, self._above] == self._turns).all(axis=2) @ self._values)


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
