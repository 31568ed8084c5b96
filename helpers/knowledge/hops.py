"""A message of an agent chain, read from a line of a log and reduced to names, codes, counts and times."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from ..clock import parse_time
from ..texts import regex
from . import words

#: A longer record, in bytes, is no message.
LARGEST_RECORD = 4_000_000

#: `YYYYMMDD.log`, `YYYYMMDD-N.log` where several machines write one each, and the original project's `YYYYMMDD-N.md`.
#: The beginning of the compliance notes of our own writer.
OWN_NOTES = "Counts, codes and times"

_LOG_NAME = regex(r"(\d{4})(\d{2})(\d{2})(?:-(\d{1,6}))?\.(?:log|jsonl|md)\Z")
_YEARS = range(1990, 2200)
#: The orchestrator's own time of a message in Markdown; a model made up the message's.
_HEADING = regex(rb"## \[(\d{1,2}:\d{2}:\d{2}(?:\s*[ap]m)?)\]", re.IGNORECASE)
_FENCE = b"```"
#: The byte order mark that some editors put before the first line.
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, order=True)
class LogName:
    """A log file in reading order: by day, then by number, then by name."""

    day: date
    number: int
    name: str

    @property
    def is_prose(self) -> bool:
        """Whether it is Markdown, which may have other lines between the messages."""
        return self.name.endswith(".md")


def parse_log_name(name: str) -> LogName | None:
    """Return the parts of a log's file name; None for any other file."""
    match = _LOG_NAME.match(name)
    try:
        day = None if match is None else date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
    if match is None or day is None or day.year not in _YEARS:
        return None
    return LogName(day=day, number=int(match[4] or 0), name=name)


def log_name_of(day: date, number: int = 0) -> str:
    """Return the name of our own log of a day; with a number where several machines write one each."""
    return f"{day:%Y%m%d}-{number}.log" if number else f"{day:%Y%m%d}.log"


class Record(NamedTuple):
    """A message of the log, and the time of day that the log gives it; empty without one."""

    message: dict[str, Any]
    clock: str = ""


def read_records(lines: Iterable[bytes], *, is_prose: bool) -> Iterator[Record | None]:
    """Yield every message of a file, and None for each place where a message cannot be read."""
    unmarked = (line.removeprefix(_BYTE_ORDER_MARK) for line in lines)
    clock = ""
    for line in unmarked:
        text = line.strip()
        if not is_prose:
            if text:
                yield _to_record(text)
        elif (heading := _HEADING.match(line)) is not None:
            clock = heading[1].decode("ascii")
        elif text.startswith(b"```json"):
            yield _to_record(_fenced(unmarked), clock)
            clock = ""


def _fenced(lines: Iterator[bytes]) -> bytes:
    """Return the text up to the end of a fence; empty if it has no end, or is too large."""
    parts: list[bytes] = []
    size = 0
    for line in lines:
        if line.startswith(_FENCE):
            return b"".join(parts) if size <= LARGEST_RECORD else b""
        size += len(line)
        if size <= LARGEST_RECORD:
            parts.append(line)
    return b""


def _to_record(data: bytes, clock: str = "") -> Record | None:
    if len(data) > LARGEST_RECORD:
        return None
    try:
        message = json.loads(data.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    return Record(message, clock) if isinstance(message, dict) else None


MEMORY_AGENT = "memory_agent"
#: The contents of results and of a model's failed calls; they never end a chain.
_GOES_ON = frozenset(("task_result", "delegation_result", "fault"))
#: After the last message nobody follows.
NOBODY = ""

#: A time further from the day of its file was made up.
_BELIEVED = timedelta(days=2)


class Task(NamedTuple):
    """The end of a task and the tool or capability that carried it out; `planned` in a plan."""

    name: str
    means: str
    state: str


class Audit(NamedTuple):
    """The `audit` field of a hop, as it was written; only this module's flags use it."""

    compliance_notes: str
    governance_files: tuple[str, ...]
    reasoning: str


class Hop(NamedTuple):
    """A message. `at` is in seconds since 1970."""

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
    objectives: int
    goals: int
    intents: tuple[str, ...]
    inputs: tuple[str, ...]
    tasks: tuple[Task, ...]
    gaps: tuple[str, ...]
    #: The request that the user takes back with this message, and the number of earlier calls in vain.
    corrects: str = ""
    repeats: int = 0

    @property
    def is_result(self) -> bool:
        """Whether this is the result of a call, or of a model's failed call: the chain goes on."""
        return self.content in _GOES_ON

    @property
    def is_terminal(self) -> bool:
        """Whether the chain ends here: nobody follows, the workflow is complete, or it failed for good."""
        if self.is_result:
            return False
        return (
            self.following in (NOBODY, MEMORY_AGENT)
            or self.content == "workflow_complete"
            or (self.status == "failed" and self.has_error)
        )

    @property
    def is_rejection(self) -> bool:
        """Whether this rejects the request."""
        return self.error == words.OUT_OF_SCOPE or self.is_policy

    @property
    def begins(self) -> bool:
        """Whether a chain begins here."""
        return (self.sequence == 1 and not self.parent) or self.source == "user"


def audit_of(message: Mapping[str, Any]) -> Audit:
    """Return the audit field of a message; missing parts are empty."""
    audit = _inner(message, "audit")
    return Audit(
        compliance_notes=_said(audit.get("compliance_notes")),
        governance_files=words.governance_files_in(audit.get("governance_files_consulted")),
        reasoning=_said(audit.get("reasoning")),
    )


def parse_hop(record: Record, *, day: date | None = None) -> Hop | None:
    """Return the hop of a record; None if it names no agent.

    `day` is the day of the log file: it completes a time of day, and overrules a date that is far from it.
    """
    message = record.message
    agent = _inner(message, "agent").get("name")
    if not agent:
        return None
    output, error, metadata = _inner(message, "output"), _inner(message, "error"), _inner(message, "metadata")
    result = _inner(output, "content").get("task_result")
    result = result if isinstance(result, dict) else None
    content = words.plain_name(output.get("content_type") or ("task_result" if result is not None else words.UNNAMED))
    audit, status_row = audit_of(message), _inner(message, "status")
    reported = "" if audit.compliance_notes.startswith(OWN_NOTES) else audit.reasoning  # of ours, what a model thought
    has_error = error.get("has_error") is True
    status = words.one_of(status_row.get("code") or (result or {}).get("status"), words.STATUS_CODES, "")
    objectives = _objectives(output.get("content")) if content == "objectives" else []
    noted = _said(_inner(output, "content").get("intent"))  # our own log notes the intent itself
    intents = {words.intent_of(objective) for objective in objectives} | ({noted} if words.is_intent(noted) else set())
    following, code = _inner(message, "next_agent"), _said(error.get("error_code")).strip()
    return Hop(
        at=_moment(record, day).timestamp(),
        session=words.plain_id(metadata.get("session_id")),
        request=words.plain_id(metadata.get("request_id")),
        transaction=words.plain_id(metadata.get("transaction_id") or message.get("transaction_id")),
        message=words.plain_id(message.get("message_id")),
        parent=words.plain_id(metadata.get("parent_message_id")),
        sequence=_count(metadata.get("sequence_number")),
        agent=words.plain_name(agent),
        source=words.plain_name(_inner(message, "input").get("source") or words.UNNAMED),
        following=(NOBODY if following["name"] is None else words.plain_name(following["name"]))
        if "name" in following
        else words.UNNAMED,
        content=content,
        status=status,
        error=words.error_code(code) if code else words.OTHER_ERROR if has_error else "",
        has_error=has_error,
        is_escalated=content in ("model_escalation", "escalation")
        or words.tells_escalation((reported, audit.compliance_notes, _said(status_row.get("message")))),
        is_policy=(has_error or status == "failed") and words.tells_intervention(audit.compliance_notes),
        objectives=len(objectives),
        goals=_goals(output.get("content")) if content == "goals" else 0,
        intents=tuple(sorted(intents - {""})),
        inputs=_inputs(message),
        tasks=_tasks(output.get("content"), result),
        gaps=_gaps(result),
        corrects=words.plain_id(_inner(output, "content").get("corrects")),
        repeats=_count((result or {}).get("repeats")),
    )


def _moment(record: Record, day: date | None) -> datetime:
    """Return the time of a hop: that of the log, else its own if it is near the day of the file."""
    own = parse_time(_inner(record.message, "timestamp").get("executed_at"))
    if day is None:
        return own or datetime(1970, 1, 1, tzinfo=UTC)
    for form in ("%H:%M:%S", "%I:%M:%S %p") if record.clock else ():
        try:
            return datetime.combine(day, datetime.strptime(record.clock, form).time(), UTC)  # noqa: DTZ007 - a clock
        except ValueError:
            continue
    noon = datetime.combine(day, time(12), UTC)
    return own if own is not None and abs(own - noon) <= _BELIEVED else noon


def _objectives(content: object) -> list[str]:
    """Return the texts of objectives; only their verbs and things are used."""
    items = list(content.values()) if isinstance(content, dict) else content if isinstance(content, list) else [content]
    texts = (item.get("objective") if isinstance(item, dict) else item for item in items)
    return [text for text in texts if isinstance(text, str)]


def _goals(content: object) -> int:
    """Return the number of goals of the objectives."""
    if not isinstance(content, dict):
        return len(content) if isinstance(content, list) else 0
    lists = [item.get("goals") for item in content.values() if isinstance(item, dict)]
    return sum(len(goals) for goals in lists if isinstance(goals, list))


def _inputs(message: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the kind and the platform of each file that the user sent."""
    refs = _inner(message, "resources").get("source_refs")
    sources = [ref for ref in (refs if isinstance(refs, list) else []) if isinstance(ref, dict)]
    kinds = [words.one_of(source.get("media_type"), words.MEDIA_TYPES, "file") for source in sources]
    platforms = [words.one_of(source.get("platform"), words.PLATFORMS, "elsewhere") for source in sources]
    return tuple(sorted({f"{kind} from {platform}" for kind, platform in zip(kinds, platforms, strict=True)}))


def _tasks(content: object, result: Mapping[str, Any] | None) -> tuple[Task, ...]:
    """Return the tasks of a plan, or the one that a message ends."""
    if result is not None:
        state = words.TASK_ENDS.get(_said(result.get("status")).lower(), "")
        tool, capabilities = (
            result.get("tool_name"),
            "+".join(words.capabilities_in(result.get("capability_ids_executed"))),
        )
        means = capabilities or (words.plain_name(tool) if tool else "")
        return (Task(words.plain_name(result.get("task_id")), means, state),) if state else ()
    return tuple(
        Task(words.plain_name(name), "+".join(words.capabilities_in(task.get("capability_ids"))), "planned")
        for name, task in _planned(content).items()
        if isinstance(task, dict)
    )


def _planned(content: object) -> Mapping[str, Any]:
    """Return the tasks of a plan, wherever in it they are listed."""
    for _ in range(3):
        if not isinstance(content, dict):
            break
        tasks = content.get("tasks")
        if isinstance(tasks, list):
            return {f"task_{number}": task for number, task in enumerate(tasks, 1)}
        if isinstance(tasks, dict):
            return tasks
        content = content.get("workflow") or content.get("plan")
    return {}


def _gaps(result: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the gaps that a task's own assessment reports."""
    if result is None:
        return ()
    checks, assessed = _inner(result, "quality_checks"), _inner(result, "confidence_assessment")
    gaps = {words.plain_name(name) for name, value in checks.items() if value is False}
    if assessed.get("limitations"):
        gaps.add("limitations")
    if assessed.get("overall_confidence") == "low":
        gaps.add("low_confidence")
    return tuple(sorted(gaps - {words.UNNAMED}))


def _inner(message: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object under a key; an empty one without it."""
    value = message.get(key)
    return value if isinstance(value, dict) else {}


def _said(value: object) -> str:
    """Return a text; empty for any other value."""
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return min(value, 1_000_000) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
