"""Which of the new memories stand in the place of one that the agent has just deleted (T-43)."""

from __future__ import annotations

from collections.abc import Iterable

from ...claims import SlotTable
from ...ledger.changes import Replace
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import decide_memories, speak_of_the_same
from ...ledger.settle import may_be_at_odds
from ...records import Memory
from ..backup.backup import note_replaced
from ..docstore.store import Store


def link_replaced(store: Store, fresh: Iterable[str], departed: Iterable[Memory]) -> list[Replace]:
    """Link what of the `departed` the agent has deleted to the first of `fresh` that speaks of the same.

    Return what took effect. What was out of use already has its own line, and a piece of a knowledge file has none.
    """
    known = {one.id: one for one in departed if not (one.is_deprecated or one.is_knowledge)}
    done: list[Replace] = []
    for new_id in fresh:
        for old_id, at in store.agent_deletes.before(new_id):
            old, new = known.get(old_id), store.read(new_id)
            if not is_classified(old) or not is_classified(new) or old_id in store:
                continue
            change = Replace(memory_id=old_id, winner_id=new_id, at=at)
            if _speak_of_one_thing(old, new, store.conflicts.slots) and store.apply([change]):
                note_replaced(store, change)
                store.agent_deletes.forget([old_id])
                done.append(change)
    return done


def _speak_of_one_thing(old: Memory, new: Memory, slots: SlotTable) -> bool:
    """By what both claim; else by their words, which may be at odds: the agent has chosen between them already."""
    decision = decide_memories(old, new, slots)[2]
    return speak_of_the_same(old, new, slots) or may_be_at_odds(old.text, new.text, decision)
