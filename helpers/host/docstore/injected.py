"""What the latest prompts held: the memories that a new one may be an echo of (T-68).

In memory only: after a restart nothing counts as injected until the next prompt, so an echo may stay, and no more.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

_MOST_TURNS = 100


class InjectedRing:
    """The ids of the memories that stood in a prompt, by the turn that showed them, over all chats of a folder."""

    def __init__(self) -> None:
        self._turns: list[tuple[Any, dict[str, None]]] = []
        self._lock = threading.Lock()

    def note(self, turn: Any, memory_ids: Iterable[str]) -> None:
        """Remember what a prompt of `turn`, the host's own list of its messages, holds; the oldest turns go."""
        with self._lock:
            shown = next((ids for known, ids in self._turns if known is turn), None)
            if shown is None:
                self._turns.append((turn, shown := {}))
                del self._turns[:-_MOST_TURNS]
            shown.update(dict.fromkeys(memory_ids))

    def recent(self, is_recent: Callable[[Any], bool]) -> list[str]:
        """Return what the turns that are recent have shown, the latest turn first, and forget the others."""
        with self._lock:
            self._turns = [(turn, ids) for turn, ids in self._turns if is_recent(turn)]
            return list(dict.fromkeys(memory_id for _, ids in reversed(self._turns) for memory_id in ids))
