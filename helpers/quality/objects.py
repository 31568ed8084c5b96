"""Memories as the quality interface shows and takes them, under the specification's own keys.

Pure. A value of another form is refused with its place, its value and the allowed values.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, TypeVar

import pydantic
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    model_validator,
)
from pydantic.alias_generators import to_camel

from ..clock import format_time
from ..contents import CONTENT_KEY, parse_json, value_in_words
from ..errors import MemoryLedgerError, requirement_of, shorten
from ..records import Memory, Quality, Source
from ..setting_groups import Count, Share, Switch
from ..settings import Settings
from ..texts import regex
from .conflict_record import Conflict
from .kinds import MemoryType
from .relationships import Moment, RelationshipType, all_relationships, show_relationship
from .scores import SourceClass, measure, read_row
from .validators import MemoryObject, find_invalid

_DURATION = regex(r"(\d+(?:\.\d+)?)\s*([smhdwy])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}
#: The name of each source in the interface on the axis; nobody told an experience.
SOURCE_OF = {
    SourceClass.TOLD: Source.USER_ASSERTED,
    SourceClass.EXPERIENCE: Source.AGENT_INFERRED,
    SourceClass.INFERRED: Source.AGENT_INFERRED,
}
#: The default number of memories in a recall.
MOST_RECALLED = 100
#: The id of a memory that is not stored.
UNSTORED_ID = "(new)"


class QualityError(MemoryLedgerError):
    """A request to the quality layer has another form than the documented one, or cannot be carried out."""


class ValidationError(QualityError):
    """A memory was not stored: rules found errors, and the request was to reject it then."""

    def __init__(self, validation_errors: Iterable[str]) -> None:
        self.validation_errors = list(validation_errors)
        super().__init__(f"the memory was rejected: {'; '.join(self.validation_errors)}")

    @property
    def validationErrors(self) -> list[str]:
        """The errors, under the specification's name."""
        return self.validation_errors


def show_memory(
    memory: Memory,
    metadata: Mapping[str, Any],
    conflicts_of: Callable[[str], Iterable[Conflict]],
    settings: Settings,
    now: datetime,
    signature: Mapping[str, Any] | None = None,
) -> MemoryObject:
    """Return a memory as the interface shows it, with its scores at `now`."""
    row, quality, lineage = read_row(memory), memory.quality or Quality(), memory.lineage
    figures = measure(row, now, settings.staleness_config)
    shown: MemoryObject = {
        "id": memory.id,
        "type": row.kind.value,
        "content": show_content(memory.text, metadata),
        "created": format_time(lineage.created_at if lineage is not None else memory.created_at),
        "tags": list(quality.tags),
        "confidence": row.confidence,
        "source": row.origin.value,
        "expires": _show_time(quality.expires),
        "deleted": quality.deleted_at is not None,
        "quality": {
            "score": figures.score,
            "staleness": figures.staleness,
            "conflictRisk": row.conflict_risk,
            "validatedAt": _show_time(quality.validated_at),
            "validationErrors": list(quality.validation_errors),
        },
        "relationships": [*map(show_relationship, all_relationships(memory, conflicts_of(memory.id)))],
        "metadata": {
            "accessCount": lineage.access_count if lineage is not None else 0,
            "lastAccessed": _show_time(lineage.last_accessed if lineage is not None else None),
            "citedBy": list(quality.cited_by),
        },
    }
    if quality.updated is not None:
        shown["updated"] = format_time(quality.updated)
    if quality.deleted_at is not None:
        shown |= {"deletedAt": format_time(quality.deleted_at), "deletedReason": quality.deleted_reason}
    return shown | ({} if signature is None else {"signature": dict(signature)})


def make_export(memories: list[MemoryObject], identity: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return an export: a manifest, the signing key as `identity`, and the memories."""
    text = json.dumps(memories, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    manifest = {
        "version": "0.1.0",
        "exported": format_time(now),
        "memoryCount": len(memories),
        "sha256": digest,
    }
    return {"manifest": manifest, "identity": dict(identity), "memories": memories}


def show_content(text: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the structured content of a memory, or its text."""
    stated = metadata.get(CONTENT_KEY)
    if isinstance(stated, str):
        stated = parse_json(stated)
    return dict(stated) if isinstance(stated, Mapping) and stated else {"text": text}


def with_defaults(shown: Mapping[str, Any]) -> MemoryObject:
    """Return somebody else's memory with the quality fields that it lacks.

    Its score is the confidence, or 1 without one, as the base protocol has it; nothing is stale.
    """
    quality = shown.get("quality")
    figures = {"score": shown.get("confidence", 1.0), "staleness": 0.0, "conflictRisk": 0.0}
    missing = {**figures, "validatedAt": None, "validationErrors": []}
    return {
        **shown,
        "quality": {**missing, **(quality if isinstance(quality, Mapping) else {})},
        "relationships": shown.get("relationships", []),
        "metadata": {"accessCount": 0, "lastAccessed": None, "citedBy": [], **(shown.get("metadata") or {})},
    }


def _show_time(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


Given = TypeVar("Given", bound="_Options")


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _parse_span(value: object) -> timedelta:
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        if match is not None:
            return timedelta(seconds=float(match[1]) * _SECONDS[match[2]])
    except OverflowError:  # nobody can wait so long
        pass
    raise ValueError("a number and one of s, m, h, d, w, y, such as 90d")


StrictShare = Annotated[Share, Field(strict=True)]
Duration = Annotated[timedelta, PlainValidator(_parse_span)]
Type = Annotated[MemoryType, Field(strict=False)]
Texts = Annotated[tuple[str, ...], Field(strict=False)]
Values = Annotated[tuple[Any, ...], Field(strict=False)]


class _Options(BaseModel):
    """Options under the specification's keys or those of Python, and no others; null is no value."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        loc_by_alias=False,
        use_enum_values=True,
    )

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, value: Any) -> Any:
        return {key: entry for key, entry in value.items() if entry is not None}


class RememberOptions(_Options):
    """The options of `remember`."""

    is_validated: Switch = Field(True, alias="validate")
    reject_invalid: Switch = False
    detect_conflicts: Switch = True


class ConflictOptions(_Options):
    """The filters of conflicts."""

    unresolved: Switch = False


class RefreshOptions(_Options):
    """The options of a refresh."""

    verified: Switch = False
    confidence: Share | None = None


class ArchiveOptions(_Options):
    """The limits of stale memories to archive."""

    threshold: Share
    older_than: Duration
    force: Switch = False
    dry_run: Switch = False


class RecallRequest(_Options):
    """The options of a recall; without a query, the newest first."""

    query: Annotated[str, PlainValidator(str)] | None = None
    types: Annotated[frozenset[Type], BeforeValidator(_listed), Field(strict=False)] = Field(
        frozenset(MemoryType), validation_alias=AliasChoices("type", "types")
    )
    tags: Annotated[Texts, BeforeValidator(_listed)] = ()
    since: Moment | None = None
    until: Moment | None = None
    limit: Count = MOST_RECALLED
    offset: Count = 0
    min_confidence: Share | None = None
    include_deleted: Switch = False
    min_quality: Share | None = None
    max_staleness: Share | None = None
    exclude_conflicted: Switch = False


class _Stated(_Options):
    """The stated fields of a memory beside its content."""

    content: Any = None
    text: Any = None
    type: Type | None = None
    confidence: Share | None = None
    tags: Texts = ()
    expires: Moment | None = None

    def fields(self) -> dict[str, Any]:
        """Return the stated fields of a memory's quality."""
        return self.model_dump(include={"type", "confidence", "tags", "expires"}, exclude_unset=True)


class _New(_Stated):
    source: Any = None
    relationships: Values = ()
    derived_from: Values = ()


def parse_options(form: type[Given], value: object, where: str) -> Given:
    """Return options in their form, from None for no option; raises QualityError."""
    fields = {} if value is None else parse_mapping(value, where)
    try:
        return form.model_validate(fields)
    except pydantic.ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
        name = str(fault["loc"][0])
        key = next((spelling for spelling in (name, to_camel(name)) if spelling in fields), to_camel(name))
        if fault["type"] == "extra_forbidden":
            known = (field.alias or name for name, field in form.model_fields.items())
            raise _refused(f"{where}: {name}", fault["input"], ", ".join(sorted(known))) from None
        bad_value = "missing" if fault["type"] == "missing" else fault["input"]
        raise _refused(key, bad_value, requirement_of(fault)) from None


def parse_value(kind: Any, value: object, where: str) -> Any:
    """Return a value of a kind such as `Share`; raises QualityError."""
    try:
        return TypeAdapter(kind).validate_python(value)
    except pydantic.ValidationError as exc:
        raise _refused(where, value, requirement_of(exc.errors(include_url=False)[0])) from None


def parse_duration(value: object, where: str = "olderThan") -> timedelta:
    """Return the duration of a text such as `90d`; raises QualityError."""
    duration: timedelta = parse_value(Duration, value, where)
    return duration


@dataclass(frozen=True, slots=True, kw_only=True)
class NewObject:
    """A memory to store: its text, its structured content if any, and its stated fields.

    `invalid` holds the stated values that cannot be stored: the rules name them.
    """

    text: str
    content: dict[str, Any] | None
    source: SourceClass
    stated: dict[str, Any] = field(default_factory=dict)
    invalid: dict[str, Any] = field(default_factory=dict)
    relationships: tuple[Mapping[str, Any], ...] = ()

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata under which it is stored: its origin, and its structured content if any."""
        origin = {"origin": SOURCE_OF[self.source].value}
        return origin if self.content is None else {CONTENT_KEY: self.content, **origin}


def parse_new(value: object) -> NewObject:
    """Return the memory that `remember` is to store; raises QualityError if it cannot be stored at all.

    A wrong value that can be stored is left to the validators.
    """
    value = parse_mapping(value, "the memory")
    invalid = find_invalid(value)
    new = parse_options(_New, {key: field for key, field in value.items() if key not in invalid}, "remember")
    content, text = new.content, new.text
    if isinstance(content, str) and text is None:
        content, text = None, content
    if content is not None and not isinstance(content, Mapping):
        raise _refused("content", content, "an object, or a text")
    structured = None
    if content is not None and set(content) != {"text"}:
        try:  # a copy, as every store and every page can hold it
            structured = json.loads(json.dumps(dict(content), allow_nan=False))
        except (TypeError, ValueError, RecursionError) as exc:
            raise _refused("content", content, "JSON values") from exc
    text = text or (text_of(content) if content is not None else None)
    if not isinstance(text, str) or not text.strip():
        raise _refused("content", value.get("content"), "something to say")
    derived = ({"type": RelationshipType.DERIVED_FROM.value, "target": str(target)} for target in new.derived_from)
    return NewObject(
        text=text,
        content=structured,
        source=SourceClass.INFERRED if "source" in invalid else SourceClass(new.source or SourceClass.EXPERIENCE),
        stated=new.fields(),
        invalid=invalid,
        relationships=(*derived, *new.relationships),
    )


def parse_given(value: object) -> NewObject:
    """Return the memory of an object that may be stored or not; fields that only a store knows are left out."""
    known = {*_New.model_fields, "derivedFrom"}
    return parse_new({key: field for key, field in parse_mapping(value, "the memory").items() if key in known})


def parse_changes(value: object) -> tuple[object, dict[str, Any]]:
    """Return the content that `update` merges, None without one, and the other fields; raises QualityError."""
    stated = parse_options(_Stated, value, "update")
    content = stated.content
    return content if content is not None or stated.text is None else {"text": stated.text}, stated.fields()


def text_of(content: Mapping[str, Any]) -> str:
    """Return the text under which structured content is embedded and read."""
    if isinstance(content.get("text"), str):
        return str(content["text"])
    subject, name, value = (content.get(key) for key in ("subject", "property", "value"))
    if subject is not None and name is not None and value is not None:
        return f"{subject} {name}: {value_in_words(value)}"
    return json.dumps(dict(content), ensure_ascii=False, sort_keys=True, default=str) if content else ""


def parse_mapping(value: object, where: str) -> Mapping[str, Any]:
    """Return an object; raises QualityError."""
    if not isinstance(value, Mapping):
        raise _refused(where, value, "an object")
    return value


def _refused(where: str, value: object, allowed: str) -> QualityError:
    return QualityError(f"{where} is {shorten(value)}; allowed: {allowed}")
