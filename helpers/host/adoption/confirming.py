"""What the person's newest message agrees with: inferred memories (C-16), and what was proposed to the user (C-44)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...ledger.attribution import Conversation, Speaker, Utterance, attribute, confirms
from ...ledger.changes import Confirm
from ...ledger.lifecycle import is_classified
from ...quality.conflict_record import Conflict
from ...records import Memory, Validity
from ..docstore.store import Store
from ..turns.turn_ring import TurnRing


def find_confirmed(store: Store, turns: TurnRing, memory_ids: Iterable[str]) -> list[Confirm]:
    """Return a change for each of these memories that is inferred and that the newest message confirms."""
    conversation, newest = _listen(turns)
    if newest is None or not confirms(conversation[newest].text):
        return []
    inferred = (one for one in map(store.read, memory_ids) if is_classified(one) and _is_inferred(one))
    return [
        Confirm(memory_id=one.id, at=store.clock(), evidence=conversation[newest].text)
        for one in inferred
        if _is_said(one, conversation, newest)
    ]


def find_settled(store: Store, turns: TurnRing) -> Iterator[tuple[Conflict, Memory, Memory, Utterance]]:
    """Yield what was proposed and the newest message says: the conflict, who wins, who loses, and the message.

    It came after the conflict was found, and says of the two the one that was proposed, not the other one as well.
    """
    proposed = store.conflicts.proposed
    conversation, newest = _listen(turns) if proposed else (Conversation(()), None)
    if newest is None:
        return
    message = conversation[newest]
    said_at = message.since or message.at
    for conflict in proposed:
        keep = None if conflict.proposal is None else conflict.proposal.keep
        winner, loser = (None if keep is None else store.read(one) for one in (keep or "", conflict.other(keep or "")))
        if said_at is None or said_at <= conflict.detected or not (is_classified(winner) and is_classified(loser)):
            continue
        is_open = not (winner.is_deprecated or loser.is_deprecated)
        if is_open and _is_said(winner, conversation, newest) and not _is_said(loser, conversation, newest):
            yield conflict, winner, loser, message


def _listen(turns: TurnRing) -> tuple[Conversation, int | None]:
    """Return what was said of late, and where the newest message of the person's in the newest chat stands in it."""
    conversation, latest = Conversation(turns.spoken()[0]), turns.latest()
    chat = latest.chat if latest is not None else ""
    own = (i for i, one in enumerate(conversation) if one.speaker is Speaker.USER and one.chat == chat)
    return conversation, max(own, default=None)


def _is_inferred(memory: Memory) -> bool:
    return memory.classification is not None and memory.classification.validity is Validity.INFERRED


def _is_said(memory: Memory, conversation: Conversation, newest: int) -> bool:
    found = attribute(memory.text, conversation)
    return found.is_user and found.index == newest
