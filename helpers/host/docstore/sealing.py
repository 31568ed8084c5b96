"""Which memories keep a status that the present key has not sealed (C-91, T-69), whatever crash comes between.

What was there before the pack, or was sealed with a key that is lost, is honoured and sealed anew. That is done only
when the host's index says so on disk. Until then the folder's state holds the moment up to which memories are honoured,
written before the key is: a process that ends in between changes nothing for the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from ...clock import format_time, parse_time
from ..storage.state import FolderState


class Sealing:
    """The memories of one folder that are still to be sealed; `is_new` where no earlier process has begun."""

    def __init__(self, state: FolderState, *, has_key: bool, now: datetime) -> None:
        self._state = state
        self._is_first_look = state.first_seen is None
        self._until = parse_time(state.unsealed_until)
        self.is_new = not has_key or (self._is_first_look and self._until is None)
        if self.is_new:
            state.unsealed_until = format_time(now)
        self._known: set[str] | None = None
        self._is_done = False

    def note_sweep(self, added: Sequence[str], documents: Mapping[str, Any]) -> None:
        """Enter what a sweep brought: of the first one what was there before, of the later ones nothing."""
        if self._known is None:
            self._known = {one for one in added if self._was_there(documents[one].metadata)}
        else:
            self._known.difference_update(added)

    def _was_there(self, metadata: Mapping[str, Any]) -> bool:
        """Whether a memory is older than the key. The host overwrites the time stamp of whatever it inserts."""
        if self.is_new:
            return True
        inserted_at = parse_time(metadata.get("timestamp"))
        return self._until is not None and (inserted_at is None or inserted_at <= self._until)

    def honours(self, memory_id: str) -> bool:
        """Whether a memory keeps a valid status that nobody has sealed; before the first sweep all that is there."""
        return self.is_new if self._known is None else memory_id in self._known

    def finish(self) -> None:
        """Everything that was there is sealed in the live documents."""
        self._is_done, self._known = True, set()

    def to_state(self, *, is_saved: bool) -> FolderState:
        """Return what may stand on disk: the first look and the sealing are over when the host's index holds them."""
        if self._is_done and is_saved:
            self._state.unsealed_until = None
            self._is_first_look = False
        return replace(self._state, first_seen=None) if self._is_first_look else self._state
