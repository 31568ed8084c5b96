"""A memory folder that somebody asks about: what every question needs of it, as it was saved last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import system_clock
from ..host.backup.replaced import read_replaced
from ..host.docstore.docstore_file import read_documents, user_folder_of
from ..host.docstore.entries import Row, read_entries
from ..host.storage.conflict_file import ConflictFile
from ..host.storage.database import Database
from ..host.storage.files import JOURNAL_FILE, read_lines_if_any
from ..host.storage.inbox import Inbox
from ..host.storage.secret_book import SecretBook
from ..host.storage.vault_file import VaultFile
from ..inbox import InboxRequest, rules_left_out
from ..ledger.attribution import Utterance
from ..ledger.history import HistoryIndex, parse_names, parse_winners
from ..ledger.lifecycle import is_classified
from ..ledger.undoing import Line, moved_on
from ..records import LINEAGE_KEY, Memory, parse_memory
from ..settings import Settings
from .arguments import ServiceError

if TYPE_CHECKING:
    from ..host.docstore.quality_columns import QualityFilter
    from ..host.knowledge.places import KnowledgeFiles
    from ..quality.chain import Break

#: So many turns of a file are read.
_MOST_TURNS = 1_000


class MemoryPlace:
    """A memory folder at `path`: its memories, what is on record of them, and the settings that hold there.

    As it was saved last, of which only what is asked for is read; `LivePlace` answers for a running host. Raises
    StoreError where nothing was saved.
    """

    def __init__(self, path: Path, read_settings: Callable[[], Settings]) -> None:
        self.path = path
        self._read_settings = read_settings

    @cached_property
    def _saved(self) -> tuple[dict[str, Any], datetime]:
        return read_documents(self.path)

    @cached_property
    def settings(self) -> Settings:
        """The settings that hold there."""
        return self._read_settings()

    @cached_property
    def conflicts(self) -> ConflictFile:
        """What is on record of memories that are at odds."""
        return ConflictFile(self.path)

    @cached_property
    def database(self) -> Database:
        """What is kept beside the memories."""
        return Database(self.path)

    def documents(self) -> Mapping[str, Any]:
        """Return the host's documents, in the order in which they were written."""
        return self._saved[0]

    def requests(self) -> Sequence[InboxRequest]:
        """Return what is asked for and what was answered, in the order of asking."""
        return Inbox(self.path).read()

    def now(self) -> datetime:
        """Return what time it is."""
        return system_clock()

    def read(self, memory_id: str) -> Memory | None:
        """Return one memory; None where there is none."""
        documents, written_at = self._saved
        document = documents.get(memory_id)
        if document is None:
            return None
        return parse_memory(memory_id, document.page_content, document.metadata, inserted_at=written_at)[0]

    def read_known(self, memory_ids: Iterable[str]) -> list[Memory | None]:
        """Return these memories; None stands for each that is not there, or has no status yet."""
        return [one if is_classified(one) else None for one in map(self.read, memory_ids)]

    def entries(self) -> Sequence[Row]:
        """Return what a list shows of every memory, in the order of the documents, whatever status it carries."""
        return read_entries(*self._saved)

    def holding(self, query: str) -> frozenset[str]:
        """Return the memories in whose text every word of a query occurs."""
        words = query.casefold().split()
        texts = ((one, document.page_content.casefold()) for one, document in self._saved[0].items())
        return frozenset(one for one, text in texts if all(word in text for word in words))

    def near(self, query: str) -> Mapping[str, float]:
        """Return the memories nearest to a query by its meaning, with how alike they are.

        Raises ServiceError: only a running host has the embedding model at hand.
        """
        raise ServiceError("by_meaning is true; allowed: false, or a question to a running Agent Zero")

    def scores(self) -> Mapping[str, float]:
        """Return how good every memory is, from 0 to 1."""
        from ..host.docstore.quality_columns import QualityFilter

        return {one: figures["quality"] for one, figures in self.grade(QualityFilter()).items()}

    def grade(self, wanted: QualityFilter) -> dict[str, dict[str, float]]:
        """Return quality, staleness and confidence of the memories that are as good as `wanted`."""
        from ..host.quality.offline import SavedMemories, grade

        saved = SavedMemories(self.path, documents=self._saved[0])
        return grade(saved, self.settings, self.now(), wanted)

    def breaks(self) -> Sequence[Break]:
        """Return where the chain of signatures does not hold, the lowest line first; as long as every line takes."""
        from ..host.quality.offline import SavedMemories, open_checker

        saved = SavedMemories(self.path, documents=self._saved[0])
        return open_checker(saved, self.settings, self.now).verify_chain().in_order

    def knowledge(self) -> KnowledgeFiles:
        """Return the files of what agents have learned."""
        from ..host.knowledge.places import open_files

        return open_files(self.settings.knowledge, home=user_folder_of(self.path))

    def with_secrets(self) -> Mapping[str, Sequence[str]]:
        """Return the memories in which secrets were found, each with the kinds of these."""
        return {one: kinds for one, kinds in SecretBook(self.database).found.items() if one in self.documents()}

    def archive(self) -> HistoryIndex:
        """Return all that it holds and held."""
        replaced = {one.id: one for one in read_replaced(self.path, self.read)}
        texts = {one: document.page_content for one, document in self._saved[0].items()}
        texts |= {one: memory.text for one, memory in replaced.items()}
        retired = (one for one, document in self._saved[0].items() if _may_be_replaced(document.metadata))
        found = [memory for one in retired if (memory := self.read(one)) is not None]
        return HistoryIndex(
            texts=[*texts.items()],
            read=lambda one: self.read(one) or replaced.get(one),
            winners=parse_winners([*found, *replaced.values()], texts),
            names=parse_names,
        )

    def reason(self, loser: str, winner: str) -> str | None:
        """Return why one memory replaced another, as it is on record."""
        return self.conflicts.reason(loser, winner)

    def spoken(self) -> list[Utterance]:
        """Return what was said of late, as far as it is kept."""
        from ..host.turns.kept_turns import KeptTurns
        from ..host.turns.turn_ring import TurnRing

        turns = TurnRing(_MOST_TURNS)
        KeptTurns(self.database, turns).load()
        return turns.spoken()[0]

    def find_obstacle(self, step: Line) -> str:
        """Return in words what keeps a person from taking a step back; empty where nothing does.

        Of what was saved the memories alone are looked at: the host looks at the rest.
        """
        for memory_id, fields in step["changed"].get("memories", {}).items():
            memory = self.read(memory_id)
            if why := "it no longer exists" if memory is None else moved_on(memory, fields or {}):
                return why
        return ""

    def is_record(self, memory_id: str) -> bool:
        """Whether a memory is a record of the vault, which is changed there."""
        return VaultFile(self.path).read().find(memory_id) is not None

    def rules_left_out(self) -> frozenset[str]:
        """Return the memories that a person has taken out of the standing rules."""
        return rules_left_out(self.requests())


def read_journal(place: MemoryPlace) -> list[Line]:
    """Return the lines of the history of a memory folder."""
    return [*read_lines_if_any(place.path / JOURNAL_FILE)]


def _may_be_replaced(metadata: Mapping[str, Any]) -> bool:
    lineage = metadata.get(LINEAGE_KEY)
    return lineage is not None and (type(lineage) is not dict or lineage.get("superseded_by", "") is not None)
