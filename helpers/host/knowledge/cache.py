"""What every prompt may carry, kept in memory: read again only when the signal says so, and never waited for (M-52).

A turn costs one stat call while nothing has changed. What takes longer runs in a thread of its own; the turn goes on
with what is known when its patience ends. Where the storage or the signal is away the agent goes on with what it knows,
across restarts as well, and says so once; when it is back, what it missed is read.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from ...errors import StoreError, shorten
from ..storage import files
from .backend import KnowledgeAwayError
from .names import is_name
from .signals import Signal

_log = logging.getLogger(__name__)

#: After a failure nothing is asked again for so long, and no turn waits.
RETRY_SECONDS = 5.0


class Readable(Protocol):
    """What is read for the cache."""

    def read(self, name: str) -> str | None:
        """Return the text of a file."""

    def versions(self) -> Mapping[str, str]:
        """Return every name with what changes when its file does."""


@dataclass(frozen=True, slots=True)
class PromptFiles:
    """The knowledge files that enter prompts, name to text; `generation` rises whenever a text has changed."""

    generation: int = 0
    texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a turn waits for what has changed, and after how long it is looked for without a signal."""

    turn_seconds: float
    recheck_seconds: float


class KnowledgeCache:
    """The one copy of a process; any number of event loops and threads may ask it."""

    def __init__(
        self,
        knowledge: Readable,
        signal: Signal,
        patience: Patience,
        monotonic: Callable[[], float],
        *,
        where: str,
        copy: Path | None = None,
    ) -> None:
        self._knowledge = knowledge
        self._signal = signal
        self._patience = patience
        self._monotonic = monotonic
        self._where = where
        self._copy = copy
        self._lock = threading.Lock()
        self._running: concurrent.futures.Future[None] | None = None
        self._mark: str | None = None
        self._versions: dict[str, str] = {}
        self._due_at = 0.0
        #: What a person has to be told while the storage or the signal is away.
        self.notice: str | None = None
        self._snapshot = PromptFiles() if copy is None else _read_copy(copy, where)

    async def current(self) -> PromptFiles:
        """Return what is known; wait a moment for what is known to be newer, but never for what is away."""
        job = self._look()
        if job is not None and self.notice is None:
            await asyncio.wait({asyncio.wrap_future(job)}, timeout=self._patience.turn_seconds)
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
        self._mark = None
        self._due_at = 0.0

    def note_away(self, problem: StoreError) -> None:
        """Take note of a signal that could not be given: told once, like one that could not be read."""
        self._settle(problem, was_due=False)

    def _look(self) -> concurrent.futures.Future[None] | None:
        """Start to read if there is a reason to; return the reading that is under way."""
        with self._lock:
            if self._running is not None:
                return self._running
            if self._monotonic() < self._due_at and (self.notice is not None or not self._may_have_changed()):
                return None
            job = self._running = concurrent.futures.Future()
            job.set_running_or_notify_cancel()
        threading.Thread(target=self._run, args=(job,), name="memory-ledger-knowledge", daemon=True).start()
        return job

    def _may_have_changed(self) -> bool:
        return not self._signal.is_local or self._signal.mark() != self._mark

    def _run(self, job: concurrent.futures.Future[None]) -> None:
        try:
            self._read()
        except Exception as exc:  # noqa: BLE001 - a thread has no caller: it is reported as what is away
            self._settle(StoreError(f"{self._where}: {type(exc).__name__}: {shorten(str(exc), 200)}"), was_due=True)
        finally:
            with self._lock:
                self._running = None
            job.set_result(None)

    def _read(self) -> None:
        """Read what has changed; whatever is away leaves the rest as it was."""
        problem: StoreError | None = None
        is_due = self._monotonic() >= self._due_at
        mark: str | None = None
        try:
            mark = self._signal.mark()
        except KnowledgeAwayError as exc:
            problem = exc
        try:
            if is_due or mark is None or mark != self._mark:
                self._read_files()
                self._mark = mark
        except StoreError as exc:
            problem = exc
        self._settle(problem, was_due=is_due)

    def _read_files(self) -> None:
        versions = {name: mark for name, mark in self._knowledge.versions().items() if _enters_prompts(name)}
        texts: dict[str, str] = {}
        for name, version in versions.items():
            is_known = self._versions.get(name) == version
            text = self._snapshot.texts.get(name) if is_known else self._read_file(name)
            if text is not None:
                texts[name] = text
        if texts != self._snapshot.texts:
            self._snapshot = PromptFiles(self._snapshot.generation + 1, MappingProxyType(dict(sorted(texts.items()))))
            self._keep_copy()
        self._versions = versions

    def _read_file(self, name: str) -> str | None:
        try:
            return self._knowledge.read(name)
        except KnowledgeAwayError:
            raise
        except StoreError as exc:  # the others are read all the same
            _log.warning("%s", exc)
            return None

    def _settle(self, problem: StoreError | None, *, was_due: bool) -> None:
        now = self._monotonic()
        with self._lock:
            if problem is not None:
                self._due_at = now + RETRY_SECONDS
                if self.notice is None:
                    self.notice = f"{problem}. The agent continues with the knowledge it has."
                    _log.warning("%s", self.notice)
            else:
                if was_due:
                    self._due_at = now + self._patience.recheck_seconds
                if self.notice is not None:
                    self.notice = None
                    _log.info("%s is back", self._where)

    def _keep_copy(self) -> None:
        """Keep what is known for the next start, which may find the storage away."""
        if self._copy is None:
            return
        value = {"where": self._where, "texts": dict(self._snapshot.texts)}
        try:
            self._copy.parent.mkdir(parents=True, exist_ok=True)
            files.write_atomically(self._copy, json.dumps(value))
        except OSError as exc:
            _log.warning("%s cannot be written: %s", self._copy, exc)


def _enters_prompts(name: str) -> bool:
    """Whether a file is one of `context/memory/*.md` (M-20); what lies in a folder there is not (M-58, M-60)."""
    return is_name(name) and "/" not in name and name.endswith(".md") and not name.startswith(".")


def _read_copy(path: Path, where: str) -> PromptFiles:
    """Return what was known of the same place before this start."""
    value: dict[str, Any] = files.read_object(path) or {}
    texts = value.get("texts")
    if value.get("where") != where or not isinstance(texts, dict):
        return PromptFiles()
    known = {name: text for name, text in texts.items() if _enters_prompts(name) and isinstance(text, str)}
    return PromptFiles(1, MappingProxyType(known)) if known else PromptFiles()
