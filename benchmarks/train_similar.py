"""Train the weights of `helpers/similar`: `python benchmarks/train_similar.py` (extras `model` and `train`).

Every run writes the same bytes: the rows are in order, the seeds fixed, one thread computes, and whatever is learnt is
rounded before the next step learns from it. The thresholds are chosen on rows that the model at hand had not seen, a
fifth at a time; with `--sources` it is judged on writers that it had not seen, and writes nothing.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(_ROOT / "tests"), str(_ROOT / "tests" / "claims")]  # the labelled tables

import numpy as np  # noqa: E402
from contradictions_data import data_folder  # noqa: E402
from memory_ledger.claims import Relation, compare_texts  # noqa: E402
from memory_ledger.similar import at_odds, copies  # noqa: E402
from memory_ledger.similar.alignment import align, write_alike  # noqa: E402
from memory_ledger.similar.at_odds import cues  # noqa: E402
from memory_ledger.similar.features import WEIGHTS, Detector, features  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402
from similar_data import (  # noqa: E402
    MEMORIZED,
    NATURAL,
    PLAIN,
    REAL,
    REPORTED,
    Labelled,
    read_contradictions,
    read_copies,
)
from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

_WEIGHTS = _ROOT / "helpers" / "similar" / WEIGHTS
_FOLDS, _INNER_FOLDS = 5, 3
_FEWEST_ROWS, _MOST_CUES = 5, 2_600
_CUE_STRENGTH = 0.2
#: Weight of a row: the tables of our own were written against the rules, and are of one style.
_ROW_WEIGHTS = {"own tables": 0.5, REPORTED: 0.5}
FOUND_WEIGHT = 0.3
_COMPACT: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":")}
#: At most so many are to be marked of the harmless pairs that no model had seen, and taken for copies of those apart.
HARMLESS_MARKED, NATURAL_MARKED, REAL_MARKED, APART_COVERED = 0.0225, 0.003, 0.02, 0.0055
#: The same of what people say plainly, and of what a memorizer writes.
PLAIN_MARKED, MEMORIZED_MARKED = 0.02, 0.03

Rows = Sequence[int]
Columns = Sequence[Mapping[str, float]]


class MarkTrainer:
    """The rows of contradictions in order, with their labels, cues and columns.

    What rules find counts for less, for it is never asked about; without it nothing would tell what a denial is.
    """

    def __init__(self, rows: Sequence[Labelled]) -> None:
        self.rows = rows
        self.labels = np.array([one.label for one in rows])
        found = np.array([compare_texts(one.older, one.newer).relation is Relation.CONTRADICTS for one in rows])
        self.weights = np.array([_ROW_WEIGHTS.get(one.source, 1.0) for one in rows]) * np.where(found, FOUND_WEIGHT, 1)
        self.cues = [cues(align(one.older, one.newer)) for one in rows]
        self.plain = [at_odds.columns(one.older, one.newer, {}) for one in rows]

    def fit(self, chosen: Rows) -> tuple[dict[str, float], dict[str, Any]]:
        """Return cues and trees by the chosen rows.

        The trees see what the cues weigh in rows that these cues were not learnt from.
        """
        columns_of: dict[int, dict[str, float]] = {}
        for held in folds(chosen, _INNER_FOLDS):
            weights = self._fit_cues([row for row in chosen if row not in held])
            columns_of |= {row: self._columns(row, weights) for row in held}
        trees = fit_trees([columns_of[row] for row in chosen], self.labels[chosen], self.weights[chosen])
        return self._fit_cues(chosen), trees

    def unseen_scores(self, parts: Sequence[Collection[int]]) -> np.ndarray:
        """Return the score of every row by trees that have not seen its part."""
        found = np.zeros(len(self.rows))
        for held in parts:
            weights, trees = self.fit([row for row in range(len(self.rows)) if row not in held])
            for row in held:
                found[row] = Detector(**trees).score(self._columns(row, weights))
        return found

    def threshold(self, scores: np.ndarray) -> float:
        """Return from which score on few enough of the harmless pairs of every kind are marked."""
        hard = ("blind", "six"), HARMLESS_MARKED
        of_kinds = (
            hard,
            (NATURAL, NATURAL_MARKED),
            (REAL, REAL_MARKED),
            (PLAIN, PLAIN_MARKED),
            (MEMORIZED, MEMORIZED_MARKED),
        )
        bounds = [(np.array([one.source.startswith(name) for one in self.rows]), share) for name, share in of_kinds]
        return round(max(float(np.quantile(scores[rows & ~self.labels], 1 - share)) for rows, share in bounds), 2)

    def _columns(self, row: int, weights: Mapping[str, float]) -> dict[str, float]:
        return self.plain[row] | {"cues": at_odds.cue_score(self.cues[row], weights)}

    def _fit_cues(self, chosen: Rows) -> dict[str, float]:
        """Return the weights of the cues that decide most, by the chosen rows.

        Only tables of the project name a cue: no word of the conversations is stored.
        """
        named = {one for row in chosen if self.rows[row].source != NATURAL for one in self.cues[row]}
        counts = Counter(one for row in chosen for one in self.cues[row])
        names = sorted(one for one, count in counts.items() if count >= _FEWEST_ROWS and one in named)
        places = {name: place for place, name in enumerate(names)}
        found = [(n, places[one]) for n, row in enumerate(chosen) for one in sorted(self.cues[row]) if one in places]
        matrix = csr_matrix((np.ones(len(found)), tuple(zip(*found, strict=True))), (len(chosen), len(names)))
        model = LogisticRegression(C=_CUE_STRENGTH, max_iter=200)
        model.fit(matrix, self.labels[chosen], sample_weight=self.weights[chosen])
        learnt = dict(zip(names, (round(float(one), 2) for one in model.coef_[0]), strict=True))
        kept = sorted(names, key=lambda one: (-abs(learnt[one]) * counts[one] ** 0.5, one))[:_MOST_CUES]
        return {one: learnt[one] for one in sorted(kept) if learnt[one]}


class CopyTrainer:
    """The rows of copies in order, with their labels and columns; what the guard keeps apart is not asked about."""

    def __init__(self, rows: Sequence[Labelled]) -> None:
        alike = [one._replace(**dict(zip(("older", "newer"), write_alike(*one[:2]), strict=True))) for one in rows]
        pairs = [(one, align(one.older, one.newer)) for one in alike]
        kept = [(one, pair) for one, pair in pairs if not copies.find_difference(pair, one.older, one.newer)]
        self.rows = [one for one, _ in kept]
        self.labels = np.array([one.label for one in self.rows])
        self.columns = [features(pair, one.older, one.newer) for one, pair in kept]

    def fit(self, chosen: Rows) -> dict[str, Any]:
        """Return trees by the chosen rows."""
        return fit_trees([self.columns[row] for row in chosen], self.labels[chosen])

    def unseen_scores(self, parts: Sequence[Collection[int]]) -> np.ndarray:
        """Return the score of every row by trees that have not seen its part."""
        found = np.zeros(len(self.rows))
        for held in parts:
            trees = Detector(**self.fit([row for row in range(len(self.rows)) if row not in held]))
            for row in held:
                found[row] = trees.score(self.columns[row])
        return found

    def threshold(self, scores: np.ndarray) -> float:
        """Return from which score on few enough of the pairs apart are taken for copies."""
        return round(float(np.quantile(scores[~self.labels], 1 - APART_COVERED)), 2)


def fit_trees(rows: Columns, labels: np.ndarray, weights: np.ndarray | None = None) -> dict[str, Any]:
    """Return trees, without their threshold, as `Detector` has them."""
    names = list(rows[0])
    model = HistGradientBoostingClassifier(
        max_iter=400,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=15,
        l2_regularization=3,
        early_stopping=False,
        random_state=0,
    )
    model.fit(np.array([[one[name] for name in names] for one in rows]), labels, sample_weight=weights)
    trees = [_export(stage[0].nodes) for stage in model._predictors]
    return {"columns": names, "base": round(float(model._baseline_prediction.item()), 3), "trees": trees}


def folds(chosen: Rows, count: int = _FOLDS) -> Iterator[frozenset[int]]:
    """Yield one part of the rows after the other; neighbours in a table, which resemble each other, are in one part."""
    for part in range(count):
        yield frozenset(row for place, row in enumerate(chosen) if place // 10 % count == part)


def _export(nodes: np.ndarray) -> list[Any]:
    """Return a tree as a detector reads it: leaves are numbers."""
    return [
        round(float(one["value"]), 3)
        if one["is_leaf"]
        else [int(one["feature_idx"]), round(float(one["num_threshold"]), 4), int(one["left"]), int(one["right"])]
        for one in nodes
    ]


def _judge(trainer: MarkTrainer | CopyTrainer, *, by_source: bool) -> float:
    """Print what is found of rows that were not seen, and return the threshold."""
    rows = trainer.rows
    writers = sorted({one.source for one in rows} - {NATURAL})
    # Natural neighbours have no writer to be left out: each part has some.
    owners = [writers[n % len(writers)] if one.source == NATURAL else one.source for n, one in enumerate(rows)]
    by_writer = [frozenset(n for n in range(len(rows)) if owners[n] == writer) for writer in writers]
    scores = trainer.unseen_scores(by_writer if by_source else list(folds(range(len(rows)))))
    bound = trainer.threshold(scores)
    print(f"threshold {bound}")
    for source in dict.fromkeys(one.source for one in rows):
        here = np.array([one.source == source for one in rows])
        counts = [
            (int((scores[part] >= bound).sum()), int(part.sum()))
            for part in (here & trainer.labels, here & ~trainer.labels)
        ]
        print(f"  {source}: {counts[0][0]} of {counts[0][1]} found, {counts[1][0]} of {counts[1][1]} others")
    return bound


def main(argv: Sequence[str] | None = None) -> int:
    """Train both models, print what is found of rows and writers that were not seen, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", action="store_true", help="judge each writer by the others; writes nothing")
    options = parser.parse_args(argv)
    copy_trainer = CopyTrainer(read_copies())
    mark_trainer = MarkTrainer(read_contradictions(data_folder(("locomo_open",))))
    bounds = [_judge(trainer, by_source=options.sources) for trainer in (copy_trainer, mark_trainer)]
    if not options.sources:
        weights, marks = mark_trainer.fit(range(len(mark_trainer.rows)))
        covers = copy_trainer.fit(range(len(copy_trainer.rows)))
        covers["threshold"], marks["threshold"] = bounds
        stored = {copies.MODEL: covers, at_odds.CUES: weights, at_odds.MODEL: marks}
        parts = (f"{json.dumps(name)}: {json.dumps(part, **_COMPACT)}" for name, part in stored.items())
        _WEIGHTS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
