"""What a label gives to what follows it, and words that correct, add or change nothing (C-41, T-49).

A correction counts only where a sentence opens with it: "correction fluid", "no problem" and "actually enjoys" are
none. Negation is read in `verb_groups`, modality in `language.modality`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import ADDITIVE, NEUTRAL_PHRASES
from ...language.modality import Modality
from ...language.segment import Sentence
from ...language.tables import read_classes
from ...language.token import Token, low_at

_CLASSES: Final = read_classes(__file__)
#: Label -> the modality that it gives to what follows.
_LABELS: Final = {word: Modality(name) for name, words in _CLASSES.items() if name != "bare" for word in words}
_BARE: Final = _CLASSES["bare"]


def label_modality(word: str) -> Modality | None:
    """The modality that a label ("TODO:") gives to what follows; None for a label that is none of these."""
    return _LABELS.get(word)


def _starts(tokens: Sequence[Token], index: int, words: Sequence[str]) -> bool:
    for offset, word in enumerate(words):
        low = low_at(tokens, index + offset)
        if low != word:
            return False
    return True


def is_bare_opener(sentence: Sentence) -> bool:
    """Whether the sentence is "No." or "Correction!" alone, so that the next one is the correction."""
    lows = [token.low for token in sentence.tokens if token.low not in ("sorry", ",")]
    return len(lows) == 1 and lows[0] in _BARE and not sentence.asks


_PHRASES: Final = {
    first: tuple(phrase for phrase in NEUTRAL_PHRASES if phrase[0] == first)
    for first in {phrase[0] for phrase in NEUTRAL_PHRASES}
}
_PHRASE_STARTS: Final = frozenset(_PHRASES) | {"anymore"}


def is_additive(tokens: Sequence[Token]) -> bool:
    """Whether the clause adds a value ("also", "too", "as well", "both"), and so excludes none."""
    lows = [token.low for token in tokens]
    return not ADDITIVE.isdisjoint(lows) or ("well" in lows and lows[lows.index("well") - 1] == "as")


def without_phrases(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], bool]:
    """(tokens without neutral phrases, whether one of them was "any more")."""
    if _PHRASE_STARTS.isdisjoint([token.low for token in tokens]):
        return tuple(tokens), False
    kept: list[Token] = []
    index, ended = 0, False
    while index < len(tokens):
        phrases = _PHRASES.get(tokens[index].low, ())
        phrase = next((phrase for phrase in phrases if _starts(tokens, index, phrase)), None) if phrases else None
        if phrase:
            ended = ended or phrase[0] == "any"
            index += len(phrase)
            continue
        ended = ended or tokens[index].low == "anymore"
        if tokens[index].low != "anymore":
            kept.append(tokens[index])
        index += 1
    return tuple(kept), ended
