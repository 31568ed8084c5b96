"""The result of reading a file: its kind, the new memories, the faults, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Self

from ..clock import format_time
from ..records import Source

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


#: Kinds that describe one moment; in other kinds without times, later memories are newer.
STATES: Final = frozenset((FileKind.LETTA, FileKind.GRAPH, FileKind.MARKDOWN))


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
