"""The host's agent, its chat and the messages of its history, as in every release (contract, section 8).

`ai=False` on a message does not mean the person: tool results, warnings, summaries and orders of a superior agent have
it too.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from ..ledger.attribution import Speaker, Utterance

_HUMAN_KEYS = ("user_message", "user_intervention")
# The parts of an agent's structured answer with words, in the order in which they are written.
_AGENT_KEYS = ("thoughts", "headline", "text", "message", "question", "answer")
_SUBORDINATE_TOOL = "call_subordinate"
# The argument of the saving tool is the memory itself, no evidence of who said it.
_SAVING_TOOL = "memory_save"
# The chat whose agent has opened this one for a subordinate (v2.4 and later); the pages show both as one.
_OPENED_BY = "parent_context_id"


class HostContext(Protocol):
    """A chat."""

    id: str
    log: Any

    def get_data(self, key: str) -> Any:
        """Return a value kept on the chat; None for an unknown key."""


class HostAgent(Protocol):
    """One agent of a chat; 0 talks to the user, the others work for it.

    `data` lives as long as the agent; `loop_data` is the host's state of the current turn.
    """

    number: int
    config: Any
    context: HostContext
    data: dict[str, Any]
    history: Any
    loop_data: Any
    #: Attributes that the pack sets for other code.
    _memory_health: Any
    _memory_conflict_log: Any

    def get_data(self, field: str) -> Any:
        """Return an entry of `data`; None without one."""

    def set_data(self, field: str, value: Any) -> None:
        """Set an entry of `data`."""

    def parse_prompt(self, _prompt_file: str, **kwargs: Any) -> Any:
        """Return a prompt of the host or of its user, filled in."""

    def read_prompt(self, file: str, **kwargs: Any) -> str:
        """Return the text of a prompt of the host or of its user."""

    def hist_add_tool_result(self, tool_name: str, tool_result: str) -> Any:
        """Add what a tool has answered to the history."""


def is_human_chat(agent: HostAgent) -> bool:
    """Whether a person writes the user messages of `agent`: not for subordinates, not in scheduled tasks."""
    kind, shown = getattr(agent.context, "type", None), getattr(agent.context, "output_data", None) or {}
    return agent.number == 0 and not shown.get(_OPENED_BY) and str(getattr(kind, "value", kind) or "user") == "user"


def user_text(message: Any) -> str:
    """Return the words of a message of the person (or of the superior agent), or an empty text."""
    content = getattr(message, "content", None)
    if isinstance(content, dict):
        return "\n".join(str(content[key]) for key in _HUMAN_KEYS if content.get(key))
    return content if isinstance(content, str) else ""


def read_message(message: Any, *, is_human: bool) -> Utterance | None:
    """Return a history message as an utterance; None for warnings, summaries and attachments."""
    content = message.content
    if message.ai:
        return Utterance(Speaker.AGENT, agent_text(content)) if isinstance(content, str) else None
    if not isinstance(content, dict):
        return None
    if text := user_text(message):
        return Utterance(Speaker.USER if is_human else Speaker.AGENT, text)
    if content.get("tool_result"):
        speaker = Speaker.AGENT if content.get("tool_name") == _SUBORDINATE_TOOL else Speaker.TOOL
        return Utterance(speaker, str(content["tool_result"]))
    return None


def agent_text(content: str) -> str:
    """Return the words in an agent's raw answer, which is JSON with thoughts, a tool name and its arguments."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return content
    if not isinstance(answer, dict):
        return content
    arguments = None if answer.get("tool_name") == _SAVING_TOOL else answer.get("tool_args")
    parts: list[str] = []
    for source in (answer, arguments if isinstance(arguments, dict) else {}):
        for key in _AGENT_KEYS:
            value = source.get(key)
            parts.extend(str(part) for part in (value if isinstance(value, list) else [value]) if part)
    return "\n".join(parts)
