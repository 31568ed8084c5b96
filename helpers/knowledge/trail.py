"""The events of a turn, as standard messages. Pure.

A message holds names, counts and times, and never what anybody said. There is one for each hop: the user to the agent,
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
from . import words
from .hops import OWN_NOTES
from .messages import EXECUTIONAL, OPERATIONAL, ChainPosition, MessageError, standard_message

#: A longer turn is recorded up to this step, and ended.
MOST_STEPS = 500
#: The tool that speaks to the user, and the one whose steps are those of a subordinate.
_RESPONSE, DELEGATION = "response", "call_subordinate"
_NOTES = f"{OWN_NOTES} only; no content is recorded."
_NOTES_WITH_REASONS = f"{OWN_NOTES}, and the agent's own reasons; no other content is recorded."
_NOT_RECORDED, _NO_REASON = "Not recorded.", "None was given."
_LONGEST_REASON = 1_000
_SEE_CODE = "see the code; nothing else is recorded"


class StepKind(StrEnum):
    """The kind of a hop; the value is the message's content type."""

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


@dataclass(slots=True)
class ToolCall:
    """A call of a tool without an answer yet: its number of `arguments`, and the `digest` of an equal call.

    `profile` is the one that a subordinate is to have. `taken_by` is the subordinate that works for it, empty once its
    end is recorded. `reason` is what the model gave as the reason for the call.
    """

    tool: str
    began: datetime
    arguments: int = 0
    digest: int | None = None
    profile: str = ""
    reason: str = ""
    taken_by: str | None = None


@dataclass(slots=True)
class Trail:
    """The messages of a turn, as they come; `corrects` is the request that the user's message takes back.

    The reasons of the agents are left out unless it `has_reasons`.
    """

    chat_id: str
    began_at: datetime
    corrects: str = ""
    has_reasons: bool = False
    ended_at: datetime = field(init=False)
    #: The id of the transaction.
    request: str = field(init=False)
    messages: list[dict[str, Any]] = field(default_factory=list)
    #: The governance files that the prompt names.
    governance: set[str] = field(default_factory=set)
    _session: str = field(init=False)
    _running: dict[str, ToolCall] = field(default_factory=dict)
    #: The code of the failure of each agent that has given an answer, empty without a failure, and its reason.
    _answered: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: The results of each call, by agent, tool and arguments: a digest of the result, and how often it occurred.
    _known: dict[tuple[str, str, int], tuple[int, int]] = field(default_factory=dict)
    #: The task of each tool that has failed: a retried call is the same task.
    _failed: dict[tuple[str, str], int] = field(default_factory=dict)
    #: The agents whose model was called, and that have called nothing since.
    _thinking: set[str] = field(default_factory=set)
    _tasks: int = 0

    def __post_init__(self) -> None:
        is_plain = words.plain_id(self.chat_id) and not scan(self.chat_id, Level.STRICT)
        self._session = f"sess_{self.chat_id if is_plain else _digest(self.chat_id)}"
        self.request = f"req_{self.began_at:%Y%m%d}_{_digest(f'{self.chat_id} {self.began_at.isoformat()}')}"
        self.ended_at = self.began_at

    def begin(self, agent: str, *, characters: int, attachments: int, intent: str = "") -> None:
        """Record that the user's message reaches an agent; `intent` is what it asks for, in the words of the tables."""
        content: dict[str, Any] = {"characters": characters, "attachments": attachments}
        content |= {"intent": intent} if intent else {}
        content |= {"corrects": self.corrects} if self.corrects else {}
        self._add(StepKind.REQUEST, agent, "user", agent, self.began_at, content)

    def delegate(self, superior: str, subordinate: str, at: datetime, *, characters: int, intent: str = "") -> None:
        """Record that a superior hands work to a subordinate."""
        reason = ""
        if (call := self._running.get(superior)) is not None:
            call.taken_by, reason = subordinate, call.reason
        content = {"characters": characters, **({"intent": intent} if intent else {})}
        self._add(StepKind.DELEGATED, superior, superior, subordinate, at, content, reason=reason)

    def think(self, agent: str, at: datetime, *, is_intervened: bool, find_fault: Callable[[bool], str]) -> None:
        """Record that an agent's model is called; its former answer may have been no call, or one without an answer.

        Unless the user has interrupted it, `find_fault` returns what went wrong; its argument is whether it was a call.
        """
        was_running = agent in self._running
        if is_intervened or was_running or agent in self._thinking:
            error = words.INTERVENTION if is_intervened else find_fault(was_running)
            self._fail_running(agent, at, error)
            if not was_running:
                self._add(StepKind.FAULT, agent, agent, agent, at, error=error)
        self._thinking.add(agent)

    def start_tool(self, agent: str, call: ToolCall) -> None:
        """Record that an agent calls a tool; an earlier call without an answer has failed."""
        self._thinking.discard(agent)
        self._fail_running(agent, call.began, words.PROCESSING_ERROR)
        self._running[agent] = call

    def end_tool(
        self, agent: str, tool: str, at: datetime, *, characters: int, answers: bool, error: str = "", result: int = 0
    ) -> None:
        """Record a tool's answer; `answers` if it ends the agent's monologue. `error` is the code of its failure."""
        call = self._running.pop(agent, None) or ToolCall(tool, at)
        if answers:
            self._answered[agent] = error, call.reason
        repeats = 0
        if call.digest is not None:
            before, seen = self._known.get((agent, tool, call.digest), (0, 0))
            repeats = seen if before == result else 0
            self._known[(agent, tool, call.digest)] = result, repeats + 1
        error = error or (words.REPEATED_CALL if repeats else "")
        self._add_tool(agent, tool, call, at, error, {"characters": characters}, repeats)

    def finish(
        self, agent: str, superior: str | None, at: datetime, *, is_failing: bool, raised: str = words.PROCESSING_ERROR
    ) -> bool:
        """Record the end of a monologue; return whether it ends the chain. `raised` is the code of its failure."""
        code = raised if is_failing else words.NO_ANSWER
        self._fail_running(agent, at, code)
        self._thinking.discard(agent)
        has_answered, is_end = agent in self._answered, superior is None
        error, reason = self._answered.pop(agent, (code, ""))
        kind, error = (StepKind.END, "" if has_answered else error) if is_end else (StepKind.RETURNED, error)
        message = "" if has_answered or is_failing else "Stopped before an answer"
        took = at - self.began_at
        self._add(kind, agent, agent, superior, at, took=took, error=error, status_message=message, reason=reason)
        if superior is not None and superior in self._running:
            self._running[superior].taken_by = ""
        return is_end

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the messages as they are written, with the consulted files, and what is private in a reason masked."""
        consulted = [*words.governance_files_in([*self.governance])]
        for message in self.messages:
            audit = {**message["audit"], "governance_files_consulted": consulted}
            if self.has_reasons:
                audit["reasoning"] = mask(audit["reasoning"], Level.STRICT)[:_LONGEST_REASON]
            yield {**message, "audit": audit}

    def _fail_running(self, agent: str, at: datetime, error: str) -> None:
        if call := self._running.pop(agent, None):
            self._add_tool(agent, call.tool, call, at, error, {}, 0)

    def _add_tool(
        self, agent: str, tool: str, call: ToolCall, at: datetime, error: str, counts: Mapping[str, int], repeats: int
    ) -> None:
        took = at - call.began
        if call.taken_by:  # the newest hosts tell no end of a subordinate with a chat of its own
            self.finish(call.taken_by, agent, at, is_failing=bool(error), raised=error)
        if tool == DELEGATION and error and call.taken_by is None:  # work that no subordinate was given
            refused = words.OUT_OF_SCOPE if error == words.PROCESSING_ERROR else error
            self._add(StepKind.RETURNED, call.profile or words.UNNAMED, agent, agent, at, took=took, error=refused)
        if tool in (_RESPONSE, DELEGATION):
            return
        task = self._failed.pop((agent, tool), 0)
        if not task:
            self._tasks += 1
            task = self._tasks
        if error:
            self._failed[(agent, tool)] = task
        state = "failed" if error else "complete"
        result: dict[str, Any] = {"task_id": f"task_{task}", "status": state, "tool_name": words.plain_name(tool)}
        result |= {"repeats": repeats} if repeats else {}
        result |= {"arguments": call.arguments, **counts, "milliseconds": _milliseconds(took)}
        self._add(StepKind.TOOL, tool, agent, agent, at, {"task_result": result}, error=error, reason=call.reason)

    def _add(
        self,
        kind: StepKind,
        agent: str,
        source: str,
        following: str | None,
        at: datetime,
        content: Mapping[str, Any] | None = None,
        *,
        took: timedelta = timedelta(),
        error: str = "",
        status_message: str = "",
        reason: str = "",
    ) -> None:
        """Add the message of a hop, or only the last one if they are too many. A name of no known form is left out."""
        self.ended_at = at
        if len(self.messages) >= MOST_STEPS and kind is not StepKind.END:
            return
        number = len(self.messages) + 1
        parent = self.messages[-1]["message_id"] if self.messages else None
        self.messages.append(
            standard_message(
                message_id=f"msg-{self.request}-{number:03d}",
                now=at,
                agent=words.plain_name(agent),
                layer=EXECUTIONAL if kind is StepKind.TOOL else OPERATIONAL,
                link=ChainPosition(number, parent, self._session, self.request, words.plain_name(source)),
                content_type=kind.value,
                content=content or {"milliseconds": _milliseconds(took)},
                following=None if following is None else words.plain_name(following),
                reason=_REASONS[kind],
                status_message=status_message or ("Ended without a result" if error else "Done"),
                error=MessageError(code=error, message=_SEE_CODE) if error else None,
                compliance_notes=_NOTES_WITH_REASONS if self.has_reasons else _NOTES,
                reasoning=(reason or _NO_REASON) if self.has_reasons else _NOT_RECORDED,
            )
        )


def _milliseconds(took: timedelta) -> int:
    return round(took / timedelta(milliseconds=1))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
