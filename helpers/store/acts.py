"""Apply changes to the memories of a store, and note for each act what it changed."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from ..clock import format_time
from ..errors import StoreError
from ..inbox import InboxRequest
from ..ledger.authority import WHO, Act, Actor, Verdict, act_of, actor_of, judge, word_of
from ..ledger.changes import (
    Change,
    Classify,
    Contest,
    Forget,
    Outdate,
    Restore,
    Revert,
    Row,
    Ruling,
    Supersede,
    Withdraw,
)
from ..ledger.copies import DUPLICATE_RULES, ECHO_RULE
from ..ledger.lifecycle import LifecycleError
from ..ledger.undoing import ACT, UNDO, Line, differences, moved_on
from ..quality.conflict_record import Conflict, parse_conflict, write_conflict
from ..records import Memory
from .conflicts import ConflictBook
from .database import Database
from .journal import Journal
from .proposals import NO_MARKS, read_marks
from .requests import InboxHandler

_RULE = "T-70"
_FOLLOWED = ("its text was new",)


_CONFLICT_LOG_LENGTH = 20


@dataclass(slots=True)
class Outcomes:
    """Counts of what the rulings of this process retired, by kind, and their latest journal lines."""

    conflicts_resolved: int = 0
    echoes_retired: int = 0
    duplicates_retired: int = 0
    conflict_log: deque[Row] = field(default_factory=lambda: deque(maxlen=_CONFLICT_LOG_LENGTH))

    def note(self, change: Change, row: Row) -> None:
        """Count a change that took effect; the line of a ruling about a contradiction is kept."""
        if isinstance(change, Supersede) and change.rule == ECHO_RULE:
            self.echoes_retired += 1
        elif isinstance(change, Supersede) and change.rule in DUPLICATE_RULES:
            self.duplicates_retired += 1
        elif isinstance(change, Ruling):
            self.conflicts_resolved += isinstance(change, Supersede)
            self.conflict_log.append(row)


class Acting(Protocol):
    """The store in which acts are done."""

    database: Database
    mirrored: Mapping[str, str]
    conflicts: ConflictBook
    requests: InboxHandler
    outcomes: Outcomes

    def read(self, memory_id: str) -> Memory | None:
        """Return a memory as it stands now; None if it has gone."""

    def read_as_found(self, memory_id: str) -> Memory | None:
        """Return a memory with whatever status its metadata claims."""

    def put(self, memory: Memory) -> bool:
        """Write the status of a memory; False if it has gone."""

    def apply_each(self, changes: Iterable[Change], *, by: Actor) -> list[Change]:
        """Carry out changes that `by` wants, and return those that took effect."""


@dataclass(slots=True)
class _Step:
    """The state, before one step, of all that the step has touched so far; None for what the step brought."""

    request: InboxRequest
    memories: dict[str, Memory | None] = field(default_factory=dict)
    conflicts: dict[str, Conflict | None] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)


class ActBook:
    """Writes one journal line for all that one thread does in a step; a rule that acts by itself gets its own line."""

    def __init__(self, store: Acting, journal: Journal) -> None:
        self._store = store
        self._journal = journal
        self._here = threading.local()
        self._came: dict[str, InboxRequest] = {}

    @property
    def _open(self) -> _Step | None:
        return getattr(self._here, "step", None)

    def note(self, memory_id: str) -> None:
        """Note how a memory stands, before it is written."""
        if self._open is not None and memory_id not in self._open.memories:
            self._open.memories[memory_id] = self._store.read(memory_id)

    def note_new(self, memory_id: str) -> None:
        """Note a memory that comes with the step."""
        if self._open is not None:
            self._open.memories.setdefault(memory_id, None)
            self._came[memory_id] = self._open.request

    def following(self, memory_id: str) -> AbstractContextManager[None]:
        """Return a step of the act that brought a memory, for what rules make of it; no step for any other memory."""
        request = self._came.pop(memory_id, None)
        return nullcontext() if request is None else self.step(request, memory_id, by=Actor.RULE, reasons=_FOLLOWED)

    def note_conflict(self, conflict_id: str, known: Conflict | None) -> None:
        """Note the recorded state of a conflict before it changes."""
        if self._open is not None:
            self._open.conflicts.setdefault(conflict_id, known)

    def write(self, rows: Iterable[Row]) -> None:
        """Write lines of changes to the journal: with the open step, or at once where none is open."""
        if self._open is not None:
            self._open.rows += rows
        else:
            self._journal.append(rows)

    @contextmanager
    def step(
        self,
        request: InboxRequest,
        memory_id: str,
        *,
        by: Actor,
        action: str = ACT,
        reasons: Iterable[str] = (),
        **more: Any,
    ) -> Iterator[None]:
        """Record what this thread changes inside the block as one step about a memory, done by an actor for a request.

        The line of the step is that of the last change of status of the memory; without one it says `action` and
        `reasons`. `more` are further keys of the line; its `changed` holds what is neither a status nor a conflict.
        Conflicts are written once the store is saved, those that a rule records at once.
        """
        grounds = [*reasons] or [f"{WHO[by]} asked for it"]
        default_row = {
            "action": action,
            "at": format_time(request.at),
            "memory": memory_id,
            "rule": _RULE,
            "reasons": grounds,
        }
        self._here.step = step = _Step(request)
        if by is not Actor.RULE:
            self._store.conflicts.hold()
        try:
            yield
        finally:
            self._here.step = None
            more = {"act": request.id, "kind": request.kind, "by": by.value, **more}
            self._journal.append(self._to_rows(step, default_row, more))

    def _to_rows(self, step: _Step, default_row: Row, more: Row) -> list[Row]:
        changed = {name: value for name, value in more.pop("changed", {}).items() if value}
        memories = {memory_id: self._difference(memory_id, before) for memory_id, before in step.memories.items()}
        if touched := {memory_id: fields for memory_id, fields in memories.items() if fields != {}}:
            changed["memories"] = touched
        pairs = {
            conflict_id: [_row(before), _row(self._store.conflicts.get(conflict_id))]
            for conflict_id, before in step.conflicts.items()
        }
        if differing := {conflict_id: pair for conflict_id, pair in pairs.items() if pair[0] != pair[1]}:
            changed["conflicts"] = differing
        rows = [{key: field for key, field in row.items() if key not in ("act", "changed")} for row in step.rows]
        if not changed:
            return rows
        own = (
            row
            for row in reversed(rows)
            if row.get("memory") == default_row["memory"] and default_row["action"] != UNDO
        )
        main = next(own, None)
        if main is None:
            main = default_row
            rows.append(main)
        main |= {**more, "changed": changed}
        return rows

    def _difference(self, memory_id: str, before: Memory | None) -> Row | None:
        after = self._store.read(memory_id)
        if before is None or after is None:
            return {} if after is None else None
        return differences(before, after)

    def find_obstacle(self, step: Line, by: Actor = Actor.PERSON) -> str:
        """Return in words why an actor cannot take back a step; empty if nothing is in the way."""
        about, changed = step.get("memory"), step["changed"]
        if by is Actor.AGENT and actor_of(step) is not by:
            return "somebody else has done that"
        for memory_id, fields in changed.get("memories", {}).items():
            memory, subject = self._store.read(memory_id), "it" if memory_id == about else f"memory {memory_id}"
            if memory is None:
                return f"{subject} no longer exists"
            if fields is not None and (reason := moved_on(memory, fields)):
                return reason if memory_id == about else f"of memory {memory_id}, {reason}"
            word_owner = word_of(memory, is_record=memory_id in self._store.mirrored)
            if judge(by, Act.BRING_BACK, word_owner) is not Verdict.ALLOWED:
                return f"{subject} is the word of the {word_owner.value}"
        for conflict_id, (_, after) in changed.get("conflicts", {}).items():
            if _ruling(_row(self._store.conflicts.get(conflict_id))) != _ruling(after):
                return "the conflict has been settled otherwise since"
        proposals = changed.get("proposals", {}) if "memories" not in changed else {}
        if proposals and any(self._marks().get(loser, NO_MARKS) != after for loser, (_, after) in proposals.items()):
            return "the proposal has been decided otherwise since"
        for topic, (before, after) in changed.get("asked", {}).items():
            word = self._store.requests.inbox.last_word(topic)
            if (word and word["id"]) not in (after, before and before["id"]):  # the latter if a crash has cut an undo
                return "somebody has said otherwise since"
        return ""

    def _marks(self) -> Mapping[str, Any]:
        try:
            return read_marks(self._store.database)
        except StoreError:
            return {}

    def take_back(
        self, step: Line, request: InboxRequest, *, by: Actor, cycle: int, changed: Mapping[str, Any]
    ) -> list[Change]:
        """Restore the state before a step and return the changes; `changed` is what the caller restores elsewhere."""
        store, memory_id = self._store, str(step.get("memory"))
        details = {key: step[key] for key in ("winner", "other") if key in step}
        details |= {"undoes": step["act"], "changed": dict(changed)}
        with self.step(request, memory_id, by=by, action=UNDO, **details):
            for conflict_id, (before, _) in step["changed"].get("conflicts", {}).items():
                store.conflicts.put_back(conflict_id, None if before is None else parse_conflict(before))
            memories = step["changed"].get("memories", {}).items()
            changes = (_to_change(memory_id, fields, moment=request.at, cycle=cycle) for memory_id, fields in memories)
            return store.apply_each(changes, by=by)


def _to_change(memory_id: str, fields: Row | None, *, moment: datetime, cycle: int) -> Change:
    if fields is None:  # where it has been retired since, that stays
        return Withdraw(memory_id=memory_id, at=moment, cycle=cycle)
    return Revert(memory_id=memory_id, changed=fields)


def _row(conflict: Conflict | None) -> Row | None:
    return None if conflict is None else write_conflict(conflict)


def _ruling(row: Mapping[str, Any] | None) -> object:
    return "absent" if row is None else (row.get("resolution"), row.get("proposal"))


def apply_change(memories: Acting, change: Change, by: Actor = Actor.RULE) -> Row | None:
    """Apply a change and return its journal row, empty for none; None where a memory has gone.

    The caller holds the change lock of the memories.

    Raises LifecycleError where a memory is not in the state that the change expects, or `by` lacks the authority.
    """
    read = memories.read_as_found if isinstance(change, Classify) else memories.read
    affected = [read(memory_id) for memory_id in change.ids]
    if None in affected[:1]:
        return None
    before = [memory for memory in affected if memory is not None]
    word = word_of(before[0], is_record=change.ids[0] in memories.mirrored) if before else None
    if word is not None and judge(by, act_of(change.action), word) is not Verdict.ALLOWED:
        raise LifecycleError(change.ids[0], f"the word of {word.value}", f"what the {by.value} may {change.action}")
    after = change.apply(*before)
    if after and not any([memories.put(memory) for memory in after]):
        return None
    _note_conflict(memories.conflicts, change, before, by)
    for memory in after if not isinstance(change, Revert) else ():  # that brings back what was weighed before
        memories.conflicts.reweigh(memory.id)
    row = change.to_row(before, after)
    if row:
        row["by"] = by.value
    memories.outcomes.note(change, row)
    return row


def _note_conflict(conflicts: ConflictBook, change: Change, before: list[Memory], by: Actor) -> None:
    match change:
        case Supersede():
            conflicts.note_supersede(change, by, *before)
        case Outdate():
            conflicts.note_outdate(change)
        case Withdraw() | Forget():
            conflicts.note_withdraw(change)
        case Restore():
            conflicts.note_restore(change)
        case Contest():
            conflicts.note_contest(change)
