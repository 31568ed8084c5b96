"""One clause: its words in order, which it affirms and which it denies; and the spellings of one name (T-03). Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..language.keys import FRAME_KEYS, is_same_word, parse_date, parse_tokens
from ..language.vocabulary import NAME_ENDINGS
from ..language.wordings import read_patterns
from ..patterns import regex
from .polarity import parse_polarity

_SAID = read_patterns("utterances")
_YEAR = regex(r"\b(?:19|20)\d\d\b")


class ClauseContents(NamedTuple):
    """The words of a clause as a set and in order, and which of them it affirms and denies.

    It is elliptical where it denies of its subject what was said just before: "the oral isn't".
    """

    words: frozenset[str]
    keys: tuple[str, ...]
    affirmed: frozenset[str]
    denied: frozenset[str]
    is_negated: bool
    is_elliptical: bool = False

    @property
    def order(self) -> tuple[str, ...]:
        """The words in order, without those that a summary supplies."""
        return tuple([key for key in self.keys if key not in FRAME_KEYS])


@lru_cache(maxsize=2_048)
def parse_clause(text: str) -> ClauseContents:
    """Read `text`, in which apostrophes are plain."""
    tokens = parse_tokens(text)
    keys = tuple([key for token in tokens for key in token.keys])
    words = frozenset(keys)
    is_elliptical = _SAID["ends_denied"].search(text) is not None
    return ClauseContents(words, keys, *parse_polarity(text, tokens, words), is_elliptical)


def has_name(name: str, words: frozenset[str], forms: frozenset[str]) -> bool:
    """Whether `name` stands in a text with these `words` and spellings `forms`, in the same or another spelling."""
    return name in forms or (name.isascii() and _has_spelling(name, words, forms))


def has_date(name: str, text: str) -> bool:
    """Whether the ISO date `name` stands in `text`, with its year or without: "3 June", "June 3rd"."""
    year, month, day = parse_date(name) or ("", "", "")
    number, short = rf"\b0?{day}(?:st|nd|rd|th)?", rf"{month[:3]}\w*"
    found = re.search(rf"{number} (?:of )?{short}|{short} {number}\b|{re.escape(name)}", text, re.IGNORECASE)
    return found is not None and set(_YEAR.findall(text)) <= {year}


def are_forms(one: str, other: str) -> bool:
    """Whether two keys look like forms of one word: "wohnt" and "wohne", "mag" and "magazi", "일한다" and "일해요"."""
    head = _shared_head(one, other)
    if not one.isascii():
        return head > 0
    shorter, longer = sorted((len(one), len(other)))
    return (head >= 3 and head == shorter) or (head >= 4 and longer - head <= 2)


def _has_spelling(name: str, words: frozenset[str], forms: frozenset[str]) -> bool:
    if not name.isalpha():
        return False
    if is_same_word(name, words):
        return True
    root = name[:4]
    return any([one.startswith(root) and _is_inflection(name, one) for one in forms])


def _is_inflection(one: str, other: str) -> bool:
    head = _shared_head(one, other)
    return head >= 4 and one[head:] in NAME_ENDINGS and other[head:] in NAME_ENDINGS


def _shared_head(one: str, other: str) -> int:
    """Return how many characters two words have in common at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
