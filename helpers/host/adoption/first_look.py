"""The first look at a full store: what the rules would retire is listed, and retired once a person says so.

`design.md`, Storage: nothing of what was there before the pack is retired unasked, and nothing new is held up.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ledger.changes import Supersede, Withdraw
from ...ledger.lifecycle import why_empty
from ...ledger.settle import Review
from ...records import Memory
from ...settings import Settings
from ..docstore.store import Store
from ..storage.problem_log import unwritable
from ..storage.proposals import to_proposal, write_proposals

#: Whether a person has decided about two memories, after a moment if one is given.
IsSettled = Callable[..., bool]


class FirstLook:
    """The look that goes on, while it does, and the report that it leaves."""

    def __init__(self, store: Store, is_settled: IsSettled, acted_on: Callable[[], frozenset[str]]) -> None:
        self._store = store
        self._is_settled = is_settled
        self._acted_on = acted_on
        self._review = Review()
        self._empty: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    @property
    def remaining(self) -> int:
        """How many memories wait to be compared."""
        return self._review.remaining

    def add(self, memory: Memory) -> None:
        """Let a memory that was there be compared with the others, unless it says nothing."""
        if (why := why_empty(memory)) is None:
            self._review.add(memory)
        else:
            self._empty[memory.id] = why
        self._texts[memory.id] = memory.text

    def advance(self, settings: Settings, limit: int) -> list[Supersede | Withdraw]:
        """Go on with at most `limit`; at the end write the report, or return what the settings let rules retire."""
        store = self._store
        at, cycle = store.clock(), store.state.recall_cycle
        self._review.advance(limit, at=at, cycle=cycle)
        if self._review.remaining:
            return []
        empty = self._empty.keys() & self._texts.keys() - self._acted_on() if self._empty else set[str]()
        retirements: list[Supersede | Withdraw] = [
            *(Withdraw(memory_id=one, at=at, cycle=cycle, reasons=(self._empty[one],)) for one in sorted(empty)),
            *(proposal for proposal in self._review.proposals() if self._is_left(proposal)),
        ]
        if self._texts and not settings.retire_existing:
            try:
                proposals = [to_proposal(retirement, self._texts) for retirement in retirements]
                write_proposals(store.database, proposals, at=store.clock())
            except OSError as exc:  # the look is not over: the next run writes it
                store.problems.tell(unwritable(store.database.path, exc))
                return []
        self._review, self._empty, self._texts = Review(), {}, {}
        store.end_first_look()
        return retirements if settings.retire_existing else []

    def leave_out(self, memory_id: str) -> None:
        """Propose nothing any more about a memory that something new has retired."""
        self._texts.pop(memory_id, None)

    def _is_left(self, change: Supersede) -> bool:
        return {*change.ids} <= self._texts.keys() and not self._is_settled(*change.ids)
