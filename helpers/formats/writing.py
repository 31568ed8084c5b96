"""Memories as files for people and other programs: JSON Lines, Markdown, mem0. Pure.

Markdown and mem0 have no form for a replaced memory, so that only memories in use are written for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from ..clock import format_time
from ..records import LEDGER_KEYS, Memory, said_at


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
