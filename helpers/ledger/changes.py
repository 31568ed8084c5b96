"""What the rules may do to a memory, as data; `lifecycle` applies it, the store writes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..records import Classification, Lineage, Relationship, Validity
from .spoken import Spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class Classify:
    """`memory_id` gets its axes and a lineage; `why` says, axis by axis, how they were found (C-32).

    `spoken` is how the user said it, where the user did.
    Unless `keeps_quality`, what its metadata says of its quality counts as little as the rest of it (C-91).
    """

    memory_id: str
    classification: Classification
    lineage: Lineage
    keeps_quality: bool = True
    why: dict[str, str] = field(default_factory=dict)
    spoken: Spoken | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """`loser_id` goes out of use in favour of `winner_id`; neither is deleted (C-48, C-49).

    `rule` is the priority that decided, `reasons` say in words what contradicts what. `by_person`: somebody said so.
    `says_again`: the loser is the user's own repetition, so that the winner counts as said when that was said.
    """

    winner_id: str
    loser_id: str
    at: datetime
    cycle: int
    rule: str
    reasons: tuple[str, ...] = ()
    by_person: bool = False
    says_again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """Two memories contradict each other and no priority names a winner: both stay (C-96)."""

    older_id: str
    newer_id: str
    at: datetime
    rule: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdate:
    """Of what `memory_id` says, `parts` (pieces of its text) no longer hold: `winner_id` does. The rest stays in use.

    `rule` is the priority that decided, `reasons` say in words what contradicts what.
    """

    memory_id: str
    winner_id: str
    parts: tuple[str, ...]
    at: datetime
    rule: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """The user validated an inferred memory: it becomes confirmed (C-16)."""

    memory_id: str
    at: datetime
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """`memory_id`, which `winner_id` had put out of use, comes back as it stood; the winner stays too (T-70).

    `validity` and the pointers in the two lineages are those from before; of a lineage nothing else is used.
    """

    memory_id: str
    winner_id: str
    at: datetime
    validity: Validity
    lineage: Lineage
    winner_lineage: Lineage
    rule: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstate:
    """What `winner_id` had outdated of what `memory_id` says holds again; the winner stays too (T-70)."""

    memory_id: str
    winner_id: str
    at: datetime
    rule: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """`memory_id` is tactical and was long not recalled: it becomes archived (C-69).

    `touched_cycle` is the cycle since which it has been idle; one that is recalled meanwhile stays. `is_stale`:
    somebody asked for what is stale to be archived, whatever its class of utility and standing (Q-28, T-27).
    """

    memory_id: str
    at: datetime
    cycle: int
    touched_cycle: int
    is_stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unarchive:
    """`memory_id` is recalled again and again since it was archived: it becomes tactical (C-70)."""

    memory_id: str
    at: datetime
    cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagDormancy:
    """`memory_id` was never recalled, and may as well sleep; or it was, and is no candidate any more (E-26, T-12)."""

    memory_id: str
    is_candidate: bool
    cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspend:
    """`memory_id` is a candidate for dormancy and, as the settings say, becomes dormant (T-12)."""

    memory_id: str
    at: datetime
    cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rouse:
    """`memory_id`, which maintenance made dormant, is active again (T-12)."""

    memory_id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """`memory_id` is linked to exactly `related_ids`, the strongest first (E-33, E-71)."""

    memory_id: str
    related_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repoint:
    """`memory_id` named a memory that has gone: from now on these stand for it, or nothing does (T-43)."""

    memory_id: str
    at: datetime
    superseded_by: str | None
    supersedes: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Purge:
    """`memory_id` has been out of use for longer than it is kept, and is deleted for good (C-71, T-08)."""

    memory_id: str
    at: datetime
    cycle: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualify:
    """Something was stated or validated about `memory_id`: `stated` fields of its quality, a link, a citation (Q-57).

    None in `stated` takes a field back.
    """

    memory_id: str
    stated: dict[str, Any] = field(default_factory=dict)
    relationship: Relationship | None = None
    cited_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """Somebody wants `memory_id` forgotten: it stays in the store and takes part in no recall any more (Q-55)."""

    memory_id: str
    at: datetime
    reason: str | None = None


#: What maintenance changes in one memory; a purge is carried out by itself.
Upkeep = Archive | Unarchive | FlagDormancy | Suspend | Rouse | Link | Repoint

#: What the quality layer changes in one memory; it archives as well.
Assessment = Qualify | Forget

Change = Classify | Supersede | Outdate | Confirm | Restore | Reinstate | Upkeep | Assessment
