"""What speaks against a sentence of a memory being the user's word, though the user said its words (T-03).

Each objection reads the sentence beside the message that seems to say it. One is enough: a word that is missed counts
less than one that is put into the user's mouth. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import denials, inventions, misplacements
from .testimony import Testimony

_OBJECTIONS: Final[tuple[Callable[[Testimony], str], ...]] = (
    inventions.is_only_others,
    inventions.is_never_called,
    denials.is_denial_kept,
    denials.is_turned_round,
    denials.is_reversed,
    misplacements.is_misplaced,
    misplacements.is_one_of_several,
    misplacements.is_of_another,
    misplacements.is_of_the_last_named,
    misplacements.is_unbound,
    misplacements.is_of_another_number,
    denials.is_exchanged,
    denials.is_another_period,
    inventions.is_uncounted,
    inventions.is_embroidered,
    denials.is_opposed,
)


def find_objection(testimony: Testimony) -> str:
    """Return the first of what speaks against it, in words; nothing where nothing does."""
    return next(filter(None, (one(testimony) for one in _OBJECTIONS)), "")
