"""The agent's tool for the vault of its folder: in its own scopes, and never in another's name.

Every write passes the gate; the answer to a rejection names the step, the reason and the remedy. Stored records are
mirrored before the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ...clock import EPOCH, format_time
from ...errors import shorten
from ...ledger.attribution import Conversation, Utterance, attribute
from ...ledger.authority import Actor
from ...ledger.history import QuestionError
from ...ledger.resolve import decide_memories
from ...privacy import mask
from ...records import Classification, Lineage, Memory, Relevance, Source, Utility, Validity
from ...store.embedding import MOST_SECONDS
from ...texts import neutralize
from ...vault.gate import PRIVACY_STEP, find_secret
from ...vault.record import VaultRecord, show_record
from ...vault.taxonomy import SHARED_SCOPE, Origin, Tier
from ..session import Session
from ..vault.vault_store import NotYours, VaultError, VaultStore, Written

_OFF = "The vault is switched off (vault.enabled: false); nothing was read or written."
_ACTIONS = ("add", "update", "delete", "list", "search", "promote", "propose")
_WRITING = ("add", "update", "delete", "promote")
_LONGEST_WISH = 300


async def use_vault(session: Session, arguments: Mapping[str, Any]) -> str:
    """Carry out the `action` of the agent on the vault in a worker thread, and return the answer."""
    action = arguments.get("action", "")
    if not session.vault_scopes:
        return _OFF
    folder = session.folder
    vault = folder.vault.open_for(session.settings.vault, session.vault_scopes)
    try:
        answer = await asyncio.to_thread(_act, session, vault, action, arguments)
    except (QuestionError, VaultError) as exc:
        answer = str(exc)
        if isinstance(exc, NotYours):
            store = folder.store
            wanted = "" if arguments.get("text") is None else f": {mask(shorten(arguments['text'], _LONGEST_WISH))}"
            line = {"action": "propose-record", "at": format_time(store.clock()), "memory": exc.record_id}
            store.record([{**line, "rule": "V-26", "reasons": [f"{action}{wanted}"], "by": Actor.AGENT.value}])
    if action in _WRITING:
        await asyncio.to_thread(folder.vault.keep_mirror, MOST_SECONDS)
    return neutralize(answer)


def _act(session: Session, vault: VaultStore, action: object, arguments: Mapping[str, Any]) -> str:
    scopes = session.vault_scopes
    match action:
        case "add":
            return _tell(_add(session, vault, arguments))
        case "update" | "promote":
            text = arguments.get("text") or None
            origin = _origin(session, text, _own_record(vault, scopes, arguments))
            if action == "promote":
                return _tell(vault.promote_to_canon(arguments["id"], text, source=origin))
            changed = {key: arguments[key] for key in ("category", "tags") if arguments.get(key) is not None}
            return _tell(vault.update_memory(arguments["id"], text=text, source=origin, **changed))
        case "delete":
            _own_record(vault, scopes, arguments)
            tombstone = vault.delete_memory(arguments["id"], by=Actor.AGENT)
            return f"deleted: {tombstone.id if find_secret(tombstone) else show_record(tombstone)}"
        case "list":
            return _list(sorted(vault.list_active(scopes), key=lambda record: not record.is_canon))
        case "search":
            return _list(session.folder.vault.find(vault, _text(arguments, "query"), scopes, MOST_SECONDS))
        case "propose":
            return _propose(vault, scopes)
        case _:
            raise QuestionError(f"action is {shorten(action)}; allowed: {', '.join(_ACTIONS)}")


def _add(session: Session, vault: VaultStore, arguments: Mapping[str, Any]) -> Written:
    """Store a text; a topic without a tier makes it a register."""
    topic = arguments.get("topic_id") or None
    tier = arguments.get("tier") or (Tier.REGISTER if topic is not None else Tier.CANON)
    text, scope = arguments.get("text", ""), arguments.get("scope") or SHARED_SCOPE
    earlier = vault.file.read().find_topic(topic, scope) if isinstance(topic, str) else None
    return vault.add_memory(
        text,
        scope,
        arguments.get("category") or "other",
        tier=tier,
        topic_id=topic,
        tags=arguments.get("tags") or None,
        source=_origin(session, text, earlier),
    )


def _origin(session: Session, text: object, earlier: VaultRecord | None) -> Origin:
    """Return the origin `chat` if the person has said the text in this folder's recent turns, else `agent`.

    For a change of an `earlier` record, it has to be said after that was written; nothing newer may contradict it.
    """
    if not isinstance(text, str):
        return Origin.AGENT
    conversation = Conversation(session.folder.turns.spoken()[0])
    attribution = attribute(text, conversation)
    if not attribution.is_user or attribution.index is None:
        return Origin.AGENT
    message = conversation[attribution.index]
    said_at = message.since or message.at
    is_news = earlier is None or (said_at is not None and said_at > earlier.touched_at)
    return Origin.CHAT if is_news and not _is_outdated(session, text, message) else Origin.AGENT


def _is_outdated(session: Session, text: str, message: Utterance) -> bool:
    """Whether the rules prefer a later memory in use to a message with this text."""
    moment = message.at or EPOCH
    lineage = Lineage(created_at=moment, stated_at=moment, stated_from=message.since)
    status = Classification(
        validity=Validity.CONFIRMED, relevance=Relevance.ACTIVE, utility=Utility.TACTICAL, source=Source.USER_ASSERTED
    )
    statement = Memory(id="", text=text, created_at=moment, classification=status, lineage=lineage)
    decisions = (decide_memories(other, statement) for other in session.folder.adopter.candidates(statement))
    return any(decision.winner == "newer" and older is statement for older, _, decision in decisions)


def _own_record(vault: VaultStore, scopes: tuple[str, ...], arguments: Mapping[str, Any]) -> VaultRecord:
    """Return the record with the given id; raises VaultError unless it is active and visible to this agent."""
    record_id = _text(arguments, "id")
    record = vault.get(record_id)
    if record is None or record.scope not in scopes:
        raise VaultError(f"id is {shorten(record_id)}; allowed: one that action list shows")
    return record


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise QuestionError(f"{name} is {shorten(value) if value else 'missing'}; allowed: a text")
    return value


def _tell(written: Written) -> str:
    if written.record is not None:
        return f"{written.action}: {show_record(written.record)}"
    is_secret = written.rejection is not None and written.rejection.step == PRIVACY_STEP
    return f"not stored, {written.rejection}{'; tell the user why' if is_secret else ''}."


def _list(records: list[VaultRecord]) -> str:
    """Return the records on a line each, without secrets that somebody has written into the file by hand."""
    lines = [show_record(record) for record in records if find_secret(record) is None]
    return "\n".join(lines) if lines else "The vault holds nothing of that."


def _propose(vault: VaultStore, scopes: tuple[str, ...]) -> str:
    lines = [
        f"delete {proposal.record.id}? {'; '.join(proposal.reasons)}" for proposal in vault.propose_deletions(scopes)
    ]
    pairs = vault.find_consolidation_candidates(scopes)
    lines += [f"merge {pair.record.id} and {pair.other.id}? similarity {pair.similarity:.2f}" for pair in pairs]
    return "\n".join([*lines, "Nothing was changed; ask the user."]) if lines else "Nothing to propose."
