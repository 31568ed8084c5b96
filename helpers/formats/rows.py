"""Lists of memories: JSON Lines, JSON lists of other programs, tables, graphs of entities, the blocks of an agent."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from typing import Any, Final

from ..records import Source
from .fields import ID_KEYS, SPEAKERS, TEXT_KEYS, TIME_KEYS, find_id, find_list, find_text, find_time, to_time
from .kinds import find_delimiter
from .new_memory import Fault, FileReading, NewMemory
from .prose import split_paragraphs

_SOURCES: Final = {one.value: one for one in Source if one is not Source.BOOKSHELF_DOCUMENT} | dict(SPEAKERS)
_INVALID: Final = ("invalid_at", "expired_at")


class RowError(ValueError):
    """A row is not of the documented form; the words say what was found and what is allowed."""


def read_own_row(row: Mapping[str, Any]) -> NewMemory:
    """Return the memory of a JSON object as `ingest` documents it; raises RowError."""
    text, metadata = find_text(row), row.get("metadata")
    if text is None:
        found = repr(row["text"])[:80] if "text" in row else "missing"
        raise RowError(f"text is {found}; allowed: a text that says something")
    if not isinstance(metadata, dict | None):
        raise RowError(f"metadata is {repr(metadata)[:80]}; allowed: an object")
    source = row.get("source")
    if source is not None and (not isinstance(source, str) or source not in _SOURCES):
        raise RowError(f"source is {source!r}; allowed: {', '.join(_SOURCES)}")
    told = row.get("timestamp", (metadata or {}).get("timestamp"))
    stated_at = find_time(row) if told is None else to_time(told)
    if told is not None and stated_at is None:
        raise RowError(f"timestamp is {told!r}; allowed: ISO 8601, or seconds or milliseconds since 1970")
    return NewMemory(
        text=text,
        source=None if source is None else _SOURCES[source],
        stated_at=stated_at,
        metadata=metadata or {},
        row_id=find_id(row),
    )


def read_rows(document: object, reading: FileReading) -> None:
    """Read a list of memories, each a text or an object with one; a row that others say is over is left out."""
    for number, row in enumerate(find_list(document) or (), 1):
        text = row.strip() if isinstance(row, str) else find_text(row) if isinstance(row, Mapping) else None
        if text is None:
            allowed = f"a text, or an object with one of {', '.join(TEXT_KEYS[:5])}"
            reading.faults.append(Fault(f"entry {number}", f"it has no text; allowed: {allowed}"))
        elif isinstance(row, Mapping) and any(row.get(key) for key in _INVALID):
            reading.left_out["facts that are no longer valid"] += 1
        else:
            _take(reading, row if isinstance(row, Mapping) else {}, text)


def read_table(text: str, reading: FileReading) -> None:
    """Read the rows of a table with a header: a column of texts, and others for id, time, source and the rest."""
    delimiter = find_delimiter(text) or ","
    table = csv.reader((f"{line}\n" for line in text.split("\n")), delimiter=delimiter)
    try:
        names = [name.strip().casefold() for name in next(table, [])]
        for row in table:
            cells = dict(zip(names, row, strict=False))
            if (found := find_text(cells)) is not None:
                _take(reading, cells, found)
            elif row:
                reading.left_out["rows without a text"] += 1
    except csv.Error as exc:
        reading.faults.append(Fault(f"line {table.line_num}", f"no table: {exc}; allowed: rows of a table"))


def read_graph(document: Iterable[Mapping[str, Any]], reading: FileReading) -> None:
    """Read the entities of a memory graph, one memory for each observation, and its relations."""
    for one in document:
        if one.get("type") == "relation" or "relationType" in one:
            said = " ".join(str(one.get(key, "")) for key in ("from", "relationType", "to"))
            reading.memories.append(NewMemory(text=said.replace("_", " ")))
            continue
        name, observations = str(one.get("name", "")), one.get("observations")
        for observation in observations if isinstance(observations, list) else ():
            text = find_text(observation) if isinstance(observation, Mapping) else str(observation).strip()
            if text:
                is_named = name.casefold().replace("_", " ") in text.casefold()
                reading.memories.append(NewMemory(text=text if is_named else f"{name.replace('_', ' ')}: {text}"))


def graph_rows(document: object) -> list[Mapping[str, Any]]:
    """Return the entities and relations of a graph, from a document or its lines."""
    parts: list[object] = [document]
    if isinstance(document, Mapping):
        parts = [document.get(key) for key in ("entities", "relations")] if "entities" in document else [[document]]
    return [one for part in parts if isinstance(part, list) for one in part if isinstance(one, Mapping)]


def read_letta(document: Mapping[str, Any], reading: FileReading) -> None:
    """Read the blocks of an agent, a memory for each paragraph, and what it has archived; its messages are left out."""
    blocks = document.get("blocks") or document.get("core_memory")
    for block in blocks if isinstance(blocks, list) else ():
        value = block.get("value") if isinstance(block, Mapping) else None
        for text in split_paragraphs(value) if isinstance(value, str) else ():
            reading.memories.append(NewMemory(text=text, metadata={"block": str(block.get("label", ""))}))
    if find_list(document) is not None:
        read_rows(document, reading)
    messages = document.get("messages")
    reading.left_out["messages"] += len(messages) if isinstance(messages, list) else 0


def _take(reading: FileReading, row: Mapping[str, Any], text: str) -> None:
    """Enter one row of another program; a field that is nothing of ours is kept as metadata where it is a text."""
    rest = {k: v for k, v in row.items() if k not in (*TEXT_KEYS, *ID_KEYS, *TIME_KEYS, "source", "metadata")}
    kept = {key: value for key, value in rest.items() if isinstance(value, str | int | float) and value != ""}
    source = _SOURCES.get(str(row.get("source") or row.get("role") or ""))
    reading.memories.append(
        NewMemory(text=text, source=source, stated_at=find_time(row), metadata=kept, row_id=find_id(row))
    )
