"""The standard message, and the three triggers of the memory agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ..clock import parse_time
from ..errors import MemoryLedgerError, requirement_of, shorten
from ..texts import regex
from .hops import MEMORY_AGENT

#: The layers of an agent in the message format.
OPERATIONAL, EXECUTIONAL = "operational", "executional"


@dataclass(frozen=True, slots=True)
class ChainPosition:
    """The place of a message in a chain; by default the first."""

    sequence_number: int = 1
    parent_message_id: str | None = None
    session_id: str | None = None
    request_id: str | None = None
    source: str = "orchestration_layer"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageError:
    """The error of a message that failed; without a `code` it succeeded."""

    code: str | None = None
    message: str | None = None
    recoverable: bool = True


def standard_message(
    *,
    message_id: str,
    now: datetime,
    agent: str,
    link: ChainPosition,
    content_type: str,
    content: Mapping[str, Any],
    following: str | None,
    reason: str,
    status_message: str,
    compliance_notes: str,
    reasoning: str,
    layer: str = OPERATIONAL,
    received: Mapping[str, Any] | None = None,
    error: MessageError | None = None,
    consulted: Iterable[str] = (),
) -> dict[str, Any]:
    """Return a whole standard message; `now` is aware and written in UTC. With an `error` its status is `failed`."""
    fault = error or MessageError()
    return {
        "message_id": message_id,
        "timestamp": {"executed_at": now.astimezone(UTC).isoformat().replace("+00:00", "Z"), "timezone": "UTC"},
        "agent": {"name": agent, "type": layer},
        "input": {"source": link.source, "content": None if received is None else dict(received)},
        "output": {"content": dict(content), "content_type": content_type},
        "next_agent": {"name": following, "reason": reason},
        "status": {"code": "success" if error is None else "failed", "message": status_message},
        "error": {
            "has_error": error is not None,
            "error_code": fault.code,
            "error_message": fault.message,
            "retry_count": 0,
            "recoverable": fault.recoverable,
        },
        "metadata": {name: value for name, value in asdict(link).items() if name != "source"},
        "resources": {"source_refs": [], "storage_refs": [], "derived_refs": []},
        "audit": {
            "compliance_notes": compliance_notes,
            "governance_files_consulted": list(consulted),
            "reasoning": reasoning,
        },
    }


POST_CHAIN, SCHEDULED, RETRIEVAL = "post_chain", "scheduled_distillation", "context_retrieval"
#: The folder of a log, which is given by its name alone.
LOG_FOLDER = "system/logs/"
_MOMENT = regex(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z\Z")


class TriggerError(MemoryLedgerError):
    """The input of the memory agent is not one of the three triggers."""


def _to_moment(value: object) -> datetime:
    moment = parse_time(value) if isinstance(value, str) and _MOMENT.match(value) else None
    if moment is None:
        raise ValueError("a moment in UTC, such as 2026-06-01T00:00:00Z")
    return moment


_Moment = Annotated[datetime, BeforeValidator(_to_moment)]
_Words = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Window(_Asked):
    """A window of time; its start comes before its end."""

    start: _Moment
    end: _Moment

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.start >= self.end:
            raise ValueError("a start before the end")
        return self


class PostChain(_Asked):
    """A chain has ended: read its part of the log."""

    trigger: Literal["post_chain"]
    transaction_id: _Words
    log_path: Annotated[str, Field(max_length=200, pattern=r"\Asystem/logs/[A-Za-z0-9_-]+\.(?:log|jsonl|md)\z")]


class Scheduled(_Asked):
    """It is time to read everything in a window."""

    trigger: Literal["scheduled_distillation"]
    time_window: Window

    @property
    def days(self) -> tuple[str, str]:
        """The first and the last day of the window; an end at midnight belongs to the day before."""
        start, end = self.time_window.start, self.time_window.end
        last = max(start, datetime.fromtimestamp(end.timestamp() - 0.000_001, UTC))
        return start.date().isoformat(), last.date().isoformat()


class Retrieval(_Asked):
    """Another agent asks what is known about a subject."""

    trigger: Literal["context_retrieval"]
    query: Annotated[str, Field(min_length=1, max_length=4_000, pattern=r"\S")]
    requesting_agent: _Words


Trigger = PostChain | Scheduled | Retrieval
_TRIGGERS: Mapping[str, type[Trigger]] = {POST_CHAIN: PostChain, SCHEDULED: Scheduled, RETRIEVAL: Retrieval}


def parse_trigger(received: object) -> Trigger:
    """Return the trigger of an input; raises TriggerError for any other input."""
    if not isinstance(received, Mapping):
        raise TriggerError(f"input is {type(received).__name__}; allowed: an object with a trigger")
    trigger = received.get("trigger")
    if not isinstance(trigger, str) or trigger not in _TRIGGERS:
        value = _found(trigger) if "trigger" in received else "missing"
        raise TriggerError(f"trigger is {value}; allowed: {', '.join(_TRIGGERS)}")
    try:
        return _TRIGGERS[trigger].model_validate({str(key): value for key, value in received.items()})
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
    where, is_extra = shorten(".".join(map(str, fault["loc"]))).strip("'"), fault["type"] == "extra_forbidden"
    value = "unknown" if is_extra else "missing" if fault["type"] == "missing" else _found(fault["input"])
    allowed = ", ".join(_TRIGGERS[trigger].model_fields) if is_extra else requirement_of(fault)
    raise TriggerError(f"{where} is {value}; allowed: {allowed}")


def _found(value: object) -> str:
    """Return a value as far as it may be shown: only the length of a text."""
    return f"a text of {len(value)} characters" if isinstance(value, str) else shorten(value)


def parse_handover(message: Mapping[str, Any]) -> tuple[dict[str, Any], ChainPosition] | None:
    """Return the input and the link of a standard message that asks for context; None for any other message.

    The question stands in its output: a text, or an object with a `query`.
    """
    following = _object(message, "next_agent")
    if following.get("name") != MEMORY_AGENT or following.get("reason") != RETRIEVAL:
        return None
    content, metadata = _object(message, "output").get("content"), _object(message, "metadata")
    query = content.get("query") if isinstance(content, Mapping) else content
    number, name = metadata.get("sequence_number"), _object(message, "agent").get("name")
    link = ChainPosition(
        sequence_number=number + 1 if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 1,
        parent_message_id=_if_text(message.get("message_id")),
        session_id=_if_text(metadata.get("session_id")),
        request_id=_if_text(metadata.get("request_id")),
        source=_if_text(name) or "unnamed",
    )
    return {"trigger": RETRIEVAL, "query": query, "requesting_agent": name}, link


def _object(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = message.get(key)
    return value if isinstance(value, Mapping) else {}


def _if_text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
