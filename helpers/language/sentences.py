"""The sentences of a text in any language, as they are written, and whether it is English (T-03). Pure.

`segment.parse_sentences` cuts the tokens of English, also at a semicolon, and leaves out what opens a sentence; here
every character stays, for those who search in a sentence or quote it. An abbreviation ends a sentence in neither.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..patterns import regex
from .lexicon import ABBREVIATIONS, DETERMINERS, ENGLISH, MONTHS, PRONOUNS
from .vocabulary import LANGUAGES, one_of

#: Longer texts (pasted files, logs) are read up to here.
LONGEST_TEXT: Final = 20_000
# The sentences of a longer text are split again, not kept.
_LONGEST_KEPT: Final = 1_000

#: What begins a sentence although an initial stands before it: "plan B. The next", but "J. Smith" and "A. A. Milne".
_BEGINS = one_of(frozenset(word.capitalize() for word in ENGLISH | PRONOUNS | DETERMINERS))
_AFTER_INITIAL = rf"(?:(?<=^[A-Z]\.)|(?<=[^\w.][A-Z]\.))\s+(?!(?:{_BEGINS})\b(?!\.))|(?<=\.[A-Z]\.)\s+[a-z]"
_SHORT = sorted(ABBREVIATIONS | {one.capitalize() for one in ABBREVIATIONS})
_AFTER_SHORT = "".join(rf"(?<!\b{re.escape(one)}\.)" for one in _SHORT)
_MONTHS = (one.capitalize() for one in sorted(MONTHS) if len(one) < 5)
_BEFORE_DAY = r"(?:" + "|".join(rf"(?<=\b{one}\.)" for one in _MONTHS) + r")\s+\d"
_SENTENCE_END = regex(
    rf"(?<=[^.]\.)(?:{_AFTER_SHORT}|(?=\s+(?:{_BEGINS})\b(?!\.)))(?!{_AFTER_INITIAL}|{_BEFORE_DAY})\s+"
    r"|(?<=[!?؟])\s+|(?<=[。！？])|\n+"
)
LETTERS = regex(r"[^\W\d_]+")
_MAY_END = regex(r"[.!?؟]\s|[。！？\n]")


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` in order, each with its closing mark and plain apostrophes."""
    return _split_kept(text) if len(text) <= _LONGEST_KEPT else _split(text)


@lru_cache(maxsize=4_096)
def _split_kept(text: str) -> tuple[str, ...]:
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
    head = text[:LONGEST_TEXT].replace("\u2019", "'").strip()
    if not _MAY_END.search(head):
        return (head,) if head else ()
    return tuple([sentence for part in _SENTENCE_END.split(head) if (sentence := part.strip())])


def is_foreign(text: str) -> bool:
    """Whether `text` has more words of another language's grammar than of English."""
    words = [word.casefold() for word in LETTERS.findall(text)]
    return sum(word in LANGUAGES["foreign"] for word in words) > sum(word in LANGUAGES["english"] for word in words)
