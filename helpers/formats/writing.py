"""Memories as files that people and other programs read: JSON Lines, Markdown, mem0. Pure.

Markdown and mem0 know no memory that was replaced, so that only what is in use is written for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from ..clock import format_time
from ..records import LEDGER_KEYS, Memory, said_at


class ExportKind(StrEnum):
    """A form in which memories can be written, by the name that `--as` takes."""

    LINES = "json-lines"
    MARKDOWN = "markdown"
    MEM0 = "mem0"


_HEAD: Final = "# Memories\n\n"


def is_written(memory: Memory, kind: ExportKind) -> bool:
    """Whether a file of a kind holds a memory: all of JSON Lines do, the others what is in use."""
    return kind is ExportKind.LINES or not (memory.is_deprecated or memory.is_forgotten)


def write_memories(kind: ExportKind, memories: Iterable[tuple[Memory, Mapping[str, Any]]]) -> Iterator[str]:
    """Yield the text of a file of a kind, piece by piece; each memory comes with its metadata, which JSON can hold."""
    if kind is ExportKind.LINES:
        yield from (_to_json(_own_row(memory, metadata)) + "\n" for memory, metadata in memories)
    elif kind is ExportKind.MARKDOWN:
        yield _HEAD
        yield from ("- " + memory.text.replace("\n", "\n  ") + "\n" for memory, _ in memories)
    else:
        yield '{"results": ['
        for number, (memory, metadata) in enumerate(memories):
            yield f"{',' if number else ''}\n{_to_json(_mem0_row(memory, metadata))}"
        yield "\n]}\n"


def _own_row(memory: Memory, metadata: Mapping[str, Any]) -> dict[str, Any]:
    first = {key: metadata[key] for key in LEDGER_KEYS if key in metadata}
    return {"id": memory.id, "text": memory.text, "metadata": first | dict(metadata)}


def _mem0_row(memory: Memory, metadata: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in metadata.items() if key not in LEDGER_KEYS}
    axes, at = memory.classification, format_time(said_at(memory))
    source = {} if axes is None else {"source": axes.source.value}
    return {"id": memory.id, "memory": memory.text, "created_at": at, "metadata": kept, **source}


def _to_json(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)
