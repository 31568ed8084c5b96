"""Who said what in a chat, read from the host's history (T-01, T-03; contract, section 8).

`ai=False` is not the person: tool results, warnings, summaries and a superior agent's orders are stored the same way.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..ledger.attribution import Speaker, Utterance, confirms
from ..ledger.classify import Circumstances

_HUMAN_KEYS = ("user_message", "user_intervention")
# The parts of an agent's structured answer that say something, in the order in which they are written.
_AGENT_KEYS = ("thoughts", "headline", "text", "message", "question", "answer")
_SUBORDINATE_TOOL = "call_subordinate"
_KEPT_TURNS = 5
_KEPT_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class Turn:
    """The messages that belong to one message of the person's, and what was going on.

    `topic` is the host's own list of them, kept to recognise the turn; `messages` is a copy of it.
    """

    topic: Any
    messages: tuple[Any, ...]
    is_human: bool
    circumstances: Circumstances

    def utterances(self) -> list[Utterance]:
        """Return what was said in this turn, oldest first."""
        read = (read_message(message, is_human=self.is_human) for message in self.messages)
        return [one for one in read if one is not None]


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn of an earlier run of the host, read back from disk."""

    said: tuple[Utterance, ...]
    circumstances: Circumstances
    topic: None = None

    def utterances(self) -> list[Utterance]:
        """Return what was said in that turn, oldest first."""
        return list(self.said)


class TurnRing:
    """The recent turns of one memory folder, over all its chats.

    The last few are kept on disk too: the notes of a session's last turns arrive after its last hook, and are adopted
    by the next run of the host, perhaps in another chat.
    """

    def __init__(self, size: int) -> None:
        self._turns: deque[Turn | KeptTurn] = deque(maxlen=size)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the last turns as plain JSON types; long utterances are cut."""
        return [
            {
                "role_id": turn.circumstances.role_id,
                "domain": turn.circumstances.domain,
                "said": [[one.speaker.value, one.text[:_KEPT_CHARACTERS]] for one in turn.utterances()],
            }
            for turn in list(self._turns)[-_KEPT_TURNS:]
        ]

    def restore(self, rows: object) -> None:
        """Take up the turns of an earlier run from what their file holds; a row that cannot be read is left out."""
        for row in rows if isinstance(rows, list) else ():
            turn = _read_kept_turn(row)
            if turn is not None:
                self._turns.append(turn)

    def note(self, turn: Turn) -> None:
        """Remember `turn`, in place of an earlier look at the same one."""
        for position in range(len(self._turns) - 1, -1, -1):
            if turn.topic is not None and self._turns[position].topic is turn.topic:
                self._turns[position] = turn
                return
        self._turns.append(turn)

    def spoken(self) -> tuple[list[Utterance], list[Circumstances]]:
        """Return everything said, oldest first, and the circumstances of each utterance."""
        utterances: list[Utterance] = []
        circumstances: list[Circumstances] = []
        for turn in list(self._turns):
            said = turn.utterances()
            utterances.extend(said)
            circumstances.extend([turn.circumstances] * len(said))
        return utterances, circumstances

    def ends_in_agreement(self) -> bool:
        """Whether the person's newest message opens by agreeing with the agent (C-16)."""
        latest = self.latest()
        said = latest.utterances() if latest is not None else []
        return any(one.speaker is Speaker.USER and confirms(one.text) for one in said)

    def latest(self) -> Turn | KeptTurn | None:
        """Return the newest turn."""
        return self._turns[-1] if self._turns else None


def _read_kept_turn(row: object) -> KeptTurn | None:
    try:
        said = tuple(Utterance(Speaker(speaker), str(text)) for speaker, text in row["said"])  # type: ignore[index]
        role_id, domain = row["role_id"], row["domain"]  # type: ignore[index]
    except (KeyError, TypeError, ValueError):
        return None
    if not isinstance(role_id, str | None) or not isinstance(domain, str | None):
        return None
    return KeptTurn(said, Circumstances(role_id=role_id, domain=domain))


def is_human_chat(agent: Any) -> bool:
    """Whether a person writes the user messages of `agent`: not for subordinates, not in scheduled tasks."""
    kind = getattr(agent.context, "type", None)
    return agent.number == 0 and str(getattr(kind, "value", kind) or "user") == "user"


def current_turn(agent: Any, circumstances: Circumstances) -> Turn | None:
    """Return the turn that `agent` is in, or None before its first message."""
    topic = agent.history.current
    messages = tuple(topic.messages)
    return Turn(topic, messages, is_human_chat(agent), circumstances) if messages else None


def earlier_turns(agent: Any, limit: int) -> Iterable[Turn]:
    """Yield the turns before the current one, oldest first: what a restart left in the chat's history."""
    for topic in list(agent.history.topics)[-limit:]:
        messages = tuple(topic.messages)
        if messages:
            yield Turn(topic, messages, is_human_chat(agent), Circumstances())


def user_text(message: Any) -> str:
    """Return the words of a history message of the person's (or of the superior agent's), or an empty text."""
    content = getattr(message, "content", None)
    if isinstance(content, dict):
        return "\n".join(str(content[key]) for key in _HUMAN_KEYS if content.get(key))
    return content if isinstance(content, str) else ""


def read_message(message: Any, *, is_human: bool) -> Utterance | None:
    """Return what one history message says and who says it; None for warnings, summaries and attachments."""
    content = message.content
    if message.ai:
        return Utterance(Speaker.AGENT, agent_text(content)) if isinstance(content, str) else None
    if not isinstance(content, dict):
        return None
    text = user_text(message)
    if text:
        return Utterance(Speaker.USER if is_human else Speaker.AGENT, text)
    if content.get("tool_result"):
        speaker = Speaker.AGENT if content.get("tool_name") == _SUBORDINATE_TOOL else Speaker.TOOL
        return Utterance(speaker, str(content["tool_result"]))
    return None


def agent_text(content: str) -> str:
    """Return the sentences in an agent's raw answer, which is JSON with thoughts, a tool name and its arguments."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        return content
    if not isinstance(answer, dict):
        return content
    arguments = answer.get("tool_args")
    parts: list[str] = []
    for source in (answer, arguments if isinstance(arguments, dict) else {}):
        for key in _AGENT_KEYS:
            value = source.get(key)
            parts.extend(str(one) for one in (value if isinstance(value, list) else [value]) if one)
    return "\n".join(parts)
