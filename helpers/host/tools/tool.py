"""The base class of tools, and the wrapper that turns a tool's failure into an answer."""

from __future__ import annotations

import functools
import importlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from ..chat_log import report_failure
from ..extension import is_host_signal

__all__ = ["Tool", "answering"]


def _tool_module() -> Any:
    """Return the host's module with the class that its loader looks for."""
    try:
        return importlib.import_module("helpers.tool")
    except ImportError:  # Agent Zero v0.9.7 and v0.9.8
        return importlib.import_module("python.helpers.tool")


_host = _tool_module()
Tool = _host.Tool

_log = logging.getLogger(__name__)


def answering(execute: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[Any]]:
    """Make the host's response of a tool's text; a failure becomes the answer and one line in the chat's log.

    Cancellation and the host's own control-flow exceptions (an intervention of the user) pass through.
    """

    @functools.wraps(execute)
    async def wrapper(self: Any, **arguments: Any) -> Any:
        try:
            message = await execute(self, **arguments)
        except Exception as exc:
            if is_host_signal(exc):
                raise
            _log.exception("%s failed", type(self).__name__)
            report_failure(self.agent, type(self).__name__, exc)
            message = f"{self.name} failed ({type(exc).__name__}: {exc}); no memory was changed."
        return _host.Response(message=message, break_loop=False)

    return wrapper
