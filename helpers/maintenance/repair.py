"""Pointers to memories that are not there any more, and what takes their place (T-43). Pure.

The host deletes and merges behind the pack. Links go at the next rebuild; `supersedes_ids` stays, for it is the record
of what was replaced: it leads to the heir of what the host merged, and back to a winner that was away for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from ..ledger.changes import Repoint
from ..ledger.lifecycle import follow_to_head, is_classified, status_of
from ..records import Lineage, Memory

IsThere = Callable[[str], bool]


def find_heirs(records: Iterable[tuple[str, Lineage]]) -> dict[str, str]:
    """Return for each memory that another one says it replaced that other one, the first by id of several."""
    heirs: dict[str, str] = {}
    for memory_id, lineage in sorted(records, key=lambda record: record[0]):
        for replaced in (*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])):
            if replaced != memory_id:
                heirs.setdefault(replaced, memory_id)
    return heirs


def decide_repair(memory: Memory, heirs: Mapping[str, str], is_there: IsThere, *, at: datetime) -> Repoint | None:
    """Point `memory` at what is there: the heir of its winner, the latest loser that is left, or at nothing."""
    if not is_classified(memory):
        return None
    _, lineage = status_of(memory)
    winner, loser = lineage.superseded_by, lineage.supersedes
    if memory.is_deprecated and (winner is None or not is_there(winner)):
        winner = _find_winner(winner or memory.id, memory.id, heirs, is_there)
    if loser is not None and not is_there(loser):
        loser = next((memory_id for memory_id in reversed(lineage.supersedes_ids) if is_there(memory_id)), None)
    if (winner, loser) == (lineage.superseded_by, lineage.supersedes):
        return None
    return Repoint(memory_id=memory.id, at=at, superseded_by=winner, supersedes=loser)


def _find_winner(start: str, memory_id: str, heirs: Mapping[str, str], is_there: IsThere) -> str | None:
    """Return who stands at the end of the line of heirs that begins at `start`, as far as they are gone."""
    found = follow_to_head(start, lambda one: heirs.get(one) if one == start or not is_there(one) else None)
    return found if found != memory_id and is_there(found) else None
