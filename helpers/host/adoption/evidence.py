"""What a new memory is held against: what was said, and its nearest neighbours in use (C-25, C-37)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...clock import EPOCH
from ...ledger.attribution import Conversation, Speaker, Utterance
from ...ledger.authority import is_users_word
from ...ledger.classify import NO_CIRCUMSTANCES, Circumstances
from ...ledger.resolve import Party
from ...records import Memory
from ..docstore.store import Store
from ..turns.turn_ring import TurnRing


def gather(departed: Iterable[Memory], turns: TurnRing, was_there: bool) -> tuple[Conversation, list[Circumstances]]:
    """Return what was said, oldest first, and what the user had asserted in the `departed`, which the host merged.

    Without times for what `was_there` before the pack: it is ordered by when it was written (C-47).
    """
    asserted = [
        Utterance(Speaker.USER, one.text, at=Party.of(one).at, is_memory=True)
        for one in departed
        if one.lineage is not None and is_users_word(one)
    ]
    utterances, circumstances = turns.spoken()
    latest = turns.latest()
    now = latest.circumstances if latest is not None else NO_CIRCUMSTANCES
    said = [*((one, now) for one in asserted), *zip(utterances, circumstances, strict=True)]
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
