"""The probability that a candidate bears on a message, and its relevance beside the others. Pure.

Two searches give evidence: a near meaning, compared with what the same sentence, and the same memory, have in common
with the rest of the store, and rare words in common. A memory is judged by the sentence of the message that it fits
best. A logistic model gives the probability that one of them is an answer: near or equal words that are frequent in the
store are no evidence, however high a figure. Five hundred shallow trees order them by that, by the memories before and
after on one occasion, by the person that a memory is about and by the kind of the question. The weights are learnt from
conversations and questions with known answers (`benchmarks/train_recall.py`).

The features of k candidates are columns: arrays of shape (k,), by name.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..language.keys import iter_tokens, parse_tokens
from ..language.tables import read_table
from ..texts import regex
from .lexical import Matches
from .plan import HOSTS_THRESHOLD, MessageSentence, read_sentence

Array = npt.NDArray[np.float64]
Columns = dict[str, Array]

#: The features of the sentence itself, beside those of the candidates; a small store needs less evidence.
SENTENCE: Final = ("size", "asks", "asks_own", "crowd")
#: The features of each candidate from its best sentence; and those that are compared with the best of all.
_EVIDENCE = ("centred", "hub", "distinct", "margin", "gap", "share", "coverage", "rarest", "named", "lexical")
_COMPARED = ("centred", "distinct", "similarity", "coverage")
#: A small store says little about what is common: so many more memories of a usual store are assumed.
_UNSEEN, _USUAL_MEAN, _USUAL_SPREAD = 40.0, 0.53, 0.05
#: The weight of the words beside the meaning in the choice of a memory's best sentence.
_WORDED = 0.6
#: The distance in positions within which memories lend relevance; and that of the surroundings.
REACH, _AROUND = 2, 8
#: The maximum of seconds between memories of one occasion.
OCCASION: Final = 3600.0
#: The least spread of similarities: smaller differences mean nothing.
_LEAST_SPAN: Final = 0.05
#: The distance behind the best, in logarithms of odds, at which nothing is relevant; each step counts the same.
_SPAN = 6.0
_LONGEST_OPENING = 200
_ASKS_WHEN = regex(r"(?i)\b(?:when|what (?:date|day|time|month|year)|how long|since)\b")
_TIME = regex(
    r"(?i)\b(?:yesterday|today|tomorrow|last|next|ago|weeks?|months?|years?|\w+day|january|february|march|april|may|june|"
    r"july|august|september|october|november|december|\d{4})\b"
)


class Logistic:
    """A logistic model: a `bias`, and a weight for each of its features."""

    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self.bias, self.weights = bias, weights

    def evaluate(self, features: Mapping[str, Array]) -> Array:
        """Return the probability, in 0..1, for features of any one shape."""
        total = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return np.asarray(1.0 / (1.0 + np.exp(-total)))


class Trees:
    """A sum of trees, evaluated all at once.

    A tree is a number, or `[feature, threshold, tree up to the threshold, tree above it]`.
    """

    def __init__(self, names: list[str], trees: list[Any]) -> None:
        self.names = names
        self._roots = np.arange(len(trees))
        nodes, rows = list(trees), list[tuple[float, ...]]()  # feature, threshold, value and the nodes that follow
        for number, tree in enumerate(nodes):
            if isinstance(tree, list):
                feature, threshold, *branches = tree
                rows.append((feature, threshold, 0.0, len(nodes), len(nodes) + 1))
                nodes.extend(branches)
            else:
                rows.append((0, 0.0, tree, number, number))
        table = np.array(rows, dtype=np.float64).reshape(-1, 5)
        self._thresholds, self._values = table[:, 1].copy(), table[:, 2].copy()
        self._features, self._ways = table[:, 0].astype(np.int64), table[:, 3:].astype(np.int64)

    def evaluate(self, features: Mapping[str, Array]) -> Array:
        """Return the sum of the trees for features of shape (k,), in that shape."""
        rows = np.stack([features[name] for name in self.names], axis=1) if self.names else np.zeros((1, 1))
        first = rows.shape[1] * np.arange(len(rows))[:, None]
        before, nodes = None, np.broadcast_to(self._roots, (len(rows), len(self._roots)))
        while before is None or not np.array_equal(before, nodes):
            goes_on = rows.take(first + self._features.take(nodes)) > self._thresholds.take(nodes)
            before, nodes = nodes, self._ways.take(2 * nodes + goes_on)
        return np.asarray(self._values.take(nodes).sum(axis=1))


class Models(NamedTuple):
    """The models: by `meaning`, by `words` alone, and of the `order`."""

    meaning: Logistic
    words: Logistic
    order: Trees


@cache
def read_models() -> Models:
    """Return the models of the `weights.json` beside this file."""
    meaning, words, order = (read_table(__file__, name, "weights.json") for name in Models._fields)
    return Models(Logistic(**meaning), Logistic(**words), Trees(**order))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The results of the searches: a row for each of m sentences, a column for each of k candidates.

    `similarities`, shape (m, k), are on the host's scale, `centred`, (m, k), the cosines between a sentence and a
    memory without their common part with the store, and `hubs`, (k,), those between a memory and the store. `floors`,
    (m, 2), are the mean similarity of a sentence to the store and its standard deviation over `count` memories.
    `words`, (m, k), come from the search by words; `sizes` are the words of each sentence. Without vectors the first
    four are empty, (0, ...).
    """

    sentences: Sequence[MessageSentence]
    similarities: Array
    centred: Array
    hubs: Array
    floors: Array
    count: int
    words: Matches
    sizes: Sequence[int]


def trust(count: int) -> float:
    """Return how far the figures of a store of `count` memories can be trusted, in 0..1."""
    return count / (count + _UNSEEN)


def weigh(evidence: Found, models: Models, threshold: float = HOSTS_THRESHOLD) -> tuple[float, Columns]:
    """Return the probability that a candidate bears on the message, in 0..1, and the columns of evidence for each.

    `likely`, in 0..1, is the probability of a candidate by itself. The others are of its best sentence: `centred` and
    `hub` are as in `Found`, `distinct` is the nearness of the sentence beyond that of the store; `margin` is the number
    of standard deviations of the similarity above the store's mean, `gap` ten times its distance to the next memory;
    `lexical` is BM25, `share` its part of the best; `coverage`, `rarest` and `named` are as in `lexical.Matches`.

    Another `threshold` than the host's shifts all similarities by the difference.
    """
    if not evidence.words.scores.size:
        return 0.0, {name: np.zeros(evidence.words.scores.shape[1]) for name in (*_EVIDENCE, "likely")}
    pairs = measure_pairs(evidence, threshold)
    best = np.argmax(add_up(pairs["centred"], pairs["coverage"]), axis=0)
    columns = {name: pairs[name][best, np.arange(len(best))] for name in _EVIDENCE}
    columns["likely"] = _estimate(evidence, models, pairs).max(axis=0)
    return float(_estimate(evidence, models, sum_up(pairs)).max()), columns


def add_up(centred: Array, coverage: Array) -> Array:
    """Return the evidence of sentences and memories before any learning, in the shape given."""
    return centred + _WORDED * coverage


def _estimate(evidence: Found, models: Models, features: Mapping[str, Array]) -> Array:
    """Return the probability by meaning; without vectors by words, and 0 without one in common."""
    if len(evidence.similarities):
        return models.meaning.evaluate(features)
    return models.words.evaluate(features) * (features["coverage"] > 0.0)


def sum_up(pairs: Mapping[str, Array]) -> Columns:
    """Return for each sentence, shape (m,), the features of its nearest memory and the maxima of the others; k >= 1."""
    nearest, worded = pairs["similarity"].argmax(axis=1), pairs["lexical"].argmax(axis=1)
    lines = np.arange(len(nearest))
    return {
        **{name: pairs[name][lines, nearest] for name in ("similarity", "margin", "margin_words")},
        **{name: pairs[name].max(axis=1) for name in ("distinct", "coverage", "rarest")},
        "word_gap": pairs["word_gap"][lines, worded],
        **{name: pairs[name][:, 0] for name in SENTENCE},
    }


def measure_pairs(evidence: Found, threshold: float = HOSTS_THRESHOLD) -> Columns:
    """Return by name the features of each pair, shape (m, k); those of the meaning are zero without vectors."""
    names, scores = ("similarity", "margin", "gap", "centred", "hub", "distinct"), evidence.words.scores
    parts = {name: np.zeros(scores.shape) for name in names}
    if len(evidence.similarities):
        near = evidence.similarities
        weight = trust(evidence.count)
        mean = weight * evidence.floors[:, :1] + (1.0 - weight) * _USUAL_MEAN
        spread = np.sqrt(weight * evidence.floors[:, 1:] ** 2 + (1.0 - weight) * _USUAL_SPREAD**2)
        parts["similarity"] = 10.0 * (near - threshold)
        parts["margin"] = (near - mean) / spread
        parts["gap"] = 10.0 * (near - _next(near, _USUAL_MEAN))
        parts["centred"] = evidence.centred
        hubs = weight * evidence.hubs + (1.0 - weight) * (2.0 * _USUAL_MEAN - 1.0)
        parts["hub"] = np.broadcast_to(hubs, near.shape)
        parts["distinct"] = 2.0 * near - 1.0 - hubs
    most = np.maximum(scores.max(axis=1, keepdims=True), 1e-9)
    parts |= {"lexical": scores, **evidence.words._asdict()}
    parts["share"] = scores / most
    parts["word_gap"] = (scores - _next(scores, 0.0)) / most
    parts["margin_words"] = parts["margin"] * parts["coverage"]
    sentences = {
        "size": np.log1p(evidence.sizes),
        "asks": np.array([sentence.asks for sentence in evidence.sentences]),
        "asks_own": np.array([sentence.asks and sentence.is_own for sentence in evidence.sentences]),
        "crowd": np.full(len(evidence.sentences), math.log1p(evidence.count)),
    }
    return parts | {name: np.repeat(1.0 * row[:, None], scores.shape[1], axis=1) for name, row in sentences.items()}


def _next(values: Array, usual: float) -> Array:
    """Return the highest value of another candidate, for each of `values`; without one, the `usual` value."""
    highest = -np.sort(-np.concatenate([values, np.full((len(values), 2), usual)], axis=1), axis=1)
    return np.where(values >= highest[:, :1] - 1e-9, highest[:, 1:2], highest[:, :1])


def look_around(
    places: Sequence[int],
    occasions: npt.NDArray[np.int64],
    fused: Array,
    shares: Array,
    asks_at: Callable[[int], bool],
) -> tuple[Columns, list[int | None]]:
    """Return the columns of the memories around `places` on the same occasion, and the place of the best of them.

    Each is a relevance by the searches, in 0..1: of the memory just `before` and `after`, two away (`second`), up to
    eight away, by words alone (`around`), before it where that is a question (`answered`), and of the three best of the
    whole `occasion` by words. For each position of a store, shape (n,), in their order: `occasions` numbers the
    occasion, `fused` is the relevance by both searches, 0 where nothing was searched, `shares` that by words alone.
    """
    positions = np.array(places, dtype=np.int64)
    firsts, lasts = (np.searchsorted(occasions, occasions[positions], side) for side in ("left", "right"))

    def stand_by(values: Array, steps: Sequence[int]) -> Array:
        nearby = positions[:, None] + np.array(steps)
        is_there = (nearby >= firsts[:, None]) & (nearby < lasts[:, None])
        return np.where(is_there, values[np.where(is_there, nearby, positions[:, None])], 0.0)

    steps = (2, 1, -1, -2)  # of two that are equal the later lends
    beside = stand_by(fused, steps)
    two_after, after, before, two_before = beside.T
    spans = {*zip(firsts.tolist(), lasts.tolist(), strict=True)}  # many candidates may be of one long occasion
    best_of = {first: float(np.sort(shares[first:last])[-3:].sum()) / 3.0 for first, last in spans}
    columns = {
        "before": before,
        "after": after,
        "second": np.maximum(two_before, two_after),
        "around": stand_by(shares, [step for step in range(-_AROUND, _AROUND + 1) if step]).max(axis=1),
        "answered": before * [lent > 0.0 and asks_at(place - 1) for lent, place in zip(before, places, strict=True)],
        "occasion": np.array([best_of[first] for first in firsts.tolist()]),
    }
    best = [(steps[row.argmax()], row.max()) for row in beside]
    return columns, [place + step if most > 0.0 else None for place, (step, most) in zip(places, best, strict=True)]


def fuse(similar: Array, shares: Array) -> Array:
    """Return the relevance by both searches, in 0..1: half of it by meaning, among the candidates, half by words."""
    least = similar.min(initial=1.0)
    near = (similar - least) / max(similar.max(initial=0.0) - least, _LEAST_SPAN)
    return np.asarray(0.5 * near + 0.5 * shares)


def measure_relevance(columns: Columns, texts: Sequence[str], query: str, trees: Trees) -> tuple[Array, Array]:
    """Return the relevance of each candidate by `trees`, 1 of the best, and its share of all, both in 0..1."""
    if not texts:
        return np.zeros(0), np.zeros(0)
    scores = trees.evaluate(order_columns(columns, texts, query))
    behind = scores - scores.max()
    odds = np.exp(behind)
    return np.maximum(0.0, 1.0 + behind / _SPAN), odds / odds.sum()


def order_columns(columns: Columns, texts: Sequence[str], query: str) -> Columns:
    """Return the features of the order: the `columns` of the searches, and those of the texts; k >= 1."""
    about, other = _find_about(query, texts)
    asks_when = _ASKS_WHEN.search(query) is not None
    return {
        **columns,
        **{f"{name}_behind": columns[name] - columns[name].max() for name in _COMPARED},
        "near": 2.0 * fuse(columns["similarity"], np.zeros(len(texts))),
        "about": about,
        "about_other": other,
        "asks": np.array([asks(text) for text in texts], dtype=np.float64),
        "size": np.log1p([len(text.split()) for text in texts]),
        "dated": np.array([asks_when and _TIME.search(text) is not None for text in texts], dtype=np.float64),
    }


def asks(text: str) -> bool:
    """Whether a text ends as a question."""
    return text.rstrip().endswith("?")


@lru_cache(maxsize=1_024)
def leading_word(opening: str) -> str | None:
    """Return the key of a text's first word: the speaker, or the person or thing that it is about.

    Cached, as the next turn often recalls the same texts.
    """
    for token in iter_tokens(opening):
        if token.low not in ("the", "a", "an") and token.keys:
            return token.keys[0]
    return None


def _find_about(query: str, texts: Sequence[str]) -> tuple[Array, Array]:
    """Return which texts are about the one person or thing that the message names, and which about another.

    A name without a memory about it does not count; with several names, both are empty.
    """
    names = {key for token in parse_tokens(query) if token.is_name for key in token.keys}
    if not names and read_sentence(query).is_own:
        names = {"user"}
    about: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, text in enumerate(texts if names else ()):
        about[leading_word(text[:_LONGEST_OPENING])].append(number)
    named = names & about.keys()
    if len(named) != 1:
        return np.zeros(len(texts)), np.zeros(len(texts))
    is_about = np.zeros(len(texts))
    is_about[about[named.pop()]] = 1.0
    return is_about, 1.0 - is_about
