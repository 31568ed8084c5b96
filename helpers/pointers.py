"""The ids of other memories in ledger metadata, hidden from the host and shown again (T-61). Pure.

The host's cascading deletes take every metadata value that equals an id for a link. Behind a prefix it is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_POINTER_KEYS = (
    "supersedes",
    "superseded_by",
    "supersedes_ids",
    "related_memory_ids",
    "citedBy",
    "cited_by",
    "target",
    "by",
)
_NESTED_KEYS = ("relationships", "outdated_parts")
_PREFIX = "m:"


def hide_pointers(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored lineage or quality with a prefix before the ids of other memories."""
    return _map_pointers(record, hide_pointer)


def show_pointers(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored lineage or quality with the ids as they were."""
    return _map_pointers(record, _show)


def _map_pointers(record: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    mapped = _map_own_pointers(record, change)
    for key in _NESTED_KEYS:
        nested = record.get(key)
        if isinstance(nested, list | tuple):
            mapped[key] = [_map_own_pointers(one, change) if isinstance(one, dict) else one for one in nested]
    return mapped


def _map_own_pointers(record: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    mapped = dict(record)
    for key in _POINTER_KEYS:
        value = record.get(key)
        if isinstance(value, str):
            mapped[key] = change(value)
        elif isinstance(value, list | tuple):
            mapped[key] = [change(one) if isinstance(one, str) else one for one in value]
    return mapped


def hide_pointer(memory_id: str) -> str:
    """Return an id as no host takes it for one."""
    return memory_id if memory_id.startswith(_PREFIX) else f"{_PREFIX}{memory_id}"


def _show(memory_id: str) -> str:
    return memory_id.removeprefix(_PREFIX)
