"""Carry out what a person asked for about memories, at a terminal or on a page, in the running host (T-70, Q-27, Q-28).

What was decided stands in `conflicts.jsonl` and is answered once the host has saved: a crash in between repeats a
request, and repeating one changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from ...clock import EPOCH, format_time
from ...errors import RequestError, StoreError
from ...inbox import (
    Adopt,
    ArchiveStale,
    Arguments,
    ConflictDecision,
    CorrectSource,
    InboxRequest,
    LinkMemories,
    ProtectMemories,
    Refresh,
    Retire,
    SwitchRule,
    TakeBack,
    UnlinkMemories,
)
from ...ledger.authority import Actor, Verdict
from ...ledger.changes import Change, Confirm, Protect, Reattribute, Revert, Supersede, Withdraw
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import decide_memories
from ...ledger.transfer import Archived
from ...ledger.undoing import find_undoable, to_revert
from ...quality.conflict_record import (
    Conflict,
    ConflictProposal,
    ConflictRequest,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    conflict_id,
    resolve,
)
from ...quality.conflicts import open_conflict
from ...quality.relationships import RelationshipType
from ...quality.requests import PERSON_RULE, Bring, describe
from ...quality.upkeep import archive_change, refresh_changes
from ...records import Memory, Relationship, Validity
from ...texts import counted
from ..docstore.store import Store
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..storage.inbox import Handler
from ..storage.proposals import accept_proposals
from ..turns.turn_ring import TurnRing
from .confirming import find_settled
from .linking import Linker, judge_decision, judge_link

_DECIDED = "against what was decided", "two memories about which nobody else has decided"
#: What is done once everything that is new has its status.
KINDS = (
    *(ConflictDecision, Refresh, ArchiveStale, Adopt, Retire, ProtectMemories, CorrectSource, TakeBack),
    *(LinkMemories, UnlinkMemories, SwitchRule),
)


class RequestHandler:
    """Carries out what is asked for about the memories of one folder."""

    def __init__(self, store: Store, bring: Callable[[Archived], None]) -> None:
        self._store = store
        self._bring = bring
        self._by = Actor.PERSON
        self._done: list[Change] = []
        self._answered: list[Conflict] = []
        self._linker = Linker(store, self._apply)
        handlers: dict[type[Arguments], Handler] = {
            ConflictDecision: self._decide,
            Refresh: self._refresh,
            ArchiveStale: self._archive,
            Adopt: self._adopt,
            Retire: self._retire,
            ProtectMemories: self._protect,
            CorrectSource: self._correct_source,
            TakeBack: self._take_back,
            LinkMemories: self._link,
            UnlinkMemories: self._unlink,
            SwitchRule: self._switch_rule,
        }
        store.requests.handlers |= {kind: self._as_asker(handle) for kind, handle in handlers.items()}

    def _as_asker(self, handle: Handler) -> Handler:
        """Return a handler whose changes are those of who asks, and no more than that one may."""

        def carry_out(asked: Any, request: InboxRequest) -> Any:
            is_agent = Resolver.AGENT in (request.by, getattr(asked, "by", None))
            self._by = Actor.AGENT if is_agent else Actor.PERSON
            return handle(asked, request)

        return carry_out

    def is_asked(self, one_id: str, other_id: str, *, after: datetime = EPOCH) -> bool:
        """Whether the inbox holds what a person wants of two memories, `after` then: no rule overturns that.

        So a decision holds before it is carried out, and when `conflicts.jsonl` has been lost.
        """
        at = self._store.requests.asked_at(conflict_id(one_id, other_id))
        return at is not None and at > after

    def carry_out(self) -> list[Change]:
        """Do what was asked for and not done yet, save, and put it on record; return the changes."""
        self._done = []
        self._store.requests.run(*KINDS, save=self._save)
        return self._done

    def _save(self) -> bool:
        """Whether what was done is on disk, and put it on record then."""
        with suppress(OSError):  # told at the end of the turn, which tries again; until then a turn loses nothing
            self._store.save()
        if self._store.is_dirty:
            return False
        self._store.conflicts.record(*self._answered)
        self._answered = []
        return True

    def _adopt(self, asked: Adopt, request: InboxRequest) -> list[str]:
        """Mark what was accepted in the report, which the first look then carries out."""
        try:
            count = accept_proposals(self._store.folder, asked.memories, at=request.at, excluded=asked.excluded)
        except StoreError as exc:
            raise RequestError("`adopt --accept`", f"impossible: {exc}", "a report of proposals") from exc
        return [f"{counted(count, 'memory', 'memories')} accepted as retired"]

    # --- one memory --------------------------------------------------------------------------------------------

    def _retire(self, asked: Retire, request: InboxRequest) -> list[str]:
        cycle = self._store.state.recall_cycle
        found = [Withdraw(memory_id=one.id, at=request.at, cycle=cycle) for one in self._known(asked.memories)]
        return [f"{counted(len(self._apply(found)), 'memory', 'memories')} retired"]

    def _protect(self, asked: ProtectMemories, request: InboxRequest) -> list[str]:
        done = self._apply(Protect(memory_id=one.id, at=request.at) for one in self._known(asked.memories))
        return [f"{counted(len(done), 'memory', 'memories')} protected"]

    def _switch_rule(self, asked: SwitchRule, request: InboxRequest) -> list[str]:
        """Say so: what every prompt goes by is the request itself."""
        self._note("rule-on" if asked.is_on else "rule-off", request.at, asked.memories)
        return [f"{asked.memories[0]} {'put into' if asked.is_on else 'left out of'} the standing rules"]

    def _correct_source(self, asked: CorrectSource, request: InboxRequest) -> list[str]:
        found = self._known(asked.memories)
        done = self._apply(Reattribute(memory_id=one.id, at=request.at, source=asked.source) for one in found)
        return [f"the source of {counted(len(done), 'memory', 'memories')} corrected"]

    def _take_back(self, asked: TakeBack, request: InboxRequest) -> list[str]:
        """Take back the latest step about each memory, once: what stands in the journal of this request is done."""
        rows, changes = read_lines_if_any(self._store.folder / JOURNAL_FILE), []
        for one in self._known(asked.memories):
            own = [row for row in rows if row.get("memory") == one.id]
            if any((row.get("action"), row.get("at")) == (Revert.action, format_time(request.at)) for row in own):
                continue
            step = find_undoable(own, one)
            change = None if step is None else to_revert(step, one.id, at=request.at)
            if change is not None:
                changes.append(change)
        return [f"{counted(len(self._apply(changes)), 'change', 'changes')} taken back"]

    # --- the quality of memories -------------------------------------------------------------------------------

    def _refresh(self, asked: Refresh, request: InboxRequest) -> list[str]:
        memories = self._known(asked.memories)
        is_verified, confidence = asked.verified, asked.confidence
        for one in memories:
            self._apply(refresh_changes(one, at=request.at, is_verified=is_verified, confidence=confidence))
        return [f"{counted(len(memories), 'memory', 'memories')} refreshed"]

    def _archive(self, asked: ArchiveStale, request: InboxRequest) -> list[str]:
        cycle = self._store.state.recall_cycle
        done = self._apply(archive_change(one.id, at=request.at, cycle=cycle) for one in self._known(asked.memories))
        return [f"{counted(len(done), 'memory', 'memories')} archived"]

    def _link(self, asked: LinkMemories, request: InboxRequest) -> list[str]:
        source, target = self._pair(asked)
        decision = asked.to_decision()
        if judge_link(self._store, asked, request.at) is not Verdict.ALLOWED and decision is not None:
            return self._propose(decision.to_request(request.at), asked.reason or "")
        link = Relationship(
            type=asked.type.value,
            target=target.id,
            created=request.at,
            reason=asked.reason,
            bidirectional=asked.bidirectional,
        )
        self._linker.link(source, link, by=asked.by)
        if asked.type is not RelationshipType.SUPERSEDES:
            self._note("relate", request.at, asked.memories, asked.reason or asked.type.value)
        return [f"link made: {source.id} {asked.type.value} {target.id}"]

    def _unlink(self, asked: UnlinkMemories, request: InboxRequest) -> list[str]:
        source, target = self._pair(asked)
        is_done = self._linker.unlink(source, asked.type, target.id)
        if is_done:
            self._note("unrelate", request.at, asked.memories, asked.type.value)
        return [f"{'link removed' if is_done else 'nobody had linked'}: {source.id} {asked.type.value} {target.id}"]

    def _pair(self, asked: LinkMemories | UnlinkMemories) -> tuple[Memory, Memory]:
        """Return two memories in their order; raises RequestError where one is gone."""
        known = {one.id: one for one in self._known(asked.memories)}
        for one in asked.memories:
            if one not in known:
                raise RequestError(f"memory {one}", "not there, or not classified", "two memories that are")
        source, target = (known[one] for one in asked.memories)
        return source, target

    def _known(self, memory_ids: Iterable[str]) -> list[Memory]:
        return [one for one in map(self._store.read, memory_ids) if is_classified(one)]

    def _apply(self, changes: Iterable[Change]) -> list[Change]:
        """Apply changes and return those that took effect."""
        done = [change for change in changes if self._store.apply([change], by=self._by)]
        self._done += done
        return done

    def _note(self, action: str, at: datetime, memories: Sequence[str], *reasons: str) -> None:
        """Put an act on record that moves no axis."""
        names = dict(zip(("memory", "other"), memories, strict=False))
        row = {"action": action, "at": format_time(at), **names, "rule": PERSON_RULE, "reasons": [*reasons]}
        self._store.record([{**row, "by": self._by.value}])

    # --- conflicts ---------------------------------------------------------------------------------------------

    def _decide(self, asked: ConflictDecision, request: InboxRequest) -> list[str]:
        decision = asked.to_request(request.at)
        if decision.is_answered_by(self._store.conflicts.get(decision.conflict_id)):
            return ["it was done before"]
        conflict = self._find_conflict(decision)
        verdict, chosen, changes = judge_decision(self._store, decision)
        if verdict is Verdict.ASKED:
            return self._propose(decision)
        for change in changes:
            if isinstance(change, Bring):
                self._bring(change.archived)
            else:
                self._apply([change])
        if conflict is not None:
            self._answered.append(chosen.answer(conflict))
        if decision.action is RequestKind.DISMISS:
            self._note("dismiss", request.at, asked.memories, *decision.reasons)
        return [describe(changes)]

    def _propose(self, decision: ConflictRequest, reason: str = "") -> list[str]:
        """Leave to the user what the agent may not decide: the conflict stays open and says what is proposed (C-44)."""
        conflict = self._find_conflict(decision)
        if conflict is None or (conflict.resolution is not None and conflict.resolution.resolved_by is not decision.by):
            raise RequestError(f"what is proposed about {' and '.join(decision.memories)}", *_DECIDED)
        proposal = ConflictProposal(keep=decision.keep, by=decision.by, at=decision.at, reason=reason)
        known = conflict.proposal
        if known is None or conflict.resolution is not None or (known.keep, known.reason) != (proposal.keep, reason):
            self._store.conflicts.record(conflict.model_copy(update={"proposal": proposal, "resolution": None}))
            losers = sorted(conflict.memories, key=lambda one: one == decision.keep)
            self._note("propose" if decision.keep else "propose-both", decision.at, losers, *filter(None, [reason]))
        return ["proposed to the user"]

    def settle_in_words(self, turns: TurnRing) -> list[Change]:
        """Carry out what was proposed and the user's newest message says; return the changes (C-16, C-44)."""
        self._by, self._done = Actor.MESSAGE, []
        for conflict, winner, loser, words in find_settled(self._store, turns):
            at, cycle = self._store.clock(), self._store.state.recall_cycle
            if winner.classification is not None and winner.classification.validity is Validity.INFERRED:
                self._apply([Confirm(memory_id=winner.id, at=at, evidence=words)])
            reasons = (f'the user said: "{words}"',)
            change = Supersede(
                winner_id=winner.id, loser_id=loser.id, at=at, cycle=cycle, rule=PERSON_RULE, reasons=reasons
            )
            if self._apply([change]):
                ending = Strategy.MANUAL, ConflictVerdict.ACCEPTED
                answer = resolve(conflict, *ending, winner=winner.id, at=at, by=Resolver.OPERATOR)
                self._store.conflicts.record(answer)
        return self._done

    def _find_conflict(self, decision: ConflictRequest) -> Conflict | None:
        """Return what is on record about two memories; else the conflict that is between them, now found or named."""
        found = self._store.conflicts.get(decision.conflict_id)
        if found is not None:
            return found
        one, other = map(self._store.read, decision.memories)
        if not is_classified(one) or not is_classified(other):
            return None
        result = decide_memories(one, other)[2]
        who = "the agent" if decision.by is Resolver.AGENT else "a person"
        reasons = result.reasons if result.is_contradiction else (f"{who} named them",)
        is_possible = decision.by is Resolver.AGENT and not result.is_contradiction
        return open_conflict(one, other, at=decision.at, reasons=reasons, is_possible=is_possible)
