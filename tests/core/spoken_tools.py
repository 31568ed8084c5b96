"""Plays labelled conversations through classification and settlement: who said it, and what becomes of a correction."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory_ledger.ledger.attribution import Conversation, Known, Speaker, Utterance
from memory_ledger.ledger.changes import Classify
from memory_ledger.ledger.classify import classify_memory
from memory_ledger.ledger.resolve import Decision, decide_as_said, decide_memories
from memory_ledger.records import Memory, Source
from memory_ledger.settings import Settings

_DATA = Path(__file__).resolve().parents[1] / "data" / "spoken"
_SETTINGS = Settings()
_BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of one file of labelled conversations."""
    return [json.loads(line) for line in (_DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def is_users(row: dict[str, Any]) -> bool:
    """Whether the memory of a row is traced to the user."""
    said = [
        Utterance(Speaker(turn["role"]), turn["text"], at=_BEGIN + timedelta(seconds=20 * number), chat="chat")
        for number, turn in enumerate(row["turns"])
    ]
    written = Memory(id="m", text=row["memory"], created_at=_BEGIN + timedelta(hours=1), area="fragments")
    return classify_memory(written, said, _SETTINGS).classification.source is Source.USER_ASSERTED


def stays_users(row: dict[str, Any]) -> bool:
    """Whether what a host's model made of memories of the user's is still traced to the user."""
    said = [
        Utterance(Speaker.USER, one, at=_BEGIN + timedelta(days=number), is_memory=True)
        for number, one in enumerate(row["sources"])
    ]
    merged = Memory(id="m", text=row["rewritten"], created_at=_BEGIN + timedelta(days=9), area="fragments")
    return classify_memory(merged, said, _SETTINGS).classification.source is Source.USER_ASSERTED


@dataclass
class Chat:
    """A conversation as it goes on, and the memories that were written in it, each as it was classified."""

    said: list[Utterance]
    memories: list[tuple[Memory, Classify]]
    now: datetime = _BEGIN

    def say(self, speaker: Speaker, text: str) -> None:
        self.said.append(Utterance(speaker, text, at=self.now, chat="chat"))
        self.now += timedelta(seconds=20)

    def write(self, text: str) -> tuple[Memory, Classify]:
        """Write a memory as the host's model does, after the turn, and classify it beside the user's own older ones."""
        known = Known(
            [one.text for one, _ in reversed(self.memories)],
            [one.text for one, _ in self.memories if _is_asserted(one)],
        )
        memory = Memory(id=f"m{len(self.memories)}", text=text, created_at=self.now, area="fragments")
        change = classify_memory(memory, Conversation(self.said), _SETTINGS, earlier=lambda: known)
        self.memories.append((change.apply_to(memory), change))
        self.now += timedelta(seconds=5)
        return self.memories[-1]


def settle(older: Memory, newer: Memory, change: Classify) -> Decision:
    """Return what becomes of two memories, of which `change` classified the newer."""
    first, second, decision = decide_memories(older, newer)
    return decide_as_said(first, second, decision, change.spoken if second is newer else None)


def play(row: dict[str, Any]) -> str:
    """Return what becomes of a correction: "right", "inverted", or "both" stay."""
    chat = Chat([], [])
    for turn in row["turns"]:
        chat.say(Speaker.USER, turn["user"])
        chat.say(Speaker.AGENT, turn["reply"])
        for text in turn["memories"]:
            chat.write(text)
        chat.now += timedelta(minutes=3)
    stale = next(one for one, _ in chat.memories if row["stale"].casefold() in one.text.casefold())
    current, change = next(
        pair for pair in reversed(chat.memories) if row["current"].casefold() in pair[0].text.casefold()
    )
    return {"newer": "right", "older": "inverted", None: "both"}[settle(stale, current, change).winner]


def stays(row: dict[str, Any]) -> bool:
    """Whether a memory that is still true is left whole by a later one that sounds like a change of it."""
    chat = Chat([], [])
    chat.say(Speaker.USER, row["user_before"])
    older, _ = chat.write(row["older"])
    chat.say(Speaker.USER, "What is a good soup for a cold day?")
    chat.say(Speaker.AGENT, "Lentil soup.")
    chat.now += timedelta(minutes=10)
    chat.say(Speaker.USER, row["user_now"])
    newer, change = chat.write(row["newer"])
    return settle(older, newer, change).winner != "newer"


def _is_asserted(memory: Memory) -> bool:
    return memory.classification is not None and memory.classification.source is Source.USER_ASSERTED
