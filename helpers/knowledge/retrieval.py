"""What of the files reaches agents: the section of every prompt, and what is found by words (M-20, M-29, M-62, M-66).

Pure. In a prompt every entry is on one line and neutralised, so that neither a template's directive nor a heading of
the prompt can come out of a file that somebody has edited (T-62).
"""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..language.words import content_words, split_tokens
from ..marks import neutralize
from ..texts import estimate_tokens
from .categories import FILES, ROOT, Place
from .documents import Block, Document, Entry, parse_document, prompt_text
from .words import word_family

MOST_FOUND = 5
_HEADING = (
    "# Institutional knowledge\n"
    "What agents here have learned from their audit logs. Governance and what the user says come first.\n"
)


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


def find_entries(
    texts: Mapping[str, str], query: str, *, most: int = MOST_FOUND, place: Place = Place.ACTIVE
) -> list[FoundEntry]:
    """Return the entries in use that share words with the query, the best first; a rare word counts for more."""
    entries = entries_in(texts, place)
    words = [_words(_text_of(found_entry.entry)) for found_entry in entries]
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


def knowledge_prompt(
    texts: Mapping[str, str], *, token_limit: int, count_tokens: Callable[[str], int] = estimate_tokens
) -> str:
    """Return the section; empty if nothing is known. What is least sure is left out where the limit is exceeded.

    `count_tokens` is asked as seldom as can be: once where everything fits (T-40).
    """
    documents = [parse_document(text) for _, text in sorted(texts.items())]
    kept = [block for document in documents for block in document.blocks if block.entry is not None]
    kept.sort(key=_sureness, reverse=True)
    section = _render(documents, kept) if kept else ""
    if count_tokens(section) <= token_limit:
        return section
    fitting = bisect.bisect_right(
        range(1, len(kept)), token_limit, key=lambda count: count_tokens(_render(documents, kept[:count]))
    )
    return _render(documents, kept[:fitting]) if fitting else ""


def _render(documents: list[Document], kept: list[Block]) -> str:
    chosen = {id(block) for block in kept}
    parts = [
        prompt_text(replace(document, blocks=tuple(block for block in document.blocks if id(block) in chosen)))
        for document in documents
    ]
    return neutralize(_HEADING + "".join(f"#{part}" for part in parts if part)).rstrip("\n")


def _sureness(block: Block) -> tuple[float, str, int]:
    entry = block.entry
    return (entry.confidence, entry.last_confirmed.isoformat(), -entry.number) if entry is not None else (0.0, "", 0)
