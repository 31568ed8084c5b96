"""Which of the new memories stand in the place of one that the agent has just deleted (T-43)."""

from __future__ import annotations

from collections.abc import Iterable

from ...ledger.authority import Actor
from ...ledger.changes import Replace
from ...ledger.lifecycle import is_classified
from ...ledger.settle import speak_of_one_thing
from ...records import Memory
from ..backup.backup import note_replaced
from ..docstore.store import Store


def link_replaced(store: Store, fresh: Iterable[str], departed: Iterable[Memory]) -> list[Replace]:
    """Link what of the `departed` the agent has deleted to the first of `fresh` that speaks of the same.

    Return what took effect. What was retired already has its own line, and a piece of a knowledge file has none.
    """
    known = {one.id: one for one in departed if not (one.is_deprecated or one.is_knowledge)}
    done: list[Replace] = []
    for new_id in fresh:
        for old_id, at in store.agent_deletes.before(new_id):
            old, new = known.get(old_id), store.read(new_id)
            if not is_classified(old) or not is_classified(new) or old_id in store:
                continue
            change = Replace(memory_id=old_id, winner_id=new_id, at=at)
            if speak_of_one_thing(old, new) and store.apply([change], by=Actor.AGENT):
                note_replaced(store, change)
                store.agent_deletes.forget([old_id])
                done.append(change)
    return done
