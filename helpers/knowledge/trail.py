"""What agents do in one turn, kept as steps and told as standard messages (T-56). Pure.

A step holds names, counts and times; what anybody said is never in it. One message for each hop: the user to the agent,
the agent to a tool and back, the agent to a subordinate and back, the end of the chain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from ..privacy import Level, scan
from .standard_message import EXECUTIONAL, NO_ERROR, OPERATIONAL, error_of, standard_message
from .words import plain_id, plain_name

#: A turn of more steps than this is told up to here, and ended.
MOST_STEPS = 500
#: The tool that speaks to the user, and the one that is told of as a subordinate's steps.
_NOT_TOLD = frozenset({"response", "call_subordinate"})


class End(StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class StepKind(StrEnum):
    """What happened in one hop; the value is the message's content type."""

    REQUEST = "request"
    TOOL = "task_result"
    DELEGATED = "delegation"
    RETURNED = "delegation_result"
    END = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep:
    """One hop: who, from whom, to whom, when, and how much."""

    kind: StepKind
    agent: str
    source: str
    following: str | None
    at: datetime
    took: timedelta = timedelta()
    counts: Mapping[str, int] = field(default_factory=dict)
    has_failed: bool = False
    end: End = End.ANSWERED


@dataclass(slots=True)
class Trail:
    """The steps of one turn, as they come."""

    chat_id: str
    began_at: datetime
    steps: list[TrailStep] = field(default_factory=list)
    _running: dict[str, tuple[str, datetime, int]] = field(default_factory=dict)
    _answered: set[str] = field(default_factory=set)

    def begin(self, agent: str, *, characters: int, attachments: int) -> None:
        """The user's message reaches an agent."""
        counts = {"characters": characters, "attachments": attachments}
        self._add(
            TrailStep(
                kind=StepKind.REQUEST,
                agent=agent,
                source="user",
                following=agent,
                at=self.began_at,
                counts=counts,
            )
        )

    def delegate(self, superior: str, subordinate: str, at: datetime, *, characters: int) -> None:
        """A superior hands work to a subordinate."""
        self._add(
            TrailStep(
                kind=StepKind.DELEGATED,
                agent=superior,
                source=superior,
                following=subordinate,
                at=at,
                counts={"characters": characters},
            )
        )

    def start_tool(self, agent: str, tool: str, at: datetime, *, arguments: int) -> None:
        """An agent calls a tool; one that it called before and that never answered has failed."""
        self._fail_running(agent, at)
        self._running[agent] = (tool, at, arguments)

    def end_tool(self, agent: str, tool: str, at: datetime, *, characters: int, answers: bool) -> None:
        """A tool has answered; `answers` if that ends the agent's monologue."""
        _, began, arguments = self._running.pop(agent, (tool, at, 0))
        if answers:
            self._answered.add(agent)
        self._add_tool(agent, tool, began, at, {"arguments": arguments, "characters": characters}, has_failed=False)

    def finish(self, agent: str, superior: str | None, at: datetime, *, is_failing: bool) -> bool:
        """A monologue is over; return whether that was the end of the chain."""
        self._fail_running(agent, at)
        answered = agent in self._answered
        self._answered.discard(agent)
        end = End.ANSWERED if answered else End.FAILED if is_failing else End.INTERRUPTED
        kind = StepKind.END if superior is None else StepKind.RETURNED
        step = TrailStep(
            kind=kind,
            agent=agent,
            source=agent,
            following=superior,
            at=at,
            took=at - self.began_at,
            has_failed=end is End.FAILED,
            end=end,
        )
        if superior is None:
            self.steps.append(step)
        else:
            self._add(step)
        return superior is None

    def _fail_running(self, agent: str, at: datetime) -> None:
        if agent in self._running:
            tool, began, arguments = self._running.pop(agent)
            self._add_tool(agent, tool, began, at, {"arguments": arguments}, has_failed=True)

    def _add_tool(
        self, agent: str, tool: str, began: datetime, at: datetime, counts: Mapping[str, int], *, has_failed: bool
    ) -> None:
        if tool in _NOT_TOLD:
            return
        self._add(
            TrailStep(
                kind=StepKind.TOOL,
                agent=tool,
                source=agent,
                following=agent,
                at=at,
                took=at - began,
                counts=counts,
                has_failed=has_failed,
            )
        )

    def _add(self, step: TrailStep) -> None:
        if len(self.steps) < MOST_STEPS:
            self.steps.append(step)


def request_of(trail: Trail) -> str:
    """Return the id of a turn's request, by which its transaction is known."""
    return f"req_{trail.began_at:%Y%m%d}_{_digest(f'{trail.chat_id} {trail.began_at.isoformat()}')}"


def messages_of(trail: Trail) -> Iterator[dict[str, Any]]:
    """Yield the standard message of each step; a name that could be anything but a name is left out."""
    is_plain = plain_id(trail.chat_id) and not scan(trail.chat_id, Level.STRICT)
    session = f"sess_{trail.chat_id if is_plain else _digest(trail.chat_id)}"
    request = request_of(trail)
    parent = None
    for number, step in enumerate(trail.steps, start=1):
        message_id = f"msg-{request}-{number:03d}"
        yield _message(step, number, message_id, parent, session, request)
        parent = message_id


def _message(
    step: TrailStep,
    number: int,
    message_id: str,
    parent: str | None,
    session: str,
    request: str,
) -> dict[str, Any]:
    agent, is_tool = plain_name(step.agent), step.kind is StepKind.TOOL
    counts = {**step.counts, "milliseconds": round(step.took / timedelta(milliseconds=1))}
    status = "failed" if step.has_failed else "partial" if step.end is End.INTERRUPTED else "success"
    content: dict[str, Any] = counts
    if is_tool:
        result = {
            "task_id": f"task_{number}",
            "status": "failed" if step.has_failed else "complete",
            "tool_name": agent,
        }
        content = {"task_result": {**result, **counts}}
    following = None if step.following is None else plain_name(step.following)
    return standard_message(
        message_id=message_id,
        now=step.at,
        agent=agent,
        layer=EXECUTIONAL if is_tool else OPERATIONAL,
        source=plain_name(step.source),
        received=None,
        content_type=step.kind.value,
        content=content,
        following=following,
        reason=_REASONS[step.kind],
        status=status,
        told=_TOLD[status],
        session_id=session,
        request_id=request,
        sequence_number=number,
        parent_message_id=parent,
        error=error_of("PROCESSING_ERROR", "no result was returned") if step.has_failed else NO_ERROR,
        compliance_notes="Counts, codes and times only; no content is recorded.",
        reasoning="Recorded by the audit writer; the agent's own reasoning is not recorded.",
        consulted=(),
    )


_REASONS = {
    StepKind.REQUEST: "The user's message is to be answered",
    StepKind.TOOL: "The result goes back to the agent that called",
    StepKind.DELEGATED: "Work was handed to a subordinate",
    StepKind.RETURNED: "The result goes back to the superior",
    StepKind.END: "COMPLETE: the chain has ended",
}
_TOLD = {"success": "Done", "partial": "Interrupted before an answer", "failed": "Ended without a result"}


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
