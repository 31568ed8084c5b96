"""What a new memory is held against: what was said, its nearest neighbours, and what prompts held or the agent deleted.

Which of the new memories are echoes of what the latest prompts held, and which stand in the place of one that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ...clock import EPOCH
from ...ledger.attribution import Conversation, Speaker, Utterance
from ...ledger.authority import Actor, is_users_word
from ...ledger.changes import Replace, Supersede
from ...ledger.classify import NO_CIRCUMSTANCES, Circumstances
from ...ledger.copies import ECHO_RULE, find_echo
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import Party
from ...ledger.settle import speak_of_one_thing
from ...records import Memory
from ..backup.backup import note_replaced
from ..docstore.store import Store
from ..turns.turn_ring import TurnRing

_RECALLED = "the older one had just been recalled into a prompt, and this restates it"


def gather(departed: Iterable[Memory], turns: TurnRing, was_there: bool) -> tuple[Conversation, list[Circumstances]]:
    """Return what was said, oldest first, and what the user had asserted in the `departed`, which the host merged.

    Without times for what `was_there` before the pack: it is ordered by when it was written (C-47).
    """
    asserted = [
        Utterance(Speaker.USER, memory.text, at=Party.of(memory).at, is_memory=True)
        for memory in departed
        if memory.lineage is not None and is_users_word(memory)
    ]
    utterances, circumstances = turns.spoken()
    latest = turns.latest()
    now = latest.circumstances if latest is not None else NO_CIRCUMSTANCES
    said = [*((utterance, now) for utterance in asserted), *zip(utterances, circumstances, strict=True)]
    said.sort(key=lambda pair: pair[0].at or EPOCH)
    return Conversation(replace(one, at=None) if was_there else one for one, _ in said), [one for _, one in said]


def nearest_in_use(store: Store, memory_id: str, top_k: int) -> list[str]:
    """Return the `top_k` nearest memories in use, nearest first; the stored vector is used, nothing is embedded."""
    return _nearest(store, memory_id, top_k, is_in_use=True)


def nearest_retired(store: Store, memory_id: str, top_k: int) -> list[str]:
    """Return the `top_k` nearest memories that are retired, or have lost a part, nearest first."""
    return _nearest(store, memory_id, top_k, is_in_use=False)


def _nearest(store: Store, memory_id: str, top_k: int, *, is_in_use: bool) -> list[str]:
    with store.lock:
        store.refresh_positions()
        vector = store.index.vector(memory_id)
        position = store.index.position(memory_id)
        if vector is None or position is None:
            return []
        eligible = store.columns.in_use().copy() if is_in_use else store.columns.is_known() & ~store.columns.in_use()
        eligible[position] = np.False_
        return [one for one, _ in store.index.search(vector, top_k, eligible)]


def retire_echoes(
    store: Store, fresh: Iterable[str], injected: Iterable[str], is_settled: Callable[[str, str], bool]
) -> Iterator[Supersede]:
    """Yield a change for each of the memories `fresh` that restates one of those `injected`.

    Carry out each before the next is asked for. What a person has decided about two memories stays (T-70).
    """
    originals = list(injected)
    for new_id in fresh if originals else ():
        new = store.read(new_id)
        if new is not None and (found := _find_original(store, new, originals, is_settled)) is not None:
            yield found


def _find_original(
    store: Store, new: Memory, originals: Iterable[str], is_settled: Callable[[str, str], bool]
) -> Supersede | None:
    for original in (store.read(one) for one in originals):
        reason = find_echo(new, original) if original is not None else None
        if original is None or reason is None or is_settled(original.id, new.id):
            continue
        is_users = is_users_word(new)
        if is_users and any(conflict.is_open for conflict in store.conflicts.of_memory(original.id)):
            continue  # saying it again may settle that
        return Supersede(
            winner_id=original.id,
            loser_id=new.id,
            at=store.clock(),
            cycle=store.state.recall_cycle,
            rule=ECHO_RULE,
            reasons=(_RECALLED, reason),
            says_again=is_users,
        )
    return None


def link_replaced(store: Store, fresh: Iterable[str], departed: Iterable[Memory]) -> list[Replace]:
    """Link what of the `departed` the agent has deleted to the first of `fresh` that speaks of the same.

    Return what took effect. What was retired already has its own line, and a piece of a knowledge file has none.
    """
    known = {memory.id: memory for memory in departed if not (memory.is_deprecated or memory.is_knowledge)}
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
