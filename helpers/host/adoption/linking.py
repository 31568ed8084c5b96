"""Make and remove stated links between memories of a store. Blocking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from ...clock import format_time
from ...errors import RequestError
from ...inbox import ConflictDecision, LinkMemories
from ...ledger.authority import REFUSE, Actor, Verdict
from ...ledger.changes import Change, Contest, Qualify, Supersede
from ...ledger.lifecycle import is_classified
from ...ledger.resolve import in_order
from ...ledger.settle import speak_of_one_thing
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
from ...quality.requests import Asked, permission, plan
from ...records import Memory, Relationship
from ...store.docstore import Store
from ...store.journal import to_restore

_LINK_RULE = "Q-52"
_ONE_THING = "two memories that speak of one thing"
_RECORD = "impossible: one of them is a record of the vault, which is changed there"


def judge_link(store: Store, asked: LinkMemories, moment: datetime) -> Verdict:
    """Return the verdict about a link; a link that retires a memory is judged like that decision.

    Raises RequestError for an impossible link, and for an agent's replacement of a memory about something else.
    """
    decision = asked.to_decision()
    if decision is None:
        return Verdict.ALLOWED
    first, second = map(store.read, asked.memories)
    if (
        asked.by is Resolver.AGENT
        and is_classified(first)
        and is_classified(second)
        and not speak_of_one_thing(second, first)
    ):
        place = f"the link {first.id} supersedes {second.id}"
        raise _refuse(store, decision, moment, RequestError(place, "between what differs", _ONE_THING))
    return judge_decision(store, decision, moment)[0]


def judge_decision(
    store: Store, asked: ConflictDecision, moment: datetime
) -> tuple[Verdict, ConflictDecision, list[Asked]]:
    """Return the verdict about a decision on two memories, the decision with its choice made, and its changes.

    Raises RequestError if it is impossible or not permitted.
    """
    sides = [memory if is_classified(memory) else None for memory in map(store.read, asked.memories)]
    find_restore = partial(to_restore, store.folder, moment)
    request, changes = plan(asked, *sides, at=moment, cycle=store.state.recall_cycle, to_restore=find_restore)
    conflict = store.conflicts.get(request.conflict_id)
    is_possible = conflict is not None and conflict.is_possible
    verdict = permission(request, filter(None, sides), is_possible=is_possible, records=store.mirrored)
    if verdict is Verdict.REFUSED:
        place = f"the {request.action} of {' and '.join(request.memories)}"
        raise _refuse(store, request, moment, RequestError(place, _RECORD, "two memories of the folder"))
    return verdict, request, changes


def _refuse(store: Store, request: ConflictDecision, moment: datetime, error: RequestError) -> RequestError:
    """Return `error`, after the refused attempt of an agent is on record."""
    if request.by is Resolver.AGENT:
        loser, winner = sorted(request.memories, key=lambda memory: memory == request.keep)
        line = {"action": REFUSE, "at": format_time(moment), "memory": loser, "other": winner, "rule": "C-44"}
        store.record([{**line, "reasons": [str(error)], "by": Actor.AGENT.value}])
    return error


class Linker:
    """Links the memories of one store; `apply` carries out changes, and is true if one took effect."""

    def __init__(self, store: Store, apply: Callable[[list[Change]], object]) -> None:
        self._store = store
        self._apply = apply

    def read_link(self, source_id: str, value: Mapping[str, Any] | Relationship) -> tuple[Relationship, Memory]:
        """Return a stated link and its target; raises RelationshipError for an invalid link or target."""
        link = parse_relationship(value, source_id=source_id, now=self._store.clock())
        target = self._store.read(link.target)
        if target is None:
            place = f"relationship of {source_id}: target"
            raise RelationshipError(f"{place} is {link.target!r}; allowed: the id of a memory in {self._store.folder}")
        return link, target

    def link(
        self, source: Memory, value: Mapping[str, Any] | Relationship, *, by: Resolver = Resolver.OPERATOR
    ) -> None:
        """Store a link, unless it follows from other metadata."""
        link, target = self.read_link(source.id, value)
        if link.type == RelationshipType.SUPERSEDES and self._supersede(source, target, link, by):
            return
        known = derived_relationships(source, self._store.conflicts.of_memory(source.id))
        if (link.type, link.target) not in [(relationship.type, relationship.target) for relationship in known]:
            self._apply([Qualify(memory_id=source.id, relationship=link)])
            if link.type == RelationshipType.CONTRADICTS and not (source.is_deprecated or target.is_deprecated):
                # Both memories stay in use, marked, until somebody decides.
                older, newer = in_order(target, source)
                reason = link.reason or "somebody stated that the two contradict each other"
                now, reasons = self._store.clock(), (reason,)
                self._apply([Contest(older_id=older.id, newer_id=newer.id, at=now, rule=_LINK_RULE, reasons=reasons)])
        if link.type in CITING:
            now = self._store.clock()
            self._apply([Qualify(memory_id=link.target, stated={"cited_at": now}, cited_by=source.id)])

    def unlink(self, source: Memory, kind: RelationshipType, target_id: str) -> bool:
        """Remove a stated link and its citation; return False if there is no such link.

        The conflict of a contradiction stays until somebody decides it.
        """
        if find_stated(source, kind, target_id) is None:
            return False
        relationships = without_link(source, kind, target_id)
        self._apply([Qualify(memory_id=source.id, stated={"relationships": relationships})])
        target = self._store.read(target_id)
        still_cites = any(link.target == target_id and link.type in CITING for link in relationships)
        if target is not None and target.quality is not None and not still_cites:
            cited_by = tuple(memory_id for memory_id in target.quality.cited_by if memory_id != source.id)
            self._apply([Qualify(memory_id=target_id, stated={"cited_by": cited_by})])
        return True

    def _supersede(self, winner: Memory, loser: Memory, link: Relationship, by: Resolver) -> bool:
        """Retire the target for the source, like any other supersession; return False if that is impossible."""
        moment = self._store.clock()
        change = Supersede(
            winner_id=winner.id,
            loser_id=loser.id,
            at=moment,
            cycle=self._store.state.recall_cycle,
            rule=_LINK_RULE,
            reasons=(link.reason or "somebody stated so",),
        )
        known = self._store.conflicts.of_pair(winner.id, loser.id)
        if not is_classified(loser) or not self._apply([change]):
            return False
        if known is not None and known.resolution is None:
            answer = resolve(known, Strategy.MANUAL, ConflictVerdict.ACCEPTED, winner=winner.id, at=moment, by=by)
            self._store.conflicts.record(answer)
        return True
