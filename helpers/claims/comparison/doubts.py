"""Whether one text ends what another one speaks of, though that one says more (C-40, C-42, C-96).

Whoever sold the Panda may not drive a red one any more; but the rest of what a text says need not have ended with it.
Nothing is retired for that: both stay, and the agent is told that they may be at odds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...language.lexicon import CALENDAR
from ...language.segment import tokens_of
from ...language.tables import read_classes
from ..coreference.situations import RECURRING, SEASONS
from ..grammar.subjects import KIN, USER
from ..model import Claim, Tense
from .narrow import OWNERS, Facing, face

_WORDS: Final = read_classes(__file__)
#: Verbs by which somebody goes from one place to another, and words by which others are there.
_LEAVING: Final = _WORDS["leaving"]
_THERE: Final = frozenset(("in", "of"))
_ME: Final = frozenset((USER, "i"))
_DAYS: Final = CALENDAR | (RECURRING - SEASONS)


def may_end(end: Claim, said: Claim) -> bool:
    """Whether `end` tells of a change by which something is no more, of which `said` says that and more."""
    both = face(end, said) if end.change else None
    return both is not None and not any(is_of_another(both) for is_of_another in _GUARDS)


def may_change(change: Claim, said: Claim) -> bool:
    """Whether a change names its subject in fewer words than a claim of the same slot, which may be of another one."""
    own, others = subject_words(change), subject_words(said)
    is_at_once = change.time == said.time and said.time.tense is not Tense.PAST
    return is_at_once and bool(own) and own <= others and not (others - own) & KIN


def subject_words(claim: Claim) -> frozenset[str]:
    """The words of the subject of a claim, without those that only say whose it is."""
    return frozenset(claim.key[0].split()) - OWNERS


def _is_of_relative(both: Facing) -> bool:
    """Whether it is so of a relative, whom the other text does not name: "User's sister lives in Oslo"."""
    subject = set(both.said.subject.split())
    own = subject - OWNERS
    return USER in subject and bool(own & KIN) and own.isdisjoint((*both.clause, *both.end.subject.split()))


def _is_of_other(both: Facing) -> bool:
    """Whether the user ends what somebody or something else does."""
    subject = set(both.said.subject.split())
    return bool(subject) and subject.isdisjoint((*OWNERS, *both.clause)) and both.clause[0] in _ME


def _is_left_behind(both: Facing) -> bool:
    """Whether somebody has left a place, in which others are, and other things go on."""
    is_place = any(both.told[at - 1].low in _THERE for at in both.places if at)
    return is_place and both.clause[0] in OWNERS and not _LEAVING.isdisjoint(both.clause)


def _is_one_occasion(both: Facing) -> bool:
    """Whether it was so on one day: "was closed last Sunday", "was cancelled on 4 May"."""
    lows = [token.low for token in tokens_of(both.end.value.text)]
    return any(
        (before == "last" and low in _DAYS) or (before == "on" and low[0].isdigit()) for before, low in pairwise(lows)
    )


_GUARDS: Final = (_is_of_other, _is_of_relative, _is_left_behind, _is_one_occasion)
