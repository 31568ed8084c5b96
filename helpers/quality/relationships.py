"""Links between memories: the stated ones, and those that follow from what is stored.

Pure. Links that follow are shown and not stored a second time: `supersedes` from the lineage, `related-to` from the
links of maintenance, `contradicts` from the open conflicts. Both sides know of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from ..clock import format_time, parse_time
from ..errors import MemoryLedgerError, requirement_of, shorten
from ..records import Memory, Relationship
from .conflict_record import Conflict


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


def _parse_moment(value: object) -> datetime:
    moment = parse_time(value, zone=UTC)
    if moment is None:
        raise ValueError("an ISO 8601 time")
    return moment


Moment = Annotated[datetime, PlainValidator(_parse_moment)]


class _StatedLink(BaseModel):
    """A link as somebody states it."""

    model_config = ConfigDict(extra="forbid", strict=True, use_enum_values=True)

    type: Annotated[RelationshipType, Field(strict=False)]
    target: Annotated[str, Field(min_length=1)]
    created: Moment | None = None
    reason: str | None = None
    bidirectional: bool = False


def parse_relationship(value: Mapping[str, Any] | Relationship, *, source_id: str, now: datetime) -> Relationship:
    """Return the link that somebody states from `source_id`; raises RelationshipError."""
    stated = show_relationship(value) if isinstance(value, Relationship) else value
    try:
        link = _StatedLink.model_validate(stated)
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
        where, found, allowed = ".".join(map(str, fault["loc"])), fault["input"], requirement_of(fault)
    else:
        if link.target != source_id:
            return Relationship(**{**link.model_dump(), "created": link.created or now})
        where, found, allowed = "target", source_id, "the id of another memory"
    raise RelationshipError(f"relationship of {source_id}: {where} is {shorten(found)}; allowed: {allowed}")


def show_relationship(link: Relationship) -> dict[str, Any]:
    """Return a link under all of the specification's keys."""
    return {
        "type": link.type,
        "target": link.target,
        "created": None if link.created is None else format_time(link.created),
        "reason": link.reason,
        "bidirectional": link.bidirectional,
    }


def stated_links(memory: Memory) -> tuple[Relationship, ...]:
    """Return the stated links of a memory."""
    return memory.quality.relationships if memory.quality is not None else ()


def find_stated(memory: Memory, kind: str, target: str) -> Relationship | None:
    """Return a stated link; None if there is none."""
    return next((link for link in stated_links(memory) if (link.type, link.target) == (kind, target)), None)


def neighbours_of(memory: Memory) -> list[str]:
    """Return the ids that a memory is part of or related to: the stated ones first, then those of maintenance."""
    related = memory.lineage.related_memory_ids if memory.lineage is not None else ()
    return [*dict.fromkeys((*(link.target for link in stated_links(memory) if link.type in _NEIGHBOURLY), *related))]


def without_link(memory: Memory, kind: str, target: str) -> tuple[Relationship, ...]:
    """Return the stated links of a memory without this one."""
    return tuple(link for link in stated_links(memory) if (link.type, link.target) != (kind, target))


def derived_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return the links that follow from the lineage and the `conflicts` of a memory."""
    followed: list[tuple[RelationshipType, str, datetime | None, str | None]] = []
    if (lineage := memory.lineage) is not None:
        losers = dict.fromkeys((*lineage.supersedes_ids, *filter(None, [lineage.supersedes])))
        followed += [(RelationshipType.SUPERSEDES, loser, None, None) for loser in losers]
        followed += [(RelationshipType.RELATED_TO, related, None, None) for related in lineage.related_memory_ids]
    followed += [
        (RelationshipType.CONTRADICTS, conflict.other(memory.id), conflict.detected, conflict.description)
        for conflict in conflicts
        if conflict.is_open
    ]
    return [
        Relationship(type=kind.value, target=target, created=created, reason=reason, bidirectional=True)
        for kind, target, created, reason in followed
    ]


def all_relationships(memory: Memory, conflicts: Iterable[Conflict]) -> list[Relationship]:
    """Return the stated links of a memory, then the others that follow."""
    links: dict[tuple[str, str], Relationship] = {}
    for link in (*stated_links(memory), *derived_relationships(memory, conflicts)):
        links.setdefault((link.type, link.target), link)
    return [*links.values()]


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

    def traverse(self, start: str, exists: Callable[[str], bool], *, kind: str | None = None, depth: int) -> list[str]:
        """Return the memories within `depth` steps, the nearest first, each once and without the start.

        No step leads through a memory that is gone.
        """
        seen, edge = {start: None}, [start]
        for _ in range(depth):
            reached = (target for memory_id in edge for _, target in self.neighbours(memory_id, kind))
            edge = [other_id for other_id in dict.fromkeys(reached) if other_id not in seen and exists(other_id)]
            seen |= dict.fromkeys(edge)
        return [*seen][1:]
