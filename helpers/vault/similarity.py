"""The similarity of two texts, and the score of a text for a query. Pure.

`sequence_ratio` equals that of `difflib.SequenceMatcher` without its heuristic for long texts, which would take nearly
every letter for noise; it uses the string search of the interpreter and is many times faster.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..language.words import split_words
from .taxonomy import DUPLICATE_OVERLAP, DUPLICATE_RATIO, LEAST_WORDS, RATIO_WEIGHT, SUBSTRING_BONUS

_PIECE = 4
_PLACES = 1 << 13


@dataclass(frozen=True)
class ComparedText:
    """A text in the form of comparisons: in lower case, with its words."""

    text: str
    words: frozenset[str]

    @cached_property
    def letters(self) -> Counter[str]:
        """The count of each character."""
        return Counter(self.text)

    @cached_property
    def marks(self) -> bytearray:
        """A table of the hashes of its pieces of four characters: a piece without a mark is not in the text."""
        marks = bytearray(_PLACES)
        for start in range(len(self.text) - _PIECE + 1):
            marks[hash(self.text[start : start + _PIECE]) % _PLACES] = 1
        return marks


@lru_cache(maxsize=256)
def parse_text(text: str) -> ComparedText:
    """Parse a text once, for many comparisons."""
    return ComparedText(text.lower(), split_words(text))


def token_overlap(text: ComparedText, other: ComparedText) -> float:
    """Return the share of the shorter text's words that the other one holds; 0 where one has fewer than three."""
    smaller = min(len(text.words), len(other.words))
    return len(text.words & other.words) / smaller if smaller >= LEAST_WORDS else 0.0


def sequence_ratio(text: ComparedText, other: ComparedText, least: float = 0.0) -> float:
    """Return twice the matched characters over all of them; may stop early once it is sure to be below `least`."""
    total = len(text.text) + len(other.text)
    if not total:
        return 1.0
    if 2 * sum((text.letters & other.letters).values()) / total < least:  # no match has more letters than both hold
        return 0.0
    matched = 0
    open_pieces = [(0, len(text.text), 0, len(other.text))]
    possible = 2 * min(len(text.text), len(other.text))
    while open_pieces:
        low, high, other_low, other_high = open_pieces.pop()
        possible -= 2 * min(high - low, other_high - other_low)
        start, other_start, size = _longest_match(text.text, other, low, high, other_low, other_high)
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


def _longest_match(
    text: str, other: ComparedText, low: int, high: int, other_low: int, other_high: int
) -> tuple[int, int, int]:
    """Return the start of the longest common piece in both ranges (the earliest of several), and its length.

    A longer piece than the best so far ends behind four characters that the other text holds: where it does not hold
    them, every piece over them is skipped.
    """
    best_start, best_place, best_size = low, other_low, 0
    find, marks = other.text.find, other.marks
    start = low
    while start + best_size < high:
        end = start + best_size + 1
        if best_size >= _PIECE - 1 and not marks[hash(text[end - _PIECE : end]) % _PLACES]:
            start = end - _PIECE + 1
            continue
        place = find(text[start:end], other_low, other_high)
        if place >= 0:
            best_size += 1
            while start + best_size < high:
                further = find(text[start : start + best_size + 1], place, other_high)
                if further < 0:
                    break
                place, best_size = further, best_size + 1
            best_start, best_place = start, place
        start += 1
    return best_start, best_place, best_size


def is_near_duplicate(text: ComparedText, other: ComparedText) -> bool:
    """Whether two texts of one scope say the same, by the thresholds of the gate."""
    if token_overlap(text, other) >= DUPLICATE_OVERLAP:
        return True
    return sequence_ratio(text, other, DUPLICATE_RATIO) >= DUPLICATE_RATIO


def similarity(text: ComparedText, other: ComparedText, *, least: float) -> float:
    """Return the greater of overlap and ratio; below `least` it need not be exact."""
    overlap = token_overlap(text, other)
    return max(overlap, sequence_ratio(text, other, max(least, overlap)))


def search_score(query: ComparedText, text: ComparedText) -> float:
    """Return the score of a text for a query; 0 without a common word."""
    shared = len(query.words & text.words)
    if not shared:
        return 0.0
    bonus = SUBSTRING_BONUS if query.text in text.text else 0.0
    return shared / len(query.words) + bonus + RATIO_WEIGHT * sequence_ratio(query, text)
