"""Whether two texts look like a contradiction, though no rule says so (C-40, C-96). Pure.

Two steps: a linear model of cues, which are words and their surroundings, and shallow trees over it and the columns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Final

from ..claims import Relation
from ..language.tables import read_table
from ..patterns import regex
from .alignment import align
from .changes import compare_memory_texts
from .claim_columns import claim_columns
from .cues import cues
from .features import features
from .trees import WEIGHTS, detector

#: The name of the model among the weights, and of the weights of its cues.
MODEL: Final = "at_odds"
CUES: Final = "cues"
#: A text that is nothing but what the user is told to have said: 'The user said: "..."'.
_QUOTATION = regex(r"(?:the )?user(?: \w+){1,3}[:,] [\"“](.{4,})[\"”][.!?]?", re.IGNORECASE | re.DOTALL)


def is_at_odds(older: str, newer: str) -> bool:
    """Return whether two texts look like a contradiction; never without a word that both share.

    Rules read no quotation, which anybody may make up: it is at odds with what it contradicts. Where the cues speak
    against it, the rest is not looked at: most neighbours in a store end there.
    """
    quoted = _unquote(older), _unquote(newer)
    if quoted != (older, newer) and compare_memory_texts(*quoted).relation is Relation.CONTRADICTS:
        return True
    alignment, weights = align(older, newer), read_table(__file__, CUES, WEIGHTS)
    if not alignment.pairs or cue_score(cues(alignment), weights) < 0:
        return False
    return detector(MODEL).accepts(columns(older, newer, weights))


def _unquote(text: str) -> str:
    """Return what a text quotes of the user's, where it says nothing else, or the text itself."""
    quotation = _QUOTATION.fullmatch(text.strip())
    return quotation[1] if quotation else text


def columns(older: str, newer: str, weights: Mapping[str, float]) -> dict[str, float]:
    """Return all that the trees ask for, by name, with the `weights` of the cues."""
    alignment = align(older, newer)
    score = cue_score(cues(alignment), weights)
    return features(alignment, older, newer) | {"cues": score} | claim_columns(older, newer)


def cue_score(found: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return what the cues of a pair weigh together."""
    return round(math.fsum(weights.get(one, 0.0) for one in found), 2)
