"""Patterns over many transactions: a map to observations, and a merge of counts.

A transaction yields a handful of observations, and counting them is a commutative monoid: however the transactions are
split, and in whatever order the parts are merged, the result is the same. So one process, all cores and a cluster run
the same code. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from ..texts import counted
from .words import told_id

#: The number of latest transactions that are named as the sources of an entry.
MOST_SAMPLES = 5
#: The number of the most frequent subjects of each family that are kept of a day.
MOST_SUBJECTS = 300
_LONGEST_SECONDS = 86_400


class Family(StrEnum):
    """The question of a pattern about its subject."""

    OUTCOME = "outcome"
    INTENT = "intent"
    PATH = "path"
    INPUT = "input"
    ESCALATION = "escalation"
    GAP = "gap"
    GOVERNANCE = "governance"
    BENCHMARK = "benchmark"
    FAILURE = "failure"
    REPEAT = "repeat"
    REJECTION = "rejection"
    PROFILE = "profile"
    PLAN = "plan"
    LONG = "long"
    CORRECTION = "correction"


#: The subject of patterns about every transaction.
ALL = "all requests"
#: The subject of requests with more intents than can be named, or with none of the tables.
SEVERAL = "several things at once"
UNKNOWN = "requests of unknown kind"


#: The answer of everything that went well.
FINE = "ok"
#: The end of a request by its own assessment: succeeded without a gap, or not.
GOOD, WANTING = "good", "wanting"
#: A call of a tool in vain; and the number of calls before an answer above which they are many.
IN_VAIN, LONG_RUN, MOST_CALLS = "in vain", "long", 20


class Observation(NamedTuple):
    """A `subject`, and the answer to the family's question about it."""

    family: Family
    subject: str
    answer: str
    numbers: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class AnswerCounts:
    """The counts of each answer about a subject, the figures beside it, the latest examples, and the days."""

    answers: Counter[str] = field(default_factory=Counter)
    numbers: dict[str, Counter[int]] = field(default_factory=dict)
    samples: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    first: str = ""

    @property
    def total(self) -> int:
        """The number of transactions of the subject."""
        return sum(self.answers.values())

    @property
    def answer(self) -> str:
        """The most frequent answer; of two the first by alphabet."""
        return self.most_frequent_of(self.answers)

    def most_frequent_of(self, answers: Iterable[str]) -> str:
        """Return the most frequent of some answers, of which there is at least one."""
        return min(answers, key=lambda answer: (-self.answers[answer], answer))

    def number_of(self, *answers: str) -> int:
        """Return how often one of these answers was given."""
        return sum(self.answers.get(answer, 0) for answer in answers)

    def figures(self, name: str) -> Counter[int]:
        """Return how often each value of a figure was counted."""
        return self.numbers.get(name, Counter())

    def merge(self, other: AnswerCounts) -> None:
        """Add other counts."""
        self.answers.update(other.answers)
        for name, values in other.numbers.items():
            self.numbers.setdefault(name, Counter()).update(values)
        for answer, samples in other.samples.items():
            known = self.samples.get(answer, ())
            self.samples[answer] = sorted({*known, *samples}, reverse=True)[:MOST_SAMPLES]
        self.first = min(filter(None, (self.first, other.first)), default="")


#: A pattern: the family of the question, and its subject.
Key = tuple[Family, str]
Tally = dict[Family, dict[str, AnswerCounts]]


def count(tally: Tally, observations: Iterable[Observation], *, at: float, name: str) -> None:
    """Add the observations of a transaction that ended `at` this time; `name` is its id."""
    day, example = day_of(at), [(at, told_id(name))]
    for family, subject, answer, numbers in observations:
        samples = {} if answer == FINE else {answer: example}  # what went as it should is no example
        figures = {figure: Counter([value]) for figure, value in numbers}
        counts = AnswerCounts(Counter([answer]), figures, samples, day)
        tally.setdefault(family, {}).setdefault(subject, AnswerCounts()).merge(counts)


def day_of(at: float) -> str:
    """Return the day of a time in seconds since 1970."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def merge_tally(tally: Tally, other: Tally) -> None:
    """Add the counts of `other`, which stays as it is."""
    for family, subjects in other.items():
        for subject, counts in subjects.items():
            tally.setdefault(family, {}).setdefault(subject, AnswerCounts()).merge(counts)


def total_of(days: Iterable[Tally]) -> Tally:
    """Return the counts of several days."""
    total: Tally = {}
    for day in days:
        merge_tally(total, day)
    return total


def worth_keeping(tally: Tally) -> Tally:
    """Return the counts that are kept of a day: of each family the most frequent subjects."""
    ranked = {
        family: sorted(subjects, key=lambda subject: (-subjects[subject].total, subject))[:MOST_SUBJECTS]
        for family, subjects in tally.items()
    }
    return {family: {subject: tally[family][subject] for subject in subjects} for family, subjects in ranked.items()}


def roughly(seconds: float) -> int:
    """Return a rounded duration: whole seconds, then tens of them, then minutes."""
    whole = min(max(0, round(seconds)), _LONGEST_SECONDS)
    step = 1 if whole < 60 else 10 if whole < 600 else 60
    return whole // step * step


def middle(values: Mapping[int, int], share: float = 0.5) -> int:
    """Return the value below or at which this share of the counted values lies."""
    wanted, seen = share * sum(values.values()), 0
    for value in sorted(values):
        seen += values[value]
        if seen >= wanted:
            return value
    raise ValueError("no values were counted")


def in_units(number: int, unit: str) -> str:
    """Return a number with its unit: `1 hop`, `3 hops`."""
    return counted(number, unit, f"{unit}s")
