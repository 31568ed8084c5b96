"""The quality report: figures over all memories, and what somebody may do about them (Q-54, Q-56, Q-71). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..setting_groups import QualityLayer
from ..texts import counted

_DIGITS = 4
_MOST_NAMED = 3
_DECIDE = "Decide with `memory-ledger resolve ID --keep MEMORY`."


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFigures:
    """What the report is made of; `stale`, `conflicts` and `faulty` name the worst, the others are counted."""

    total: int
    by_type: Mapping[str, int]
    average_quality: float
    average_staleness: float
    unresolved_conflicts: int
    errors: int
    stale: int
    possible_conflicts: int = 0
    stale_ids: Sequence[str] = ()
    conflict_ids: Sequence[str] = ()
    possible_ids: Sequence[str] = ()
    faulty_ids: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Charts:
    """What the page shows beside the report: counts by label, in order."""

    age: Mapping[str, int] = field(default_factory=dict)
    staleness: Mapping[str, int] = field(default_factory=dict)
    score: Mapping[str, int] = field(default_factory=dict)
    source: Mapping[str, int] = field(default_factory=dict)
    conflicts: Mapping[str, int] = field(default_factory=dict)


def make_report(figures: QualityFigures, layer: QualityLayer) -> dict[str, Any]:
    """Return the report under the specification's keys; of an empty store every figure is 0 (Q-56, Q-71)."""
    return {
        "totalMemories": figures.total,
        "byType": dict(figures.by_type),
        "averageQuality": round(figures.average_quality, _DIGITS),
        "averageStaleness": round(figures.average_staleness, _DIGITS),
        "unresolvedConflicts": figures.unresolved_conflicts,
        "validationErrorRate": round(figures.errors / figures.total, _DIGITS) if figures.total else 0.0,
        "recommendations": list(_recommend(figures, layer)),
    }


def _recommend(figures: QualityFigures, layer: QualityLayer) -> list[str]:
    """Return what to do, gravest first; each names memories, and the command that acts on them (Q-71)."""
    found: list[str] = []
    if figures.errors:
        rate = f"{figures.errors / figures.total:.1%} of the memories"
        found.append(
            f"{rate} have validation errors ({_name(figures.faulty_ids, figures.errors)}). "
            "See `memory-ledger validate`; what is right after all: `memory-ledger refresh ID --verified`."
        )
    if figures.unresolved_conflicts:
        conflicts = counted(figures.unresolved_conflicts, "conflict is", "conflicts are")
        named = _name(figures.conflict_ids, figures.unresolved_conflicts)
        found.append(f"{conflicts} unresolved ({named}). {_DECIDE}")
    if figures.possible_conflicts:
        pairs = counted(figures.possible_conflicts, "pair of memories", "pairs of memories")
        named = _name(figures.possible_ids, figures.possible_conflicts)
        found.append(f"{pairs} may be at odds, and no rule says so ({named}). {_DECIDE}")
    if figures.total and figures.stale / figures.total > layer.stale_share:
        found.append(
            f"{figures.stale / figures.total:.1%} of the memories are stale "
            f"({_name(figures.stale_ids, figures.stale)})."
            f" What still holds: `memory-ledger refresh ID`; the rest: `memory-ledger archive-stale --dry-run`."
        )
    if figures.total > layer.large_store:
        found.append(
            f"{figures.total} memories are more than {layer.large_store}: every search looks at all of them. "
            "Archive what is stale with `memory-ledger archive-stale`, or keep projects in memory folders of their own."
        )
    return found


def _name(ids: Sequence[str], count: int) -> str:
    more = count - len(ids[:_MOST_NAMED])
    return ", ".join(ids[:_MOST_NAMED]) + (f" and {more} more" if more > 0 and ids else "")
