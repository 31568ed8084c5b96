"""The one way from a terminal to a running host: `ledger_inbox.jsonl`, requests with their answers (T-64, T-70).

The terminal appends, the host's hooks carry out and answer in the same place. Nothing but the host process ever changes
the host's store. What earlier versions left in files of their own is read, and carried over once by the host.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import Clock
from ...errors import MemoryLedgerError, Problem, RequestError, shorten
from ...inbox import (
    AnswerOutcome,
    Arguments,
    InboxAnswer,
    InboxRequest,
    Row,
    answered_rows,
    in_force,
    new_request,
    read_old_row,
    read_row,
)
from ...texts import counted
from . import damage, files
from .line_store import LinesError, LineStore
from .problem_log import unwritable

_VERSION = 1
#: Where earlier versions kept requests, each kind in a file of its own.
OLD_FILES = (
    "ledger_backup_orders.jsonl",
    "ledger_chain_requests.jsonl",
    "ledger_quality_requests.jsonl",
    "ledger_requests.jsonl",
)

#: Does what is asked for; says in words what was done, then what was not. Raises RequestError where it can never be.
Handler = Callable[[Any, InboxRequest], Sequence[str]]
Tell = Callable[..., object]


class Inbox:
    """The requests of one memory folder; every call blocks."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.INBOX_FILE
        self._lines = LineStore(self.path, version=_VERSION)
        self._old = [folder / name for name in OLD_FILES]
        self._places = [str(path) for path in (self.path, *self._old)]

    def stamp(self) -> tuple[files.FileStamp | None, ...]:
        """Return what changes with every request and answer; one stat call once no file of old versions is left."""
        found, *old = map(files.file_stamp, self._places)
        if not any(old):
            self._old, self._places = [], self._places[:1]
        return found, *filter(None, old)

    def append(self, asked: Arguments, *, at: datetime, by: str | None) -> None:
        """Put a request where the running host finds it; raises LinesError where a later version has written there."""
        self._lines.append([new_request(asked, at=at, by=by).to_row()])

    def read(self) -> list[InboxRequest]:
        """Return what is asked for, and what was answered, in the order of the lines; what is neither is named.

        Raises LinesError where the file cannot be read.
        """
        rows = [row for path in self._old for row in _as_now(files.read_lines_if_any(path))] + self._lines.read()
        found = [(row, read_row(row)) for row in rows]
        unknown = [row for row, one in found if one is None]
        if unknown:
            kinds = ", ".join(sorted({str(row.get("kind", row.get("action"))) for row in unknown}))
            damage.notices.tell(
                Problem(
                    where=f"{self.path}, in {counted(len(unknown), 'line', 'lines')},",
                    found=f"no request of this version ({shorten(kinds)})",
                    allowed="what `memory-ledger` of this version asks for; it stays as it is",
                )
            )
        return in_force(one for _, one in found if one is not None)

    def rewrite(self, change: Callable[[list[Row]], list[Row]], *, keeps: Callable[[bytes], bool] = bool) -> None:
        """Replace the rows by what `change` makes of them, in one step; damaged lines stay that it `keeps`."""
        self._lines.rewrite(change, keeps=keeps)

    def widen(self, request: InboxRequest, asked: Arguments) -> None:
        """Let a request say more of what it asks for already."""
        row = request.model_copy(update={"asked": asked}).to_row()
        self.rewrite(lambda rows: [row if one.get("id") == request.id else one for one in rows])

    def settle(self, answers: Mapping[str, InboxAnswer]) -> None:
        """Put answers to the requests, and carry over what earlier versions left. Raises OSError and LinesError."""
        with contextlib.ExitStack() as stack:
            old = {path: stack.enter_context(files.hold_lines(path)) for path in self._old if path.exists()}
            rows = [row for one in old.values() for row in _as_now(one.rows)]
            self.rewrite(lambda known: answered_rows([*_new(rows, known), *known], answers))
            for path, one in old.items():
                if not (one.left_out and damage.set_aside(path, "not readable in some lines")):
                    path.unlink(missing_ok=True)


def _as_now(rows: Iterable[Row]) -> list[Row]:
    """Return rows of an earlier version as this one writes them; what was no request there is none here."""
    return [one.to_row() if (one := read_old_row(row)) is not None else row for row in rows]


def _new(rows: list[Row], known: list[Row]) -> list[Row]:
    """Return the rows that a carrying over which was cut off has not brought yet."""
    ids = [one.id for one in map(read_row, known) if one is not None]
    return [row for row in rows if row.get("id") not in ids and row not in known]


class InboxHandler:
    """Carries out the requests of some kinds in a host; nothing asked for costs the stat calls of `Inbox.stamp`.

    A request is answered once it was done. Whoever is stopped in between does it once more, so a handler does what is
    done already without harm. What fails otherwise is told once, stays, and is tried again at the next look.
    """

    def __init__(
        self, folder: Path, handlers: Mapping[type[Arguments], Handler], *, clock: Clock, refuse: Tell
    ) -> None:
        self.inbox = Inbox(folder)
        self._handlers = handlers
        self._clock = clock
        self._refuse = refuse
        self._stamp: object = None
        self._requests: list[InboxRequest] = []
        self._due: list[InboxRequest] = []
        self._asked_at: dict[str, datetime] = {}
        self._owed: dict[str, InboxAnswer] = {}
        self._lock = threading.Lock()

    def requests(self) -> list[InboxRequest]:
        """Return all that the inbox holds, of whatever kind, answered or not."""
        stamp = self.inbox.stamp()
        if stamp != self._stamp:
            try:
                self._requests, self._stamp = self.inbox.read(), stamp
            except LinesError as exc:
                damage.notices.tell(exc.problem)
                return self._requests
            asked = [one for one in self._requests if one.asked is not None]
            self._due = [one for one in asked if one.answer is None and type(one.asked) in self._handlers]
            self._asked_at = {about: one.at for one in asked if one.asked and (about := one.asked.about) is not None}
            if any(stamp[1:]):
                self._settle({})
        return self._requests

    def asked_at(self, about: str) -> datetime | None:
        """Return when the last request was made that is about this, done or not."""
        self.requests()
        return self._asked_at.get(about)

    def has_requests(self) -> bool:
        """Whether there is something to do or to write."""
        return bool(self._owed or self._open())

    def _open(self) -> list[InboxRequest]:
        self.requests()
        return [one for one in self._due if one.id not in self._owed]

    def run(self, save: Callable[[], bool] | None = None) -> list[InboxAnswer]:
        """Do what is asked for; return the answers, which are written when `save`, if there is one, has saved it all.

        Without it each is written as soon as it is there.
        """
        answers: dict[str, InboxAnswer] = {}
        with self._lock:
            for request in self._open():
                if (answer := self._answer(request)) is not None:
                    answers[request.id] = answer
                    if save is None:
                        self._settle(answers)
            if answers and save is not None and not save():
                return []
            if self._owed or (answers and save is not None):
                self._settle(answers)
        return [*answers.values()]

    def _answer(self, request: InboxRequest) -> InboxAnswer | None:
        if request.asked is None:
            return None
        try:
            words, *problems = self._handlers[type(request.asked)](request.asked, request)
        except RequestError as exc:
            self._refuse(exc.problem, is_news=True)
            return InboxAnswer(at=self._clock(), outcome=AnswerOutcome.REFUSED, words=str(exc))
        except (MemoryLedgerError, OSError) as exc:
            found, allowed = shorten(str(exc), 400), "it is tried again at the next turn"
            self._refuse(Problem(where=f"`{request.kind}`", found=found, allowed=allowed))
            return None
        return InboxAnswer(at=self._clock(), outcome=AnswerOutcome.DONE, words=words, problems=tuple(problems))

    def _settle(self, answers: dict[str, InboxAnswer]) -> None:
        """Write answers; what cannot be written now is owed, and what it answers is not done again meanwhile."""
        self._owed = owed = self._owed | answers
        try:
            self.inbox.settle(owed)
            self._owed = {one: answer for one, answer in self._owed.items() if one not in owed}
        except LinesError as exc:
            damage.notices.tell(exc.problem)
        except OSError as exc:
            damage.notices.tell(unwritable(self.inbox.path, exc))
