"""Read the words by which a text takes something back, and those that correct, add or change nothing.

A head ("Small correction on the port:") opens a sentence and ends at a mark; `topic` is what was said wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...language.lexicon import ADDITIVE, NEUTRAL_PHRASES
from ...language.modality import Modality
from ...language.segment import Sentence
from ...language.tables import expand_wordings, read_classes, read_table, word_sets
from ...language.token import Token, spelled
from ...texts import regex

_WORDS: Final = read_classes(__file__)
_TABLE: Final = read_table(__file__, "word_classes")["corrections"]

SOFT: Final = _WORDS["soft"]
_MARKS: Final = frozenset((",", ":", ";", ".", "!", "-", "–", "—"))
EARLIER: Final = _WORDS["earlier"]
_NEUTRAL: Final = regex(rf"(?<![^ ])(?:{'|'.join(map(' '.join, (*NEUTRAL_PHRASES, ('anymore',))))}) ")
_HEADS: Final = expand_wordings(_TABLE["heads"])
_LONGEST: Final = max(map(len, _HEADS))
#: Label -> the modality that it gives to what follows.
_LABELS: Final = {word: Modality(name) for name, words in word_sets(_TABLE["labels"]).items() for word in words}


class CorrectionHead(NamedTuple):
    """The beginning of the right statement, and the words for the wrong one; `end` may be that of the sentence."""

    end: int
    topic: tuple[Token, ...] = ()


def parse_head(tokens: Sequence[Token]) -> CorrectionHead | None:
    """Return the head by which a sentence takes something back; None if it opens with none."""
    lows = [token.low for token in tokens]
    start = next((start for start, low in enumerate(lows) if low not in SOFT), len(lows))
    starts = ((begin, begin + size) for begin in range(start + 1) for size in range(_LONGEST, 0, -1))
    end = next((end for begin, end in starts if tuple(lows[begin:end]) in _HEADS and end <= len(lows)), 0)
    return _with_topic(tokens, end, is_topic=lows[end - 2 : end] == ["the", "wrong"]) if end else None


def _with_topic(tokens: Sequence[Token], end: int, *, is_topic: bool = False) -> CorrectionHead | None:
    while not is_topic and end < len(tokens) and tokens[end].low in EARLIER:
        end += 1
    if end == len(tokens):
        return CorrectionHead(end)
    start = end + 1 if tokens[end].low in _WORDS["about"] and not is_topic else end
    mark = next((i for i in range(start, min(start + 8, len(tokens))) if tokens[i].low in _MARKS), -1)
    mark = len(tokens) if mark < 0 and start > end and len(tokens) - start < 8 else mark
    if mark < 0 or (mark > start == end and not is_topic):
        return None
    topic = tuple(token for token in tokens[start:mark] if token.low not in EARLIER)
    return CorrectionHead(min(mark + 1, len(tokens)), topic)


def label_modality(word: str) -> Modality | None:
    """Return the modality that a label ("TODO:") gives to what follows; None for any other label."""
    return _LABELS.get(word)


def is_bare_opener(sentence: Sentence) -> bool:
    """Whether the sentence is "No." or "Correction!" alone, so that the next one is the correction."""
    lows = [token.low for token in sentence.tokens if token.low not in ("sorry", ",")]
    return len(lows) == 1 and lows[0] in _WORDS["bare"] and not sentence.asks


def is_additive(tokens: Sequence[Token]) -> bool:
    """Whether the clause adds a value ("also", "too", "as well", "both"), and so excludes none."""
    lows = [token.low for token in tokens]
    return not ADDITIVE.isdisjoint(lows) or ("well" in lows and lows[lows.index("well") - 1] == "as")


def without_phrases(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], bool]:
    """Return the tokens without neutral phrases, and whether one of these was "any more"."""
    words = spelled(tokens)
    phrases = [(words.count(" ", 0, match.start()), match[0]) for match in _NEUTRAL.finditer(words)]
    left_out = {begin + place for begin, phrase in phrases for place in range(phrase.count(" "))}
    kept = tuple([token for index, token in enumerate(tokens) if index not in left_out])
    return kept, any(phrase.startswith("any") for _, phrase in phrases)
