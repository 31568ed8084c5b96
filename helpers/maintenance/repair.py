"""Pointers to memories that are not there any more, and what takes their place (T-43). Pure.

The host deletes and merges behind the pack. Links go at the next rebuild; `supersedes_ids` stays, for it is the record
of what was replaced, and the way to the heir of what the host merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from ..ledger.changes import Repoint
from ..ledger.lifecycle import follow_to_head, is_classified, standing
from ..records import Memory

IsThere = Callable[[str], bool]


def find_heirs(records: Iterable[tuple[str, Iterable[str]]], is_there: IsThere) -> dict[str, str]:
    """Return who stands for a memory that has gone: the one that says it replaced it, the first by id of several.

    `records` give the id of each memory and what it has replaced.
    """
    heirs: dict[str, str] = {}
    for memory_id, replaced in sorted(records):
        for gone in replaced:
            if gone != memory_id and not is_there(gone):
                heirs.setdefault(gone, memory_id)
    return heirs


def decide_repair(memory: Memory, heirs: Mapping[str, str], is_there: IsThere, *, at: datetime) -> Repoint | None:
    """Point `memory` at what is there: the heir of its winner, the latest loser that is left, or at nothing."""
    if not is_classified(memory):
        return None
    _, lineage = standing(memory)
    winner, loser = lineage.superseded_by, lineage.supersedes
    if winner is not None and not is_there(winner):
        heir = follow_to_head(winner, heirs.get)
        winner = heir if is_there(heir) and heir != memory.id else None
    if loser is not None and not is_there(loser):
        loser = next((one for one in reversed(lineage.supersedes_ids) if is_there(one)), None)
    if (winner, loser) == (lineage.superseded_by, lineage.supersedes):
        return None
    return Repoint(memory_id=memory.id, at=at, superseded_by=winner, supersedes=loser)
