"""Read a whole memory folder with its history, as it is on disk, and ask for it to be carried somewhere else.

Nothing else is written here, and no host is needed: what it has not saved yet is not in it, but for access counts; in
the host's own process everything is.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import EPOCH, format_time
from ...door import find_fault
from ...errors import Problem
from ...inbox import Arguments, Arrive, Leave
from ...ledger.transfer import IMPORT_ACTION, MOVE_ACTION, Archived, ArrivalPlan, Header, latest_cycle
from ...quality.conflict_record import write_conflict
from ...records import LINEAGE_KEY, Memory, parse_memory
from ..backup.rows import to_plain
from ..docstore.docstore_file import read_docstore
from ..docstore.imports import KnowledgeImports
from ..storage.accesses import AccessBook
from ..storage.conflict_file import ConflictFile
from ..storage.database import Database
from ..storage.files import JOURNAL_FILE, read_lines
from ..storage.transfers import archive_name, put_archive, to_lines
from ..storage.vault_file import VaultFile

#: Puts a request into the inbox of a memory folder, in somebody's name.
Ask = Callable[[Path, Arguments], None]
_SIDES = ("memory", "winner", "other")


class FolderArchive:
    """The memories of one folder; raises StoreError where no store can be read.

    The host's own process hands over its `documents` as they stand.
    """

    def __init__(self, folder: Path, documents: Mapping[str, Any] | None = None) -> None:
        self.folder = folder
        self._documents = read_docstore(folder)[1] if documents is None else documents
        self._imports = KnowledgeImports(folder)
        self._imports.refresh()
        self._accesses = {one.memory_id: one for one in AccessBook(Database(folder)).read()}
        self._conflicts = ConflictFile(folder)
        self._vault = VaultFile(folder).read()
        self._history: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for row in read_lines(folder / JOURNAL_FILE):
            for memory_id in _named_in(row):
                self._history[memory_id].append(row)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._documents

    def memories(self) -> Iterator[Memory]:
        """Yield the memories as the core reads them, in the order in which they were written."""
        for memory_id, one in self._documents.items():
            yield parse_memory(memory_id, one.page_content, one.metadata, inserted_at=EPOCH)[0]

    def is_import(self, memory_id: str) -> bool:
        """Whether the host made this of a knowledge file, and will do so wherever that file is."""
        return self._imports.lists(memory_id)

    def is_record(self, memory_id: str) -> bool:
        """Whether this is the mirror of a record of the vault, whose file puts it back wherever it is taken from."""
        return self._vault.find(memory_id) is not None

    def fault(self, memory_id: str) -> Problem | None:
        """Return what of a memory no other folder takes in; None where it may come."""
        document = self._documents[memory_id]
        return find_fault({"text": document.page_content, "metadata": document.metadata}, f"memory {memory_id}")

    def header(self, count: int, *, at: datetime) -> Header:
        """Return the first line of an archive of `count` of the memories."""
        cycles = [latest_cycle(list(self.memories())), *(access.cycle for access in self._accesses.values())]
        return Header(folder=str(self.folder), exported_at=at, memories=count, recall_cycle=max(cycles))

    def archived(self, memory_id: str) -> Archived:
        """Return one memory with its history and its conflicts."""
        document = self._documents[memory_id]
        metadata = to_plain(document.metadata)
        access, lineage = self._accesses.get(memory_id), metadata.get(LINEAGE_KEY)
        if access is not None and isinstance(lineage, dict):
            counted = {"last_accessed": format_time(access.at), "last_access_cycle": access.cycle}
            metadata[LINEAGE_KEY] = {**lineage, "access_count": access.count, **counted}
        return Archived(
            id=memory_id,
            text=document.page_content,
            metadata=metadata,
            history=tuple(self._history.get(memory_id, ())),
            conflicts=tuple(write_conflict(conflict) for conflict in self._conflicts.of_memory(memory_id)),
        )


def _named_in(row: Mapping[str, Any]) -> list[str]:
    """Return the memories that a line of the journal is about; an import or a move names many, and is not carried."""
    if row.get("action") in (IMPORT_ACTION, MOVE_ACTION):
        return []
    return list(dict.fromkeys(str(row[side]) for side in _SIDES if row.get(side)))


def ask_to_carry(source: Path, target: Path, header: Header, plan: ArrivalPlan, ask: Ask, *, leaves: bool) -> None:
    """Ask for what is planned to come into `target`, and where it `leaves`, to go from `source` once it is there.

    The arrival comes first, so that nothing ever leaves before it came.
    """
    lines = to_lines(header, plan.coming)
    if plan.coming:
        ask(target, Arrive(archive=put_archive(target, lines)))
    if leaves:
        memories = (*plan.present, *(archived.id for archived in plan.coming))
        place = os.path.relpath(target.resolve(), source.resolve())
        ask(source, Leave(target=place, archive=archive_name(lines), memories=memories))
