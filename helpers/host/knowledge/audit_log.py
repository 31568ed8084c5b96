"""The audit writer: the steps of agents, turn by turn, as JSON Lines in `system/logs`.

The hooks note a step in microseconds; a thread writes the lines of a turn in one go when it is over. A log that cannot
be written is reported once, and its lines are kept until it can.
"""

from __future__ import annotations

import asyncio
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
from ...contents import parse_json
from ...knowledge import words
from ...knowledge.hops import MEMORY_AGENT
from ...knowledge.trail import StepKind, ToolCall, Trail
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
#: The name in the log of a tool that the model invented, and the host's class for it.
_UNKNOWN, _UNKNOWN_CLASS = "unknown_tool", "Unknown"
#: The meaning of the host's messages to a model that has called no tool, by their prompt.
_FAULTS = {
    **dict.fromkeys(
        ("fw.msg_misformat.md", "fw.msg_reasoning_only.md", "fw.msg_thoughts_fallback.md"), words.MISFORMATTED
    ),
    "fw.msg_repeat.md": words.REPEATED_CALL,
}
_GOVERNANCE_FILE = regex(r"context/governance/[a-z0-9_-]{1,80}\.md")
#: The host's log line of a model's answer; and where an answer, or that line, gives a reason, the most telling first.
_LOG_LINE = "log_item_generating"
_REASONS = ("thoughts", "reasoning", "headline")
#: A longer answer is not read for its reason, and of a longer reason only the beginning.
_LONGEST_ANSWER, _LONGEST_REASON = 200_000, 4_000
#: The key of the host's own messages to a model.
_WARNING = "system_warning"


@dataclass(slots=True)
class AuditWriter:
    """The state of the writer for one chat; of the latest answer only its id, and whether it asked something."""

    problems: ProblemLog
    trail: Trail | None = None
    answered: str = ""
    has_asked: bool = False
    #: The user's latest message to each agent, to recognise a new one.
    heard: dict[str, Any] = field(default_factory=dict)
    lines: dict[Path, RetryingLines] = field(default_factory=dict)

    def write(self, trail: Trail, folder: LogFolder) -> tuple[str, str] | None:
        """Append the messages of a turn to the log of the day on which it ended; blocking.

        Returns the transaction and the name of the log; None while it cannot be written.
        """
        log = own_log(folder, trail.ended_at.astimezone(UTC).date())
        path = log.path
        if folder.is_local:
            with suppress(OSError):  # it is reported with the log that cannot be written
                path.parent.mkdir(parents=True, exist_ok=True)
        if path not in self.lines:
            self.lines[path] = RetryingLines(log, self.problems)
        self.lines = {
            log_path: lines for log_path, lines in self.lines.items() if log_path == path or not lines.append()
        }
        is_written = self.lines[path].append(trail.lines())
        return (trail.request, path.name) if is_written else None


def note_start(agent: HostAgent, loop_data: Any, now: datetime | None = None) -> None:
    """Log, at monologue_start, the user's message to the agent, or the work that a superior hands to a subordinate."""
    settings = current_view(agent).settings
    if not (settings.enabled and settings.audit_log.enabled):
        return
    now = now or system_clock()
    superior = _superior(agent)
    writer = _writer(agent)
    report_problems(agent, writer.problems)
    message = getattr(loop_data, "user_message", None)
    text, attachments = _text_of(message)
    writer.heard[_name(agent)] = _latest_message(agent)
    intent = words.intent_of(text)
    if superior is None:
        if writer.trail is not None:  # the turn before was stopped, and no hook has seen its end
            writer.trail.finish(_name(agent), None, now, is_failing=False)
            _write(agent, writer, writer.trail)
        corrects = writer.answered if writer.answered and takes_back(text, after_question=writer.has_asked) else ""
        writer.trail = Trail(str(agent.context.id), now, corrects=corrects, has_reasons=settings.audit_log.reasoning)
        writer.trail.begin(_name(agent), characters=len(text), attachments=attachments, intent=intent)
    elif writer.trail is not None:
        writer.trail.delegate(_name(superior), _name(agent), now, characters=len(text), intent=intent)


def note_model_call(agent: HostAgent, loop_data: Any, now: datetime | None = None) -> None:
    """Log, at before_main_llm_call, a fault of the model's previous answer, or an intervention of the user."""
    writer = _writer(agent)
    if writer.trail is None:
        return
    for section in getattr(loop_data, "system", None) or ():
        writer.trail.governance |= {*_GOVERNANCE_FILE.findall(section)} if isinstance(section, str) else set()
    name, heard = _name(agent), _latest_message(agent)
    is_intervened = name in writer.heard and heard is not writer.heard[name]
    writer.heard[name] = heard
    find_fault = partial(_find_fault, agent, loop_data)
    writer.trail.think(name, now or system_clock(), is_intervened=is_intervened, find_fault=find_fault)


def note_tool_start(agent: HostAgent, tool_name: Any, tool_args: Any, now: datetime | None = None) -> None:
    """Log, at tool_execute_before, the call of a tool."""
    trail = _writer(agent).trail
    if trail is not None:
        arguments = tool_args if isinstance(tool_args, dict) else {}
        digest = hash(tuple(sorted((str(key), repr(value)) for key, value in arguments.items())))
        profile = arguments.get("profile") or arguments.get("agent_profile") or agent_zero.profile_name(agent)
        reason = _reason_of(agent) if trail.has_reasons else ""
        call = ToolCall(_tool(agent, tool_name), now or system_clock(), len(arguments), digest, str(profile), reason)
        trail.start_tool(_name(agent), call)


def note_retrieval(agent: HostAgent, characters: int, now: datetime | None = None) -> None:
    """Log an answer of the memory agent to an agent's output, within the same hop."""
    trail, moment = _writer(agent).trail, now or system_clock()
    if trail is not None:
        trail.start_tool(_name(agent), ToolCall(MEMORY_AGENT, moment, arguments=1))
        trail.end_tool(_name(agent), MEMORY_AGENT, moment, characters=characters, answers=False)


def note_tool_end(agent: HostAgent, tool_name: Any, response: Any, now: datetime | None = None) -> None:
    """Log, at tool_execute_after, the answer of a tool."""
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
        error=words.TOOL_NOT_FOUND if tool == _UNKNOWN else words.failure_of(text),
        result=hash(text),
    )


def note_end(agent: HostAgent, now: datetime | None = None) -> None:
    """Log, at monologue_end, the end of the chain, which a thread writes, or of a subordinate's part."""
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


def _write(agent: HostAgent, writer: AuditWriter, trail: Trail) -> None:
    writer.trail, writer.answered = None, trail.request
    folder = log_folder(current_view(agent).settings.knowledge, agent_zero.user_folder())
    future = asyncio.get_running_loop().run_in_executor(None, writer.write, trail, folder)
    future.add_done_callback(log_failure(_log, "the audit log of a turn was not written"))
    agent.data[WRITE_KEY] = future


def invocations(agent: HostAgent) -> int:
    """Return the number of messages of the chain so far without tools, which the hop limit counts."""
    trail, apart = _writer(agent).trail, (StepKind.TOOL, StepKind.FAULT)
    messages = [] if trail is None else trail.messages
    return sum(
        message["output"]["content_type"] not in apart or message["agent"]["name"] == MEMORY_AGENT
        for message in messages
    )


def _reason_of(agent: HostAgent) -> str:
    """Return the reason that the model gave for its latest step, in an answer or in its reasoning; empty without one.

    The host's log line has its own reading of the answer, which need not be strict JSON, and the reasoning beside it.
    """
    loop_data = getattr(agent, "loop_data", None)
    answer, line = getattr(loop_data, "last_response", ""), getattr(loop_data, "params_temporary", {}).get(_LOG_LINE)
    stated = parse_json(answer[:_LONGEST_ANSWER]) if isinstance(answer, str) else None
    stated = {**dict(getattr(line, "kvps", None) or {}), **(stated if isinstance(stated, dict) else {})}
    values = (stated.get(name) for name in _REASONS)
    texts = (" ".join(map(str, value)) if isinstance(value, list) else value for value in values)
    reason = next((text for text in texts if isinstance(text, str) and text.strip()), "")
    return " ".join(reason[:_LONGEST_REASON].split())


def _superior(agent: HostAgent) -> Any:
    return agent.data.get(_SUPERIOR_KEY) if agent.number else None


def _writer(agent: HostAgent) -> AuditWriter:
    """Return the writer of the chat, kept on the agent that talks to the user."""
    top = agent
    while (superior := _superior(top)) is not None:
        top = superior
    writer = top.data.get(_WRITER_KEY)
    if type(writer) is not AuditWriter:
        writer = top.data[_WRITER_KEY] = AuditWriter(chat_problems(top))
    return writer


def _name(agent: HostAgent) -> str:
    """Return the name of an agent in the log: its profile, and its number in the chain."""
    profile = agent_zero.profile_name(agent) or "agent"
    return profile if not agent.number else f"{profile}_{agent.number}"


def _tool(agent: HostAgent, tool_name: Any) -> str:
    tool = getattr(getattr(agent, "loop_data", None), "current_tool", None)
    return _UNKNOWN if type(tool).__name__ == _UNKNOWN_CLASS else str(tool_name)


def _text_of(message: Any) -> tuple[str, int]:
    """Return the text of a message, of which only size and kind are logged, and the number of its attachments."""
    content = getattr(message, "content", None)
    if isinstance(content, dict):
        text, attachments = content.get("user_message") or content.get("message") or "", content.get("attachments")
        return str(text), len(attachments) if isinstance(attachments, list) else 0
    return (content, 0) if isinstance(content, str) else ("", 0)


def _latest_message(agent: HostAgent) -> Any:
    return getattr(agent, "last_user_message", None)


def _find_fault(agent: HostAgent, loop_data: Any, has_called: bool) -> str:
    """Return the code of the fault in a model's latest message, by the host's message to it since.

    It has called no tool (the newest hosts send no message then), or its tool has raised an exception.
    """
    history = getattr(loop_data, "history_output", None)
    content = history[-1].get("content") if history and isinstance(history[-1], dict) else None
    warning = str(content.get(_WARNING, "") if isinstance(content, dict) else content or "")
    for prompt, code in _FAULTS.items():
        with suppress(FileNotFoundError):  # not every release has each
            if warning and agent.read_prompt(prompt).strip() in warning:
                return code
    return words.raised_in(warning) or (words.PROCESSING_ERROR if warning or has_called else words.MISFORMATTED)


def _code_of(error: BaseException | None) -> str:
    """Return the code of the exception that ended a turn, which the host may have wrapped in its own."""
    is_wrapped = type(error).__name__ == "HandledException"
    cause = error.args[0] if error is not None and is_wrapped and error.args else error
    return words.raised_in(f"{type(cause).__name__}: {cause}") or words.PROCESSING_ERROR
