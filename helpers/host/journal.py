"""The lines of the journal beside a store: what stood before a change, what after, and by which rule (C-37, C-65)."""

from __future__ import annotations

from typing import Any

from ..clock import format_time
from ..ledger.changes import Confirm, Contest, Outdate, Supersede
from ..records import Validity


def supersede_row(change: Supersede, before: Validity) -> dict[str, Any]:
    """A memory went out of use."""
    return {
        "action": "supersede",
        "at": format_time(change.at),
        "memory": change.loser_id,
        "winner": change.winner_id,
        "from": before.value,
        "to": Validity.DEPRECATED.value,
        "rule": change.rule,
        "reasons": list(change.reasons),
    }


def confirm_row(change: Confirm, before: Validity) -> dict[str, Any]:
    """The user agreed with what had been inferred."""
    return {
        "action": "confirm",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "from": before.value,
        "to": Validity.CONFIRMED.value,
        "rule": "C-16",
        "reasons": [change.evidence],
    }


def outdate_row(change: Outdate) -> dict[str, Any]:
    """A part of what a memory says no longer holds."""
    return {
        "action": "partial",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "winner": change.winner_id,
        "parts": list(change.parts),
        "rule": change.rule,
        "reasons": list(change.reasons),
    }


def contest_row(change: Contest) -> dict[str, Any]:
    """Two memories contradict each other, and no rule names a winner."""
    return {
        "action": "contest",
        "at": format_time(change.at),
        "memory": change.older_id,
        "other": change.newer_id,
        "rule": change.rule,
        "reasons": list(change.reasons),
    }
