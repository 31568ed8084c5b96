"""The four categories of knowledge: the name of each, of its file, and what the file says it is (M-17, M-19, T-39)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .confidence import Place


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
