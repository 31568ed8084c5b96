"""`vault_backup.jsonl`: the vault once more, for the day on which its file is emptied, cut or gone (V-17, T-64).

A version that is written stands here as well before the write is reported as done, and one that somebody wrote by hand
from the next write on. What the file has lost is brought back by a person, never by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...vault.contents import VaultContents, parse_contents
from ...vault.record import VaultRecord, write_row
from . import damage, files

#: Told of a line, and of what it holds (None: no JSON), whether it goes.
IsGone = Callable[[bytes, object], bool]


def parse_line(line: bytes) -> object:
    """Return what a line holds; None for one that is no JSON."""
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def split_lines(data: bytes) -> list[tuple[bytes, object]]:
    """Return every line that is not blank, and what it holds."""
    return [(one, parse_line(one)) for one in data.split(b"\n") if one.strip()]


class VaultBackup:
    """The copy of one vault; only whoever holds the vault itself writes it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_BACKUP_FILE

    def read(self) -> VaultContents:
        """Return what the copy says; nothing where there is none."""
        return parse_contents(files.read_lines_if_any(self.path))

    def append(self, records: Iterable[VaultRecord]) -> None:
        """Add versions; `files.synchronised` waits for the disk."""
        files.append_lines(self.path, map(write_row, records), mode=0o600)

    def catch_up(self, contents: VaultContents) -> None:
        """Add what the vault says and the copy does not."""
        known = self.read()
        self.append(one for one in contents.latest if _is_news(one, known.get(one.id)))

    def compact(self) -> None:
        """Leave the active records alone, those too that the vault has lost."""
        if self.path.exists():
            files.write_atomically(self.path, _to_lines(map(write_row, self.read().active)), mode=0o600)

    def drop(self, is_gone: IsGone) -> None:
        """Leave out lines."""
        lines = split_lines(damage.read_bytes(self.path) or b"")
        kept = [line + b"\n" for line, row in lines if not is_gone(line, row)]
        if len(kept) < len(lines):
            files.write_atomically(self.path, b"".join(kept), mode=0o600)

    def lost_from(self, contents: VaultContents) -> list[VaultRecord]:
        """Return what the vault said once and says no longer: records, later versions, deletions of what is back."""
        found = ((one, contents.get(one.id)) for one in self.read().latest)
        return [one for one, now in found if (one.is_active if now is None else one.version > now.version)]


def _is_news(record: VaultRecord, known: VaultRecord | None) -> bool:
    """Whether a record says something else than the copy; one written by hand may bear the same version (T-17)."""
    return known is None or (record.version >= known.version and record != known)


def _to_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return files.to_bytes("".join(map(files.to_line, rows)))
