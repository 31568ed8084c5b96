"""A memory folder as it was last saved; each file is read only when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import system_clock
from ..inbox import InboxRequest
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex, parse_winners
from ..ledger.undoing import Line, moved_on
from ..records import LINEAGE_KEY, Memory, parse_memory
from ..service.arguments import ServiceError
from ..service.place import MemoryPlace
from ..settings import Settings
from ..store.catalogue import Row, read_entries
from ..store.conflicts import ConflictFile
from ..store.database import Database
from ..store.docstore_file import read_documents, user_folder_of
from ..store.files import CHAIN_FILE
from ..store.kept_names import KeptNames
from ..store.requests import Inbox
from ..store.restore import read_replaced
from ..store.tables import SecretBook
from ..store.vault_file import VaultFile
from .declaring import Options
from .options import read_folder_settings

if TYPE_CHECKING:
    from ..host.knowledge.places import KnowledgeFiles
    from ..quality.chain import Break
    from ..store.quality_columns import QualityFilter

#: The number of turns that are read.
_MOST_TURNS = 1_000


def open_place(options: Options) -> SavedPlace:
    """Return the folder of a command as it was last saved, with its settings."""
    config = getattr(options, "config", None)
    return SavedPlace(options.folder, lambda: read_folder_settings(options.folder, config))


class SavedPlace(MemoryPlace):
    """A `MemoryPlace` that is read from files; raises StoreError where a folder has no memories."""

    def __init__(self, path: Path, read_settings: Callable[[], Settings]) -> None:
        self.path = path
        self._read_settings = read_settings

    @cached_property
    def _saved(self) -> tuple[dict[str, Any], datetime]:
        return read_documents(self.path)

    @cached_property
    def settings(self) -> Settings:  # type: ignore[override]
        return self._read_settings()

    @cached_property
    def conflicts(self) -> ConflictFile:  # type: ignore[override]
        return ConflictFile(self.path)

    @cached_property
    def database(self) -> Database:  # type: ignore[override]
        return Database(self.path)

    def documents(self) -> Mapping[str, Any]:
        return self._saved[0]

    def requests(self) -> Sequence[InboxRequest]:
        return Inbox(self.path).read()

    def now(self) -> datetime:
        return system_clock()

    def read(self, memory_id: str) -> Memory | None:
        documents, written_at = self._saved
        document = documents.get(memory_id)
        if document is None:
            return None
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=written_at)[0]

    def entries(self) -> Sequence[Row]:
        return read_entries(*self._saved)

    def holding(self, query: str) -> frozenset[str]:
        words = query.casefold().split()
        texts = ((memory_id, document.page_content.casefold()) for memory_id, document in self._saved[0].items())
        return frozenset(memory_id for memory_id, text in texts if all(word in text for word in words))

    def near(self, query: str) -> Mapping[str, float]:
        """Raise ServiceError: only a running host has the embedding model at hand."""
        raise ServiceError("by_meaning is true; allowed: false, or a question to a running Agent Zero")

    def scores(self) -> Mapping[str, float]:
        from ..store.quality_columns import QualityFilter

        return {memory_id: figures["quality"] for memory_id, figures in self.grade(QualityFilter()).items()}

    def grade(self, wanted: QualityFilter) -> dict[str, dict[str, float]]:
        """Return quality, staleness and confidence of the memories that are as good as `wanted`."""
        from ..host.quality.reading import grade

        return grade(self, wanted)

    def breaks(self) -> Sequence[Break]:
        from ..host.quality.reading import open_checker

        return open_checker(self).verify_chain().in_order if (self.path / CHAIN_FILE).exists() else ()

    def knowledge(self) -> KnowledgeFiles:
        from ..host.knowledge.places import open_files

        return open_files(self.settings.knowledge, home=user_folder_of(self.path))

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        secrets = SecretBook(self.database).found  # without any, no memory is read
        return {memory_id: kinds for memory_id, kinds in secrets.items() if memory_id in self.documents()}

    def archive(self) -> HistoryIndex:
        replaced = {memory.id: memory for memory in read_replaced(self.path, self.read)}
        texts = {memory_id: document.page_content for memory_id, document in self._saved[0].items()}
        texts |= {memory_id: memory.text for memory_id, memory in replaced.items()}
        retired_ids = (key for key, document in self._saved[0].items() if _may_be_replaced(document.metadata))
        retired = [memory for memory_id in retired_ids if (memory := self.read(memory_id)) is not None]
        return HistoryIndex(
            texts=[*texts.items()],
            read=lambda memory_id: self.read(memory_id) or replaced.get(memory_id),
            winners=parse_winners([*retired, *replaced.values()], texts),
            names=KeptNames(self.database).book.names,
        )

    def reason(self, loser: str, winner: str) -> str | None:
        return self.conflicts.reason(loser, winner)

    def spoken(self) -> list[Utterance]:
        from ..host.turns import KeptTurns, TurnRing

        turns = TurnRing(_MOST_TURNS)
        KeptTurns(self.database, turns).load()
        return turns.spoken()[0]

    def find_obstacle(self, step: Line) -> str:
        """Return in words why a step cannot be taken back, as far as the memories show; empty where it can."""
        for memory_id, fields in step["changed"].get("memories", {}).items():
            memory = self.read(memory_id)
            if why := "it no longer exists" if memory is None else moved_on(memory, fields or {}):
                return why
        return ""

    def is_record(self, memory_id: str) -> bool:
        return VaultFile(self.path).read().find(memory_id) is not None


def _may_be_replaced(metadata: Mapping[str, Any]) -> bool:
    lineage = metadata.get(LINEAGE_KEY)
    return lineage is not None and (type(lineage) is not dict or lineage.get("superseded_by", "") is not None)
