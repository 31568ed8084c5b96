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
        """Append the records of the vault that the copy lacks; one written by hand may have the same version."""
        known = self.read()
        pairs = [(record, known.get(record.id)) for record in contents.latest]
        self.append(new for new, copy in pairs if copy is None or (copy != new and copy.version <= new.version))

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


class VaultFile:
    """The file of one vault and its content; thread-safe.

    `append` and `compact` are for whoever holds the file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_FILE
        self.backup = VaultBackup(folder)
        #: The content as it was last read, and since held, written.
        self.contents = VaultContents()
        self._is_backed_up = False
        self._stamp: files.FileStamp | None = None
        self._stream: IO[bytes] | None = None
        self._is_written = False
        self._lock = threading.RLock()

    def exists(self) -> bool:
        """Whether the file was there at the last look."""
        return self._stamp is not None

    def read(self) -> VaultContents:
        """Return the content of the file; one stat call if it has not changed."""
        with self._lock:
            stamp = files.file_stamp(self.path)
            if stamp is None:
                self.contents, self._stamp, self._is_backed_up = VaultContents(), None, False
            elif stamp != self._stamp:
                with suppress(FileNotFoundError), open_to_read(self.path) as stream:
                    self._take(stream)
            return self.contents

    def versions(self, record_id: str) -> list[VaultRecord]:
        """Return every version of a record that the file still holds, the oldest first; blocking."""
        if not self.path.exists():
            return []
        with open_to_read(self.path) as stream:
            records = filter(None, (parse_record(row) for _, row in _split(stream.read())))
            by_version = {record.version: record for record in records if record.id == record_id}
        return [by_version[version] for version in sorted(by_version)]

    @contextmanager
    def held(self) -> Iterator[VaultFile]:
        """Lock the file against other writers, and yield it with its present content.

        Appended lines are on the disk at the end. The wait for the disk comes after the lock is released, so that many
        writers wait together.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as after, self._lock, files.only_writer(self.path) as stream:
            self._take(stream)
            self._stream, self._is_written = stream, False
            try:
                yield self
            finally:
                self._stream = None
            if self._is_written:
                after.enter_context(files.synchronised(self.path))
                after.enter_context(files.synchronised(self.backup.path))

    def append(self, records: Sequence[VaultRecord]) -> None:
        """Append a line for each record, all in one write."""
        rows, stream = [write_row(record) for record in records], self._held_stream()
        files.append_held(stream, rows)
        self._is_written = True
        if self._stamp == _UNFINISHED:
            self._take(stream)
        else:
            self._stamp = _stamp_of(stream)
            for row in rows:
                self.contents.enter(row)
        if self._is_backed_up and self.backup.path.exists():
            self.backup.append(records)
        else:
            self.backup.catch_up(self.contents)
            self._is_backed_up = True

    def compact(self) -> None:
        """Rewrite the file with the active records and the unreadable lines, which a person may mend."""
        records = [files.to_bytes(files.to_line(write_row(record))) for record in self.contents.active]
        damaged = [line for line, row in self._lines() if parse_record(row) is None]
        self.backup.catch_up(self.contents)
        files.write_atomically(self.path, b"".join([*records, *damaged]))
        self.backup.compact()

    def back_up(self) -> None:
        """Add records that were written to the file by hand to the backup."""
        if self.path.exists():
            with self.held():
                self.backup.catch_up(self.contents)

    def lost(self) -> list[VaultRecord]:
        """Return the records that only the backup holds, or that the file holds in an earlier version."""
        contents = self.read()
        pairs = ((record, contents.get(record.id)) for record in self.backup.read().latest)
        return [
            record
            for record, current in pairs
            if (record.is_active if current is None else record.version > current.version)
        ]

    def restore(self, records: Sequence[VaultRecord]) -> None:
        """Append lost records to the file."""
        with self.held():
            self.append(records)

    def drop(self, is_gone: IsGone) -> int:
        """Remove lines from the file and its backup; return how many from the file."""
        if not self.path.exists():
            self.backup.drop(is_gone)
            return 0
        with self.held():
            self.backup.drop(is_gone)
            lines = self._lines()
            kept = [line for line, row in lines if not is_gone(line, row)]
            if len(kept) < len(lines):
                files.write_atomically(self.path, b"".join(kept))
            return len(lines) - len(kept)

    def _take(self, stream: IO[bytes]) -> None:
        """Read the file unless it is as this process has read or written it last."""
        if (stamp := _stamp_of(stream)) != self._stamp:
            stream.seek(0)
            data = stream.read()
            rows = [row for _, row in _split(data)]
            if rows and rows[-1] is None and not data.endswith(b"\n"):  # perhaps it is being written
                stamp = _UNFINISHED
                rows.pop()
            self.contents, self._stamp, self._is_backed_up = parse_contents(rows), stamp, False

    def _held_stream(self) -> IO[bytes]:
        assert self._stream is not None
        return self._stream

    def _lines(self) -> list[tuple[bytes, object]]:
        """Return every line that is not blank, with its end, and its JSON value, None if it is no JSON."""
        stream = self._held_stream()
        stream.seek(0)
        return _split(stream.read())


#: The stamp of a file that is to be read again.
_UNFINISHED = (0, 0, 0)


def _stamp_of(stream: IO[bytes]) -> files.FileStamp:
    status = os.fstat(stream.fileno())
    return status.st_mtime_ns, status.st_size, status.st_ino


def _split(data: bytes) -> list[tuple[bytes, object]]:
    """Return the lines that are not blank, with their ends, and the JSON value of each; None if it is no JSON."""
    return [(line + b"\n", _parse_line(line)) for line in data.split(b"\n") if line.strip()]


def _parse_line(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
