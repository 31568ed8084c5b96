"""Words that change what a clause is worth: modality, question, correction (C-41, T-49).

A correction counts only where a sentence opens with it: "correction fluid", "no problem" and "actually enjoys" are
none. Negation is read in `verb_groups`. What people say in a conversation is judged by `language.modality`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import (
    ADDITIVE,
    AUXILIARIES,
    BAND_WORDS,
    ESTIMATE_WORDS,
    HYPOTHESIS_WORDS,
    NEUTRAL_PHRASES,
    PLAN_WORDS,
    QUESTION_OPENERS,
    RECOMMENDATION_WORDS,
)
from ...language.numerals import NUMBER_WORDS
from ...language.segment import Sentence
from ...language.token import Token, low_at
from ..model import Modality

#: "not always" and the like deny less than the verb.
_WEAKENING: Final = frozenset(
    "sure certain yet always all every everything necessarily really entirely quite very".split()
)

_LABELS: Final[dict[str, Modality]] = {
    **dict.fromkeys(("todo", "plan", "goal", "idea", "proposal", "wish", "next", "roadmap", "target"), Modality.PLAN),
    **dict.fromkeys(("question", "q"), Modality.QUESTION),
    **dict.fromkeys(("example", "e.g", "hypothesis"), Modality.HYPOTHESIS),
    **dict.fromkeys(("quote", "error", "message", "log", "output"), Modality.QUOTATION),
    **dict.fromkeys(("recommendation", "suggestion", "tip", "advice"), Modality.RECOMMENDATION),
    **dict.fromkeys(
        ("note", "fyi", "update", "fact", "info", "reminder", "important", "user", "memory", "preference", "edit"),
        Modality.FACT,
    ),
}


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
    lows = [token.low for token in sentence.tokens]
    return lows in (["no"], ["nope"], ["correction"], ["wrong"], ["sorry", ",", "no"]) and not sentence.asks


def sentence_modality(sentence: Sentence) -> Modality:
    """What holds for every clause of a sentence: a question, a quotation, a condition."""
    lows = [token.low for token in sentence.tokens]
    if sentence.asks or is_inverted(lows):
        return Modality.QUESTION
    if sentence.quoted or "according" in lows or "reportedly" in lows:
        return Modality.QUOTATION
    is_open = not HYPOTHESIS_WORDS.isdisjoint(lows) and any(
        low in HYPOTHESIS_WORDS and not _is_provided(lows, i) for i, low in enumerate(lows)
    )
    is_timed = lows[0] in ("until", "before", "after") and len(lows) > 1 and lows[1][0].isdigit()
    if is_open or (lows[0] in ("when", "while", "once", "until", "before", "after") and not is_timed):
        return Modality.HYPOTHESIS
    return Modality.FACT


def _is_provided(lows: Sequence[str], index: int) -> bool:
    """Whether "provided" is a participle ("is provided by"), and opens no condition."""
    return lows[index] == "provided" and " ".join(lows[index + 1 : index + 2]) in ("by", "in", "with", "as")


def is_inverted(lows: Sequence[str]) -> bool:
    """Whether a sentence without a question mark asks all the same: "does the API ...", "which port ..."."""
    first, second = lows[0], lows[1] if len(lows) > 1 else ""
    if first in AUXILIARIES and first not in ("may", "might") and second != "not":
        return second in ("i", "we", "you", "it", "he", "she", "they", "the", "my", "our", "this", "that", "there")
    return (
        first in QUESTION_OPENERS
        and first not in ("when", "where")
        and (
            second in AUXILIARIES
            or (first in ("which", "what", "how") and any(low in AUXILIARIES for low in lows[2:5]))
        )
    )


_TELLING: Final = BAND_WORDS | ESTIMATE_WORDS | RECOMMENDATION_WORDS | PLAN_WORDS | {"not"}


def word_modality(tokens: Sequence[Token]) -> Modality:
    """The modality that single words of a clause give it."""
    if _TELLING.isdisjoint([token.low for token in tokens]):
        return Modality.FACT
    for index, token in enumerate(tokens):
        low = token.low
        if low in BAND_WORDS:
            following = low_at(tokens, index + 1)
            is_number = following[:1].isdigit() or following[:1] in ("$", "€", "£") or following in NUMBER_WORDS
            if is_number or following == "a" or low == "~":
                return Modality.ESTIMATE
        if low in ESTIMATE_WORDS and (low, low_at(tokens, index + 1)) != ("generally", "available"):
            return Modality.ESTIMATE
        if low in RECOMMENDATION_WORDS:
            return Modality.RECOMMENDATION
        if low in PLAN_WORDS and not _is_noun(tokens, index):
            return Modality.PLAN
    if any(tokens[i].low == "not" and low_at(tokens, i + 1) in _WEAKENING for i in range(len(tokens))):
        return Modality.ESTIMATE
    return Modality.FACT


def _is_noun(tokens: Sequence[Token], index: int) -> bool:
    """Whether a plan word is a noun: "the pro plan costs"."""
    if tokens[index].low in ("planning", "next") and index and tokens[index - 1].low in ("the", "a", "our", "my"):
        return True
    if tokens[index].low in ("plan", "goal", "try", "next", "hope", "aim", "roadmap", "proposal"):
        following = low_at(tokens, index + 1)
        if following == "to" and tokens[index].low == "proposal":
            return False
        if index and (tokens[index - 1].text[0].isupper() or tokens[index - 1].low in ("the", "a", "our", "my")):
            return True
        return following != "to" and index > 0
    return False


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
