"""What the agent remembers of a chat: messages in topics, topics in bulks (contract section 8, "History").

AI messages hold the raw text of the model. Everything else has `ai=False`: a dict for people and tools,
a plain string for a summary.
"""

import itertools
import json
from typing import Any

from .generations import Traits

Output = dict[str, Any]
_message_numbers = itertools.count(1)


def output_text(messages: list[Output], ai_label: str = "ai", human_label: str = "human") -> str:
    """Render messages one a line, labelled; everything that is not the model is labelled human."""
    return "\n".join(
        f"{ai_label if message['ai'] else human_label}: {_as_text(message['content'])}" for message in messages
    )


def _as_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict) and "raw_content" in content:
        raw = content.get("preview") or json.dumps(content, ensure_ascii=False)
        return raw if content.get("preview") or len(raw) <= 100 else raw[:100] + "... TRIMMED"
    return json.dumps(content, ensure_ascii=False)


class Record:
    """Anything with an `output`."""

    def output(self) -> list[Output]:
        """Return the messages as the prompt will show them."""
        raise NotImplementedError

    def output_text(self, human_label: str = "user", ai_label: str = "ai") -> str:
        """Return the same as labelled text."""
        return output_text(self.output(), ai_label, human_label)


class Message(Record):
    """One message. `id` exists from B on, `metadata` and `sequence` from C on."""

    def __init__(self, ai: bool, content: Any, traits: Traits, sequence: int = 0, id: str = "") -> None:
        self.ai = ai
        self.content = content
        self.summary = ""
        self.tokens = 0
        if traits.messages_have_ids:
            self.id = id or f"message-{next(_message_numbers)}"
        if traits.messages_have_metadata:
            self.metadata: dict[str, Any] = {}
            self.sequence = sequence
        self._has_metadata = traits.messages_have_metadata

    def output(self) -> list[Output]:
        """Return the message, or its summary once it was compressed."""
        output: Output = {"ai": self.ai, "content": self.summary or self.content}
        if self._has_metadata:
            output.update(metadata=self.metadata, id=self.id, sequence=self.sequence)
        return [output]


class Topic(Record):
    """One exchange: from a user message to the next."""

    def __init__(self, history: "History") -> None:
        self.history = history
        self.summary = ""
        self.messages: list[Message] = []

    def output(self) -> list[Output]:
        """Return the messages, or one plain string once summarised."""
        if self.summary:
            return [{"ai": False, "content": self.summary}]
        return [output for message in self.messages for output in message.output()]


class Bulk(Record):
    """Old topics, merged."""

    def __init__(self, history: "History") -> None:
        self.history = history
        self.summary = ""
        self.records: list[Record] = []

    def output(self) -> list[Output]:
        """Return the records, or one plain string once summarised."""
        if self.summary:
            return [{"ai": False, "content": self.summary}]
        return [output for record in self.records for output in record.output()]


class History(Record):
    """The history of one agent, A and B."""

    def __init__(self, agent: Any, traits: Traits) -> None:
        self.agent = agent
        self.traits = traits
        self.counter = 0
        self.bulks: list[Bulk] = []
        self.topics: list[Topic] = []
        self.current = Topic(self)

    def add_message(self, ai: bool, content: Any, tokens: int = 0, id: str = "") -> Message:
        self.counter += 1
        message = Message(ai, content, self.traits, self.counter, id)
        self.current.messages.append(message)
        return message

    def new_topic(self) -> None:
        """Close the current topic, unless it is empty."""
        if self.current.messages:
            self.topics.append(self.current)
            self.current = Topic(self)

    def output(self) -> list[Output]:
        """Return bulks, topics and the current topic, oldest first."""
        records: list[Record] = [*self.bulks, *self.topics, self.current]
        return [output for record in records for output in record.output()]


class HistoryWithAllMessages(History):
    """C: one call for every message."""

    def all_messages(self) -> list[Message]:
        """Return every message that was not dropped, oldest first."""
        topics = [topic for bulk in self.bulks for topic in bulk.records if isinstance(topic, Topic)]
        return [message for topic in [*topics, *self.topics, self.current] for message in topic.messages]


def new_history(agent: Any, traits: Traits) -> History:
    kind = HistoryWithAllMessages if traits.messages_have_metadata else History
    return kind(agent, traits)


def dump(history: History) -> list[list[dict[str, Any]]]:
    """Return the topics as JSON-ready data; the last one is the current topic."""
    topics = [*history.topics, history.current]
    return [[{"ai": m.ai, "content": m.content, "summary": m.summary} for m in topic.messages] for topic in topics]


def restore(history: History, topics: list[list[dict[str, Any]]]) -> None:
    """Fill an empty history with what `dump` returned."""
    for number, messages in enumerate(topics):
        if number:
            history.new_topic()
        for data in messages:
            message = history.add_message(data["ai"], data["content"])
            message.summary = data["summary"]
