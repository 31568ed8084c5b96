"""Whether two texts look like a contradiction, though no rule says so (C-40, C-96). Pure.

Two steps: a linear model of cues, which are words and their surroundings, and shallow trees over it and the columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

from ..language.tables import read_table
from .alignment import align
from .cues import cues
from .features import features
from .trees import WEIGHTS, detector

#: The name of the model among the weights, and of the weights of its cues.
MODEL: Final = "at_odds"
CUES: Final = "cues"


def is_at_odds(older: str, newer: str) -> bool:
    """Return whether two texts look like a contradiction; never without a word that both share."""
    if not align(older, newer).pairs:
        return False
    return detector(MODEL).accepts(columns(older, newer, read_table(__file__, CUES, WEIGHTS)))


def columns(older: str, newer: str, weights: Mapping[str, float]) -> dict[str, float]:
    """Return all that the trees ask for, by name, with the `weights` of the cues."""
    alignment = align(older, newer)
    return features(alignment, older, newer) | {"cues": cue_score(cues(alignment), weights)}


def cue_score(found: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return what the cues of a pair weigh together."""
    return round(math.fsum(weights.get(one, 0.0) for one in found), 2)
