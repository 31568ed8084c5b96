"""Institutional knowledge, shared by the chats of one folder."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ...clock import Clock, format_time, parse_time
from ...errors import StoreError, shorten
from ...knowledge.answers import knowledge_prompt
from ...setting_groups import Knowledge
from ...settings import Settings
from ...store.files import read_object, write_atomically
from ...texts import estimate_tokens
from .places import KnowledgeFiles, open_files

_log = logging.getLogger(__name__)

#: How long nothing is asked, and no turn waits, after a failure.
RETRY_SECONDS = 5.0
#: How long a turn waits for changed files.
TURN_SECONDS = 0.2

AGENT_FILE = "knowledge_agent.json"


class AgentFile:
    """The memory agent's own state on this machine: the numbers of messages, and its last scheduled run; thread-safe.

    It lies beside the memory folders, not under `context/memory/`, which a whole fleet shares.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / AGENT_FILE
        self._lock = threading.Lock()
        stored = read_object(self._path) or {}
        self._day, number = stored.get("day"), stored.get("number")
        self._number = number if isinstance(number, int) else 0
        self.scheduled_at: datetime | None = parse_time(stored.get("scheduled_at"))
        self.last: dict[str, Any] | None = stored.get("last_message")

    def next_number(self, now: datetime) -> int:
        """Return the number of the next message of a day; the file gets it with the next kept message."""
        with self._lock:
            day = now.date().isoformat()
            self._day, self._number = day, self._number + 1 if day == self._day else 1
            return self._number

    def is_due(self, now: datetime, hours: float) -> bool:
        """Whether the next scheduled run is due; a clock that was set back does not put it off for long."""
        last = self.scheduled_at
        return last is None or now < last or now - last >= timedelta(hours=hours)

    def keep(self, message: dict[str, Any], *, scheduled_at: datetime | None = None) -> None:
        """Write the message of a run, and the time of a scheduled run."""
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
            write_atomically(self._path, json.dumps(value, ensure_ascii=False) + "\n")


class KnowledgeService:
    """The knowledge of one memory folder; `home` is Agent Zero's user folder, `own_folder` holds the `AgentFile`."""

    def __init__(self, home: Path, own_folder: Path, clock: Clock) -> None:
        self.home, self.own_folder, self.clock = home, own_folder, clock
        self.memory = AgentFile(own_folder)
        #: The thread that distils, if one is at work, and the latest trigger that it has not taken up yet.
        self.latest: threading.Thread | None = None
        self.waiting: Callable[[], None] | None = None
        self.lock = threading.Lock()
        self._opened: tuple[Knowledge, KnowledgeCache] | None = None
        self._shown: tuple[Mapping[str, str], int] | None = None
        self._section = ""

    def open(self, settings: Knowledge) -> KnowledgeCache:
        """Return the cache of the place in the settings; a new one when they change."""
        if self._opened is None or self._opened[0] != settings:
            files = open_files(settings, home=self.home, clock=self.clock)
            self._opened = settings, KnowledgeCache(files, recheck_seconds=settings.recheck_seconds)
        return self._opened[1]

    async def section(self, settings: Settings, count_tokens: Callable[[str], int] = estimate_tokens) -> str:
        """Return the section for every prompt, made anew when a file has changed."""
        texts = await self.open(settings.knowledge).current()
        limit = settings.distillation.token_limit
        if self._shown is None or self._shown[0] is not texts or self._shown[1] != limit:
            self._section = knowledge_prompt(texts, token_limit=limit, count_tokens=count_tokens)
            self._shown = texts, limit
        return self._section


class KnowledgeCache:
    """The knowledge for prompts in this process, for any number of event loops and threads.

    A turn costs one stat call while nothing has changed. The files are read after a write, and every `recheck_seconds`
    for what nobody tells. Reading runs in a thread of its own; after a moment the turn goes on with the known texts.
    While the place is away the known texts are used, which is reported once.
    """

    def __init__(
        self,
        files: KnowledgeFiles,
        *,
        recheck_seconds: float,
        turn_seconds: float = TURN_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.files = files
        #: The texts of the files for prompts, by name; a new object whenever a text has changed.
        self.texts: Mapping[str, str] = {}
        #: The message for a person while the place is away.
        self.notice: str | None = None
        self._recheck_seconds, self._turn_seconds, self._monotonic = recheck_seconds, turn_seconds, monotonic
        self._lock = threading.Lock()
        self._reading: concurrent.futures.Future[None] | None = None
        self._due_at, self._mark = 0.0, files.mark()

    async def current(self) -> Mapping[str, str]:
        """Return the texts; wait a moment for the files, but not for a place that is away."""
        reading = self._read_if_due()
        if reading is not None and self.notice is None:
            await asyncio.wait({asyncio.wrap_future(reading)}, timeout=self._turn_seconds)
        return self.texts

    def refresh(self) -> Mapping[str, str]:
        """Read the files now and return the texts; blocking."""
        self.settle()  # it may have begun before a change that the caller knows of
        self._due_at = 0.0
        self._read_if_due()
        self.settle()
        return self.texts

    def settle(self) -> None:
        """Wait for the reading that is under way, if there is one."""
        reading = self._reading
        if reading is not None:
            reading.result()

    def _read_if_due(self) -> concurrent.futures.Future[None] | None:
        """Start reading if something may have changed; return the reading that is under way."""
        with self._lock:
            is_due = self._monotonic() >= self._due_at or (self.notice is None and self.files.mark() != self._mark)
            if self._reading is None and is_due:
                self._reading = concurrent.futures.Future()
                name = "memory-ledger-knowledge"
                threading.Thread(target=self._read, args=(self._reading,), name=name, daemon=True).start()
            return self._reading

    def _read(self, reading: concurrent.futures.Future[None]) -> None:
        problem: Exception | None = None
        self._mark = self.files.mark()  # before the files, so that the next turn reads what is written meanwhile
        try:
            texts = self.files.prompt_texts()
            self.texts = texts if texts != self.texts else self.texts
        except StoreError as exc:
            problem = exc
        except Exception as exc:  # noqa: BLE001 - a thread has no caller: it is reported as what is away
            problem = StoreError(f"{self.files}: {type(exc).__name__}: {shorten(str(exc), 200)}")
        with self._lock:
            self._due_at = self._monotonic() + (self._recheck_seconds if problem is None else RETRY_SECONDS)
            if (self.notice is None) != (problem is None):
                self.notice = None if problem is None else f"{problem}. The agent continues with the knowledge it has."
                _log.warning("%s", self.notice or f"{self.files} is back")
            self._reading = None
        reading.set_result(None)
