"""The changes by rulings about two memories that contradict or repeat each other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...clock import EPOCH
from ...records import Lineage, Memory, OutdatedPart, Validity, order_of
from ..lifecycle import LifecycleError, all_losers, has_outdated, require, restated, status_of
from .change import Row, Ruling

#: What a retirement changes in the lineage of the loser, and of the winner; an undo needs no more.
_RETIRED_FIELDS = ("superseded_by", "deprecated_at", "deprecated_at_cycle", "deprecated_reason")
_WINNING_FIELDS = ("supersedes", "supersedes_ids", "superseded_by")
_SIDES = {"memory": _RETIRED_FIELDS, "winner": _WINNING_FIELDS}
_NO_POINTERS = Lineage(created_at=EPOCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede(Ruling):
    """`loser_id` is retired for `winner_id`; `says_again`: the winner counts as said when that was said."""

    action = "supersede"
    axis = "validity"
    reads = ("loser_id", "winner_id")

    winner_id: str
    loser_id: str
    cycle: int
    says_again: bool = False

    def apply(self, *memories: Memory) -> tuple[Memory, ...]:
        """Return loser and winner after the ruling; raises LifecycleError where either is retired already."""
        if len({memory.id for memory in memories}) < 2:
            raise LifecycleError(self.loser_id, "alone, or loser and winner at once", "two memories")
        for memory in memories:
            require(memory, not memory.is_deprecated, "deprecated", "a memory in use")
        loser, winner = memories
        winner_lineage = status_of(winner)[1]
        retired = restated(
            loser,
            {
                "superseded_by": winner.id,
                "deprecated_at": self.at,
                "deprecated_at_cycle": self.cycle,
                "deprecated_reason": self.rule,
            },
            validity=Validity.DEPRECATED,
        )
        # What is in use has no winner: a pointer that foreign metadata left would close a ring.
        pointers = {"supersedes": loser.id, "supersedes_ids": all_losers(winner_lineage, loser.id)}
        moments = _said_when(loser, winner) if self.says_again else {}
        return retired, restated(winner, {**pointers, "superseded_by": None, **moments})

    def more(self, *before: Memory) -> Row:
        """Return the pointers of both from before, where there were any."""
        pointers = {
            side: status_of(memory)[1].model_dump(mode="json", include=set(names), exclude_defaults=True)
            for memory, (side, names) in zip(before, _SIDES.items(), strict=True)
        }
        known = {side: fields for side, fields in pointers.items() if fields}
        return {"before": known} if known else {}


def _said_when(repetition: Memory, original: Memory) -> dict[str, Any]:
    """Return when the original was said last, where the repetition is the later one."""
    lineage = status_of(repetition)[1]
    if lineage.stated_at is None or order_of(repetition) <= order_of(original):
        return {}
    return lineage.model_dump(include={"stated_at", "stated_from", "ordered_at"})


@dataclass(frozen=True, slots=True)
class Retirement:
    """The status of a memory, and of the one that retired it, before that."""

    validity: Validity
    lineage: Lineage = _NO_POINTERS
    winner_lineage: Lineage = _NO_POINTERS

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Retirement:
        """Return what the line of a `Supersede` says; raises KeyError, TypeError or ValueError if it is damaged."""
        before = {**row.get("before", {})}
        pointers = ({"created_at": EPOCH, **before.get(side, {})} for side in _SIDES)
        return cls(Validity(row["from"]), *map(Lineage.model_validate, pointers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(Ruling):
    """`memory_id`, which `winner_id` had retired, comes back as it stood; the winner stays too.

    Without a winner it had been retired with none in its place. `validity` and the pointers in the two
    lineages are those from before; of a lineage nothing else is used.
    """

    action = "restore"
    axis = "validity"
    reads = ("memory_id", "winner_id")

    memory_id: str
    winner_id: str | None
    validity: Validity
    lineage: Lineage
    winner_lineage: Lineage

    def apply(self, *memories: Memory) -> tuple[Memory, ...]:
        """Return both as if the winner, which may have gone, had never retired the loser."""
        loser, *winners = memories
        axes, lineage = status_of(loser)
        require(loser, loser.is_deprecated, axes.validity.value, Validity.DEPRECATED.value)
        winner_id = lineage.superseded_by
        is_its = winner_id in (self.winner_id, None)  # a winner that has gone may be named no more
        require(loser, is_its, f"replaced by {winner_id}", f"replaced by {self.winner_id}")
        pointers = {name: getattr(self.lineage, name) for name in _RETIRED_FIELDS}
        return restated(loser, pointers, validity=self.validity), *(self._without_loser(winner) for winner in winners)

    def _without_loser(self, memory: Memory) -> Memory:
        """Return the winner as it was before; if others came in between, with this loser taken out."""
        winner, before = status_of(memory)[1], self.winner_lineage
        if (winner.supersedes, winner.supersedes_ids) == (self.memory_id, all_losers(before, self.memory_id)):
            superseded_by = before.superseded_by if winner.superseded_by is None else winner.superseded_by
            left = tuple(memory_id for memory_id in before.supersedes_ids if memory_id != self.memory_id)
            pointers = {"supersedes": before.supersedes, "supersedes_ids": left}
            return restated(memory, {**pointers, "superseded_by": superseded_by})
        left = tuple(memory_id for memory_id in winner.supersedes_ids if memory_id != self.memory_id)
        latest = winner.supersedes if winner.supersedes != self.memory_id else next(reversed(left), None)
        return restated(memory, {"supersedes": latest, "supersedes_ids": left if left != (latest,) else ()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest(Ruling):
    """Two memories contradict each other and no priority names a winner: both stay."""

    action = "contest"
    reads = ()

    older_id: str
    newer_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdate(Ruling):
    """Of what `memory_id` says, `parts` (pieces of its text) no longer hold, `winner_id` does; the rest stays."""

    action = "partial"

    memory_id: str
    winner_id: str
    parts: tuple[str, ...]

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` with the parts marked; raises LifecycleError where that says nothing new."""
        _, lineage = status_of(memory)
        known = {part.text for part in lineage.outdated_parts}
        parts = tuple(part for part in dict.fromkeys(self.parts) if part not in known)
        is_new = bool(parts) and not memory.is_deprecated
        require(memory, is_new, "outdated in this already", "a memory that still says it")
        added = tuple(OutdatedPart(text=part, by=self.winner_id, at=self.at) for part in parts)
        return restated(memory, {"outdated_parts": (*lineage.outdated_parts, *added)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstate(Ruling):
    """The parts of `memory_id` that `winner_id` had outdated hold again; the winner stays too."""

    action = "reinstate"

    memory_id: str
    winner_id: str

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` without the marks of this winner; those of others stay. Raises LifecycleError for none."""
        _, lineage = status_of(memory)
        is_its = has_outdated(memory, self.winner_id)
        require(memory, is_its, "whole", f"a memory of which {self.winner_id} has outdated a part")
        left = tuple(part for part in lineage.outdated_parts if part.by != self.winner_id)
        return restated(memory, {"outdated_parts": left})
