"""The similarity of two texts, and the score of a text for a query. Pure.

`sequence_ratio` equals that of `difflib.SequenceMatcher` without its heuristic for long texts, which would take nearly
every letter for noise; it uses the string search of the interpreter and is many times faster.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial, reduce
from operator import or_
from typing import NamedTuple

from ..language.words import split_words
from .taxonomy import DUPLICATE_OVERLAP, DUPLICATE_RATIO, LEAST_WORDS, MAX_TEXT_LENGTH, RATIO_WEIGHT, SUBSTRING_BONUS


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
    """Return twice the matched characters over all of them; may stop early once it is sure to be below `least`."""
    total = len(text.text) + len(other.text)
    if text.text == other.text:
        return 1.0
    matched, open_pieces = 0, [(0, len(text.text), 0, len(other.text))]
    while open_pieces:
        if least:
            possible = sum(min(high - low, other_high - other_low) for low, high, other_low, other_high in open_pieces)
            if 2 * (matched + possible) / total < least:
                break
        low, high, other_low, other_high = open_pieces.pop()
        start, other_start, size = _longest_match(text.text, other.text, low, high, other_low, other_high)
        if size:
            matched += size
            before = (low, start, other_low, other_start)
            open_pieces += [before, (start + size, high, other_start + size, other_high)]
    return 2 * matched / total


def _longest_match(text: str, other: str, low: int, high: int, other_low: int, other_high: int) -> tuple[int, int, int]:
    """Return the start of the longest common piece in both ranges (the earliest of several), and its length."""
    best_start, best_place, best_size = low, other_low, 0
    for start in range(low, high):
        if start + best_size >= high or best_size == other_high - other_low:
            break
        while start + best_size < high:
            place = other.find(text[start : start + best_size + 1], other_low, other_high)
            if place < 0:
                break
            best_start, best_place, best_size = start, place, best_size + 1
    return best_start, best_place, best_size


@lru_cache(maxsize=256)
def bound_ratios(text: str, others: tuple[str, ...]) -> list[float]:
    """Return, for each of the other lower-cased texts, a ratio that `sequence_ratio` does not exceed; in one pass.

    That is the one of their longest common subsequence, which the matched pieces are a part of: one bit for each
    character of all the others, and a bit between two of them (Hyyrö 2004). Characters beyond the length of a record,
    in a file that a person has written, count as common.
    """
    places, letters, columns = _side_by_side(tuple(other[:MAX_TEXT_LENGTH] for other in others))
    unmatched, beyond = letters, len(text[MAX_TEXT_LENGTH:])
    for character in text[:MAX_TEXT_LENGTH]:
        met = unmatched & columns.get(character, 0)
        unmatched = ((unmatched + met) | (unmatched - met)) & letters
    ratios = []
    for start, other in zip(places, others, strict=True):
        total = len(text) + len(other)
        missed = (unmatched >> start & ((1 << len(other[:MAX_TEXT_LENGTH])) - 1)).bit_count()
        common = min(len(other) - missed + beyond, len(text), len(other))
        ratios.append(2 * common / total if total else 1.0)
    return ratios


@lru_cache(maxsize=8)
def _side_by_side(texts: tuple[str, ...]) -> tuple[list[int], int, dict[str, int]]:
    """Return where each text begins, the bits of all characters, and the bits of each character."""
    places, size = [], 0
    for text in texts:
        places.append(size)
        size += len(text) + 1
    bits: defaultdict[str, bytearray] = defaultdict(lambda: bytearray(size // 8 + 1))
    for place, text in zip(places, texts, strict=True):
        for bit, character in enumerate(text, place):
            bits[character][bit >> 3] |= 1 << (bit & 7)
    columns = {character: int.from_bytes(row, "little") for character, row in bits.items()}
    return places, reduce(or_, columns.values(), 0), columns


def similarities(text: str, others: Sequence[str], *, overlap: float, ratio: float, start: int = 0) -> list[float]:
    """Return the greater of overlap and ratio with each of the others from `start` on; 0 below both thresholds."""
    own, read = parse_text(text), [*map(parse_text, others)]
    bounds, rated = bound_ratios(own.text, tuple(other.text for other in read)), []
    for other, bound in zip(read[start:], bounds[start:], strict=True):
        shared = token_overlap(own, other)
        wanted = max(ratio, shared)
        exact = sequence_ratio(own, other, wanted) if bound >= wanted else 0.0
        rated.append(max(shared, exact) if shared >= overlap or exact >= ratio else 0.0)
    return rated


#: `similarities` by the thresholds of the gate: 0 unless two texts of one scope say the same.
near_duplicates = partial(similarities, overlap=DUPLICATE_OVERLAP, ratio=DUPLICATE_RATIO)


def search_score(query: ComparedText, text: ComparedText) -> float:
    """Return the score of a text for a query; 0 without a common word."""
    shared = len(query.words & text.words)
    if not shared:
        return 0.0
    bonus = SUBSTRING_BONUS if query.text in text.text else 0.0
    return shared / len(query.words) + bonus + RATIO_WEIGHT * sequence_ratio(query, text)
