"""The output of the tool `memory_load`, with marks on retired memories and without ledger metadata.

The host prints every metadata key and value in front of a memory's text. Each printed block is recognised by printing
the same document again through the host's own function, so nothing is cut out of a text by guessing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ...recall.selection import mark_outdated
from ...records import LEDGER_KEYS, Validity
from ...store.docstore import Store
from ...texts import Mark, regex, without_marks

TOOL_NAME = "memory_load"

_NOT_YOURS = "(a record of the vault that is another agent's)"
_ID_LINE = regex(r"^id: (\S+)$", re.MULTILINE)


def mark_blocks(text: str, store: Store, memory_class: Any, scopes: Collection[str] | None = None) -> str:
    """Return the tool's output without ledger keys, and with `[deprecated → id]` before retired memories.

    Records of the vault outside of `scopes` are hidden.
    """
    for memory_id in dict.fromkeys(_ID_LINE.findall(text)):
        documents = store.db.get_by_ids([memory_id])
        if not documents:
            continue
        printed = memory_class.format_docs_plain(documents)[0]
        is_seen = memory_id not in store.hidden_from(scopes)
        shown = _print_marked(documents[0], memory_id, store, memory_class) if is_seen else _NOT_YOURS
        text = text.replace(printed, shown)
    return text


def _print_marked(document: Any, memory_id: str, store: Store, memory_class: Any) -> str:
    foreign = {key: value for key, value in document.metadata.items() if key not in LEDGER_KEYS}
    metadata = {key: without_marks(value) if isinstance(value, str) else value for key, value in foreign.items()}
    memory = store.read(memory_id)
    content = (
        f"{_mark(memory_id, store)}{without_marks(document.page_content) if memory is None else mark_outdated(memory)}"
    )
    printed: str = memory_class.format_docs_plain([type(document)(page_content=content, metadata=metadata)])[0]
    return printed


def _mark(memory_id: str, store: Store) -> str:
    memory = store.read(memory_id)
    if memory is None or memory.classification is None or memory.classification.validity is not Validity.DEPRECATED:
        return ""
    head = store.find_head(memory_id)
    return f"[{Mark.DEPRECATED} → {head}] " if head != memory_id else f"[{Mark.DEPRECATED}] "
