"""The base class of hooks, and the guard that reports a hook's failure and lets the chat go on."""

from __future__ import annotations

import asyncio
import functools
import importlib
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

__all__ = ["Extension", "guarded", "load_ahead", "load_pack"]


def _extension_base() -> Any:
    """Return the base class that this host's loader looks for, or `object`."""
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
            from .chat_log import is_ending, report_failure  # a hook file loads nothing else on the event loop

            if is_ending(exc):
                return
            _log.exception("%s failed", type(self).__name__)
            report_failure(self.agent, type(self).__name__, exc)

    return wrapper


async def load_pack() -> None:
    """Import all modules of the hooks in a worker thread, once; that takes a quarter of a second."""
    if not _is_loaded.is_set():
        await asyncio.to_thread(_load)
        _is_loaded.set()


def load_ahead() -> Awaitable[None] | None:
    """Start loading in a thread that nobody waits for; return what this host expects of `agent_init` (trap 3)."""
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
