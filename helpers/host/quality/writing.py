"""What the quality store changes, through the store that everything else goes through (Q-44 ... Q-57).

Blocking; call it off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from ...errors import RequestError
from ...ledger.authority import Actor
from ...ledger.changes import Forget, Qualify
from ...ledger.lifecycle import is_classified
from ...ledger.transfer import Archived
from ...quality.conflict_record import (
    RANKING,
    Conflict,
    ConflictRequest,
    ConflictVerdict,
    RequestKind,
    Resolver,
    Strategy,
    resolve,
)
from ...quality.conflicts import detect_conflicts
from ...quality.kinds import text_type
from ...quality.objects import QualityError
from ...quality.requests import Bring, plan
from ...quality.scores import SourceClass, origin_of
from ...quality.upkeep import archive_change, may_archive, refresh_changes
from ...records import Memory, Relationship
from ...vault.taxonomy import SHARED_SCOPE
from ..adoption.linking import Linker
from ..docstore.store import Store
from ..storage.undo import to_restore
from .reading import QualityReader


class Writer:
    """Changes the memories of one store."""

    def __init__(
        self, reader: QualityReader, candidates: Callable[[Memory], list[Memory]], bring: Callable[[Archived], None]
    ) -> None:
        self._reader = reader
        self._candidates = candidates
        self._bring = bring
        self._store: Store = reader.store
        #: Whoever calls the interface acts for the person who runs it.
        self._apply = partial(reader.store.apply, by=Actor.PERSON)
        self.linker = Linker(reader.store, self._apply)

    # --- what is stated ----------------------------------------------------------------------------------------

    def state(self, memory_id: str, stated: Mapping[str, Any], source: SourceClass | None = None) -> None:
        """Put on record what was stated of a memory, as far as its text and its status do not say so (Q-57)."""
        memory = self._reader.read(memory_id)
        kept = dict(stated)
        if kept.get("type") == text_type(memory.text, is_solution=memory.is_solution).value:
            del kept["type"]
        if source is not None and source is not SourceClass.TOLD and origin_of(memory) is not source:
            kept["source"] = source.value
        if kept:
            self._store.apply([Qualify(memory_id=memory_id, stated=kept)])

    def set_errors(self, memory_id: str, errors: list[str]) -> None:
        """Put on record what the rules found, where that is not on record already (Q-34)."""
        memory = self._store.read(memory_id)
        if not is_classified(memory):
            return
        known = memory.quality.validation_errors if memory.quality is not None else ()
        if known != tuple(errors):
            self._store.apply([Qualify(memory_id=memory_id, stated={"validation_errors": tuple(errors)})])

    def refresh(self, memory_id: str, *, is_verified: bool, confidence: float | None) -> None:
        """Reset the staleness; what was verified is confirmed as well, and its errors are settled (Q-27, Q-65)."""
        memory = self._reader.read(memory_id)
        self._apply(refresh_changes(memory, at=self._store.clock(), is_verified=is_verified, confidence=confidence))

    def archive(self, memory_ids: list[str]) -> int:
        """Archive memories as stale and return how many were not archived yet (Q-28)."""
        at, cycle = self._store.clock(), self._store.state.recall_cycle
        return self._apply(archive_change(one, at=at, cycle=cycle) for one in memory_ids)

    def find_archivable(self, *, threshold: float, older_than: timedelta, is_forced: bool) -> list[str]:
        """Return what is so stale and so old, and not archived yet (Q-28, T-27)."""
        read, now = self._store.read, self._store.clock()
        found = self._reader.stale(threshold)
        return [one for one in found if may_archive(read(one), older_than=older_than, now=now, is_forced=is_forced)]

    def forget(self, memory_id: str, reason: str | None) -> bool:
        """Take a memory out of every recall; False where it is forgotten already (Q-55)."""
        self._reader.read(memory_id)
        return bool(self._apply([Forget(memory_id=memory_id, at=self._store.clock(), reason=reason)]))

    # --- links -------------------------------------------------------------------------------------------------

    def link(self, source_id: str, value: Mapping[str, Any] | Relationship) -> None:
        """State a link; what follows from what is stored is not stored a second time (Q-52, Q-64, T-31)."""
        self.linker.link(self._reader.read(source_id), value)

    # --- conflicts ---------------------------------------------------------------------------------------------

    def detect(self, memory: Memory | None = None) -> list[Conflict]:
        """Return what contradicts what among the memories in use, as on record where it is (Q-43); changes nothing."""
        compared = self._all_compared() if memory is None else self._candidates(memory)
        found = detect_conflicts(compared, at=self._store.clock(), memory=memory)
        return [self._store.conflicts.get(one.id) or one for one in found]

    def _all_compared(self) -> Iterator[Memory]:
        scopes = self._store.mirrored  # one agent's record of the vault is nobody else's conflict (V-62)
        seen = (one for one in self._reader.ids() if scopes.get(one, SHARED_SCOPE) == SHARED_SCOPE)
        return (memory for one in seen if (memory := self._store.read(one)) is not None)

    def resolve(self, one_id: str, strategy: Strategy, by: Resolver = Resolver.AGENT) -> Conflict:
        """Resolve a conflict by a strategy; one that names no winner leaves it open for a person (Q-25, Q-44)."""
        conflict = self._store.conflicts.get(one_id) or next((one for one in self.detect() if one.id == one_id), None)
        if conflict is None:
            raise QualityError(f"no conflict {one_id} in {self._store.folder}; allowed: one that getConflicts lists")
        if strategy is Strategy.MANUAL or conflict.is_decided_by_person:
            return self._record_open(conflict)
        at = self._store.clock()
        action = RequestKind.MERGE if strategy is Strategy.MERGE else RequestKind.DECIDE
        ranking = strategy if strategy in RANKING else None
        asked = ConflictRequest(at=at, action=action, memories=conflict.memories, strategy=ranking)
        one, other = (each if is_classified(each) else None for each in map(self._store.read, conflict.memories))
        find_restore = partial(to_restore, self._store.folder, at)
        try:
            chosen, changes = plan(asked, one, other, cycle=self._store.state.recall_cycle, to_restore=find_restore)
            for change in changes:
                if isinstance(change, Bring):
                    self._bring(change.archived)
        except RequestError:
            return self._record_open(conflict)
        self._apply(change for change in changes if not isinstance(change, Bring))
        verdict = ConflictVerdict.MERGED if action is RequestKind.MERGE else ConflictVerdict.ACCEPTED
        answer = resolve(conflict, strategy, verdict, winner=chosen.keep, at=at, by=by)
        self._store.conflicts.record(answer)
        return answer

    def _record_open(self, conflict: Conflict) -> Conflict:
        """Flag a conflict for a person: it is on record, and no memory changes (Q-25)."""
        if self._store.conflicts.get(conflict.id) is None:
            self._store.conflicts.record(conflict)
        return conflict
