"""The vault: a small curated memory behind a write-gate; pure functions over its records.

`Memory` is the specification's own name of a record; elsewhere a `Memory` is one of the host's store.
"""

from __future__ import annotations

from .record import VaultRecord as Memory

__all__ = ["Memory"]
