"""What a phrase is made of, and what a clause gives up (C-40, C-41)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ...language.lexicon import AUXILIARIES, DETERMINERS, NEUTRAL, PREPOSITIONS, RELATIVES
from ...language.segment import JOINING
from ...language.token import Token, low_at
from ..clauses.predicates import Tokens

BREAKS: Final = JOINING | RELATIVES | {"whose", "instead", "not"} | frozenset(";()")
COPULAS: Final = AUXILIARIES | {"be", "been", "being"}


class Given(NamedTuple):
    """What is given up, what comes instead (if it is told), and the other words of the clause.

    `renamed`: it is the name alone that is given up.
    """

    gone: Tokens
    about: Tokens
    new: Tokens = ()
    corrects: bool = False
    renamed: bool = False


def phrase_end(tokens: Tokens, index: int) -> int:
    """The end of a noun phrase: where something else begins."""
    start = index
    while index < len(tokens):
        low = tokens[index].low
        is_end = (low in PREPOSITIONS and low != "of") or low in BREAKS or low in COPULAS or low in NEUTRAL
        if is_end or (low == "no" and index > start):
            break
        index += 1
    return index


def starts(tokens: Tokens, index: int, words: tuple[str, ...]) -> bool:
    return all(low_at(tokens, index + offset) == word for offset, word in enumerate(words))


def noun_phrases(tokens: Tokens) -> list[Tokens]:
    """The noun phrases of a stretch, in their order."""
    runs: list[Tokens] = []
    index = 0
    while index < len(tokens):
        low = tokens[index].low
        if low in DETERMINERS or not (low[0].isalnum() or low[0] in "#@/~.$€£"):
            index += 1
            continue
        end = phrase_end(tokens, index)
        if end > index:
            runs.append(tokens[index:end])
        index = max(end, index + 1)
    return runs


def shape(tokens: Iterable[Token], *, begins: bool = False) -> str:
    for index, token in enumerate(tokens):
        text = token.text
        if text[0].isdigit() or text[0] in "$€£":
            return "number"
        if any(mark in text.strip(".") for mark in "/@_#."):
            return "address"
        if text[0].isupper() and not (begins and index == 0 and text[1:].islower()):
            return "name"
    return "word"
