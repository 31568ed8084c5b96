"""Two memories side by side, as a person reads them: what each says, when, who said it, and why they are at odds."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..clock import EPOCH, format_time
from ..host.docstore.docstore_file import read_documents
from ..quality.conflict_record import Conflict, write_conflict
from ..recall.selection import SOURCE_WORDS
from ..records import Memory, Source, parse_memory, said_at

Known = Mapping[str, Memory]


def read_known(folder: Path, memory_ids: Iterable[str]) -> dict[str, Memory]:
    """Return of these memories those that are there; the store is not read for none."""
    wanted = dict.fromkeys(memory_ids)
    documents = read_documents(folder)[0] if wanted else {}
    return {
        one: parse_memory(one, found.page_content, found.metadata, inserted_at=EPOCH)[0]
        for one in wanted
        if (found := documents.get(one)) is not None
    }


def to_row(conflict: Conflict, known: Known) -> dict[str, Any]:
    """Return a conflict as it is on record, then what both memories say, and in words of what they disagree."""
    row = write_conflict(conflict)
    for side, memory_id in zip(("older", "newer"), conflict.memories, strict=True):
        memory = known.get(memory_id)
        row[f"{side}_text"] = None if memory is None else memory.text
        row[f"{side}_at"] = None if memory is None else format_time(said_at(memory))
        row[f"{side}_source"] = None if memory is None else _source_of(memory)
    return row | _put_right(_differs(conflict), *(known.get(one) for one in conflict.memories))


def _source_of(memory: Memory) -> str | None:
    return None if memory.classification is None else memory.classification.source.value


def _differs(conflict: Conflict) -> dict[str, str | None]:
    """Return what `open_conflict` has joined: of what both speak, what each says of it, and why that settles it."""
    about, is_split, rest = conflict.description.partition("older: ")
    older, _, rest = rest.partition("; newer: ")
    newer, is_whole, why = rest.partition('"; ')
    if not (is_split and is_whole):
        return {"subject": None, "older_value": None, "newer_value": None, "reason": conflict.description}
    subject = about.removesuffix("; ").rpartition("; ")[2]
    return {
        "subject": subject or None,
        "older_value": None if conflict.is_possible else older,
        "newer_value": None if conflict.is_possible else f'{newer}"',
        "reason": why,
    }


def _put_right(told: dict[str, str | None], older: Memory | None, newer: Memory | None) -> dict[str, str | None]:
    """Return what was told with each value at the memory that says it.

    Which of two memories of one moment counts as the older one is not the same for a decision and for its record.
    """
    one, other = ((told[key] or "").removeprefix("not ").strip('"') for key in ("older_value", "newer_value"))
    if older is None or newer is None or (one in older.text and other in newer.text):
        return told
    if one in newer.text and other in older.text:
        return told | {"older_value": told["newer_value"], "newer_value": told["older_value"]}
    return told


def side_in_words(row: Mapping[str, Any], side: str) -> str:
    """Return one side of a row in a line: when, who said it, and what."""
    if row[f"{side}_text"] is None:
        return "(not there any more)"
    return f"{row[f'{side}_at'][:10]}, {_in_words(row[f'{side}_source'])}: {row[f'{side}_text']}"


def memory_in_words(memory: Memory) -> str:
    """Return a memory in a line: when, who said it, and what."""
    return f"{said_at(memory):%Y-%m-%d}, {_in_words(_source_of(memory))}: {memory.text}"


def _in_words(source: str | None) -> str:
    return "unknown" if source is None else SOURCE_WORDS[Source(source)]


def difference_in_words(row: Mapping[str, Any]) -> str:
    """Return of what both sides of a row disagree."""
    values = "" if row["older_value"] is None else f"{row['older_value']} / {row['newer_value']}"
    return "; ".join(filter(None, (row["subject"], values, row["reason"])))


def command_on(folder: Path, command: str) -> str:
    """Return a command on a folder as it is typed."""
    return f"`{shlex.join(('memory-ledger', *command.split(), '--folder', str(folder)))}`"
