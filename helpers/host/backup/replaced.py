"""What the agent has deleted and replaced by another memory: what it said, and what stands for it now (T-43, C-51)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ...clock import EPOCH
from ...ledger.changes import Replace
from ...ledger.lifecycle import follow_to_head, is_classified, restated
from ...records import Memory, Validity, parse_memory
from .backup_file import BackupFile, Contents

ReadMemory = Callable[[str], Memory | None]


def find_heir(contents: Contents, memory_id: str, read: ReadMemory) -> Memory | None:
    """Return what stands for a deleted memory now, through all that was replaced since; None where nothing does."""

    def follow(one: str) -> str | None:
        memory = read(one) if one != memory_id else None
        if memory is None:
            return contents.heir_of(one)
        return memory.lineage.superseded_by if memory.is_deprecated and memory.lineage is not None else None

    found = follow_to_head(memory_id, follow)
    return read(found) if found != memory_id else None


def read_replaced(folder: Path, read: ReadMemory) -> Iterator[Memory]:
    """Yield what was replaced so, retired since then, as the backup has it; `read` gives what is in the store."""
    file = BackupFile(folder)
    contents = file.read() if file.may_tell_heirs() else None
    if contents is None:
        return
    gone = [one for one in contents.deleted if one in contents.places and read(one) is None]
    wanted = [one for one in gone if find_heir(contents, one, read) is not None]
    for row in file.take(contents, wanted) if wanted else ():
        memory, _ = parse_memory(row.id, row.text, row.metadata, inserted_at=EPOCH)
        deleted = contents.deleted[row.id]
        if is_classified(memory):
            fate = {
                "superseded_by": deleted.replaced_by,
                "deprecated_at": deleted.at,
                "deprecated_reason": Replace.rule,
            }
            yield restated(memory, fate, validity=Validity.DEPRECATED)
