"""What is known about something: entries of the knowledge files, found by words (M-29, M-66, M-69). Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ..language.words import content_words, split_tokens
from .categories import FILES, ROOT
from .confidence import Place
from .documents import parse_document
from .entries import Entry
from .words import word_family

MOST_FOUND = 5


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """An entry that has to do with a query, and the file that it stands in."""

    entry: Entry
    file: str


def entries_in(texts: Mapping[str, str], wanted: Place) -> list[FoundEntry]:
    """Return every entry that stands so, the file by its whole name (M-58, M-60)."""
    return [
        FoundEntry(block.entry, ROOT + name)
        for name, (_, place) in FILES.items()
        if place is wanted and name in texts
        for block in parse_document(texts[name]).blocks
        if block.entry is not None
    ]


def holders_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Return in which file each entry stands, by its id."""
    return {
        block.entry.id: name
        for name in FILES
        if name in texts
        for block in parse_document(texts[name]).blocks
        if block.entry is not None
    }


def find_entries(
    texts: Mapping[str, str], query: str, *, most: int = MOST_FOUND, place: Place = Place.ACTIVE
) -> list[FoundEntry]:
    """Return the entries in use that share words with the query, the best first; a rare word counts for more."""
    entries = entries_in(texts, place)
    words = [_words(_text_of(one.entry)) for one in entries]
    holders = Counter(word for each in words for word in each)
    asked = _words(query)
    scored = [
        (sum(math.log(1 + len(entries) / holders[word]) for word in asked & each), one)
        for one, each in zip(entries, words, strict=True)
    ]
    scored.sort(key=lambda one: (-one[0], -one[1].entry.confidence, one[1].entry.number))
    return [one for score, one in scored[:most] if score > 0]


def _text_of(entry: Entry) -> str:
    return " ".join((entry.id, entry.title, entry.insight, entry.action, entry.applicability))


def _words(text: str) -> frozenset[str]:
    """Return the words of a text, and what they stand for in the tables of knowledge."""
    words = split_tokens(text.replace("_", " ").lower())
    return content_words(" ".join(one for word in words for one in word_family(word)))
