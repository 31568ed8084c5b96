"""A record of the vault as a line of its file, and the contents of all lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from string import hexdigits
from typing import Any

from ..clock import EPOCH, format_time, parse_time
from ..ledger.authority import Actor, Whose
from ..ledger.lifecycle import make_tags
from ..records import Classification, Lineage, Relevance, Source, Utility, Validity
from .taxonomy import ID_LENGTH, SHARED_SCOPE, STORED_TIERS, Origin, Tier

#: The area of a record in the host's store.
AREA = "main"
#: The writer behind each label. The agent enters what the user has said in a chat; a person writes the rest.
_WRITERS = {Origin.CHAT: Actor.MESSAGE, Origin.TOOL: Actor.AGENT, Origin.AGENT: Actor.AGENT}
_OWNERS = {Actor.MESSAGE: Whose.USERS_RECORD, Actor.AGENT: Whose.AGENTS_RECORD}


def writer_of(source: Origin | None) -> Actor:
    """Return the writer behind a label."""
    return Actor.PERSON if source is None else _WRITERS.get(source, Actor.PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultRecord:
    """A version of a record; with `deleted_at` it is a tombstone."""

    id: str
    text: str
    scope: str
    category: str
    created_at: datetime
    tier: Tier = Tier.CANON
    topic_id: str | None = None
    tags: tuple[str, ...] = ()
    updated_at: datetime | None = None
    source: Origin | None = None
    deleted_at: datetime | None = None
    version: int = 1

    @property
    def is_active(self) -> bool:
        """Whether the record is not deleted."""
        return self.deleted_at is None

    @property
    def is_canon(self) -> bool:
        """Whether it is an invariant."""
        return self.tier is Tier.CANON

    @property
    def is_topic(self) -> bool:
        """Whether it is the register of a topic."""
        return self.tier is Tier.REGISTER and self.topic_id is not None

    @property
    def has_own_id(self) -> bool:
        """Whether its id has the vault's form, which no memory of the host has."""
        return len(self.id) == ID_LENGTH and set(self.id) <= set(hexdigits)

    @property
    def is_agents(self) -> bool:
        """Whether an agent wrote this version."""
        return writer_of(self.source) is Actor.AGENT

    @property
    def whose(self) -> Whose:
        """The owner of the record: the writer of this version."""
        return _OWNERS.get(writer_of(self.source), Whose.PERSONS_RECORD)

    @property
    def touched_at(self) -> datetime:
        """The time of its last change."""
        return self.updated_at or self.created_at

    @property
    def written_at(self) -> datetime:
        """The time at which this version was written, also a tombstone."""
        return self.deleted_at or self.touched_at


#: The keys of a line, in the specification's order.
_KEYS = tuple("id version created_at updated_at tier topic_id source scope category tags deleted_at text".split())


def write_row(record: VaultRecord) -> dict[str, Any]:
    """Return the JSON object of a line; a missing topic is left out."""
    row = {key: getattr(record, key) for key in _KEYS if key != "topic_id" or record.topic_id is not None}
    times = {key: format_time(value) for key, value in row.items() if isinstance(value, datetime)}
    names = {key: value.value for key, value in row.items() if isinstance(value, Enum)}
    return row | times | names | {"tags": list(record.tags)}


def show_record(record: VaultRecord) -> str:
    """Return a record on one line, as a person or an agent lists it."""
    topic = "" if record.topic_id is None else f", {record.topic_id}"
    text, name = " ".join(record.text.split()), f"{record.category}{topic}{', agent' if record.is_agents else ''}"
    return f"{record.id} v{record.version} {record.tier.value} {record.scope} [{name}] {text}"


def parse_record(row: object) -> VaultRecord | None:
    """Return the record of a line: an id, a text, a version from 1 on and a tier that may be stored; else None.

    Other fields that cannot be read take their defaults.
    """
    if not isinstance(row, Mapping):
        return None
    record_id, text, version, tier = _text(row.get("id")), row.get("text"), row.get("version", 1), row.get("tier")
    if record_id is None or not isinstance(text, str) or type(version) is not int or version < 1:
        return None
    if tier is not None and tier not in STORED_TIERS:
        return None
    tags, source = row.get("tags"), _text(row.get("source"))
    return VaultRecord(
        id=record_id,
        text=text,
        scope=_text(row.get("scope")) or SHARED_SCOPE,
        category=_text(row.get("category")) or "other",
        created_at=_moment(row.get("created_at")) or EPOCH,
        tier=Tier(tier or Tier.CANON),
        topic_id=_text(row.get("topic_id")),
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        updated_at=_moment(row.get("updated_at")),
        source=Origin(source) if source in _ORIGINS else None,
        # A tombstone stays one, even if its time cannot be read.
        deleted_at=(_moment(row["deleted_at"]) or EPOCH) if row.get("deleted_at") else None,
        version=version,
    )


_ORIGINS = frozenset(Origin)


def _moment(value: object) -> datetime | None:
    return parse_time(value, zone=UTC)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def axes_of(record: VaultRecord) -> Classification:
    """Return the four axes: canon is confirmed and load-bearing, a register confirmed and tactical."""
    utility = Utility.LOAD_BEARING if record.is_canon else Utility.TACTICAL
    return Classification(
        validity=Validity.CONFIRMED,
        relevance=Relevance.ACTIVE,
        utility=utility,
        source=Source.AGENT_INFERRED if record.is_agents else Source.USER_ASSERTED,
        tags=make_tags(record.text, utility=utility, area=AREA, domain=None, role_id=None),
    )


#: The fields of a lineage that an earlier version passes on.
_PASSED_ON = tuple(
    "access_count last_accessed last_access_cycle classified_at_cycle related_memory_ids supersedes "
    "supersedes_ids".split()
)


def lineage_of(record: VaultRecord, known: Lineage | None, *, cycle: int) -> Lineage:
    """Return the lineage of a record; it keeps the counts of an earlier version."""
    kept = {"classified_at_cycle": cycle} if known is None else {name: getattr(known, name) for name in _PASSED_ON}
    return Lineage.model_validate({**kept, "created_at": record.created_at, "stated_at": record.touched_at})


class VaultContents:
    """The records of a vault; `generation` changes with every line."""

    def __init__(self) -> None:
        self.raw_lines = 0
        self.unreadable = 0
        self.generation = 0
        self._records: dict[str, VaultRecord] = {}

    def enter(self, row: object) -> None:
        """Enter a line; a line that is no record is only counted."""
        self.raw_lines += 1
        record = parse_record(row)
        if record is None:
            self.unreadable += 1
            return
        known = self._records.get(record.id)
        if known is None or record.version >= known.version:
            self._records[record.id] = record
            self.generation += 1

    def get(self, record_id: str) -> VaultRecord | None:
        """Return the latest version of a record, also a tombstone; None if there is none."""
        return self._records.get(record_id)

    def find(self, record_id: str) -> VaultRecord | None:
        """Return an active record; None if there is none."""
        return record if (record := self.get(record_id)) is not None and record.is_active else None

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._records

    @property
    def latest(self) -> tuple[VaultRecord, ...]:
        """The latest version of every record, tombstones too, in the order of their first lines."""
        return tuple(self._records.values())

    @property
    def active(self) -> tuple[VaultRecord, ...]:
        """The active records, in the order of their first lines."""
        return tuple(record for record in self.latest if record.is_active)

    def in_scopes(self, scopes: Collection[str] | None) -> list[VaultRecord]:
        """Return the active records of some scopes; None stands for all of them."""
        return [record for record in self.active if scopes is None or record.scope in scopes]

    def find_topic(self, topic_id: str, scope: str) -> VaultRecord | None:
        """Return the active register of a topic; None without one."""
        registers = (record for record in self.in_scopes((scope,)) if record.is_topic)
        return next((record for record in registers if record.topic_id == topic_id), None)


def parse_contents(rows: Iterable[object]) -> VaultContents:
    """Return the contents of some lines."""
    contents = VaultContents()
    for row in rows:
        contents.enter(row)
    return contents
