"""Which inferred memories the person's newest message agrees with (C-16)."""

from __future__ import annotations

from collections.abc import Iterable

from ...ledger.attribution import Conversation, Speaker, attribute, confirms
from ...ledger.changes import Confirm
from ...records import Memory, Validity
from ..docstore.store import Store
from ..turns.turn_ring import TurnRing


def find_confirmed(store: Store, turns: TurnRing, memory_ids: Iterable[str]) -> list[Confirm]:
    """Return a change for each of these memories that is inferred and that the newest message confirms."""
    conversation, latest = Conversation(turns.spoken()[0]), turns.latest()
    chat = latest.chat if latest is not None else ""
    by_person = [i for i, one in enumerate(conversation) if one.speaker is Speaker.USER and one.chat == chat]
    newest = max(by_person, default=None)
    if newest is None or not confirms(conversation[newest].text):
        return []
    return [
        Confirm(memory_id=memory_id, at=store.clock(), evidence=conversation[newest].text)
        for memory_id in memory_ids
        if _is_confirmed(store.read(memory_id), conversation, newest)
    ]


def _is_confirmed(memory: Memory | None, conversation: Conversation, newest: int) -> bool:
    if memory is None or memory.classification is None or memory.classification.validity is not Validity.INFERRED:
        return False
    attribution = attribute(memory.text, conversation)
    return attribution.is_user and attribution.index == newest
