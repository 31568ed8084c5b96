"""How sure an entry is, how that fades, and where it therefore stands (M-18, M-58 ... M-60, M-68, T-36). Pure."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

#: Confidence that is lost with each window in which nothing confirms an entry.
_DECAY = 0.9
#: A pattern with as many transactions as this is half as sure as its consistency.
_HALF_SURE = 3


class Place(StrEnum):
    """Where an entry stands: in the prompt, waiting for confirmation, or retired."""

    ACTIVE = "active"
    STAGING = "staging"
    ARCHIVE = "archive"


def confidence(consistency: float, transactions: int) -> float:
    """Return how sure so many transactions are that agree so far (T-36): 7 that all agree give 0.7."""
    return round(consistency * transactions / (transactions + _HALF_SURE), 2)


def decayed(base: float, confirmed: date, today: date, *, window_days: int) -> float:
    """Return what is left of a confidence; computed from its base, so that it fades once however often it is asked."""
    windows = max(0, (today - confirmed).days) // window_days
    return round(base * _DECAY**windows, 2)


def place_of(value: float, *, threshold: float, archive_below: float, is_new: bool) -> Place:
    """Return where an entry of this confidence stands; a new one waits, however low it is (M-68)."""
    if value >= threshold:
        return Place.ACTIVE
    return Place.STAGING if value >= archive_below or is_new else Place.ARCHIVE
