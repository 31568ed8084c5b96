"""What a sentence sets aside: values that stand in it and do not hold, "52 is too young", "instead of 8080" (T-03).

A value that stands only there is evidence against who says that it holds. Pure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..language.wordings import read_patterns
from ..patterns import regex

_NUMBER: Final = regex(r"\d[\w.,:]*")
_NUMBER_FOLLOWS: Final = regex(r"\s*(?:to|into|auf|a|by|with)\s+v?\d")
_ASIDES: Final = tuple(read_patterns("rejected").values())


@lru_cache(maxsize=2_048)
def find_rejected(sentence: str) -> tuple[tuple[int, int], ...]:
    """Return where `sentence` names what does not hold: spans of characters, in order; they may overlap."""
    found = (span for pattern in _ASIDES for match in pattern.finditer(sentence) for span in _spans(match))
    return tuple(sorted({span for span in found if span[0] < span[1]}))


def _spans(match: re.Match[str]) -> list[tuple[int, int]]:
    """Return what is set aside; only the numbers where a bare number follows: "from Debian 11 to 12"."""
    begin, end = match.span("value")
    if not _NUMBER_FOLLOWS.match(match.string, end) or not _NUMBER.search(match["value"]):
        return [(begin, end)]
    return [(begin + one.start(), begin + one.end()) for one in _NUMBER.finditer(match["value"])]


def without_rejected(sentence: str) -> str:
    """Return `sentence` with blanks in the place of what it sets aside."""
    for begin, end in find_rejected(sentence):
        sentence = f"{sentence[:begin]}{' ' * (end - begin)}{sentence[end:]}"
    return sentence
