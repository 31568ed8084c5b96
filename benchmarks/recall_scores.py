"""Ask questions of stores, and score what comes: of the conversation's own memories, or of another one's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from recall_data import Conversation, Question
from recall_ways import Way

#: Of questions of another conversation, which nothing answers, every fourth will do.
_SAMPLE = 4


class Score(NamedTuple):
    """What a question got: the share of what answers it among the first, and how many memories in all.

    `reciprocal`: one divided by the place of the first that answers, 0 where none does; `found` of them answer.
    """

    question: Question
    five: float
    eight: float
    ten: float
    reciprocal: float
    injected: int
    found: int

    @property
    def others(self) -> int:
        """How many of them answer nothing."""
        return self.injected - self.found


#: What tells how well a ranking is, by the heading of its column.
RANKING = {"R@5": "five", "R@8": "eight", "R@10": "ten", "MRR": "reciprocal"}


def ask(way: Way, kind: str, store: Conversation, questions: Sequence[Question]) -> list[Score]:
    """Return what each question gets of the memories of `kind`."""
    answers = way.answer(kind, store, questions)
    return [_score(each, each.gold[kind], ids) for each, ids in zip(questions, answers, strict=True)]


def ask_own(way: Way, kind: str, stores: Iterable[Conversation]) -> list[Score]:
    """Ask every question that memories of `kind` answer, of its own conversation."""
    return [
        score
        for one in stores
        for score in ask(way, kind, one, [each for each in one.questions[:: way.every] if each.is_answerable(kind)])
    ]


def ask_others(
    way: Way, kind: str, stores: Iterable[Conversation], conversations: Sequence[Conversation]
) -> list[Score]:
    """Ask every fourth question of every other conversation of each of `stores`."""
    return [
        score
        for store in stores
        for score in ask(
            way, kind, store, [each for one in conversations if one is not store for each in one.questions[::_SAMPLE]]
        )
    ]


def mean(scores: Iterable[Score], of: str) -> float:
    """Return the mean of one figure of the scores."""
    return fmean(getattr(one, of) for one in scores)


def split(scores: Iterable[Score]) -> tuple[list[Score], list[Score]]:
    """Return the scores of what was tuned on, and of what was held back."""
    found = list(scores)
    return [one for one in found if not one.question.is_held_back], [one for one in found if one.question.is_held_back]


def of_category(scores: Iterable[Score], category: str) -> list[Score]:
    """Return the scores of the questions of one category, or of messages of one form."""
    return [one for one in scores if one.question.category == category]


def _score(question: Question, gold: frozenset[str], ids: Sequence[str]) -> Score:
    first = next((1.0 / place for place, one in enumerate(ids, 1) if one in gold), 0.0)
    shares = (len(gold.intersection(ids[:count])) / max(1, len(gold)) for count in (5, 8, 10))
    return Score(question, *shares, first, len(ids), len(gold.intersection(ids)))
