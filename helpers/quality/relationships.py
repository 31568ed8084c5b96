"""Links between memories: those that somebody stated, and those that follow from what is stored.

Pure. What follows is shown and not stored a second time: `supersedes` from the lineage, `related-to` from the links of
maintenance, `contradicts` from the conflicts that are open. Both sides know of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from ..clock import format_time, parse_time
from ..errors import MemoryLedgerError, shorten
from ..records import Memory, Relationship
from .conflict_record import Conflict

#: So far a traversal goes unless somebody asks for more.
DEFAULT_DEPTH = 3


class RelationshipType(StrEnum):
    """How one memory is linked to another."""

    SUPERSEDES = "supersedes"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived-from"
    RELATED_TO = "related-to"
    CAUSES = "causes"
    PART_OF = "part-of"


#: What is stated of these is a citation of the target, and an access of it.
CITING = frozenset((RelationshipType.DERIVED_FROM, RelationshipType.SUPPORTS))
#: Who is recalled for a memory of these links brings the other one along.
_NEIGHBOURLY = frozenset((RelationshipType.RELATED_TO, RelationshipType.PART_OF))


class RelationshipError(MemoryLedgerError):
    """What was given as a link between memories is none."""


def parse_relationship(value: Mapping[str, Any] | Relationship, *, source_id: str, now: datetime) -> Relationship:
    """Return the link that somebody states from `source_id`; raises RelationshipError."""
    if isinstance(value, Relationship):
        value = show_relationship(value)
    if not isinstance(value, Mapping):
        raise RelationshipError(f"relationship of {source_id} is {shorten(value)}; allowed: an object")
    kinds = [one.value for one in RelationshipType]
    unknown = sorted(map(str, value.keys() - {"type", "target", "created", "reason", "bidirectional"}))
    kind, target, reason = value.get("type"), value.get("target"), value.get("reason")
    is_bidirectional, created = value.get("bidirectional", False), value.get("created")
    at = now if created is None else parse_time(created)
    for where, found, allowed, is_good in (
        ("type", kind, ", ".join(kinds), kind in kinds),
        ("target", target, "the id of another memory", isinstance(target, str) and target not in ("", source_id)),
        ("reason", reason, "a text", reason is None or isinstance(reason, str)),
        ("bidirectional", is_bidirectional, "true or false", isinstance(is_bidirectional, bool)),
        ("created", created, "an ISO 8601 time", at is not None),
        ("keys", unknown, "type, target, created, reason, bidirectional", not unknown),
    ):
        if not is_good:
            raise RelationshipError(f"relationship of {source_id}: {where} is {shorten(found)}; allowed: {allowed}")
    return Relationship(
        type=str(kind), target=str(target), created=at, reason=reason, bidirectional=bool(is_bidirectional)
    )


def show_relationship(one: Relationship) -> dict[str, Any]:
    """Return a link under the specification's keys, all of them."""
    return {
        "type": one.type,
        "target": one.target,
        "created": None if one.created is None else format_time(one.created),
        "reason": one.reason,
        "bidirectional": one.bidirectional,
    }


def find_stated(memory: Memory, kind: str, target: str) -> Relationship | None:
    """Return a link that somebody stated; None where nobody did."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    return next((one for one in stated if (one.type, one.target) == (kind, target)), None)


def neighbours_of(memory: Memory) -> list[str]:
    """Return what a memory is part of or related to: first as somebody stated, then as maintenance has found."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    found = memory.lineage.related_memory_ids if memory.lineage is not None else ()
    return [*dict.fromkeys((*(one.target for one in stated if one.type in _NEIGHBOURLY), *found))]


def without_link(memory: Memory, kind: str, target: str) -> tuple[Relationship, ...]:
    """Return the links that were stated of a memory, but one."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    return tuple(relationship for relationship in stated if (relationship.type, relationship.target) != (kind, target))


def derived_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return the links that follow from what is stored about a memory and its `conflicts`."""
    lineage = memory.lineage
    found: list[Relationship] = []
    if lineage is not None:
        losers = dict.fromkeys((*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])))
        found += [_derived(RelationshipType.SUPERSEDES, loser) for loser in losers]
        found += [_derived(RelationshipType.RELATED_TO, memory_id) for memory_id in lineage.related_memory_ids]
    found += [
        _derived(RelationshipType.CONTRADICTS, conflict.other(memory.id), conflict.detected, conflict.description)
        for conflict in conflicts
        if conflict.is_open
    ]
    return found


def _derived(
    kind: RelationshipType, target: str, created: datetime | None = None, reason: str | None = None
) -> Relationship:
    return Relationship(type=kind.value, target=target, created=created, reason=reason, bidirectional=True)


def all_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return what was stated of a memory, then what follows and was not stated as well."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    known = {(relationship.type, relationship.target) for relationship in stated}
    return [*stated, *(one for one in derived_relationships(memory, conflicts) if (one.type, one.target) not in known)]


class Graph:
    """Who is linked to whom, in the directions in which one can go; built in one look at all memories.

    A link that is not bidirectional leads from its source to its target only.
    """

    def __init__(self, links: Iterable[tuple[str, Relationship]]) -> None:
        self._out: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        for source_id, one in links:
            self._out[source_id][one.type, one.target] = None
            if one.bidirectional:
                self._out[one.target][one.type, source_id] = None

    def neighbours(self, memory_id: str, kind: str | None = None) -> list[tuple[str, str]]:
        """Return (type, memory) for each link that leads away from a memory, in the order in which they were given."""
        return [one for one in self._out.get(memory_id, ()) if kind in (None, one[0])]

    def traverse(
        self, start: str, exists: Callable[[str], bool], *, kind: str | None = None, depth: int = DEFAULT_DEPTH
    ) -> list[str]:
        """Return what `depth` steps lead to, the nearest first, each memory once and the start never.

        A memory that has gone is skipped: no step leads through it.
        """
        found, edge = {start: None}, [start]
        for _ in range(depth):
            reached = (target for memory_id in edge for _, target in self.neighbours(memory_id, kind))
            edge = [other_id for other_id in dict.fromkeys(reached) if other_id not in found and exists(other_id)]
            found |= dict.fromkeys(edge)
        return [*found][1:]
