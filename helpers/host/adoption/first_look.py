"""The first look at a full store: what the rules would retire is listed, and retired once a person says so.

`design.md`, Storage: nothing of what was there before the pack is retired unasked, and nothing new is held up.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ledger.changes import Supersede
from ...ledger.review import Review
from ...records import Memory
from ...settings import Settings
from ..docstore.store import Store
from ..storage.files import PROPOSALS_FILE
from ..storage.problem_log import unwritable
from ..storage.proposals import to_proposal, write_proposals

#: Whether a person has decided about two memories, after a moment if one is given.
IsSettled = Callable[..., bool]


class FirstLook:
    """The look that goes on, while it does, and the report that it leaves."""

    def __init__(self, store: Store, is_settled: IsSettled) -> None:
        self._store = store
        self._is_settled = is_settled
        self._review = Review()
        self._texts: dict[str, str] = {}

    @property
    def remaining(self) -> int:
        """How many memories wait to be compared."""
        return self._review.remaining

    def add(self, memory: Memory) -> None:
        """Let a memory that was there be compared with the others."""
        self._review.add(memory)
        self._texts[memory.id] = memory.text

    def advance(self, settings: Settings, limit: int) -> list[Supersede]:
        """Go on with at most `limit`; at the end write the report, or return what the settings let rules retire."""
        store = self._store
        self._review.advance(limit, at=store.clock(), cycle=store.state.recall_cycle)
        if self._review.remaining:
            return []
        retirements = [one for one in self._review.proposals() if self._is_left(one)]
        if self._texts and not settings.retire_existing:
            try:
                proposals = [to_proposal(one, self._texts) for one in retirements]
                write_proposals(store.folder, proposals, at=store.clock())
            except OSError as exc:  # the look is not over: the next run writes it
                store.problems.tell(unwritable(store.folder / PROPOSALS_FILE, exc))
                return []
        self._review, self._texts = Review(), {}
        store.end_first_look()
        return retirements if settings.retire_existing else []

    def leave_out(self, memory_id: str) -> None:
        """Propose nothing any more about a memory that something new has retired."""
        self._texts.pop(memory_id, None)

    def _is_left(self, change: Supersede) -> bool:
        is_known = {change.winner_id, change.loser_id} <= self._texts.keys()
        return is_known and not self._is_settled(change.winner_id, change.loser_id)
