"""What the lines of a vault come to: of each record its latest version, without those that were deleted (V-29).

Pure: lines go in one after another; of the same version the later line holds (T-17).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from .record import VaultRecord, is_row, read_row
from .similarity import ComparedText, parse_text


class VaultContents:
    """The records of one vault; `generation` changes with every line."""

    def __init__(self) -> None:
        self.raw_lines = 0
        self.unreadable = 0
        self.generation = 0
        self._rows: dict[str, Mapping[str, Any]] = {}
        self._records: dict[str, VaultRecord] = {}
        self._readings: dict[str, ComparedText] = {}
        self._active: tuple[VaultRecord, ...] | None = ()

    def enter(self, row: object) -> None:
        """Take a line into account; one that is no record is counted."""
        self.raw_lines += 1
        if not isinstance(row, Mapping) or not is_row(row):
            self.unreadable += 1
            return
        known = self._rows.get(row["id"])
        if known is None or row.get("version", 1) >= known.get("version", 1):
            self._rows[row["id"]] = row
            self._records.pop(row["id"], None)
            self._readings.pop(row["id"], None)
            self._active = None
            self.generation += 1

    def get(self, record_id: str) -> VaultRecord | None:
        """Return the latest version of a record, a tombstone too; None where there is none."""
        row = self._rows.get(record_id)
        if row is None:
            return None
        record = self._records.get(record_id)
        if record is None:
            record = self._records[record_id] = read_row(row)
        return record

    def find(self, record_id: str) -> VaultRecord | None:
        """Return an active record; None where there is none."""
        record = self.get(record_id)
        return record if record is not None and record.is_active else None

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._rows

    @property
    def deleted_count(self) -> int:
        """How many records have a tombstone."""
        return len(self._rows) - len(self.active)

    @property
    def active(self) -> tuple[VaultRecord, ...]:
        """The records that hold, in the order in which they came."""
        active = self._active
        if active is None:
            found = (self.find(one) for one, row in list(self._rows.items()) if not row.get("deleted_at"))
            active = self._active = tuple(one for one in found if one is not None)
        return active

    @property
    def latest(self) -> tuple[VaultRecord, ...]:
        """The latest version of every record, tombstones too, in the order in which they came."""
        return tuple(one for one in map(self.get, list(self._rows)) if one is not None)

    def in_scopes(self, scopes: Collection[str] | None) -> list[VaultRecord]:
        """Return the active records of some scopes; None stands for all of them."""
        return [one for one in self.active if scopes is None or one.scope in scopes]

    def find_topic(self, topic_id: str, scope: str) -> VaultRecord | None:
        """Return the active register of a topic (V-14)."""
        return next(
            (one for one in self.active if one.is_topic and (one.topic_id, one.scope) == (topic_id, scope)), None
        )

    def reading_of(self, record: VaultRecord) -> ComparedText:
        """Return the text of a record as it is compared, read once for each version."""
        found = self._readings.get(record.id)
        if found is None or self.get(record.id) is not record:
            found = parse_text(record.text)
            if self.get(record.id) is record:
                self._readings[record.id] = found
        return found


def parse_contents(rows: Iterable[object]) -> VaultContents:
    """Return what lines come to."""
    contents = VaultContents()
    for row in rows:
        contents.enter(row)
    return contents
