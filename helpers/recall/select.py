"""Which of the memories found enter the prompt, and in which order (C-54, C-57, C-58, T-53). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..clock import EPOCH
from ..records import Memory, Source, Utility

_TIER = {Utility.LOAD_BEARING: 0, Utility.TACTICAL: 1, Utility.ARCHIVED: 2}
_SOURCE_PRIORITY = {
    Source.USER_ASSERTED: 0,
    Source.BOOKSHELF_DOCUMENT: 1,
    Source.EXTERNAL_RETRIEVED: 2,
    Source.AGENT_INFERRED: 3,
}


# The host expands "{{ ... }}" alone; "{% ... %}" is what other template engines read.
_INSIDE_MARK = re.compile(r"(?<=\{)(?=[{%])|(?<=[}%])(?=\})")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that the search found; `similarity` is on the host's scale, (1 + cosine) / 2, in 0..1."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What enters the prompt, in order, and what was found but left out, with the reason."""

    memories: tuple[Candidate, ...] = ()
    solutions: tuple[Candidate, ...] = ()
    left_out: tuple[tuple[Candidate, str], ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of everything that enters the prompt."""
        return tuple(one.memory.id for one in (*self.memories, *self.solutions))


def select_tiered(candidates: Iterable[Candidate], *, limit: int, solution_limit: int) -> Selection:
    """Order by utility class, then by access count, and cut to `limit` in all, `solution_limit` of them solutions."""
    ranked = sorted(candidates, key=tier_order)
    memories: list[Candidate] = []
    solutions: list[Candidate] = []
    left_out: list[tuple[Candidate, str]] = []
    for one in ranked:
        if len(memories) + len(solutions) >= limit:
            left_out.append((one, f"over the cap of {limit}"))
        elif not one.memory.is_solution:
            memories.append(one)
        elif len(solutions) < solution_limit:
            solutions.append(one)
        else:
            left_out.append((one, f"over the cap of {solution_limit} solutions"))
    return Selection(memories=tuple(memories), solutions=tuple(solutions), left_out=tuple(left_out))


def tier_order(candidate: Candidate) -> tuple[int, int, float, int, float, str]:
    """Sort key: tier, access count, similarity, source priority, recency, id; the id makes the order total (T-04)."""
    axes, lineage = candidate.memory.classification, candidate.memory.lineage
    if axes is None or lineage is None:
        return (_TIER[Utility.TACTICAL], 0, -candidate.similarity, len(_SOURCE_PRIORITY), 0.0, candidate.memory.id)
    return (
        _TIER[axes.utility],
        -lineage.access_count,
        -candidate.similarity,
        _SOURCE_PRIORITY[axes.source],
        -_seconds(lineage.last_accessed or lineage.created_at),
        candidate.memory.id,
    )


def join_texts(candidates: Sequence[Candidate]) -> str:
    """Return the texts as the host puts them into its template: joined by blank lines, directives neutralised."""
    return "\n\n".join(neutralize(mark_outdated(one.memory)) for one in candidates)


def mark_outdated(memory: Memory) -> str:
    """Return the text of `memory` with what no longer holds in brackets: "[outdated: the port is 8080]" (C-43)."""
    text = memory.text
    for part in memory.lineage.outdated_parts if memory.lineage is not None else ():
        text = text.replace(part.text, f"[outdated: {part.text}]", 1)
    return text


def neutralize(text: str) -> str:
    """Return `text` so that no template directive survives in it, and a person reads the same (T-62).

    A zero-width space goes into every mark of a directive, however long a run of braces is.
    """
    return _INSIDE_MARK.sub("\u200b", text)


def _seconds(moment: datetime) -> float:
    return (moment - EPOCH).total_seconds()
