"""The audit writer: what agents do, turn by turn, as JSON Lines in `system/logs`.

The hooks note a step in microseconds; the lines of a turn are written when it is over, all in one go, in a thread. A
log that cannot be written is told of once, and its lines are kept until it can.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from ...claims import takes_back
from ...clock import system_clock
from ...knowledge.hops import MEMORY_AGENT
from ...knowledge.trail import StepKind, Trail
from ...knowledge.words import (
    MISFORMATTED,
    PROCESSING_ERROR,
    REPEATED_CALL,
    TOOL_NOT_FOUND,
    failure_of,
    intent_of,
    raised_in,
)
from ...store.damage import ProblemLog
from ...store.lines import RetryingLines
from ...texts import regex
from .. import agent_zero
from ..chat_log import chat_problems, log_failure, report_problems
from ..host_agent import HostAgent
from ..view import current_view
from .addresses import LogFolder, log_folder, own_log

_log = logging.getLogger(__name__)

_WRITER_KEY = "_memory_ledger_audit"
WRITE_KEY = "_memory_ledger_audit_write"
_SUPERIOR_KEY = "_superior"
#: A tool that the model invented: its name is the model's, and no tool's.
_UNKNOWN, _UNKNOWN_CLASS = "unknown_tool", "Unknown"
#: The host's own words to a model that has called nothing, by their prompt; what they mean.
_FAULTS = {
    **dict.fromkeys(("fw.msg_misformat.md", "fw.msg_reasoning_only.md", "fw.msg_thoughts_fallback.md"), MISFORMATTED),
    "fw.msg_repeat.md": REPEATED_CALL,
}
#: A model's answer that is longer is not read for its thoughts.
_LONGEST_ANSWER = 200_000
_GOVERNANCE_FILE = regex(r"context/governance/[a-z0-9_-]{1,80}\.md")
#: The key of what the host tells a model, beside what tools and people say.
_WARNING = "system_warning"


@dataclass(slots=True)
class AuditWriter:
    """What the writer remembers of one chat; of the latest answer only which it was, and whether it asked something."""

    problems: ProblemLog
    trail: Trail | None = None
    answered: str = ""
    has_asked: bool = False
    #: The user's latest message to each agent, to see when there is another one.
    heard: dict[str, Any] = field(default_factory=dict)
    lines: dict[Path, RetryingLines] = field(default_factory=dict)

    def write(self, trail: Trail, folder: LogFolder) -> tuple[str, str] | None:
        """Append the messages of a turn to the log of the day on which it ended; blocking.

        Return the transaction and the name of the log; None while it cannot be written.
        """
        log = own_log(folder, trail.ended_at.astimezone(UTC).date())
        path = log.path
        if folder.is_local:
            with suppress(OSError):  # it is told with the log that cannot be written
                path.parent.mkdir(parents=True, exist_ok=True)
        if path not in self.lines:
            self.lines[path] = RetryingLines(log, self.problems)
        self.lines = {
            log_path: lines for log_path, lines in self.lines.items() if log_path == path or not lines.append()
        }
        is_written = self.lines[path].append(trail.lines())
        return (trail.request, path.name) if is_written else None


def note_start(agent: HostAgent, loop_data: Any, now: datetime | None = None) -> None:
    """monologue_start: the user's message reaches the agent, or a superior hands work to a subordinate."""
    if not _is_on(agent):
        return
    now = now or system_clock()
    superior = _superior(agent)
    writer = _writer(agent)
    report_problems(agent, writer.problems)
    message = getattr(loop_data, "user_message", None)
    text, attachments = _said(message)
    writer.heard[_name(agent)] = _heard(agent)
    intent = intent_of(text)
    if superior is None:
        _write_stopped(agent, writer, now)
        corrects = writer.answered if writer.answered and takes_back(text, after_question=writer.has_asked) else ""
        writer.trail = Trail(str(agent.context.id), now, corrects=corrects)
        writer.trail.begin(_name(agent), characters=len(text), attachments=attachments, intent=intent)
    elif writer.trail is not None:
        writer.trail.delegate(_name(superior), _name(agent), now, characters=len(text), intent=intent)


def note_model_call(agent: HostAgent, loop_data: Any, now: datetime | None = None) -> None:
    """before_main_llm_call: what the model said before was a call, or it was none; the user may have interrupted it."""
    writer = _writer(agent)
    if writer.trail is None:
        return
    for section in getattr(loop_data, "system", None) or ():
        writer.trail.governance |= {*_GOVERNANCE_FILE.findall(section)} if isinstance(section, str) else set()
    name, heard = _name(agent), _heard(agent)
    is_intervened = name in writer.heard and heard is not writer.heard[name]
    writer.heard[name] = heard
    find_fault = partial(_find_fault, agent, loop_data)
    writer.trail.think(name, now or system_clock(), is_intervened=is_intervened, find_fault=find_fault)


def note_tool_start(agent: HostAgent, tool_name: Any, tool_args: Any, now: datetime | None = None) -> None:
    """tool_execute_before: an agent calls a tool."""
    trail = _writer(agent).trail
    if trail is not None:
        arguments = tool_args if isinstance(tool_args, dict) else {}
        profile = arguments.get("profile") or arguments.get("agent_profile") or agent_zero.profile_name(agent)
        trail.start_tool(
            _name(agent),
            _tool(agent, tool_name),
            now or system_clock(),
            arguments=len(arguments),
            digest=hash(tuple(sorted((str(key), repr(value)) for key, value in arguments.items()))),
            profile=str(profile),
            reasoning=_reasoning_of(agent),
        )


def note_retrieval(agent: HostAgent, characters: int, now: datetime | None = None) -> None:
    """An agent's output has handed over to the memory agent, which has answered within the same hop."""
    trail, moment = _writer(agent).trail, now or system_clock()
    if trail is not None:
        trail.start_tool(_name(agent), MEMORY_AGENT, moment, arguments=1)
        trail.end_tool(_name(agent), MEMORY_AGENT, moment, characters=characters, answers=False)


def note_tool_end(agent: HostAgent, tool_name: Any, response: Any, now: datetime | None = None) -> None:
    """tool_execute_after: a tool has answered."""
    writer = _writer(agent)
    if writer.trail is None:
        return
    message = getattr(response, "message", "")
    text = message if isinstance(message, str) else ""
    tool, answers = _tool(agent, tool_name), getattr(response, "break_loop", False) is True
    if answers and not agent.number:
        writer.has_asked = text.rstrip().endswith("?")
    writer.trail.end_tool(
        _name(agent),
        tool,
        now or system_clock(),
        characters=len(text),
        answers=answers,
        error=TOOL_NOT_FOUND if tool == _UNKNOWN else failure_of(text),
        result=hash(text),
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
    above, ended = None if superior is None else _name(superior), now or system_clock()
    if trail.finish(_name(agent), above, ended, is_failing=is_failing, raised=_code_of(error)):
        _write(agent, writer, trail)


def _write_stopped(agent: HostAgent, writer: AuditWriter, now: datetime) -> None:
    """Write a turn that was stopped: its end was never told, and the next one begins."""
    if writer.trail is not None:
        writer.trail.finish(_name(agent), None, now, is_failing=False)
        _write(agent, writer, writer.trail)


def _write(agent: HostAgent, writer: AuditWriter, trail: Trail) -> None:
    writer.trail, writer.answered = None, trail.request
    folder = log_folder(current_view(agent).settings.knowledge, agent_zero.user_folder())
    future = asyncio.get_running_loop().run_in_executor(None, writer.write, trail, folder)
    future.add_done_callback(log_failure(_log, "the audit log of a turn was not written"))
    agent.data[WRITE_KEY] = future


def invocations(agent: HostAgent) -> int:
    """Return how many messages the chain has so far, tools apart: what the hop limit counts."""
    trail, apart = _writer(agent).trail, (StepKind.TOOL, StepKind.FAULT)
    messages = [] if trail is None else trail.messages
    return sum(
        message["output"]["content_type"] not in apart or message["agent"]["name"] == MEMORY_AGENT
        for message in messages
    )


def _reasoning_of(agent: HostAgent) -> str:
    """Return the thoughts that a model has given with its call, where it has; masked when they are written."""
    if not current_view(agent).settings.audit_log.reasoning:
        return ""
    response = getattr(getattr(agent, "loop_data", None), "last_response", "")
    try:
        answer = json.loads(response) if isinstance(response, str) and len(response) <= _LONGEST_ANSWER else None
    except (ValueError, RecursionError):
        return ""
    thoughts = answer.get("thoughts") if isinstance(answer, dict) else None
    listed = thoughts if isinstance(thoughts, list) else [thoughts]
    return " ".join(" ".join(thought.split()) for thought in listed if isinstance(thought, str))


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


def _said(message: Any) -> tuple[str, int]:
    """Return the text of a message, of which only its size and its kind are kept, and how many attachments it has."""
    content = getattr(message, "content", None)
    if isinstance(content, dict):
        text, attachments = content.get("user_message") or content.get("message") or "", content.get("attachments")
        return str(text), len(attachments) if isinstance(attachments, list) else 0
    return (content, 0) if isinstance(content, str) else ("", 0)


def _heard(agent: HostAgent) -> Any:
    return getattr(agent, "last_user_message", None)


def _find_fault(agent: HostAgent, loop_data: Any, has_called: bool) -> str:
    """Return what went wrong with a model's latest message, by what the host has told it since.

    It has called nothing (the newest hosts tell a silent one nothing), or what it has called has raised an exception.
    """
    history = getattr(loop_data, "history_output", None)
    content = history[-1].get("content") if history and isinstance(history[-1], dict) else None
    warning = str(content.get(_WARNING, "") if isinstance(content, dict) else content or "")
    for prompt, code in _FAULTS.items():
        with suppress(FileNotFoundError):  # not every release has each
            if warning and agent.read_prompt(prompt).strip() in warning:
                return code
    return raised_in(warning) or (PROCESSING_ERROR if warning or has_called else MISFORMATTED)


def _code_of(error: BaseException | None) -> str:
    """Return what an exception counts as that ends a turn; the host wraps the first one in its own."""
    is_wrapped = type(error).__name__ == "HandledException"
    cause = error.args[0] if error is not None and is_wrapped and error.args else error
    return raised_in(f"{type(cause).__name__}: {cause}") or PROCESSING_ERROR
