"""What the host's own recall did, and what it leaves to ours (T-02; contract, section 6).

Where a model writes the host's query or filters its result, what that model refuses stays out of the prompt. The host
says so nowhere but in its log item and in what it left for the prompt. A recall of the host's that failed has refused
nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...records import Memory
from ..host_agent import HostAgent
from .injection import SECTIONS, read_section

# What the host's headings say, in every release from v0.9.7 on; a failure has an item of its own or renames the first.
_FAILURES = ("Recall memories", "Memory recall")
_FOUND_NOTHING = "No memories or solutions found"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallVerdict:
    """What to ask, if a model has put it into words, and the texts that may enter the prompt, by section.

    Without `kept` everything may that our own rules let through.
    """

    query: str = ""
    kept: Mapping[str, str] | None = None

    @property
    def is_refusal(self) -> bool:
        """Whether nothing at all may enter the prompt."""
        return self.kept is not None and not any(self.kept.values())

    def admits(self, memory: Memory) -> bool:
        """Whether the host would have shown `memory`: its whole text stands, as a block, in the section of its area."""
        if self.kept is None:
            return True
        kept = self.kept.get("solutions" if memory.is_solution else "memories", "")
        return f"\n\n{memory.text.strip()}\n\n" in f"\n\n{kept.strip()}\n\n"


def uses_model(config: Mapping[str, Any]) -> bool:
    """Whether a model takes part in the host's recall."""
    return bool(config.get("memory_recall_query_prep")) or _filters(config)


def read_verdict(agent: HostAgent, log_item: Any, left: Mapping[str, str], config: Mapping[str, Any]) -> RecallVerdict:
    """Judge a recall of the host's that has ended, by its log item, if known, and by what it `left` for the prompt."""
    if not uses_model(config) or _has_failed(agent, log_item):
        return RecallVerdict()
    query = str((log_item.kvps or {}).get("query", "")).strip() if log_item is not None else ""
    if _filters(config):
        return RecallVerdict(query=query, kept={key: read_section(agent, key, text) for key, text in left.items()})
    has_searched = bool(left) or (log_item is not None and log_item.heading == _FOUND_NOTHING)
    return RecallVerdict(query=query) if has_searched else RecallVerdict(kept={})


def tell_log(log_item: Any, heading: str, texts: Mapping[str, str]) -> None:
    """Let the host's log item, if known, name what really enters the prompt, and nothing else that was found."""
    if log_item is not None:
        others = {key: value for key, value in (log_item.kvps or {}).items() if key not in SECTIONS}
        log_item.update(heading=heading, kvps=others, **texts)


def read_log_item(task: Any) -> Any:
    """Return the item that the host has opened for a pending task of its recall; None if it is unknown."""
    frames = [task.get_coro().cr_frame, *(one.cr_frame for one in _inner(task))]
    return next((frame.f_locals["log_item"] for frame in frames if frame and "log_item" in frame.f_locals), None)


def has_begun(task: Any) -> bool:
    """Whether a pending task has run already."""
    return inspect.getcoroutinestate(task.get_coro()) != inspect.CORO_CREATED


def discard(task: Any) -> None:
    """Cancel a task that has not begun, and close the coroutine that it would have awaited."""
    inner = _inner(task)
    task.cancel()
    for one in inner:
        one.close()


def _inner(task: Any) -> list[Any]:
    """Return the coroutines that a pending task wraps."""
    return [local for local in task.get_coro().cr_frame.f_locals.values() if inspect.iscoroutine(local)]


def _filters(config: Mapping[str, Any]) -> bool:
    return bool(config.get("memory_recall_post_filter"))


def _has_failed(agent: HostAgent, log_item: Any) -> bool:
    """Whether the host has logged trouble with its recall since it announced it."""
    if log_item is None:
        return False
    later = list(agent.context.log.logs)[log_item.no + 1 :]
    return any(str(one.heading).startswith(_FAILURES) for one in (log_item, *later))
