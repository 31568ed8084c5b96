"""Read the conversations and the questions for `make bench-recall`; nothing of them is part of this project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from contradictions_data import read_lines

#: The data set, and the two ways in which it writes one conversation down: as it was said, and summed up.
DATA_SET = "locomo_open"
TURNS, OBSERVATIONS = "turn", "obs"
KINDS = {TURNS: "turns", OBSERVATIONS: "observations"}
#: Nothing was tuned on any other conversation.
TUNED = frozenset({0, 1, 2})

_ADVERSARIAL = "adversarial"
_DATE = "%I:%M %p on %d %B, %Y"


class Remembered(NamedTuple):
    """A memory of a conversation; `id` is unique within it."""

    id: str
    text: str
    session: int
    at: datetime


class Question(NamedTuple):
    """A question about a conversation, by its number; `gold` are the ids of the memories that answer it, by kind.

    `is_held_back` where nothing was tuned on it.
    """

    conversation: int
    text: str
    category: str
    gold: Mapping[str, frozenset[str]]
    is_held_back: bool

    def is_answerable(self, kind: str) -> bool:
        """Whether memories of `kind` answer it; an adversarial question has no answer at all."""
        return self.category != _ADVERSARIAL and bool(self.gold[kind])


class Conversation(NamedTuple):
    """Two people over months: memories by kind in the order of their writing, and questions."""

    number: int
    memories: Mapping[str, list[Remembered]]
    questions: list[Question]

    @property
    def ended_at(self) -> datetime:
        """When its last session was held."""
        return max(one.at for memories in self.memories.values() for one in memories)


def read_conversations(folder: Path) -> list[Conversation]:
    """Return the open conversations, in their order."""
    rows = list(read_lines(folder / DATA_SET / "memories.jsonl.gz"))
    asked = list(read_lines(folder / DATA_SET / "queries.jsonl.gz"))
    return [
        Conversation(
            number,
            {
                kind: [_remembered(row) for row in rows if (row["conv"], row["kind"]) == (number, kind)]
                for kind in KINDS
            },
            [_question(row) for row in asked if row["conv"] == number],
        )
        for number in sorted({row["conv"] for row in rows})
    ]


def categories_of(conversations: Iterable[Conversation]) -> list[str]:
    """Return the categories whose questions have an answer."""
    return sorted({one.category for each in conversations for one in each.questions} - {_ADVERSARIAL})


def _remembered(row: Mapping[str, Any]) -> Remembered:
    return Remembered(row["id"], row["text"], row["session"], datetime.strptime(row["date"], _DATE).replace(tzinfo=UTC))


def _question(row: Mapping[str, Any]) -> Question:
    gold = {TURNS: frozenset(row["gold_turns"]), OBSERVATIONS: frozenset(row["gold_obs"])}
    return Question(row["conv"], row["text"], row["category"], gold, is_held_back=row["conv"] not in TUNED)
