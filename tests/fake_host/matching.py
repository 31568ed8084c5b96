"""Which documents a filter, a forget query or a deletion reaches (contract sections 4 and 5)."""

import json
from collections.abc import Callable
from typing import Any

from simpleeval import simple_eval

from .langchain import Document

_SHORTEST_QUERY = 3

Comparator = Callable[[dict[str, Any]], bool]


def comparator(condition: str) -> Comparator:
    """Return a predicate over metadata. A key that is missing, or any other error, is no match."""

    def matches(metadata: dict[str, Any]) -> bool:
        try:
            return simple_eval(condition, names=metadata)
        except Exception:  # noqa: BLE001 - the host prints one line per document
            return False

    return matches


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def holds_exactly(doc: Document, query: str) -> bool:
    """Return whether `query` occurs in the content or anywhere in the metadata, as text."""
    needle = _folded(query)
    if len(needle) < _SHORTEST_QUERY:
        return False
    metadata = json.dumps(doc.metadata, sort_keys=True, default=str)
    return needle in _folded(f"{doc.page_content}\n{metadata}")


def refers_to(value: Any, ids: set[str]) -> bool:
    """Return whether a value, at any depth, is one of `ids` or a comma list that has one. Keys do not count."""
    if isinstance(value, dict):
        return any(refers_to(item, ids) for item in value.values())
    if isinstance(value, list | tuple | set):
        return any(refers_to(item, ids) for item in value)
    text = str(value or "").strip()
    return bool(text) and (text in ids or not ids.isdisjoint(text.split(",")))
