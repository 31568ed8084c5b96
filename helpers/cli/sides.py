"""Memories side by side, as a person reads them: what each says, when and who said it; and a command about them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..clock import EPOCH
from ..host.docstore.docstore_file import read_documents
from ..recall.selection import SOURCE_WORDS
from ..records import Memory, parse_memory, said_at

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


def memory_in_words(memory: Memory | None) -> str:
    """Return a memory in a line: when, who said it, and what."""
    if memory is None:
        return "(not there any more)"
    source = "unknown" if memory.classification is None else SOURCE_WORDS[memory.classification.source]
    return f"{said_at(memory):%Y-%m-%d}, {source}: {memory.text}"


def command_on(folder: Path, command: str) -> str:
    """Return a command on a folder as it is typed."""
    return f"`{shlex.join(('memory-ledger', *command.split(), '--folder', str(folder)))}`"
