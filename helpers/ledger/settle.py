"""What is to be done about two memories that contradict each other, as a change to carry out (C-43 ... C-50). Pure."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime

from ..records import Memory
from .changes import Contest, Outdate, Supersede
from .resolve import Decision, Outcome


def to_change(
    older: Memory, newer: Memory, decision: Decision, *, at: datetime, cycle: int
) -> Supersede | Outdate | Contest:
    """Return the change that carries out `decision`, which is a contradiction, at that moment and recall cycle."""
    if decision.winner is None:
        return Contest(older_id=older.id, newer_id=newer.id, at=at, rule=decision.rule, reasons=decision.reasons)
    winner, loser = (newer, older) if decision.winner == "newer" else (older, newer)
    if decision.outcome is Outcome.PARTIAL:
        return Outdate(
            memory_id=loser.id,
            winner_id=winner.id,
            parts=tuple(loser.text[start:end] for start, end in decision.spans),
            at=at,
            rule=decision.rule,
            reasons=decision.reasons,
        )
    return Supersede(
        winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=decision.rule, reasons=decision.reasons
    )


def leave_to_the_vault(
    change: Supersede | Outdate | Contest, older: Memory, newer: Memory, mirrored: Container[str]
) -> Supersede | Outdate | Contest:
    """Return `change`; where it would retire a record of the vault, which only the vault changes, both stay (T-18)."""
    if isinstance(change, Contest):
        return change
    loser_id = change.loser_id if isinstance(change, Supersede) else change.memory_id
    if loser_id not in mirrored:
        return change
    reasons = (*change.reasons, "what the vault holds is changed in the vault alone")
    return Contest(older_id=older.id, newer_id=newer.id, at=change.at, rule=change.rule, reasons=reasons)
