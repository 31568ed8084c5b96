"""Train the weights of recall: `python benchmarks/train_recall.py` writes `helpers/recall/weights.json`.

Learnt from questions whose answers are known: those of the project's own rows (`tests/data/recall`, the odd ones, and
all of the training rows) and of the conversations 0-2 of the public data. What the even rows and the conversations 3-4
say is for judging alone. Every run writes the same bytes: the rows are in order and one thread computes.
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from contradictions_data import data_folder
from memory_ledger.clock import system_clock
from memory_ledger.host.recall import search
from memory_ledger.host.recall.folder_recall import GivenMemory, open_memories
from memory_ledger.language.tables import _tables as tables
from memory_ledger.recall import relevance
from memory_ledger.recall.plan import RecallLimits, make_plan
from memory_ledger.recall.relevance import (
    SENTENCE,
    Columns,
    Found,
    Models,
    Trees,
    read_models,
)
from memory_ledger.recall.selection import Candidate
from memory_ledger.settings import Settings
from memory_ledger.store.embedding import load_minilm
from recall_data import DATA_SET, KINDS, TUNED, read_conversations
from recall_messages import FORMS, read_rows
from recall_ways import RememberingModel
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeRegressor

_WEIGHTS = Path(__file__).resolve().parents[1] / "helpers" / "recall" / "weights.json"
#: The project's own memories were written at one time, as an import is, or hours apart, as in a chat.
_WRITTEN, _APART = datetime(2026, 3, 1, 9, tzinfo=UTC), timedelta(hours=2)
_DIGITS = 4
#: What the likelihood looks at of the nearest memory, and of words in common.
_MEANING = ("similarity", "margin", "distinct", "margin_words")
_WORDS = ("coverage", "rarest", "word_gap")
#: The ranking: so many trees of so many leaves, each of so many candidates at least, and how much each tree counts.
_TREES, _LEAVES, _FEWEST, _RATE = 500, 8, 80, 0.05
_ORDER = (
    "margin gap share coverage rarest named near kinship before after second around answered occasion about "
    "about_other asks size dated centred centred_behind distinct distinct_behind hub similarity_behind "
    "coverage_behind"
).split()
#: A question of a conversation counts so much more for the order than in a store of single facts.
_TALKED = 5.0
#: What is asked of this store is asked once more where a few thousand other memories stand beside its own.
_CROWDED = "training_questions"
#: A message can be answered if the answer is among so many first.
_FIRST = 3


class Asked(NamedTuple):
    """A message to a store, the ids of what answers it, and how much it counts in training."""

    text: str
    gold: frozenset[str]
    weight: float
    ranks: bool = True


class Store(NamedTuple):
    """The memories of one set, and what is asked of them."""

    name: str
    memories: Sequence[GivenMemory]
    asked: Sequence[Asked]


def make_stores(folder: Path) -> list[Store]:
    """Return what is trained on."""
    own, talked = list(_own_stores()), list(_conversations(folder))
    memories = [each._replace(id=f"{one.name} {each.id}") for one in talked for each in one.memories]
    crowded = [one._replace(name="crowded", memories=[*one.memories, *memories]) for one in own if one.name == _CROWDED]
    return [*own, *crowded, *talked]


def _own_stores() -> Iterator[Store]:
    for name, silent, step in (("questions", "silent", 2), ("training_questions", "training_silent", 1)):
        rows = read_rows(name)
        texts = list(dict.fromkeys(text for row in rows for text in (row["memory"], *row["distractors"])))
        ids = {text: str(at) for at, text in enumerate(texts)}
        asked = [Asked(row["question"], frozenset({ids[row["memory"]]}), 3.0) for row in rows[::step]]
        asked += [
            Asked(
                " ".join((*row["chat"][:2], row["question"], *row["chat"][2:4])), frozenset({ids[row["memory"]]}), 1.0
            )
            for row in rows[::step]
        ]
        if name == "questions":
            for form in ("behind a letter", "behind eight sentences", "before a log"):
                asked += [Asked(FORMS[form](row), frozenset({ids[row["memory"]]}), 1.0) for row in rows[::step]]
        asked += [Asked(" ".join(row["chat"][:3]), frozenset(), 1.0) for row in rows[::step]]
        asked += [Asked(row["text"], frozenset(), 1.0) for row in read_rows(silent)[::step]]
        yield Store(name, _write_memories(texts, is_import=step == 2), asked)
    yield from _small_stores()
    rows = read_rows("spellings")
    yield Store(
        "spellings",
        _write_memories([row["memory"] for row in rows], is_import=True),
        [Asked(row["question"], frozenset({str(at)}), 2.0) for at, row in enumerate(rows) if at % 2 == 0],
    )


def _small_stores() -> Iterator[Store]:
    """Yield stores of a dozen memories: three rows each, and messages that ask for nothing."""
    rows, silent = [*read_rows("training_questions"), *read_rows("questions")[::2]], read_rows("training_silent")
    for first in range(0, len(rows) - 2, 3):
        few = rows[first : first + 3]
        texts = list(dict.fromkeys(text for row in few for text in (row["memory"], *row["distractors"])))
        ids = {text: str(at) for at, text in enumerate(texts)}
        asked = [Asked(row["question"], frozenset({ids[row["memory"]]}), 3.0) for row in few]
        asked += [Asked(silent[(first + at) % len(silent)]["text"], frozenset(), 3.0) for at in range(8)]
        asked += [Asked(" ".join(row["chat"][:3]), frozenset(), 3.0) for row in few]
        yield Store("few", _write_memories(texts, is_import=first % 2 == 0), asked)


def _write_memories(texts: Sequence[str], *, is_import: bool) -> list[GivenMemory]:
    """Return a memory for each text, its number as its id."""
    times = (_WRITTEN + (0 if is_import else at) * _APART for at in range(len(texts)))
    return [
        GivenMemory(str(at), text, {"timestamp": time.isoformat()})
        for at, (text, time) in enumerate(zip(texts, times, strict=True))
    ]


def _conversations(folder: Path) -> Iterator[Store]:
    tuned = [one for one in read_conversations(folder) if one.number in TUNED]
    for one in tuned:
        for kind in KINDS:
            memories = [
                GivenMemory(each.id, each.text, {"timestamp": each.at.isoformat()}) for each in one.memories[kind]
            ]
            asked = [Asked(each.text, each.gold[kind], 0.3) for each in one.questions if each.is_answerable(kind)]
            others = [each for other in tuned if other is not one for each in other.questions[::4]]
            yield Store(
                f"{one.number} {kind}",
                memories,
                [*asked, *(Asked(each.text, frozenset(), 0.3, ranks=False) for each in others)],
            )


class Recorder:
    """Stands between the searches and the ranking, and keeps what passes."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.columns: list[Columns] = []
        self.candidates: list[Sequence[Candidate]] = []
        self._weigh, self._measure, self._rank = relevance.weigh, relevance.measure_relevance, search.rank
        self._last: Any = None
        relevance.weigh, relevance.measure_relevance, search.rank = self.weigh, self.measure, self.rank

    def weigh(self, found: Found, models: Models, threshold: float) -> Any:
        self._last = found
        return self._weigh(found, models, threshold)

    def measure(self, columns: Columns, texts: Sequence[str], query: str, trees: Trees) -> Any:
        self._last = self._last, relevance.order_columns(columns, texts, query) if texts else {}
        return self._measure(columns, texts, query, trees)

    def rank(self, candidates: Sequence[Candidate], plan: Any, likely: float) -> Any:
        found, columns = self._last
        self.found.append(found)
        self.columns.append(columns)
        self.candidates.append(candidates)
        return self._rank(candidates, plan, likely)

    def stop(self) -> None:
        relevance.weigh, relevance.measure_relevance, search.rank = self._weigh, self._measure, self._rank


def record(store: Store, model: Any) -> Recorder:
    """Ask everything of a store."""
    recorder = Recorder()
    try:
        with open_memories(store.memories, model, clock=system_clock) as reader:
            now = datetime(2026, 6, 1, tzinfo=UTC)
            plans = [make_plan(one.text, Settings(), now, limits=RecallLimits()) for one in store.asked]
            for _ in reader.answer(plans):
                pass
    finally:
        recorder.stop()
    return recorder


def fit_gate(
    rows: Mapping[str, np.ndarray], gold: np.ndarray, weights: np.ndarray, names: Sequence[str]
) -> dict[str, Any]:
    """Return a logistic model over the named features."""
    matrix = np.stack([rows[name] for name in names], axis=1)
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0) + 1e-9
    model = LogisticRegression(C=0.5, max_iter=5_000).fit((matrix - mean) / spread, gold, sample_weight=weights)
    learnt = model.coef_[0] / spread
    return {
        "bias": round(float(model.intercept_[0] - learnt @ mean), _DIGITS),
        "weights": {name: round(float(one), _DIGITS) for name, one in zip(names, learnt, strict=True)},
    }


def gate_rows(
    stores: Sequence[Store], records: Sequence[Recorder], trees: Trees | None
) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Return the features of each sentence, whether the store answers it, and its weight.

    It does if the answer is among the first by the `trees`, or without them by the words alone. Of a message with an
    answer only the sentence counts that fits the answer best.
    """
    parts: list[dict[str, np.ndarray]] = []
    gold, weights = [], []
    for store, recorded in zip(stores, records, strict=True):
        passed = zip(store.asked, recorded.found, recorded.columns, recorded.candidates, strict=True)
        for asked, found, columns, candidates in passed:
            if not found.words.scores.size:
                continue
            lines = np.arange(len(found.sentences))
            is_gold = np.array([one.memory.id in asked.gold for one in candidates])
            is_answered = False
            if is_gold.any():
                lines = found.similarities[:, is_gold].max(axis=1).argmax(keepdims=True)
                scores = found.words.scores[lines[0]]
                if trees is not None:
                    scores = trees.evaluate(columns)
                best = scores[is_gold].max()
                is_answered = int((scores > best).sum()) < _FIRST and (trees is not None or best > 0.0)
            parts.append({name: one[lines] for name, one in relevance.sum_up(relevance.measure_pairs(found)).items()})
            gold.append(np.full(len(lines), is_answered))
            weights.append(np.full(len(lines), asked.weight / math.sqrt(len(lines))))
    return (
        {name: np.concatenate([one[name] for one in parts]) for name in parts[0]},
        np.concatenate(gold),
        np.concatenate(weights),
    )


def fit_order(stores: Sequence[Store], records: Sequence[Recorder]) -> dict[str, Any]:
    """Return trees that put what answers a message first: each corrects what the ones before it leave."""
    groups, weights = [], []
    for store, recorded in zip(stores, records, strict=True):
        for asked, columns, candidates in zip(store.asked, recorded.columns, recorded.candidates, strict=True):
            is_gold = np.array([one.memory.id in asked.gold for one in candidates])
            if asked.ranks and is_gold.any():
                groups.append((np.stack([columns[name] for name in _ORDER], axis=1).round(5), is_gold / is_gold.sum()))
                weights.append(_TALKED if asked.weight < 1.0 else asked.weight / 2.0)
    matrix = np.concatenate([rows for rows, _ in groups])
    wanted = np.concatenate([each for _, each in groups])
    scale = np.concatenate([np.full(len(rows), weight) for (rows, _), weight in zip(groups, weights, strict=True)])
    ends = np.cumsum([len(rows) for rows, _ in groups])[:-1]
    scores, trees = np.zeros(len(matrix)), []
    for number in range(_TREES):
        share = np.concatenate([_softmax(part) for part in np.split(scores, ends)])
        rest, curve = (wanted - share) * scale, share * (1.0 - share) * scale
        chosen = np.random.default_rng(number).permutation(len(_ORDER))[: int(0.6 * len(_ORDER))]
        tree = DecisionTreeRegressor(max_leaf_nodes=_LEAVES, min_samples_leaf=_FEWEST, random_state=0)
        tree.fit(matrix[:, chosen], rest)
        leaves = tree.apply(matrix[:, chosen])
        values = {
            leaf: float(round(_RATE * rest[leaves == leaf].sum() / (curve[leaves == leaf].sum() + 1.0), _DIGITS))
            for leaf in np.unique(leaves)
        }
        scores += np.array([values[leaf] for leaf in leaves])
        trees.append(_write_tree(tree.tree_, 0, chosen, values))
    return {"names": _ORDER, "trees": trees}


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def _write_tree(tree: Any, node: int, chosen: np.ndarray, values: Mapping[int, float]) -> Any:
    if tree.children_left[node] < 0:
        return values[node]
    return [
        int(chosen[tree.feature[node]]),
        round(float(tree.threshold[node]), _DIGITS),
        _write_tree(tree, tree.children_left[node], chosen, values),
        _write_tree(tree, tree.children_right[node], chosen, values),
    ]


def main() -> int:
    """Train, and write the weights."""
    model = RememberingModel(load_minilm(threads=1))
    stores = make_stores(data_folder([DATA_SET]))
    weights: dict[str, Any] = {
        "meaning": {"bias": 0.0, "weights": {"coverage": 0.0}},
        "words": {"bias": 0.0, "weights": {"coverage": 0.0}},
        "order": {"names": _ORDER, "trees": [0.0]},
    }
    _write(weights)
    records = [record(one, model) for one in stores]
    weights["order"] = fit_order(stores, records)
    rows, gold, counts = gate_rows(stores, records, Trees(**weights["order"]))
    weights["meaning"] = fit_gate(rows, gold, counts, [*_MEANING, *_WORDS, *SENTENCE])
    weights["words"] = fit_gate(*gate_rows(stores, records, None), [*_WORDS, *SENTENCE])
    _write(weights)
    print(json.dumps({name: weights[name] for name in ("meaning", "words")}, indent=1), file=sys.stderr)
    return 0


def _write(weights: Mapping[str, Any]) -> None:
    _WEIGHTS.write_text(json.dumps(weights, separators=(",", ":")) + "\n", encoding="utf-8")
    read_models.cache_clear()
    tables.cache_clear()


if __name__ == "__main__":
    sys.exit(main())
