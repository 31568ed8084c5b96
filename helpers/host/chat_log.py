"""Problems and failures in the log of a chat: each once, in one warning per kind."""

from __future__ import annotations

import logging
from asyncio import Future
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..errors import HostError
from ..store.damage import ProblemKind, ProblemLog
from . import agent_zero

if TYPE_CHECKING:
    from .host_agent import HostAgent

_KEY = "_memory_ledger_problems"
_MOST_NAMED = 20
#: The exceptions of an unknown release of the host, which are the same for every hook.
_STRANGE = (AttributeError, HostError, ImportError, TypeError)
_ENDINGS = ("cannot schedule new futures after", "can't start new thread at", "Event loop is closed")


def chat_problems(agent: HostAgent) -> ProblemLog:
    """Return the problem log of an agent."""
    problems = agent.data.get(_KEY)
    if type(problems) is not ProblemLog:
        problems = agent.data[_KEY] = ProblemLog()
    return problems


def report_problems(agent: HostAgent, *logs: ProblemLog) -> None:
    """Write the new problems of `logs` to the chat's log, one warning per kind."""
    for kind in ProblemKind:
        news = dict.fromkeys(chain.from_iterable(log.take(kind) for log in logs))
        if news:
            agent.context.log.log(
                type="warning",
                heading=f"Memory Ledger: {len(news)} {kind}",
                content="\n".join(map(str, [*news][:_MOST_NAMED])),
            )


def report_failure(agent: HostAgent, hook: str, exc: Exception) -> None:
    """Write a warning about the failure of a hook or tool to the chat's log, once per chat for the same failure.

    A failure that an unknown release may cause is shown once for all hooks, with the release.
    """
    content, about = f"{type(exc).__name__}: {exc}", hook
    if isinstance(exc, _STRANGE):
        content, about = f"{content} ({agent_zero.release()})", __name__
    if not is_ending(exc) and chat_problems(agent).note(about, content):
        agent.context.log.log(
            type="warning", heading=f"Memory Ledger: {hook} failed; no further memory was changed", content=content
        )


def log_failure(logger: logging.Logger, words: str) -> Callable[[Future[Any]], None]:
    """Return a callback for the end of work that nobody awaits: it logs `words` if the work has failed."""

    def look(work: Future[Any]) -> None:
        if not work.cancelled() and work.exception() is not None:
            logger.error(words, exc_info=work.exception())

    return look


def is_ending(exc: Exception) -> bool:
    """Whether an exception only says that the event loop, or the process, is shutting down."""
    return isinstance(exc, RuntimeError) and str(exc).startswith(_ENDINGS)
