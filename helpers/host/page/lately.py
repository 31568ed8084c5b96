"""What happened lately in a memory folder, by whom and why: to its memories, and to the records of its vault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from ...clock import format_time
from ...ledger.authority import WHO, actor_of, tell
from ...privacy import mask
from ...service.rows import Result
from ...vault.record import VaultRecord, writer_of
from ..session import Folder

_MOST = 30
_MOST_CHARACTERS = 200


def list_lately(folder: Folder, journal: Sequence[Mapping[str, Any]]) -> list[Result]:
    """Return the latest acts, the newest first; `journal` are the lines of the folder's journal."""
    found = [_to_row(folder, line) for line in islice(filter(tell, reversed(journal)), _MOST)]
    records = sorted(folder.vault.records(), key=lambda record: record.written_at)[-_MOST:]
    found += [_of_record(record) for record in records]
    return sorted(found, key=lambda row: str(row["at"]), reverse=True)[:_MOST]


def _to_row(folder: Folder, line: Mapping[str, Any]) -> Result:
    memory_id = str(line.get("memory"))
    memory = folder.store.read(memory_id)
    text = "" if memory is None else mask(memory.text)[:_MOST_CHARACTERS]
    return {"at": str(line.get("at")), "by": actor_of(line).value, "what": tell(line), "id": memory_id, "text": text}


def _of_record(record: VaultRecord) -> Result:
    """Return what the latest version of a record tells: whose label it bears has written it."""
    did = "deleted" if not record.is_active else "added" if record.version == 1 else "changed"
    by = writer_of(record.source)
    return {
        "at": format_time(record.written_at),
        "by": by.value,
        "what": f"{WHO[by]} {did} this record of the vault",
        "id": record.id,
        "text": mask(record.text)[:_MOST_CHARACTERS],
    }
