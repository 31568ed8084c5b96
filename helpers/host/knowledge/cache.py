"""What every prompt may carry, kept in memory: read again only after a change, and never waited for (M-52).

A turn costs one stat call while nothing has changed. What takes longer runs in a thread of its own; the turn goes on
with what is known when its patience ends. Where the place is away the agent goes on with what it knows, and says so
once; when it is back, what it missed is read.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...errors import StoreError, shorten
from .addresses import KnowledgeAwayError, is_name
from .places import KnowledgePlace

_log = logging.getLogger(__name__)

#: After a failure nothing is asked again for so long, and no turn waits.
RETRY_SECONDS = 5.0
#: So long a turn waits for what has changed.
TURN_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class PromptFiles:
    """The knowledge files that enter prompts, name to text; `generation` rises whenever a text has changed."""

    generation: int = 0
    texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class KnowledgeCache:
    """The one copy of a process; any number of event loops and threads may ask it."""

    def __init__(
        self,
        place: KnowledgePlace,
        read: Callable[[str], str | None],
        monotonic: Callable[[], float],
        *,
        where: str,
        recheck_seconds: float,
        turn_seconds: float = TURN_SECONDS,
    ) -> None:
        self._place, self._read_text, self._monotonic, self._where = place, read, monotonic, where
        self._recheck_seconds, self._turn_seconds = recheck_seconds, turn_seconds
        self._lock = threading.Lock()
        self._running: concurrent.futures.Future[None] | None = None
        self._mark: str | None = None
        self._versions: dict[str, str] = {}
        self._due_at = 0.0
        #: What a person has to be told while the place is away.
        self.notice: str | None = None
        self._snapshot = PromptFiles()

    async def current(self) -> PromptFiles:
        """Return what is known; wait a moment for what is known to be newer, but never for what is away."""
        job = self._look()
        if job is not None and self.notice is None:
            await asyncio.wait({asyncio.wrap_future(job)}, timeout=self._turn_seconds)
        return self._snapshot

    def known(self) -> PromptFiles:
        """Return what is known without a look at anything."""
        return self._snapshot

    def refresh(self) -> PromptFiles:
        """Look now, and wait for it: for a terminal, or a thread that has the time."""
        self.settle()  # it may have read before what the caller knows of
        self.forget()
        job = self._look()
        if job is not None:
            job.result()
        return self._snapshot

    def settle(self) -> None:
        """Wait for the reading that is under way, if there is one."""
        running = self._running
        if running is not None:
            running.result()

    def forget(self) -> None:
        """Read again at the next look: something was written here."""
        self._due_at = 0.0

    def _look(self) -> concurrent.futures.Future[None] | None:
        """Start to read if there is a reason to; return the reading that is under way."""
        with self._lock:
            if self._running is not None:
                return self._running
            if self._monotonic() < self._due_at and (self.notice is not None or self._place.mark() == self._mark):
                return None
            job = self._running = concurrent.futures.Future()
            job.set_running_or_notify_cancel()
        threading.Thread(target=self._run, args=(job,), name="memory-ledger-knowledge", daemon=True).start()
        return job

    def _run(self, job: concurrent.futures.Future[None]) -> None:
        problem: StoreError | None = None
        try:
            self._mark = self._place.mark()  # before the files: what is written meanwhile is read by the next turn
            self._due_at = self._monotonic() + self._recheck_seconds
            self._read()
        except StoreError as exc:
            problem = exc
        except Exception as exc:  # noqa: BLE001 - a thread has no caller: it is reported as what is away
            problem = StoreError(f"{self._where}: {type(exc).__name__}: {shorten(str(exc), 200)}")
        finally:
            with self._lock:
                self._tell(problem)
                self._running = None
            job.set_result(None)

    def _read(self) -> None:
        """Read what has changed."""
        versions = {name: mark for name, mark in self._place.versions().items() if _enters_prompts(name)}
        texts: dict[str, str] = {}
        for name, version in versions.items():
            is_known = self._versions.get(name) == version
            text = self._snapshot.texts.get(name) if is_known else self._read_file(name)
            if text is not None:
                texts[name] = text
        if texts != self._snapshot.texts:
            self._snapshot = PromptFiles(self._snapshot.generation + 1, MappingProxyType(dict(sorted(texts.items()))))
        self._versions = versions

    def _read_file(self, name: str) -> str | None:
        try:
            return self._read_text(name)
        except KnowledgeAwayError:
            raise
        except StoreError as exc:  # the others are read all the same
            _log.warning("%s", exc)
            return None

    def _tell(self, problem: StoreError | None) -> None:
        if problem is not None:
            self._due_at = self._monotonic() + RETRY_SECONDS
            if self.notice is None:
                self.notice = f"{problem}. The agent continues with the knowledge it has."
                _log.warning("%s", self.notice)
        elif self.notice is not None:
            self.notice = None
            _log.info("%s is back", self._where)


def _enters_prompts(name: str) -> bool:
    """Whether a file is one of `context/memory/*.md` (M-20); what lies in a folder there is not (M-58, M-60)."""
    return is_name(name) and "/" not in name and name.endswith(".md") and not name.startswith(".")
