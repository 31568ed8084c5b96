"""Who speaks in a conversation, and what was said when (T-03)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

#: Of one message, what is said later counts as said so much later.
STEP = timedelta(microseconds=1)


class Speaker(StrEnum):
    """Who produced an utterance. A superior agent's message is the agent's, not the person's."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing said, or printed by a tool, and in which chat.

    `at` is when (aware, UTC; None if nobody knows), or with `since` the end of the time in which it was said.
    """

    speaker: Speaker
    text: str
    at: datetime | None = None
    chat: str = ""
    since: datetime | None = None

    def moments(self, place: int) -> tuple[datetime | None, datetime | None]:
        """Return between which moments its sentence at `place` was said."""
        if self.at is None:
            return None, None
        return (self.since or self.at) + place * STEP, self.at + place * STEP
