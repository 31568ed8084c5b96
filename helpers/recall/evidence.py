"""What speaks for each memory, and how likely any of them bears on a message (T-66). Pure.

Two searches give evidence: a near meaning, measured against what the same sentence, and the same memory, have in common
with the rest of the store, and rare words in common. A memory is judged by the sentence of the message that it fits
best. A logistic model says how likely one of them is an answer; its weights are learnt from conversations and questions
whose answers are known (`benchmarks/train_recall.py`). What is near or worded alike in a store at large is no evidence,
however high a figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .lexical import Matches
from .message import MessageSentence
from .models import Models

Matrix = npt.NDArray[np.float64]

#: What a model looks at: of the nearest memory, of words in common, and of the sentence itself. In a small store less
#: is needed.
MEANING: Final = ("similarity", "margin", "distinct", "margin_words")
WORDS: Final = ("coverage", "rarest", "word_gap")
SENTENCE: Final = ("size", "asks", "asks_own", "crowd")
#: The host's own threshold, at which `similarity` is 0.
HOSTS_THRESHOLD: Final = 0.7
#: A small store says little about what is common: as if so many more memories of a usual store had been looked at.
_UNSEEN, _USUAL_MEAN, _USUAL_SPREAD = 40.0, 0.53, 0.05
#: The words count so much beside the meaning where the best sentence of the message is chosen for a memory.
_WORDED = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the searches found: a row for each of m sentences, a column for each of k candidates.

    `similarities`, shape (m, k), are on the host's scale, `centred`, (m, k), the cosines between what a sentence and a
    memory have that the store has not, and `hubs`, (k,), those between a memory and the store. `floors`, (m, 2), are
    the mean similarity of a sentence to the store and its standard deviation over `count` memories. `words`, (m, k),
    come from the search by words; `sizes` are the words of each sentence. Without vectors the first four are empty,
    (0, ...).
    """

    sentences: Sequence[MessageSentence]
    similarities: Matrix
    centred: Matrix
    hubs: Matrix
    floors: Matrix
    count: int
    words: Matches
    sizes: Sequence[int]


class Evidence(NamedTuple):
    """What speaks for a candidate, by the sentence that it fits best; how `likely` it bears on it by itself, in 0..1.

    `centred` and `hub` are as in `Found`, `distinct` is how much nearer the sentence is than the store; `margin` is how
    many standard deviations the similarity is above the store's, `gap` how far it is before the next memory, ten times;
    `lexical` is BM25, `share` its part of the best; `coverage`, `rarest` and `named` are as in `lexical.Matches`.
    """

    centred: float = 0.0
    hub: float = 0.0
    distinct: float = 0.0
    margin: float = 0.0
    gap: float = 0.0
    share: float = 0.0
    coverage: float = 0.0
    rarest: float = 0.0
    named: float = 0.0
    lexical: float = 0.0
    sentence: int = 0
    likely: float = 0.0


NO_EVIDENCE: Final = Evidence()


def trust(count: int) -> float:
    """Return how far `count` memories of a store say what is common there, in 0..1."""
    return count / (count + _UNSEEN)


def weigh(found: Found, models: Models, threshold: float = HOSTS_THRESHOLD) -> tuple[float, list[Evidence]]:
    """Return how likely one of the candidates bears on the message, in 0..1, and the evidence for each, in their order.

    A `threshold` that somebody has set asks for so much more, or less, similarity than the host's own.
    """
    if not found.words.scores.size:
        return 0.0, [NO_EVIDENCE] * found.words.scores.shape[1]
    pairs = _measure_pairs(found, threshold)
    likely = _estimate(found, models, pairs).max(axis=0).tolist()
    best = np.argmax(add_up(pairs["centred"], pairs["coverage"]), axis=0)
    columns = np.arange(len(best))
    chosen = [pairs[name][best, columns].tolist() for name in Evidence._fields[:-2]]
    chance = float(_estimate(found, models, _sum_up(pairs)).max())
    return chance, [Evidence(*values) for values in zip(*chosen, best.tolist(), likely, strict=True)]


def add_up(centred: Matrix, coverage: Matrix) -> Matrix:
    """Return what sentences and memories have in common, before anything is learnt, in the shape given."""
    return centred + _WORDED * coverage


def _estimate(found: Found, models: Models, features: Mapping[str, Matrix]) -> Matrix:
    """Return the likelihood by the meaning; where it is unknown by words, and 0 without one in common."""
    if len(found.similarities):
        return models.meaning.evaluate(features)
    return models.words.evaluate(features) * (features["coverage"] > 0.0)


def measure_sentences(found: Found) -> Mapping[str, Matrix]:
    """Return by name what the models look at, each of shape (m,); k is 1 at least."""
    return _sum_up(_measure_pairs(found, HOSTS_THRESHOLD))


def _sum_up(pairs: Mapping[str, Matrix]) -> dict[str, Matrix]:
    """Return of each sentence what its nearest memory has, and the most of all else."""
    nearest, worded = pairs["similarity"].argmax(axis=1), pairs["lexical"].argmax(axis=1)
    lines = np.arange(len(nearest))
    return {
        **{name: pairs[name][lines, nearest] for name in ("similarity", "margin", "margin_words")},
        **{name: pairs[name].max(axis=1) for name in ("distinct", "coverage", "rarest")},
        "word_gap": pairs["word_gap"][lines, worded],
        **{name: pairs[name][:, 0] for name in SENTENCE},
    }


def _measure_pairs(found: Found, threshold: float) -> dict[str, Matrix]:
    """Return by name what is known of each pair, shape (m, k); of the meaning zeros where nothing is known."""
    names, scores = ("similarity", "margin", "gap", "centred", "hub", "distinct"), found.words.scores
    parts = {name: np.zeros(scores.shape) for name in names}
    if len(found.similarities):
        near = found.similarities
        weight = trust(found.count)
        mean = weight * found.floors[:, :1] + (1.0 - weight) * _USUAL_MEAN
        spread = np.sqrt(weight * found.floors[:, 1:] ** 2 + (1.0 - weight) * _USUAL_SPREAD**2)
        parts["similarity"] = 10.0 * (near - threshold)
        parts["margin"] = (near - mean) / spread
        parts["gap"] = 10.0 * (near - _next(near, _USUAL_MEAN))
        parts["centred"] = found.centred
        hubs = weight * found.hubs + (1.0 - weight) * (2.0 * _USUAL_MEAN - 1.0)
        parts["hub"] = np.broadcast_to(hubs, near.shape)
        parts["distinct"] = 2.0 * near - 1.0 - hubs
    most = np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    parts |= {"lexical": scores, **found.words._asdict()}
    parts["share"] = scores / most
    parts["word_gap"] = (scores - _next(scores, 0.0)) / most
    parts["margin_words"] = parts["margin"] * parts["coverage"]
    sentences = {
        "size": np.log1p(found.sizes),
        "asks": np.array([one.asks for one in found.sentences]),
        "asks_own": np.array([one.asks and one.is_own for one in found.sentences]),
        "crowd": np.full(len(found.sentences), math.log1p(found.count)),
    }
    return parts | {name: np.repeat(1.0 * one[:, None], scores.shape[1], axis=1) for name, one in sentences.items()}


def _next(values: Matrix, usual: float) -> Matrix:
    """Return the highest value of another candidate, for each of `values`; where there is none, the `usual` one."""
    highest = -np.sort(-np.concatenate([values, np.full((len(values), 2), usual)], axis=1), axis=1)
    return np.where(values >= highest[:, :1] - 1e-9, highest[:, 1:2], highest[:, :1])
