"""The sentences of a text in any language, with every character of it, and whether a text is foreign. Pure."""

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


@lru_cache(maxsize=512)
def split_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` in order, each with its closing mark and plain apostrophes."""
    head = text[:LONGEST_TEXT].replace("\u2019", "'").strip()
    return tuple([sentence for part in _SENTENCE_END.split(head) if (sentence := part.strip())])


def is_foreign(text: str) -> bool:
    """Whether `text` has more words of another language's grammar than of English."""
    words = [word.casefold() for word in LETTERS.findall(text)]
    return sum(word in LANGUAGES["foreign"] for word in words) > sum(word in LANGUAGES["english"] for word in words)
