"""From what the searches found to what enters the prompt: the stages of one recall, in their order (E-07). Pure.

The noise gate comes first: nothing is injected without evidence, and nothing is a good answer (T-66). One memory must
be likely to bear on the message: a relative score cannot tell the best of nothing from an answer. Then the best enters,
and what else has a share of the relevance that counts, is likely by itself, since of two questions in one message
either has its answer, or says nearly the same, since it may be the newer of the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..quality.relationships import neighbours_of
from ..records import Memory
from ..setting_groups import NoiseGate, TemporalDecay
from .plan import HOSTS_THRESHOLD, RecallPlan
from .selection import ORDERS, Candidate, LeftOut, Order, Selection, access_order, select

#: Why a memory that was found is left out.
NO_EVIDENCE = "no memory has enough to do with the message"
TOO_LITTLE = "too little to do with the message"
ARCHIVED = "archived, and another memory answers better"

#: So likely by itself, or so near the best, a memory needs no share; less than this part of the likeliest is chance.
_BY_ITSELF, _NEAR, _LEAST_LIKELY = 0.9, 0.8, 0.3
_SECONDS_PER_HOUR = 3600.0


def rank(candidates: Sequence[Candidate], plan: RecallPlan, likely: float = 1.0) -> Selection:
    """Return what of `candidates` enters the prompt, if any of them is `likely` enough, in 0..1.

    Equal input gives equal output, in whatever order it comes.
    """
    scored = [_score(candidate, plan) for candidate in sorted(candidates, key=lambda one: one.memory.id)]
    gate, threshold = plan.settings.noise_gate, plan.limits.threshold if plan.uses_meaning else 0.0
    kept, refused = split_by_evidence(scored, likely, gate, threshold, uses_words=plan.uses_words)
    if plan.uses_words:
        # C-57, T-04: what is archived enters only if no memory in use answers better
        least = max((candidate.relevance for candidate in kept if not candidate.is_archived), default=0.0)
        kept, outdone = _split(kept, lambda one: not one.is_archived or one.relevance >= least, ARCHIVED)
        refused += outdone
    if plan.is_enhanced:
        by, shown = ORDERS[plan.settings.ranking_mode]
        kept = _boost_related(kept, plan, by)
    else:
        by = shown = access_order
    selection = select(kept, by=by, shown=shown, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    return replace(
        selection,
        left_out=(*selection.left_out, *sorted(refused, key=lambda one: by(one[0]))),
        uses_words=plan.uses_words,
        uses_meaning=plan.uses_meaning,
        likely=likely if plan.uses_words else None,
    )


def split_by_evidence(
    scored: Sequence[Candidate], likely: float, gate: NoiseGate, threshold: float, *, uses_words: bool
) -> tuple[list[Candidate], list[LeftOut]]:
    """Return what may enter the prompt, and what may not with the reason, in the order given.

    `likely` is how likely any of them bears on the message, in 0..1. By meaning alone, without `uses_words`, the least
    similarity is the `threshold`, on the host's scale (E-80); so it is where somebody asks for a nearer meaning than
    the host does by itself (E-04).
    """
    if not gate.enabled:
        return list(scored), []
    passing = {candidate.memory.id for candidate in scored}
    if uses_words:
        passing = _list_answers(scored, gate.least_share) if likely >= gate.least_likely else set()
    if not uses_words or threshold > HOSTS_THRESHOLD:
        passing &= {candidate.memory.id for candidate in scored if candidate.similarity >= threshold}
    return _split(scored, lambda one: one.memory.id in passing, TOO_LITTLE if passing else NO_EVIDENCE)


def _split(
    scored: Iterable[Candidate], stays: Callable[[Candidate], bool], reason: str
) -> tuple[list[Candidate], list[LeftOut]]:
    kept, refused = list[Candidate](), list[LeftOut]()
    for candidate in scored:
        if stays(candidate):
            kept.append(candidate)
        else:
            refused.append((candidate, reason))
    return kept, refused


def _list_answers(scored: Sequence[Candidate], least_share: float) -> set[str]:
    """Return the ids of what may be what the message asks for."""
    found = [candidate for candidate in scored if candidate.likely > 0.0]
    best, likeliest = (max((getattr(one, name) for one in found), default=0.0) for name in ("share", "likely"))
    return {
        one.memory.id
        for one in found
        if one.share == best
        or one.likely >= _BY_ITSELF
        or (one.likely >= _LEAST_LIKELY * likeliest and (one.share >= least_share or one.kinship >= _NEAR))
    }


def _score(one: Candidate, plan: RecallPlan) -> Candidate:
    """Return a candidate with its score: by relevance, if the words took part, else by similarity; and by its age."""
    if not plan.is_enhanced:
        return replace(one, relevance=one.similarity, recency=1.0, score=one.similarity)
    decay, weight = plan.settings.temporal_decay, plan.settings.quality.ranking_weight
    relevance = one.relevance if plan.uses_words else one.similarity
    recency = measure_recency(one.memory, plan.now, decay)
    score = blend(relevance, recency, decay) * (1.0 - weight * (1.0 - one.quality))
    return replace(one, relevance=relevance, recency=recency, score=score)


def measure_recency(memory: Memory, now: datetime, decay: TemporalDecay) -> float:
    """Return 1 for what is new or exempt, a half after `half_life_hours` without access, never less than the floor.

    How age lowers a score (E-19 ... E-23, T-50, T-51).
    """
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


def _boost_related(scored: list[Candidate], plan: RecallPlan, by: Order) -> list[Candidate]:
    """Raise what a selected memory is linked to, by maintenance or by a person, and the cut would leave out, once."""
    related = plan.settings.related_memories
    if not related.enabled or related.related_boost == 0.0:
        return scored
    first = select(scored, by=by, shown=by, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    most, boost = related.max_related_per_memory, related.related_boost
    linked = {linked for one in first.chosen for linked in neighbours_of(one.memory)[:most]} - set(first.ids)
    return [replace(one, score=one.score + boost, boost=boost) if one.memory.id in linked else one for one in scored]
