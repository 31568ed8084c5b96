"""The utility model, scripted (contract section 5). It knows a request by its system prompt.

A turn's script travels in a context variable, so background work of turn N never answers for turn N+1.
"""

import json
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

# kind of request -> the host's system prompt for it
SYSTEM_PROMPTS = {
    "fragments": "memory.memories_sum.sys.md",
    "solutions": "memory.solutions_sum.sys.md",
    "consolidation": "memory.consolidation.sys.md",
    "query": "memory.memories_query.sys.md",
    "filter": "memory.memories_filter.sys.md",
}
_KEEP_ALL = list(range(64))


@dataclass
class Script:
    """What the utility model answers during one turn. An exception instead of an answer is raised.

    `consolidation` is the decision about every new memory.
    `query` None repeats the user's words; `filter` None keeps everything.
    """

    fragments: Sequence[str] | str | Exception = ()
    solutions: Sequence[Any] | str | Exception = ()
    query: str | Exception | None = None
    filter: Sequence[int] | str | Exception | None = None
    consolidation: dict[str, Any] = field(default_factory=lambda: {"action": "keep_separate"})
    user_text: str = ""


@dataclass
class UtilityCall:
    """One request to the utility model and its answer."""

    kind: str
    system: str
    message: str
    reply: str = ""


@dataclass
class UtilityModel:
    """Answers scripted requests, and others with nothing."""

    calls: list[UtilityCall] = field(default_factory=list)

    def answer(self, kind: str, system: str, message: str) -> str:
        """Return the answer, or raise what the script says."""
        call = UtilityCall(kind, system, message)
        self.calls.append(call)
        reply = _scripted(kind)
        if isinstance(reply, Exception):
            raise reply
        call.reply = reply if isinstance(reply, str) else json.dumps(reply)
        return call.reply


current_script: ContextVar[Script | None] = ContextVar("current_script", default=None)


def _scripted(kind: str) -> Any:
    script = current_script.get() or Script()
    if kind == "query":
        return script.user_text if script.query is None else script.query
    if kind == "filter" and script.filter is None:
        return _KEEP_ALL
    value = getattr(script, kind, "")
    return value if isinstance(value, str | dict | Exception) else list(value)
