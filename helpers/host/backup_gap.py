"""The difference of a backup and its memory folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..records import Memory
from ..store.backup import find_missing
from ..store.backup_file import Contents, id_digest
from ..store.restore import find_heir
from ..store.vault_file import VaultFile
from ..vault.record import VaultRecord


class BackupGap(NamedTuple):
    """The difference of a backup and the store: ids of memories, and records that only the vault's backup holds."""

    contents: Contents
    present: Mapping[str, Any]
    missing: Sequence[str]
    deleted: Sequence[str]
    lost_records: Sequence[VaultRecord]

    def choose(self, ids: Collection[str]) -> tuple[list[str], list[VaultRecord]]:
        """Return the memories and the lost records with these ids; all that is missing without any."""
        if not ids:
            return [*self.missing], [*self.lost_records]
        records = [record for record in self.lost_records if record.id in ids]
        named = {record.id for record in records}
        return [memory_id for memory_id in dict.fromkeys(ids) if memory_id not in named], records

    def find_heirs(self, ids: Sequence[str], read: Callable[[str], Memory | None]) -> dict[str, Memory]:
        """Return the memories in use that replaced some of `ids`, which come back as retired memories."""
        heirs = ((memory_id, find_heir(self.contents, memory_id, read)) for memory_id in ids)
        return {memory_id: heir for memory_id, heir in heirs if heir is not None and not heir.is_deprecated}


def compare(folder: Path, contents: Contents, present: Mapping[str, Any]) -> BackupGap:
    """Compare the backup of a folder with the documents that are `present`."""
    lost = [record for record in VaultFile(folder).lost() if id_digest(record.id) not in contents.erased]
    missing = find_missing(folder, contents, {*present, *(record.id for record in lost)})
    return BackupGap(contents, present, missing, contents.gone(present)[::-1], lost)
