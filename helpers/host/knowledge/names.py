"""The one guard of what is written as knowledge: a name that lies under `context/memory/`, whatever keeps it (M-53).

Only what is listed here is a name. So nothing has to be known of how a backend reads `..`, `%2e%2e`, a backslash, a
NUL, another spelling of a letter or another case of it: none of them can occur.
"""

from __future__ import annotations

import re

from ...errors import StoreError, shorten
from ...patterns import regex

#: The only folder that knowledge is written to, below the place that `knowledge_url` names.
FOLDER = "context/memory"
#: What stands above knowledge; only ever read (M-53, M-54).
GOVERNANCE_FOLDER = "context/governance"
#: The cache-refresh signal of a folder, and the lock of its writers: the pack's own, never somebody's knowledge.
SIGNAL_NAME = "cache_refresh.json"
LOCK_NAME = ".knowledge.lock"

_OWN_NAMES = frozenset({SIGNAL_NAME, LOCK_NAME})
_PART = regex(r"\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*", re.ASCII)
_TEMPORARY = regex(r"\..*\.tmp")
_MOST_PARTS = 4
_LONGEST_PART = 200
_ALLOWED = (
    f"a path below {FOLDER}/ of at most {_MOST_PARTS} parts, each of lower-case letters, digits, `_`, `-`, single dots"
)


class NameRefusedError(StoreError):
    """A name that could leave `context/memory/`, or that the pack keeps for itself."""

    def __init__(self, name: object, allowed: str = _ALLOWED) -> None:
        super().__init__(f"knowledge file {shorten(name)} is refused; allowed: {allowed}")


def is_name(name: object) -> bool:
    """Whether `name` is one that knowledge may be kept under."""
    if not isinstance(name, str):
        return False
    parts = name.split("/")
    return (
        len(parts) <= _MOST_PARTS
        and all(len(part) <= _LONGEST_PART and _PART.fullmatch(part) for part in parts)
        and parts[-1] not in _OWN_NAMES
        and not _TEMPORARY.fullmatch(parts[-1])
    )


def check_name(name: str) -> str:
    """Return `name`; raise NameRefusedError unless it lies under `context/memory/` on every backend."""
    if not is_name(name):
        raise NameRefusedError(name)
    return name
