"""The last recalls of a memory folder by chat, for a person who asks why a prompt holds what it holds (C-54 ... C-58).

They are kept in memory alone, and without the agent: what is asked a second time goes by the same plan and audience.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from ...recall.plan import RecallPlan
from ..backup.mentions import Trace
from .search import Audience

_MOST = 80
_MOST_OF_A_CHAT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentRecall:
    """One recall that reached its prompt: by which plan, for whom, and what became of every candidate.

    `agent` is the number of the agent in its chat, `profile` its profile; `explanation` is what `explain` returns.
    """

    chat: str
    agent: int
    profile: str
    plan: RecallPlan
    audience: Audience
    explanation: Mapping[str, Any]


class RecentRecalls:
    """The last recalls, each with a number of its own; thread-safe."""

    def __init__(self) -> None:
        self._known: deque[tuple[int, RecentRecall]] = deque(maxlen=_MOST)
        self._numbers = count(1)
        self._lock = threading.Lock()

    def note(self, recall: RecentRecall) -> None:
        """Keep a recall, in the place of the oldest where there are many."""
        with self._lock:
            self._known.append((next(self._numbers), recall))

    def of_chat(self, chat: str) -> dict[int, RecentRecall]:
        """Return the last recalls of a chat by their numbers, the latest first."""
        with self._lock:
            known = ((number, one) for number, one in reversed(self._known) if one.chat == chat)
            return dict(islice(known, _MOST_OF_A_CHAT))

    def forget(self, trace: Trace) -> None:
        """Keep no recall that an erased memory took part in, or may have been asked for by (T-64)."""
        with self._lock:
            left = [one for one in self._known if not _speaks_of(one[1], trace)]
            self._known = deque(left, maxlen=_MOST)


def _speaks_of(recall: RecentRecall, trace: Trace) -> bool:
    return trace.is_in(recall.explanation) or trace.is_talked_of(recall.plan.query)
