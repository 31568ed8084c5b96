"""What the rules would retire of what was there before the pack, until a person says so (`design.md`, E-46)."""

from __future__ import annotations

from ...errors import StoreError
from ...inbox import Adopt
from ...maintenance.duplicates import DUPLICATE_RULES
from ...records import Memory
from ...service.arguments import DecideProposals, Paged
from ...service.rows import Result, memory_row, stamp_of
from ..session import Folder
from ..storage.proposals import Proposal, read_excluded, read_proposals
from ..storage.undo import read_steps
from .acting import CHANGED, ONE_AT_A_TIME, carry_out_for, new_outcome, note_already

_MOST_CHARACTERS = 2_000
_GONE = "it is no longer proposed"


def list_proposals(folder: Folder, asked: Paged) -> Result:
    """Return one page of what is proposed, and what a person has refused of it; blocking."""
    found, refused = open_proposals(folder)
    found.sort(key=lambda one: one[0].loser in refused)
    return {
        **asked.paging(len(found)),
        "waiting": sum(one.loser not in refused for one, _ in found),
        "rows": [_to_row(folder, *one, one[0].loser in refused) for one in asked.cut(found)],
    }


def open_proposals(folder: Folder) -> tuple[list[tuple[Proposal, Memory]], frozenset[str]]:
    """Return what is proposed about memories in use, and the memories that a person wants to stay in use."""
    store = folder.store
    try:
        proposals, refused = read_proposals(store.database), read_excluded(store.database)
    except StoreError:  # no first look yet, or a report that a person has damaged, of which the terminal tells
        return [], frozenset()
    first: dict[str, tuple[Proposal, Memory]] = {}
    for one in proposals:
        memory = store.read(one.loser)
        if memory is not None and not memory.is_deprecated:
            first.setdefault(one.loser, (one, memory))
    return [*first.values()], refused


def _to_row(folder: Folder, one: Proposal, memory: Memory, is_refused: bool) -> Result:
    winner = folder.store.read(one.winner) if one.winner else None
    return {
        **memory_row(memory, _MOST_CHARACTERS),
        "is_duplicate": one.rule in DUPLICATE_RULES,
        "is_empty": not one.winner,
        "is_refused": is_refused,
        "why": "; ".join(one.reasons),
        "winner": None if winner is None else memory_row(winner, _MOST_CHARACTERS),
    }


def decide_proposals(folder: Folder, is_accepted: bool, asked: DecideProposals) -> Result:
    """Retire what is proposed and stands as it was shown, refused before or not; or let it stay in use. Blocking."""
    outcome = new_outcome()
    with ONE_AT_A_TIME:
        found, excluded = open_proposals(folder)
        memories = {one.loser: memory for one, memory in found}
        steps = read_steps(folder.store.folder)
        for shown in asked.memories:
            memory = memories.get(shown.id)
            step = steps.latest(shown.id, kind=Adopt.kind)
            if step is not None and (shown.id in excluded or memory is None) and is_accepted is (memory is None):
                note_already(outcome, shown.id, str(step["act"]))
            elif memory is None or stamp_of(memory) != shown.stamp:
                outcome["refused"].append({"id": shown.id, "why": _GONE if memory is None else CHANGED})
        left = {*outcome["already"], *(one["id"] for one in outcome["refused"])}
        ids = [one for one in dict.fromkeys(shown.id for shown in asked.memories) if one not in left]
        if ids:
            kept = excluded.difference(ids) if is_accepted else excluded.union(ids)
            request = Adopt(memories=tuple(ids) if is_accepted else (), excluded=tuple(sorted(kept)))
            carry_out_for(folder, request, ids, outcome)
    return outcome
