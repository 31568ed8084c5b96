"""Carry out the requests about memories, made at a terminal or on a page, in the running host.

A decision is recorded in `conflicts.jsonl` and answered once the host has saved: after a crash in between the request
is repeated, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from ...clock import EPOCH
from ...errors import RequestError, StoreError
from ...inbox import (
    Adopt,
    ArchiveStale,
    Arguments,
    ConflictDecision,
    CorrectSource,
    InboxRequest,
    LinkMemories,
    NotSecret,
    ProtectMemories,
    Readmit,
    Refresh,
    Retire,
    Row,
    SwitchRule,
    TakeBack,
    UnlinkMemories,
    WriteMemory,
    new_request,
    with_word,
)
from ...ledger.adopt import Archived
from ...ledger.authority import DID, Actor, Verdict
from ...ledger.changes import Change, Confirm, Protect, Reattribute, Supersede, Withdraw
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import decide_memories
from ...ledger.undoing import ACT, Line, Steps
from ...quality.conflict_record import (
    REASONS,
    Conflict,
    ConflictProposal,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    conflict_id,
    resolve,
)
from ...quality.conflicts import open_conflict
from ...quality.merging import replace_by_text
from ...quality.requests import PERSON_RULE, Bring, answer, archive_change, describe, is_answered, refresh_changes
from ...records import Memory, Relationship, Source, Validity, order_of
from ...store.docstore import Store
from ...store.journal import read_steps, to_restore
from ...store.proposals import NO_MARKS, accepted_marks, read_marks, to_retirements, write_marks
from ...store.requests import Handler
from ...texts import counted
from ..turns import TurnRing
from .linking import Linker, judge_decision, judge_link
from .trust import find_settled

_DECIDED = "against what was decided", "two memories about which nobody else has decided"
#: The answers about how many memories such a request has changed.
_CHANGED: dict[type[Arguments], str] = {
    Retire: "{} retired",
    Readmit: "{} brought back",
    ProtectMemories: "{} protected",
    CorrectSource: "the source of {} corrected",
    Refresh: "{} refreshed",
    ArchiveStale: "{} archived",
}


class RequestHandler:
    """Carries out the requests about the memories of one folder; each request is one act."""

    def __init__(self, store: Store, bring: Callable[[Archived], None]) -> None:
        self._store = store
        self._bring = bring
        self._by = Actor.PERSON
        self._done: list[Change] = []
        self._linker = Linker(store, self._apply)
        handlers: dict[type[Arguments], Handler] = {
            **dict.fromkeys(_CHANGED, self._change_each),
            ConflictDecision: self._decide,
            Adopt: self._adopt,
            TakeBack: self._take_back,
            LinkMemories: self._link,
            UnlinkMemories: self._unlink,
            SwitchRule: self._note_word,
            NotSecret: self._note_word,
            WriteMemory: self._write,
        }
        #: The requests that are carried out once every new memory has its status.
        self.kinds = tuple(handlers)
        store.requests.handlers |= {kind: self._as_asker(handle) for kind, handle in handlers.items()}

    def _as_asker(self, handle: Handler) -> Handler:
        """Return a handler that acts with the authority of whoever asks."""

        def carry_out(asked: Any, request: InboxRequest) -> Any:
            is_agent = Resolver.AGENT in (request.by, getattr(asked, "by", None))
            self._by = Actor.AGENT if is_agent else Actor.PERSON
            return handle(asked, request)

        return carry_out

    def is_asked(self, one_id: str, other_id: str) -> bool:
        """Whether the inbox holds a request about two memories, which no rule overturns.

        So a decision holds before it is carried out, and after `conflicts.jsonl` was lost.
        """
        return self._store.requests.asked_at(conflict_id(one_id, other_id)) is not None

    def carry_out(self) -> list[Change]:
        """Carry out the waiting requests, save, and put them on record; return the changes."""
        self._done = []
        self._store.requests.run(*self.kinds, save=self._save)
        return self._done

    def _save(self) -> bool:
        """Save the store, and if that succeeds write the conflicts; return whether it did."""
        with suppress(OSError):  # the end of the turn reports it and tries again
            self._store.save()
        if self._store.is_dirty:
            return False
        self._store.conflicts.release()
        return True

    @contextmanager
    def _step(self, request: InboxRequest, memory_id: str, **more: Any) -> Iterator[None]:
        """Record the changes inside the block as one step of the act."""
        about = None if request.asked is None else request.asked.about
        if about is not None:
            word = self._store.requests.inbox.last_word(about, before=request.id)
            more["changed"] = {"asked": {about: [word, request.id]}}
        with self._store.acts.step(request, memory_id, by=self._by, **more):
            yield

    def _change_each(self, asked: Any, request: InboxRequest) -> list[str]:
        """Change each of some memories in a step of its own."""
        more, count = {"action": "refresh"} if isinstance(asked, Refresh) else {}, 0
        for memory in self._known(asked.memories):
            with self._step(request, memory.id, **more):
                count += bool(self._apply(self._changes(asked, memory, request.at)))
        return [_CHANGED[type(asked)].format(counted(count, "memory", "memories"))]

    def _changes(self, asked: Arguments, memory: Memory, at: datetime) -> list[Change]:
        cycle = self._store.state.recall_cycle
        match asked:
            case Retire():
                return [Withdraw(memory_id=memory.id, at=at, cycle=cycle)]
            case Readmit():
                return [to_restore(self._store.folder, at, memory, None)]
            case ProtectMemories():
                return [Protect(memory_id=memory.id, at=at)]
            case CorrectSource():
                return [Reattribute(memory_id=memory.id, at=at, source=asked.source)]
            case Refresh():
                return refresh_changes(memory, at=at, is_verified=asked.verified, confidence=asked.confidence)
            case _:
                return [archive_change(memory.id, at=at, cycle=cycle)]

    def _note_word(self, asked: SwitchRule | NotSecret, request: InboxRequest) -> list[str]:
        """Journal the request, which counts by itself."""
        action = "no-secret" if isinstance(asked, NotSecret) else "rule-on" if asked.is_on else "rule-off"
        with self._step(request, asked.memories[0], action=action):
            return [f"{asked.memories[0]}: {DID[action]}"]

    def _write(self, asked: WriteMemory, request: InboxRequest) -> list[str]:
        """Insert a text of a person, and retire the memories that it replaces."""
        sides = sorted(self._known(asked.memories), key=order_of)
        written = replace_by_text(sides, asked.text, source=Source.USER_ASSERTED, at=request.at)
        moment, cycle = request.at, self._store.state.recall_cycle
        with self._step(request, sides[0].id if sides else written.id, action="write"):
            self._store.acts.note_new(written.id)
            self._bring(written)
            self._apply(
                Supersede(
                    winner_id=written.id, loser_id=side.id, at=moment, cycle=cycle, rule=PERSON_RULE, reasons=REASONS
                )
                for side in sides
            )
        return [f"{written.id} written"]

    def _adopt(self, asked: Adopt, request: InboxRequest) -> list[str]:
        """Retire the memories of accepted proposals, and keep the excluded ones in use."""
        store = self._store
        try:
            before = read_marks(store.database)
            after = accepted_marks(before, asked.memories, asked.excluded, at=request.at)
            write_marks(store.database, after)
            cycle = store.state.recall_cycle
            changes = [*to_retirements(store.database, asked.memories, moment=request.at, cycle=cycle)]
        except StoreError as exc:
            raise RequestError("`adopt --accept`", f"impossible: {exc}", "a report of proposals") from exc
        for loser in dict.fromkeys((*after, *asked.memories)):
            marks = {loser: [before.get(loser, NO_MARKS), after[loser]]} if loser in after else {}
            with self._step(request, loser, action="keep-in-use", changed={"proposals": marks}):
                self._apply(change for change in changes if change.ids[0] == loser)
        return [f"{counted(len(after.keys() & {*asked.memories}), 'memory', 'memories')} accepted as retired"]

    def _take_back(self, asked: TakeBack, request: InboxRequest) -> list[str]:
        """Take back the steps of an act, the latest first; a step that is undone already stays undone.

        A step whose memory has changed since is named as a problem, and the other steps are taken back.
        """
        store = self._store
        steps = read_steps(store.folder)
        due = [
            step
            for step in reversed(steps.of_act(asked.act, asked.memories or ()))
            if not self._is_undone(steps, step, request)
        ]
        marks: dict[str, list[Any]] = {}
        count, problems = 0, []
        for step in due:
            obstacle = store.acts.find_obstacle(step, self._by)
            if obstacle:
                problems.append(f"{step.get('memory')}: {obstacle}")
                continue
            count += 1
            proposed, words = step["changed"].get("proposals", {}), step["changed"].get("asked", {})
            marks |= {loser: before for loser, (before, _) in proposed.items()}
            elsewhere = {
                "proposals": {loser: pair[::-1] for loser, pair in proposed.items()},
                "asked": {about: self._say_again(about, before) for about, (before, _) in words.items()},
            }
            cycle = store.state.recall_cycle
            self._done += store.acts.take_back(step, request, by=self._by, cycle=cycle, changed=elsewhere)
        write_marks(store.database, marks)
        return [
            f"{counted(count, 'change', 'changes')} taken back" if count or problems else "it was done before",
            *problems,
        ]

    def _is_undone(self, steps: Steps, step: Line, request: InboxRequest) -> bool:
        """Whether a step is taken back already; if this request did it and a crash has lost that, it is not."""
        undone = steps.undone_by(step)
        return undone is not None and (undone != request.id or bool(self._store.acts.find_obstacle(step)))

    def _say_again(self, about: str, word: Row | None) -> list[Any]:
        """Make an earlier request the last word about a topic again; return the word before, and the id of the new."""
        inbox = self._store.requests.inbox
        last = inbox.last_word(about)
        inbox.rewrite(lambda rows: with_word(rows, about, word))
        return [last, word and word["id"]]

    def _link(self, asked: LinkMemories, request: InboxRequest) -> list[str]:
        source, target = self._pair(asked)
        decision = asked.to_decision()
        if judge_link(self._store, asked, request.at) is not Verdict.ALLOWED and decision is not None:
            return self._propose(request, decision, asked.reason or "")
        link = Relationship(
            type=asked.type.value,
            target=target.id,
            created=request.at,
            reason=asked.reason,
            bidirectional=asked.bidirectional,
        )
        about, reason = target.id if decision is not None else source.id, asked.reason or asked.type.value
        other = source.id if decision is not None else target.id
        with self._step(request, about, action="relate", other=other, reasons=[reason]):
            self._linker.link(source, link, by=asked.by)
        return [f"link made: {source.id} {asked.type.value} {target.id}"]

    def _unlink(self, asked: UnlinkMemories, request: InboxRequest) -> list[str]:
        source, target = self._pair(asked)
        with self._step(request, source.id, action="unrelate", other=target.id, reasons=[asked.type.value]):
            is_done = self._linker.unlink(source, asked.type, target.id)
        return [f"{'link removed' if is_done else 'nobody had linked'}: {source.id} {asked.type.value} {target.id}"]

    def _pair(self, asked: LinkMemories | UnlinkMemories) -> tuple[Memory, Memory]:
        """Return source and target; raises RequestError where one of them has gone."""
        by_id = {memory.id: memory for memory in self._known(asked.memories)}
        for memory in asked.memories:
            if memory not in by_id:
                raise RequestError(f"memory {memory}", "not there, or not classified", "two memories that are")
        source, target = (by_id[memory] for memory in asked.memories)
        return source, target

    def _known(self, memory_ids: Iterable[str]) -> list[Memory]:
        return [memory for memory in map(self._store.read, memory_ids) if is_classified(memory)]

    def _apply(self, changes: Iterable[Change]) -> list[Change]:
        """Apply changes and return those that took effect."""
        applied = [change for change in changes if self._store.apply([change], by=self._by)]
        self._done += applied
        return applied

    def _decide(self, asked: ConflictDecision, request: InboxRequest) -> list[str]:
        store, moment = self._store, request.at
        if is_answered(store.conflicts.get(asked.conflict_id), moment):
            return ["it was done before"]
        conflict = self._find_conflict(asked, moment)
        verdict, chosen, changes = judge_decision(store, asked, moment)
        if verdict is Verdict.ASKED:
            return self._propose(request, asked)
        about, other = asked.memories if chosen.keep != asked.memories[0] else asked.memories[::-1]
        action = "dismiss" if asked.action is RequestKind.DISMISS else ACT
        more = {"action": action, "other": other, "kind": asked.action.value, "reasons": asked.reasons}
        with self._step(request, about, **more):
            for change in changes:
                if isinstance(change, Bring):
                    store.acts.note_new(change.archived.id)
                    self._bring(change.archived)
                else:
                    self._apply([change])
            if conflict is not None:
                store.conflicts.record(answer(chosen, conflict, moment))
        return [describe(changes)]

    def _propose(self, request: InboxRequest, decision: ConflictDecision, reason: str = "") -> list[str]:
        """Record the proposal of an agent, which the user decides: the conflict stays open."""
        conflict = self._find_conflict(decision, request.at)
        if conflict is None or (conflict.resolution is not None and conflict.resolution.resolved_by is not decision.by):
            raise RequestError(f"what is proposed about {' and '.join(decision.memories)}", *_DECIDED)
        proposal = ConflictProposal(keep=decision.keep, by=decision.by, at=request.at, reason=reason)
        known = conflict.proposal
        if known is None or conflict.resolution is not None or (known.keep, known.reason) != (proposal.keep, reason):
            about, other = sorted(conflict.memories, key=lambda memory: memory == decision.keep)
            action = "propose" if decision.keep else "propose-both"
            more = {"action": action, "kind": "propose", "other": other, "reasons": [*filter(None, [reason])]}
            with self._step(request, about, **more):
                self._store.conflicts.record(conflict.model_copy(update={"proposal": proposal, "resolution": None}))
        return ["proposed to the user"]

    def settle_in_words(self, turns: TurnRing) -> list[Change]:
        """Carry out the proposals that the user's newest message confirms; return the changes.

        A message does not confirm again what a person has taken back.
        """
        self._by, self._done = Actor.MESSAGE, []
        store = self._store
        for conflict, winner, loser, message in find_settled(store, turns):
            asked = ConflictDecision(action=RequestKind.KEEP, memories=conflict.memories, keep=winner.id)
            request = new_request(asked, at=message.since or message.at or EPOCH, by=self._by.value)
            steps = read_steps(store.folder)
            if any(steps.undone_by(step) is not None for step in steps.of_act(request.id)):
                continue
            moment, cycle, words = store.clock(), store.state.recall_cycle, message.text
            change = Supersede(
                winner_id=winner.id,
                loser_id=loser.id,
                at=moment,
                cycle=cycle,
                rule=PERSON_RULE,
                reasons=(f'the user said: "{words}"',),
            )
            with store.acts.step(request, loser.id, by=self._by, kind=asked.action.value):
                if winner.classification is not None and winner.classification.validity is Validity.INFERRED:
                    self._apply([Confirm(memory_id=winner.id, at=moment, evidence=words)])
                if self._apply([change]):
                    ending = Strategy.MANUAL, ConflictVerdict.ACCEPTED
                    settled = resolve(conflict, *ending, winner=winner.id, at=moment, by=Resolver.OPERATOR)
                    store.conflicts.record(settled)
        return self._done

    def _find_conflict(self, decision: ConflictDecision, moment: datetime) -> Conflict | None:
        """Return the recorded conflict of two memories, or a new one; None if one of them has no status."""
        recorded = self._store.conflicts.get(decision.conflict_id)
        if recorded is not None:
            return recorded
        first, second = map(self._store.read, decision.memories)
        if not is_classified(first) or not is_classified(second):
            return None
        result = decide_memories(first, second)[2]
        actor = "the agent" if decision.by is Resolver.AGENT else "a person"
        reasons = result.reasons if result.is_contradiction else (f"{actor} named them",)
        is_possible = decision.by is Resolver.AGENT and not result.is_contradiction
        return open_conflict(first, second, at=moment, reasons=reasons, is_possible=is_possible)
