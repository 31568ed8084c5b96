"""How age lowers a score (E-19 ... E-23, T-50, T-51). Pure."""

from __future__ import annotations

import math
from datetime import datetime

from ..records import Memory
from ..setting_groups import TemporalDecay

_SECONDS_PER_HOUR = 3600.0


def measure_recency(memory: Memory, now: datetime, decay: TemporalDecay) -> float:
    """Return 1 for what is new or exempt, a half after `half_life_hours` without access, never less than the floor."""
    axes, lineage = memory.classification, memory.lineage
    if axes is not None and (
        axes.utility in decay.exempt_utilities
        or axes.source in decay.exempt_sources
        or axes.validity in decay.exempt_validities
    ):
        return 1.0
    since = memory.created_at if lineage is None else lineage.last_accessed or lineage.created_at
    hours = max(0.0, (now - since).total_seconds() / _SECONDS_PER_HOUR)
    return max(decay.min_recency_score, math.exp(-math.log(2.0) * hours / decay.half_life_hours))


def blend(relevance: float, recency: float, decay: TemporalDecay) -> float:
    """Return the final score of E-19; with the decay switched off, the relevance (E-83)."""
    if not decay.enabled:
        return relevance
    return (1.0 - decay.decay_weight) * relevance + decay.decay_weight * recency
