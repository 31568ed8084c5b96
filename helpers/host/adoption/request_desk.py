"""Carry out what a person asked for at a terminal about conflicts, in the running host (T-70, `design.md`, Storage).

What was done stands in `conflicts.jsonl`, written after the host has saved: a crash in between repeats a request, and
repeating one changes nothing.
"""

from __future__ import annotations

from datetime import datetime

from ...clock import EPOCH
from ...ledger.changes import Change, Restore
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import decide_memories
from ...quality.conflicts import Conflict, conflict_id, open_conflict
from ...quality.requests import Request, RequestError, changes_for, with_choice
from ...records import Memory
from ..docstore.store import Store
from ..storage import files
from ..storage.compaction import Compaction
from ..storage.requests import read_requests, rows_to_keep, to_restore
from .quality_desk import QualityDesk


class RequestDesk:
    """Carries out what is asked for in one memory folder; the whole desk costs one stat call while nothing is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.folder / files.REQUESTS_FILE
        self._stamp: files.FileStamp | None = None
        self._asked: tuple[files.FileStamp | None, dict[str, Request]] = (None, {})
        self._compaction = Compaction(self._path, rows_to_keep)
        self._quality = QualityDesk(store)

    def has_requests(self) -> bool:
        """Whether something was asked for since the last look."""
        return files.file_stamp(self._path) not in (None, self._stamp) or self._quality.has_requests()

    def is_asked(self, one_id: str, other_id: str, *, after: datetime = EPOCH) -> bool:
        """Whether the file holds what a person wants of two memories, `after` then, done or not: no rule overturns it.

        So a decision holds before it is carried out, and when `conflicts.jsonl` has been lost.
        """
        request = self._read().get(conflict_id(one_id, other_id))
        return request is not None and request.at > after

    def _read(self) -> dict[str, Request]:
        stamp = files.file_stamp(self._path)
        if stamp != self._asked[0]:
            self._asked = (stamp, read_requests(self._store.folder))
        return self._asked[1]

    def carry_out(self) -> list[Change]:
        """Do what was asked for and not done yet, save, and put it on record; return the changes."""
        return [*self._answer(), *self._quality.carry_out()]

    def _answer(self) -> list[Change]:
        stamp = files.file_stamp(self._path)
        if stamp in (None, self._stamp):
            return []
        done: list[Change] = []
        answered: list[Conflict] = []
        for request in self._read().values():
            if request.is_answered_by(self._store.conflicts.get(request.conflict_id)):
                continue
            conflict = self._find_conflict(request)
            try:
                chosen, changes = self._do(request)
            except RequestError as exc:
                self._store.refuse(exc.problem, is_news=True)
                continue
            done.extend(changes)
            if conflict is not None:
                answered.append(chosen.answer(conflict))
        if answered:
            self._store.save()
        if answered and self._store.is_dirty:
            return done
        self._stamp = stamp
        self._store.conflicts.record(*answered)
        self._compaction.run_if_due()
        return done

    def _do(self, request: Request) -> tuple[Request, list[Change]]:
        """Return the request, its choice made, and the changes that took effect."""
        store, slots = self._store, self._store.conflicts.slots
        one, other = (one if is_classified(one) else None for one in map(store.read, request.memories))

        def find_restore(loser: Memory, winner_id: str) -> Restore:
            return to_restore(store.folder, request, loser, winner_id)

        chosen = with_choice(request, one, other, to_restore=find_restore)
        changes = changes_for(chosen, one, other, slots, cycle=store.state.recall_cycle, to_restore=find_restore)
        return chosen, [change for change in changes if store.apply([change])]

    def _find_conflict(self, request: Request) -> Conflict | None:
        """Return what is on record about two memories; else the conflict that is between them, now found or named."""
        found = self._store.conflicts.get(request.conflict_id)
        if found is not None:
            return found
        one, other = map(self._store.read, request.memories)
        if not is_classified(one) or not is_classified(other):
            return None
        slots = self._store.conflicts.slots
        decision = decide_memories(one, other, slots)[2]
        reasons = decision.reasons if decision.is_contradiction else ("a person named them",)
        return open_conflict(one, other, slots, at=request.at, reasons=reasons)
