"""Messages as people write them, for `make bench-recall`: a question behind chat, a log, a letter; nothing asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from recall_data import Conversation, Question, Remembered

_DATA = Path(__file__).resolve().parents[1] / "tests" / "data" / "recall"
_WRITTEN = datetime(2026, 3, 1, 9, tzinfo=UTC)
_Row = Mapping[str, Any]
_Say = Callable[[_Row], str]
#: The kind of the memories of messages, beside those of conversations.
MESSAGES = "message"
ALONE, SILENT, SPELLED = "alone", "asks for nothing", "spelled otherwise"
#: A form of message: its name, and how a row of the questions is put into it.
FORMS: Mapping[str, _Say] = {
    ALONE: lambda row: row["question"],
    "behind one sentence": lambda row: " ".join((*row["chat"][:1], row["question"])),
    "behind four sentences": lambda row: " ".join((*row["chat"][:4], row["question"])),
    "behind eight sentences": lambda row: " ".join((*row["chat"], row["question"])),
    "before four sentences": lambda row: " ".join((row["question"], *row["chat"][:4])),
    "before a log": lambda row: f"{row['question']}\n\n{row['log']}",
    "behind a log": lambda row: f"{row['log']}\n\n{row['question']}",
    "behind a letter": lambda row: f"{row['letter']}\n\n{row['question']}",
    "behind code": lambda row: f"```\n{row['code']}\n```\n{row['question']}",
}


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the tests."""
    return [json.loads(line) for line in (_DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def read_messages() -> list[Conversation]:
    """Return two stores: the questions in all forms with what asks for nothing, and the other spellings.

    The category of a question is its form; every second row is held back.
    """
    questions = read_rows("questions")
    return [
        _store(0, [*((*form, questions) for form in FORMS.items()), (SILENT, itemgetter("text"), read_rows("silent"))]),
        _store(1, [(SPELLED, itemgetter("question"), read_rows("spellings"))]),
    ]


def _store(number: int, asked: Sequence[tuple[str, _Say, Sequence[_Row]]]) -> Conversation:
    rows = [row for *_, each in asked for row in each if "memory" in row]
    texts = dict.fromkeys(text for row in rows for text in (row["memory"], *row.get("distractors", ())))
    ids = {text: str(at) for at, text in enumerate(texts)}
    return Conversation(
        number,
        {MESSAGES: [Remembered(each, text, 0, _WRITTEN) for text, each in ids.items()]},
        [
            Question(
                number,
                say(row),
                form,
                {MESSAGES: frozenset({ids[row["memory"]]} if "memory" in row else ())},
                is_held_back=at % 2 == 1,
            )
            for form, say, each in asked
            for at, row in enumerate(each)
        ],
    )
