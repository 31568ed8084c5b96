"""Evidence from outside of a memory: the quality interface vouches for it, or the newest message confirms it."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from ...ledger.adopt import fingerprint
from ...ledger.attribution import Conversation, Speaker, Utterance, attribute, confirms
from ...ledger.changes import Confirm
from ...ledger.lifecycle import is_classified, status_of
from ...quality.conflict_record import Conflict
from ...records import Memory, Validity
from ...store.docstore import Store
from ..turns import TurnRing

ORIGIN_KEY = "voucher"


def mark_origin(key: bytes, text: str, *, settles: bool) -> dict[str, Any]:
    """Return the voucher for the lineage of a memory with this text."""
    return {"settles": settles, "seal": _seal(key, text, settles)}


def read_voucher(key: bytes, memory: Memory) -> bool | None:
    """Return whether a memory that this pack has vouched for is compared with the others; None without a voucher."""
    voucher = (memory.lineage.model_extra or {}).get(ORIGIN_KEY) if memory.lineage is not None else None
    if not isinstance(voucher, Mapping) or not isinstance(settles := voucher.get("settles"), bool):
        return None
    is_ours = hmac.compare_digest(str(voucher.get("seal")).encode(), _seal(key, memory.text, settles).encode())
    return settles if is_ours else None


def _seal(key: bytes, text: str, settles: bool) -> str:
    return blake2b(f"{fingerprint(text)}\0{settles}".encode(), key=key, digest_size=12).hexdigest()


def find_confirmed(store: Store, turns: TurnRing, memory_ids: Iterable[str]) -> list[Confirm]:
    """Return a change for each of these inferred memories that the newest message confirms."""
    conversation, newest = _listen(turns)
    if newest is None or not confirms(conversation[newest].text):
        return []
    return [
        Confirm(memory_id=memory.id, at=store.clock(), evidence=conversation[newest].text)
        for memory in filter(is_classified, map(store.read, memory_ids))
        if status_of(memory)[0].validity is Validity.INFERRED and _is_said(memory, conversation, newest)
    ]


def find_settled(store: Store, turns: TurnRing) -> Iterator[tuple[Conflict, Memory, Memory, Utterance]]:
    """Yield the proposals that the newest message confirms: conflict, winner, loser and message.

    The message came after the conflict was found, and states the proposed memory but not the other one.
    """
    proposed = store.conflicts.proposed
    conversation, newest = _listen(turns) if proposed else (Conversation(()), None)
    if newest is None:
        return
    message = conversation[newest]
    said_at = message.since or message.at
    for conflict in proposed:
        keep = None if conflict.proposal is None else conflict.proposal.keep
        winner, loser = (
            None if keep is None else store.read(memory_id) for memory_id in (keep or "", conflict.other(keep or ""))
        )
        if said_at is None or said_at <= conflict.detected or not (is_classified(winner) and is_classified(loser)):
            continue
        is_open = not (winner.is_deprecated or loser.is_deprecated)
        if is_open and _is_said(winner, conversation, newest) and not _is_said(loser, conversation, newest):
            yield conflict, winner, loser, message


def _listen(turns: TurnRing) -> tuple[Conversation, int | None]:
    """Return the recent utterances, and the index of the person's newest message in the newest chat."""
    conversation, latest = Conversation(turns.spoken()[0]), turns.latest()
    chat = latest.chat if latest is not None else ""
    own = (
        i for i, utterance in enumerate(conversation) if utterance.speaker is Speaker.USER and utterance.chat == chat
    )
    return conversation, max(own, default=None)


def _is_said(memory: Memory, conversation: Conversation, newest: int) -> bool:
    attribution = attribute(memory.text, conversation)
    return attribution.is_user and attribution.index == newest
