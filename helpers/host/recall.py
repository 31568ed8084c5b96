"""One recall over one store: search among those that may take part, then choose (C-54 ... C-58, T-52)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ..recall.eligibility import RoleDomains
from ..recall.select import Candidate, Selection, select_tiered
from ..records import Memory
from .columns import MEMORY_AREA, SOLUTION_AREA
from .index import Vector
from .store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLimits:
    """How much one recall looks at and lets through; the defaults are the host's own (contract, section 7).

    `threshold` is on the host's scale, (1 + cosine) / 2, in 0..1. `injected` is the total over memories and solutions,
    `solutions` how many of them may be solutions (T-53).
    """

    threshold: float = 0.7
    searched_memories: int = 12
    searched_solutions: int = 8
    injected: int = 8
    solutions: int = 3


def recall(
    store: Store,
    query: Vector,
    limits: RecallLimits,
    *,
    allowed: frozenset[str] | None = None,
    role_domains: RoleDomains = lambda role_id: frozenset(),
    is_admitted: Callable[[Memory], bool] = lambda memory: True,
) -> Selection:
    """Return what of `store` enters the prompt for a query vector of shape (d,); changes nothing.

    What is not admitted is left out after the search, and named as such.
    """
    candidates: list[Candidate] = []
    refused: list[tuple[Candidate, str]] = []
    for area, count in ((MEMORY_AREA, limits.searched_memories), (SOLUTION_AREA, limits.searched_solutions)):
        with store.lock:
            store.refresh_positions()
            hits = store.index.search(query, count, store.columns.eligible(area, allowed, role_domains))
        for memory_id, similarity in hits:
            memory = store.read(memory_id)
            if memory is not None and similarity >= limits.threshold:
                found = Candidate(memory, similarity)
                if is_admitted(memory):
                    candidates.append(found)
                else:
                    refused.append((found, "left out by the host's own recall"))
    selection = select_tiered(candidates, limit=limits.injected, solution_limit=limits.solutions)
    return replace(selection, left_out=(*selection.left_out, *refused))
