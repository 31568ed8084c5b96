"""The utility model, scripted (contract section 5). It knows a request by its system prompt.

A turn's script travels in a context variable, so background work of turn N never answers for turn N+1.
"""

import json
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from .langchain import Document

Decision = str | dict[str, Any] | Exception | Callable[[str, list[Document]], Any]

# kind of request -> the host's system prompt for it
SYSTEM_PROMPTS = {
    "fragments": "memory.memories_sum.sys.md",
    "solutions": "memory.solutions_sum.sys.md",
    "keywords": "memory.keyword_extraction.sys.md",
    "consolidation": "memory.consolidation.sys.md",
    "query": "memory.memories_query.sys.md",
    "filter": "memory.memories_filter.sys.md",
}
_KEEP_ALL = list(range(64))


@dataclass
class Script:
    """What the utility model answers during one turn. An exception instead of an answer is raised.

    `consolidation` is one decision for every new memory, or a list used up in order: the name of an action,
    the whole answer, or a function of (new text, similar documents) that returns either.
    `query` None repeats the user's words; `filter` None keeps everything.
    """

    fragments: Sequence[str] | str | Exception = ()
    solutions: Sequence[Any] | str | Exception = ()
    keywords: Sequence[str] | str | Exception = ()
    query: str | Exception | None = None
    filter: Sequence[int] | str | Exception | None = None
    consolidation: Decision | list[Decision] = "keep_separate"
    user_text: str = ""
    turn: int = 0


@dataclass
class UtilityCall:
    """One request to the utility model and its answer."""

    kind: str
    system: str
    message: str
    reply: str = ""


@dataclass
class UtilityModel:
    """Answers scripted requests, and others by `rules`: (text found in system or message, reply)."""

    calls: list[UtilityCall] = field(default_factory=list)
    rules: list[tuple[str, str | Exception]] = field(default_factory=list)

    def answer(self, kind: str, system: str, message: str) -> str:
        """Return the answer, or raise what the script says."""
        call = UtilityCall(kind, system, message)
        self.calls.append(call)
        reply = self._by_rule(system, message) if kind == "other" else _scripted(kind)
        if isinstance(reply, Exception):
            raise reply
        call.reply = reply if isinstance(reply, str) else json.dumps(reply)
        return call.reply

    def _by_rule(self, system: str, message: str) -> str | Exception:
        return next((reply for text, reply in self.rules if text in system or text in message), "")


current_script: ContextVar[Script | None] = ContextVar("current_script", default=None)
consolidation_case: ContextVar[tuple[str, list[Document]]] = ContextVar("consolidation_case", default=("", []))


def _scripted(kind: str) -> Any:
    script = current_script.get() or Script()
    if kind == "consolidation":
        return _decide(script)
    if kind == "query":
        return script.user_text if script.query is None else script.query
    if kind == "filter":
        return _KEEP_ALL if script.filter is None else _plain(script.filter)
    return _plain(getattr(script, kind))


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | Exception) else list(value)


def _decide(script: Script) -> Any:
    decision = script.consolidation
    if isinstance(decision, list):
        decision = decision.pop(0) if decision else "keep_separate"
    new, similar = consolidation_case.get()
    if callable(decision):
        decision = decision(new, similar)
    if not isinstance(decision, str):
        return decision
    return _spelled_out(decision, new, similar)


def _spelled_out(action: str, new: str, similar: list[Document]) -> Any:
    """Return the usual full answer for the bare name of an action; any other text stays as it is."""
    ids = [doc.metadata["id"] for doc in similar]
    update = [{"id": ids[0], "new_content": new, "metadata": {}}] if ids else []
    answers: dict[str, dict[str, Any]] = {
        "keep_separate": {},
        "merge": {"memories_to_remove": ids, "new_memory_content": new},
        "replace": {"memories_to_remove": ids[:1], "new_memory_content": new},
        "update": {"memories_to_update": update},
        "skip": {},
    }
    return {"action": action, **answers[action]} if action in answers else action
