"""How relevant each candidate is beside the others: what it says, and what stands around it (T-66, E-80). Pure.

A learnt ranking of five hundred shallow trees (`benchmarks/train_recall.py`) looks at the evidence for a memory, at
what was written before and after it on one occasion, at whom it is about and at what kind of answer is asked for. With
the search by words switched off, the relevance is the similarity, to the digit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..language.keys import iter_tokens, parse_tokens
from ..patterns import regex
from .candidates import Candidate
from .message import read_sentence
from .models import Trees
from .surroundings import Column, Neighbourhood, fuse

#: What the ranking looks at of the evidence, and what it compares with the best of all.
_EVIDENCE = ("centred", "hub", "distinct", "margin", "gap", "share", "coverage", "rarest", "named")
_COMPARED = ("centred", "distinct", "similarity", "coverage")
#: So far behind the best, in logarithms of odds, nothing is relevant; each step counts the same, as in E-19 age does.
_SPAN = 6.0
_LONGEST_OPENING = 200
_ASKS_WHEN = regex(r"(?i)\b(?:when|what (?:date|day|time|month|year)|how long|since)\b")
_ASKS_COUNT = regex(r"(?i)\bhow (?:many|much|often|old)\b")
_TIME = regex(
    r"(?i)\b(?:yesterday|today|tomorrow|last|next|ago|weeks?|months?|years?|\w+day|january|february|march|april|may|june|"
    r"july|august|september|october|november|december|\d{4})\b"
)
_COUNT = regex(r"(?i)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|several|couple|dozen|hundred)\b")


class RelevanceScore(NamedTuple):
    """How relevant a candidate is, in 0..1, 1 being the best, and its `share` of all, in 0..1; who lent it most."""

    value: float
    share: float = 0.0
    lender: str | None = None


def measure_relevance(candidates: Sequence[Candidate], query: str, trees: Trees) -> list[RelevanceScore]:
    """Return the relevance of each candidate, in their order, by `trees`."""
    if not candidates:
        return []
    scores = trees.evaluate(order_features(candidates, query))
    behind = scores - scores.max()
    odds = np.exp(behind)
    relative, shares = np.maximum(0.0, 1.0 + behind / _SPAN), odds / odds.sum()
    ids: dict[int | None, str] = {one.place: one.memory.id for one in candidates}
    return [
        RelevanceScore(value, share, ids.get(one.neighbourhood.lender))
        for one, value, share in zip(candidates, relative.tolist(), shares.tolist(), strict=True)
    ]


def order_features(candidates: Sequence[Candidate], query: str) -> dict[str, Column]:
    """Return by name what the ranking looks at, each of shape (k,)."""
    texts = [one.memory.text for one in candidates]
    columns = {
        name: np.array([getattr(part, name) for part in parts], dtype=np.float64)
        for parts, names in (
            ([one.evidence for one in candidates], _EVIDENCE),
            ([one.neighbourhood for one in candidates], Neighbourhood._fields[:-1]),
        )
        for name in names
    }
    columns["similarity"] = np.array([one.similarity for one in candidates])
    about, other = _find_about(query, texts)
    return {
        **columns,
        **{f"{name}_behind": columns[name] - columns[name].max() for name in _COMPARED},
        "near": 2.0 * fuse(columns["similarity"], np.zeros(len(candidates))),
        "kinship": np.array([one.kinship for one in candidates]),
        "about": about,
        "about_other": other,
        "asks": np.array([asks(text) for text in texts], dtype=np.float64),
        "size": np.log1p([len(text.split()) for text in texts]),
        "dated": _answers(texts, query, _ASKS_WHEN, _TIME),
        "counted": _answers(texts, query, _ASKS_COUNT, _COUNT),
    }


def asks(text: str) -> bool:
    """Whether a text ends as a question."""
    return text.rstrip().endswith("?")


def _answers(texts: Sequence[str], query: str, question: Any, answer: Any) -> Column:
    """Return 1 for each text that has what the `question` asks for, 0 for the others, and for all if nobody asks."""
    if not question.search(query):
        return np.zeros(len(texts))
    return np.array([bool(answer.search(text)) for text in texts], dtype=np.float64)


def leading_word(text: str) -> str | None:
    """Return the key of the word that a text begins with: who speaks, or whom or what it is about."""
    return _leading_word(text[:_LONGEST_OPENING])


@lru_cache(maxsize=1_024)
def _leading_word(opening: str) -> str | None:
    """Return the same of the opening of a text; what one turn recalls, the next one often recalls too."""
    for token in iter_tokens(opening):
        if token.low not in ("the", "a", "an") and token.keys:
            return token.keys[0]
    return None


def _find_about(query: str, texts: Sequence[str]) -> tuple[Column, Column]:
    """Return which texts are about the one person or thing that the message names, and which about another.

    A name that no memory is about does not count; where several are named nothing is said.
    """
    names = {key for token in parse_tokens(query) if token.is_name for key in token.keys}
    if not names and read_sentence(query).is_own:
        names = {"user"}
    about: defaultdict[str | None, list[int]] = defaultdict(list)
    for number, text in enumerate(texts if names else ()):
        about[leading_word(text)].append(number)
    named = names & about.keys()
    if len(named) != 1:
        return np.zeros(len(texts)), np.zeros(len(texts))
    is_about = np.zeros(len(texts))
    is_about[about[named.pop()]] = 1.0
    return is_about, 1.0 - is_about
