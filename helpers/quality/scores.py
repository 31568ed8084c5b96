"""The scores of a memory: how reliable it is, how far out of date, and how good all in all."""

from __future__ import annotations

import math
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from ..ledger.copies import DUPLICATE_RULES, ECHO_RULE
from ..ledger.lifecycle import status_of
from ..records import Memory, Quality, Source, Validity
from .kinds import STALENESS_RATES, MemoryType, Rates, StalenessRates, memory_type


class SourceClass(StrEnum):
    """The three sources of the quality layer; a view of the source axis, never stored."""

    EXPERIENCE = "experience"
    TOLD = "told"
    INFERRED = "inferred"


SOURCE_RELIABILITY = {SourceClass.EXPERIENCE: 0.9, SourceClass.TOLD: 0.7, SourceClass.INFERRED: 0.5}

_ORIGINS = {
    Source.USER_ASSERTED: SourceClass.TOLD,
    Source.EXTERNAL_RETRIEVED: SourceClass.TOLD,
    Source.BOOKSHELF_DOCUMENT: SourceClass.TOLD,
}
# The origins that may be stated of the agent's memories; the user's memories are always told.
_INFERRED = frozenset((SourceClass.EXPERIENCE.value, SourceClass.INFERRED.value))


def origin_of(memory: Memory) -> SourceClass:
    """Return the origin of a classified memory; a solution counts as experience, and so does a stated experience."""
    source = status_of(memory)[0].source
    if source is not Source.AGENT_INFERRED:
        return _ORIGINS[source]
    if memory.quality is not None and memory.quality.source in _INFERRED:
        return SourceClass(memory.quality.source)
    return SourceClass.EXPERIENCE if memory.is_solution else SourceClass.INFERRED


def confidence_of(memory: Memory) -> float:
    """Return the stated confidence of a memory, or the one of its status."""
    if memory.quality is not None and memory.quality.confidence is not None:
        return memory.quality.confidence
    axes = memory.classification
    if axes is None:
        return _UNKNOWN_CONFIDENCE
    if axes.validity is Validity.DEPRECATED:
        return 0.2
    if axes.validity is Validity.CONFIRMED:
        return 0.95
    if axes.source is Source.USER_ASSERTED:
        return 0.9
    return 0.7 if memory.is_solution or axes.source is Source.EXTERNAL_RETRIEVED else _UNKNOWN_CONFIDENCE


#: A memory that was never validated, recalled or cited.
NEVER = -math.inf
_SECONDS_PER_DAY = 86_400.0
_NO_QUALITY = Quality()
_DIGITS = 4
# Of what the agent inferred, and of a foreign memory without a status.
_UNKNOWN_CONFIDENCE = 0.6


class QualityRow(NamedTuple):
    """The input of the scores, times as seconds since 1970; all of it is stored, and independent of the time."""

    kind: MemoryType
    origin: SourceClass
    confidence: float
    conflict_risk: float
    created: float
    validated: float
    touched: float
    is_superseded: bool
    has_errors: bool
    is_forgotten: bool
    is_known: bool
    is_echo: bool = False
    is_duplicate: bool = False
    #: Whether the user said it, or it is confirmed: it does not become untrue while nobody recalls it.
    is_vouched_for: bool = False
    #: The end of its validity; 0 without one.
    expires: float = 0.0


class Decay(NamedTuple):
    """Staleness and score of a memory, 0..1."""

    staleness: float
    score: float


def read_row(memory: Memory) -> QualityRow:
    """Return the row of a memory; without a status it is unknown, and its score is its confidence."""
    quality, lineage, axes = memory.quality or _NO_QUALITY, memory.lineage, memory.classification
    is_known = axes is not None and lineage is not None
    return QualityRow(
        kind=memory_type(memory),
        origin=origin_of(memory) if is_known else SourceClass.INFERRED,
        confidence=confidence_of(memory),
        conflict_risk=quality.conflict_risk or 0.0,
        created=(lineage.created_at if lineage is not None else memory.created_at).timestamp(),
        validated=_seconds(quality.validated_at),
        touched=max(_seconds(lineage.last_accessed if lineage is not None else None), _seconds(quality.cited_at)),
        is_superseded=memory.is_deprecated or (lineage is not None and lineage.superseded_by is not None),
        has_errors=bool(quality.validation_errors),
        is_forgotten=memory.is_forgotten,
        is_known=is_known,
        is_echo=lineage is not None and lineage.deprecated_reason == ECHO_RULE,
        is_duplicate=lineage is not None and lineage.deprecated_reason in DUPLICATE_RULES,
        is_vouched_for=axes is not None
        and (axes.validity is Validity.CONFIRMED or axes.source is Source.USER_ASSERTED),
        expires=0.0 if quality.expires is None else quality.expires.timestamp(),
    )


def has_expired(memory: Memory, now: datetime) -> bool:
    """Whether the validity of the memory has ended."""
    expires = memory.quality.expires if memory.quality is not None else None
    return expires is not None and expires <= now


def find_unfit(expires: Any, now: datetime, has_errors: Any, is_vouched_for: Any) -> Any:
    """Return the rows that enter no prompt: expired ones, and invalid ones that nobody vouches for."""
    return ((expires != 0.0) & (expires <= now.timestamp())) | (has_errors & ~is_vouched_for)


def measure(row: QualityRow, now: datetime, rates: Rates = STALENESS_RATES) -> Decay:
    """Return staleness and score of a row at `now`."""
    if not row.is_known:
        return Decay(0.0, row.confidence)
    half_life, access_decay = days_of(rates[row.kind])
    stale = staleness_of(
        age_days=days_since(max(row.created, row.validated), now.timestamp()),
        idle_days=days_since(max(row.created, row.validated, row.touched), now.timestamp()),
        is_superseded=row.is_superseded,
        half_life_days=half_life,
        access_decay_days=access_decay,
    )
    score = score_of(row.confidence, stale, row.conflict_risk, SOURCE_RELIABILITY[row.origin])
    return Decay(float(stale), float(score))


def measure_memory(memory: Memory, now: datetime, rates: Rates = STALENESS_RATES) -> Decay:
    """Return staleness and score of a memory at `now`."""
    return measure(read_row(memory), now, rates)


def days_since(then: Any, now: float) -> Any:
    """Return the days from `then` to `now`, both in seconds; 0 for a time in the future."""
    return np.maximum(now - then, 0.0) / _SECONDS_PER_DAY


def days_of(rates: StalenessRates) -> tuple[float, float]:
    """Return half-life and access decay in days; infinite for a type that never decays."""
    return rates.half_life_days or math.inf, rates.access_decay_days or math.inf


def staleness_of(
    *, age_days: Any, idle_days: Any, is_superseded: Any, half_life_days: Any, access_decay_days: Any
) -> Any:
    """Return the staleness, 0..1."""
    age_factor = 1.0 - np.exp2(-(age_days / half_life_days))
    access_decay = np.minimum(1.0, idle_days / access_decay_days)
    superseded_factor = np.where(is_superseded, 1.0, 0.0)
    return np.round(np.minimum(1.0, age_factor * 0.5 + access_decay * 0.3 + superseded_factor * 0.2), _DIGITS)


class Stale(NamedTuple):
    """Flags, one or an array of them: which memories are stale and why, and which are only `unrecalled`.

    A memory is stale above the threshold if another one has `replaced` it or nobody vouches for it. The user's word and
    confirmed memories do not become untrue while nobody recalls them.
    """

    stale: Any
    replaced: Any
    unrecalled: Any


def find_stale(staleness: Any, stale_from: float, is_forgotten: Any, is_superseded: Any, is_vouched_for: Any) -> Stale:
    """Return the stale memories; forgotten ones are left out."""
    is_old = (staleness >= stale_from) & ~is_forgotten
    replaced = is_old & is_superseded
    unrecalled = is_old & is_vouched_for & ~replaced
    return Stale(is_old & ~unrecalled, replaced, unrecalled)


def score_of(confidence: Any, staleness: Any, conflict_risk: Any, reliability: Any) -> Any:
    """Return the quality score, 0..1."""
    freshness = 1.0 - staleness
    score = confidence * 0.4 + freshness * 0.25 + (1.0 - conflict_risk) * 0.25 + reliability * 0.1
    return np.round(np.clip(score, 0.0, 1.0), _DIGITS)


def _seconds(moment: datetime | None) -> float:
    return NEVER if moment is None else moment.timestamp()
