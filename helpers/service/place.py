"""A memory folder that somebody asks about: what every question needs of it, whoever holds it; and as it was saved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import system_clock
from ..host.backup.replaced import read_replaced
from ..host.docstore.docstore_file import read_documents
from ..host.docstore.entries import Row, read_entries
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.database import Database
from ..host.storage.files import JOURNAL_FILE, read_lines_if_any
from ..host.storage.inbox import Inbox
from ..host.storage.vault_file import VaultFile
from ..inbox import rules_left_out
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex, parse_names, parse_winners
from ..ledger.lifecycle import is_classified
from ..ledger.undoing import Line, moved_on
from ..privacy import scan
from ..records import LINEAGE_KEY, Memory, parse_memory
from ..settings import Settings
from .arguments import ServiceError

if TYPE_CHECKING:
    from ..host.docstore.quality_columns import QualityFilter

#: So many turns of a file are read.
_MOST_TURNS = 1_000


class MemoryPlace(ABC):
    """A memory folder at `path`: its memories, what is on record of them, and the settings that hold there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    @abstractmethod
    def settings(self) -> Settings:
        """The settings that hold there."""

    @property
    @abstractmethod
    def conflicts(self) -> ConflictFile:
        """What is on record of memories that are at odds."""

    @abstractmethod
    def documents(self) -> Mapping[str, Any]:
        """Return the host's documents, in the order in which they were written."""

    @abstractmethod
    def now(self) -> datetime:
        """Return what time it is."""

    @abstractmethod
    def read(self, memory_id: str) -> Memory | None:
        """Return one memory; None where there is none."""

    @abstractmethod
    def entries(self) -> Sequence[Row]:
        """Return what a list shows of every memory, in the order of the documents."""

    @abstractmethod
    def holding(self, query: str) -> frozenset[str]:
        """Return the memories that hold all words of a query."""

    @abstractmethod
    def near(self, query: str) -> Mapping[str, float]:
        """Return the memories nearest to a query by its meaning, with how alike they are."""

    @abstractmethod
    def scores(self) -> Mapping[str, float]:
        """Return how good every memory is, from 0 to 1."""

    @abstractmethod
    def with_secrets(self) -> frozenset[str]:
        """Return the memories in which a secret was found."""

    @abstractmethod
    def archive(self) -> HistoryIndex:
        """Return all that it holds and held."""

    @abstractmethod
    def reason(self, loser: str, winner: str) -> str | None:
        """Return why one memory replaced another, as it is on record."""

    @abstractmethod
    def spoken(self) -> list[Utterance]:
        """Return what was said of late, as far as it is kept."""

    @abstractmethod
    def find_obstacle(self, step: Line) -> str:
        """Return in words what keeps a person from taking a step back; empty where nothing does."""

    @abstractmethod
    def is_record(self, memory_id: str) -> bool:
        """Whether a memory is a record of the vault, which is changed there."""

    @abstractmethod
    def rules_left_out(self) -> frozenset[str]:
        """Return the memories that a person has taken out of the standing rules."""


class SavedPlace(MemoryPlace):
    """A memory folder as it was saved last, of which only what is asked for is read; raises StoreError without one."""

    def __init__(self, path: Path, read_settings: Callable[[], Settings]) -> None:
        super().__init__(path)
        self._read_settings = read_settings
        self._documents, self._written_at = read_documents(path)

    @cached_property
    def settings(self) -> Settings:
        return self._read_settings()

    def documents(self) -> Mapping[str, Any]:
        return self._documents

    def read_known(self, memory_ids: Iterable[str]) -> list[Memory | None]:
        """Return these memories; None stands for each that is not there, or has no status yet."""
        return [one if is_classified(one) else None for one in map(self.read, memory_ids)]

    @cached_property
    def conflicts(self) -> ConflictFile:
        return ConflictFile(self.path)

    def now(self) -> datetime:
        return system_clock()

    def read(self, memory_id: str) -> Memory | None:
        document = self._documents.get(memory_id)
        if document is None:
            return None
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=self._written_at)[0]

    def entries(self) -> Sequence[Row]:
        """Return what a list shows of every memory, whatever status it carries."""
        return read_entries(self._documents, self._written_at)

    def holding(self, query: str) -> frozenset[str]:
        """Return the memories in whose text every word of a query occurs."""
        words = query.casefold().split()
        texts = ((one, document.page_content.casefold()) for one, document in self._documents.items())
        return frozenset(one for one, text in texts if all(word in text for word in words))

    def near(self, query: str) -> Mapping[str, float]:
        """Raise ServiceError: only a running host has the embedding model at hand."""
        raise ServiceError("by_meaning is true; allowed: false, or a question to a running Agent Zero")

    def scores(self) -> Mapping[str, float]:
        from ..host.docstore.quality_columns import QualityFilter

        return {one: figures["quality"] for one, figures in self.grade(QualityFilter()).items()}

    def grade(self, wanted: QualityFilter) -> dict[str, dict[str, float]]:
        """Return quality, staleness and confidence of the memories that are as good as `wanted`."""
        from ..host.quality.reading import SavedMemories, grade

        saved = SavedMemories(self.path, documents=self._documents)
        return grade(saved, self.settings, self.now(), wanted)

    def with_secrets(self) -> frozenset[str]:
        return frozenset(one for one, document in self._documents.items() if scan(document.page_content))

    def archive(self) -> HistoryIndex:
        replaced = {one.id: one for one in read_replaced(self.path, self.read)}
        texts = {one: document.page_content for one, document in self._documents.items()}
        texts |= {one: memory.text for one, memory in replaced.items()}
        retired = (one for one, document in self._documents.items() if _may_be_replaced(document.metadata))
        found = [memory for one in retired if (memory := self.read(one)) is not None]
        return HistoryIndex(
            texts=[*texts.items()],
            read=lambda one: self.read(one) or replaced.get(one),
            winners=parse_winners([*found, *replaced.values()], texts),
            names=parse_names,
        )

    def reason(self, loser: str, winner: str) -> str | None:
        return self.conflicts.reason(loser, winner)

    def spoken(self) -> list[Utterance]:
        from ..host.turns.kept_turns import KeptTurns
        from ..host.turns.turn_ring import TurnRing

        turns = TurnRing(_MOST_TURNS)
        KeptTurns(Database(self.path), turns).load()
        return turns.spoken()[0]

    def find_obstacle(self, step: Line) -> str:
        """Return in words what of the memories of a step is not as it left it; the host looks at the rest."""
        for memory_id, fields in step["changed"].get("memories", {}).items():
            memory = self.read(memory_id)
            if why := "it no longer exists" if memory is None else moved_on(memory, fields or {}):
                return why
        return ""

    def is_record(self, memory_id: str) -> bool:
        return VaultFile(self.path).read().find(memory_id) is not None

    def rules_left_out(self) -> frozenset[str]:
        return rules_left_out(Inbox(self.path).read())


def read_journal(place: MemoryPlace) -> list[Line]:
    """Return the lines of the history of a memory folder."""
    return [*read_lines_if_any(place.path / JOURNAL_FILE)]


def _may_be_replaced(metadata: Mapping[str, Any]) -> bool:
    lineage = metadata.get(LINEAGE_KEY)
    return lineage is not None and (type(lineage) is not dict or lineage.get("superseded_by", "") is not None)
