"""The modality of clauses: whether they assert, ask, guess, wish, report or suppose. Pure.

A memory is English, and is judged word by word; for what people say, in any language, wide patterns count as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from . import lexicon, segment
from .numerals import NUMBER_WORDS
from .segment import Sentence
from .token import Token, low_at
from .vocabulary import AUXILIARY_FORMS, QUESTION_OPENERS, read_patterns

_SENTENCES_KEPT: Final = 2_048
_SAID: Final = read_patterns("modality")
CHOICE: Final = _SAID["choice"]
#: A sentence of a memory asks only if it begins with one of these.
_MAY_ASK: Final = AUXILIARY_FORMS | QUESTION_OPENERS


class Modality(StrEnum):
    """The stand of a text behind a clause; only clauses that are stated as a `FACT` can contradict each other."""

    FACT = "fact"
    QUESTION = "question"
    #: Somebody else's words.
    QUOTATION = "quotation"
    HYPOTHESIS = "hypothesis"
    #: What is planned, wished or asked for.
    PLAN = "plan"
    ESTIMATE = "estimate"
    RECOMMENDATION = "recommendation"
    #: What does not hold any longer.
    PAST = "past"
    #: One of several, and not which.
    CHOICE = "choice"


#: The modality that a single word gives to a clause of a memory.
_TELLING: Final = {
    **dict.fromkeys(lexicon.PLAN_WORDS, Modality.PLAN),
    **dict.fromkeys(lexicon.RECOMMENDATION_WORDS, Modality.RECOMMENDATION),
    **dict.fromkeys((*lexicon.ESTIMATE_WORDS, *lexicon.WRITTEN["about"], "not"), Modality.ESTIMATE),
}

#: Wordings of what somebody says, with the modality that they give to the whole sentence, or to their clause.
_OF_ALL: Final = (("wide_hedge", Modality.ESTIMATE), ("report", Modality.QUOTATION))
_OF_CLAUSE: Final = (("wish", Modality.PLAN), ("past", Modality.PAST), ("choice", Modality.CHOICE))
# How a memory must be worded to report a clause of each modality; it never reports a guess or a question.
_ACCEPTED = {
    Modality.HYPOTHESIS: _SAID["condition_word"],
    Modality.QUOTATION: _SAID["report"],
    Modality.PLAN: _SAID["wish_word"],
    Modality.PAST: _SAID["past_word"],
    Modality.CHOICE: CHOICE,
}


def accepts(memory_sentence: str, modality: Modality) -> bool:
    """Whether a memory in these words can report a clause of `modality`, which does not plainly assert."""
    wording = _ACCEPTED.get(modality)
    return wording is not None and wording.search(memory_sentence) is not None


def says(wording: str, sentence: str) -> bool:
    """Whether a sentence has a wording of the table: "as_long", "embedded_question", "meanwhile"."""
    return _SAID[wording].search(sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether `sentence` asks something, with or without its question mark."""
    return _SAID["question_end"].search(sentence) is not None or _SAID["question"].match(sentence) is not None


def is_inverted(lows: Sequence[str]) -> bool:
    """Whether a sentence without a question mark asks by its order of words: "does the API ...", "which port ..."."""
    return lows[0] in _MAY_ASK and _SAID["question"].match(f"{' '.join(lows)}.") is not None


def sentence_modality(sentence: Sentence) -> Modality:
    """Return the modality of a whole sentence of a memory: question, quotation, hypothesis, or fact."""
    lows = [token.low for token in sentence.tokens]
    if sentence.asks or is_inverted(lows):
        return Modality.QUESTION
    if sentence.quoted or not lexicon.WRITTEN["quotation"].isdisjoint(lows):
        return Modality.QUOTATION
    is_timed = lows[0] in ("until", "before", "after") and len(lows) > 1 and lows[1][0].isdigit()
    is_open = lows[0] in lexicon.TIME_OPENERS and not is_timed
    if is_open or any(low in lexicon.HYPOTHESIS_WORDS and not _is_provided(lows, i) for i, low in enumerate(lows)):
        return Modality.HYPOTHESIS
    return Modality.FACT


def _is_provided(lows: Sequence[str], index: int) -> bool:
    """Whether "provided" is a participle ("is provided by"), and opens no condition."""
    return lows[index] == "provided" and " ".join(lows[index + 1 : index + 2]) in lexicon.PREPOSITIONS


def word_modality(tokens: Sequence[Token]) -> Modality:
    """Return the modality that a single word gives to a clause of a memory; a fact without one."""
    for index, token in enumerate(tokens):
        modality = _TELLING.get(token.low)
        if modality is not None and not _says_nothing(tokens, index):
            return modality
    return Modality.FACT


def _says_nothing(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that can mark a modality does not do so here."""
    low, following = tokens[index].low, low_at(tokens, index + 1)
    if low == "not":
        return following not in lexicon.WRITTEN["weakening"]
    if low == "generally":
        return following == "available"
    if low in lexicon.WRITTEN["about"]:
        is_number = following[:1].isdigit() or following[:1] in ("$", "€", "£") or following in NUMBER_WORDS
        return not (is_number or following == "a")
    return low in lexicon.PLAN_WORDS and _is_noun(tokens, index)


def _is_noun(tokens: Sequence[Token], index: int) -> bool:
    """Whether a plan word is a noun: "the pro plan costs"."""
    low, following = tokens[index].low, low_at(tokens, index + 1)
    is_led = index > 0 and tokens[index - 1].low in lexicon.DETERMINERS
    if index and low in lexicon.WORDS["plan_nouns"] and (low, following) != ("proposal", "to"):
        return is_led or tokens[index - 1].text[0].isupper() or following != "to"
    return is_led and low in ("planning", "next")


def is_request(clause: str) -> bool:
    """Whether `clause` asks for something to be found or made."""
    return _SAID["request"].match(clause) is not None


@lru_cache(maxsize=_SENTENCES_KEPT)
def split_clauses(sentence: str) -> tuple[str, ...]:
    """Return the clauses of what somebody says, in order."""
    clauses = (clause.tokens for clause in segment.split_clauses(segment.tokens_of(sentence), finely=True))
    return tuple([sentence[tokens[0].start : tokens[-1].end] for tokens in clauses])


@lru_cache(maxsize=_SENTENCES_KEPT)
def parse_modalities(sentence: str, clauses: tuple[str, ...], *, is_told: bool = False) -> Sequence[Modality]:
    """Return the modality of each of the `clauses` of `sentence`; with `is_told` a question counts as a statement."""
    asking = len(clauses) if is_told else _first_asking(sentence, clauses)
    stated = sentence if asking == len(clauses) else sentence[: sentence.find(clauses[asking])]
    modalities = [_clause_modality(clause) for clause in clauses[:asking]]
    of_all = next((modality for wording, modality in _OF_ALL if _SAID[wording].search(stated)), None)
    if of_all is None and is_told and Modality.CHOICE in modalities:
        of_all = Modality.CHOICE  # "The port is 9000, or is it 8443?" - "yes"
    if of_all is not None:
        modalities = [of_all] * asking
    _spread(modalities, Modality.ESTIMATE)
    if not is_told:
        _spread_conditions(sentence, clauses, modalities)
    return modalities + [Modality.QUESTION] * (len(clauses) - asking)


def _first_asking(sentence: str, clauses: Sequence[str]) -> int:
    """Return the index of the first clause that asks: what stands before "can you ...?" is stated."""
    if is_question(sentence):
        return next((position for position, clause in enumerate(clauses) if _SAID["question"].match(clause)), 0)
    embedded = _SAID["embedded_question"].search(sentence)
    if embedded is None:
        return len(clauses)
    begins = [sentence.find(clause) for clause in clauses]
    return max(position for position, begin in enumerate(begins) if begin <= embedded.start())


def _clause_modality(clause: str) -> Modality:
    if _SAID["condition"].match(clause):
        return Modality.HYPOTHESIS
    if _SAID["hedge"].search(clause):
        return Modality.ESTIMATE
    if is_request(clause):
        return Modality.PLAN
    return next((modality for wording, modality in _OF_CLAUSE if _SAID[wording].search(clause)), Modality.FACT)


def _spread(modalities: list[Modality], modality: Modality) -> None:
    """Give every clause after the first one of this modality the same modality."""
    if modality in modalities:
        begin = modalities.index(modality)
        modalities[begin:] = [modality] * (len(modalities) - begin)


def _spread_conditions(sentence: str, clauses: Sequence[str], modalities: list[Modality]) -> None:
    """Make a condition cover what follows it, and what stands directly before it: "we move if ..."."""
    if Modality.HYPOTHESIS not in modalities:
        return
    begin = modalities.index(Modality.HYPOTHESIS)
    _spread(modalities, Modality.HYPOTHESIS)
    before = sentence[: sentence.find(clauses[begin])].rstrip()
    if begin and (begin == len(modalities) - 1 or not before.endswith((",", ";"))):
        modalities[begin - 1] = Modality.HYPOTHESIS
