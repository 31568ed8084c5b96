"""The changes that a person makes on a page: the requests of a terminal, carried out at once.

A memory that has changed since it was shown is left alone and reported, for two people may act at the same time. A
memory in the requested state already is no error: the answer names the act that made it so, as if it were this one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, StrictBool

from ... import inbox
from ...knowledge.shelving import CurationVerb
from ...ledger.adopt import is_same_text
from ...ledger.undoing import Steps, moved_on, taken_back
from ...quality.conflict_record import RequestKind, Resolver
from ...quality.requests import answers_about
from ...recall.eligibility import is_standing_rule
from ...records import Memory, Source, Utility, Validity
from ...service import arguments
from ...service.arguments import AnyId, MemoryAction, ServiceError, Shown, Stamp, Text, Word
from ...service.inbox import AT_ODDS, FINAL, InboxItem, ItemKind, find_items, kept_in_use, losers_of
from ...service.live import LivePlace
from ...service.rows import ID, Result, find_entries, stamp_of
from ...store.deadline import Throttle
from ...store.files import JOURNAL_FILE, read_lines_if_any
from ...store.journal import NO_UNDO, bring_back, find_undo, read_steps
from ..session import Folder
from .backup import sign_anew
from .knowledge import decide_entry

GONE = "it no longer exists"
CHANGED = "it has changed in the meantime"
_RECORD = "it is a vault record, which is changed under Vault"
_UNREAD = "it has no status yet, and gets one with the next message to the agent"
_ADOPTED_AT_ONCE = 250
#: How many such batches are adopted before a request that has to wait for them is left to the chats.
_MOST_ROUNDS = 8
_REQUESTS: Mapping[MemoryAction, Callable[[tuple[str, ...]], inbox.Arguments]] = {
    MemoryAction.RETIRE: lambda ids: inbox.Retire(memories=ids),
    MemoryAction.CONFIRM: lambda ids: inbox.Refresh(memories=ids, verified=True),
    MemoryAction.ARCHIVE: lambda ids: inbox.ArchiveStale(memories=ids),
    MemoryAction.PROTECT: lambda ids: inbox.ProtectMemories(memories=ids),
    MemoryAction.LEAVE_OUT: lambda ids: inbox.SwitchRule(memories=(ids[0],), is_on=False),
    MemoryAction.PUT_IN: lambda ids: inbox.SwitchRule(memories=(ids[0],), is_on=True),
    MemoryAction.ERASE: lambda ids: inbox.Erase(memories=ids),
}
#: The kind of request behind each action, as journaled.
_KINDS = {action: make(("",)).kind for action, make in _REQUESTS.items()} | {
    MemoryAction.CORRECT: inbox.CorrectSource.kind,
    MemoryAction.RESTORE: inbox.Readmit.kind,
}
#: Held while a person acts, so that the next person sees the result.
ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Already:
    """A memory is in the requested state already; `act` made it so, if that is known and can be undone."""

    act: str | None


def change_memories(folder: Folder, action: str, asked: arguments.ChangeMemories) -> Result:
    """Change memories that stand as they were shown; return which were changed, and why not the others. Blocking.

    `action` is a value of MemoryAction. The `waiting` memories are changed once all new memories are adopted; those of
    the `done` ones that are `already` had the requested state. `undo` are the acts to take back.
    """
    if action == MemoryAction.ERASE and not asked.sure:
        raise ServiceError("Erasing is permanent; allowed: with sure set to true.")
    return _change_each(folder, asked, MemoryAction(action), None)


def correct_memories(folder: Folder, asked: arguments.CorrectMemories) -> Result:
    """Correct the source of some memories, as `change_memories` does."""
    return _change_each(folder, asked, MemoryAction.CORRECT, Source(asked.source))


def _change_each(
    folder: Folder, asked: arguments.ChangeMemories, action: MemoryAction, source: Source | None
) -> Result:
    outcome = new_outcome()
    with ONE_AT_A_TIME:
        desk = _Desk(folder, action, source)
        wanted: dict[inbox.Arguments, list[str]] = {}
        for shown in {memory.id: memory for memory in asked.memories}.values():
            request = desk.find_request(shown)
            if isinstance(request, str):
                outcome["refused"].append({"id": shown.id, "why": request})
            elif isinstance(request, _Already):
                note_already(outcome, shown.id, request.act)
            else:
                wanted.setdefault(request, []).append(shown.id)
        for about, ids in _joined(wanted):
            carry_out_for(folder, about, ids, outcome)
    return outcome


def write_memory(folder: Folder, asked: arguments.WriteText) -> Result:
    """Store a text as the user's word, in place of memories that stand as they were shown; blocking."""
    outcome, store = new_outcome(), folder.store
    with ONE_AT_A_TIME:
        for shown in asked.memories:
            memory, is_record = store.read(shown.id), shown.id in store.mirrored
            can = [] if memory is None else arguments.allowed_actions(memory, can_undo=False, is_record=is_record)
            reason = GONE if memory is None else CHANGED if stamp_of(memory) != shown.stamp else ""
            reason = reason or (_RECORD if is_record else "" if MemoryAction.RETIRE in can else "it is not in use")
            outcome["refused"] += [{"id": shown.id, "why": reason}] if reason else []
        if not outcome["refused"]:
            ids = tuple(dict.fromkeys(shown.id for shown in asked.memories))
            carry_out_for(folder, inbox.WriteMemory(memories=ids, text=asked.text), ids, outcome)
            adopt(folder)  # so that it is compared with all that is known
    return outcome


def new_outcome() -> Result:
    """Return an empty outcome of a request."""
    return {"done": [], "refused": [], "waiting": [], "already": [], "undo": []}


def note_already(outcome: Result, memory_id: str, act: str | None) -> None:
    """Note that a memory had the requested state already, and the act that can be undone."""
    outcome["done"].append(memory_id)
    outcome["already"].append(memory_id)
    outcome["undo"] += [act] if act and act not in outcome["undo"] else []


class _Desk:
    """Finds the requests for one kind of action."""

    def __init__(self, folder: Folder, action: MemoryAction, source: Source | None) -> None:
        self._folder, self._action, self._source = folder, action, source
        self._journal = read_lines_if_any(folder.store.folder / JOURNAL_FILE)
        self._steps = Steps(self._journal)

    def find_request(self, shown: Shown) -> inbox.Arguments | _Already | str:
        """Return the request about one memory, or why it is impossible."""
        folder, action, memory = self._folder, self._action, self._folder.store.read(shown.id)
        if memory is None:
            return _Already(None) if action is MemoryAction.ERASE else GONE
        is_left_out, is_record = memory.id in folder.rules.left_out(), memory.id in folder.store.mirrored
        if not is_record and self._is_so(memory, is_left_out):
            return _Already(self._act_behind(memory.id))
        if stamp_of(memory) != shown.stamp:
            undone = self._undone_before(memory, shown.stamp) if action is MemoryAction.UNDO else None
            return CHANGED if undone is None else _Already(undone)
        step = find_undo(memory, self._steps, self._journal, folder.store.acts.find_obstacle)
        can_undo = not isinstance(step, str)
        if action not in arguments.allowed_actions(
            memory, can_undo=can_undo, is_record=is_record, is_left_out=is_left_out
        ):
            return _RECORD if is_record else self._refusal(memory, step)
        if action is MemoryAction.UNDO:
            return step
        if action is MemoryAction.RESTORE:
            return bring_back(memory, self._journal)
        if self._source is not None:
            return inbox.CorrectSource(memories=(memory.id,), source=self._source)
        return _REQUESTS[action]((memory.id,))

    def _is_so(self, memory: Memory, is_left_out: bool) -> bool:
        axes = memory.classification
        if axes is None:
            return False
        return {
            MemoryAction.RETIRE: memory.is_deprecated,
            MemoryAction.RESTORE: not memory.is_deprecated,
            MemoryAction.CONFIRM: axes.validity is Validity.CONFIRMED,
            MemoryAction.ARCHIVE: axes.utility is Utility.ARCHIVED,
            MemoryAction.PROTECT: axes.utility is Utility.LOAD_BEARING,
            MemoryAction.LEAVE_OUT: is_left_out,
            MemoryAction.PUT_IN: is_standing_rule(memory) and not is_left_out,
            MemoryAction.CORRECT: axes.source is self._source,
        }.get(self._action, False)

    def _act_behind(self, memory_id: str) -> str | None:
        """Return the act that has brought a memory into the requested state, if it was the last one about it."""
        step = self._steps.latest(memory_id)
        is_behind = step is not None and step.get("kind") == _KINDS[self._action]
        return str(step["act"]) if step is not None and is_behind else None

    def _undone_before(self, memory: Memory, stamp: str) -> str | None:
        """Return the last act about a memory if it undid the shown state: then the undo is requested a second time."""
        last = self._steps.latest_undo(memory.id)
        fields = None if last is None else last["changed"].get("memories", {}).get(memory.id)
        if last is None or not fields or moved_on(memory, fields) or stamp_of(taken_back(memory, fields)) != stamp:
            return None
        return str(last["act"])

    def _refusal(self, memory: Memory, undo: inbox.Arguments | str) -> str:
        if memory.classification is None:
            return _UNREAD
        if self._action is MemoryAction.UNDO:
            return str(undo)
        axes = memory.classification
        return f"it is {axes.validity.value}, {axes.utility.value}"


def list_stamps(folder: Folder, asked: arguments.FindMemories) -> Result:
    """Return rows (id, stamp) of all matching memories, so that an action can name them; blocking."""
    return {"rows": stamps_now(folder, [entry[ID] for entry in find_entries(LivePlace(folder), asked)])}


def stamps_now(folder: Folder, ids: Sequence[str]) -> list[Result]:
    """Return the present stamps of memories, so that an action can name them."""
    memories = ((memory_id, folder.store.read(memory_id)) for memory_id in ids)
    return [{"id": memory_id, "stamp": stamp_of(memory)} for memory_id, memory in memories if memory is not None]


def take_back_acts(folder: Folder, asked: arguments.TakeBackActs) -> Result:
    """Take back acts, the latest first, as far as nothing has changed since; `undo` are the acts to redo them."""
    outcome = new_outcome()
    with ONE_AT_A_TIME:
        for act in reversed(asked.acts):
            steps = read_steps(folder.store.folder)
            due_steps = steps.of_act(act, asked.about)
            if not due_steps:
                outcome["refused"].append({"id": act, "why": NO_UNDO})
            due: list[str] = []
            for step in due_steps:
                memory_id, undone = str(step.get("memory")), steps.undone_by(step)
                if undone is not None:
                    note_already(outcome, memory_id, undone)
                elif reason := folder.store.acts.find_obstacle(step):
                    outcome["refused"].append({"id": memory_id, "why": reason})
                else:
                    due.append(memory_id)
            if due:
                carry_out_for(folder, inbox.TakeBack(act=act, memories=tuple(due)), due, outcome)
    return outcome


def carry_out_for(
    folder: Folder, asked: inbox.Arguments, ids: Sequence[str], outcome: Result
) -> inbox.InboxAnswer | None:
    """Carry out a request about `ids`, and note the result and the act in the outcome; return the answer."""
    act, answer = carry_out(folder, asked)
    sort_answer(outcome, ids, answer)
    if answer is not None and answer.outcome is inbox.AnswerOutcome.DONE and not isinstance(asked, inbox.Erase):
        outcome["undo"].append(act)
    return answer


def _joined(wanted: Mapping[inbox.Arguments, list[str]]) -> list[tuple[inbox.Arguments, list[str]]]:
    """Return the requests with their ids, those of one kind joined into one."""
    joined: dict[tuple[Any, ...], tuple[inbox.Arguments, list[str]]] = {}
    for asked, ids in wanted.items():
        key = (type(asked), asked.about)
        earlier = joined.get(key)
        all_ids = [*earlier[1], *ids] if earlier is not None else ids
        update = {} if asked.about else {"memories": tuple(all_ids)}
        joined[key] = asked.model_copy(update=update), all_ids
    return [*joined.values()]


def carry_out(folder: Folder, asked: inbox.Arguments) -> tuple[str, inbox.InboxAnswer | None]:
    """Append a request to the inbox and carry it out; return its id and its answer, None while it waits."""
    store, moment, by = folder.store, folder.store.clock(), Resolver.OPERATOR.value
    store.requests.inbox.append(asked, at=moment, by=by)
    request_id = inbox.new_request(asked, at=moment, by=by).id
    if isinstance(asked, inbox.Erase):
        folder.orders.carry_out(lambda _done, _total: None)
        folder.end_turn()
    else:
        adopt(folder)
    return request_id, next((request.answer for request in store.requests.look() if request.id == request_id), None)


def adopt(folder: Folder) -> None:
    """Adopt new memories, and then carry out the requests; a large backlog is left to the chats."""
    throttle = Throttle()
    for _ in range(_MOST_ROUNDS):
        if folder.adopter.run(folder.settings, limit=_ADOPTED_AT_ONCE).remaining == 0:
            return
        throttle.rest()


def waits(folder: Folder, *kinds: type[inbox.Arguments]) -> bool:
    """Whether a request of these kinds is unanswered."""
    return any(isinstance(request.asked, kinds) and request.answer is None for request in folder.store.requests.look())


def sort_answer(outcome: Result, ids: Sequence[str], answer: inbox.InboxAnswer | None) -> None:
    """Note the answer to a request in the outcome, for each of its ids."""
    if answer is None:
        outcome["waiting"] += ids
    elif answer.outcome is inbox.AnswerOutcome.DONE:
        outcome["done"] += ids
    else:
        outcome["refused"] += [{"id": memory_id, "why": answer.words} for memory_id in ids]


_OF_VAULT = "one of them is a vault record, which is changed under Vault"
_SAME = "the text is the same as one of the two: keep that one"


class DecideItem(arguments.Question):
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
        return outcome | change_memories(folder, "erase", arguments.ChangeMemories(memories=(shown,), sure=True))
    with ONE_AT_A_TIME:
        item = _find_item(folder, asked)
        decision = None if item is None else item.choices.get(asked.choice)
        if item is not None and decision is None:
            raise ServiceError(f"choice is {asked.choice!r}; allowed: {', '.join(item.choices)}")
        if isinstance(decision, CurationVerb):
            entry = arguments.DecideEntry(id=asked.id, stamp=asked.stamps.get(asked.id, ""), sure=asked.sure)
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
            conflict = request.about if isinstance(request, inbox.ConflictDecision) else None
            answer = carry_out_for(folder, request, [conflict or asked.id], outcome)
            outcome["what"] = answer.words if answer is not None and isinstance(request, inbox.ConflictDecision) else ""
    return outcome


def accept_proposals(folder: Folder, asked: arguments.AcceptProposals) -> Result:
    """Retire all proposed memories in one act, if they are as many as the list showed; blocking."""
    outcome, place = new_outcome(), LivePlace(folder)
    with ONE_AT_A_TIME:
        items = [item for item in find_items(place) if asked.kind in ("", item.kind)]
        losers = [loser for item in items for loser in losers_of(item)]
        if len(losers) == asked.count:
            accept = inbox.Adopt(memories=tuple(losers), excluded=tuple(sorted(kept_in_use(place) - {*losers})))
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
        if isinstance(decision, inbox.ConflictDecision) and (
            asked.id == decision.about or pair == {*decision.memories}
        ):
            chosen = answers_about(*decision.memories).get(asked.choice)
            is_same = chosen is not None and decision == chosen.model_copy(update={"text": asked.text})
            return request.id if is_same else None
    step, memory = read_steps(folder.store.folder).latest(asked.id, kind=inbox.Adopt.kind), folder.store.read(asked.id)
    is_retired = memory is None or memory.is_deprecated
    return str(step["act"]) if step is not None and (asked.choice in ("that", "retire")) is is_retired else None


def _to_request(
    folder: Folder, asked: DecideItem, item: InboxItem | None, decision: inbox.Arguments | None
) -> inbox.Arguments | str:
    """Return the request to carry out, or why there is none."""
    memories = {} if item is None else {memory: folder.store.read(memory) for memory in item.memories}
    stamps = {memory_id: memory and stamp_of(memory) for memory_id, memory in memories.items()}
    stands = all((asked.stamps.get(memory_id) or None) == stamp for memory_id, stamp in stamps.items())
    if item is None or decision is None or not stands:
        return CHANGED
    if not isinstance(decision, inbox.ConflictDecision) or decision.action is not RequestKind.MERGE:
        return decision
    if asked.text is None:
        raise ServiceError("text is missing; allowed: the text that replaces both")
    if any(memory in folder.store.mirrored for memory in memories):
        return _OF_VAULT
    if any(memory is not None and is_same_text(memory.text, asked.text) for memory in memories.values()):
        return _SAME
    return decision.model_copy(update={"text": asked.text})
