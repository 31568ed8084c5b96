"""The scores of a memory: how reliable it is, how far out of date, and how good all in all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from ..ledger.copies import ECHO_RULE
from ..ledger.lifecycle import status_of
from ..maintenance.duplicates import DUPLICATE_RULES
from ..records import CLASSIFICATION_KEY, LINEAGE_KEY, QUALITY_KEY, Memory, Relevance, Source, Utility, Validity
from .kinds import STALENESS_RATES, MemoryType, Rates, StalenessRates, memory_type, text_type


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
    Source.AGENT_INFERRED: SourceClass.INFERRED,
}


# The origins that may be stated of the agent's memories; the user's memories are always told.
_INFERRED = frozenset((SourceClass.EXPERIENCE.value, SourceClass.INFERRED.value))


def origin_of(memory: Memory) -> SourceClass:
    """Return the origin of a classified memory; a solution counts as experience, and so does a stated experience."""
    axes, _ = status_of(memory)
    if axes.source is Source.AGENT_INFERRED and memory.quality is not None and memory.quality.source in _INFERRED:
        return SourceClass(memory.quality.source)
    return origin_by_axis(axes.source, is_solution=memory.is_solution)


def origin_by_axis(source: Source, *, is_solution: bool) -> SourceClass:
    """Return the origin of a memory without a stated one."""
    if is_solution and source is Source.AGENT_INFERRED:
        return SourceClass.EXPERIENCE
    return _ORIGINS[source]


def confidence_of(memory: Memory) -> float:
    """Return the stated confidence of a classified memory, or the one of its status."""
    if memory.quality is not None and memory.quality.confidence is not None:
        return memory.quality.confidence
    axes, _ = status_of(memory)
    return confidence_by_axes(axes.validity, axes.source, is_solution=memory.is_solution)


def confidence_by_axes(validity: Validity, source: Source, *, is_solution: bool) -> float:
    """Return the confidence of a status."""
    if validity is Validity.DEPRECATED:
        return 0.2
    if validity is Validity.CONFIRMED:
        return 0.95
    if source is Source.USER_ASSERTED:
        return 0.9
    return 0.7 if is_solution or source is Source.EXTERNAL_RETRIEVED else 0.6


#: A memory that was never validated, recalled or cited.
NEVER = -math.inf
_SECONDS_PER_DAY = 86_400.0
_DIGITS = 4
# A foreign memory without a status counts as inferred by the agent.
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
    quality, lineage = memory.quality, memory.lineage
    is_known = memory.classification is not None and lineage is not None
    stated = quality.confidence if quality is not None else None
    return QualityRow(
        kind=memory_type(memory),
        origin=origin_of(memory) if is_known else SourceClass.INFERRED,
        confidence=confidence_of(memory) if is_known else (_UNKNOWN_CONFIDENCE if stated is None else stated),
        conflict_risk=(quality.conflict_risk or 0.0) if quality is not None else 0.0,
        created=(lineage.created_at if lineage is not None else memory.created_at).timestamp(),
        validated=_seconds(quality.validated_at if quality is not None else None),
        touched=max(
            _seconds(lineage.last_accessed if lineage is not None else None),
            _seconds(quality.cited_at if quality is not None else None),
        ),
        is_superseded=memory.is_deprecated or (lineage is not None and lineage.superseded_by is not None),
        has_errors=bool(quality is not None and quality.validation_errors),
        is_forgotten=memory.is_forgotten,
        is_known=is_known,
        is_echo=lineage is not None and lineage.deprecated_reason == ECHO_RULE,
        is_duplicate=lineage is not None and lineage.deprecated_reason in DUPLICATE_RULES,
        is_vouched_for=memory.classification is not None
        and _is_vouched_for(memory.classification.validity, memory.classification.source),
        expires=0.0 if quality is None or quality.expires is None else quality.expires.timestamp(),
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


def parse_raw_row(text: str, metadata: Mapping[str, Any]) -> QualityRow | None:
    """Return the row of a memory that this pack has written, in a fraction of the time of `read_row`; else None.

    For the report over a store that nobody has read yet: metadata in any other form is left to `read_row`.
    """
    axes, lineage = metadata.get(CLASSIFICATION_KEY), metadata.get(LINEAGE_KEY)
    quality, area = metadata.get(QUALITY_KEY), metadata.get("area")
    if type(axes) is not dict or type(lineage) is not dict or not isinstance(area, str) or quality:
        return None
    try:
        validity, source = _VALIDITIES[axes["validity"]], _SOURCES[axes["source"]]
        created, accessed = _raw_seconds(lineage["created_at"]), lineage["last_accessed"]
        touched = NEVER if accessed is None else _raw_seconds(accessed)
        superseded_by = lineage["superseded_by"]
        is_whole = axes["utility"] in _UTILITIES and axes["relevance"] in _RELEVANCES
        pointers = (superseded_by, lineage.get("deprecated_reason"))
    except (KeyError, TypeError, ValueError):
        return None
    if not is_whole or not all(pointer is None or isinstance(pointer, str) for pointer in pointers):
        return None
    is_solution = area == "solutions"
    return QualityRow(
        kind=text_type(text, is_solution=is_solution),
        origin=origin_by_axis(source, is_solution=is_solution),
        confidence=confidence_by_axes(validity, source, is_solution=is_solution),
        conflict_risk=0.0,
        created=created,
        validated=NEVER,
        touched=touched,
        is_superseded=validity is Validity.DEPRECATED or superseded_by is not None,
        has_errors=False,
        is_forgotten=False,
        is_known=True,
        is_echo=lineage.get("deprecated_reason") == ECHO_RULE,
        is_duplicate=lineage.get("deprecated_reason") in DUPLICATE_RULES,
        is_vouched_for=_is_vouched_for(validity, source),
    )


_VALIDITIES = {validity.value: validity for validity in Validity}
_SOURCES = {source.value: source for source in Source}
_UTILITIES = frozenset(utility.value for utility in Utility)
_RELEVANCES = frozenset(relevance.value for relevance in Relevance)


def _is_vouched_for(validity: Validity, source: Source) -> bool:
    return validity is Validity.CONFIRMED or source is Source.USER_ASSERTED


def _raw_seconds(value: str) -> float:
    """Return the seconds of a stored time; raises ValueError where it has no offset."""
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError(f"{value} has no offset")
    return moment.timestamp()


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
