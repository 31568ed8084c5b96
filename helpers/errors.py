"""What can go wrong, as data and as exceptions.

A `Problem` is one unreadable thing among many readable ones: it is returned and reported, and the work goes on.
An exception is raised only for what stops the call.
"""

from __future__ import annotations

from dataclasses import dataclass


class MemoryLedgerError(Exception):
    """Base of every exception that this pack raises on purpose."""


class HostError(MemoryLedgerError):
    """The surrounding Agent Zero lacks something that the pack needs."""


class StoreError(MemoryLedgerError):
    """A memory store or a file beside it cannot be used."""


class EmbeddingError(MemoryLedgerError):
    """An embedder returned something that cannot be searched with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """`found` stood at `where`; only what `allowed` describes can be used there."""

    where: str
    found: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.where} is {self.found}; allowed: {self.allowed}"


def shorten(value: object, limit: int = 80) -> str:
    """Return `repr(value)` cut to `limit` characters, for messages about foreign data."""
    try:
        text = repr(value)
    except RecursionError:
        text = f"a deeply nested {type(value).__name__}"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
