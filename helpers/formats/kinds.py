"""The kinds of files that can be read, and by what each is known (content, never the name alone)."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from ..texts import regex
from .fields import TEXT_KEYS, find_list


class FileKind(StrEnum):
    """A kind of file, by the name that `--as` takes."""

    LINES = "json-lines"
    ROWS = "json"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    LETTA = "letta"
    GRAPH = "memory-graph"
    MARKDOWN = "markdown"
    TABLE = "csv"
    TEXT = "text"


#: What a kind is called in a sentence.
NAMES: Final[Mapping[FileKind, str]] = {
    FileKind.LINES: "JSON Lines",
    FileKind.ROWS: "a JSON list of memories",
    FileKind.CHATGPT: "ChatGPT conversations",
    FileKind.CLAUDE: "Claude conversations",
    FileKind.LETTA: "a Letta agent",
    FileKind.GRAPH: "a memory graph",
    FileKind.MARKDOWN: "Markdown",
    FileKind.TABLE: "a table",
    FileKind.TEXT: "plain text",
}
DELIMITERS: Final = ",;\t"
_MARKDOWN: Final = regex(r"^(?:#{1,6} |[-*+] |\d{1,3}[.)] |---\s*$)", re.MULTILINE)
_MARKDOWN_NAMES: Final = (".md", ".markdown", ".mdc")
_GRAPH_TYPES: Final = ("entity", "relation")


def kind_of_document(document: object) -> FileKind | None:
    """Return what a whole JSON document is; None where it has no memories that are known."""
    if isinstance(document, Mapping):
        if "entities" in document or document.get("type") in _GRAPH_TYPES:
            return FileKind.GRAPH
        if "blocks" in document or "core_memory" in document:
            return FileKind.LETTA
        if any(isinstance(document.get(key), str) for key in TEXT_KEYS):
            return FileKind.LINES
    rows = find_list(document)
    first: Any = rows[0] if rows else None
    if isinstance(first, Mapping):
        if "mapping" in first:
            return FileKind.CHATGPT
        if "chat_messages" in first or "conversations_memory" in first:
            return FileKind.CLAUDE
        if first.get("type") in _GRAPH_TYPES:
            return FileKind.GRAPH
    return FileKind.ROWS if rows is not None else None


def kind_of_line(row: Mapping[str, Any]) -> FileKind:
    """Return what a file is whose lines are JSON objects of which `row` is the first."""
    is_graph = row.get("type") in _GRAPH_TYPES and ("observations" in row or "from" in row)
    return FileKind.GRAPH if is_graph else FileKind.LINES


def kind_of_text(text: str, name: str) -> FileKind:
    """Return what a text is that is no JSON."""
    if find_delimiter(text) is not None:
        return FileKind.TABLE
    if name.casefold().endswith(_MARKDOWN_NAMES) or _MARKDOWN.search(text[:20_000]):
        return FileKind.MARKDOWN
    return FileKind.TEXT


def find_delimiter(text: str) -> str | None:
    """Return what separates the columns of a table whose header names a text; None where it is no such table."""
    header = next(iter(text.lstrip("\ufeff")[:2_000].splitlines()), "")
    for delimiter in DELIMITERS:
        try:
            cells = next(csv.reader([header], delimiter=delimiter), [])
        except csv.Error:
            return None
        names = {name.strip().casefold() for name in cells}
        if len(names) > 1 and not names.isdisjoint(TEXT_KEYS):
            return delimiter
    return None
