"""A memory: its three axes of status, its relevance, lineage and quality, in the specifications' exact keys.

`parse_*` turn stored metadata into records and `write_*` turn records into metadata; reading never raises, because real
stores hold missing, foreign, shared and forged metadata. A value that cannot be read comes back as a `Problem`. Writing
a record and reading it back gives the same record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from .clock import HOST_RESOLUTION, parse_time
from .contents import Content, parse_content, parse_json, write_content
from .errors import Problem, requirement_of, shorten
from .foreign import (
    MOST_COUNT,
    PLAIN,
    is_plain,
    plain_items,
    show_pointers,
    spelled_alike,
    with_offsets,
    without_blanks,
)

CLASSIFICATION_KEY = "classification"
LINEAGE_KEY = "lineage"
QUALITY_KEY = "quality"
#: A line for a person who looks at the raw metadata, on the host's dashboard for example; it is never read back.
STATUS_LINE_KEY = "ledger"
LEDGER_KEYS = (CLASSIFICATION_KEY, LINEAGE_KEY, QUALITY_KEY, STATUS_LINE_KEY)
LINKING_KEYS = (LINEAGE_KEY, QUALITY_KEY)

#: The number of latest accesses of an archived memory that are kept, each by its cycle.
MOST_ARCHIVE_ACCESSES = 20


class Validity(StrEnum):
    """The standing of a memory: sure, probable, or retired."""

    CONFIRMED = "confirmed"
    INFERRED = "inferred"
    DEPRECATED = "deprecated"


class Relevance(StrEnum):
    """Whether a memory takes part in ambient recall."""

    ACTIVE = "active"
    DORMANT = "dormant"


class Utility(StrEnum):
    """The use of a memory."""

    LOAD_BEARING = "load_bearing"
    TACTICAL = "tactical"
    ARCHIVED = "archived"


class Source(StrEnum):
    """The source of a memory."""

    USER_ASSERTED = "user_asserted"
    AGENT_INFERRED = "agent_inferred"
    BOOKSHELF_DOCUMENT = "bookshelf_document"
    EXTERNAL_RETRIEVED = "external_retrieved"


def _in_utc(moment: datetime) -> datetime:
    """Return `moment` in UTC; a year that UTC cannot express is a ValueError, not a crash."""
    try:
        return moment.astimezone(UTC)
    except OverflowError as exc:
        raise ValueError(f"{moment} is outside the calendar") from exc


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Count = Annotated[int, Field(ge=0, le=MOST_COUNT)]
# The known speaker of a memory that is not the user's.
Teller = Literal["agent", "tool", "document"]


class _Record(BaseModel):
    """Immutable; an unknown key is kept and written back."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class Classification(_Record):
    """The four axes and the tags derived from them and from the text."""

    validity: Validity
    relevance: Relevance
    utility: Utility
    source: Source
    tags: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _accept_other_spellings(cls, value: Any) -> Any:
        """Read the axes of other writers, who spell one `Load-Bearing`, or store a member of their own."""
        if not isinstance(value, dict):
            return value
        return value | {name: spelled_alike(value[name], axis) for name, axis in _AXES.items() if name in value}


_AXES: dict[str, type[StrEnum]] = {"validity": Validity, "relevance": Relevance, "utility": Utility, "source": Source}


class OutdatedPart(_Record):
    """A piece of a memory's text that no longer holds, the memory that replaced it, and since when."""

    text: str
    by: str
    at: Moment


class Lineage(_Record):
    """The origin and the history of a memory.

    Cycles count recalls of the memory folder. `stated_at` is the time of the statement, if it is known; with
    `stated_from` it was made some time, or piece by piece, between the two. `ordered_at` is its place among the others
    of its folder, if the clock says otherwise; then `stated_from` is by that, too. `is_correction`: it was said as a
    correction or a change of something. `stated_by` names the known speaker who is not the user. `outdated_parts` are
    the pieces that no longer hold. `fingerprint` names the text that was classified and `seal` shows that this pack
    wrote the axes. `archive_access_cycles` are the latest accesses since it was archived; `dormant_since_cycle` is set
    where maintenance put it to sleep.
    """

    created_at: Moment
    created_by_role: str | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    access_count: Count = 0
    last_accessed: Moment | None = None
    bst_domain: str | None = None
    classified_at_cycle: Count = 0
    last_access_cycle: Count | None = None
    deprecated_at: Moment | None = None
    deprecated_at_cycle: Count | None = None
    deprecated_reason: str | None = None
    supersedes_ids: tuple[str, ...] = ()
    related_memory_ids: tuple[str, ...] = ()
    outdated_parts: tuple[OutdatedPart, ...] = ()
    archived_at_cycle: Count | None = None
    archive_access_cycles: tuple[Count, ...] = ()
    dormancy_candidate: bool = False
    dormancy_flagged_at_cycle: Count | None = None
    dormant_since_cycle: Count | None = None
    stated_at: Moment | None = None
    stated_from: Moment | None = None
    ordered_at: Moment | None = None
    is_correction: bool = False
    stated_by: Teller | None = None
    fingerprint: str | None = None
    seal: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _accept_other_shapes(cls, value: Any) -> Any:
        """Read the pointers behind the prefix that an uninstall left, and the shapes of other writers.

        These store `supersedes` as a list (the last one stays, all are kept), times without an offset, and an empty
        text for no value.
        """
        if not isinstance(value, dict):
            return value
        value = without_blanks(with_offsets(show_pointers(value), _MOMENTS), (*_MOMENTS[1:], *_POINTERS))
        if not isinstance(value.get("supersedes"), list):
            return value
        ids = [str(memory_id) for memory_id in value["supersedes"] if memory_id]
        known = value.get("supersedes_ids")
        kept = [name for name in known if isinstance(name, str)] if isinstance(known, list) else []
        return {**value, "supersedes": ids[-1] if ids else None, "supersedes_ids": list(dict.fromkeys((*kept, *ids)))}


_MOMENTS = ("created_at", "last_accessed", "deprecated_at", "stated_at", "stated_from", "ordered_at")
_POINTERS = ("supersedes", "superseded_by", "created_by_role", "bst_domain")


class Relationship(_Record):
    """A stated link from one memory to another."""

    type: str
    target: str
    created: Moment | None = None
    reason: str | None = None
    bidirectional: bool = False


Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Quality(_Record):
    """The stated or validated quality of a memory; every field is optional.

    `type` and `source` are set where somebody stated them and the text or the axes do not say the same. `cited_at` is
    when another memory last cited this one; with `deleted_at` it was forgotten.
    """

    score: Share | None = None
    staleness: Share | None = None
    conflict_risk: Share | None = Field(None, alias="conflictRisk")
    validated_at: Moment | None = Field(None, alias="validatedAt")
    validation_errors: tuple[str, ...] = Field((), alias="validationErrors")
    confidence: Share | None = None
    relationships: tuple[Relationship, ...] = ()
    cited_by: tuple[str, ...] = Field((), alias="citedBy")
    cited_at: Moment | None = Field(None, alias="citedAt")
    type: str | None = None
    source: str | None = None
    tags: tuple[str, ...] = ()
    expires: Moment | None = None
    updated: Moment | None = None
    deleted_at: Moment | None = Field(None, alias="deletedAt")
    deleted_reason: str | None = Field(None, alias="deletedReason")

    @model_validator(mode="before")
    @classmethod
    def _accept_hidden_pointers(cls, value: Any) -> Any:
        """Read the pointers behind the prefix that an uninstall left."""
        return show_pointers(value) if isinstance(value, dict) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory of the host's docstore, as the core sees it.

    `created_at` is when the host inserted it (aware, UTC). `origin` is an explicit source given at insertion;
    `is_knowledge` marks a chunk of a knowledge file, as far as its metadata says. `content` is the stated structured
    content, as far as it can be compared, and `content_text` stands for all of it. The ledger parts are None where the
    store holds none that can be read.
    """

    id: str
    text: str
    created_at: datetime
    area: str = "main"
    origin: Source | None = None
    is_knowledge: bool = False
    is_solution: bool = False
    content: Content | None = None
    content_text: str | None = None
    classification: Classification | None = None
    lineage: Lineage | None = None
    quality: Quality | None = None

    @property
    def is_deprecated(self) -> bool:
        """Whether a newer truth has retired this memory."""
        return self.classification is not None and self.classification.validity is Validity.DEPRECATED

    @property
    def is_forgotten(self) -> bool:
        """Whether somebody wanted it out of every recall: it stays on record, and contradicts nothing."""
        return self.quality is not None and self.quality.deleted_at is not None


def said_at(memory: Memory) -> datetime:
    """Return when a memory was said, or else written, as people see it; `order_of` is for comparisons."""
    lineage = memory.lineage
    return memory.created_at if lineage is None else lineage.stated_at or lineage.created_at


def order_of(memory: Memory) -> datetime:
    """Return the moment by which a memory is ordered among the others of its folder, whatever its clock was."""
    lineage = memory.lineage
    return said_at(memory) if lineage is None else lineage.ordered_at or said_at(memory)


def is_only_written(memory: Memory) -> bool:
    """Whether only the second is known in which the host wrote a memory, and not when it was said."""
    lineage = memory.lineage
    if lineage is None or lineage.stated_at is not None:
        return lineage is None
    return abs(order_of(memory) - lineage.created_at) < HOST_RESOLUTION


def parse_memory(
    memory_id: str, text: str, metadata: Mapping[str, Any], *, inserted_at: datetime
) -> tuple[Memory, list[Problem]]:
    """Return the memory that the host stores under `memory_id`, and the problems of its metadata.

    `inserted_at` stands in where the host's own timestamp is missing or unreadable.
    """
    problems: list[Problem] = []
    area = _plain(metadata.get("area")) or "main"
    created_at = parse_time(metadata.get("timestamp")) or inserted_at
    memory = Memory(
        id=memory_id,
        text=text,
        created_at=created_at,
        area=area,
        origin=_parse_origin(metadata),
        is_knowledge=claims_knowledge(metadata),
        is_solution=area == "solutions",
        content=parse_content(text, metadata),
        content_text=write_content(metadata),
        classification=_parse_record(Classification, memory_id, CLASSIFICATION_KEY, metadata, problems),
        lineage=_parse_record(Lineage, memory_id, LINEAGE_KEY, metadata, problems, defaults={"created_at": created_at}),
        quality=_parse_record(Quality, memory_id, QUALITY_KEY, metadata, problems, defaults={}),
    )
    return memory, problems


def claims_knowledge(metadata: Mapping[str, Any]) -> bool:
    """Whether `metadata` says that the host imported this from a knowledge file; anybody can say so."""
    return any(
        isinstance(value, bool | str) and bool(value)
        for value in (metadata.get("knowledge_source"), metadata.get("source_path"))
    )


def write_record(record: _Record) -> dict[str, Any]:
    """Return `record` as plain JSON types under its stored keys: the specification's always, additions when set."""
    always = record.model_dump(mode="json", include=_ALWAYS_WRITTEN.get(type(record), set()))
    return always | record.model_dump(mode="json", by_alias=True, exclude_defaults=True)


_ALWAYS_WRITTEN: dict[type[_Record], set[str]] = {
    Lineage: {
        "created_at",
        "created_by_role",
        "supersedes",
        "superseded_by",
        "access_count",
        "last_accessed",
        "related_memory_ids",
    }
}

_ALIASES: dict[type[_Record], dict[str, str]] = {
    Quality: {name: field.alias for name, field in Quality.model_fields.items() if field.alias}
}

_RecordType = TypeVar("_RecordType", bound=_Record)


def _parse_record(
    record_type: type[_RecordType],
    memory_id: str,
    key: str,
    metadata: Mapping[str, Any],
    problems: list[Problem],
    *,
    defaults: Mapping[str, Any] | None = None,
) -> _RecordType | None:
    """Return the record under `key` over `defaults`; without defaults, one invalid field makes it None."""
    mapping = _as_mapping(memory_id, key, metadata.get(key), problems)
    if mapping is None:
        return None
    for name in _ALIASES.get(record_type, {}).keys() & mapping.keys():
        # Of two spellings of a key, one would be kept as an unknown key.
        mapping.setdefault(_ALIASES[record_type][name], mapping.pop(name))
    try:
        return record_type.model_validate({**(defaults or {}), **mapping})
    except ValidationError as exc:
        faults = exc.errors(include_url=False)
    for fault in faults:
        where = ".".join(str(part) for part in (key, *fault["loc"]))
        stored = "missing" if fault["type"] == "missing" else shorten(fault.get("input"))
        problems.append(Problem(where=f"memory {memory_id}: {where}", found=stored, allowed=requirement_of(fault)))
    if defaults is None:
        return None
    bad = {fault["loc"][0] for fault in faults if fault["loc"]}
    kept = {name: value_of_field for name, value_of_field in mapping.items() if name not in bad}
    return record_type.model_validate({**defaults, **kept})


def _as_mapping(memory_id: str, key: str, value: object, problems: list[Problem]) -> dict[str, Any] | None:
    """Return the storable part of `value` as a fresh dict; the JSON text of an object is read as well."""
    if value is None:
        return None
    if isinstance(value, str):
        value = parse_json(value)
    if isinstance(value, dict):
        if is_plain(value) and all(isinstance(name, str) for name in value):
            return dict(value)
        fields = {name if isinstance(name, str) else shorten(name): field for name, field in value.items()}
        kept = plain_items(fields)
        problems.extend(
            Problem(where=f"memory {memory_id}: {key}.{shorten(name)}", found=shorten(field), allowed=PLAIN)
            for name, field in fields.items()
            if name not in kept
        )
        return kept
    problems.append(
        Problem(where=f"memory {memory_id}: {key}", found=shorten(value), allowed="an object or its JSON text")
    )
    return None


def _plain(value: object) -> str:
    """Return the text of a value that may be an Enum member: v0.9.7 stores `Memory.Area.MAIN` itself."""
    inner = getattr(value, "value", value)
    return inner if isinstance(inner, str) else ""


def _parse_origin(metadata: Mapping[str, Any]) -> Source | None:
    """Return the explicit origin if it is a source that may be assigned."""
    try:
        origin = Source(_plain(metadata.get("origin")))
    except ValueError:
        return None
    return None if origin is Source.BOOKSHELF_DOCUMENT else origin
