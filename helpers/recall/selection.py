"""The candidates of a recall, which of them enter the prompt, their order and their form. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..clock import EPOCH
from ..ledger.lifecycle import SOURCE_PRIORITY
from ..records import Memory, Source, Utility, said_at
from ..setting_groups import RankingMode
from ..texts import Mark, without_directives, without_marks
from .plan import RecallPlan

INJECTED = "injected"
_FIGURES, _DIGITS = ("score", "similarity", "likely", "coverage", "relevance", "share", "recency"), 6
_TIER = {Utility.LOAD_BEARING: 0, Utility.TACTICAL: 1, Utility.ARCHIVED: 2}

#: The source of a memory, in a word.
SOURCE_WORDS = {
    Source.USER_ASSERTED: "user",
    Source.BOOKSHELF_DOCUMENT: "document",
    Source.EXTERNAL_RETRIEVED: "tool",
    Source.AGENT_INFERRED: "agent",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that may enter the prompt, with its figures from the searches and the stages of a recall.

    `similarity` is on the host's scale, (1 + cosine) / 2; `likely` the probability that it bears on the message by
    itself, `coverage` the share of the message's words that it holds, `lexical` their BM25, `kinship` the cosine to the
    one with most evidence. `is_found`: a search found it, or it stands beside a found one. `relevance` is 1 for the
    best; `share` the probability that it is the answer, if anything is; `lender` the memory beside it whose relevance
    it shares. `score` is the final score, with the `boost`. All but `lexical` are in 0..1.
    """

    memory: Memory
    similarity: float = 0.0
    is_found: bool = True
    likely: float = 0.0
    coverage: float = 0.0
    lexical: float = 0.0
    kinship: float = 0.0
    quality: float = 0.0
    relevance: float = 0.0
    share: float = 0.0
    lender: str | None = None
    recency: float = 0.0
    score: float = 0.0
    boost: float = 0.0

    @property
    def is_archived(self) -> bool:
        """Whether it is in use and archived."""
        axes = self.memory.classification
        return axes is not None and axes.utility is Utility.ARCHIVED


#: A candidate that stays out of the prompt, and the reason.
LeftOut = tuple[Candidate, str]
Rank = tuple[float | int | str, ...]
Order = Callable[[Candidate], Rank]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The candidates that enter the prompt, in order, and the others with the reason.

    `uses_words` and `uses_meaning` tell which searches took part, `likely`, in 0..1, the probability that any candidate
    bears on the message, if the words took part. Nobody can say which of the `contested` holds; those in `possible`
    only look contradictory. `past` maps an id to the time in which the memory held, `doubted` to the reason of a doubt.
    """

    memories: tuple[Candidate, ...] = ()
    solutions: tuple[Candidate, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    uses_words: bool = False
    uses_meaning: bool = True
    likely: float | None = None
    contested: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    past: Mapping[str, str] = field(default_factory=dict)
    doubted: Mapping[str, str] = field(default_factory=dict)

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        """The candidates that enter the prompt, memories first."""
        return (*self.memories, *self.solutions)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the candidates that enter the prompt."""
        return tuple(candidate.memory.id for candidate in self.chosen)

    @property
    def by_score(self) -> list[Candidate]:
        """The candidates that enter the prompt, the best first."""
        return sorted(self.chosen, key=lambda candidate: (-candidate.score, candidate.memory.id))

    @property
    def considered(self) -> tuple[Candidate, ...]:
        """All candidates, those that enter the prompt first."""
        return (*self.chosen, *(candidate for candidate, _ in self.left_out))

    def holding(
        self, memories: Iterable[Candidate], limit: int, more: Iterable[Candidate] = (), **changes: Any
    ) -> Selection:
        """Return the selection with other `memories` and `changes`; the other candidates are over the `limit`."""
        kept = {candidate.memory.id: candidate for candidate in memories}
        left = {candidate.memory.id: (candidate, why) for candidate, why in self.left_out}
        for candidate in (*self.memories, *more):
            left.setdefault(candidate.memory.id, (candidate, f"over the cap of {limit}"))
        left_out = tuple(pair for name, pair in left.items() if name not in kept)
        return replace(self, memories=tuple(kept.values()), left_out=left_out, **changes)


def select(scored: Iterable[Candidate], *, by: Order, shown: Order, limit: int, solution_limit: int) -> Selection:
    """Return the first `limit` by the order `by`, at most `solution_limit` of them solutions, ordered as `shown`."""
    chosen: list[Candidate] = []
    solutions = 0
    left_out: list[LeftOut] = []
    for candidate in sorted(scored, key=by):
        if len(chosen) >= limit:
            left_out.append((candidate, f"over the cap of {limit}"))
        elif candidate.memory.is_solution and solutions >= solution_limit:
            left_out.append((candidate, f"over the cap of {solution_limit} solutions"))
        else:
            solutions += candidate.memory.is_solution
            chosen.append(candidate)
    chosen.sort(key=shown)
    return Selection(
        memories=tuple(candidate for candidate in chosen if not candidate.memory.is_solution),
        solutions=tuple(candidate for candidate in chosen if candidate.memory.is_solution),
        left_out=tuple(left_out),
    )


def score_order(candidate: Candidate) -> Rank:
    """Sort key: score, then what a tie leaves open; the id makes the order total."""
    return (-candidate.score, *_tie(candidate))


def utility_order(candidate: Candidate) -> Rank:
    """Sort key: tier, score to two digits, source priority, quality, access count, recency, id."""
    return (_tier(candidate), -round(candidate.score, 2), *_tie(candidate))


def access_order(candidate: Candidate) -> Rank:
    """Sort key: tier, access count, score, source priority, recency, id: the classification's own ranking."""
    lineage = candidate.memory.lineage
    return (_tier(candidate), -(lineage.access_count if lineage is not None else 0), -candidate.score, *_tie(candidate))


def _tier(candidate: Candidate) -> int:
    axes = candidate.memory.classification
    return _TIER[axes.utility if axes is not None else Utility.TACTICAL]


def _tie(candidate: Candidate) -> Rank:
    """Source priority, quality, access count, recency, id; an unclassified memory comes last."""
    axes, lineage = candidate.memory.classification, candidate.memory.lineage
    if axes is None or lineage is None:
        return (len(SOURCE_PRIORITY), 0.0, 0, 0.0, candidate.memory.id)
    accessed = ((lineage.last_accessed or lineage.created_at) - EPOCH).total_seconds()
    return (SOURCE_PRIORITY[axes.source], -candidate.quality, -lineage.access_count, -accessed, candidate.memory.id)


#: The orders in which memories are selected, and in which they are shown.
ORDERS: Mapping[RankingMode, tuple[Order, Order]] = {
    RankingMode.SELECT_BY_SCORE: (score_order, utility_order),
    RankingMode.TIERED: (utility_order, utility_order),
    RankingMode.SCORE: (score_order, score_order),
}


def explain(plan: RecallPlan, selection: Selection) -> dict[str, Any]:
    """Return the plan and every candidate, the injected ones first, as plain JSON values."""
    return {
        "query": plan.query,
        "variants": [{"name": variant.name, "text": variant.text} for variant in plan.variants],
        "domain": plan.domain,
        "uses_words": selection.uses_words,
        "uses_meaning": selection.uses_meaning,
        **({} if selection.likely is None else {"likely": round(selection.likely, _DIGITS)}),
        "ranking": plan.settings.ranking_mode.value if plan.is_enhanced else "classification",
        "threshold": plan.limits.threshold,
        "limit": plan.limits.injected,
        "solution_limit": plan.limits.solutions,
        "candidates": [
            *(_describe(chosen, INJECTED, selection.past.get(chosen.memory.id)) for chosen in selection.chosen),
            *(_describe(candidate, reason) for candidate, reason in selection.left_out),
        ],
    }


def _describe(candidate: Candidate, outcome: str, past: str | None = None) -> dict[str, Any]:
    return {
        "id": candidate.memory.id,
        "outcome": outcome,
        **({} if past is None else {"past": past}),
        **{name: round(getattr(candidate, name), _DIGITS) for name in _FIGURES},
        "quality": candidate.quality,
        "boost": candidate.boost,
        "is_found": candidate.is_found,
        "lender": candidate.lender,
    }


def join_texts(scored: Sequence[Candidate], selection: Selection = Selection()) -> str:
    """Return the texts in the host's template: joined by blank lines, without directives and marks of their own.

    Marks stand before them: "[contested, 2026-03-01 user] The port is 8080.", "[at odds? 2026-03-01 user] ..." if that
    is only possible, "[past, 2026-03-01 to 2026-06-12] The user lives in Hamburg.", and for a doubted one "[outdated?
    derived from what was replaced] ...".
    """
    at_odds = [candidate.memory for candidate in scored if candidate.memory.id in selection.contested]
    return "\n\n".join(without_directives(_mark(candidate.memory, at_odds, selection)) for candidate in scored)


def _mark(memory: Memory, at_odds: Sequence[Memory], selection: Selection) -> str:
    """Return the text of a memory; with its date if it contradicts another, and its time if both are of one day."""
    text, moment = mark_outdated(memory), said_at(memory)
    if memory.id in selection.past:
        return f"[{Mark.PAST}, {selection.past[memory.id]}] {text}"
    if memory not in at_odds:
        doubt = selection.doubted.get(memory.id)
        return f"[{Mark.OUTDATED}? {doubt}] {text}" if doubt else text
    source = SOURCE_WORDS[memory.classification.source] if memory.classification is not None else "unknown"
    if memory.id in selection.possible:
        return f"[{Mark.POSSIBLE} {moment:%Y-%m-%d} {source}] {text}"
    days = [said_at(contested).date() for contested in at_odds]
    date = f"{moment:%Y-%m-%d %H:%M}" if days.count(moment.date()) > 1 else f"{moment:%Y-%m-%d}"
    return f"[{Mark.CONTESTED}, {date} {source}] {text}"


def mark_outdated(memory: Memory) -> str:
    """Return the text of `memory` with its outdated parts in brackets: "[outdated: the port is 8080]".

    Nothing else in it looks like a mark.
    """
    shown, rest = "", 0
    for start, stop in _outdated_spans(memory):
        part = without_marks(memory.text[start:stop])
        shown += f"{without_marks(memory.text[rest:start])}[{Mark.OUTDATED}: {part}]"
        rest = stop
    return shown + without_marks(memory.text[rest:])


def _outdated_spans(memory: Memory) -> list[tuple[int, int]]:
    """Return the spans of the outdated parts; those that overlap are joined."""
    parts = memory.lineage.outdated_parts if memory.lineage is not None else ()
    spans: list[tuple[int, int]] = []
    for start, stop in sorted(filter(None, (_find_part(part.text, memory.text) for part in parts))):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        else:
            spans.append((start, stop))
    return spans


def _find_part(part: str, text: str) -> tuple[int, int] | None:
    """Return the span of a part: as words of its own, unless the script writes no spaces."""
    place = re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) or re.search(re.escape(part), text)
    return place.span() if place is not None and part else None
