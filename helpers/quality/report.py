"""The quality report: figures over all memories, and what somebody may do about them (Q-54, Q-56, Q-71). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..setting_groups import QualityLayer
from ..texts import counted

_DIGITS = 4
_MOST_NAMED = 3
_DECIDE = "Decide with `memory-ledger resolve ID --keep MEMORY`."


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityFigures:
    """What the report is made of; `stale`, `conflicts` and `faulty` name the worst, the others are counted.

    What is `stale`, `replaced` and `unrecalled` is decided in `staleness.find_stale`.
    """

    total: int
    by_type: Mapping[str, int]
    average_quality: float
    average_staleness: float
    unresolved_conflicts: int
    errors: int
    stale: int
    replaced: int = 0
    unrecalled: int = 0
    possible_conflicts: int = 0
    stale_ids: Sequence[str] = ()
    conflict_ids: Sequence[str] = ()
    possible_ids: Sequence[str] = ()
    faulty_ids: Sequence[str] = ()


class FindingKind(StrEnum):
    """What the report can find wanting, gravest first."""

    ERRORS = "errors"
    CONFLICTS = "conflicts"
    POSSIBLE = "possible conflicts"
    STALE = "stale"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """What is wrong, how often, and the first few memories or conflicts that it is about; `how` names the commands."""

    kind: FindingKind
    told: str
    how: str
    count: int = 0
    ids: Sequence[str] = ()


def make_report(figures: QualityFigures, layer: QualityLayer) -> dict[str, Any]:
    """Return the report under the specification's keys; of an empty store every figure is 0 (Q-56, Q-71)."""
    return {
        "totalMemories": figures.total,
        "byType": dict(figures.by_type),
        "averageQuality": round(figures.average_quality, _DIGITS),
        "averageStaleness": round(figures.average_staleness, _DIGITS),
        "unresolvedConflicts": figures.unresolved_conflicts,
        "validationErrorRate": round(figures.errors / figures.total, _DIGITS) if figures.total else 0.0,
        "recommendations": [_to_text(one) for one in find_wanting(figures, layer)],
    }


def find_wanting(figures: QualityFigures, layer: QualityLayer) -> Iterator[QualityFinding]:
    """Yield what somebody may do something about, gravest first (Q-71)."""
    if figures.errors:
        yield QualityFinding(
            FindingKind.ERRORS,
            f"{figures.errors / figures.total:.1%} of the memories have validation errors",
            "See `memory-ledger validate`; what is right after all: `memory-ledger refresh ID --verified`.",
            figures.errors,
            figures.faulty_ids,
        )
    if figures.unresolved_conflicts:
        conflicts = counted(figures.unresolved_conflicts, "conflict is", "conflicts are")
        yield QualityFinding(
            FindingKind.CONFLICTS,
            f"{conflicts} unresolved",
            _DECIDE,
            figures.unresolved_conflicts,
            figures.conflict_ids,
        )
    if figures.possible_conflicts:
        pairs = counted(figures.possible_conflicts, "pair of memories", "pairs of memories")
        yield QualityFinding(
            FindingKind.POSSIBLE,
            f"{pairs} may contradict each other, but no rule is sure",
            _DECIDE,
            figures.possible_conflicts,
            figures.possible_ids,
        )
    if figures.total and figures.stale / figures.total > layer.stale_share:
        replaced = counted(figures.replaced, "because another one replaced it", "because others replaced them")
        yield QualityFinding(
            FindingKind.STALE,
            f"{figures.stale / figures.total:.1%} of the memories are stale"
            + (f", {replaced}" * bool(figures.replaced)),
            "What still holds: `memory-ledger refresh ID`; the rest: `memory-ledger archive-stale --dry-run`.",
            figures.stale,
            figures.stale_ids,
        )
    if figures.total > layer.large_store:
        yield QualityFinding(
            FindingKind.LARGE,
            f"{figures.total} memories are more than {layer.large_store}: every search looks at all of them",
            "Archive what is stale with `memory-ledger archive-stale`, or keep projects in memory folders of their "
            "own.",
        )


def _to_text(finding: QualityFinding) -> str:
    """Return a finding as the report has it: with ids, for programs."""
    named = ", ".join(finding.ids[:_MOST_NAMED])
    more = finding.count - len(finding.ids[:_MOST_NAMED])
    named += f" and {more} more" if more > 0 and named else ""
    return f"{finding.told} ({named}). {finding.how}" if named else f"{finding.told}. {finding.how}"
