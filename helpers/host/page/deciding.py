"""A person's answers to the items of the list of decisions, each carried out as one act."""

from __future__ import annotations

from pydantic import Field, StrictBool

from ...inbox import Adopt, Arguments, ConflictDecision
from ...knowledge.shelving import CurationVerb
from ...ledger.adopt import is_same_text
from ...quality.conflict_record import RequestKind
from ...quality.requests import answers_about
from ...service.arguments import (
    AcceptProposals,
    AnyId,
    ChangeMemories,
    DecideEntry,
    Question,
    ServiceError,
    Shown,
    Stamp,
    Text,
    Word,
)
from ...service.inbox import AT_ODDS, FINAL, InboxItem, ItemKind, find_items, kept_in_use, losers_of
from ...service.live import LivePlace
from ...service.rows import Result, stamp_of
from ...store.journal import read_steps
from ..session import Folder
from .acting import CHANGED, ONE_AT_A_TIME, carry_out_for, change_memories, new_outcome, note_already
from .backup import sign_anew
from .knowledge import decide_entry

_RECORD = "one of them is a vault record, which is changed under Vault"
_SAME = "the text is the same as one of the two: keep that one"


class DecideItem(Question):
    """An answer to an item; `stamps` by memory or entry, as the list showed them.

    A merge needs the `text` that replaces both; a final choice needs `sure`.
    """

    kind: ItemKind
    id: AnyId
    choice: Word
    stamps: dict[AnyId, Stamp] = Field(default_factory=dict)
    text: Text | None = None
    sure: StrictBool = False


def decide_item(folder: Folder, asked: DecideItem) -> Result:
    """Carry out the answer to an item, if its memories stand as they were shown; blocking.

    Returns the outcome as `change_memories` does, with `what` was done in words, or the `decision` about knowledge that
    can be undone. An item that was decided in the same way before is no error.
    """
    if asked.choice in FINAL and not asked.sure:
        raise ServiceError(f"To {asked.choice} is permanent; allowed: with sure set to true.")
    outcome = new_outcome() | {"what": ""}
    if asked.kind is ItemKind.SECRET and asked.choice == "erase":
        shown = Shown(id=asked.id, stamp=asked.stamps.get(asked.id, ""))
        return outcome | change_memories(folder, "erase", ChangeMemories(memories=(shown,), sure=True))
    with ONE_AT_A_TIME:
        item = _find_item(folder, asked)
        decision = None if item is None else item.choices.get(asked.choice)
        if item is not None and decision is None:
            raise ServiceError(f"choice is {asked.choice!r}; allowed: {', '.join(item.choices)}")
        if isinstance(decision, CurationVerb):
            entry = DecideEntry(id=asked.id, stamp=asked.stamps.get(asked.id, ""), sure=asked.sure)
            return outcome | {"done": [asked.id], "decision": decide_entry(folder, decision, entry)["undo"]}
        if asked.kind is ItemKind.CHAIN and item is not None:
            return outcome | {"done": [asked.id], "what": sign_anew(folder, asked)["words"]}
        act = None if item is not None else _find_act(folder, asked)
        if act is not None:
            note_already(outcome, asked.id, act)
            return outcome
        request = _to_request(folder, asked, item, decision)
        if isinstance(request, str):
            outcome["refused"] = [{"id": asked.id, "why": request}]
        else:
            conflict = request.about if isinstance(request, ConflictDecision) else None
            answer = carry_out_for(folder, request, [conflict or asked.id], outcome)
            outcome["what"] = answer.words if answer is not None and isinstance(request, ConflictDecision) else ""
    return outcome


def accept_proposals(folder: Folder, asked: AcceptProposals) -> Result:
    """Retire all proposed memories in one act, if they are as many as the list showed; blocking."""
    outcome, place = new_outcome(), LivePlace(folder)
    with ONE_AT_A_TIME:
        items = [item for item in find_items(place) if asked.kind in ("", item.kind)]
        losers = [loser for item in items for loser in losers_of(item)]
        if len(losers) == asked.count:
            accept = Adopt(memories=tuple(losers), excluded=tuple(sorted(kept_in_use(place) - {*losers})))
            carry_out_for(folder, accept, losers, outcome)
        else:
            outcome["refused"] = [{"id": loser, "why": CHANGED} for loser in losers]
    return outcome


def _find_item(folder: Folder, asked: DecideItem) -> InboxItem | None:
    """Return the open item; the conflict of two memories may have become another kind of conflict."""
    kinds = AT_ODDS if asked.kind in AT_ODDS else (asked.kind,)
    items = find_items(LivePlace(folder), thorough=asked.kind is ItemKind.CHAIN)
    return next((item for item in items if item.id == asked.id and item.kind in kinds), None)


def _find_act(folder: Folder, asked: DecideItem) -> str | None:
    """Return the latest act about an item that is no longer open, if it made the same choice; else None."""
    for request in folder.store.requests.look():
        decision, pair = request.asked, {*asked.stamps}
        if isinstance(decision, ConflictDecision) and (asked.id == decision.about or pair == {*decision.memories}):
            chosen = answers_about(*decision.memories).get(asked.choice)
            is_same = chosen is not None and decision == chosen.model_copy(update={"text": asked.text})
            return request.id if is_same else None
    step, memory = read_steps(folder.store.folder).latest(asked.id, kind=Adopt.kind), folder.store.read(asked.id)
    is_retired = memory is None or memory.is_deprecated
    return str(step["act"]) if step is not None and (asked.choice in ("that", "retire")) is is_retired else None


def _to_request(
    folder: Folder, asked: DecideItem, item: InboxItem | None, decision: Arguments | None
) -> Arguments | str:
    """Return the request to carry out, or why there is none."""
    memories = {} if item is None else {memory: folder.store.read(memory) for memory in item.memories}
    stamps = {memory_id: memory and stamp_of(memory) for memory_id, memory in memories.items()}
    stands = all((asked.stamps.get(memory_id) or None) == stamp for memory_id, stamp in stamps.items())
    if item is None or decision is None or not stands:
        return CHANGED
    if not isinstance(decision, ConflictDecision) or decision.action is not RequestKind.MERGE:
        return decision
    if asked.text is None:
        raise ServiceError("text is missing; allowed: the text that replaces both")
    if any(memory in folder.store.mirrored for memory in memories):
        return _RECORD
    if any(memory is not None and is_same_text(memory.text, asked.text) for memory in memories.values()):
        return _SAME
    return decision.model_copy(update={"text": asked.text})
