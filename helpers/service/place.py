"""A memory folder behind a question, as it was last saved; each file is read only when it is needed.

`LivePlace` is the same folder as a running host holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import system_clock
from ..inbox import InboxRequest, not_secret
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex, parse_winners
from ..ledger.lifecycle import is_classified
from ..ledger.undoing import Line, moved_on
from ..records import LINEAGE_KEY, Memory, parse_memory
from ..settings import Settings
from ..store.catalogue import Row, read_entries
from ..store.conflicts import ConflictFile
from ..store.database import Database
from ..store.docstore_file import read_documents, user_folder_of
from ..store.kept_names import KeptNames
from ..store.requests import Inbox
from ..store.restore import read_replaced
from ..store.tables import SecretBook
from ..store.vault_file import VaultFile
from .arguments import ServiceError

if TYPE_CHECKING:
    from ..host.knowledge.places import KnowledgeFiles
    from ..quality.chain import Break

#: The number of turns that are read.
_MOST_TURNS = 1_000


class MemoryPlace:
    """A memory folder at `path`: its memories, the records about them, and its settings, read from its files.

    Raises StoreError where a folder has no memories.
    """

    def __init__(self, path: Path, read_settings: Callable[[], Settings]) -> None:
        self.path, self.database = path, Database(path)
        self._read_settings = read_settings

    @cached_property
    def _saved(self) -> tuple[dict[str, Any], datetime]:
        return read_documents(self.path)

    @cached_property
    def settings(self) -> Settings:
        """The settings that apply to the folder."""
        return self._read_settings()

    @cached_property
    def conflicts(self) -> ConflictFile:
        """The conflicts on record."""
        return ConflictFile(self.path)

    def documents(self) -> Mapping[str, Any]:
        """Return the host's documents, in the order of writing."""
        return self._saved[0]

    def requests(self) -> Sequence[InboxRequest]:
        """Return the requests with their answers, in the order of asking."""
        return Inbox(self.path).read()

    def now(self) -> datetime:
        """Return the present moment."""
        return system_clock()

    def read(self, memory_id: str) -> Memory | None:
        """Return a memory; None if it is missing."""
        documents, written_at = self._saved
        document = documents.get(memory_id)
        if document is None:
            return None
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=written_at)[0]

    def read_known(self, memory_ids: Iterable[str]) -> list[Memory | None]:
        """Return these memories; None for each that is missing or has no status yet."""
        return [memory if is_classified(memory) else None for memory in map(self.read, memory_ids)]

    def entries(self) -> Sequence[Row]:
        """Return the catalogue row of every memory, in the order of the documents."""
        return read_entries(*self._saved)

    def holding(self, query: str) -> frozenset[str]:
        """Return the ids of the memories whose text has every word of a query."""
        words = query.casefold().split()
        texts = ((memory_id, document.page_content.casefold()) for memory_id, document in self.documents().items())
        return frozenset(memory_id for memory_id, text in texts if all(word in text for word in words))

    def near(self, query: str) -> Mapping[str, float]:
        """Return the memories nearest to a query by meaning, with their similarities; raises ServiceError."""
        raise ServiceError("by_meaning is true; allowed: false, or a question to a running Agent Zero")

    def scores(self) -> Mapping[str, float]:
        """Return the quality score of every memory, 0..1."""
        raise NotImplementedError

    def breaks(self) -> Sequence[Break]:
        """Return the breaks of the chain of signatures, the lowest line first; reads every line."""
        raise NotImplementedError

    def knowledge(self) -> KnowledgeFiles:
        """Return the files of the agents' knowledge."""
        from ..host.knowledge.places import open_files

        return open_files(self.settings.knowledge, home=user_folder_of(self.path))

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories with secrets, each with the kinds of its secrets."""
        secrets = SecretBook(self.database).found  # without any, no memory is read
        return {memory_id: kinds for memory_id, kinds in secrets.items() if memory_id in self.documents()}

    def open_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories with secrets that no person has declared to be none."""
        known = not_secret(self.requests())
        return {memory_id: kinds for memory_id, kinds in self.with_secrets().items() if memory_id not in known}

    def archive(self) -> HistoryIndex:
        """Return the index of everything that the folder holds and held."""
        replaced = {memory.id: memory for memory in read_replaced(self.path, self.read)}
        texts = {memory_id: document.page_content for memory_id, document in self.documents().items()}
        texts |= {memory_id: memory.text for memory_id, memory in replaced.items()}
        retired_ids = (key for key, document in self.documents().items() if _may_be_replaced(document.metadata))
        retired = [memory for memory_id in retired_ids if (memory := self.read(memory_id)) is not None]
        return HistoryIndex(
            texts=[*texts.items()],
            read=lambda memory_id: self.read(memory_id) or replaced.get(memory_id),
            winners=parse_winners([*retired, *replaced.values()], texts),
            names=KeptNames(self.database).book.names,
        )

    def reason(self, loser: str, winner: str) -> str | None:
        """Return the recorded reason why a memory replaced another."""
        return self.conflicts.reason(loser, winner)

    def spoken(self) -> list[Utterance]:
        """Return the recent utterances that are kept."""
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
        """Whether a memory is a record of the vault, which is changed only there."""
        return VaultFile(self.path).read().find(memory_id) is not None


def _may_be_replaced(metadata: Mapping[str, Any]) -> bool:
    lineage = metadata.get(LINEAGE_KEY)
    return lineage is not None and (type(lineage) is not dict or lineage.get("superseded_by", "") is not None)
