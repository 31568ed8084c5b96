"""What the memory agent answers: a whole standard message, whatever happened (M-31 ... M-42, M-63, M-69 ... M-72).

Pure: what was done comes in, with the time and the number of the message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from ..texts import counted
from .categories import FILES, ROOT, SHELVES, Place
from .hops import MEMORY_AGENT
from .retrieval import FoundEntry
from .shelving import FileReport, RunReport
from .standard_message import NO_ERROR, OPERATIONAL, ChainPosition, error_of, standard_message
from .triggers import POST_CHAIN, RETRIEVAL, SCHEDULED
from .words import plain_id

CONTENT_TYPE = "knowledge_update"
NOTHING_NEW = "no new patterns identified"
NO_CONFLICTS = "No governance conflicts detected."
#: What is counted, in this order (M-36).
_STATISTICS = ("transactions_processed", "patterns_identified", "decisions_catalogued", "knowledge_entries_written")
_MOST_CHANGES = 5


#: What each trigger asks for, why the chain ends after it, and what is said when it is done (M-38, M-69).
_TOLD_OF = {
    POST_CHAIN: (
        "log_capture",
        "COMPLETE — transaction captured from the audit log",
        "Audit log captured successfully",
    ),
    SCHEDULED: (
        "distillation",
        "COMPLETE — knowledge distillation cycle finished",
        "Knowledge distillation cycle completed successfully",
    ),
    RETRIEVAL: ("context_retrieval", "COMPLETE — historical context returned", "Historical context returned"),
}
_REFUSED = "ERROR — the memory agent could not do what was asked"


class ErrorCode(StrEnum):
    """The error codes of the message format that this agent uses (M-39)."""

    INVALID_INPUT = "INVALID_INPUT"
    PROCESSING_ERROR = "PROCESSING_ERROR"
    DEPENDENCY_ERROR = "DEPENDENCY_ERROR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the agent: what it was given, where in a chain, when, and which of the day it is."""

    received: object
    link: ChainPosition
    now: datetime
    number: int

    @property
    def told(self) -> tuple[str, str, str]:
        """What was asked for, with its words; an input that asks for nothing known captures nothing (M-30, M-69)."""
        trigger = self.received.get("trigger") if isinstance(self.received, Mapping) else None
        return _TOLD_OF[trigger if isinstance(trigger, str) and trigger in _TOLD_OF else POST_CHAIN]


def answer_distilled(call: Call, done: RunReport) -> dict[str, Any]:
    """Return the message about a run over the logs (M-34 ... M-36, M-63, M-70, M-71)."""
    added = sum(len(report.added) for report in done.reports.values())
    revised = sum(len(report.revised) for report in done.reports.values())
    flagged = [*done.conflicts, *done.concerns]
    standards = " per governance standards" if done.consulted else "; there is no governance file to consult"
    written = f"Knowledge files written to {ROOT}{standards}." if done.reports else "No file was changed."
    return _message(
        call,
        updates=_updates(done),
        counts=(done.transactions, done.patterns, done.transactions, added + revised),
        told=call.told[2] + ("" if added + revised else f": {NOTHING_NEW}"),
        notes=" ".join([written, *(flagged or [NO_CONFLICTS])]),
        reasoning=_reasoning(call, done, added, revised),
        consulted=done.consulted,
    )


def answer_found(call: Call, query: str, found: Sequence[FoundEntry]) -> dict[str, Any]:
    """Return the message with what is known about something (M-37, M-66, M-69)."""
    entries = [
        {"id": one.entry.id, "file": one.file, "confidence": one.entry.confidence, "insight": one.entry.insight}
        for one in found
    ]
    told = f"{counted(len(entries), 'entry', 'entries')} found"
    return _message(
        call,
        recalled={"query": query, "entries": entries},
        told=told,
        notes=f"Knowledge files were only read. {NO_CONFLICTS}",
        reasoning=f"Searched the knowledge files in use by words: {told}. Nothing was distilled, nothing was written.",
    )


def answer_refused(call: Call, code: ErrorCode, why: str, *, recoverable: bool = True) -> dict[str, Any]:
    """Return the message about what could not be done (M-30, M-39, M-63)."""
    return _message(
        call,
        told=f"Nothing was done: {NOTHING_NEW}",
        notes=f"No file was changed: {why}. {NO_CONFLICTS}",
        reasoning=f"The call ended with {code.value}: {why}.",
        error=error_of(code.value, why, recoverable=recoverable),
    )


def _message(
    call: Call,
    *,
    told: str,
    notes: str,
    reasoning: str,
    updates: Sequence[Mapping[str, Any]] = (),
    recalled: Mapping[str, Any] | None = None,
    counts: Sequence[int] = (0, 0, 0, 0),
    consulted: Iterable[str] = (),
    error: Mapping[str, Any] = NO_ERROR,
) -> dict[str, Any]:
    day = f"{call.now:%Y%m%d}"
    link = replace(
        call.link,
        session_id=call.link.session_id or f"sess_{day}",
        request_id=call.link.request_id or f"req_memory_batch_{call.number:03d}",
    )
    return standard_message(
        message_id=f"msg-memo-{day}-{call.number:03d}",
        now=call.now.replace(microsecond=0),
        agent=MEMORY_AGENT,
        layer=OPERATIONAL,
        link=link,
        received=call.received if isinstance(call.received, Mapping) else None,
        content_type=CONTENT_TYPE,
        content={
            "action_taken": call.told[0],
            "knowledge_updates": list(updates),
            "recall_result": recalled,
            "statistics": dict(zip(_STATISTICS, counts, strict=True)),
        },
        following=None,
        reason=_REFUSED if error["has_error"] else call.told[1],
        status="failed" if error["has_error"] else "success",
        told=told,
        error=error,
        compliance_notes=notes,
        reasoning=reasoning,
        consulted=consulted,
    )


def _updates(done: RunReport) -> list[dict[str, Any]]:
    """Return one item for each file that was changed, or that something flagged is about (M-35, M-63, M-70)."""
    told = {name: flags for name in FILES if (flags := done.flagged.get(name, [])) or name in done.reports}
    if not told:
        told = {name: [f"{NOTHING_NEW.capitalize()}."] for name, (_, place) in FILES.items() if place is Place.ACTIVE}
    return [_update(name, done.reports.get(name, FileReport()), flagged) for name, flagged in told.items()]


def _update(name: str, report: FileReport, flagged: Sequence[str]) -> dict[str, Any]:
    category, _ = FILES[name]
    changes = "; ".join(f"{one.action} {one.entry_id}: {one.description}" for one in report.changes[:_MOST_CHANGES])
    more = len(report.changes) - _MOST_CHANGES
    summary = [f"{changes}; and {more} more." if more > 0 else f"{changes}."] if changes else []
    return {
        "file": ROOT + name,
        "category": SHELVES[category].stem,
        "entries_added": len(report.added),
        "entries_revised": len(report.revised),
        "summary": " ".join([*summary, *flagged]) or "Brought up to date.",
    }


def _reasoning(call: Call, done: RunReport, added: int, revised: int) -> str:
    received = call.received if isinstance(call.received, Mapping) else {}
    transaction = plain_id(received.get("transaction_id"))
    parts = [
        f"Captured the audit log after transaction {transaction}." if transaction else "",
        f"Processed {counted(done.transactions, 'new completed transaction', 'new completed transactions')}"
        f" and looked for patterns from {done.days[0]} to {done.days[1]}.",
        f"Skipped {counted(done.malformed, 'malformed log entry', 'malformed log entries')}." if done.malformed else "",
        f"Identified {counted(done.patterns, 'recurring pattern', 'recurring patterns')}.",
        f"Distilled {counted(added, 'new knowledge entry', 'new knowledge entries')} and revised {revised}."
        if added + revised
        else f"{NOTHING_NEW.capitalize()}.",
        f"Left as they are: {'; '.join(done.problems)}." if done.problems else "",
    ]
    return " ".join(part for part in parts if part)
