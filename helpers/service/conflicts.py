"""The one writer of a conflict: what is on record, both memories side by side, why, and where they differ (C-96, Q-17).

Pure.
"""

from __future__ import annotations

from ..ledger.resolve import decide_memories
from ..quality.conflict_record import Conflict, write_conflict
from ..records import Memory
from .differences import differing_spans
from .rows import MOST_OF_A_LINE, Result, memory_row

_POSSIBLE = "their wording may be contradictory, but no rule is sure"


def conflict_row(conflict: Conflict, older: Memory | None, newer: Memory | None) -> Result:
    """Return a conflict as it is on record, then what is known of both memories; None stands for one that is gone."""
    both = {"older": older, "newer": newer}
    spans = ([], []) if older is None or newer is None else differing_spans(older.text, newer.text)
    return {
        **write_conflict(conflict),
        **{side: one and memory_row(one, MOST_OF_A_LINE) for side, one in both.items()},
        "reasons": reasons_of(conflict, older, newer),
        "differs": dict(zip(both, spans, strict=True)),
    }


def reasons_of(conflict: Conflict, older: Memory | None, newer: Memory | None) -> list[str]:
    """Return why two memories are at odds: as the rules say now, or else as it was put on record."""
    if conflict.is_possible:
        return [_POSSIBLE if conflict.description.endswith(_POSSIBLE) else conflict.description]
    if older is None or newer is None or older.classification is None or newer.classification is None:
        return [conflict.description]
    decision = decide_memories(older, newer)[2]
    return [*decision.reasons] if decision.is_contradiction else [conflict.description]
