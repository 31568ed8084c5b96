"""How much two texts say the same, and how well one answers a query (V-41, V-53, T-24, T-55). Pure.

`sequence_ratio` is what `difflib.SequenceMatcher` gives without its heuristic for long texts, which would take nearly
every letter of one for noise; it is found with the string search of the interpreter, many times faster.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..texts import split_words
from .taxonomy import DUPLICATE_OVERLAP, DUPLICATE_RATIO, LEAST_WORDS, RATIO_WEIGHT, SUBSTRING_BONUS


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared: in lower case, and its words."""

    text: str
    words: frozenset[str]


def read_text(text: str) -> Reading:
    """Read a text once, for many comparisons."""
    return Reading(text.lower(), split_words(text))


def token_overlap(one: Reading, other: Reading) -> float:
    """Return the share of the shorter text's words that the other one holds; 0 where one has fewer than three."""
    smaller = min(len(one.words), len(other.words))
    return len(one.words & other.words) / smaller if smaller >= LEAST_WORDS else 0.0


def sequence_ratio(one: str, other: str, *, least: float = 0.0) -> float:
    """Return twice the matched characters over all of them; may stop below `least`, with what is sure until then."""
    total = len(one) + len(other)
    if not total:
        return 1.0
    if _bound(one, other) / total < least:
        return 0.0
    matched = 0
    open_pieces = [(0, len(one), 0, len(other))]
    possible = 2 * min(len(one), len(other))
    while open_pieces:
        low, high, other_low, other_high = open_pieces.pop()
        possible -= 2 * min(high - low, other_high - other_low)
        start, other_start, size = _longest_match(one, other, low, high, other_low, other_high)
        if size:
            matched += 2 * size
            pieces = (low, start, other_low, other_start), (start + size, high, other_start + size, other_high)
            for piece in pieces:
                room = 2 * min(piece[1] - piece[0], piece[3] - piece[2])
                if room:
                    possible += room
                    open_pieces.append(piece)
        if (matched + possible) / total < least:
            break
    return matched / total


def _bound(one: str, other: str) -> int:
    """Return twice the number of characters that both hold, in any order: no match has more."""
    return 2 * sum((Counter(one) & Counter(other)).values())


def _longest_match(one: str, other: str, low: int, high: int, other_low: int, other_high: int) -> tuple[int, int, int]:
    """Return where the longest common piece of two ranges stands, the earliest of several, and its length."""
    best_start, best_place, best_size = low, other_low, 0
    find = other.find
    start = low
    while start + best_size < high:
        place = find(one[start : start + best_size + 1], other_low, other_high)
        if place >= 0:
            best_size += 1
            while start + best_size < high:
                further = find(one[start : start + best_size + 1], place, other_high)
                if further < 0:
                    break
                place, best_size = further, best_size + 1
            best_start, best_place = start, place
        start += 1
    return best_start, best_place, best_size


def is_near_duplicate(one: Reading, other: Reading) -> bool:
    """Whether two texts of one scope say the same, as the gate sees it (V-41)."""
    if token_overlap(one, other) >= DUPLICATE_OVERLAP:
        return True
    return sequence_ratio(one.text, other.text, least=DUPLICATE_RATIO) >= DUPLICATE_RATIO


def similarity(one: Reading, other: Reading, *, least: float) -> float:
    """Return the greater of overlap and ratio; below `least` it need not be exact (V-46)."""
    overlap = token_overlap(one, other)
    return max(overlap, sequence_ratio(one.text, other.text, least=max(least, overlap)))


def search_score(query: Reading, found: Reading) -> float:
    """Return how well a text answers a query; 0 without a common word (V-53)."""
    partial = partial_score(query, found)
    return partial + RATIO_WEIGHT * sequence_ratio(query.text, found.text) if partial else 0.0


def partial_score(query: Reading, found: Reading) -> float:
    """Return the score without its ratio; 0 without a common word."""
    shared = len(query.words & found.words)
    if not shared:
        return 0.0
    return shared / len(query.words) + (SUBSTRING_BONUS if query.text in found.text else 0.0)


def most_score(query: Reading, found: Reading, partial: float) -> float:
    """Return what the score cannot exceed, from the lengths alone."""
    total = len(query.text) + len(found.text)
    return partial + RATIO_WEIGHT * 2 * min(len(query.text), len(found.text)) / total
