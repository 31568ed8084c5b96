"""Bytes to memories: their encoding, the kind of the file, and the reader of each kind."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ..door import find_fault, parse_document, parse_line
from ..errors import Problem
from ..records import Source
from .memories import Fault, FileKind, FileReading
from .prose import is_markdown, read_markdown, read_text
from .rows import is_table, kind_of_document, read_chats, read_graph, read_letta, read_rows, read_table

_MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_TEXTS: Final[Mapping[FileKind, Callable[[str, FileReading], None]]] = {
    FileKind.TABLE: read_table,
    FileKind.MARKDOWN: read_markdown,
    FileKind.TEXT: read_text,
}
_DOCUMENTS: Final[Mapping[FileKind, Callable[[Any, FileReading], None]]] = {
    FileKind.LINES: read_rows,
    FileKind.ROWS: read_rows,
    FileKind.CHATGPT: read_chats,
    FileKind.CLAUDE: read_chats,
    FileKind.CHATS: read_chats,
    FileKind.LETTA: read_letta,
    FileKind.GRAPH: read_graph,
}


def read_memories(data: bytes, name: str, *, kind: FileKind | None = None, source: Source | None = None) -> FileReading:
    """Return the memories of a file called `name`; its `kind` is found by its content by default.

    `source` is their source where the file names none.
    """
    text, encoding = _decode(data)
    reading = FileReading(kind or FileKind.TEXT, encoding)
    document = None if kind in _TEXTS else _parse(text, name, reading)
    if kind is None and document is None and (is_table(text, name) or is_markdown(text, name)):
        reading.kind = FileKind.TABLE if is_table(text, name) else FileKind.MARKDOWN
    if isinstance(document, Problem):
        reading.faults.append(Fault("", str(document)))
    elif document is not None:
        _DOCUMENTS[reading.kind](document, reading)
    elif reading.kind not in _TEXTS:
        reading.faults.append(Fault("", "it is not JSON as a whole; allowed: one JSON document"))
    elif "\0" in text:
        reading.faults.append(Fault("", "it is no text; allowed: JSON, a table, Markdown or plain text"))
    else:
        _TEXTS[reading.kind](text, reading)
    memories, reading.memories = reading.memories, []
    for number, memory in enumerate(memories, 1):
        fault = find_fault({"text": memory.text, "id": memory.row_id, "metadata": memory.metadata})
        if fault is None:
            reading.memories.append(replace(memory, source=memory.source or source))
        else:
            reading.faults.append(Fault(f"memory {number}", str(fault)))
    return reading


def _decode(data: bytes) -> tuple[str, str]:
    """Return the text and its encoding: by its mark, else UTF-8, else Latin-1, in which every byte is a character."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            errors = "surrogateescape" if mark == codecs.BOM_UTF8 else "replace"
            return data.decode(encoding, errors), encoding.removesuffix("-sig").upper()
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        if data.lstrip()[:1] in (b"{", b"["):
            return data.decode("utf-8", "surrogateescape"), "UTF-8"  # the lines that are none are named
        return data.decode("latin-1"), "Latin-1"


def _parse(text: str, name: str, reading: FileReading) -> Any:
    """Return the JSON value of a text, a list of the objects on its lines, a problem if it is broken; else None.

    The kind is set unless it is given, and each line that is no JSON is a fault.
    """
    start = text.lstrip()
    if start[:1] not in ("{", "[", '"'):
        return None
    document, other = parse_document(text), FileKind.ROWS
    if isinstance(document, str):
        document = parse_document(document)  # an agent in a JSON text, as Letta writes some
    if isinstance(document, Problem):
        if not start.startswith("{"):
            return document if start.startswith("[") and name.casefold().endswith(".json") else None
        lines = [line.encode("utf-8", "surrogateescape") for line in text.split("\n")]
        rows = [parse_line(line, number) if line.strip() else None for number, line in enumerate(lines, 1)]
        messages = [row for row in rows if row is not None]
        if len(messages) > 1 and all(isinstance(row, Problem) for row in messages[:20]):
            return document
        reading.faults += [Fault(f"line {n}", str(row)) for n, row in enumerate(rows, 1) if isinstance(row, Problem)]
        document, other = [None if isinstance(row, Problem) else row for row in rows], FileKind.LINES
    if reading.kind is FileKind.TEXT:
        reading.kind = kind_of_document(document, other)
    return document
