"""What a person changes on a page: by the same requests as at a terminal, carried out at once (T-70).

A memory that is not as it was shown is left alone, and the person told: two may act at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import RequestError
from ...inbox import (
    AnswerOutcome,
    ArchiveStale,
    Arguments,
    ConflictDecision,
    CorrectSource,
    Erase,
    InboxAnswer,
    ProtectMemories,
    Refresh,
    Retire,
    SwitchRule,
    TakeBack,
    new_request,
)
from ...ledger.undoing import find_undoable, to_revert
from ...quality.conflict_record import RequestKind, Resolver
from ...records import Memory, Source
from ..docstore.store import Store
from ..session import Folder
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..storage.journal import find_winner
from ..storage.throttle import Throttle
from ..tools.conflicts import BOTH, open_conflicts, settle
from .allowed import MemoryAction, allowed_actions
from .questions import ChangeMemories, CorrectMemories, PageError, SettleConflict, Shown
from .stamps import stamp_of

GONE = "it no longer exists"
CHANGED = "it has changed in the meantime"
_UNREAD = "it has no status yet, and gets one with the next message to the agent"
_NO_UNDO = "there is nothing to undo"
_ADOPTED_AT_ONCE = 250
#: So often that many are adopted before a request that has to wait for them is left to the chat's own work.
_MOST_ROUNDS = 8
_REQUESTS: Mapping[MemoryAction, Callable[[tuple[str, ...]], Arguments]] = {
    MemoryAction.RETIRE: lambda ids: Retire(memories=ids),
    MemoryAction.CONFIRM: lambda ids: Refresh(memories=ids, verified=True),
    MemoryAction.ARCHIVE: lambda ids: ArchiveStale(memories=ids),
    MemoryAction.PROTECT: lambda ids: ProtectMemories(memories=ids),
    MemoryAction.LEAVE_OUT: lambda ids: SwitchRule(memories=(ids[0],), is_on=False),
    MemoryAction.PUT_IN: lambda ids: SwitchRule(memories=(ids[0],), is_on=True),
    MemoryAction.ERASE: lambda ids: Erase(memories=ids),
}
#: What one does about a memory, another one sees before his own request.
ONE_AT_A_TIME = threading.Lock()

Row = dict[str, Any]


def change_memories(folder: Folder, action: MemoryAction, asked: ChangeMemories) -> Row:
    """Do something about memories that stand as they were shown; return which, and why not the others. Blocking.

    What is `waiting` is asked for, and done once the memories that are new to the pack are read.
    """
    if action is MemoryAction.ERASE and not asked.sure:
        raise PageError("Erasing is permanent; allowed: with sure set to true.")
    with ONE_AT_A_TIME:
        journal = read_lines_if_any(folder.store.folder / JOURNAL_FILE)
        wanted: dict[Arguments, list[str]] = {}
        refused: list[Row] = []
        for shown in {one.id: one for one in asked.memories}.values():
            source = Source(asked.source) if isinstance(asked, CorrectMemories) else None
            found = _find_request(folder, action, shown, journal, source)
            if isinstance(found, str):
                refused.append({"id": shown.id, "why": found})
            else:
                wanted.setdefault(found, []).append(shown.id)
        outcome: Row = {"done": [], "refused": refused, "waiting": []}
        for about, ids in _joined(wanted):
            sort_answer(outcome, ids, carry_out(folder, about))
        outcome["now"] = stamps_now(folder, outcome["done"])
    return outcome


def stamps_now(folder: Folder, ids: Sequence[str]) -> list[Row]:
    """Return what was done something about as it stands now, so that it can be taken back at once."""
    found = ((one, folder.store.read(one)) for one in ids)
    return [{"id": one, "stamp": stamp_of(memory)} for one, memory in found if memory is not None]


def _find_request(
    folder: Folder, action: MemoryAction, shown: Shown, journal: Sequence[Row], source: Source | None
) -> Arguments | str:
    """Return what to ask for about one memory, or why it cannot be; `source` is where a person says it comes from."""
    memory = folder.store.read(shown.id)
    if memory is None:
        return GONE
    if stamp_of(memory) != shown.stamp:
        return CHANGED
    own = [row for row in journal if row.get("memory") == memory.id]
    is_record = memory.id in folder.store.mirrored
    is_left_out = memory.id in folder.rules.left_out()
    if action not in allowed_actions(memory, own, is_record=is_record, is_left_out=is_left_out):
        return "it is a vault record, which is changed under Vault" if is_record else _refusal(action, memory)
    if source is not None:
        is_so = memory.classification is not None and memory.classification.source is source
        return "it already has this source" if is_so else CorrectSource(memories=(memory.id,), source=source)
    if action in _REQUESTS:
        return _REQUESTS[action]((memory.id,))
    return _find_undo(memory, own, folder)


def _refusal(action: MemoryAction, memory: Memory) -> str:
    if memory.classification is None:
        return _UNREAD
    if action is MemoryAction.UNDO:
        return _NO_UNDO
    axes = memory.classification
    return f"it is {axes.validity.value}, {axes.utility.value}"


def _find_undo(memory: Memory, journal: Sequence[Row], folder: Folder) -> Arguments | str:
    """Return what takes back the latest step about a memory: its own, or what another memory has done to it."""
    step = find_undoable(journal, memory)
    if step is not None and to_revert(step, memory.id, at=folder.store.clock()) is not None:
        return TakeBack(memories=(memory.id,))
    lineage = memory.lineage
    winner = find_winner(journal, memory.id)
    if memory.is_deprecated:
        winner = (lineage and lineage.superseded_by) or winner
    elif step is not None:
        winner = str(step.get("winner"))
    if not winner:
        return _NO_UNDO
    return ConflictDecision(action=RequestKind.UNDO, memories=(memory.id, winner))


def _joined(wanted: Mapping[Arguments, list[str]]) -> list[tuple[Arguments, list[str]]]:
    """Return requests, those of one kind about many memories as one."""
    found: dict[tuple[Any, ...], tuple[Arguments, list[str]]] = {}
    for asked, ids in wanted.items():
        key = (type(asked), asked.about)
        known = found.get(key)
        all_ids = [*known[1], *ids] if known is not None else ids
        update = {} if asked.about else {"memories": tuple(all_ids)}
        found[key] = asked.model_copy(update=update), all_ids
    return [*found.values()]


def carry_out(folder: Folder, asked: Arguments) -> InboxAnswer | None:
    """Put a request into the inbox and have it done; None while it waits for what has to be read first."""
    store, at, by = folder.store, folder.store.clock(), Resolver.OPERATOR.value
    store.requests.inbox.append(asked, at=at, by=by)
    request_id = new_request(asked, at=at, by=by).id
    if isinstance(asked, Erase):
        folder.orders.carry_out(lambda _done, _total: None)
        folder.end_turn()
    else:
        adopt(folder)
    return next((one.answer for one in store.requests.look() if one.id == request_id), None)


def adopt(folder: Folder) -> None:
    """Have the requests carried out, which come after what is new; a large backlog is left to the chats."""
    throttle = Throttle()
    for _ in range(_MOST_ROUNDS):
        if folder.adopter.run(folder.settings, limit=_ADOPTED_AT_ONCE).remaining == 0:
            return
        throttle.rest()


def waits(folder: Folder, *kinds: type[Arguments]) -> bool:
    """Whether something of these kinds is asked for and not answered yet."""
    return any(isinstance(one.asked, kinds) and one.answer is None for one in folder.store.requests.look())


def sort_answer(outcome: Row, ids: Sequence[str], answer: InboxAnswer | None) -> None:
    """Note what became of memories that a request was about."""
    if answer is None:
        outcome["waiting"] += ids
    elif answer.outcome is AnswerOutcome.DONE:
        outcome["done"] += ids
    else:
        outcome["refused"] += [{"id": one, "why": answer.words} for one in ids]


def settle_conflict(folder: Folder, asked: SettleConflict) -> Row:
    """Settle what two memories are at odds about, if both stand as they were shown; blocking."""
    store = folder.store
    outcome: Row = {"done": [], "refused": [], "waiting": [], "what": ""}
    with ONE_AT_A_TIME:
        pair = find_pair(store, asked.conflict, asked.stamps)
        if pair is None:
            outcome["refused"] = [{"id": asked.conflict, "why": CHANGED}]
            return outcome
        try:
            outcome["what"] = settle(store, asked.conflict, asked.keep, by=Resolver.OPERATOR)
        except RequestError as exc:
            outcome["refused"] = [{"id": asked.conflict, "why": str(exc)}]
            return outcome
        adopt(folder)
        found = [one.answer for one in store.requests.look() if one.asked and one.asked.about == asked.conflict]
        sort_answer(outcome, [asked.conflict], found[-1] if found else None)
        lost = [one.id for one in pair if asked.keep not in (one.id, BOTH)]
        outcome["now"] = stamps_now(folder, lost if outcome["done"] else ())
    return outcome


def find_pair(store: Store, conflict_id: str, stamps: Mapping[str, str]) -> tuple[Memory, Memory] | None:
    """Return the memories of an open conflict, older first; None unless both stand as they were shown."""
    pair = next((pair for one, pair in open_conflicts(store) if one.id == conflict_id), None)
    is_as_shown = pair is not None and all(stamps.get(one.id) == stamp_of(one) for one in pair)
    return pair if is_as_shown else None
