"""Asking the host's embedding model, which may be away: nobody waits for it for long, and that is told once (C-74).

Its endpoint may be down, refuse the key, or not answer at all. What takes longer than a turn can wait goes on by
itself; while that lasts, whoever asks anew waits a second for the answer that says that the model is back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from ...errors import EmbeddingError, Problem, shorten
from ..storage.problem_log import ProblemLog

#: So long somebody waits for an answer that a turn needs.
MOST_SECONDS: Final = 10.0
#: So long while an earlier question has no answer yet; and so many of these may be.
_NEXT_SECONDS: Final = 1.0
_MOST_HANGING: Final = 4
#: So long a thread waits for the next question: in a new one a local model takes several times as long.
_IDLE_SECONDS: Final = 600.0

_WHERE: Final = "the embedding model"
_ALLOWED: Final = "an answer; without it, recall and who said a memory go by words alone"

Answer = TypeVar("Answer")
Tasks = SimpleQueue[tuple[Callable[[], object], Future[Any]]]


class Asker:
    """Puts questions to one model in threads that have no other work; any thread may ask."""

    def __init__(self) -> None:
        self._free: list[Tasks] = []
        self._hanging: set[Future[object]] = set()

    def ask(self, question: Callable[[], Answer], seconds: float) -> Answer:
        """Return what `question` returns; raises what that raises, and EmbeddingError where it takes too long."""
        if self._hanging:
            seconds = min(seconds, _NEXT_SECONDS)
        answer: Future[Answer] = Future()
        if len(self._hanging) < _MOST_HANGING:
            self._hand_over(question, answer)
            wait([answer], seconds)
            if answer.done():
                return answer.result()
            self._hanging.add(answer)  # type: ignore[arg-type]
            answer.add_done_callback(self._hanging.discard)
        raise EmbeddingError(f"no answer within {seconds:g} s")

    def _hand_over(self, question: Callable[[], object], answer: Future[Any]) -> None:
        try:
            tasks = self._free.pop()
        except IndexError:
            tasks = SimpleQueue()
            threading.Thread(target=_serve, args=(tasks, self._free), name="memory-ledger-embed", daemon=True).start()
        tasks.put((question, answer))


def _serve(tasks: Tasks, free: list[Tasks]) -> None:
    """Answer one question after the other, and be free between them; end where none has come for long."""
    while True:
        try:
            question, answer = tasks.get(timeout=_IDLE_SECONDS)
        except Empty:
            with suppress(ValueError):  # somebody has just taken it
                free.remove(tasks)
                return
            continue
        found, failure = None, None
        try:
            found = question()
        except BaseException as exc:  # noqa: BLE001 - it is raised where somebody waits
            failure = exc
        free.append(tasks)  # before whoever waits can ask anew
        if failure is None:
            answer.set_result(found)
        else:
            answer.set_exception(failure)
        del question, answer, found, failure


def tell_failure(problems: ProblemLog, failure: BaseException | None) -> None:
    """Tell that the model is away, once until it has answered again, whatever it fails with meanwhile."""
    about = (_WHERE, _ALLOWED)
    if failure is None:
        problems.settle(about)
    elif problems.note(about, _WHERE):
        found = f"away ({type(failure).__name__}: {shorten(str(failure))})"
        problems.tell(Problem(where=_WHERE, found=found, allowed=_ALLOWED), is_news=True)
