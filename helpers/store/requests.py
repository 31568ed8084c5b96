"""The inbox of a memory folder: `ledger_inbox.jsonl`, requests to a running host with their answers.

A terminal appends requests; the host carries them out and answers them in the file. Only the host process changes the
host's store."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..clock import Clock
from ..errors import MemoryLedgerError, Problem, RequestError, shorten
from ..inbox import (
    AnswerOutcome,
    Arguments,
    InboxAnswer,
    InboxRequest,
    Row,
    answered_rows,
    in_force,
    new_request,
    read_row,
)
from . import damage, files
from .lines import LineStore


class Inbox:
    """The requests of one memory folder; every call blocks."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.INBOX_FILE

    @property
    def _lines(self) -> LineStore:
        return LineStore(self.path, mode=files.request_mode(self.path))

    def stamp(self) -> files.FileStamp | None:
        """Return a stamp that changes with every request and answer; one stat call."""
        return files.file_stamp(self.path)

    def append(self, asked: Arguments, *, at: datetime, by: str | None) -> None:
        """Append a request for the running host; raises OSError."""
        self._lines.append([new_request(asked, at=at, by=by).to_row()])

    def read(self) -> list[InboxRequest]:
        """Return the requests, with their answers, in the order of the lines. Raises OSError."""
        return in_force(request for row in self._lines.read() if (request := read_row(row)) is not None)

    def rewrite(self, change: Callable[[list[Row]], list[Row]], *, keeps: Callable[[bytes], bool] = bool) -> None:
        """Replace the rows by the result of `change` in one step; damaged lines stay if `keeps` says so."""
        self._lines.rewrite(change, keeps=keeps)

    def widen(self, request: InboxRequest, asked: Arguments) -> None:
        """Replace the arguments of a request by wider ones."""
        row = request.model_copy(update={"asked": asked}).to_row()
        self.rewrite(lambda rows: [row if line.get("id") == request.id else line for line in rows])

    def withdraw(self, asked: Arguments) -> bool:
        """Remove the last unanswered request with these arguments; return False if there is none."""
        withdrawn: list[Row] = []

        def without_last(rows: list[Row]) -> list[Row]:
            waiting = [row for row in rows if (read := read_row(row)) and read.answer is None and read.asked == asked]
            withdrawn.extend(waiting[-1:])
            return [row for row in rows if row not in withdrawn]

        self.rewrite(without_last)
        return bool(withdrawn)

    def last_word(self, about: str, *, before: str = "") -> Row | None:
        """Return the row of the last request about a topic, other than the request `before`; None for none."""
        for row in reversed(self._lines.read()):
            request = read_row(row)
            if request and request.asked and request.asked.about == about and request.id != before:
                return row
        return None

    def settle(self, answers: Mapping[str, InboxAnswer]) -> None:
        """Write answers to requests, by request id. Raises OSError."""
        self.rewrite(lambda known: answered_rows(known, answers))


class Awaited:
    """The event that a request waits for: another step of the same run, or a change of a file.

    A file that had only just been written is not waited for: its next version may have the same stamp.
    """

    def __init__(self, path: Path | None = None) -> None:
        stamp = None if path is None else files.file_stamp(path)
        is_new = stamp is not None and stamp[0] > time.time_ns() - files.TICK_NS
        self._path, self._stamp = None if is_new else path, stamp

    def is_over(self) -> bool:
        """Whether another try is worthwhile; at most one stat call."""
        return self._path is None or files.file_stamp(self._path) != self._stamp


#: Carries out a request; returns the outcome in words, followed by the problems, or what has to be awaited first.
#: Raises RequestError for an impossible request.
Handler = Callable[[Any, InboxRequest], Sequence[str] | Awaited]
Tell = Callable[..., object]


class InboxHandler:
    """Carries out the requests of a folder in a host, by the functions in `handlers`.

    A request is answered once it is done and saved. After an interruption it is done again, so handlers have to be
    idempotent. A failure is reported once, and the request is tried again at the next look. On the event loop only
    `is_changed`, `due` and `has_requests` may be called: some stat calls.
    """

    def __init__(self, folder: Path, *, clock: Clock, refuse: Tell) -> None:
        self.inbox = Inbox(folder)
        self.handlers: dict[type[Arguments], Handler] = {}
        self._clock = clock
        self._refuse = refuse
        self._stamp: files.FileStamp | None = None
        self._requests: list[InboxRequest] = []
        self._open: list[InboxRequest] = []
        self._asked_at: dict[str, datetime] = {}
        self._awaited: dict[str, Awaited] = {}
        self._unsaved: dict[str, InboxAnswer] = {}
        self._owed: dict[str, InboxAnswer] = {}
        self._lock = threading.RLock()
        self._running: dict[tuple[type[Arguments], ...], threading.Lock] = {}

    def is_changed(self) -> bool:
        """Whether the inbox has changed since the last look; one stat call."""
        return self.inbox.stamp() != self._stamp

    def look(self) -> list[InboxRequest]:
        """Return all requests, answered or not; the file is read only after a change."""
        with self._lock:
            stamp = self.inbox.stamp()
            if stamp != self._stamp:
                with damage.notices.reading(self.inbox.path):
                    self._requests, self._stamp = self.inbox.read(), stamp
                asked = [request for request in self._requests if request.asked is not None]
                self._open = [request for request in asked if request.answer is None]
                self._asked_at = {
                    about: request.at for request in asked if request.asked and (about := request.asked.about)
                }
            return self._requests

    def asked_at(self, about: str) -> datetime | None:
        """Return the time of the last request about a topic, answered or not; None for none."""
        self.look()
        return self._asked_at.get(about)

    def due(self, *kinds: type[Arguments]) -> list[InboxRequest]:
        """Return the requests of these kinds, as of the last look, that can be carried out now."""
        asked = (request for request in self._open if isinstance(request.asked, kinds))
        waiting = [request for request in asked if request.id not in self._owed and request.id not in self._unsaved]
        return [request for request in waiting if (waits := self._awaited.get(request.id)) is None or waits.is_over()]

    def has_requests(self, *kinds: type[Arguments]) -> bool:
        """Whether there may be something to read, to carry out of these kinds, or to write."""
        return bool(self._owed or self._unsaved) or self.is_changed() or bool(self.due(*kinds))

    def run(self, *kinds: type[Arguments], save: Callable[[], bool] | None = None) -> list[InboxAnswer]:
        """Carry out the requests of these kinds and return the answers, which are written once `save` has succeeded.

        Without `save` each answer is written at once. A request whose answer is unwritten is not carried out again.
        """
        answers: dict[str, InboxAnswer] = {}
        with self._running.setdefault(kinds, threading.Lock()):
            self.look()
            for request in self.due(*kinds):
                if (answer := self._answer(request)) is not None:
                    (answers if save is None else self._unsaved)[request.id] = answer
                    if save is None:
                        self._settle({request.id: answer})
            if save is not None and self._unsaved and save():
                answers, self._unsaved = self._unsaved, {}
                self._settle(answers)
            if self._owed:
                self._settle({})
        return [*answers.values()]

    def _answer(self, request: InboxRequest) -> InboxAnswer | None:
        try:
            result = self.handlers[type(request.asked)](request.asked, request)  # type: ignore[index]
        except RequestError as exc:
            self._refuse(exc.problem, is_news=True)
            return InboxAnswer(at=self._clock(), outcome=AnswerOutcome.REFUSED, words=str(exc))
        except (MemoryLedgerError, OSError) as exc:
            fault, allowed = shorten(str(exc), 400), "it is tried again at the next turn"
            self._refuse(Problem(where=f"`{request.kind}`", found=fault, allowed=allowed))
            return None
        if isinstance(result, Awaited):
            self._awaited[request.id] = result
            return None
        words, *problems = result
        return InboxAnswer(at=self._clock(), outcome=AnswerOutcome.DONE, words=words, problems=tuple(problems))

    def _settle(self, answers: dict[str, InboxAnswer]) -> None:
        """Write answers; those that cannot be written now are owed, and their requests not carried out again."""
        with self._lock:
            self._owed = {**self._owed, **answers}
            with damage.notices.writing(self.inbox.path):
                self.inbox.settle(self._owed)
                self._owed = {}
