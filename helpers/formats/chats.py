"""Conversations with other assistants: what the user wrote in them; answers are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..records import Source
from .fields import find_id, find_text, find_time
from .new_memory import FileReading, NewMemory

_ANSWERS, _OTHERS = "answers of the assistant", "messages without a text"


def read_chatgpt(conversations: Sequence[Any], reading: FileReading) -> None:
    """Read a `conversations.json` of ChatGPT: the messages of each conversation hang in a tree."""
    for one in conversations:
        mapping = one.get("mapping") if isinstance(one, Mapping) else None
        nodes = mapping.values() if isinstance(mapping, Mapping) else ()
        messages = [node.get("message") for node in nodes if isinstance(node, Mapping)]
        known = [message for message in messages if isinstance(message, Mapping)]
        for message in sorted(known, key=_moment):
            author = message.get("author")
            role = author.get("role") if isinstance(author, Mapping) else None
            _take(message, role == "user", "\n".join(_parts(message.get("content"))), one.get("title"), reading)


def read_claude(conversations: Sequence[Any], reading: FileReading) -> None:
    """Read a `conversations.json` of Claude."""
    for conversation in conversations:
        messages = conversation.get("chat_messages") if isinstance(conversation, Mapping) else None
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, Mapping):
                text = find_text(message, ("text",)) or "\n".join(_parts({"parts": message.get("content")}))
                _take(message, message.get("sender") == "human", text, conversation.get("name"), reading)


def _take(message: Mapping[str, Any], is_users: bool, text: str, title: object, reading: FileReading) -> None:
    if not is_users or not text.strip():
        reading.left_out[_OTHERS if is_users else _ANSWERS] += 1
        return
    metadata = {"conversation": title} if isinstance(title, str) and title else {}
    at, row_id = find_time(message), find_id(message)
    said = NewMemory(text=text.strip(), source=Source.USER_ASSERTED, stated_at=at, metadata=metadata, row_id=row_id)
    reading.memories.append(said)


def _moment(message: Mapping[str, Any]) -> float:
    at = find_time(message)
    return 0.0 if at is None else at.timestamp()


def _parts(content: object) -> Iterator[str]:
    """Yield the texts of which a message is made; pictures and calls are none."""
    parts = content.get("parts") if isinstance(content, Mapping) else None
    for part in parts if isinstance(parts, list) else ():
        text = part if isinstance(part, str) else find_text(part, ("text",)) if isinstance(part, Mapping) else None
        if text:
            yield text
