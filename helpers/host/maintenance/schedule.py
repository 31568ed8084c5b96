"""When maintenance is due: counted in message loops, which survive a restart; no clock is asked (C-68, C-92, E-84)."""

from __future__ import annotations

from ...settings import Settings
from ..storage.state import FolderState


def is_due(state: FolderState, settings: Settings) -> bool:
    """Whether `maintenance_interval_loops` have gone by since the last whole run (C-92)."""
    return loops_since_run(state) >= settings.maintenance_interval_loops


def loops_since_run(state: FolderState) -> int:
    """Return how many message loops have gone by since the last whole run."""
    return _loops_since(state.maintained_at_loop, state)


def are_links_due(state: FolderState, settings: Settings) -> bool:
    """Whether this run is the first one at or after `rebuild_interval_cycles` (E-84)."""
    return _loops_since(state.linked_at_loop, state) >= settings.related_memories.rebuild_interval_cycles


def _loops_since(then: int, state: FolderState) -> int:
    """Return the loops since `then`; a count that stands behind it was lost and has begun anew."""
    return state.loop_count - then if state.loop_count >= then else state.loop_count
