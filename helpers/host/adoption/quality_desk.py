"""Carry out what a person asked for about the quality of memories, in the running host (Q-27, Q-28).

The file is emptied when the host has saved: a crash in between repeats a request, and repeating one changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...ledger.changes import Change
from ...ledger.lifecycle import is_classified
from ...quality.upkeep import archive_change, refresh_changes
from ..docstore.store import Store
from ..storage import files
from ..storage.quality_requests import REFRESH, QualityRequest, read_quality_request


class QualityDesk:
    """Carries out what is asked for in one memory folder; nothing asked for is one stat call."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._path = store.folder / files.QUALITY_REQUESTS_FILE

    def has_requests(self) -> bool:
        """Whether something is asked for."""
        stamp = files.file_stamp(self._path)
        return stamp is not None and stamp[1] > 0

    def carry_out(self) -> list[Change]:
        """Do what is asked for and save; return the changes that took effect."""
        if not self.has_requests():
            return []
        with files.hold_lines(self._path) as lines:
            asked = [one for one in map(read_quality_request, lines.rows) if one is not None]
            done = [change for one in asked for change in self._changes(one) if self._store.apply([change])]
            if done:
                self._store.save()
            if not (done and self._store.is_dirty):
                lines.clear()
        return done

    def _changes(self, request: QualityRequest) -> Iterator[Change]:
        for memory_id in request.memories:
            memory = self._store.read(memory_id)
            if not is_classified(memory):
                continue
            if request.action == REFRESH:
                yield from refresh_changes(
                    memory, at=request.at, is_verified=request.is_verified, confidence=request.confidence
                )
            else:
                yield archive_change(memory_id, at=request.at, cycle=self._store.state.recall_cycle)
