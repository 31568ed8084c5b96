"""Which documents a filter, a forget query or a deletion reaches (contract sections 4 and 5)."""

import json
import re
from collections.abc import Callable
from typing import Any

from simpleeval import simple_eval

from .langchain import Document

_SAFE_FILTER = re.compile(r"[a-zA-Z0-9_\-. \t'\"=<>!()\[\],:+]+")
_LONGEST_FILTER = 512
_SHORTEST_QUERY = 3

Comparator = Callable[[dict[str, Any]], bool]


def comparator(condition: str, *, is_checked: bool, report: Callable[[str], None]) -> Comparator:
    """Return a predicate over metadata. A key that is missing, or any other error, is no match.

    `is_checked` (v1.8 on): an unusual character or a long text matches nothing, and functions are gone.
    """
    if is_checked and (len(condition) > _LONGEST_FILTER or not _SAFE_FILTER.fullmatch(condition)):
        report(f"Memory filter rejected: {condition!r}")
        return lambda metadata: False
    options: dict[str, Any] = {"functions": {}} if is_checked else {}

    def matches(metadata: dict[str, Any]) -> bool:
        try:
            return simple_eval(condition, names=metadata, **options)
        except Exception as error:  # noqa: BLE001 - the host prints one line per document
            report(f"Error evaluating condition: {error}")
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
