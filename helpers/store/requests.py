"""What people and agents ask of a running host, and its answers: the table `request` of `ledger.db`.

A terminal or a page enters requests; the host carries them out and answers them. Only the host process changes the
host's store."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ..clock import Clock
from ..errors import MemoryLedgerError, Problem, RequestError, shorten
from ..inbox import AnswerOutcome, Arguments, InboxAnswer, InboxRequest, Row, new_request, read_row
from . import damage, files
from .database import Database
from .rows import parse_rows, put_request, read_rows

#: The longest time in which two changes of a file may get one time stamp.
_TICK_NS = 20_000_000
#: The number of latest answers that are kept; the last word about a topic stays for good.
KEPT_ANSWERS = 20

_IN_FORCE = """
SELECT line FROM request AS one
WHERE about IS NULL OR number = (SELECT max(number) FROM request WHERE about = one.about) ORDER BY number
"""
_DROP_EARLIER_WORDS = """
DELETE FROM request WHERE EXISTS (
    SELECT 1 FROM request AS later
    WHERE later.about = request.about AND later.number > request.number AND later.answered_at IS NOT NULL
)
"""
_DROP_OLDEST_ANSWERS = """
DELETE FROM request WHERE number IN (
    SELECT number FROM request WHERE about IS NULL AND answered_at IS NOT NULL
    ORDER BY answered_at DESC, id DESC LIMIT -1 OFFSET ?
)
"""


class Inbox:
    """The requests of one memory folder; every call blocks, and raises OSError where the database refuses it.

    A host passes the `database` of its store, for what that owes is written before any answer.
    """

    def __init__(self, folder: Path, database: Database | None = None) -> None:
        self._database = database or Database(folder)
        self.path = self._database.path

    def stamp(self) -> files.FileStamp | None:
        """Return a stamp that changes with every request and answer; one stat call."""
        return files.file_stamp(self.path)

    def append(self, asked: Arguments, *, at: datetime, by: str | None) -> None:
        """Enter a request for the running host."""
        request = new_request(asked, at=at, by=by)
        self._database.folder.mkdir(parents=True, exist_ok=True)
        self._database.change(lambda db: put_request(db, request))

    def read(self) -> list[InboxRequest]:
        """Return the requests, with their answers, in the order in which they were made."""
        rows = self._database.ask(lambda db: db.execute(_IN_FORCE).fetchall())
        return [request for row in read_rows(self.path, "request", rows) if (request := read_row(row)) is not None]

    def widen(self, request: InboxRequest, asked: Arguments) -> None:
        """Replace the arguments of a request by wider ones."""
        wider = request.model_copy(update={"asked": asked})
        self._database.change(lambda db: put_request(db, wider))

    def withdraw(self, asked: Arguments) -> None:
        """Remove the last unanswered request with these arguments, if there is one."""
        waiting = [request.id for request in self.read() if request.answer is None and request.asked == asked]
        statement = "DELETE FROM request WHERE id = ?"
        self._database.change(lambda db: db.executemany(statement, [(name,) for name in waiting[-1:]]))

    def last_word(self, about: str, *, before: str = "") -> Row | None:
        """Return the row of the last request about a topic, other than the request `before`; None for none."""
        statement = "SELECT line FROM request WHERE about = ? AND id <> ? ORDER BY number DESC"
        rows = self._database.ask(lambda db: db.execute(statement, (about, before)).fetchall())
        return next((row for row in parse_rows(rows) if read_row(row) is not None), None)

    def say_again(self, about: str, word: Row | None) -> None:
        """Make an earlier request the last word about a topic; with None, nothing about it is left."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM request WHERE about = ?", (about,))
            if (request := read_row(word or {})) is not None:
                put_request(db, request)

        self._database.change(work)

    def settle(self, answers: Mapping[str, InboxAnswer]) -> None:
        """Owe answers to requests, by request id, and write them if that is possible now.

        What was done without being a last word loses its arguments; the oldest answers are dropped.
        """

        def work(db: sqlite3.Connection) -> None:
            for name, answer in answers.items():
                for row in parse_rows(db.execute("SELECT line FROM request WHERE id = ?", (name,)).fetchall()):
                    if (request := read_row(row)) is not None:
                        put_request(db, _answered(request, answer))
            db.execute(_DROP_EARLIER_WORDS)
            db.execute(_DROP_OLDEST_ANSWERS, (KEPT_ANSWERS,))

        self._database.owe(work)
        self._database.settle()


def _answered(request: InboxRequest, answer: InboxAnswer) -> InboxRequest:
    is_word = request.asked is not None and request.asked.about is not None
    return request.model_copy(update={"asked": request.asked if is_word else None, "answer": answer})


#: Carries out a request; returns the outcome in words, followed by the problems, or None if it has to wait.
#: Raises RequestError for an impossible request.
Handler = Callable[[Any, InboxRequest], Sequence[str] | None]


class InboxHandler:
    """Carries out the requests of a folder in a host, by the functions in `handlers`.

    A request is answered once it is done and saved. After an interruption it is done again, so handlers have to be
    idempotent. A failure is reported once, and the request is tried again at the next look. On the event loop only
    `is_changed` and `due` may be called: some stat calls.
    """

    def __init__(self, database: Database, *, clock: Clock, refuse: Callable[..., object]) -> None:
        self.inbox = Inbox(database.folder, database)
        self.handlers: dict[type[Arguments], Handler] = {}
        self._clock = clock
        self._refuse = refuse
        self._stamp: files.FileStamp | None = None
        self._requests: list[InboxRequest] = []
        self._topics: frozenset[str] = frozenset()
        self._done: set[tuple[str, datetime]] = set()
        self._unsaved: dict[str, InboxAnswer] = {}
        self._lock = threading.RLock()
        self._running: dict[tuple[type[Arguments], ...], threading.Lock] = {}

    def is_changed(self) -> bool:
        """Whether the database has changed since the last look; one stat call."""
        return self.inbox.stamp() != self._stamp

    def look(self) -> list[InboxRequest]:
        """Return all requests, answered or not; the database is read only after a change."""
        with self._lock:
            stamp = self.inbox.stamp()
            if stamp != self._stamp:
                with damage.notices.reading(self.inbox.path):
                    self._requests = self.inbox.read()
                    # A file that has just been written may change again without another stamp.
                    is_new = stamp is not None and stamp[0] > time.time_ns() - _TICK_NS
                    self._stamp = None if is_new else stamp
                asked = (request.asked for request in self._requests if request.asked is not None)
                self._topics = frozenset(each.about for each in asked if each.about is not None)
            return self._requests

    def is_asked(self, about: str) -> bool:
        """Whether there is a request about a topic, answered or not."""
        self.look()
        return about in self._topics

    def due(self, *kinds: type[Arguments]) -> list[InboxRequest]:
        """Return the requests of these kinds, as of the last look, that are not carried out."""
        asked = (request for request in self._requests if isinstance(request.asked, kinds) and request.answer is None)
        return [request for request in asked if (request.id, request.at) not in self._done]

    def has_requests(self, *kinds: type[Arguments]) -> bool:
        """Whether there is something to carry out of these kinds, or to save; blocking."""
        self.look()
        return bool(self._unsaved or self.due(*kinds))

    def run(self, *kinds: type[Arguments], save: Callable[[], bool] | None = None) -> list[InboxAnswer]:
        """Carry out the requests of these kinds and return the answers, which are written once `save` has succeeded.

        Without `save` each answer is written at once. A request whose answer is unwritten is not carried out again.
        """
        answers: dict[str, InboxAnswer] = {}
        with self._running.setdefault(kinds, threading.Lock()):
            self.look()
            for request in self.due(*kinds):
                if (answer := self._answer(request)) is None:
                    continue
                self._done.add((request.id, request.at))
                (answers if save is None else self._unsaved)[request.id] = answer
                if save is None:
                    self.inbox.settle({request.id: answer})
            if save is not None and self._unsaved and save():
                answers, self._unsaved = self._unsaved, {}
                self.inbox.settle(answers)
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
        if result is None:
            return None
        words, *problems = result
        return InboxAnswer(at=self._clock(), outcome=AnswerOutcome.DONE, words=words, problems=tuple(problems))
