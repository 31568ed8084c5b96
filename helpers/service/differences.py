"""Where two texts differ, word by word. Pure.

Places are counted as a browser counts them, in UTF-16 code units.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from ..language.segment import tokenise
from ..language.token import Token

#: Of longer texts only the beginning is compared: the time grows with the square of the words.
_MOST_CHARACTERS = 2_000

Spans = list[list[int]]


def differing_spans(older: str, newer: str) -> tuple[Spans, Spans]:
    """Return the stretches of words of each text that the other one has not in that place."""
    sides = [older[:_MOST_CHARACTERS], newer[:_MOST_CHARACTERS]]
    words = [tokenise(one) for one in sides]
    plain = [[one.low for one in found] for found in words]
    blocks = SequenceMatcher(None, plain[0], plain[1], autojunk=False).get_opcodes()
    changed = [one for one in blocks if one[0] != "equal"]
    return (
        [_span(sides[0], words[0], begin, end) for _, begin, end, _, _ in changed if begin < end],
        [_span(sides[1], words[1], begin, end) for _, _, _, begin, end in changed if begin < end],
    )


def _span(text: str, words: Sequence[Token], begin: int, end: int) -> list[int]:
    return [_units(text[: words[begin].start]), _units(text[: words[end - 1].end])]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
