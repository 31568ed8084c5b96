"""The audit writer: what agents do, turn by turn, as JSON Lines in `system/logs` (T-34, T-56).

The hooks note a step in microseconds; the lines of a turn are written when it is over, all in one go, in a thread. A
log that cannot be written is told of once, and its lines are kept until it can.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...clock import system_clock
from ...knowledge.log_names import log_name_of
from ...knowledge.trail import StepKind, Trail, messages_of, request_of
from .. import agent_zero
from ..chat_log import chat_problems, log_failure, report_problems
from ..host_agent import HostAgent
from ..storage.line_store import LineStore, RetryingLines
from ..storage.problem_log import ProblemLog
from ..view import current_view

_log = logging.getLogger(__name__)

_WRITER_KEY = "_memory_ledger_audit"
WRITE_KEY = "_memory_ledger_audit_write"
_SUPERIOR_KEY = "_superior"
#: A tool that the model invented: its name is the model's, and no tool's.
_UNKNOWN, _UNKNOWN_CLASS = "unknown_tool", "Unknown"


@dataclass(slots=True)
class AuditWriter:
    """What the writer remembers of one chat."""

    problems: ProblemLog
    trail: Trail | None = None
    lines: dict[Path, RetryingLines] = field(default_factory=dict)

    def write(self, trail: Trail, folder: Path) -> tuple[str, str] | None:
        """Append the messages of a turn to the log of the day on which it ended; blocking.

        Return the transaction and the name of the log; None while it cannot be written.
        """
        path = folder / log_name_of(trail.steps[-1].at.astimezone(UTC).date())
        with suppress(OSError):  # it is told with the log that cannot be written
            folder.mkdir(parents=True, exist_ok=True)
        if path not in self.lines:
            self.lines[path] = RetryingLines(LineStore(path, is_durable=False), self.problems)
        self.lines = {one: lines for one, lines in self.lines.items() if one == path or not lines.append()}
        is_written = self.lines[path].append(messages_of(trail))
        return (request_of(trail), path.name) if is_written else None


def note_start(agent: HostAgent, loop_data: Any, now: datetime | None = None) -> None:
    """monologue_start: the user's message reaches the agent, or a superior hands work to a subordinate."""
    if not _is_on(agent):
        return
    now = now or system_clock()
    superior = _superior(agent)
    writer = _writer(agent)
    report_problems(agent, writer.problems)
    characters, attachments = _sizes(getattr(loop_data, "user_message", None))
    if superior is None:
        writer.trail = Trail(str(agent.context.id), now)
        writer.trail.begin(_name(agent), characters=characters, attachments=attachments)
    elif writer.trail is not None:
        writer.trail.delegate(_name(superior), _name(agent), now, characters=characters)


def note_tool_start(agent: HostAgent, tool_name: Any, tool_args: Any, now: datetime | None = None) -> None:
    """tool_execute_before: an agent calls a tool."""
    trail = _writer(agent).trail
    if trail is not None:
        arguments = len(tool_args) if isinstance(tool_args, dict) else 0
        trail.start_tool(_name(agent), _tool(agent, tool_name), now or system_clock(), arguments=arguments)


def note_tool_end(agent: HostAgent, tool_name: Any, response: Any, now: datetime | None = None) -> None:
    """tool_execute_after: a tool has answered."""
    trail = _writer(agent).trail
    if trail is not None:
        message = getattr(response, "message", "")
        trail.end_tool(
            _name(agent),
            _tool(agent, tool_name),
            now or system_clock(),
            characters=len(message) if isinstance(message, str) else 0,
            answers=getattr(response, "break_loop", False) is True,
        )


def note_end(agent: HostAgent, now: datetime | None = None) -> None:
    """monologue_end: the chain has ended, and is written in a thread; or a subordinate gives back."""
    writer = _writer(agent)
    trail = writer.trail
    if trail is None:
        return
    superior = _superior(agent)
    error = sys.exc_info()[1]  # the host calls this from a `finally`
    is_failing = isinstance(error, Exception) and type(error).__name__ != "InterventionException"
    if trail.finish(
        _name(agent), None if superior is None else _name(superior), now or system_clock(), is_failing=is_failing
    ):
        writer.trail = None
        folder = agent_zero.logs_folder()
        future = asyncio.get_running_loop().run_in_executor(None, writer.write, trail, folder)
        future.add_done_callback(log_failure(_log, "the audit log of a turn was not written"))
        agent.data[WRITE_KEY] = future


def invocations(agent: HostAgent) -> int:
    """Return how many messages the chain has so far, tools apart: what the hop limit counts (M-67)."""
    trail = _writer(agent).trail
    return 0 if trail is None else sum(step.kind is not StepKind.TOOL for step in trail.steps)


def _is_on(agent: HostAgent) -> bool:
    settings = current_view(agent).settings
    return settings.enabled and settings.audit_log.enabled


def _superior(agent: HostAgent) -> Any:
    return agent.data.get(_SUPERIOR_KEY) if agent.number else None


def _writer(agent: HostAgent) -> AuditWriter:
    """Return the writer of the chat: it stands with the agent that talks to the user."""
    top = agent
    while (superior := _superior(top)) is not None:
        top = superior
    writer = top.data.get(_WRITER_KEY)
    if type(writer) is not AuditWriter:
        writer = top.data[_WRITER_KEY] = AuditWriter(chat_problems(top))
    return writer


def _name(agent: HostAgent) -> str:
    """Return what an agent is called in the log: its profile, and which of the chain it is."""
    profile = agent_zero.profile_name(agent) or "agent"
    return profile if not agent.number else f"{profile}_{agent.number}"


def _tool(agent: HostAgent, tool_name: Any) -> str:
    tool = getattr(getattr(agent, "loop_data", None), "current_tool", None)
    return _UNKNOWN if type(tool).__name__ == _UNKNOWN_CLASS else str(tool_name)


def _sizes(message: Any) -> tuple[int, int]:
    """Return how many characters and attachments a message has; nothing else of it is looked at."""
    content = getattr(message, "content", None)
    if isinstance(content, dict):
        text, attachments = content.get("user_message") or content.get("message") or "", content.get("attachments")
        return len(str(text)), len(attachments) if isinstance(attachments, list) else 0
    return (len(content), 0) if isinstance(content, str) else (0, 0)
