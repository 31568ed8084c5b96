"""What a place that keeps knowledge must be able to do; everything else is built on it once, in `stored_files`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ...errors import StoreError

#: What is larger is no knowledge file.
MOST_BYTES = 33_554_432


class KnowledgeAwayError(StoreError):
    """The storage or the signal of knowledge cannot be used now; it may be again later."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds, and a mark that is another one as soon as it holds anything else."""

    data: bytes
    version: str


class KnowledgeBackend(Protocol):
    """Whole files under `context/memory/`, by names that have been checked.

    `KnowledgeAwayError` says that the place cannot be used, also where it is not known what became of a writing;
    another `StoreError` that this one file cannot be read.
    """

    def read(self, name: str) -> Stored | None:
        """Return a file, None if there is none."""

    def swap(self, name: str, data: bytes, expected: str | None) -> bool:
        """Replace the version `expected` (None: no file) in one step; if it is another, do nothing and say False."""

    def put(self, name: str, data: bytes) -> None:
        """Replace whatever stands there in one step."""

    def remove(self, name: str) -> None:
        """Take a file away, if it is there."""

    def versions(self) -> Mapping[str, str]:
        """Return every name with what changes when its file does; to be compared with another call of this only."""

    def governance(self) -> Mapping[str, bytes]:
        """Return the files `context/governance/*.md` of the place, by their bare names; nothing writes them (M-53)."""
