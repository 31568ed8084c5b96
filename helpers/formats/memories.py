"""Memories in files: the result of reading one, and the text of one with the memories of a folder.

Markdown and mem0 have no form for a replaced memory, so that only memories in use are written for them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Self

from ..clock import format_time
from ..records import LEDGER_KEYS, Memory, Source, said_at

#: A metadata key of a memory from a file: the id of its row there, or that it had none.
MARK_KEY: Final = "ingested"


class FileKind(StrEnum):
    """A kind of file, by its name for `--as`; `words` is its name in a sentence."""

    words: str

    LINES = "json-lines", "JSON Lines"
    ROWS = "json", "a JSON list of memories"
    CHATGPT = "chatgpt", "ChatGPT conversations"
    CLAUDE = "claude", "Claude conversations"
    CHATS = "chats", "conversations"
    LETTA = "letta", "a Letta agent"
    GRAPH = "memory-graph", "a memory graph"
    MARKDOWN = "markdown", "Markdown"
    TABLE = "csv", "a table"
    TEXT = "text", "plain text"

    def __new__(cls, value: str, words: str = "") -> Self:
        """Return a member whose value is the name alone."""
        kind = str.__new__(cls, value)
        kind._value_, kind.words = value, words
        return kind

    @property
    def is_state(self) -> bool:
        """Whether it describes one moment; in a file of another kind without times, later memories are newer."""
        return self in (FileKind.LETTA, FileKind.GRAPH, FileKind.MARKDOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A text, its source and the time of the statement (aware, UTC), if known; `row_id` is its id in the file."""

    text: str
    source: Source | None = None
    stated_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    row_id: str | None = None


class Fault(NamedTuple):
    """A part of a file that cannot be read, and its place."""

    where: str
    words: str


@dataclass(slots=True)
class FileReading:
    """The reading of a file: its kind, its memories in order, the faults, and the counts of what was left out."""

    kind: FileKind
    encoding: str
    memories: list[NewMemory] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def name_memories(memories: Iterable[NewMemory]) -> Iterator[tuple[str, NewMemory]]:
    """Yield memories with the id that each has in every store, whatever file it comes in.

    It is made of the row's own id and the text; without one, of the text, its source, its time, and the number of equal
    statements before it in the file.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for memory in memories:
        time = "" if memory.stated_at is None else format_time(memory.stated_at)
        key = ("id", memory.row_id, memory.text) if memory.row_id else ("text", memory.text, memory.source or "", time)
        counts[key] += 1
        parts = key if memory.row_id else (*key, str(counts[key]))
        yield blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(), memory


class ExportKind(StrEnum):
    """A form of an export, by its name for `--as`."""

    LINES = "json-lines"
    MARKDOWN = "markdown"
    MEM0 = "mem0"


def is_written(memory: Memory, kind: ExportKind) -> bool:
    """Whether a file of a kind holds a memory: JSON Lines hold all, the others those in use."""
    return kind is ExportKind.LINES or not (memory.is_deprecated or memory.is_forgotten)


def write_memories(kind: ExportKind, memories: Iterable[tuple[Memory, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the text of a file of a kind, piece by piece; each memory comes with its metadata as JSON values."""
    yield {ExportKind.LINES: "", ExportKind.MARKDOWN: "# Memories\n\n", ExportKind.MEM0: '{"results": ['}[kind]
    for number, (memory, metadata) in enumerate(memories):
        if kind is ExportKind.MARKDOWN:
            yield "- " + "\n  ".join(filter(str.strip, memory.text.splitlines())) + "\n"
        elif kind is ExportKind.LINES:
            first = {key: metadata[key] for key in LEDGER_KEYS if key in metadata}
            row = {"id": memory.id, "text": memory.text, "metadata": first | dict(metadata)}
            yield json.dumps(row, ensure_ascii=False) + "\n"
        else:
            yield f"{',' if number else ''}\n{json.dumps(_mem0_row(memory, metadata), ensure_ascii=False)}"
    yield "\n]}\n" if kind is ExportKind.MEM0 else ""


def _mem0_row(memory: Memory, metadata: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in metadata.items() if key not in LEDGER_KEYS}
    axes, moment = memory.classification, format_time(said_at(memory))
    source = {} if axes is None else {"source": axes.source.value}
    return {"id": memory.id, "memory": memory.text, "created_at": moment, "metadata": kept, **source}
