"""Read the words by which a text takes back something said, before it says what is so (C-41).

"I made a mistake about the deposit: it is 550 euros", "Small correction on the port: 8443", "Scratch what I said". A
head ends at a mark; it may tell what was said wrong (`topic`), and all that follows it corrects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...language.lexicon import TOLD
from ...language.tables import expand_wordings, read_classes, read_table
from ...language.token import Token

_WORDS: Final = read_classes(__file__)
_TABLE: Final = read_table(__file__, "word_classes")["corrections"]

SOFT: Final = _WORDS["soft"]
_MARKS: Final = frozenset((",", ":", ";", ".", "!", "-", "–", "—"))
_SIZES: Final = _WORDS["sizes"]
_NOUNS: Final = _WORDS["nouns"]
_SLIPS: Final = _WORDS["slips"]
_ABOUT: Final = _WORDS["about"]
EARLIER: Final = _WORDS["earlier"]
_HEADS: Final = expand_wordings(_TABLE["heads"])
_TOLD: Final = TOLD | _WORDS["told"]
_LONGEST: Final = max(map(len, _HEADS))
CORRECTING: Final = _NOUNS | frozenset(_TABLE["correcting"].split())
_MOST_WORDS: Final = 14


def may_take_back(text: str) -> bool:
    """Whether a text holds a word that every head holds one of; a quick look, before it is read."""
    low = text.lower()
    return any(word in low for word in CORRECTING)


class CorrectionHead(NamedTuple):
    """Where what is so begins, and the words that tell what was said wrong; `end` is that of the sentence if none."""

    end: int
    topic: tuple[Token, ...] = ()


def parse_head(tokens: Sequence[Token]) -> CorrectionHead | None:
    """The head by which a sentence takes something back; None if it opens with none."""
    if CORRECTING.isdisjoint([token.low for token in tokens[:_MOST_WORDS]]):
        return None
    for start in range(len(tokens)):
        wrong = _told_wrong(tokens, start)
        if wrong:
            return _with_topic(tokens, wrong, is_topic=True)
        end = _head_end(tokens, start)
        if end > start:
            return _with_topic(tokens, end)
        if tokens[start].low not in SOFT:
            return None
    return None


def _head_end(tokens: Sequence[Token], start: int) -> int:
    lows = [token.low for token in tokens[start : start + _LONGEST]]
    for size in range(len(lows), 1, -1):
        if tuple(lows[:size]) in _HEADS:
            return start + size
    noun = int(bool(lows) and lows[0] in _SIZES)
    if lows[noun : noun + 1] and lows[noun] in _NOUNS:
        return start + noun + 1
    return start + _slip_end(lows)


def _slip_end(lows: Sequence[str]) -> int:
    """The end of "i made a (stupid) mistake", "there was a mistake"."""
    if lows[:2] not in (["i", "made"], ["there", "was"]) or lows[2:3] not in (["a"], ["an"]):
        return 0
    return next((index + 1 for index in (3, 4) if lows[index : index + 1] and lows[index] in _SLIPS), 0)


def _told_wrong(tokens: Sequence[Token], start: int) -> int:
    """Where the topic begins in "i told you the wrong deposit"; 0 if it is not told so."""
    lows = [token.low for token in tokens[start : start + 5]]
    after = 2 + (lows[2:3] == ["you"])
    is_told = lows[:1] == ["i"] and len(lows) > after and lows[1] in _TOLD
    return start + after + 2 if is_told and lows[after : after + 2] == ["the", "wrong"] else 0


def _with_topic(tokens: Sequence[Token], end: int, *, is_topic: bool = False) -> CorrectionHead | None:
    while not is_topic and end < len(tokens) and tokens[end].low in EARLIER:
        end += 1
    if end == len(tokens):
        return CorrectionHead(end)
    start = end + 1 if tokens[end].low in _ABOUT and not is_topic else end
    mark = next((i for i in range(start, min(start + 8, len(tokens))) if tokens[i].low in _MARKS), -1)
    mark = len(tokens) if mark < 0 and start > end and len(tokens) - start < 8 else mark
    if mark < 0 or (mark > start == end and not is_topic):
        return None
    topic = tuple(token for token in tokens[start:mark] if token.low not in EARLIER)
    return CorrectionHead(min(mark + 1, len(tokens)), topic)
