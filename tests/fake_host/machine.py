"""What outlives one run of the host: the disk, the clock, the models and what the test observes."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from .embedder import HashingEmbedder
from .generations import Traits
from .script import UtilityModel

_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
START_OF_TIME = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class FixedClock:
    """A clock that moves only when told to; call it for the time, `advance` to move it."""

    def __init__(self, now: datetime = START_OF_TIME) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **delta: float) -> None:
        self.now += timedelta(**delta)


class RunningClock:
    """The machine's own clock, which the pack reads too; `advance` puts the host ahead of it."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now().astimezone() + self._ahead

    def advance(self, **delta: float) -> None:
        self._ahead += timedelta(**delta)


@dataclass(frozen=True, slots=True)
class IndexWrite:
    """One full rewrite of an index, and who caused it."""

    folder: Path
    thread_name: str


@dataclass
class Machine:
    """One installation: a folder, a clock, an embedder, and the observers of a test."""

    traits: Traits
    root: Path
    clock: Callable[[], datetime]
    embedder: HashingEmbedder
    chat_model: str = "fake/chat-model"
    settings: dict[str, Any] = field(default_factory=dict)
    document_vectors: dict[str, list[float]] = field(default_factory=dict)
    saves: list[IndexWrite] = field(default_factory=list)
    utility: UtilityModel = field(default_factory=UtilityModel)
    finish_at: str = ""  # "turn_end": memorizing ends by itself with its turn; else never
    recall_error: Exception | None = None  # raised once, in the middle of the next recall search
    tokens_per_word: int = 1
    counted: list[str] = field(default_factory=list)
    _ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def new_id(self, length: int = 10) -> str:
        """Return the next document id: a counter in base 36, padded to `length` alphanumerics."""
        number, digits = next(self._ids), ""
        while number:
            number, rest = divmod(number, 36)
            digits = _BASE36[rest] + digits
        return "m" + digits.rjust(length - 1, "0")

    def count_tokens(self, text: str) -> int:
        """Return what the host's own counter says; `counted` holds what it was asked."""
        self.counted.append(text)
        return len(text.split()) * self.tokens_per_word

    def timestamp(self) -> str:
        """Return the time as this generation writes it; the clock's zone is the server's and the user's."""
        now = self.clock()
        if self.traits.iso_timestamps:
            return now.isoformat(timespec="seconds")
        return now.strftime("%Y-%m-%d %H:%M:%S")

    def record_save(self, folder: Path) -> None:
        self.saves.append(IndexWrite(folder, threading.current_thread().name))
