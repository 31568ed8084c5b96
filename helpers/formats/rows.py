"""Exports with rows: JSON Lines, JSON lists, tables, conversations, graphs of entities, the blocks of an agent."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from ..clock import parse_time
from ..ledger.adopt import FORMAT
from ..records import LEDGER_KEYS, Source
from ..texts import regex
from .memories import Fault, FileKind, FileReading, NewMemory
from .prose import read_notes

_TEXT_KEYS: Final = tuple("text memory content fact note observation value data statement sentence user_input".split())
_ID_KEYS: Final = ("id", "uuid", "memory_id")
_TIME_KEYS: Final = "timestamp created_at createdAt valid_at create_time created date time when ts".split()
_OWN_KEYS: Final = frozenset((*_TEXT_KEYS, *_ID_KEYS, *_TIME_KEYS, *LEDGER_KEYS))
#: The keys of an export's list, and those of an object that is a list of itself alone.
_LIST_KEYS: Final = ("memories", "results", "facts", "edges", "conversations", "items", "data")
_ONLY_KEYS: Final = ("mapping", "chat_messages", "messages", "observations", *_TEXT_KEYS)
#: The speakers, by their names in other programs.
SPEAKERS: Final[Mapping[str, Source]] = {
    "user": Source.USER_ASSERTED,
    "human": Source.USER_ASSERTED,
    "agent": Source.AGENT_INFERRED,
    "assistant": Source.AGENT_INFERRED,
}
_SOURCES: Final = {axis.value: axis for axis in Source if axis is not Source.BOOKSHELF_DOCUMENT} | dict(SPEAKERS)
#: The keys of the first row by which a list is recognised.
_KNOWN_BY: Final = {
    "mapping": FileKind.CHATGPT,
    "chat_messages": FileKind.CLAUDE,
    "conversations_memory": FileKind.CLAUDE,
    "messages": FileKind.CHATS,
    "observations": FileKind.GRAPH,
    "relationType": FileKind.GRAPH,
}
#: Fewer seconds after 1970 (1973) are no time of an export, more (2286) are milliseconds.
_SECONDS: Final = range(100_000_000, 10_000_000_000)
#: A line that is a heading in all but its mark, as Claude writes them, with a paragraph below it.
_BOLD: Final = regex(r"(?m)^\*\*([^*\n]{1,80}?):?\*\*:?[^\S\n]*$(?=\s*\n[^\S\n]*[^\s*#])")
_HEADER: Final = regex(r"\ufeff?\s*\w+(?:[,;\t]\w+){2,}[^\S\n]*(?:\n|\Z)")


def kind_of_document(document: object, other: FileKind) -> FileKind:
    """Return the kind of a JSON document, by its keys; `other` for an unknown list."""
    if isinstance(document, Mapping) and "entities" in document:
        return FileKind.GRAPH
    if _blocks_of(document) is not None:
        return FileKind.LETTA
    first = next(iter(_objects(document)), {})
    if "role" in first and "content" in first:
        return FileKind.CHATS
    return next((_KNOWN_BY[key] for key in _KNOWN_BY if key in first), FileKind.LINES if first is document else other)


def _list_of(document: object) -> Sequence[Any] | None:
    """Return the list of a document, its only list of texts, or a list of it alone; None for an unknown document."""
    if not isinstance(document, Mapping):
        return document if isinstance(document, list) else None
    lists = [rows for rows in document.values() if isinstance(rows, list) and any(map(_find_text, _objects(rows)))]
    alone = [document] if any(key in document for key in _ONLY_KEYS) else lists[0] if len(lists) == 1 else None
    return next((document[key] for key in _LIST_KEYS if isinstance(document.get(key), list)), alone)


def _blocks_of(document: object) -> Sequence[Any] | None:
    """Return the blocks of an agent, which some releases keep below its memory; None for another document."""
    agent = document if isinstance(document, Mapping) else {}
    parts = [part for part in (agent, agent.get("memory"), agent.get("core_memory")) if isinstance(part, Mapping)]
    blocks = [*(part.get("blocks") for part in parts), agent.get("core_memory")]
    return next((rows for rows in blocks if isinstance(rows, list)), None)


def _objects(document: object) -> list[Mapping[str, Any]]:
    return [row for row in _list_of(document) or () if isinstance(row, Mapping)]


def text_key(row: Mapping[str, Any]) -> str:
    """Return the key of a row's text; `text` without one."""
    return next((key for key in _TEXT_KEYS if isinstance(row.get(key), str) and row[key].strip()), "text")


def name_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its text, source and time as `text`, `source` and `created_at`; None is not given."""
    source, time = row.get("source"), _find_time(row)
    known = SPEAKERS.get(source, source) if isinstance(source, str) else source
    created_at = row.get("created_at", time and time.isoformat())
    return {**row, "text": row.get(text_key(row)), "source": known, "created_at": created_at}


def _find_text(row: Mapping[str, Any]) -> str | None:
    text = row.get(text_key(row))
    return text.strip() or None if isinstance(text, str) else None


def _find_id(row: Mapping[str, Any]) -> str | None:
    value = next((row[key] for key in _ID_KEYS if row.get(key) not in (None, "")), None)
    return str(value) if isinstance(value, str | int) else None


def _find_time(row: Mapping[str, Any]) -> datetime | None:
    return next((moment for key in _TIME_KEYS if (moment := _to_time(row.get(key))) is not None), None)


def _to_time(value: object) -> datetime | None:
    """Return the time of a value: ISO 8601 (UTC without an offset), or seconds or milliseconds since 1970."""
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else 0.0
        seconds = number / 1_000 if number > _SECONDS.stop else number
        return datetime.fromtimestamp(seconds, UTC) if number >= _SECONDS.start else None
    except (OverflowError, ValueError, OSError):
        return parse_time(value.replace(" UTC", "+00:00"), zone=UTC) if isinstance(value, str) else None


def read_rows(document: object, reading: FileReading) -> None:
    """Read a list of memories, each a text or an object with one; facts that are marked as over are left out."""
    rows = _list_of(document)
    if rows is None:
        reading.faults.append(Fault("", f"no list of memories; allowed: a list, or one as {', '.join(_LIST_KEYS[:4])}"))
    is_lines = reading.kind is FileKind.LINES
    for number, row in enumerate(rows or (), 1):
        fields = {"text": row} if isinstance(row, str) else row if isinstance(row, Mapping) else {}
        if row is None or (fields.get("format") == FORMAT and "exported_at" in fields):
            continue  # a line that is empty or no JSON, and the first line of an export
        memory = _to_memory(fields, is_strict=is_lines)
        if any(fields.get(key) for key in ("invalid_at", "expired_at")):
            reading.left_out["facts that are no longer valid"] += 1
        elif isinstance(memory, NewMemory):
            reading.memories.append(memory)
        else:
            reading.faults.append(Fault(f"{'line' if is_lines else 'entry'} {number}", memory))


def _to_memory(row: Mapping[str, Any], *, is_strict: bool = False) -> NewMemory | str:
    """Return the memory of a row, or its fault in words; with `is_strict`, a wrong field is a fault as well.

    Other fields are kept as metadata if they are short.
    """
    text, source, metadata = _find_text(row), row.get("source", row.get("role")), row.get("metadata")
    known = _SOURCES.get(source) if isinstance(source, str) else None
    kept = metadata if isinstance(metadata, Mapping) else {}
    timestamp = row.get("timestamp", kept.get("timestamp"))
    stated_at = _find_time(row) if timestamp is None else _to_time(timestamp)
    if text is None:
        value = repr(row["text"])[:80] if "text" in row else "missing"
        return f"text is {value}; allowed: a text, or an object with one of {', '.join(_TEXT_KEYS[:5])}"
    if is_strict and known is None and row.get("source") is not None:
        return f"source is {source!r}; allowed: {', '.join(_SOURCES)}"
    if is_strict and stated_at is None and timestamp is not None:
        return f"timestamp is {timestamp!r}; allowed: ISO 8601, or seconds or milliseconds since 1970"
    if is_strict and kept is not metadata and metadata is not None:
        return f"metadata is {repr(metadata)[:80]}; allowed: an object"
    own = _OWN_KEYS if known is None else _OWN_KEYS | {"source", "role"}
    rest = {key: value for key, value in row.items() if key not in own and _is_short(value)}
    return NewMemory(text=text, source=known, stated_at=stated_at, metadata=rest | dict(kept), row_id=_find_id(row))


def _is_short(value: object) -> bool:
    """Whether a value is short and no object, vector or picture; tags are a list of texts."""
    is_list = isinstance(value, list) and all(isinstance(tag, str) for tag in value)
    return value not in ("", []) and (is_list or isinstance(value, str | int | float))


def is_table(text: str, name: str) -> bool:
    """Whether a text is a table: its header names a text or has only names, or the file is called so."""
    return bool(_delimiter(text) or _HEADER.match(text)) or name.casefold().endswith((".csv", ".tsv"))


def _delimiter(text: str) -> str | None:
    """Return the delimiter of a table whose header names a text; None for any other text."""
    for delimiter in ",;\t":
        header = text.lstrip("\ufeff").lstrip()[:2_000].partition("\n")[0]
        names = {name.strip(' "\r').casefold() for name in header.split(delimiter)}
        if len(names) > 1 and not names.isdisjoint(_TEXT_KEYS):
            return delimiter
    return None


def read_table(text: str, reading: FileReading) -> None:
    """Read the rows of a table with a header: a column of texts, and others for id, time, source and the rest."""
    table = csv.reader((f"{line}\n" for line in text.split("\n")), delimiter=_delimiter(text) or ",")
    try:
        names = [name.strip().casefold() for name in next(table, [])]
        if {*names}.isdisjoint(_TEXT_KEYS):
            fault = f"no column of texts in {', '.join(names)[:200]}; allowed: one of {', '.join(_TEXT_KEYS)}"
            reading.faults.append(Fault("line 1", fault))
        for cells in () if reading.faults else table:
            memory = _to_memory(dict(zip(names, cells, strict=False)))
            if isinstance(memory, NewMemory):
                reading.memories.append(memory)
            elif "".join(cells).strip():
                reading.left_out["rows without a text"] += 1
    except csv.Error as exc:
        reading.faults.append(Fault(f"line {table.line_num}", f"no table: {exc}; allowed: rows of a table"))


def read_chats(document: object, reading: FileReading) -> None:
    """Read what the user wrote in conversations, and Claude's notes about them and about each project."""
    chats = _objects(document)
    for chat in [{"messages": chats}] if chats and "role" in chats[0] else chats:
        projects = chat.get("project_memories")
        for note in (chat.get("conversations_memory"), *(projects.values() if isinstance(projects, Mapping) else ())):
            if isinstance(note, str):
                read_notes(_BOLD.sub(r"## \1", note), reading)
        for message in _messages(chat):
            _take_message(message, chat.get("title") or chat.get("name"), reading)


def _messages(chat: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return the messages of a conversation; ChatGPT's tree is put in the order of time."""
    nodes = chat.get("mapping")
    if not isinstance(nodes, Mapping):
        return _objects(chat.get("chat_messages", chat.get("messages")))
    held = _objects([node.get("message") for node in nodes.values() if isinstance(node, Mapping)])
    return sorted(held, key=lambda message: _find_time(message) or datetime.min.replace(tzinfo=UTC))


def _take_message(message: Mapping[str, Any], title: object, reading: FileReading) -> None:
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else message.get("sender", message.get("role"))
    text = _find_text(message) or "\n".join(_parts(message.get("content"))).strip()
    metadata = {"conversation": title} if isinstance(title, str) and title else {}
    moment, row_id = _find_time(message), _find_id(message)
    if SPEAKERS.get(str(role)) is not Source.USER_ASSERTED:
        reading.left_out["messages of others"] += 1
    elif not text:
        reading.left_out["messages without a text"] += 1
    else:
        memory = NewMemory(text=text, source=Source.USER_ASSERTED, stated_at=moment, metadata=metadata, row_id=row_id)
        reading.memories.append(memory)


def _parts(content: object) -> Iterator[str]:
    """Yield the texts of a message; pictures and calls are left out."""
    parts = content.get("parts") if isinstance(content, Mapping) else content
    for part in parts if isinstance(parts, list) else ():
        if text := part if isinstance(part, str) else _find_text(part) if isinstance(part, Mapping) else None:
            yield text


def read_graph(document: object, reading: FileReading) -> None:
    """Read the entities of a memory graph, one memory for each observation, and its relations."""
    whole = document if isinstance(document, Mapping) and "entities" in document else {"entities": document}
    parts = [whole[key] for key in ("entities", "relations") if key in whole]
    for row in (row for part in parts for row in _objects(part)):
        name, observations = str(row.get("name", "")).replace("_", " "), row.get("observations")
        if "relationType" in row:
            relation = " ".join(str(row.get(key, "")) for key in ("from", "relationType", "to"))
            reading.memories.append(NewMemory(text=relation.replace("_", " ")))
        for observation in observations if isinstance(observations, list) else ():
            if text := _find_text(observation if isinstance(observation, Mapping) else {"text": str(observation)}):
                is_named = name.casefold() in text.casefold()
                reading.memories.append(NewMemory(text=text if is_named else f"{name}: {text}"))


def read_letta(document: object, reading: FileReading) -> None:
    """Read the blocks of an agent as notes, and its archive; its messages are left out."""
    document = document if isinstance(document, Mapping) else {}
    for block in _objects(_blocks_of(document)):
        if isinstance(block.get("value"), str):
            read_notes(block["value"], reading, {"block": str(block.get("label", ""))})
    read_rows([*_objects(document.get("passages")), *_objects(document.get("archival_memory"))], reading)
    for part in (document, *_objects(document.get("agents"))):
        reading.left_out["messages"] += len(_objects(part.get("messages")))
