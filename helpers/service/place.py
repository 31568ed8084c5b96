"""A memory folder that somebody asks about: what every question needs of it, whoever holds it."""

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
    """A memory folder at `path`: its memories, what is on record of them, and the settings that hold there."""

    path: Path
    settings: Settings
    conflicts: ConflictFile
    database: Database

    def documents(self) -> Mapping[str, Any]:
        """Return the host's documents, in the order in which they were written."""

    def requests(self) -> Sequence[InboxRequest]:
        """Return what is asked for and what was answered, in the order of asking."""

    def now(self) -> datetime:
        """Return what time it is."""

    def read(self, memory_id: str) -> Memory | None:
        """Return one memory; None where there is none."""

    def read_known(self, memory_ids: Iterable[str]) -> list[Memory | None]:
        """Return these memories; None stands for each that is not there, or has no status yet."""
        return [memory if is_classified(memory) else None for memory in map(self.read, memory_ids)]

    def entries(self) -> Sequence[Row]:
        """Return what a list shows of every memory, in the order of the documents, whatever status it carries."""

    def holding(self, query: str) -> frozenset[str]:
        """Return the memories in whose text every word of a query occurs."""

    def near(self, query: str) -> Mapping[str, float]:
        """Return the memories nearest to a query by its meaning, with how alike they are."""

    def scores(self) -> Mapping[str, float]:
        """Return how good every memory is, from 0 to 1."""

    def breaks(self) -> Sequence[Break]:
        """Return where the chain of signatures does not hold, the lowest line first; as long as every line takes."""

    def knowledge(self) -> KnowledgeFiles:
        """Return the files of what agents have learned."""

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories in which secrets were found, each with the kinds of these."""

    def open_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return those of them in which a person has not said that there is none."""
        known = not_secret(self.requests())
        return {memory_id: kinds for memory_id, kinds in self.with_secrets().items() if memory_id not in known}

    def archive(self) -> HistoryIndex:
        """Return all that it holds and held."""

    def reason(self, loser: str, winner: str) -> str | None:
        """Return why one memory replaced another, as it is on record."""

    def spoken(self) -> list[Utterance]:
        """Return what was said of late, as far as it is kept."""

    def find_obstacle(self, step: Line) -> str:
        """Return in words what keeps a person from taking a step back; empty where nothing does."""

    def is_record(self, memory_id: str) -> bool:
        """Whether a memory is a record of the vault, which is changed there."""
