"""Links between memories: the stated ones, and those that follow from what is stored.

Pure. Links that follow are shown and not stored a second time: `supersedes` from the lineage, `related-to` from the
links of maintenance, `contradicts` from the open conflicts. Both sides know of these.
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

#: The default depth of a traversal.
DEFAULT_DEPTH = 3


class RelationshipType(StrEnum):
    """The type of a link."""

    SUPERSEDES = "supersedes"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived-from"
    RELATED_TO = "related-to"
    CAUSES = "causes"
    PART_OF = "part-of"


#: A stated link of these types is a citation of the target, and an access of it.
CITING = frozenset((RelationshipType.DERIVED_FROM, RelationshipType.SUPPORTS))
#: A recalled memory brings along the targets of these links.
_NEIGHBOURLY = frozenset((RelationshipType.RELATED_TO, RelationshipType.PART_OF))


class RelationshipError(MemoryLedgerError):
    """A value is no link between memories."""


def parse_relationship(value: Mapping[str, Any] | Relationship, *, source_id: str, now: datetime) -> Relationship:
    """Return the link that somebody states from `source_id`; raises RelationshipError."""
    if isinstance(value, Relationship):
        value = show_relationship(value)
    if not isinstance(value, Mapping):
        raise RelationshipError(f"relationship of {source_id} is {shorten(value)}; allowed: an object")
    kinds = [kind.value for kind in RelationshipType]
    unknown = sorted(map(str, value.keys() - {"type", "target", "created", "reason", "bidirectional"}))
    kind, target, reason = value.get("type"), value.get("target"), value.get("reason")
    is_bidirectional, created = value.get("bidirectional", False), value.get("created")
    moment = now if created is None else parse_time(created)
    for where, stated, allowed, is_good in (
        ("type", kind, ", ".join(kinds), kind in kinds),
        ("target", target, "the id of another memory", isinstance(target, str) and target not in ("", source_id)),
        ("reason", reason, "a text", reason is None or isinstance(reason, str)),
        ("bidirectional", is_bidirectional, "true or false", isinstance(is_bidirectional, bool)),
        ("created", created, "an ISO 8601 time", moment is not None),
        ("keys", unknown, "type, target, created, reason, bidirectional", not unknown),
    ):
        if not is_good:
            raise RelationshipError(f"relationship of {source_id}: {where} is {shorten(stated)}; allowed: {allowed}")
    return Relationship(
        type=str(kind), target=str(target), created=moment, reason=reason, bidirectional=bool(is_bidirectional)
    )


def show_relationship(link: Relationship) -> dict[str, Any]:
    """Return a link under all of the specification's keys."""
    return {
        "type": link.type,
        "target": link.target,
        "created": None if link.created is None else format_time(link.created),
        "reason": link.reason,
        "bidirectional": link.bidirectional,
    }


def find_stated(memory: Memory, kind: str, target: str) -> Relationship | None:
    """Return a stated link; None if there is none."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    return next((link for link in stated if (link.type, link.target) == (kind, target)), None)


def neighbours_of(memory: Memory) -> list[str]:
    """Return the ids that a memory is part of or related to: the stated ones first, then those of maintenance."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    related = memory.lineage.related_memory_ids if memory.lineage is not None else ()
    return [*dict.fromkeys((*(link.target for link in stated if link.type in _NEIGHBOURLY), *related))]


def without_link(memory: Memory, kind: str, target: str) -> tuple[Relationship, ...]:
    """Return the stated links of a memory without this one."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    return tuple(link for link in stated if (link.type, link.target) != (kind, target))


def derived_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return the links that follow from the lineage and the `conflicts` of a memory."""
    lineage = memory.lineage
    relationships: list[Relationship] = []
    if lineage is not None:
        losers = dict.fromkeys((*lineage.supersedes_ids, *([lineage.supersedes] if lineage.supersedes else [])))
        relationships += [_derived(RelationshipType.SUPERSEDES, loser) for loser in losers]
        relationships += [_derived(RelationshipType.RELATED_TO, memory_id) for memory_id in lineage.related_memory_ids]
    relationships += [
        _derived(RelationshipType.CONTRADICTS, conflict.other(memory.id), conflict.detected, conflict.description)
        for conflict in conflicts
        if conflict.is_open
    ]
    return relationships


def _derived(
    kind: RelationshipType, target: str, created: datetime | None = None, reason: str | None = None
) -> Relationship:
    return Relationship(type=kind.value, target=target, created=created, reason=reason, bidirectional=True)


def all_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return the stated links of a memory, then the others that follow."""
    stated = memory.quality.relationships if memory.quality is not None else ()
    known = {(relationship.type, relationship.target) for relationship in stated}
    return [
        *stated,
        *(link for link in derived_relationships(memory, conflicts) if (link.type, link.target) not in known),
    ]


class Graph:
    """The links of all memories, in the directions in which they lead.

    A link that is not bidirectional leads only from its source to its target.
    """

    def __init__(self, links: Iterable[tuple[str, Relationship]]) -> None:
        self._out: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        for source_id, link in links:
            self._out[source_id][link.type, link.target] = None
            if link.bidirectional:
                self._out[link.target][link.type, source_id] = None

    def neighbours(self, memory_id: str, kind: str | None = None) -> list[tuple[str, str]]:
        """Return (type, memory) for each link that leads away from a memory, in the order of entering."""
        return [link for link in self._out.get(memory_id, ()) if kind in (None, link[0])]

    def traverse(
        self, start: str, exists: Callable[[str], bool], *, kind: str | None = None, depth: int = DEFAULT_DEPTH
    ) -> list[str]:
        """Return the memories within `depth` steps, the nearest first, each once and without the start.

        No step leads through a memory that is gone.
        """
        seen, edge = {start: None}, [start]
        for _ in range(depth):
            reached = (target for memory_id in edge for _, target in self.neighbours(memory_id, kind))
            edge = [other_id for other_id in dict.fromkeys(reached) if other_id not in seen and exists(other_id)]
            seen |= dict.fromkeys(edge)
        return [*seen][1:]
