"""The sentences of a text in any language, as they are written, and whether a text is foreign. Pure.

`segment.parse_sentences` cuts the tokens of English, also at a semicolon, and leaves out what opens a sentence; here
every character stays, for those who search in a sentence or quote it. `WITHIN` says for both which dot ends none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..texts import regex
from .lexicon import ABBREVIATIONS, DETERMINERS, ENGLISH, MONTHS, PRONOUNS
from .numerals import FOREIGN_MONTHS
from .vocabulary import LANGUAGES, one_of

#: Longer texts (pasted files, logs) are read up to here.
LONGEST_TEXT: Final = 20_000
# The sentences of a longer text are split again, not kept.
_LONGEST_KEPT: Final = 1_000

#: Words that begin a sentence even behind an initial: "plan B. The next", but "J. Smith" and "A. A. Milne".
_BEGINS = rf"(?:{one_of(frozenset(word.capitalize() for word in ENGLISH | PRONOUNS | DETERMINERS))})\b(?!\.)"
_AFTER_INITIAL = rf"(?:(?<=^[A-Z]\.)|(?<=[^\w.][A-Z]\.))\s+(?!{_BEGINS})|(?<=\.[A-Z]\.)\s+[a-z]"
_SHORT = "|".join(
    rf"(?<=\b{re.escape(form)}\.)" for word in sorted(ABBREVIATIONS) for form in (word, word.capitalize())
)
_MONTHS = "|".join(rf"(?<=\b{month.capitalize()}\.)" for month in sorted(MONTHS) if len(month) < 5)
_AFTER_DAY = rf"(?:(?<=\b\d\.)|(?<=\b\d\d\.))\s+(?i:{one_of(frozenset(FOREIGN_MONTHS))})\b"
#: What follows a dot that ends an abbreviation, an initial or a number, and no sentence: "Inc.", "Sept. 3", "3. Mai".
WITHIN = regex(rf"(?:{_SHORT})(?!\s+{_BEGINS})|{_AFTER_INITIAL}|(?:{_MONTHS})\s+\d|{_AFTER_DAY}")
_SENTENCE_END = regex(rf"(?<=[^.]\.)(?!{WITHIN.pattern})\s+|(?<=[!?؟])\s+|(?<=[。！？])|\n+")
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
