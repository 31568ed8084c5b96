"""Which of the scored memories enter the prompt, in which order, and how (C-54, C-57, C-58, T-04, T-53). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..clock import EPOCH
from ..ledger.lifecycle import SOURCE_PRIORITY
from ..marks import Mark, without_directives, without_marks
from ..records import Memory, Source, Utility, said_at
from ..setting_groups import RankingMode
from .candidates import Scored

_TIER = {Utility.LOAD_BEARING: 0, Utility.TACTICAL: 1, Utility.ARCHIVED: 2}

#: Who said a memory, in a word.
SOURCE_WORDS = {
    Source.USER_ASSERTED: "user",
    Source.BOOKSHELF_DOCUMENT: "document",
    Source.EXTERNAL_RETRIEVED: "tool",
    Source.AGENT_INFERRED: "agent",
}

Rank = tuple[float | int | str, ...]
Order = Callable[[Scored], Rank]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What enters the prompt, in order, and what was found but left out, with the reason.

    `uses_words` and `uses_meaning` tell which searches took part, `likely`, in 0..1, how likely anything that was found
    bears on the message, if the words took part. Of those in `contested` nobody can say which holds; those in
    `possible` only look so. What is `past` no longer holds: by its id, when it did; what is `doubted`: by its id, why.
    """

    memories: tuple[Scored, ...] = ()
    solutions: tuple[Scored, ...] = ()
    left_out: tuple[tuple[Scored, str], ...] = ()
    uses_words: bool = False
    uses_meaning: bool = True
    likely: float | None = None
    contested: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    past: Mapping[str, str] = field(default_factory=dict)
    doubted: Mapping[str, str] = field(default_factory=dict)

    @property
    def chosen(self) -> tuple[Scored, ...]:
        """Everything that enters the prompt, memories first."""
        return (*self.memories, *self.solutions)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of everything that enters the prompt."""
        return tuple(one.memory.id for one in self.chosen)

    @property
    def by_score(self) -> list[Scored]:
        """Everything that enters the prompt, the best first."""
        return sorted(self.chosen, key=lambda one: (-one.score, one.memory.id))

    @property
    def considered(self) -> tuple[Scored, ...]:
        """Everything that was found, what enters the prompt first."""
        return (*self.chosen, *(one for one, _ in self.left_out))

    def holding(self, memories: Iterable[Scored], limit: int, more: Iterable[Scored] = (), **told: Any) -> Selection:
        """Return the same with other `memories`, and what is `told` of them; what else there is, was over `limit`."""
        kept = {one.memory.id: one for one in memories}
        left = {one.memory.id: (one, why) for one, why in self.left_out}
        for one in (*self.memories, *more):
            left.setdefault(one.memory.id, (one, f"over the cap of {limit}"))
        left_out = tuple(pair for name, pair in left.items() if name not in kept)
        return replace(self, memories=tuple(kept.values()), left_out=left_out, **told)


def select(scored: Iterable[Scored], *, by: Order, shown: Order, limit: int, solution_limit: int) -> Selection:
    """Take the first `limit` by the order `by`, at most `solution_limit` of them solutions; order them as `shown`."""
    chosen: list[Scored] = []
    solutions = 0
    left_out: list[tuple[Scored, str]] = []
    for one in sorted(scored, key=by):
        if len(chosen) >= limit:
            left_out.append((one, f"over the cap of {limit}"))
        elif one.memory.is_solution and solutions >= solution_limit:
            left_out.append((one, f"over the cap of {solution_limit} solutions"))
        else:
            solutions += one.memory.is_solution
            chosen.append(one)
    chosen.sort(key=shown)
    return Selection(
        memories=tuple(one for one in chosen if not one.memory.is_solution),
        solutions=tuple(one for one in chosen if one.memory.is_solution),
        left_out=tuple(left_out),
    )


def orders_of(mode: RankingMode) -> tuple[Order, Order]:
    """Return by which order memories are selected, and in which they are shown (T-04)."""
    return {
        RankingMode.SELECT_BY_SCORE: (score_order, utility_order),
        RankingMode.TIERED: (utility_order, utility_order),
        RankingMode.SCORE: (score_order, score_order),
    }[mode]


def score_order(one: Scored) -> Rank:
    """Sort key: score, then what a tie leaves open; the id makes the order total."""
    return (-one.score, *_tie(one))


def utility_order(one: Scored) -> Rank:
    """Sort key: tier, score to two digits, source priority, quality, access count, recency, id (T-04)."""
    return (_tier(one), -round(one.score, 2), *_tie(one))


def access_order(one: Scored) -> Rank:
    """Sort key: tier, access count, score, source priority, recency, id: the classification's own ranking (C-94)."""
    lineage = one.memory.lineage
    return (_tier(one), -(lineage.access_count if lineage is not None else 0), -one.score, *_tie(one))


def _tier(one: Scored) -> int:
    axes = one.memory.classification
    return _TIER[axes.utility if axes is not None else Utility.TACTICAL]


def _tie(one: Scored) -> Rank:
    """Source priority, quality, access count, recency, id; what is not classified yet comes after what is."""
    axes, lineage = one.memory.classification, one.memory.lineage
    if axes is None or lineage is None:
        return (len(SOURCE_PRIORITY), 0.0, 0, 0.0, one.memory.id)
    accessed = ((lineage.last_accessed or lineage.created_at) - EPOCH).total_seconds()
    return (SOURCE_PRIORITY[axes.source], -one.candidate.quality, -lineage.access_count, -accessed, one.memory.id)


def join_texts(scored: Sequence[Scored], selection: Selection = Selection()) -> str:
    """Return the texts as the host puts them into its template: joined by blank lines, no directive or mark in them.

    Before them stand marks: "[contested, 2026-03-01 user] The port is 8080." (C-96), "[at odds? 2026-03-01 user] ..."
    if that is only possible, "[past, 2026-03-01 to 2026-06-12] The user lives in Hamburg." (C-51), and for what is
    doubted "[outdated? derived from what was replaced] ...".
    """
    at_odds = [one.memory for one in scored if one.memory.id in selection.contested]
    return "\n\n".join(without_directives(_mark(one.memory, at_odds, selection)) for one in scored)


def _mark(memory: Memory, at_odds: Sequence[Memory], selection: Selection) -> str:
    """Return the text of a memory with its date, if it is at odds with another; with the time if one of that day is."""
    text, at = mark_outdated(memory), said_at(memory)
    if memory.id in selection.past:
        return f"[{Mark.PAST}, {selection.past[memory.id]}] {text}"
    if memory not in at_odds:
        doubt = selection.doubted.get(memory.id)
        return f"[{Mark.OUTDATED}? {doubt}] {text}" if doubt else text
    source = SOURCE_WORDS[memory.classification.source] if memory.classification is not None else "unknown"
    if memory.id in selection.possible:
        return f"[{Mark.POSSIBLE} {at:%Y-%m-%d} {source}] {text}"
    days = [said_at(one).date() for one in at_odds]
    moment = f"{at:%Y-%m-%d %H:%M}" if days.count(at.date()) > 1 else f"{at:%Y-%m-%d}"
    return f"[{Mark.CONTESTED}, {moment} {source}] {text}"


def mark_outdated(memory: Memory) -> str:
    """Return the text of `memory` with what no longer holds in brackets: "[outdated: the port is 8080]" (C-43).

    Nothing else in it looks like a mark.
    """
    shown, rest = "", 0
    for start, stop in _outdated_spans(memory):
        part = without_marks(memory.text[start:stop])
        shown += f"{without_marks(memory.text[rest:start])}[{Mark.OUTDATED}: {part}]"
        rest = stop
    return shown + without_marks(memory.text[rest:])


def _outdated_spans(memory: Memory) -> list[tuple[int, int]]:
    """Return where the parts that no longer hold stand, those that overlap as one."""
    parts = memory.lineage.outdated_parts if memory.lineage is not None else ()
    found: list[tuple[int, int]] = []
    for start, stop in sorted(filter(None, (_find_part(part.text, memory.text) for part in parts))):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        else:
            found.append((start, stop))
    return found


def _find_part(part: str, text: str) -> tuple[int, int] | None:
    """Return where a part stands: as words of its own, unless the script writes no spaces."""
    place = re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) or re.search(re.escape(part), text)
    return place.span() if place is not None and part else None
