"""What agents do in one turn, kept as steps and told as standard messages (T-56). Pure.

A step holds names, counts and times; what anybody said is never in it. One message for each hop: the user to the agent,
the agent to a tool and back, the agent to a subordinate and back, the end of the chain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from ..privacy import Level, mask, scan
from .standard_message import EXECUTIONAL, NO_ERROR, OPERATIONAL, ChainPosition, error_of, standard_message
from .words import (
    INTERVENTION,
    NO_ANSWER,
    OUT_OF_SCOPE,
    PROCESSING_ERROR,
    REPEATED_CALL,
    UNNAMED,
    governance_files_in,
    plain_id,
    plain_name,
)

#: A turn of more steps than this is told up to here, and ended.
MOST_STEPS = 500
#: The tool that speaks to the user, and the one that is told of as a subordinate's steps.
_RESPONSE, DELEGATION = "response", "call_subordinate"
_LONGEST_REASON = 1_000
_NOTES = "Counts, codes and times only; no content is recorded."
_NOTES_WITH_REASON = "Counts, codes and times, and the agent's own reason; no other content is recorded."
_NO_REASON = "None was given."


class StepKind(StrEnum):
    """What happened in one hop; the value is the message's content type."""

    REQUEST = "request"
    TOOL = "task_result"
    DELEGATED = "delegation"
    RETURNED = "delegation_result"
    FAULT = "fault"
    END = "response"


_REASONS = {
    StepKind.REQUEST: "The user's message is to be answered",
    StepKind.TOOL: "The result goes back to the agent that called",
    StepKind.DELEGATED: "Work was handed to a subordinate",
    StepKind.RETURNED: "The result goes back to the superior",
    StepKind.FAULT: "The agent goes on",
    StepKind.END: "COMPLETE: the chain has ended",
}


@dataclass(frozen=True, slots=True)
class TrailStep:
    """One hop: who, from whom, to whom, when, and how much."""

    kind: StepKind
    agent: str
    source: str
    following: str | None
    at: datetime
    took: timedelta = timedelta()
    #: What failed, as one of the codes; empty where nothing did.
    error: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    #: What is asked for, in the words of the tables; nothing else of it is kept.
    intent: str = ""
    #: Which task a result belongs to: one that is tried again is one task.
    task: int = 0
    #: How often this very call was made before, with this very result.
    repeats: int = 0
    #: What the agent itself gave as its reason; empty where the host has none.
    reasoning: str = ""
    #: Whether the agent has neither answered nor failed.
    is_interrupted: bool = False


@dataclass(slots=True, kw_only=True)
class _Call:
    """A call that has not answered; `digest` tells whether another one is the same.

    `taken_by` is the subordinate that works for it, empty once its end is told.
    """

    tool: str
    began: datetime
    arguments: int = 0
    digest: int | None = None
    profile: str = ""
    reasoning: str = ""
    taken_by: str | None = None


@dataclass(slots=True)
class Trail:
    """The steps of one turn, as they come; `corrects` is the request that the user's message takes back."""

    chat_id: str
    began_at: datetime
    steps: list[TrailStep] = field(default_factory=list)
    corrects: str = ""
    #: The governance files that the prompt names.
    governance: set[str] = field(default_factory=set)
    _running: dict[str, _Call] = field(default_factory=dict)
    #: The answer of each agent that has given one: the code of its failure, and its reason.
    _answered: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: What each call came to, by agent, tool and arguments.
    _known: dict[tuple[str, str, int], tuple[int, int]] = field(default_factory=dict)
    #: The task of each tool that has failed, and is tried again.
    _failed: dict[tuple[str, str], int] = field(default_factory=dict)
    #: The agents whose model was asked, and has called nothing since.
    _thinking: set[str] = field(default_factory=set)
    _tasks: int = 0

    def begin(self, agent: str, *, characters: int, attachments: int, intent: str = "") -> None:
        """The user's message reaches an agent."""
        counts = {"characters": characters, "attachments": attachments}
        self._add(TrailStep(StepKind.REQUEST, agent, "user", agent, self.began_at, counts=counts, intent=intent))

    def delegate(self, superior: str, subordinate: str, at: datetime, *, characters: int, intent: str = "") -> None:
        """A superior hands work to a subordinate."""
        if superior in self._running:
            self._running[superior].taken_by = subordinate
        counts = {"characters": characters}
        self._add(TrailStep(StepKind.DELEGATED, superior, superior, subordinate, at, counts=counts, intent=intent))

    def think(self, agent: str, at: datetime, *, is_intervened: bool, find_fault: Callable[[bool], str]) -> None:
        """An agent's model is asked; what it said before may have been no call, or one that never answered.

        Unless the user has interrupted it, `find_fault` is asked what went wrong, and told whether it was a call.
        """
        was_running = agent in self._running
        if is_intervened or was_running or agent in self._thinking:
            error = INTERVENTION if is_intervened else find_fault(was_running)
            self._fail_running(agent, at, error)
            if not was_running:
                self._add(TrailStep(StepKind.FAULT, agent, agent, agent, at, error=error))
        self._thinking.add(agent)

    def start_tool(
        self,
        agent: str,
        tool: str,
        at: datetime,
        *,
        arguments: int,
        digest: int | None = None,
        profile: str = "",
        reasoning: str = "",
    ) -> None:
        """An agent calls a tool; one that it called before and that never answered has failed."""
        self._thinking.discard(agent)
        self._fail_running(agent, at, PROCESSING_ERROR)
        self._running[agent] = _Call(
            tool=tool, began=at, arguments=arguments, digest=digest, profile=profile, reasoning=reasoning
        )

    def end_tool(
        self, agent: str, tool: str, at: datetime, *, characters: int, answers: bool, error: str = "", result: int = 0
    ) -> None:
        """A tool has answered; `answers` if that ends the agent's monologue. `error` is the code of its failure."""
        call = self._running.pop(agent, None) or _Call(tool=tool, began=at)
        if answers:
            self._answered[agent] = error, call.reasoning
        repeats = 0
        if call.digest is not None:
            before, seen = self._known.get((agent, tool, call.digest), (0, 0))
            repeats = seen if before == result else 0
            self._known[(agent, tool, call.digest)] = result, repeats + 1
        counts = {"arguments": call.arguments, "characters": characters}
        self._add_tool(agent, tool, call, at, counts, error or (REPEATED_CALL if repeats else ""), repeats)

    def finish(
        self, agent: str, superior: str | None, at: datetime, *, is_failing: bool, raised: str = PROCESSING_ERROR
    ) -> bool:
        """A monologue is over; return whether that was the end of the chain. `raised` is why it fails, if it does."""
        self._fail_running(agent, at, raised if is_failing else NO_ANSWER)
        self._thinking.discard(agent)
        has_answered, is_end = agent in self._answered, superior is None
        told, reasoning = self._answered.pop(agent, (raised if is_failing else NO_ANSWER, ""))
        step = TrailStep(
            StepKind.END if is_end else StepKind.RETURNED,
            agent,
            agent,
            superior,
            at,
            at - self.began_at,
            "" if has_answered and is_end else told,
            reasoning=reasoning,
            is_interrupted=not has_answered and not is_failing,
        )
        if is_end:
            self.steps.append(step)
            return True
        self._add(step)
        if superior in self._running:
            self._running[superior].taken_by = ""
        return False

    def _fail_running(self, agent: str, at: datetime, error: str) -> None:
        if call := self._running.pop(agent, None):
            self._add_tool(agent, call.tool, call, at, {"arguments": call.arguments}, error, 0)

    def _add_tool(
        self, agent: str, tool: str, call: _Call, at: datetime, counts: Mapping[str, int], error: str, repeats: int
    ) -> None:
        took = at - call.began
        if call.taken_by:  # the newest hosts tell no end of a subordinate with a chat of its own
            self.finish(call.taken_by, agent, at, is_failing=bool(error), raised=error)
        if tool == DELEGATION and error and call.taken_by is None:  # work that no subordinate was given
            refused = OUT_OF_SCOPE if error == PROCESSING_ERROR else error
            self._add(TrailStep(StepKind.RETURNED, call.profile or UNNAMED, agent, agent, at, took, refused))
        if tool in (_RESPONSE, DELEGATION):
            return
        task = self._failed.pop((agent, tool), 0)
        if not task:
            self._tasks += 1
            task = self._tasks
        if error:
            self._failed[(agent, tool)] = task
        step = TrailStep(StepKind.TOOL, tool, agent, agent, at, took, error, counts, "", task, repeats, call.reasoning)
        self._add(step)

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
    request, consulted = request_of(trail), governance_files_in([*trail.governance])
    parent = None
    for number, step in enumerate(trail.steps, start=1):
        link = ChainPosition(number, parent, session, request, plain_name(step.source))
        parent = f"msg-{request}-{number:03d}"
        status = "failed" if step.error else "success"
        yield standard_message(
            message_id=parent,
            now=step.at,
            agent=plain_name(step.agent),
            layer=EXECUTIONAL if step.kind is StepKind.TOOL else OPERATIONAL,
            link=link,
            received=None,
            content_type=step.kind.value,
            content=_content(step, trail.corrects),
            following=None if step.following is None else plain_name(step.following),
            reason=_REASONS[step.kind],
            status=status,
            told="Stopped before an answer" if step.is_interrupted else _TOLD[status],
            error=error_of(step.error, "see the code; nothing else is recorded") if step.error else NO_ERROR,
            compliance_notes=_NOTES_WITH_REASON if step.reasoning else _NOTES,
            reasoning=mask(step.reasoning[:_LONGEST_REASON], Level.STRICT) or _NO_REASON,
            consulted=consulted,
        )


_TOLD = {"success": "Done", "failed": "Ended without a result"}


def _content(step: TrailStep, corrects: str) -> dict[str, Any]:
    """Return what a step comes to: counts, and of a tool the result of its task."""
    content: dict[str, Any] = {**step.counts, "milliseconds": round(step.took / timedelta(milliseconds=1))}
    if step.kind is StepKind.TOOL:
        state = "failed" if step.error else "complete"
        result = {"task_id": f"task_{step.task}", "status": state, "tool_name": plain_name(step.agent)}
        return {"task_result": {**result, **({"repeats": step.repeats} if step.repeats else {}), **content}}
    if step.intent:
        content["intent"] = step.intent
    if step.kind is StepKind.REQUEST and corrects:
        content["corrects"] = corrects
    return content


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
