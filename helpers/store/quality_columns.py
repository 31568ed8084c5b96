"""Staleness, scores and filters over the columns of a store, at one moment; figures for the report and for health."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..ledger.lifecycle import QualityHealth
from ..quality.kinds import MemoryType, Rates
from ..quality.report import QualityFigures
from ..quality.scores import (
    SOURCE_RELIABILITY,
    SourceClass,
    days_of,
    days_since,
    find_stale,
    find_unfit,
    score_of,
    staleness_of,
)
from ..settings import Settings
from .columns import Columns, Flags
from .conflicts import ConflictFile

Numbers = npt.NDArray[np.float64]

_DIGITS = 4
#: How many memories of each kind the report names.
_MOST_NAMED = 3
_RELIABILITY = np.array([SOURCE_RELIABILITY[origin] for origin in SourceClass])


class QualityFilter(NamedTuple):
    """A filter for memories; None and False demand nothing."""

    min_quality: float | None = None
    max_staleness: float | None = None
    exclude_conflicted: bool = False
    min_confidence: float | None = None


class Measured(NamedTuple):
    """Staleness and score of every row, both of shape (n,) and in 0..1."""

    staleness: Numbers
    score: Numbers


def measure(columns: Columns, now: datetime, rates: Rates) -> Measured:
    """Return staleness and score of every row at `now`, as `scores.measure` does for one memory."""
    half_lives, decays = np.array([days_of(rates[memory_type]) for memory_type in MemoryType]).T
    counted_from = np.maximum(columns.created, columns.validated)
    stale = staleness_of(
        age_days=days_since(counted_from, now.timestamp()),
        idle_days=days_since(np.maximum(counted_from, columns.touched), now.timestamp()),
        is_superseded=columns.is_superseded,
        half_life_days=half_lives[columns.kind],
        access_decay_days=decays[columns.kind],
    )
    score = score_of(columns.confidence, stale, columns.conflict_risk, _RELIABILITY[columns.origin])
    is_known = columns.is_known
    return Measured(np.where(is_known, stale, 0.0), np.where(is_known, score, columns.confidence))


def unfit(columns: Columns, now: datetime) -> Flags:
    """Return one flag per row: whether it may enter no prompt at `now`."""
    return np.asarray(find_unfit(columns.expires, now, columns.has_errors, columns.is_vouched_for))


def counted(columns: Columns) -> Flags:
    """Return one flag per row: whether it has a status and is not forgotten."""
    return np.asarray(columns.is_known & ~columns.is_forgotten)


def passing(columns: Columns, wanted: QualityFilter, now: datetime, rates: Rates) -> Flags:
    """Return one flag per row: whether it passes the filter."""
    flags: Flags = ~columns.is_forgotten
    if wanted.exclude_conflicted:
        flags &= columns.conflict_risk == 0.0
    if wanted.min_confidence is not None:
        flags &= columns.confidence >= wanted.min_confidence
    if wanted.min_quality is not None or wanted.max_staleness is not None:
        measured = measure(columns, now, rates)
        if wanted.min_quality is not None:
            flags &= measured.score >= wanted.min_quality
        if wanted.max_staleness is not None:
            flags &= measured.staleness <= wanted.max_staleness
    return flags


def summarize(columns: Columns, now: datetime, rates: Rates, *, unresolved_conflicts: int) -> QualityHealth:
    """Return the overall quality of the memories without the forgotten ones."""
    chosen = counted(columns)
    total = int(chosen.sum())
    if not total:
        return QualityHealth(unresolved_conflicts=unresolved_conflicts)
    measured = measure(columns, now, rates)
    return QualityHealth(
        average_quality=round(float(measured.score[chosen].mean()), _DIGITS),
        average_staleness=round(float(measured.staleness[chosen].mean()), _DIGITS),
        unresolved_conflicts=unresolved_conflicts,
        validation_error_rate=round(int((chosen & columns.has_errors).sum()) / total, _DIGITS),
        echoes=int(columns.is_echo.sum()),
        duplicates=int(columns.is_duplicate.sum()),
    )


def figures_of(
    columns: Columns, ids: Sequence[str], conflicts: ConflictFile, settings: Settings, now: datetime
) -> QualityFigures:
    """Return the figures of the report; `ids` are those of the rows. Linear in the number of memories."""
    measured, chosen = measure(columns, now, settings.staleness_config), ~columns.is_forgotten
    stale = find_stale(
        measured.staleness,
        settings.quality.stale_from,
        columns.is_forgotten,
        columns.is_superseded,
        columns.is_vouched_for,
    )
    faulty = chosen & columns.has_errors
    places = np.flatnonzero(stale.stale & ~stale.replaced)
    worst = places[np.argsort(-measured.staleness[places], kind="stable")[:_MOST_NAMED]]
    total = int(chosen.sum())
    unresolved = conflicts.get_open()
    possible = [conflict.id for conflict in conflicts.get_conflicts(unresolved=True) if conflict.is_possible]
    by_type = zip(MemoryType, np.bincount(columns.kind[chosen], minlength=len(MemoryType)).tolist(), strict=True)
    return QualityFigures(
        total=total,
        by_type={kind.value: number for kind, number in by_type if number},
        average_quality=float(measured.score[chosen].mean()) if total else 0.0,
        average_staleness=float(measured.staleness[chosen].mean()) if total else 0.0,
        unresolved_conflicts=len(unresolved),
        errors=int(faulty.sum()),
        stale=int(stale.stale.sum()),
        replaced=int(stale.replaced.sum()),
        unrecalled=int(stale.unrecalled.sum()),
        stale_ids=[ids[position] for position in worst],
        conflict_ids=[conflict.id for conflict in unresolved[:_MOST_NAMED]],
        possible_conflicts=len(possible),
        possible_ids=possible[:_MOST_NAMED],
        faulty_ids=[ids[position] for position in np.flatnonzero(faulty)[:_MOST_NAMED]],
    )
