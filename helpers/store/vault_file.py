"""`vault.jsonl`: one line for each version of a record, rewritten by `compact` alone; and its copy."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from ..vault.record import VaultContents, VaultRecord, parse_contents, parse_record, write_row
from . import files
from .damage import open_to_read
from .lines import LineStore

#: Says, given a line and its JSON value (None if it is no JSON), whether the line is removed.
IsGone = Callable[[bytes, object], bool]


class VaultBackup:
    """The copy of one vault, written only while the vault itself is held."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_BACKUP_FILE
        self._lines = LineStore(self.path, is_durable=False, mode=0o600)

    def read(self) -> VaultContents:
        """Return the records of the copy; none if there is no copy."""
        return parse_contents(files.read_lines_if_any(self.path))

    def append(self, records: Iterable[VaultRecord]) -> None:
        """Add versions; `files.synchronised` waits for the disk."""
        self._lines.append(map(write_row, records))

    def catch_up(self, contents: VaultContents) -> None:
        """Append the records of the vault that the copy lacks."""
        known = self.read()
        self.append(record for record in contents.latest if _is_news(record, known.get(record.id)))

    def compact(self) -> None:
        """Rewrite the copy with its active records only, including those that the vault has lost."""
        if self.path.exists():
            self._lines.rewrite(lambda rows: [*map(write_row, parse_contents(rows).active)])

    def drop(self, is_gone: IsGone) -> None:
        """Remove lines."""
        if self.path.exists():
            self._lines.rewrite(
                lambda rows: [row for row in rows if not is_gone(files.to_bytes(files.to_line(row)), row)],
                keeps=lambda line: not is_gone(line, None),
            )

    def lost_from(self, contents: VaultContents) -> list[VaultRecord]:
        """Return the records of the copy that the vault has lost, or holds in an earlier version."""
        pairs = ((record, contents.get(record.id)) for record in self.read().latest)
        return [
            record
            for record, current in pairs
            if (record.is_active if current is None else record.version > current.version)
        ]


def _is_news(record: VaultRecord, known: VaultRecord | None) -> bool:
    """Whether a record differs from the copy; a record written by hand may have the same version."""
    return known is None or (record.version >= known.version and record != known)


class VaultFile:
    """The file of one vault and its content; thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_FILE
        self.backup = VaultBackup(folder)
        self._is_backed_up = False
        self._text_path = str(self.path)
        self._contents = VaultContents()
        self._stamp: files.FileStamp | None = None
        self._lock = threading.RLock()

    def exists(self) -> bool:
        """Whether the file was there at the last look."""
        return self._stamp is not None

    def read(self) -> VaultContents:
        """Return the content of the file; one stat call if it has not changed."""
        with self._lock:
            stamp = files.file_stamp(self._text_path)
            if stamp is None:
                self._contents, self._stamp, self._is_backed_up = VaultContents(), None, False
            elif stamp != self._stamp:
                with suppress(FileNotFoundError), open_to_read(self.path) as stream:
                    self._take(stream)
            return self._contents

    def versions(self, record_id: str) -> list[VaultRecord]:
        """Return every version of a record that the file still holds, the oldest first; blocking."""
        if not self.path.exists():
            return []
        with open_to_read(self.path) as stream:
            records = filter(None, map(parse_record, _parse(stream.read())))
            by_version = {record.version: record for record in records if record.id == record_id}
        return [by_version[version] for version in sorted(by_version)]

    @contextmanager
    def held(self) -> Iterator[HeldVault]:
        """Lock the file against other writers, and yield its content.

        Appended lines are on the disk at the end. The wait for the disk comes after the lock is released, so that many
        writers wait together.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as after, self._lock, files.only_writer(self.path) as stream:
            self._take(stream)
            held = HeldVault(self, stream)
            yield held
            if held.is_written:
                after.enter_context(files.synchronised(self.path))
                after.enter_context(files.synchronised(self.backup.path))

    def back_up(self) -> None:
        """Add records that were written to the file by hand to the backup."""
        if self.path.exists():
            with self.held() as held:
                self.backup.catch_up(held.contents)

    def lost(self) -> list[VaultRecord]:
        """Return the records that only the backup holds."""
        return self.backup.lost_from(self.read())

    def restore(self, records: Sequence[VaultRecord]) -> None:
        """Append lost records to the file."""
        with self.held() as held:
            held.append(records)

    def drop(self, is_gone: IsGone) -> int:
        """Remove lines from the file and its backup; return how many from the file."""
        if not self.path.exists():
            self.backup.drop(is_gone)
            return 0
        with self.held() as held:
            self.backup.drop(is_gone)
            return held.drop(is_gone)

    def _take(self, stream: IO[bytes]) -> None:
        """Read the file unless it is as this process has read or written it last."""
        if (stamp := _stamp_of(stream)) != self._stamp:
            stream.seek(0)
            data = stream.read()
            rows = _parse(data)
            if rows and rows[-1] is None and not data.endswith(b"\n"):  # perhaps it is being written
                stamp = _UNFINISHED
                rows.pop()
            self._contents, self._stamp, self._is_backed_up = parse_contents(rows), stamp, False


#: The stamp of a file that is to be read again.
_UNFINISHED = (0, 0, 0)


def _stamp_of(stream: IO[bytes]) -> files.FileStamp:
    status = os.fstat(stream.fileno())
    return status.st_mtime_ns, status.st_size, status.st_ino


class HeldVault:
    """A vault that is locked against other writers."""

    def __init__(self, file: VaultFile, stream: IO[bytes]) -> None:
        self._file = file
        self._stream = stream
        self.is_written = False

    @property
    def contents(self) -> VaultContents:
        """The content of the file, appended lines included."""
        return self._file._contents

    def append(self, records: Sequence[VaultRecord]) -> None:
        """Append a line for each record, all in one write."""
        rows = [write_row(record) for record in records]
        files.append_held(self._stream, rows)
        self.is_written = True
        if self._file._stamp == _UNFINISHED:
            self._file._take(self._stream)
        else:
            self._file._stamp = _stamp_of(self._stream)
            for row in rows:
                self.contents.enter(row)
        if self._file._is_backed_up and self._file.backup.path.exists():
            self._file.backup.append(records)
        else:
            self._file.backup.catch_up(self.contents)
            self._file._is_backed_up = True

    def compact(self) -> None:
        """Rewrite the file with the active records and the unreadable lines, which a person may mend."""
        records = [files.to_bytes(files.to_line(write_row(record))) for record in self.contents.active]
        damaged = [line for line, row in self._lines() if parse_record(row) is None]
        self._file.backup.catch_up(self.contents)
        self._replace([*records, *damaged])
        self._file.backup.compact()

    def drop(self, is_gone: IsGone) -> int:
        """Remove lines, and return how many."""
        lines = self._lines()
        kept = [line for line, row in lines if not is_gone(line, row)]
        if len(kept) < len(lines):
            self._replace(kept)
        return len(lines) - len(kept)

    def _lines(self) -> list[tuple[bytes, object]]:
        """Return every line that is not blank, with its end, and its JSON value, None if it is no JSON."""
        self._stream.seek(0)
        return [(line + b"\n", _parse_line(line)) for line in self._stream.read().split(b"\n") if line.strip()]

    def _replace(self, lines: Sequence[bytes]) -> None:
        """Replace all lines; waiting writers continue with the new file."""
        files.write_atomically(self._file.path, b"".join(lines))


def _parse_line(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _parse(lines: bytes) -> list[object]:
    """Return the JSON values of the lines that are not blank; None for a line that is no JSON."""
    return [_parse_line(line) for line in lines.split(b"\n") if line.strip()]
