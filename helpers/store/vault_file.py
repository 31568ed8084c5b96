"""`vault.jsonl`: one line for each version of a record, rewritten by `compact` alone.

`ledger.db` holds the latest line of each record as well, so that `restore` can bring back what the file has lost.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from ..vault.record import VaultContents, VaultRecord, parse_contents, parse_record, write_row
from . import db as sqlite
from . import files
from .damage import open_to_read
from .database import Database

#: Another process may have written a later version meanwhile.
_PUT = """
INSERT INTO vault (record, version, line) VALUES (?, ?, ?)
ON CONFLICT (record) DO UPDATE SET version = excluded.version, line = excluded.line
WHERE excluded.version >= version
"""

#: Says, given a line and its JSON value (None if it is no JSON), whether the line is removed.
IsGone = Callable[[bytes, object], bool]


class VaultFile:
    """The file of one vault and its content; thread-safe.

    `append` and `compact` are for whoever holds the file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / files.VAULT_FILE
        self._database = Database(folder)
        #: The content as it was last read, and since held, written.
        self.contents = VaultContents()
        #: Whether a record has been written while the file is held.
        self._is_written = False
        self._stamp: files.FileStamp | None = None
        self._stream: IO[bytes]
        self._lock = threading.RLock()

    def exists(self) -> bool:
        """Whether the file was there at the last look."""
        return self._stamp is not None

    def read(self) -> VaultContents:
        """Return the content of the file; one stat call if it has not changed."""
        with self._lock:
            stamp = files.file_stamp(self.path)
            if stamp is None:
                self.contents, self._stamp = VaultContents(), None
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
            yield self
            if self._is_written:
                after.callback(self.keep_all)
                after.enter_context(files.synchronised(self.path))

    def append(self, records: Sequence[VaultRecord]) -> None:
        """Append a line for each record, all in one write."""
        rows, stream = [write_row(record) for record in records], self._stream
        files.append_held(stream, rows)
        self._is_written = True
        if self._stamp == _UNFINISHED:
            self._take(stream)
        else:
            self._stamp = _stamp_of(stream)
            for row in rows:
                self.contents.enter(row)

    def compact(self) -> None:
        """Rewrite the file with the active records and the unreadable lines, which a person may mend."""
        records = [files.to_bytes(files.to_line(write_row(record))) for record in self.contents.active]
        damaged = [line for line, row in self._lines() if parse_record(row) is None]
        self.keep_all()
        gone = [record.id for record in (*self.contents.latest, *self.kept().latest) if not record.is_active]
        files.write_atomically(self.path, b"".join([*records, *damaged]))
        self.forget(gone)

    def kept(self) -> VaultContents:
        """Return the records as `ledger.db` holds them."""
        rows = self._database.rows("SELECT line FROM vault ORDER BY rowid")
        return parse_contents(sqlite.from_json(line) for (line,) in rows)

    def keep_all(self) -> None:
        """Keep the records that `ledger.db` lacks; one written by hand may have the same version."""
        contents, known = self.read(), self.kept()
        pairs = [(record, known.get(record.id)) for record in contents.latest]
        lacking = [new for new, copy in pairs if copy is None or (copy != new and copy.version <= new.version)]
        if rows := [(record.id, record.version, sqlite.to_json(write_row(record))) for record in lacking]:
            self._database.change_later(lambda db: db.executemany(_PUT, rows))

    def forget(self, record_ids: Collection[str]) -> None:
        """Keep these records no longer."""
        rows = [(record_id,) for record_id in record_ids]
        if rows:
            self._database.change_later(lambda db: db.executemany("DELETE FROM vault WHERE record = ?", rows))

    def lost(self) -> list[VaultRecord]:
        """Return the records that the file has no more, or only in an earlier version."""
        contents = self.read()
        pairs = ((record, contents.get(record.id)) for record in self.kept().latest)
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
        """Remove lines, also those that the file has lost; return how many from the file."""
        rows = map(write_row, self.kept().latest)
        self.forget([row["id"] for row in rows if is_gone(files.to_bytes(files.to_line(row)), row)])
        if not self.path.exists():
            return 0
        with self.held():
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
            self.contents, self._stamp = parse_contents(rows), stamp

    def _lines(self) -> list[tuple[bytes, object]]:
        """Return every line that is not blank, with its end, and its JSON value, None if it is no JSON."""
        self._stream.seek(0)
        return _split(self._stream.read())


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
