"""What the memory agent is asked: the three triggers, and the message of another agent that hands over (M-24 ... M-30).

Pure. What is of no documented form is refused with the place, what was found and what is allowed, never with an
exception that would end a chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..clock import parse_time
from ..errors import MemoryLedgerError, shorten
from ..patterns import regex
from .hops import MEMORY_AGENT

POST_CHAIN, SCHEDULED, RETRIEVAL = "post_chain", "scheduled_distillation", "context_retrieval"
TRIGGERS = (POST_CHAIN, SCHEDULED, RETRIEVAL)

#: A log lies in this folder, by its name alone (M-27, M-53).
LOG_FOLDER = "system/logs/"
_LOG_PATH = regex(r"system/logs/[A-Za-z0-9_-]+\.(?:log|jsonl|md)\Z")
_MOMENT = regex(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z\Z")
_LONGEST_QUERY = 4_000
_LONGEST_NAME = 200


class TriggerError(MemoryLedgerError):
    """What the memory agent was given is none of the three triggers."""


@dataclass(frozen=True, slots=True)
class PostChain:
    """A chain has ended: take up what it has left in the log (M-24, M-27)."""

    transaction_id: str
    log_path: str


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The time has come to look at everything in a window (M-25, M-28)."""

    start: datetime
    end: datetime

    @property
    def days(self) -> tuple[str, str]:
        """The first and the last day of the window; an end at midnight belongs to the day before."""
        last = max(self.start, datetime.fromtimestamp(self.end.timestamp() - 0.000_001, UTC))
        return self.start.date().isoformat(), last.date().isoformat()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Another agent wants to know what is known about something (M-26, M-29)."""

    query: str
    requesting_agent: str


Trigger = PostChain | Scheduled | Retrieval


@dataclass(frozen=True, slots=True)
class ChainPosition:
    """Where in a chain the memory agent stands (M-40, M-67); by itself it is the first."""

    sequence_number: int = 1
    parent_message_id: str | None = None
    session_id: str | None = None
    request_id: str | None = None
    source: str = "orchestration_layer"


def parse_trigger(received: object) -> Trigger:
    """Return what is asked. Raises TriggerError for whatever is none of the three triggers (M-30)."""
    if not isinstance(received, Mapping):
        raise TriggerError(f"input is {type(received).__name__}; allowed: an object with a trigger")
    trigger = received.get("trigger")
    if trigger not in TRIGGERS:
        raise TriggerError(f"trigger is {_found(received, 'trigger')}; allowed: {', '.join(TRIGGERS)}")
    if trigger == POST_CHAIN:
        _only(received, "transaction_id", "log_path")
        path = _text(received, "log_path", _LONGEST_NAME)
        if not _LOG_PATH.match(path):
            raise TriggerError(f"log_path is {shorten(path)}; allowed: a file in {LOG_FOLDER}, such as 20260601.log")
        return PostChain(_text(received, "transaction_id", _LONGEST_NAME), path)
    if trigger == SCHEDULED:
        _only(received, "time_window")
        window = received.get("time_window")
        if not isinstance(window, Mapping) or set(window) != {"start", "end"}:
            raise TriggerError(f"time_window is {_found(received, 'time_window')}; allowed: an object with start, end")
        start, end = _moment(window, "start"), _moment(window, "end")
        if start >= end:
            raise TriggerError("time_window ends before it begins; allowed: start before end")
        return Scheduled(start, end)
    _only(received, "query", "requesting_agent")
    return Retrieval(_text(received, "query", _LONGEST_QUERY), _text(received, "requesting_agent", _LONGEST_NAME))


def parse_handover(message: Mapping[str, Any]) -> tuple[dict[str, Any], ChainPosition] | None:
    """Return the input and the link of a standard message that calls for context (M-26); None if it calls for none.

    What is asked stands in its output: a text, or an object with a `query`.
    """
    following = message.get("next_agent")
    if not isinstance(following, Mapping) or following.get("name") != MEMORY_AGENT:
        return None
    if following.get("reason") != RETRIEVAL:
        return None
    output, agent, metadata = (_object(message, key) for key in ("output", "agent", "metadata"))
    content = output.get("content")
    query = content.get("query") if isinstance(content, Mapping) else content
    number = metadata.get("sequence_number")
    name = agent.get("name")
    link = ChainPosition(
        sequence_number=number + 1 if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 1,
        parent_message_id=_if_text(message.get("message_id")),
        session_id=_if_text(metadata.get("session_id")),
        request_id=_if_text(metadata.get("request_id")),
        source=_if_text(name) or "unnamed",
    )
    return {"trigger": RETRIEVAL, "query": query, "requesting_agent": name}, link


def _object(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = message.get(key)
    return found if isinstance(found, Mapping) else {}


def _if_text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _only(received: Mapping[str, Any], *keys: str) -> None:
    unknown = sorted(str(key) for key in set(received) - {"trigger", *keys})
    if unknown:
        raise TriggerError(f"{shorten(unknown[0])} is unknown; allowed beside trigger: {', '.join(keys)}")


def _text(received: Mapping[str, Any], key: str, longest: int) -> str:
    value = received.get(key)
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        raise TriggerError(f"{key} is {_found(received, key)}; allowed: a text of 1 to {longest} characters")
    return value


def _moment(window: Mapping[str, Any], key: str) -> datetime:
    value = window.get(key)
    moment = parse_time(value) if isinstance(value, str) and _MOMENT.match(value) else None
    if moment is None:
        raise TriggerError(f"time_window.{key} is {_found(window, key)}; allowed: such as 2026-06-01T00:00:00Z")
    return moment


def _found(received: Mapping[str, Any], key: str) -> str:
    """Return what stands there, so far as it may be shown: of a text its length only (T-22)."""
    if key not in received:
        return "missing"
    value = received[key]
    return f"a text of {len(value)} characters" if isinstance(value, str) else shorten(value)
