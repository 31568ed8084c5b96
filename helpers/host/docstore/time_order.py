"""The order in which memories came, where the host's clock is too coarse to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ...clock import HOST_RESOLUTION
from ...records import Memory

_TICK = timedelta(microseconds=1)


class TimeOrder:
    """Creation times that follow the order of the sweeps.

    The host's clock has whole seconds; what was seen later within the same second is the newer one.
    """

    def __init__(self) -> None:
        self._latest: datetime | None = None

    def place(self, memory: Memory) -> Memory:
        """Return `memory` with a creation time after everything that was adopted in an earlier sweep."""
        latest = self._latest
        if latest is not None and latest - HOST_RESOLUTION < memory.created_at <= latest:
            return replace(memory, created_at=latest + _TICK)
        return memory

    def note(self, moments: Sequence[datetime]) -> None:
        """Remember the newest creation time of a sweep that is done."""
        if moments:
            newest = max(moments)
            self._latest = newest if self._latest is None else max(self._latest, newest)
