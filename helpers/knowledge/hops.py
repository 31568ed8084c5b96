"""One message of an agent chain, reduced to what may be told again: names, codes, counts and times (T-22, T-59).

Free text is looked at for the few things that the specification asks for (M-13 ... M-15) and left behind: a `Hop` holds
no sentence that anybody wrote. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any, NamedTuple

from ..clock import parse_time
from .log_lines import Heading, Record
from .words import (
    ERROR_CODES,
    MEDIA_TYPES,
    OTHER_ERROR,
    PLATFORMS,
    STATUS_CODES,
    TASK_ENDS,
    UNNAMED,
    capabilities_in,
    governance_files_in,
    intent_of,
    one_of,
    plain_id,
    plain_name,
)

MEMORY_AGENT = "memory_agent"
#: A message that says no word about the next agent, as one without anything after it.
NO_WORD, NOBODY = "?", ""

_CLOCK = re.compile(r"(\d{1,2}):(\d{2}):(\d{2})\s*([ap]m)?\Z", re.IGNORECASE)
#: A time that lies further from the day of its file than this was made up.
_BELIEVED = timedelta(days=2)
_MOST_TASKS = 200
_MOST_GAPS = 50
#: A denial stands this close before what it denies.
_LOOK_BACK = 60

_ESCALATION = re.compile(
    r"\bslm\s*(?:-?to-?|->|→)\s*llm\b|\bmodel\s+escalation\b"
    r"|\bescalat\w+\s+(?:[\w-]+\s+){0,4}?(?:llm|large(?:r)?\s+(?:language\s+)?model)\b",
    re.IGNORECASE,
)
_POLICY = re.compile(r"\b(?:polic(?:y|ies)|governance|compliance)\b", re.IGNORECASE)
_REJECTED = re.compile(
    r"\b(?:reject\w*|violat\w*|prohibit\w*|forbid\w*|forbidden|denied|block(?:ed|s)|conflict(?:s|ed|ing)?\s+with"
    r"|not\s+(?:permitted|allowed))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:no|not|without|never|none|nor|any)\b[^.;:]{0,40}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The `audit` field of one hop, as it was written (M-05); it goes no further than this module's flags."""

    compliance_notes: str
    governance_files: tuple[str, ...]
    reasoning: str


class Task(NamedTuple):
    """What became of one task: what carried it out, and how it ended (`planned` in a plan)."""

    name: str
    means: str
    state: str


class Hop(NamedTuple):
    """One message. `at` is in seconds since 1970; `origin` is the log file that it came from."""

    origin: str
    at: float
    session: str
    request: str
    transaction: str
    message: str
    parent: str
    sequence: int
    agent: str
    source: str
    following: str
    content: str
    status: str
    error: str
    has_error: bool
    is_escalated: bool
    is_policy: bool
    retries: int
    objectives: int
    goals: int
    intents: tuple[str, ...]
    inputs: tuple[str, ...]
    tasks: tuple[Task, ...]
    gaps: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def is_terminal(self) -> bool:
        """Whether the chain ends here (T-34): nobody follows, the workflow is complete, or it failed for good."""
        if self.content == "task_result":
            return False
        return (
            self.following in (NOBODY, MEMORY_AGENT)
            or self.content == "workflow_complete"
            or (self.status == "failed" and self.has_error)
        )

    @property
    def begins(self) -> bool:
        """Whether a chain begins here."""
        return (self.sequence == 1 and not self.parent) or self.source == "user"


def to_row(hop: Hop) -> list[Any]:
    """Return a hop as JSON can carry it."""
    return list(hop)


def from_row(row: Iterable[Any]) -> Hop:
    """Read a hop back."""
    *plain, intents, inputs, tasks, gaps, files = row
    lists = [tuple(intents), tuple(inputs), tuple(Task(*one) for one in tasks), tuple(gaps), tuple(files)]
    return Hop._make([*plain, *lists])


def audit_of(message: Mapping[str, Any]) -> Audit:
    """Return the audit field of a message (M-05); what is not there is empty."""
    audit = _inner(message, "audit")
    return Audit(
        compliance_notes=_said(audit.get("compliance_notes")),
        governance_files=governance_files_in(audit.get("governance_files_consulted")),
        reasoning=_said(audit.get("reasoning")),
    )


def read_hop(record: Record, *, origin: str = "", day: date | None = None, zone: timezone = UTC) -> Hop | None:
    """Return the hop of a record; None if it names no agent at all.

    `day` and `zone` are those of the log file: they complete a time of day, and overrule a date that is far from them.
    """
    message, heading = record.message, record.heading
    if "task_states" in message:
        message = _of_dispatcher(message)
    agent = _inner(message, "agent").get("name") or heading.agent
    if not agent:
        return None
    output, error, metadata = _inner(message, "output"), _inner(message, "error"), _inner(message, "metadata")
    result = _task_result(message, output)
    content = plain_name(output.get("content_type")) if output.get("content_type") else _event_content(heading, result)
    audit = audit_of(message)
    has_error = error.get("has_error") is True
    status = one_of(_inner(message, "status").get("code") or (result or {}).get("status"), STATUS_CODES, "")
    error_code = _error_code(error.get("error_code"), has_error)
    objectives = _objectives(output.get("content"), content)
    tasks = _tasks(message, output.get("content"), result)
    return Hop(
        origin=origin,
        at=_moment(message, heading, day, zone).timestamp(),
        session=plain_id(metadata.get("session_id") or heading.session),
        request=plain_id(metadata.get("request_id") or heading.request),
        transaction=plain_id(metadata.get("transaction_id") or message.get("transaction_id")),
        message=plain_id(message.get("message_id")),
        parent=plain_id(metadata.get("parent_message_id")),
        sequence=_count(metadata.get("sequence_number")),
        agent=plain_name(agent),
        source=plain_name(_inner(message, "input").get("source") or UNNAMED),
        following=_following(message),
        content=content,
        status=status,
        error=error_code,
        has_error=has_error,
        is_escalated=content in ("model_escalation", "escalation") or _is_escalated(message, audit),
        is_policy=(has_error or status == "failed") and _is_policy(audit.compliance_notes),
        retries=_count(error.get("retry_count")),
        objectives=len(objectives),
        goals=_goals(output.get("content"), content),
        intents=tuple(sorted({one for one in map(intent_of, objectives) if one})),
        inputs=_inputs(message),
        tasks=tasks,
        gaps=_gaps(result),
        files=audit.governance_files,
    )


def zone_of(record: Record) -> timezone | None:
    """Return the offset that a message's own time is written with, for pieces beside it that have none."""
    moment = _inner(record.message, "timestamp").get("executed_at")
    try:
        offset = datetime.fromisoformat(moment).utcoffset() if isinstance(moment, str) else None
    except ValueError:
        return None
    return None if offset is None else timezone(offset)


def _inner(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = message.get(key)
    return found if isinstance(found, dict) else {}


def _said(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return min(value, 1_000_000) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _error_code(value: object, has_error: bool) -> str:
    code = value.strip().upper() if isinstance(value, str) else ""
    if code in ERROR_CODES:
        return code
    return OTHER_ERROR if code or has_error else ""


def _following(message: Mapping[str, Any]) -> str:
    found = message.get("next_agent")
    if not isinstance(found, dict) or "name" not in found:
        return NO_WORD
    return NOBODY if found["name"] is None else plain_name(found["name"])


def _moment(message: Mapping[str, Any], heading: Heading, day: date | None, zone: timezone) -> datetime:
    """Return when a hop was: by its own time, unless that is none or far from the day of its file."""
    moment = parse_time(_inner(message, "timestamp").get("executed_at"), zone=zone)
    if day is None:
        return moment or datetime(1970, 1, 1, tzinfo=UTC)
    noon = datetime.combine(day, time(12), tzinfo=zone)
    if moment is not None and abs(moment - noon) <= _BELIEVED:
        return moment
    found = _CLOCK.match(heading.clock.strip())
    if found is None:
        return noon.astimezone(UTC)
    hour = int(found[1]) % 12 + 12 * (found[4].lower() == "pm") if found[4] else int(found[1])
    try:
        return datetime.combine(day, time(hour, int(found[2]), int(found[3])), tzinfo=zone).astimezone(UTC)
    except ValueError:
        return noon.astimezone(UTC)


def _objectives(content: object, kind: str) -> list[str]:
    if kind != "objectives":
        return []
    found = list(content.values()) if isinstance(content, dict) else content if isinstance(content, list) else [content]
    texts = [one.get("objective") if isinstance(one, dict) else one for one in found]
    return [one for one in texts if isinstance(one, str)]


def _goals(content: object, kind: str) -> int:
    if kind != "goals" or not isinstance(content, dict):
        return len(content) if kind == "goals" and isinstance(content, list) else 0
    lists = [one.get("goals") for one in content.values() if isinstance(one, dict)]
    return sum(len(one) for one in lists if isinstance(one, list))


def _task_result(message: Mapping[str, Any], output: Mapping[str, Any]) -> Mapping[str, Any] | None:
    content = output.get("content")
    found = content.get("task_result") if isinstance(content, dict) else None
    found = message if found is None and "task_id" in message else found
    return found if isinstance(found, dict) else None


def _event_content(heading: Heading, result: Mapping[str, Any] | None) -> str:
    return "task_result" if result is not None else plain_name(heading.event or UNNAMED)


def _tasks(message: Mapping[str, Any], content: object, result: Mapping[str, Any] | None) -> tuple[Task, ...]:
    """Return what a message says of tasks: those of a plan, the end of one, or the ends of all."""
    if result is not None:
        state = TASK_ENDS.get(_said(result.get("status")).lower(), "")
        name = plain_name(result.get("task_id"))
        return (Task(name, _means(result), state),) if state else ()
    states = message.get("task_states")
    if isinstance(states, dict):
        ends = {
            plain_name(name): TASK_ENDS.get(_said(one.get("status")).lower(), "")
            for name, one in list(states.items())[:_MOST_TASKS]
            if isinstance(one, dict)
        }
        return tuple(Task(name, "", state) for name, state in sorted(ends.items()) if state)
    planned = _planned(content)
    return tuple(
        Task(plain_name(name), "+".join(capabilities_in(one.get("capability_ids"))), "planned")
        for name, one in list(planned.items())[:_MOST_TASKS]
        if isinstance(one, dict)
    )


def _planned(content: object) -> Mapping[str, Any]:
    """Return the tasks of a plan, wherever in it they are listed."""
    for _ in range(3):
        if not isinstance(content, dict):
            break
        tasks = content.get("tasks")
        if isinstance(tasks, list):
            return {f"task_{at}": one for at, one in enumerate(tasks, 1)}
        if isinstance(tasks, dict):
            return tasks
        content = content.get("workflow") or content.get("plan")
    return {}


def _means(result: Mapping[str, Any]) -> str:
    """Return what carried a task out: its capabilities, or else the tool that was called."""
    named = "+".join(capabilities_in(result.get("capability_ids_executed")))
    tool = result.get("tool_name")
    return named or (plain_name(tool) if tool else "")


def _gaps(result: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return what a task's own assessment finds wanting (M-12, M-15)."""
    if result is None:
        return ()
    checks, assessed = _inner(result, "quality_checks"), _inner(result, "confidence_assessment")
    found = {plain_name(name) for name, value in checks.items() if value is False}
    if assessed.get("limitations"):
        found.add("limitations")
    if assessed.get("overall_confidence") == "low":
        found.add("low_confidence")
    return tuple(sorted(found - {UNNAMED})[:_MOST_GAPS])


def _inputs(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return platform and kind of what the user handed in (M-09)."""
    refs = _inner(message, "resources").get("source_refs")
    return tuple(
        sorted(
            {
                f"{one_of(one.get('media_type'), MEDIA_TYPES, 'file')} from"
                f" {one_of(one.get('platform'), PLATFORMS, 'elsewhere')}"
                for one in (refs if isinstance(refs, list) else [])
                if isinstance(one, dict)
            }
        )
    )


def _is_escalated(message: Mapping[str, Any], audit: Audit) -> bool:
    texts = (audit.reasoning, audit.compliance_notes, _said(_inner(message, "status").get("message")))
    return any(_says(_ESCALATION, text) for text in texts if "scalat" in text.lower() or "slm" in text.lower())


def _is_policy(notes: str) -> bool:
    return any(
        _POLICY.search(sentence) is not None and _says(_REJECTED, sentence) for sentence in re.split(r"[.;\n]", notes)
    )


def _says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text says so, and does not deny it."""
    return any(
        not _DENIED.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]) for found in pattern.finditer(text)
    )


def _of_dispatcher(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a dispatcher's state tells as a message: at its end, who gets the whole, and how it went."""
    dispatches = message.get("dispatches")
    last = dispatches[-1] if isinstance(dispatches, list) and dispatches and isinstance(dispatches[-1], dict) else {}
    body = _inner(last, "body")
    workflow = _inner(_inner(_inner(body, "output"), "content"), "workflow_result")
    is_complete = message.get("complete") is True
    return {
        **message,
        "agent": {"name": "dispatch_agent"},
        "output": {"content_type": "workflow_complete" if is_complete else "task_dispatch"},
        "next_agent": {"name": last.get("targetAgent") or "action_agent"},
        "status": {"code": "success" if workflow.get("status") == "complete" else workflow.get("status")},
        "metadata": _inner(body, "metadata"),
    }
