"""What one recall did, for a person: every candidate with its figures, what was cut and by which rule. Pure."""

from __future__ import annotations

from typing import Any

from .candidates import Scored
from .plan import RecallPlan
from .select import Selection

INJECTED = "injected"
_DIGITS = 6


def explain(plan: RecallPlan, selection: Selection) -> dict[str, Any]:
    """Return the plan and every candidate, what was injected first, as plain JSON values."""
    return {
        "query": plan.query,
        "variants": [{"name": one.name, "text": one.text} for one in plan.variants],
        "domain": plan.domain,
        "uses_words": selection.uses_words,
        "uses_meaning": selection.uses_meaning,
        **({} if selection.likely is None else {"likely": round(selection.likely, _DIGITS)}),
        "ranking": plan.settings.ranking_mode.value if plan.is_enhanced else "classification",
        "threshold": plan.limits.threshold,
        "limit": plan.limits.injected,
        "solution_limit": plan.limits.solutions,
        "candidates": [
            *(_describe(one, INJECTED, selection.past.get(one.memory.id)) for one in selection.chosen),
            *(_describe(one, reason) for one, reason in selection.left_out),
        ],
    }


def _describe(one: Scored, outcome: str, past: str | None = None) -> dict[str, Any]:
    found = one.candidate
    return {
        "id": one.memory.id,
        "outcome": outcome,
        **({} if past is None else {"past": past}),
        "score": round(one.score, _DIGITS),
        "similarity": round(found.similarity, _DIGITS),
        "likely": round(found.evidence.likely, _DIGITS),
        "coverage": round(found.evidence.coverage, _DIGITS),
        "relevance": round(one.relevance, _DIGITS),
        "share": round(one.share, _DIGITS),
        "recency": round(one.recency, _DIGITS),
        "quality": found.quality,
        "boost": one.boost,
        "is_found": found.is_found,
        "lender": one.lender,
    }
