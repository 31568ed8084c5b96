"""How likely a memory bears on a message, by the sentence of the message that it fits best (T-66). Pure.

Two searches give evidence: a near meaning, measured against what the same sentence has in common with the rest of the
store, and rare words in common. A logistic model weighs each of them; the weights are learnt from conversations and
questions whose answers are known (`benchmarks/train_recall.py`). What is near or worded alike in a store at large is
no evidence, however high a figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .message import MessageSentence
from .models import Models

Matrix = npt.NDArray[np.float64]

#: What a model looks at: of a near meaning, of words in common, of the sentence itself, and how many memories there are
#: to choose from: in a small store less is needed.
MEANING: Final = ("similarity", "margin", "gap", "lead")
WORDS: Final = ("coverage", "rarest", "named", "share", "word_gap")
SENTENCE: Final = ("size", "is_bare", "asks", "is_own", "asks_own", "is_aside", "crowd")
#: The host's own threshold, at which `similarity` is 0.
HOSTS_THRESHOLD: Final = 0.7
#: A small store says little about what is common: as if so many more memories of a usual store had been looked at.
_UNSEEN, _USUAL_MEAN, _USUAL_SPREAD = 40.0, 0.53, 0.05
_LEAD = 5
#: A sentence of fewer words that carry meaning is bare.
_FEWEST_WORDS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the searches found: a row for each of m sentences, a column for each of k candidates.

    `similarities`, shape (m, k), are on the host's scale, `floors`, (m, 2), the mean similarity of a sentence to the
    store and its standard deviation over `count` memories, and `nearest`, (m, 6), its highest ones. `scores`,
    `coverage`, `rarest` and `named`, (m, k), come from the search by words, `worded`, (m, 2), its two highest scores.
    Without vectors the first three are empty, (0, ...).
    """

    sentences: Sequence[MessageSentence]
    similarities: Matrix
    floors: Matrix
    nearest: Matrix
    count: int
    scores: Matrix
    coverage: Matrix
    rarest: Matrix
    named: Matrix
    worded: Matrix
    sizes: Sequence[int]


class Evidence(NamedTuple):
    """What speaks for a candidate: how `likely` it bears on the message, in 0..1, by the best of its sentences.

    `margin` is how many standard deviations the similarity is above the store's, `gap` how far it is before the next
    memory; `lexical` is BM25, `share` its part of the best; `coverage`, `rarest` and `named` are as in
    `lexical.Matches`.
    """

    likely: float = 0.0
    margin: float = 0.0
    gap: float = 0.0
    share: float = 0.0
    coverage: float = 0.0
    rarest: float = 0.0
    named: float = 0.0
    lexical: float = 0.0
    sentence: int = 0


NO_EVIDENCE: Final = Evidence()


def weigh(found: Found, models: Models, threshold: float = HOSTS_THRESHOLD) -> list[Evidence]:
    """Return the evidence for each candidate, in their order.

    A `threshold` that somebody has set asks for so much more, or less, similarity than the host's own.
    """
    if not found.sentences or not found.scores.shape[1]:
        return [NO_EVIDENCE] * found.scores.shape[1]
    parts = features(found, threshold)
    likely = np.zeros_like(found.scores)
    if len(found.similarities):
        likely = models.meaning.evaluate(parts)
    if threshold <= HOSTS_THRESHOLD or not len(found.similarities):
        likely = np.maximum(likely, models.words.evaluate(parts))
    best = likely.argmax(axis=0)
    columns = np.arange(likely.shape[1])
    chosen = {name: parts[name][best, columns].tolist() for name in Evidence._fields if name in parts}
    return [
        Evidence(likely=chance, sentence=at, **dict(zip(chosen, values, strict=True)))
        for chance, at, values in zip(
            likely[best, columns].tolist(), best.tolist(), zip(*chosen.values(), strict=True), strict=True
        )
    ]


def list_nearest(similarities: Sequence[Sequence[float]]) -> Matrix:
    """Return the six highest similarities of each sentence, shape (m, 6); a store of fewer has a usual one besides."""
    rows = [sorted((*one, *[_USUAL_MEAN] * (_LEAD + 1)), reverse=True)[: _LEAD + 1] for one in similarities]
    return np.array(rows).reshape(-1, _LEAD + 1)


def features(found: Found, threshold: float = HOSTS_THRESHOLD) -> dict[str, Matrix]:
    """Return by name what the models look at, each of shape (m, k); of the meaning zeros where nothing is known."""
    shape = found.scores.shape
    parts = {name: np.zeros(shape) for name in MEANING}
    if len(found.similarities):
        near, highest = found.similarities, found.nearest
        weight = found.count / (found.count + _UNSEEN)
        mean = weight * found.floors[:, :1] + (1.0 - weight) * _USUAL_MEAN
        spread = np.sqrt(weight * found.floors[:, 1:] ** 2 + (1.0 - weight) * _USUAL_SPREAD**2)
        parts["similarity"] = 10.0 * (near - threshold)
        parts["margin"] = (near - mean) / spread
        parts["gap"] = 10.0 * (near - _next(near, highest))
        parts["lead"] = 10.0 * (near - highest[:, -1:])
    most = np.maximum(found.worded[:, :1], 1e-9)
    parts |= {"lexical": found.scores, "coverage": found.coverage, "rarest": found.rarest, "named": found.named}
    parts["share"] = found.scores / most
    parts["word_gap"] = (found.scores - _next(found.scores, found.worded)) / most
    sentences = {
        "size": np.log1p(found.sizes),
        "is_bare": [size < _FEWEST_WORDS for size in found.sizes],
        "asks": [one.asks for one in found.sentences],
        "is_own": [one.is_own for one in found.sentences],
        "asks_own": [one.asks and one.is_own for one in found.sentences],
        "is_aside": [one.is_aside for one in found.sentences],
        "crowd": [math.log1p(found.count)] * len(found.sentences),
    }
    return parts | {
        name: np.repeat(np.asarray(values, dtype=np.float64)[:, None], shape[1], axis=1)
        for name, values in sentences.items()
    }


def _next(values: Matrix, highest: Matrix) -> Matrix:
    """Return the highest value of another memory, for each of `values`: for the highest itself, the second."""
    return np.where(values >= highest[:, :1] - 1e-9, highest[:, 1:2], highest[:, :1])
