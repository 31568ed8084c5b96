"""`vault_backup.jsonl`: the vault once more, for the day on which its file is emptied, cut or gone (V-17, T-64).

A version that is written stands here as well before the write is reported as done, and one that somebody wrote by hand
from the next write on. What the file has lost is brought back by a person, never by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from ...vault.contents import VaultContents, parse_contents
from ...vault.record import VaultRecord, write_row
from . import files
from .line_store import LineStore

#: Told of a line, and of what it holds (None: no JSON), whether it goes.
IsGone = Callable[[bytes, object], bool]


class VaultBackup:
    """The copy of one vault; only whoever holds the vault itself writes it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_BACKUP_FILE
        self._lines = LineStore(self.path, is_durable=False, mode=0o600)

    def read(self) -> VaultContents:
        """Return what the copy says; nothing where there is none."""
        return parse_contents(files.read_lines_if_any(self.path))

    def append(self, records: Iterable[VaultRecord]) -> None:
        """Add versions; `files.synchronised` waits for the disk."""
        self._lines.append(map(write_row, records))

    def catch_up(self, contents: VaultContents) -> None:
        """Add what the vault says and the copy does not."""
        known = self.read()
        self.append(one for one in contents.latest if _is_news(one, known.get(one.id)))

    def compact(self) -> None:
        """Leave the active records alone, those too that the vault has lost."""
        if self.path.exists():
            self._lines.rewrite(lambda rows: [*map(write_row, parse_contents(rows).active)])

    def drop(self, is_gone: IsGone) -> None:
        """Leave out lines."""
        if self.path.exists():
            self._lines.rewrite(
                lambda rows: [row for row in rows if not is_gone(files.to_bytes(files.to_line(row)), row)],
                keeps=lambda line: not is_gone(line, None),
            )

    def lost_from(self, contents: VaultContents) -> list[VaultRecord]:
        """Return what the vault said once and says no longer: records, later versions, deletions of what is back."""
        found = ((one, contents.get(one.id)) for one in self.read().latest)
        return [one for one, now in found if (one.is_active if now is None else one.version > now.version)]


def _is_news(record: VaultRecord, known: VaultRecord | None) -> bool:
    """Whether a record says something else than the copy; one written by hand may bear the same version (T-17)."""
    return known is None or (record.version >= known.version and record != known)
