"""The base class of a hook, whose failure ends here in the chat's log; and that log, with each thing said once."""

from __future__ import annotations

import asyncio
import functools
import importlib
import logging
import threading
from asyncio import Future
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..errors import HostError
from ..store.damage import ProblemKind, ProblemLog
from . import agent_zero

if TYPE_CHECKING:
    from .host_agent import HostAgent

_KEY = "_memory_ledger_problems"
_MOST_NAMED = 20
#: What a host raises that is made otherwise than the pack knows it: the same for every hook.
_STRANGE = (AttributeError, HostError, ImportError, TypeError)
_ENDINGS = ("cannot schedule new futures after", "can't start new thread at", "Event loop is closed")


def chat_problems(agent: HostAgent) -> ProblemLog:
    """Return the problems of an agent of a chat, which are no memory folder's."""
    found = agent.data.get(_KEY)
    if type(found) is not ProblemLog:
        found = agent.data[_KEY] = ProblemLog()
    return found


def report_problems(agent: HostAgent, *logs: ProblemLog) -> None:
    """Put what is new in `logs` into the chat's log, one warning for each kind."""
    for kind in ProblemKind:
        found = dict.fromkeys(chain.from_iterable(log.take(kind) for log in logs))
        if found:
            agent.context.log.log(
                type="warning",
                heading=f"Memory Ledger: {len(found)} {kind}",
                content="\n".join(map(str, [*found][:_MOST_NAMED])),
            )


def report_failure(agent: HostAgent, where: str, exc: Exception) -> None:
    """Put one warning into the chat's log; the same failure is shown once per chat, however often it comes and goes.

    What may come of an unknown release is shown once for all hooks, with the release.
    """
    content, about = f"{type(exc).__name__}: {exc}", where
    if isinstance(exc, _STRANGE):
        content, about = f"{content} ({agent_zero.release()})", __name__
    if not is_ending(exc) and chat_problems(agent).note(about, content):
        agent.context.log.log(
            type="warning", heading=f"Memory Ledger: {where} failed; no further memory was changed", content=content
        )


def log_failure(logger: logging.Logger, what: str) -> Callable[[Future[Any]], None]:
    """Return what is called when work that nobody waits for is done: it logs `what` if that has failed."""

    def look(work: Future[Any]) -> None:
        if not work.cancelled() and work.exception() is not None:
            logger.error(what, exc_info=work.exception())

    return look


def is_ending(exc: Exception) -> bool:
    """Whether an exception says that the event loop, or the process, is on its way out: there is nothing to report."""
    return isinstance(exc, RuntimeError) and str(exc).startswith(_ENDINGS)


def _extension_base() -> Any:
    """Return the class that this host's loader looks for; one that it does not look for, where it has none."""
    for name in ("helpers.extension", "python.helpers.extension"):  # the latter: Agent Zero v0.9.7 and v0.9.8
        with suppress(ImportError, AttributeError):
            return importlib.import_module(name).Extension
    return object  # a hook file that raises would take the host's own extensions of its point with it


Extension = _extension_base()

_log = logging.getLogger(__name__)
_is_loaded = threading.Event()
_is_begun = threading.Event()

Execute = Callable[..., Awaitable[None]]


def guarded(execute: Execute) -> Execute:
    """Run a hook; report a failure once in the chat's log, and never let it reach the host's loop.

    Cancellation and the host's own control-flow exceptions (an intervention of the user) pass through.
    """

    @functools.wraps(execute)
    async def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
        if self.agent is None:
            return
        try:
            await execute(self, *args, **kwargs)
        except Exception as exc:
            if is_host_signal(exc):
                raise

            if is_ending(exc):
                return
            _log.exception("%s failed", type(self).__name__)
            report_failure(self.agent, type(self).__name__, exc)

    return wrapper


async def load_pack() -> None:
    """Import everything that the hooks use, in a worker thread: that takes a quarter of a second, once."""
    if not _is_loaded.is_set():
        await asyncio.to_thread(_load)
        _is_loaded.set()


def load_ahead() -> Awaitable[None] | None:
    """Begin to load in a thread that nobody waits for; return what this host takes from an `agent_init` (trap 3)."""
    if not _is_begun.is_set():
        _is_begun.set()
        threading.Thread(target=_load_ahead, name="memory-ledger-load", daemon=True).start()
    return _nothing() if Extension.__module__.startswith("python.") else None


async def _nothing() -> None:
    pass


def _load_ahead() -> None:
    try:
        _load()
    except Exception:  # noqa: BLE001 - the last stop of a thread
        _log.warning("not loaded ahead; the first hook tries again, and reports what is wrong", exc_info=True)


def _load() -> None:
    importlib.import_module(f"{__package__}.hooks")
    importlib.import_module("..store.deadline", __package__).keep_deadlines()


def is_host_signal(exc: Exception) -> bool:
    """Whether an exception is how the host steers its loop: an intervention of the user."""
    return type(exc).__name__ == "InterventionException"
