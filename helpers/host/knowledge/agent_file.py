"""What the memory agent remembers of itself on this machine: the number of its last message, its last run (M-25).

Beside the memory folders, not under `context/memory/`: that is the same for a whole fleet, this is not.
"""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from ..storage import files

AGENT_FILE = "knowledge_agent.json"


class AgentFile:
    """Numbers for messages, and the time of the last scheduled run; any number of threads may ask."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / AGENT_FILE
        self._lock = threading.Lock()
        found = files.read_object(self._path) or {}
        self._day, number = found.get("day"), found.get("number")
        self._number = number if isinstance(number, int) else 0
        self.scheduled_at: datetime | None = parse_time(found.get("scheduled_at"))
        self.last: dict[str, Any] | None = found.get("last_message")

    def next_number(self, now: datetime) -> int:
        """Return the number of the next message of a day; it is written with the next message that is kept (M-66)."""
        with self._lock:
            day = now.date().isoformat()
            self._day, self._number = day, self._number + 1 if day == self._day else 1
            return self._number

    def is_due(self, now: datetime, hours: float) -> bool:
        """Whether the next scheduled run is due; a clock that was set back does not put it off for long."""
        at = self.scheduled_at
        return at is None or now < at or now - at >= timedelta(hours=hours)

    def keep(self, message: dict[str, Any], *, scheduled_at: datetime | None = None) -> None:
        """Remember the message of a run, and when it was if it was a scheduled one."""
        with self._lock:
            self.last = message
            self.scheduled_at = scheduled_at or self.scheduled_at
            value = {
                "day": self._day,
                "number": self._number,
                "scheduled_at": None if self.scheduled_at is None else format_time(self.scheduled_at),
                "last_message": message,
            }
            self._path.parent.mkdir(parents=True, exist_ok=True)
            files.write_atomically(self._path, json.dumps(value, ensure_ascii=False) + "\n")
