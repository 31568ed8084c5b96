"""The similarity of two texts, and the score of a text for a query. Pure."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from ..language.words import split_words
from .taxonomy import DUPLICATE_OVERLAP, DUPLICATE_RATIO, LEAST_WORDS, RATIO_WEIGHT, SUBSTRING_BONUS


class ComparedText(NamedTuple):
    """A text in the form of comparisons: in lower case, with its words."""

    text: str
    words: frozenset[str]


@lru_cache(maxsize=256)
def parse_text(text: str) -> ComparedText:
    """Parse a text once, for many comparisons."""
    return ComparedText(text.lower(), split_words(text))


def token_overlap(text: ComparedText, other: ComparedText) -> float:
    """Return the share of the shorter text's words that the other one holds; 0 where one has fewer than three."""
    smaller = min(len(text.words), len(other.words))
    return len(text.words & other.words) / smaller if smaller >= LEAST_WORDS else 0.0


def sequence_ratio(text: ComparedText, other: ComparedText, least: float = 0.0) -> float:
    """Return the ratio of `difflib.SequenceMatcher`; 0 where it is sure to be below `least`."""
    matcher = SequenceMatcher(None, text.text, other.text)
    return matcher.ratio() if matcher.quick_ratio() >= least else 0.0


def similarity(text: ComparedText, other: ComparedText, *, least: float) -> float:
    """Return the greater of overlap and ratio; below `least` it need not be exact."""
    overlap = token_overlap(text, other)
    return max(overlap, sequence_ratio(text, other, max(least, overlap)))


def is_near_duplicate(text: ComparedText, other: ComparedText) -> bool:
    """Whether two texts of one scope say the same, by the thresholds of the gate."""
    is_same = token_overlap(text, other) >= DUPLICATE_OVERLAP
    return is_same or sequence_ratio(text, other, DUPLICATE_RATIO) >= DUPLICATE_RATIO


def search_score(query: ComparedText, text: ComparedText) -> float:
    """Return the score of a text for a query; 0 without a common word."""
    shared = len(query.words & text.words)
    if not shared:
        return 0.0
    bonus = SUBSTRING_BONUS if query.text in text.text else 0.0
    return shared / len(query.words) + bonus + RATIO_WEIGHT * sequence_ratio(query, text)
