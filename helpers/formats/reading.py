"""Bytes to memories: how they are encoded, what kind of file they are, and what each kind says."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from typing import Any, Final

from ..door import find_fault, parse_document, parse_line
from ..errors import Problem
from ..ledger.adopt import FORMAT
from ..records import Source
from ..texts import regex
from .chats import read_chatgpt, read_claude
from .fields import find_list
from .kinds import FileKind, kind_of_document, kind_of_line, kind_of_text
from .new_memory import Fault, FileReading, NewMemory
from .prose import read_markdown, read_text
from .rows import RowError, graph_rows, read_graph, read_letta, read_own_row, read_rows, read_table

_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
#: By so many lines it is told whether a file has an object on each.
_LOOKED_AT: Final = 20
#: A line that is a heading in all but its mark, as Claude writes them, with a paragraph below it.
_BOLD: Final = regex(r"^\*\*([^*\n]{1,80}?):?\*\*:?[^\S\n]*$(?=\s*\n[^\S\n]*[^\s*#])", re.MULTILINE)


def read_memories(data: bytes, name: str, *, kind: FileKind | None = None, source: Source | None = None) -> FileReading:
    """Read the memories of a file called `name`; the `kind` is found by its content unless it is given.

    `source` is whose word they are where the file does not say.
    """
    text, encoding = _decode(data)
    document = _parse(text, name)
    found = kind or _find_kind(text, name, document)
    reading = FileReading(found, encoding)
    if "\0" in text and found not in (FileKind.LINES, FileKind.GRAPH):
        reading.faults.append(Fault("", "it is no text; allowed: JSON, a table, Markdown or plain text"))
        return reading
    _read(text, document, reading)
    if reading.kind is not FileKind.LINES:  # whose lines have come through the door
        _refuse_what_is_over_a_limit(reading)
    if source is not None:
        reading.memories = [replace(memory, source=memory.source or source) for memory in reading.memories]
    return reading


def _refuse_what_is_over_a_limit(reading: FileReading) -> None:
    kept: list[NewMemory] = []
    for number, one in enumerate(reading.memories, 1):
        fault = find_fault({"text": one.text, "id": one.row_id, "metadata": one.metadata})
        if fault is None:
            kept.append(one)
        else:
            reading.faults.append(Fault(f"memory {number}", str(fault)))
    reading.memories = kept


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


def _parse(text: str, name: str) -> Any:
    """Return the JSON document that a text is as a whole, a problem where it is a broken one; None where it is none."""
    start = text.lstrip()
    if start[:1] not in ("{", "["):
        return None
    document = parse_document(text)
    if not isinstance(document, Problem):
        return document
    lines = [line for line in start.split("\n", _LOOKED_AT)[:_LOOKED_AT] if line.strip()]
    has_rows = any(not isinstance(parse_line(line), Problem) for line in lines)
    is_text = start.startswith("[") and not name.casefold().endswith(".json")
    return None if has_rows or is_text or (start.startswith("{") and len(lines) == 1) else document


def _find_kind(text: str, name: str, document: Any) -> FileKind:
    if document is not None and not isinstance(document, Problem):
        return kind_of_document(document) or FileKind.LINES
    if isinstance(document, Problem):
        return FileKind.ROWS
    start = text.lstrip()
    if start.startswith("{"):
        first = parse_line(start.split("\n", 1)[0])
        return FileKind.LINES if isinstance(first, Problem) else kind_of_line(first)
    return kind_of_text(text, name)


def _read(text: str, document: Any, reading: FileReading) -> None:
    if isinstance(document, Problem):
        reading.faults.append(Fault("", str(document)))
        return
    match reading.kind:
        case FileKind.LINES:
            _read_lines(text, reading)
        case FileKind.TABLE:
            read_table(text, reading)
        case FileKind.MARKDOWN:
            read_markdown(text, reading)
        case FileKind.TEXT:
            read_text(text, reading)
        case FileKind.GRAPH:
            read_graph(graph_rows(document if document is not None else _lines(text, reading)), reading)
        case _ if document is None:
            reading.faults.append(Fault("", "it is not JSON as a whole; allowed: one JSON document"))
        case FileKind.CHATGPT:
            read_chatgpt(find_list(document) or (), reading)
        case FileKind.CLAUDE:
            _read_claude(document, reading)
        case FileKind.LETTA:
            read_letta(document, reading)
        case FileKind.ROWS:
            read_rows(document, reading)


def _read_claude(document: Any, reading: FileReading) -> None:
    """Read conversations, or what Claude has noted down of them and of each project."""
    rows = find_list(document) or ()
    read_claude(rows, reading)
    for one in (row for row in rows if isinstance(row, dict)):
        projects = one.get("project_memories")
        notes = [one.get("conversations_memory"), *(projects.values() if isinstance(projects, dict) else ())]
        for told in (note for note in notes if isinstance(note, str)):
            read_markdown(_BOLD.sub(r"## \1", told), reading)


def _read_lines(text: str, reading: FileReading) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = parse_line(line.encode("utf-8", "surrogateescape"), number)
        if isinstance(row, dict) and row.get("format") == FORMAT and "exported_at" in row:
            continue  # the first line of an export, which is no memory
        try:
            found = Fault(f"line {number}", str(row)) if isinstance(row, Problem) else read_own_row(row)
        except RowError as exc:
            found = Fault(f"line {number}", str(exc))
        if isinstance(found, Fault):
            reading.faults.append(found)
        else:
            reading.memories.append(found)


def _lines(text: str, reading: FileReading) -> list[Any]:
    rows = [(number, parse_line(line, number)) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    reading.faults += [Fault(f"line {number}", str(row)) for number, row in rows if isinstance(row, Problem)]
    return [row for _, row in rows if not isinstance(row, Problem)]
