"""Read the words of a clause that belong to no slot: where, when and under which condition it holds (C-43).

Nothing is interpreted beyond time and environment: what is left over becomes the scope, and only claims of equal scope
are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...language.lexicon import (
    DEICTIC_DAYS,
    ENVIRONMENT_NOUNS,
    ENVIRONMENTS,
    NEUTRAL,
    PAST_WORDS,
    PERIODS,
    PREPOSITIONS,
)
from ...language.tables import read_classes
from ...language.token import Token, low_at
from ..model import NOW, PAST, ClaimTime, Tense
from ..values.dates import parse_date

_WORDS: Final = read_classes(__file__)
#: In front of a time or a place that is none of what the clause says.
_FREE_PREPOSITIONS: Final = _WORDS["free_prepositions"]


def parse_circumstances(tokens: Sequence[Token]) -> tuple[tuple[str, ...], ClaimTime]:
    """(scope, time) of the words of a clause that belong to no slot: each phrase between prepositions is one."""
    phrases: list[list[Token]] = [[]]
    for token in tokens:
        if token.low in PREPOSITIONS or not (token.low[0].isalnum() or token.low[0] in "#$@.+/~"):
            phrases.append([])
        phrases[-1].append(token)
    scope: set[str] = set()
    time = NOW
    for phrase in filter(None, phrases):
        if _is_company(phrase):
            continue
        said = _phrase_time(phrase)
        if said is not None:
            time = said if said is not NOW else time
            continue
        text = _scope_text(phrase)
        if text:
            scope.add(text)
    return tuple(sorted(scope)), time


_RELATIVES: Final = _WORDS["relatives"]


#: In front of what or in what a thing runs changes nothing else about it.
_FRONTS: Final = _WORDS["fronts"]


def _is_company(phrase: Sequence[Token]) -> bool:
    """Whether a phrase only says with whom, as what or behind what: "with her husband", "as a data engineer"."""
    lows = [token.low for token in phrase]
    if lows[0] in ("behind", "inside") and lows[-1] in _FRONTS:
        return True
    if lows[0] == "as":
        return lows[1:2] in (["a"], ["an"]) or lows[1:2] == ["the"]
    return lows[0] == "with" and lows[-1] in _RELATIVES


def _phrase_time(phrase: Sequence[Token]) -> ClaimTime | None:
    """The time that a phrase gives, or None if it is about something else."""
    lows = [token.low for token in phrase]
    if lows[0] == "since":
        return NOW
    if lows[0] == "until":
        return PAST if len(lows) > 1 and parse_date(phrase, 1) else None
    if lows[0] in _FREE_PREPOSITIONS or lows[0] == "from" or lows[0][0].isdigit():
        parsed = parse_date(phrase, int(lows[0] in PREPOSITIONS))
        if parsed and parsed.end == len(phrase) and parsed.value.norm[0] == "day":
            return ClaimTime(Tense.DATED, " ".join(str(part) for part in parsed.value.norm))
    if any(low in PAST_WORDS or low in DEICTIC_DAYS for low in lows) or any(
        low in ("last", "this") and low_at(phrase, i + 1) in PERIODS for i, low in enumerate(lows)
    ):
        return PAST
    return None


def _scope_text(phrase: Sequence[Token]) -> str:
    words = [
        ENVIRONMENTS.get(token.low, token.low)
        for token in phrase
        if token.low not in ("the", "my", "our") and token.low not in NEUTRAL and token.low[0].isalnum()
    ]
    if words and words[0] in _FREE_PREPOSITIONS:
        words = words[1:]
    if any(word in ENVIRONMENTS.values() for word in words):
        words = [word for word in words if word not in ENVIRONMENT_NOUNS]
    return " ".join(words)
