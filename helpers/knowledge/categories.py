"""The four categories of knowledge and the three places of an entry, with their files (M-17, M-19, M-58 ... M-60).

How sure an entry is, and how that fades, decides where it stands (M-18, M-68, T-36, T-39). Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

#: Confidence that is lost with each window in which nothing confirms an entry.
_DECAY = 0.9
#: A pattern with as many transactions as this is half as sure as its consistency.
_HALF_SURE = 3


class Place(StrEnum):
    """Where an entry stands: in the prompt, waiting for confirmation, or retired."""

    ACTIVE = "active"
    STAGING = "staging"
    ARCHIVE = "archive"


class Category(StrEnum):
    """A category as an entry bears it: in the singular."""

    DOMAIN_KNOWLEDGE = "domain_knowledge"
    OPERATIONAL_HEURISTIC = "operational_heuristic"
    ERROR_PREVENTION = "error_prevention"
    QUALITY_BENCHMARK = "quality_benchmark"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The file of a category: `stem` names it, in the plural."""

    stem: str
    title: str
    description: str


SHELVES = {
    Category.DOMAIN_KNOWLEDGE: Shelf(
        "domain_knowledge", "Domain Knowledge", "What is asked for, and how it is usually taken apart; for every agent."
    ),
    Category.OPERATIONAL_HEURISTIC: Shelf(
        "operational_heuristics",
        "Operational Heuristics",
        "Which ways through the agents work, and what they cost; for every agent.",
    ),
    Category.ERROR_PREVENTION: Shelf(
        "error_prevention", "Error Prevention", "What is known to fail, and what prevents it; for every agent."
    ),
    Category.QUALITY_BENCHMARK: Shelf(
        "quality_benchmarks", "Quality Benchmarks", "What a successful transaction has looked like; for every agent."
    ),
}

#: The folder of the memory agent; the names of knowledge files are relative to it (M-02, M-53).
ROOT = "context/memory/"
STATE_NAME = ".state.json"
SUMMARIES = "session_summaries/"
_FOLDERS = {Place.ACTIVE: "", Place.STAGING: "staging/", Place.ARCHIVE: "archive/"}


def file_of(category: Category, place: Place) -> str:
    """Return the name of the file that holds the entries of a category that stand so."""
    return f"{_FOLDERS[place]}{SHELVES[category].stem}.md"


#: Every knowledge file, with what it holds.
FILES = {file_of(category, place): (category, place) for place in Place for category in Category}


def summary_name(day: str) -> str:
    """Return the name of the summary of a day (M-23)."""
    return f"{SUMMARIES}{day}_summary.md"


def confidence(consistency: float, transactions: int) -> float:
    """Return how sure so many transactions are that agree so far (T-36): 7 that all agree give 0.7."""
    return round(consistency * transactions / (transactions + _HALF_SURE), 2)


def decayed(base: float, confirmed: date, today: date, *, window_days: int) -> float:
    """Return what is left of a confidence; computed from its base, so that it fades once however often it is asked."""
    windows = max(0, (today - confirmed).days) // window_days
    return round(base * _DECAY**windows, 2)


def place_of(value: float, *, threshold: float, archive_below: float, is_new: bool) -> Place:
    """Return where an entry of this confidence stands; a new one waits, however low it is (M-68)."""
    if value >= threshold:
        return Place.ACTIVE
    return Place.STAGING if value >= archive_below or is_new else Place.ARCHIVE
