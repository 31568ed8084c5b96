"""The record of a conflict between two memories, and the requests about it. Pure.

Only the forms: `conflicts` finds and weighs them, `requests` turns a request into changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..ledger.authority import Actor
from ..records import Moment


class ConflictType(StrEnum):
    """The reason why two memories disagree."""

    DIRECT = "direct"
    TEMPORAL = "temporal"
    LOGICAL = "logical"
    SOURCE = "source"


class Severity(StrEnum):
    """The severity of a conflict."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Strategy(StrEnum):
    """A way to resolve a conflict."""

    NEWER_WINS = "newer-wins"
    HIGHER_CONFIDENCE = "higher-confidence"
    SOURCE_PRIORITY = "source-priority"
    MANUAL = "manual"
    MERGE = "merge"


class ConflictVerdict(StrEnum):
    """The verdict: a winner was accepted, the conflict was rejected, or both memories stay."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    MERGED = "merged"


class Resolver(StrEnum):
    """The kind of actor that resolved a conflict."""

    AUTOMATIC = "automatic"
    AGENT = "agent"
    OPERATOR = "operator"

    @property
    def actor(self) -> Actor:
        """The actor in the table of authority."""
        return {"automatic": Actor.RULE, "agent": Actor.AGENT}.get(self.value, Actor.PERSON)


class ConflictProposal(BaseModel):
    """The agent's proposal: the memory to `keep`, or both. A person decides, or the user in words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: str | None = None
    by: Resolver = Resolver.AGENT
    at: Moment
    reason: str = ""


class ConflictResolution(BaseModel):
    """The resolution of a conflict; `winner` is absent if no memory won."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    conflict_id: str = Field(alias="conflictId")
    strategy: Strategy
    winner: str | None = None
    resolution: ConflictVerdict
    resolved_at: Moment = Field(alias="resolvedAt")
    resolved_by: Resolver = Field(alias="resolvedBy")


class Conflict(BaseModel):
    """Two memories that contradict each other, older first; `resolution` is None until one is found.

    No rule has found a conflict that `is_possible`: the two only look contradictory, and no figure of the quality layer
    counts them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    id: str
    type: ConflictType
    memories: tuple[str, str]
    detected: Moment
    resolution: ConflictResolution | None = None
    severity: Severity
    description: str
    is_possible: bool = Field(False, alias="possible")
    proposal: ConflictProposal | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is a certain contradiction, and not resolved."""
        return self.resolution is None and not self.is_possible

    @property
    def is_decided_by_person(self) -> bool:
        """Whether a person or the agent has resolved it: no rule decides it again."""
        return self.resolution is not None and self.resolution.resolved_by is not Resolver.AUTOMATIC

    def other(self, memory_id: str) -> str:
        """Return the id of the memory on the other side."""
        first, second = self.memories
        return second if memory_id == first else first


#: The strategy behind each rule of contradiction; the other rules retire memories that do not conflict.
STRATEGY_OF_RULE = {
    "C-41": Strategy.NEWER_WINS,
    "C-44": Strategy.SOURCE_PRIORITY,
    "C-45": Strategy.HIGHER_CONFIDENCE,
    "C-46": Strategy.SOURCE_PRIORITY,
    "C-47": Strategy.NEWER_WINS,
}

#: The beginning of a conflict's id.
CONFLICT_PREFIX = "conflict_"


def conflict_id(memory_id: str, other_id: str) -> str:
    """Return the id of the conflict between two memories, the same in either order."""
    pair = "\0".join(sorted((memory_id, other_id)))
    return f"{CONFLICT_PREFIX}{blake2b(pair.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"


def resolve(
    conflict: Conflict, strategy: Strategy, verdict: ConflictVerdict, *, winner: str | None, at: datetime, by: Resolver
) -> Conflict:
    """Return `conflict` with its resolution."""
    resolution = ConflictResolution(
        conflict_id=conflict.id,
        strategy=strategy,
        winner=winner,
        resolution=verdict,
        resolved_at=at,
        resolved_by=by,
    )
    return conflict.model_copy(update={"resolution": resolution})


def write_conflict(conflict: Conflict) -> dict[str, Any]:
    """Return `conflict` under the specification's keys; further keys only where they have a value."""
    stored = conflict.model_dump(mode="json", by_alias=True)
    if not conflict.is_possible:
        del stored["possible"]
    if conflict.proposal is None:
        del stored["proposal"]
    if stored["resolution"] is not None and stored["resolution"]["winner"] is None:
        del stored["resolution"]["winner"]
    return stored


def parse_conflict(row: Mapping[str, Any]) -> Conflict | None:
    """Return the conflict of a row that `write_conflict` returned, equal in every field; None for another row."""
    try:
        return Conflict.model_validate(row)
    except ValidationError:
        return None


REASONS = ("a person decided so",)
AGENT_REASONS = ("the agent settled it",)


class RequestKind(StrEnum):
    """A person's request about a conflict."""

    KEEP = "keep"
    DECIDE = "decide"
    MERGE = "merge"
    DISMISS = "dismiss"
    READMIT = "readmit"
    UNDO = "undo"


#: The strategies that rank two memories. `merge` is an action of its own, and `manual` asks for nothing.
RANKING = (Strategy.NEWER_WINS, Strategy.HIGHER_CONFIDENCE, Strategy.SOURCE_PRIORITY)
