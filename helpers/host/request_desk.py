"""Carry out what a person asked for at a terminal about conflicts, in the running host (T-70, `design.md`, Storage).

What was done stands in `conflicts.jsonl`, written after the host has saved: a crash in between repeats a request, and
repeating one changes nothing.
"""

from __future__ import annotations

from ..errors import Problem
from ..ledger.changes import Change
from ..ledger.lifecycle import is_classified
from ..quality.conflicts import open_conflict
from ..quality.requests import Request, RequestError, changes_for
from . import files
from .requests import read_requests, to_restore
from .store import Store


class RequestDesk:
    """Carries out what is asked for in one memory folder; the whole desk costs one stat call while nothing is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.folder / files.REQUESTS_FILE
        self._stamp: files.FileStamp | None = None
        self._refused: list[Problem] = []

    def has_requests(self) -> bool:
        """Whether something was asked for since the last look."""
        return files.file_stamp(self._path) not in (None, self._stamp)

    def carry_out(self) -> list[Change]:
        """Do what was asked for and not done yet, save, and put it on record; return the changes."""
        stamp = files.file_stamp(self._path)
        if stamp in (None, self._stamp):
            return []
        done: list[Change] = []
        answered: list[Request] = []
        for request in read_requests(self._store.folder).values():
            if request.is_answered_by(self._store.conflicts.get(request.conflict_id)):
                continue
            try:
                done.extend(self._do(request))
            except RequestError as exc:
                self._refused.append(exc.problem)
            else:
                answered.append(request)
        if answered:
            self._store.save()
        if answered and self._store.is_dirty:
            return done
        self._stamp = stamp
        for request in answered:
            self._record(request)
        return done

    def take_refused(self) -> list[Problem]:
        """Return what could not be carried out since the last call."""
        refused, self._refused = self._refused, []
        return refused

    def _do(self, request: Request) -> list[Change]:
        store = self._store
        one, other = (one if is_classified(one) else None for one in map(store.read, request.memories))
        changes = changes_for(
            request,
            one,
            other,
            cycle=store.state.recall_cycle,
            to_restore=lambda loser, winner_id: to_restore(store.folder, request, loser, winner_id),
        )
        return [change for change in changes if store.apply([change])]

    def _record(self, request: Request) -> None:
        """Answer a request in the conflict file; a conflict that has been lost from there is opened anew."""
        store = self._store
        conflict = store.conflicts.get(request.conflict_id)
        if conflict is None:
            one, other = map(store.read, request.memories)
            if not is_classified(one) or not is_classified(other):
                return
            conflict = open_conflict(one, other, at=request.at, reasons=("a person named them",))
        store.conflicts.record(request.answer(conflict))
