"""What a change does to a memory: the only place where standing moves (C-11 ... C-23, C-48, C-49). Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeGuard, TypeVar

from ..records import (
    MOST_ARCHIVE_ACCESSES,
    Classification,
    Lineage,
    Memory,
    OutdatedPart,
    Quality,
    Relevance,
    Utility,
    Validity,
)
from .changes import (
    Archive,
    Classify,
    Confirm,
    FlagDormancy,
    Forget,
    Link,
    Outdate,
    Qualify,
    Reinstate,
    Repoint,
    Restore,
    Rouse,
    Supersede,
    Suspend,
    Unarchive,
)
from .tags import with_utility_tag

_Standing = TypeVar("_Standing", Classification, Lineage)

#: What `supersede` changes in the lineage of the loser, and of the winner; an undo needs no more (T-70).
RETIRED_FIELDS = ("superseded_by", "deprecated_at", "deprecated_at_cycle", "deprecated_reason")
WINNING_FIELDS = ("supersedes", "supersedes_ids", "superseded_by")


class LifecycleError(ValueError):
    """A change does not fit the memory that it names."""

    def __init__(self, memory_id: str, found: str, allowed: str) -> None:
        super().__init__(f"memory {memory_id} is {found}; allowed: {allowed}")


def classify(memory: Memory, change: Classify) -> Memory:
    """Return `memory` with the axes and lineage of `change`, and without a quality that nobody vouches for."""
    quality = memory.quality if change.keeps_quality or memory.quality is None else Quality()
    return replace(memory, classification=change.classification, lineage=change.lineage, quality=quality)


def supersede(loser: Memory, winner: Memory, change: Supersede) -> tuple[Memory, Memory]:
    """Return both memories after `winner` has put `loser` out of use (C-48, C-49).

    Raises LifecycleError if they are one memory, or if either is already out of use: a deprecated memory
    retires nothing and is not retired twice, which also rules out a cycle (T-09).
    """
    if loser.id == winner.id:
        raise LifecycleError(loser.id, "loser and winner at once", "two memories")
    for memory in (loser, winner):
        if memory.is_deprecated:
            raise LifecycleError(memory.id, "deprecated", "a memory in use")
    loser_axes, loser_lineage = standing(loser)
    _, winner_lineage = standing(winner)
    retired = replace(
        loser,
        classification=_updated(loser_axes, validity=Validity.DEPRECATED),
        lineage=_updated(
            loser_lineage,
            superseded_by=winner.id,
            deprecated_at=change.at,
            deprecated_at_cycle=change.cycle,
            deprecated_reason=change.rule,
        ),
    )
    # What is in use has no winner: a pointer that foreign metadata left would close a ring (T-09).
    return retired, replace(
        winner,
        lineage=_updated(
            winner_lineage,
            supersedes=loser.id,
            supersedes_ids=_all_losers(winner_lineage, loser.id),
            superseded_by=None,
            **(_said_when(loser_lineage, winner_lineage) if change.says_again else {}),
        ),
    )


def _said_when(repetition: Lineage, original: Lineage) -> dict[str, Any]:
    """Return when the original was said last, where the repetition is the later one (T-68, C-47)."""
    if repetition.stated_at is None or repetition.stated_at <= (original.stated_at or original.created_at):
        return {}
    return {"stated_at": repetition.stated_at, "stated_from": repetition.stated_from}


def outdate(memory: Memory, change: Outdate) -> Memory:
    """Return `memory` with the parts of `change` named as outdated; its standing stays (C-43).

    Raises LifecycleError where that says nothing new, or the memory is out of use as a whole.
    """
    _, lineage = standing(memory)
    known = {one.text for one in lineage.outdated_parts}
    parts = tuple(one for one in dict.fromkeys(change.parts) if one not in known)
    if memory.is_deprecated or not parts:
        raise LifecycleError(memory.id, "outdated in this already", "a memory that still says it")
    added = tuple(OutdatedPart(text=one, by=change.winner_id, at=change.at) for one in parts)
    return replace(memory, lineage=_updated(lineage, outdated_parts=(*lineage.outdated_parts, *added)))


def reinstate(memory: Memory, change: Reinstate) -> Memory:
    """Return `memory` without the marks that `change.winner_id` left on it; those of others stay (T-70).

    Raises LifecycleError where there is none.
    """
    _, lineage = standing(memory)
    if not has_outdated(memory, change.winner_id):
        raise LifecycleError(memory.id, "whole", f"a memory of which {change.winner_id} has outdated a part")
    left = tuple(one for one in lineage.outdated_parts if one.by != change.winner_id)
    return replace(memory, lineage=_updated(lineage, outdated_parts=left))


def has_outdated(memory: Memory, winner_id: str) -> bool:
    """Whether `winner_id` has outdated a part of what `memory` says."""
    return memory.lineage is not None and any(one.by == winner_id for one in memory.lineage.outdated_parts)


def _all_losers(winner: Lineage, loser_id: str) -> tuple[str, ...]:
    """Return every memory that `winner` has beaten, if there is more than the one that `supersedes` names (T-09)."""
    known = (*winner.supersedes_ids, *([winner.supersedes] if winner.supersedes else []))
    return tuple(dict.fromkeys((*known, loser_id))) if known else ()


def restore(loser: Memory, winner: Memory | None, change: Restore) -> tuple[Memory, Memory | None]:
    """Return both memories as they would be if `winner` had never put `loser` out of use (T-70).

    The winner may have gone since. What else it has beaten, and what has beaten it, stays. Raises LifecycleError if it
    was not this winner that retired the loser.
    """
    axes, lineage = standing(loser)
    if not loser.is_deprecated:
        raise LifecycleError(loser.id, axes.validity.value, Validity.DEPRECATED.value)
    if lineage.superseded_by not in (change.winner_id, None):  # a winner that has gone may be named no more (T-43)
        raise LifecycleError(loser.id, f"out of use for {lineage.superseded_by}", f"out of use for {change.winner_id}")
    returned = replace(
        loser,
        classification=_updated(axes, validity=change.validity),
        lineage=_updated(lineage, **{name: getattr(change.lineage, name) for name in RETIRED_FIELDS}),
    )
    if winner is None:
        return returned, None
    _, winner_lineage = standing(winner)
    return returned, replace(winner, lineage=_without_loser(winner_lineage, loser.id, change.winner_lineage))


def _without_loser(winner: Lineage, loser_id: str, before: Lineage) -> Lineage:
    """Return the winner's lineage as it was `before`; if others came in between, with `loser_id` taken out."""
    if (winner.supersedes, winner.supersedes_ids) == (loser_id, _all_losers(before, loser_id)):
        superseded_by = before.superseded_by if winner.superseded_by is None else winner.superseded_by
        return _updated(
            winner, supersedes=before.supersedes, supersedes_ids=before.supersedes_ids, superseded_by=superseded_by
        )
    left = tuple(one for one in winner.supersedes_ids if one != loser_id)
    latest = winner.supersedes if winner.supersedes != loser_id else next(reversed(left), None)
    return _updated(winner, supersedes=latest, supersedes_ids=left if left != (latest,) else ())


def confirm(memory: Memory, change: Confirm) -> Memory:
    """Return `memory` as confirmed; only an inferred memory can be validated (C-16)."""
    axes, _ = standing(memory)
    if axes.validity is not Validity.INFERRED:
        raise LifecycleError(memory.id, axes.validity.value, Validity.INFERRED.value)
    return replace(memory, classification=_updated(axes, validity=Validity.CONFIRMED))


def access(memory: Memory, *, at: datetime, cycle: int) -> Memory:
    """Return `memory` after one more recall put it into the prompt (C-60, E-24); if archived, with its cycle (C-70)."""
    axes, lineage = standing(memory)
    counted = _updated(lineage, access_count=lineage.access_count + 1, last_accessed=at, last_access_cycle=cycle)
    if axes.utility is Utility.ARCHIVED:
        accesses = (*lineage.archive_access_cycles, cycle)[-MOST_ARCHIVE_ACCESSES:]
        counted = _updated(counted, archive_access_cycles=accesses)
    return replace(memory, lineage=counted)


def touched_cycle(lineage: Lineage) -> int:
    """Return the recall cycle of the last access, or of the classification where there was none since (T-06)."""
    return max(lineage.classified_at_cycle, lineage.last_access_cycle or 0)


def archive(memory: Memory, change: Archive) -> Memory:
    """Return `memory` as archived; raises LifecycleError if it is not tactical, or was recalled meanwhile (C-69).

    As stale everything can be archived that is not yet (Q-28), but for knowledge (T-47).
    """
    axes, lineage = standing(memory)
    if memory.is_knowledge:
        raise LifecycleError(memory.id, "a piece of a knowledge file", "a memory that is none (T-47)")
    if change.is_stale:
        is_new = axes.utility is not Utility.ARCHIVED
        _check_upkeep(memory, is_new, axes.utility.value, "a memory that is not archived", is_out_of_use_allowed=True)
    else:
        _check_upkeep(memory, axes.utility is Utility.TACTICAL, axes.utility.value, Utility.TACTICAL.value)
        touched = touched_cycle(lineage)
        _check_upkeep(memory, touched == change.touched_cycle, f"touched in cycle {touched}", f"{change.touched_cycle}")
    archived = with_utility(memory, Utility.ARCHIVED)
    return replace(archived, lineage=_updated(lineage, archived_at_cycle=change.cycle, archive_access_cycles=()))


def unarchive(memory: Memory, change: Unarchive) -> Memory:
    """Return `memory` as tactical again, its access count as it was; raises LifecycleError if not archived (C-70)."""
    axes, lineage = standing(memory)
    _check_upkeep(memory, axes.utility is Utility.ARCHIVED, axes.utility.value, Utility.ARCHIVED.value)
    tactical = with_utility(memory, Utility.TACTICAL)
    return replace(tactical, lineage=_updated(lineage, archived_at_cycle=None, archive_access_cycles=()))


def flag_dormancy(memory: Memory, change: FlagDormancy) -> Memory:
    """Return `memory` with or without the mark of a candidate; its relevance stays (E-26, T-12)."""
    axes, lineage = standing(memory)
    may_be = not change.is_candidate or (axes.utility is not Utility.LOAD_BEARING and lineage.access_count == 0)
    _check_upkeep(memory, may_be, "load_bearing or recalled meanwhile", "a memory that was never recalled")
    flagged_at = change.cycle if change.is_candidate else None
    flags = {"dormancy_candidate": change.is_candidate, "dormancy_flagged_at_cycle": flagged_at}
    return replace(memory, lineage=_updated(lineage, **flags))


def suspend(memory: Memory, change: Suspend) -> Memory:
    """Return `memory` as dormant; only an active candidate that is not load_bearing can be put to sleep (T-12)."""
    axes, lineage = standing(memory)
    may_sleep = (
        axes.relevance is Relevance.ACTIVE and lineage.dormancy_candidate and axes.utility is not Utility.LOAD_BEARING
    )
    _check_upkeep(memory, may_sleep, f"{axes.relevance.value}, {axes.utility.value}", "an active candidate")
    dormant = _updated(axes, relevance=Relevance.DORMANT)
    return replace(memory, classification=dormant, lineage=_updated(lineage, dormant_since_cycle=change.cycle))


def rouse(memory: Memory, change: Rouse) -> Memory:
    """Return `memory` as active; only what maintenance put to sleep is woken (T-12)."""
    axes, lineage = standing(memory)
    is_ours = axes.relevance is Relevance.DORMANT and lineage.dormant_since_cycle is not None
    _check_upkeep(memory, is_ours, axes.relevance.value, "dormant by maintenance")
    active = _updated(axes, relevance=Relevance.ACTIVE)
    return replace(memory, classification=active, lineage=_updated(lineage, dormant_since_cycle=None))


def link(memory: Memory, change: Link) -> Memory:
    """Return `memory` with exactly the links of `change`; raises LifecycleError where they are there already (E-33)."""
    _, lineage = standing(memory)
    if lineage.related_memory_ids == change.related_ids:
        raise LifecycleError(memory.id, "linked so already", "another set of links")
    return replace(memory, lineage=_updated(lineage, related_memory_ids=change.related_ids))


def repoint(memory: Memory, change: Repoint) -> Memory:
    """Return `memory` with other pointers; what it named stays on record in `supersedes_ids` (T-43, T-09)."""
    _, lineage = standing(memory)
    kept = _all_losers(lineage, lineage.supersedes) if lineage.supersedes is not None else lineage.supersedes_ids
    return replace(
        memory,
        lineage=_updated(
            lineage, superseded_by=change.superseded_by, supersedes=change.supersedes, supersedes_ids=kept
        ),
    )


def _check_upkeep(
    memory: Memory, is_allowed: bool, found: str, allowed: str, *, is_out_of_use_allowed: bool = False
) -> None:
    """Raise LifecycleError if maintenance has decided about another standing; what is out of use it leaves alone."""
    if memory.is_deprecated and not is_out_of_use_allowed:
        raise LifecycleError(memory.id, Validity.DEPRECATED.value, "a memory in use")
    if not is_allowed:
        raise LifecycleError(memory.id, found, allowed)


def qualify(memory: Memory, change: Qualify) -> Memory:
    """Return `memory` with what was stated about it; the axes stay. Raises LifecycleError where that is known (Q-57).

    A link to the same memory, of the same type, replaces the one from before.
    """
    standing(memory)
    quality = memory.quality or Quality()
    update = dict(change.stated)
    if change.relationship is not None:
        added = change.relationship
        kept = [one for one in quality.relationships if (one.type, one.target) != (added.type, added.target)]
        update["relationships"] = (*kept, added)
    if change.cited_by is not None and change.cited_by not in quality.cited_by:
        update["cited_by"] = (*quality.cited_by, change.cited_by)
    after = quality.model_copy(update=update)
    if after == quality:
        raise LifecycleError(memory.id, "stated so already", "something new about it")
    return replace(memory, quality=after)


def forget(memory: Memory, change: Forget) -> Memory:
    """Return `memory` as forgotten: out of every recall for good, its text on record (Q-55, T-12)."""
    axes, lineage = standing(memory)
    quality = memory.quality or Quality()
    if quality.deleted_at is not None:
        raise LifecycleError(memory.id, "forgotten", "a memory that is not")
    return replace(
        memory,
        classification=_updated(axes, relevance=Relevance.DORMANT),
        lineage=_updated(lineage, dormant_since_cycle=None),
        quality=quality.model_copy(update={"deleted_at": change.at, "deleted_reason": change.reason}),
    )


def with_utility(memory: Memory, utility: Utility) -> Memory:
    """Return `memory` in another utility class, its tags in step (C-20, E-82)."""
    axes, _ = standing(memory)
    return replace(memory, classification=_updated(axes, utility=utility, tags=with_utility_tag(axes.tags, utility)))


def is_classified(memory: Memory | None) -> TypeGuard[Memory]:
    """Whether there is such a memory, and it has a standing."""
    return memory is not None and memory.classification is not None and memory.lineage is not None


def standing(memory: Memory) -> tuple[Classification, Lineage]:
    """Return the axes and the lineage of a classified memory; raises LifecycleError if it has none."""
    if memory.classification is None or memory.lineage is None:
        raise LifecycleError(memory.id, "not classified", "a classified memory")
    return memory.classification, memory.lineage


def follow_to_head(memory_id: str, superseded_by: Callable[[str], str | None]) -> str:
    """Return the memory at the end of the chain of winners that starts at `memory_id` (T-09).

    A pointer back into the chain, which only foreign metadata can hold, ends it.
    """
    seen = {memory_id}
    while (winner := superseded_by(memory_id)) is not None and winner not in seen:
        seen.add(winner)
        memory_id = winner
    return memory_id


def _updated(record: _Standing, **values: Any) -> _Standing:
    """Return a copy of an immutable record; `values` are trusted, being made here."""
    return record.model_copy(update=values)
