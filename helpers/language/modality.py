"""What saying a clause does: whether it asserts, asks, guesses, wishes, reports or supposes (T-03). Pure.

People say things in any language and in half sentences, so this goes by wide patterns: a guess that is overlooked
makes a lie of a memory. What a memory itself states is English, and is judged word by word (`claims.grammar.signals`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from . import segment
from .segment import tokenise
from .wordings import read_patterns


class Modality(StrEnum):
    """How a text stands behind a clause; only what two texts state as a `FACT` can contradict each other."""

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


_SAID: Final = read_patterns("modality")
CHOICE: Final = _SAID["choice"]

# How a memory must be worded for a clause of this modality to be what it says; a guess and a question never are.
_ACCEPTED = {
    Modality.HYPOTHESIS: _SAID["condition_word"],
    Modality.QUOTATION: _SAID["report"],
    Modality.PLAN: _SAID["wish_word"],
    Modality.PAST: _SAID["past_word"],
    Modality.CHOICE: CHOICE,
}


def accepts(memory_sentence: str, modality: Modality) -> bool:
    """Whether a clause that does not plainly assert can be what a memory says in these words."""
    wording = _ACCEPTED.get(modality)
    return wording is not None and wording.search(memory_sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether `sentence` asks something, with or without its question mark."""
    return _SAID["question_end"].search(sentence) is not None or _SAID["question"].match(sentence) is not None


def is_hedged(sentence: str) -> bool:
    """Whether `sentence` says that it is a guess."""
    return _SAID["hedge"].search(sentence) is not None


def is_request(clause: str) -> bool:
    """Whether `clause` asks for something to be found or made."""
    return _SAID["request"].match(clause) is not None


def split_clauses(sentence: str) -> list[str]:
    """Return the clauses of `sentence` in order."""
    clauses = (one.tokens for one in segment.split_clauses(tokenise(sentence), finely=True))
    return [sentence[tokens[0].start : tokens[-1].end] for tokens in clauses]


def parse_modalities(sentence: str, clauses: Sequence[str], *, is_told: bool = False) -> list[Modality]:
    """Return the modality of each of the `clauses` of `sentence`; `is_told` takes a question for what it asks."""
    asking = len(clauses) if is_told else _first_asking(sentence, clauses)
    told = sentence if asking == len(clauses) else sentence[: sentence.find(clauses[asking])]
    if _SAID["wide_hedge"].search(told):
        modalities = [Modality.ESTIMATE] * asking
    elif _SAID["report"].search(told):
        modalities = [Modality.QUOTATION] * asking
    else:
        modalities = [_clause_modality(clause) for clause in clauses[:asking]]
        _spread(modalities, Modality.ESTIMATE)
        if not is_told:
            _spread_conditions(sentence, clauses, modalities)
        elif Modality.CHOICE in modalities:
            # "The port is 9000, or is it 8443?" - "yes"
            modalities = [Modality.CHOICE] * asking
    return modalities + [Modality.QUESTION] * (len(clauses) - asking)


def _first_asking(sentence: str, clauses: Sequence[str]) -> int:
    """Return where the question begins in `clauses`: what stands before "can you ...?" is not asked but told."""
    if is_question(sentence):
        return next((position for position, one in enumerate(clauses) if _SAID["question"].match(one)), 0)
    embedded = _SAID["embedded_question"].search(sentence)
    if embedded is None:
        return len(clauses)
    begins = [sentence.find(one) for one in clauses]
    return max(position for position, begin in enumerate(begins) if begin <= embedded.start())


def _clause_modality(clause: str) -> Modality:
    if _SAID["condition"].match(clause):
        return Modality.HYPOTHESIS
    if _SAID["hedge"].search(clause):
        return Modality.ESTIMATE
    if is_request(clause) or _SAID["wish"].search(clause):
        return Modality.PLAN
    if _SAID["past"].search(clause):
        return Modality.PAST
    return Modality.CHOICE if CHOICE.search(clause) else Modality.FACT


def _spread(modalities: list[Modality], modality: Modality) -> None:
    """Give what follows the first clause of this modality the same modality."""
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
