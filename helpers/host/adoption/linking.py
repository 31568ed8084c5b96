"""Make and remove the links that somebody states between memories of a store (Q-52, Q-64, T-31). Blocking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from ...inbox import LinkMemories
from ...ledger.changes import Change, Qualify, Supersede
from ...ledger.lifecycle import is_classified
from ...quality.conflict_record import ConflictVerdict, Resolver, Strategy, resolve
from ...quality.relationships import (
    CITING,
    RelationshipError,
    RelationshipType,
    derived_relationships,
    find_stated,
    parse_relationship,
    without_link,
)
from ...quality.requests import plan
from ...records import Memory, Relationship
from ..docstore.store import Store
from ..storage.undo import to_restore

_SUPERSEDES_RULE = "Q-52"


def check_link(store: Store, asked: LinkMemories, at: datetime) -> None:
    """Refuse a link that retires a memory where a decision would be: nothing goes against the user's word."""
    decision = asked.to_decision()
    if decision is not None:
        one, other = map(store.read, asked.memories)
        find_restore = partial(to_restore, store.folder, at)
        plan(decision.to_request(at), one, other, cycle=0, to_restore=find_restore)


class Linker:
    """Links the memories of one store; `apply` makes changes and says whether one took effect."""

    def __init__(self, store: Store, apply: Callable[[list[Change]], object]) -> None:
        self._store = store
        self._apply = apply

    def read_link(self, source_id: str, value: Mapping[str, Any] | Relationship) -> tuple[Relationship, Memory]:
        """Return the link that somebody states, and its target; raises RelationshipError where there is none."""
        link = parse_relationship(value, source_id=source_id, now=self._store.clock())
        target = self._store.read(link.target)
        if target is None:
            where = f"relationship of {source_id}: target"
            raise RelationshipError(f"{where} is {link.target!r}; allowed: the id of a memory in {self._store.folder}")
        return link, target

    def link(self, source: Memory, value: Mapping[str, Any] | Relationship, *, by: Resolver = Resolver.AGENT) -> None:
        """State a link; what follows from what is stored is not stored a second time."""
        link, target = self.read_link(source.id, value)
        if link.type == RelationshipType.SUPERSEDES and self._supersede(source, target, link, by):
            return
        known = derived_relationships(source, self._store.conflicts.of_memory(source.id))
        if (link.type, link.target) not in [(one.type, one.target) for one in known]:
            self._apply([Qualify(memory_id=source.id, relationship=link)])
        if link.type in CITING:
            now = self._store.clock()
            self._apply([Qualify(memory_id=link.target, stated={"cited_at": now}, cited_by=source.id)])

    def unlink(self, source: Memory, kind: RelationshipType, target_id: str) -> bool:
        """Remove a link that somebody stated, and the citation that came with it; False where nobody did."""
        if find_stated(source, kind, target_id) is None:
            return False
        kept = without_link(source, kind, target_id)
        self._apply([Qualify(memory_id=source.id, stated={"relationships": kept})])
        target = self._store.read(target_id)
        if (
            target is not None
            and target.quality is not None
            and not any(one.target == target_id and one.type in CITING for one in kept)
        ):
            cited_by = tuple(one for one in target.quality.cited_by if one != source.id)
            self._apply([Qualify(memory_id=target_id, stated={"cited_by": cited_by})])
        return True

    def _supersede(self, winner: Memory, loser: Memory, link: Relationship, by: Resolver) -> bool:
        """Retire the target for the source, as any other supersession; False where that cannot be."""
        at = self._store.clock()
        change = Supersede(
            winner_id=winner.id,
            loser_id=loser.id,
            at=at,
            cycle=self._store.state.recall_cycle,
            rule=_SUPERSEDES_RULE,
            reasons=(link.reason or "somebody stated so",),
            by_person=True,
        )
        known = self._store.conflicts.of_pair(winner.id, loser.id)
        if not is_classified(loser) or not self._apply([change]):
            return False
        if known is not None and known.resolution is None:
            answer = resolve(known, Strategy.MANUAL, ConflictVerdict.ACCEPTED, winner=winner.id, at=at, by=by)
            self._store.conflicts.record(answer)
        return True
