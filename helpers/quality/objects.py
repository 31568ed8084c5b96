"""Memories as the quality interface shows and takes them, under the specification's own keys (Q-01 ... Q-05, Q-63).

Pure. What is not of the documented form is refused with where it is, what was found and what is allowed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from ..clock import format_time, parse_time
from ..contents import CONTENT_KEY, parse_json, value_in_words
from ..errors import MemoryLedgerError, shorten
from ..patterns import regex
from ..records import Memory, Quality, Relationship, Source
from .kinds import MemoryType, memory_type
from .relationships import show_relationship
from .scores import SourceClass
from .staleness import Decay, QualityRow
from .validators import MemoryObject, find_invalid

_DURATION = regex(r"(\d+(?:\.\d+)?)\s*([smhdwy])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}
#: How the axis says what the interface calls a source; what was experienced was not told by anybody (T-25).
SOURCE_OF = {
    SourceClass.TOLD: Source.USER_ASSERTED,
    SourceClass.EXPERIENCE: Source.AGENT_INFERRED,
    SourceClass.INFERRED: Source.AGENT_INFERRED,
}
#: So many memories a recall brings unless somebody wants another number.
MOST_RECALLED = 100
#: Stands for the id of a memory that is not stored.
UNSTORED_ID = "(new)"


class QualityError(MemoryLedgerError):
    """What was asked of the quality layer is not of the documented form, or cannot be done."""


class ValidationError(QualityError):
    """A memory was not stored, since rules found errors and it was to be rejected then (Q-35, Q-69)."""

    def __init__(self, validation_errors: Iterable[str]) -> None:
        self.validation_errors = list(validation_errors)
        super().__init__(f"the memory was rejected: {'; '.join(self.validation_errors)}")

    @property
    def validationErrors(self) -> list[str]:
        """The errors, under the specification's name."""
        return self.validation_errors


# --- out -------------------------------------------------------------------------------------------------------------


def show_memory(
    memory: Memory,
    content: Mapping[str, Any],
    row: QualityRow,
    figures: Decay,
    relationships: Iterable[Relationship],
    signature: Mapping[str, Any] | None = None,
) -> MemoryObject:
    """Return a memory as the interface shows it; scores are those of the moment (Q-02 ... Q-04)."""
    quality, lineage = memory.quality or Quality(), memory.lineage
    shown: MemoryObject = {
        "id": memory.id,
        "type": row.kind.value,
        "content": dict(content),
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
        "relationships": [show_relationship(one) for one in relationships],
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


def show_content(text: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a memory says: its structured content as it was stated, or its text (Q-01)."""
    stated = metadata.get(CONTENT_KEY)
    if isinstance(stated, str):
        stated = parse_json(stated)
    return dict(stated) if isinstance(stated, Mapping) and stated else {"text": text}


def with_defaults(shown: Mapping[str, Any]) -> MemoryObject:
    """Return a memory of somebody else's with the quality fields that it lacks (Q-05).

    The score is then the confidence, and nothing is stale; without a confidence it is 1, as the base protocol has it.
    """
    quality = shown.get("quality")
    given = quality if isinstance(quality, Mapping) else {}
    missing = {
        "score": shown.get("confidence", 1.0),
        "staleness": 0.0,
        "conflictRisk": 0.0,
        "validatedAt": None,
        "validationErrors": [],
    }
    return {
        **shown,
        "quality": {**missing, **given},
        "relationships": shown.get("relationships", []),
        "metadata": {"accessCount": 0, "lastAccessed": None, "citedBy": [], **(shown.get("metadata") or {})},
    }


def _show_time(moment: datetime | None) -> str | None:
    return None if moment is None else format_time(moment)


# --- in --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewObject:
    """What somebody wants remembered: its text, its content where that is structured, and what was stated of it.

    `invalid` is what was stated and has no place to be stored: the rules name it (Q-34).
    """

    text: str
    content: dict[str, Any] | None
    source: SourceClass
    stated: dict[str, Any] = field(default_factory=dict)
    invalid: dict[str, Any] = field(default_factory=dict)
    relationships: tuple[Mapping[str, Any], ...] = ()
    derived_from: tuple[str, ...] = ()


_NEW_KEYS = frozenset("type content text tags confidence source expires relationships derivedFrom derived_from".split())


def parse_new(value: Mapping[str, Any]) -> NewObject:
    """Return what `remember` is to store; raises QualityError where that cannot be stored at all.

    A value that can be stored and is wrong is left to the validators, but for what has no place to be stored.
    """
    value = parse_mapping(value, "the memory")
    _refuse_unknown("remember", value, _NEW_KEYS)
    content, text = value.get("content"), value.get("text")
    if isinstance(content, str) and text is None:
        content, text = None, content
    if content is not None and not isinstance(content, Mapping):
        raise _refused("content", content, "an object, or a text")
    structured = None if content is None or set(content) == {"text"} else _parse_json(content)
    text = text or (text_of(content) if content is not None else None)
    if not isinstance(text, str) or not text.strip():
        raise _refused("content", value.get("content"), "something to say")
    derived = value.get("derivedFrom", value.get("derived_from", ()))
    links = value.get("relationships", ())
    if not isinstance(links, list | tuple) or not isinstance(derived, list | tuple):
        raise _refused("relationships, derivedFrom", [links, derived], "lists")
    invalid = find_invalid(value)
    source = SourceClass.INFERRED if "source" in invalid else SourceClass(value.get("source") or SourceClass.EXPERIENCE)
    return NewObject(
        text=text,
        content=structured,
        source=source,
        stated=parse_stated({key: found for key, found in value.items() if key not in invalid}),
        invalid=invalid,
        relationships=tuple(links),
        derived_from=tuple(map(str, derived)),
    )


def parse_given(value: Mapping[str, Any]) -> NewObject:
    """Return what an object says that somebody has, stored or not; what only a store knows of it is left out."""
    return parse_new({key: found for key, found in parse_mapping(value, "the memory").items() if key in _NEW_KEYS})


def _parse_json(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of structured content, as every store and every page can hold it."""
    try:
        found: dict[str, Any] = json.loads(json.dumps(dict(content), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as exc:
        raise _refused("content", content, "JSON values") from exc
    return found


def parse_changes(value: Mapping[str, Any]) -> tuple[object, dict[str, Any]]:
    """Return the content that `update` is to merge, None for none, and what else is stated; raises QualityError."""
    value = parse_mapping(value, "the changes")
    _refuse_unknown("update", value, _CHANGE_KEYS)
    return value.get("content", {"text": value["text"]} if "text" in value else None), parse_stated(value)


_CHANGE_KEYS = frozenset("type content text tags confidence expires".split())


def parse_stated(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was stated of a memory beside its content, as fields of its quality; raises QualityError."""
    stated: dict[str, Any] = {}
    if value.get("type") is not None:
        stated["type"] = parse_option(MemoryType, value["type"], "type").value
    if value.get("confidence") is not None:
        stated["confidence"] = parse_share(value["confidence"], "confidence")
    tags = value.get("tags")
    if tags is not None:
        if not isinstance(tags, list | tuple) or not all(isinstance(one, str) for one in tags):
            raise _refused("tags", tags, "a list of texts")
        stated["tags"] = tuple(tags)
    if value.get("expires") is not None:
        stated["expires"] = parse_moment(value["expires"], "expires")
    return stated


def draft(new: NewObject, *, now: datetime) -> MemoryObject:
    """Return `new` as it would be shown, for the rules to look at before it is stored; its id is still to be made."""
    text_only = Memory(id=UNSTORED_ID, text=new.text, created_at=now)
    kind = new.stated.get("type") or memory_type(text_only).value
    return with_defaults(
        {
            "id": UNSTORED_ID,
            "type": kind,
            "content": new.content if new.content is not None else {"text": new.text},
            "created": format_time(now),
            "tags": list(new.stated.get("tags", ())),
            "confidence": new.stated.get("confidence", 1.0),
            "source": new.source.value,
            "expires": _show_time(new.stated.get("expires")),
            "relationships": [dict(one) for one in new.relationships if isinstance(one, Mapping)],
            **new.invalid,
        }
    )


def text_of(content: Mapping[str, Any]) -> str:
    """Return the text under which structured content is embedded and read."""
    if isinstance(content.get("text"), str):
        return str(content["text"])
    subject, name, value = (content.get(key) for key in ("subject", "property", "value"))
    if subject is not None and name is not None and value is not None:
        return f"{subject} {name}: {value_in_words(value)}"
    return json.dumps(dict(content), ensure_ascii=False, sort_keys=True, default=str) if content else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """What somebody wants recalled; without a query the newest first (Q-26, Q-51, formats)."""

    query: str | None = None
    types: frozenset[MemoryType] = frozenset(MemoryType)
    tags: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    limit: int = MOST_RECALLED
    offset: int = 0
    min_confidence: float | None = None
    include_deleted: bool = False
    min_quality: float | None = None
    max_staleness: float | None = None
    exclude_conflicted: bool = False


_RECALL_KEYS = {
    "query": "query",
    "type": "types",
    "types": "types",
    "tags": "tags",
    "since": "since",
    "until": "until",
    "limit": "limit",
    "offset": "offset",
    "minConfidence": "min_confidence",
    "includeDeleted": "include_deleted",
    "minQuality": "min_quality",
    "maxStaleness": "max_staleness",
    "excludeConflicted": "exclude_conflicted",
}
_SHARES = frozenset(("min_confidence", "min_quality", "max_staleness"))
_SWITCHES = frozenset(("include_deleted", "exclude_conflicted"))


def parse_recall(value: Mapping[str, Any]) -> RecallRequest:
    """Return the request that `value` stands for, its keys in either spelling; raises QualityError."""
    names = {**_RECALL_KEYS, **{name: name for name in _RECALL_KEYS.values()}}
    value = parse_mapping(value, "the request")
    _refuse_unknown("recall", value, names.keys())
    given: dict[str, Any] = {}
    for key, found in value.items():
        if found is None:
            continue
        name = names[key]
        if name in given:
            raise _refused(f"recall: {key}", found, "one spelling of it")
        if name in _SHARES:
            given[name] = parse_share(found, key)
        elif name in _SWITCHES:
            given[name] = _parse_switch(found, key)
        elif name in ("since", "until"):
            given[name] = parse_moment(found, key)
        elif name in ("limit", "offset"):
            given[name] = _parse_count(found, key)
        elif name == "types":
            given[name] = frozenset(parse_option(MemoryType, one, key) for one in _parse_texts(found, key))
        elif name == "tags":
            given[name] = frozenset(_parse_texts(found, key))
        else:
            given[name] = str(found)
    return RecallRequest(**given)


def parse_duration(value: object, where: str = "olderThan") -> timedelta:
    """Return the time that a text such as `90d` stands for (Q-42a); raises QualityError."""
    found = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise _refused(where, value, "a number and one of s, m, h, d, w, y, such as 90d")
    try:
        return timedelta(seconds=float(found[1]) * _SECONDS[found[2]])
    except OverflowError as exc:
        raise _refused(where, value, "a time that somebody can wait") from exc


def parse_share(value: object, where: str) -> float:
    """Return a number from 0 to 1; raises QualityError."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise _refused(where, value, "a number from 0 to 1")
    return float(value)


def parse_moment(value: object, where: str) -> datetime:
    """Return a time; raises QualityError."""
    moment = parse_time(value, zone=UTC)
    if moment is None:
        raise _refused(where, value, "an ISO 8601 time")
    return moment


def parse_option(options: Any, value: object, where: str) -> Any:
    """Return the member of an enumeration that `value` names; raises QualityError."""
    found = next((one for one in options if one.value == value), None)
    if found is None:
        raise _refused(where, value, ", ".join(one.value for one in options))
    return found


#: Options that are on or off.
_OPTION_SWITCHES = frozenset("validate reject_invalid detect_conflicts unresolved verified force dry_run".split())


def parse_options(what: str, value: Mapping[str, Any] | None, known: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of a call under their Python names, whichever spelling was used; raises QualityError."""
    names = {**known, **{name: name for name in known.values()}}
    given = {} if value is None else parse_mapping(value, what)
    _refuse_unknown(what, given, names.keys())
    return {
        names[key]: _parse_switch(found, key) if names[key] in _OPTION_SWITCHES else found
        for key, found in given.items()
        if found is not None
    }


def parse_mapping(value: object, where: str) -> Mapping[str, Any]:
    """Return an object; raises QualityError."""
    if not isinstance(value, Mapping):
        raise _refused(where, value, "an object")
    return value


def parse_depth(value: object) -> int:
    """Return how many steps away somebody looks; raises QualityError."""
    if type(value) is not int or value < 1:
        raise _refused("depth", value, "a number from 1 on")
    return value


def _parse_texts(value: object, where: str) -> list[str]:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list | tuple | set | frozenset) or not all(isinstance(one, str) for one in found):
        raise _refused(where, value, "a text, or a list of texts")
    return list(found)


def _parse_switch(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise _refused(where, value, "true or false")
    return value


def _parse_count(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _refused(where, value, "a number from 0 on")
    return value


def _refuse_unknown(what: str, value: Mapping[str, Any], known: Iterable[str]) -> None:
    unknown = sorted(str(one) for one in value if one not in {*known})
    if unknown:
        raise _refused(f"{what}: keys", unknown, ", ".join(sorted(known)))


def _refused(where: str, found: object, allowed: str) -> QualityError:
    return QualityError(f"{where} is {shorten(found)}; allowed: {allowed}")
