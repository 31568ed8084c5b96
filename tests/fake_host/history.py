"""What the agent remembers of a chat: messages in topics (contract section 8, "History").

AI messages hold the raw text of the model. Everything else has `ai=False`: a dict for people and tools.
"""

import json
from typing import Any

Output = dict[str, Any]


def output_text(messages: list[Output], ai_label: str = "ai", human_label: str = "human") -> str:
    """Render messages one a line, labelled; everything that is not the model is labelled human."""
    return "\n".join(
        f"{ai_label if message['ai'] else human_label}: {_as_text(message['content'])}" for message in messages
    )


def _as_text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


class Message:
    """One message."""

    def __init__(self, ai: bool, content: Any) -> None:
        self.ai = ai
        self.content = content

    def output(self) -> list[Output]:
        return [{"ai": self.ai, "content": self.content}]

    def output_text(self, human_label: str = "user", ai_label: str = "ai") -> str:
        return output_text(self.output(), ai_label, human_label)


class Topic:
    """One exchange: from a user message to the next."""

    def __init__(self) -> None:
        self.messages: list[Message] = []


class History:
    """The history of one agent."""

    def __init__(self) -> None:
        self.topics: list[Topic] = []
        self.current = Topic()

    def add_message(self, ai: bool, content: Any) -> Message:
        message = Message(ai, content)
        self.current.messages.append(message)
        return message

    def new_topic(self) -> None:
        """Close the current topic, unless it is empty."""
        if self.current.messages:
            self.topics.append(self.current)
            self.current = Topic()

    def output(self) -> list[Output]:
        """Return the messages as the prompt will show them, oldest first."""
        return [one for topic in (*self.topics, self.current) for message in topic.messages for one in message.output()]

    def output_text(self, human_label: str = "user", ai_label: str = "ai") -> str:
        """Return the same as labelled text."""
        return output_text(self.output(), ai_label, human_label)


def dump(history: History) -> list[list[Output]]:
    """Return the topics as JSON-ready data; the last one is the current topic."""
    return [[one for m in topic.messages for one in m.output()] for topic in (*history.topics, history.current)]


def restore(history: History, topics: list[list[Output]]) -> None:
    """Fill an empty history with what `dump` returned."""
    for number, messages in enumerate(topics):
        if number:
            history.new_topic()
        for data in messages:
            history.add_message(data["ai"], data["content"])
