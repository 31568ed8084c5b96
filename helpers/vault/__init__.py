"""The vault: a small curated memory behind a write-gate; pure functions over its records.

`Memory` is the specification's own name of a record; elsewhere a `Memory` is one of the host's store.
"""

from __future__ import annotations

from .gate import Draft, Rejection, Rules
from .record import VaultRecord
from .taxonomy import CATEGORIES, JOURNAL_SIGNALS, MAX_TEXT_LENGTH, SHARED_SCOPE, Origin, Tier

Memory = VaultRecord

__all__ = [
    "CATEGORIES",
    "JOURNAL_SIGNALS",
    "MAX_TEXT_LENGTH",
    "SHARED_SCOPE",
    "Draft",
    "Memory",
    "Origin",
    "Rejection",
    "Rules",
    "Tier",
    "VaultRecord",
]
