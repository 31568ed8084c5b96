"""Carry out what a person asked for about memories, at a terminal or on a page, in the running host (T-70, Q-27, Q-28).

What was decided stands in `conflicts.jsonl` and is answered once the host has saved: a crash in between repeats a
request, and repeating one changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial

from ...clock import EPOCH, format_time
from ...errors import RequestError, StoreError
from ...inbox import (
    Adopt,
    ArchiveStale,
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
from ...ledger.changes import Change, Protect, Reattribute, Revert, Withdraw
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import decide_memories
from ...ledger.transfer import Archived
from ...ledger.undoing import find_undoable, to_revert
from ...quality.conflict_record import Conflict, ConflictRequest, RequestKind, conflict_id
from ...quality.conflicts import open_conflict
from ...quality.requests import Bring, describe, plan
from ...quality.upkeep import archive_change, refresh_changes
from ...records import Memory, Relationship
from ...texts import counted
from ..docstore.store import Store
from ..storage.files import JOURNAL_FILE, read_lines_if_any
from ..storage.proposals import accept_proposals
from ..storage.undo import to_restore
from .linking import Linker, check_link

_RECORD = "impossible: one of them is a record of the vault, which is changed there"
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
        self._done: list[Change] = []
        self._answered: list[Conflict] = []
        self._linker = Linker(store, self._apply)
        store.requests.handlers |= {
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
        check_link(self._store, asked, request.at)
        link = Relationship(
            type=asked.type.value,
            target=target.id,
            created=request.at,
            reason=asked.reason,
            bidirectional=asked.bidirectional,
        )
        self._linker.link(source, link, by=asked.by)
        return [f"link made: {source.id} {asked.type.value} {target.id}"]

    def _unlink(self, asked: UnlinkMemories, request: InboxRequest) -> list[str]:
        source, target = self._pair(asked)
        is_done = self._linker.unlink(source, asked.type, target.id)
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
        done = [change for change in changes if self._store.apply([change])]
        self._done += done
        return done

    # --- conflicts ---------------------------------------------------------------------------------------------

    def _decide(self, asked: ConflictDecision, request: InboxRequest) -> list[str]:
        store, decision = self._store, asked.to_request(request.at)
        if decision.is_answered_by(store.conflicts.get(asked.about)):
            return ["it was done before"]
        conflict = self._find_conflict(decision)
        one, other = (one if is_classified(one) else None for one in map(store.read, asked.memories))
        find_restore = partial(to_restore, store.folder, request.at)
        chosen, changes = plan(decision, one, other, cycle=store.state.recall_cycle, to_restore=find_restore)
        if decision.action is RequestKind.MERGE and any(one in store.mirrored for one in asked.memories):
            raise RequestError(f"the merge of {' and '.join(asked.memories)}", _RECORD, "two memories of the folder")
        for change in changes:
            if isinstance(change, Bring):
                self._bring(change.archived)
            else:
                self._apply([change])
        if conflict is not None:
            self._answered.append(chosen.answer(conflict))
        return [describe(changes)]

    def _find_conflict(self, decision: ConflictRequest) -> Conflict | None:
        """Return what is on record about two memories; else the conflict that is between them, now found or named."""
        found = self._store.conflicts.get(decision.conflict_id)
        if found is not None:
            return found
        one, other = map(self._store.read, decision.memories)
        if not is_classified(one) or not is_classified(other):
            return None
        result = decide_memories(one, other)[2]
        reasons = result.reasons if result.is_contradiction else ("a person named them",)
        return open_conflict(one, other, at=decision.at, reasons=reasons)
