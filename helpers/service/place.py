"""A memory folder behind a question: what every question reads of it, whoever holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ..inbox import InboxRequest, not_secret
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex
from ..ledger.lifecycle import is_classified
from ..ledger.undoing import Line
from ..records import Memory
from ..settings import Settings
from ..store.catalogue import Row
from ..store.conflicts import ConflictFile
from ..store.database import Database

if TYPE_CHECKING:
    from ..host.knowledge.places import KnowledgeFiles
    from ..quality.chain import Break


class MemoryPlace(Protocol):
    """A memory folder at `path`: its memories, the records about them, and its settings."""

    path: Path
    settings: Settings
    conflicts: ConflictFile
    database: Database

    def documents(self) -> Mapping[str, Any]:
        """Return the host's documents, in the order of writing."""

    def requests(self) -> Sequence[InboxRequest]:
        """Return the requests with their answers, in the order of asking."""

    def now(self) -> datetime:
        """Return the present moment."""

    def read(self, memory_id: str) -> Memory | None:
        """Return a memory; None if it is missing."""

    def read_known(self, memory_ids: Iterable[str]) -> list[Memory | None]:
        """Return these memories; None for each that is missing or has no status yet."""
        return [memory if is_classified(memory) else None for memory in map(self.read, memory_ids)]

    def entries(self) -> Sequence[Row]:
        """Return the catalogue row of every memory, in the order of the documents."""

    def holding(self, query: str) -> frozenset[str]:
        """Return the ids of the memories whose text has every word of a query."""

    def near(self, query: str) -> Mapping[str, float]:
        """Return the memories nearest to a query by meaning, with their similarities."""

    def scores(self) -> Mapping[str, float]:
        """Return the quality score of every memory, 0..1."""

    def breaks(self) -> Sequence[Break]:
        """Return the breaks of the chain of signatures, the lowest line first; reads every line."""

    def knowledge(self) -> KnowledgeFiles:
        """Return the files of the agents' knowledge."""

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories with secrets, each with the kinds of its secrets."""

    def open_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories with secrets that no person has declared to be none."""
        known = not_secret(self.requests())
        return {memory_id: kinds for memory_id, kinds in self.with_secrets().items() if memory_id not in known}

    def archive(self) -> HistoryIndex:
        """Return the index of everything that the folder holds and held."""

    def reason(self, loser: str, winner: str) -> str | None:
        """Return the recorded reason why a memory replaced another."""

    def spoken(self) -> list[Utterance]:
        """Return the recent utterances that are kept."""

    def find_obstacle(self, step: Line) -> str:
        """Return in words why a step cannot be taken back; empty where it can."""

    def is_record(self, memory_id: str) -> bool:
        """Whether a memory is a record of the vault, which is changed only there."""
