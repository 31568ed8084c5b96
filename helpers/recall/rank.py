"""From what the searches found to what enters the prompt: the stages of one recall, in their order (E-07). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..records import Utility
from .candidates import Candidate, Scored
from .decay import blend, measure_recency
from .gate import split_by_evidence
from .models import read_models
from .plan import RecallPlan
from .relevance import RelevanceScore, measure_relevance
from .select import Order, Selection, access_order, orders_of, select

#: Why a memory that is archived is left out.
ARCHIVED = "archived, and another memory answers better"


def rank(candidates: Sequence[Candidate], plan: RecallPlan, likely: float = 1.0) -> Selection:
    """Return what of `candidates` enters the prompt, if any of them is `likely` enough, in 0..1.

    Equal input gives equal output, in whatever order it comes.
    """
    ordered = sorted(candidates, key=lambda one: one.memory.id)
    scored = _score(ordered, plan)
    gate, threshold = plan.settings.noise_gate, plan.limits.threshold if plan.uses_meaning else 0.0
    kept, refused = split_by_evidence(scored, likely, gate, threshold, uses_words=plan.uses_words)
    if plan.uses_words:
        kept, outdone = _set_archived_aside(kept)
        refused = [*refused, *outdone]
    if plan.is_enhanced:
        by, shown = orders_of(plan.settings.ranking_mode)
        kept = _boost_related(kept, plan, by)
    else:
        by = shown = access_order
    selection = select(kept, by=by, shown=shown, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    left_out = (*selection.left_out, *sorted(refused, key=lambda one: by(one[0])))
    selection = replace(selection, uses_words=plan.uses_words, uses_meaning=plan.uses_meaning)
    return replace(selection, left_out=left_out, likely=likely if plan.uses_words else None)


def _set_archived_aside(scored: Sequence[Scored]) -> tuple[list[Scored], list[tuple[Scored, str]]]:
    """Return `scored` without what is archived and less relevant than a memory in use, and these (C-57, T-04)."""
    least = max((one.relevance for one in scored if not _is_archived(one)), default=0.0)
    kept = [one for one in scored if not _is_archived(one) or one.relevance >= least]
    return kept, [(one, ARCHIVED) for one in scored if _is_archived(one) and one.relevance < least]


def _is_archived(one: Scored) -> bool:
    axes = one.memory.classification
    return axes is not None and axes.utility is Utility.ARCHIVED


def _score(candidates: Sequence[Candidate], plan: RecallPlan) -> list[Scored]:
    if not plan.is_enhanced:
        return [
            Scored(candidate=one, relevance=one.similarity, recency=1.0, score=one.similarity) for one in candidates
        ]
    decay, weight = plan.settings.temporal_decay, plan.settings.quality.ranking_weight
    measured = (
        measure_relevance(candidates, plan.query, read_models().order)
        if plan.uses_words
        else [RelevanceScore(one.similarity) for one in candidates]
    )
    scored = []
    for one, relevance in zip(candidates, measured, strict=True):
        recency = measure_recency(one.memory, plan.now, decay)
        score = blend(relevance.value, recency, decay)
        scored.append(
            Scored(
                candidate=one,
                relevance=relevance.value,
                recency=recency,
                score=score * (1.0 - weight * (1.0 - one.quality)),
                share=relevance.share,
                lender=relevance.lender,
            )
        )
    return scored


def _boost_related(scored: list[Scored], plan: RecallPlan, by: Order) -> list[Scored]:
    """Raise what a selected memory is linked to and the cut would leave out, once each (E-34, E-86)."""
    related = plan.settings.related_memories
    if not related.enabled or related.related_boost == 0.0:
        return scored
    first = select(scored, by=by, shown=by, limit=plan.limits.injected, solution_limit=plan.limits.solutions)
    lineages = (one.memory.lineage for one in first.chosen)
    most, boost = related.max_related_per_memory, related.related_boost
    linked = {one for each in lineages if each is not None for one in each.related_memory_ids[:most]} - set(first.ids)
    return [replace(one, score=one.score + boost, boost=boost) if one.memory.id in linked else one for one in scored]
