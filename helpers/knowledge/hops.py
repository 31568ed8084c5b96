"""One message of an agent chain, reduced to what may be told again: names, codes, counts and times (T-22, T-59).

Free text is looked at for the few things that the specification asks for (M-13 ... M-15) and left behind: a `Hop` holds
no sentence that anybody wrote. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import Any, NamedTuple

from ..clock import parse_time
from ..patterns import regex
from .free_text import tells_escalation, tells_intervention
from .log_lines import Heading, Record
from .outputs import Task, gaps_in, goals_in, inner, objectives_in, said, task_result_in, tasks_in
from .words import (
    MEDIA_TYPES,
    OTHER_ERROR,
    OUT_OF_SCOPE,
    PLATFORMS,
    STATUS_CODES,
    UNNAMED,
    error_code,
    governance_files_in,
    intent_of,
    is_intent,
    one_of,
    plain_id,
    plain_name,
)

MEMORY_AGENT = "memory_agent"
#: What an agent gets back, or its model said in vain; nothing of it ends a chain.
_GOES_ON = frozenset(("task_result", "delegation_result", "fault"))
#: A message that says no word about the next agent, as one without anything after it.
NO_WORD, NOBODY = "?", ""

_CLOCK = regex(r"(\d{1,2}):(\d{2}):(\d{2})\s*([ap]m)?\Z", re.IGNORECASE)
#: A time that lies further from the day of its file than this was made up; so was one that is not that of the day at
#: which the log has noted the message, but for this long.
_BELIEVED, _NOTED_WITHIN = timedelta(days=2), timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The `audit` field of one hop, as it was written (M-05); it goes no further than this module's flags."""

    compliance_notes: str
    governance_files: tuple[str, ...]
    reasoning: str


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
    #: The request that the user takes back with this message, and how often a call was made in vain before.
    corrects: str = ""
    repeats: int = 0

    @property
    def is_result(self) -> bool:
        """Whether this is what came of a call, or of a model's message that was none: the chain goes on."""
        return self.content in _GOES_ON

    @property
    def is_terminal(self) -> bool:
        """Whether the chain ends here (T-34): nobody follows, the workflow is complete, or it failed for good."""
        if self.is_result:
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


def is_rejection(hop: Hop) -> bool:
    """Whether a hop turns the request down."""
    return hop.error == OUT_OF_SCOPE or hop.is_policy


def audit_of(message: Mapping[str, Any]) -> Audit:
    """Return the audit field of a message (M-05); what is not there is empty."""
    audit = inner(message, "audit")
    return Audit(
        compliance_notes=said(audit.get("compliance_notes")),
        governance_files=governance_files_in(audit.get("governance_files_consulted")),
        reasoning=said(audit.get("reasoning")),
    )


def parse_hop(record: Record, *, origin: str = "", day: date | None = None, zone: timezone = UTC) -> Hop | None:
    """Return the hop of a record; None if it names no agent at all.

    `day` and `zone` are those of the log file: they complete a time of day, and overrule a date that is far from them.
    """
    message, heading = record.message, record.heading
    if "task_states" in message:
        message = _of_dispatcher(message)
    agent = inner(message, "agent").get("name") or heading.agent
    if not agent:
        return None
    output, error, metadata = inner(message, "output"), inner(message, "error"), inner(message, "metadata")
    result = task_result_in(message, output)
    content = plain_name(output.get("content_type")) if output.get("content_type") else _event_content(heading, result)
    audit = audit_of(message)
    has_error = error.get("has_error") is True
    status = one_of(inner(message, "status").get("code") or (result or {}).get("status"), STATUS_CODES, "")
    code = _error_code(error.get("error_code"), has_error)
    objectives = objectives_in(output.get("content"), content)
    tasks = tasks_in(message, output.get("content"), result)
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
        source=plain_name(inner(message, "input").get("source") or UNNAMED),
        following=_following(message),
        content=content,
        status=status,
        error=code,
        has_error=has_error,
        is_escalated=content in ("model_escalation", "escalation")
        or tells_escalation((audit.reasoning, audit.compliance_notes, said(inner(message, "status").get("message")))),
        is_policy=(has_error or status == "failed") and tells_intervention(audit.compliance_notes),
        retries=_count(error.get("retry_count")),
        objectives=len(objectives),
        goals=goals_in(output.get("content"), content),
        intents=_intents(objectives, inner(output, "content")),
        inputs=_inputs(message),
        tasks=tasks,
        gaps=gaps_in(result),
        files=audit.governance_files,
        corrects=plain_id(inner(output, "content").get("corrects")),
        repeats=_count((result or {}).get("repeats")),
    )


def zone_of(record: Record) -> timezone | None:
    """Return the offset that a message's own time is written with, for pieces beside it that have none.

    UTC is none: machines write it wherever they stand.
    """
    moment = inner(record.message, "timestamp").get("executed_at")
    try:
        offset = datetime.fromisoformat(moment).utcoffset() if isinstance(moment, str) else None
    except ValueError:
        return None
    return timezone(offset) if offset else None


def _intents(objectives: Iterable[str], content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what is asked for: of objectives in their own words, of our own log in those of the tables."""
    noted = content.get("intent")
    found = {intent_of(one) for one in objectives} | ({noted} if isinstance(noted, str) and is_intent(noted) else set())
    return tuple(sorted(found - {""}))


def _count(value: object) -> int:
    return min(value, 1_000_000) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _error_code(value: object, has_error: bool) -> str:
    code = value if isinstance(value, str) and value.strip() else ""
    return error_code(code) if code else OTHER_ERROR if has_error else ""


def _following(message: Mapping[str, Any]) -> str:
    found = message.get("next_agent")
    if not isinstance(found, dict) or "name" not in found:
        return NO_WORD
    return NOBODY if found["name"] is None else plain_name(found["name"])


def _moment(message: Mapping[str, Any], heading: Heading, day: date | None, zone: timezone) -> datetime:
    """Return when a hop was: by its own time, unless that is none, far from the day of its file, or not as noted."""
    moment = parse_time(inner(message, "timestamp").get("executed_at"), zone=zone)
    if day is None:
        return moment or datetime(1970, 1, 1, tzinfo=UTC)
    noon = _noon(day, zone)
    noted = _noted(heading.clock, day, zone) if heading.clock else None
    if moment is None or abs(moment - noon) > _BELIEVED:
        return noted or noon
    return moment if noted is None or _is_as_noted(moment, noted) else noted


@lru_cache(maxsize=64)
def _noon(day: date, zone: timezone) -> datetime:
    return datetime.combine(day, time(12), tzinfo=zone).astimezone(UTC)


def _noted(clock: str, day: date, zone: timezone) -> datetime | None:
    """Return when the log says that it has noted a message: a time of the day of its file."""
    found = _CLOCK.match(clock.strip())
    if found is None:
        return None
    hour = int(found[1]) % 12 + 12 * (found[4].lower() == "pm") if found[4] else int(found[1])
    try:
        return datetime.combine(day, time(hour, int(found[2]), int(found[3])), tzinfo=zone).astimezone(UTC)
    except ValueError:
        return None


def _is_as_noted(moment: datetime, noted: datetime) -> bool:
    """Whether two moments are the same time of a day: the file may have been named on the next one."""
    apart = (moment - noted) % timedelta(days=1)
    return min(apart, timedelta(days=1) - apart) <= _NOTED_WITHIN


def _event_content(heading: Heading, result: Mapping[str, Any] | None) -> str:
    return "task_result" if result is not None else plain_name(heading.event or UNNAMED)


def _inputs(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return platform and kind of what the user handed in (M-09)."""
    refs = inner(message, "resources").get("source_refs")
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


def _of_dispatcher(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a dispatcher's state tells as a message: at its end, who gets the whole, and how it went."""
    dispatches = message.get("dispatches")
    last = dispatches[-1] if isinstance(dispatches, list) and dispatches and isinstance(dispatches[-1], dict) else {}
    body = inner(last, "body")
    workflow = inner(inner(inner(body, "output"), "content"), "workflow_result")
    is_complete = message.get("complete") is True
    return {
        **message,
        "agent": {"name": "dispatch_agent"},
        "output": {"content_type": "workflow_complete" if is_complete else "task_dispatch"},
        "next_agent": {"name": last.get("targetAgent") or "action_agent"},
        "status": {"code": "success" if workflow.get("status") == "complete" else workflow.get("status")},
        "metadata": inner(body, "metadata"),
    }
