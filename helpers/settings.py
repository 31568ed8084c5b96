"""Every setting with its default, unit and bounds; its groups are in `setting_groups.py`.

Layers are applied from the lowest to the highest: these defaults, the user's `classification_config.json`, the host's
plugin configuration. A valid key applies; an unknown or invalid one keeps its value from below and is named once; of a
group each key applies or is named by itself. The packaged files `config/classification_config.json` and
`default_config.yaml` are written from here and compared in a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from .errors import Problem, requirement_of, shorten
from .quality.kinds import STALENESS_RATES, MemoryType, StalenessRates
from .records import MOST_ARCHIVE_ACCESSES
from .setting_groups import (
    AuditLog,
    Backup,
    CoRetrieval,
    Deduplication,
    Distillation,
    Group,
    Knowledge,
    Lexical,
    NoiseGate,
    Notes,
    PositiveCount,
    QualityLayer,
    QueryExpansion,
    RankingMode,
    RelatedMemories,
    StandingRules,
    Switch,
    TemporalDecay,
    Vault,
)


class RecallMode(StrEnum):
    """The treatment of the host's own recall."""

    AUTO = "auto"
    WRAP = "wrap"


def _check_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as exc:
        raise ValueError(f"a regular expression ({exc})") from exc
    return pattern


def _check_word(word: str) -> str:
    if not word.split():
        raise ValueError("a word that is not blank")
    return word


def _with_default_rates(value: object) -> object:
    """Keep the rates of the types that are not named."""
    return {**STALENESS_RATES, **value} if isinstance(value, Mapping) else value


Word = Annotated[str, AfterValidator(_check_word)]
Pattern = Annotated[str, AfterValidator(_check_pattern)]


class Settings(BaseModel):
    """All settings of the pack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: Switch = Field(True, description="false turns the whole pack off; nothing is read or written")
    load_bearing_keywords: tuple[Word, ...] = Field(
        (
            "must",
            "always",
            "never",
            "requirement",
            "constraint",
            "critical",
            "essential",
            "mandatory",
            "do not",
            "required",
        ),
        description="words or phrases that make a memory load_bearing; whole words, any case, not in questions",
    )
    structural_patterns: tuple[Pattern, ...] = Field(
        (
            r"\b(?:my|our|the|this|user's|users)\s+(?:[\w'.-]+\s+){0,2}"
            r"(?:project|app|application|api|stack|service|backend|frontend|server|codebase|system|platform|website|site)"
            r"s?\s+(?:(?:currently|now|also|only|already)\s+)?"
            r"(?:uses?|runs?\s+(?:on|under|in|with)|targets?|(?:is|are)\s+(?:using|running|targeting|built|written|based|"
            r"implemented|deployed)|depends?|relies|rely|requires?)\b",
        ),
        description="regular expressions; a matching statement by the user is load_bearing (T-10)",
    )
    archival_threshold_cycles: PositiveCount = Field(
        50, description="recall cycles without an access before a tactical memory is archived"
    )
    unarchive_min_accesses: Annotated[int, Field(strict=True, ge=1, le=MOST_ARCHIVE_ACCESSES)] = Field(
        3, description="accesses that make an archived memory tactical again"
    )
    unarchive_window_cycles: PositiveCount | None = Field(
        None, description="recall cycles within which those accesses must happen; null: archival_threshold_cycles"
    )
    auto_dormant: Switch = Field(
        False,
        description="true lets maintenance make memories dormant that were never recalled; false wakes them again",
    )
    deprecation_retention_cycles: PositiveCount = Field(
        100, description="recall cycles for which a deprecated memory is kept if enable_purge is true"
    )
    max_injected_memories: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        8, description="maximum number of memories and solutions together that one recall puts into the prompt"
    )
    maintenance_interval_loops: PositiveCount = Field(25, description="message loops between two maintenance runs")
    conflict_top_k: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(
        5, description="number of nearest neighbours that a new memory is compared with"
    )
    enable_purge: Switch = Field(
        False, description="true lets maintenance delete memories that have been deprecated for a long time"
    )
    repair_index: Switch = Field(
        False, description="true lets maintenance embed texts anew that have no vector of their own; false only counts"
    )
    retire_existing: Switch = Field(
        False, description="true lets the rules retire memories from before the pack without asking"
    )
    recall_mode: RecallMode = Field(
        RecallMode.AUTO,
        description="auto: replaces Agent Zero's plain search; wrap: Agent Zero's search always runs, then ours",
    )
    recall_timeout_seconds: Annotated[float, Field(gt=0, le=600)] = Field(
        30.0, description="timeout in seconds of a recall; after that, the chat continues without memories"
    )
    run_every_iteration: Switch = Field(
        False, description="true recalls for every prompt; false only for those for which Agent Zero recalls (T-42)"
    )
    ranking_mode: RankingMode = Field(
        RankingMode.SELECT_BY_SCORE,
        description="select_by_score: selects by score, shows by utility; tiered: utility first; score: score only",
    )
    standing_rules: StandingRules = Field(StandingRules(), description="what you want always or never, in every prompt")
    query_expansion: QueryExpansion = Field(QueryExpansion(), description="the queries that a message is turned into")
    lexical: Lexical = Field(Lexical(), description="lexical search, alongside vector search")
    noise_gate: NoiseGate = Field(NoiseGate(), description="when less than the maximum, or nothing, is injected")
    temporal_decay: TemporalDecay = Field(TemporalDecay(), description="how age lowers a score")
    related_memories: RelatedMemories = Field(RelatedMemories(), description="links between memories that share tags")
    co_retrieval: CoRetrieval = Field(CoRetrieval(), description="the log of memories that were recalled together")
    backup: Backup = Field(Backup(), description="the backup of every memory next to the store")
    deduplication: Deduplication = Field(Deduplication(), description="how duplicate memories are handled")
    staleness_config: Annotated[dict[MemoryType, StalenessRates], BeforeValidator(_with_default_rates)] = Field(
        default_factory=lambda: dict(STALENESS_RATES),
        description="type -> half-life of its age factor and days to full access decay; null: never decays (Q-15)",
    )
    quality: QualityLayer = Field(
        QualityLayer(), description="scores, validators, links and the report on memory quality"
    )
    vault: Vault = Field(Vault(), description="the small curated store of permanent facts")
    notes: Notes = Field(Notes(), description="the notes that you keep for the agent, and their index")
    audit_log: AuditLog = Field(AuditLog(), description="the log of what agents did, from which knowledge is distilled")
    distillation: Distillation = Field(
        Distillation(), description="what is distilled from the logs into knowledge, and how long it lasts"
    )
    knowledge: Knowledge = Field(
        Knowledge(), description="where institutional knowledge is kept, and how changes are signalled"
    )
    possible_conflicts: Switch = Field(
        True, description="false marks no memories that only look as if they were at odds"
    )
    echo_guard: Switch = Field(
        True, description="false keeps copies that a memorizer writes of a memory shown in a recent prompt (T-68)"
    )
    secret_warnings: Switch = Field(
        True, description="false stops looking for passwords, keys and the like in what Agent Zero stores (T-22)"
    )
    turn_window: Annotated[int, Field(strict=True, ge=1, le=1000)] = Field(
        20, description="recent turns of a memory folder that are searched for the author of a new memory"
    )
    profile_domains: dict[Word, tuple[Word, ...]] = Field(
        default_factory=dict,
        description="agent profile -> domains that it may see when no role is active (T-63)",
    )


#: The key of a setting in its own specification.
_SPELLINGS: Mapping[Any, str] = {"stalenessConfig": "staleness_config"}


def default_values() -> dict[str, Any]:
    """Return every default as a plain JSON value."""
    return Settings().model_dump(mode="json")


def list_settings() -> Iterator[tuple[str, FieldInfo, Any]]:
    """Yield every setting with its default as a plain JSON value; in a group as `group.key`."""
    values = default_values()
    for key, field in Settings.model_fields.items():
        group = _group_of(key)
        if group is None:
            yield key, field, values[key]
        else:
            for name, inner in group.model_fields.items():
                yield f"{key}.{name}", inner, values[key][name]


def without_defaults(layer: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the values of `layer` that differ from the defaults, key by key in its groups as well."""
    defaults = default_values()
    chosen: dict[Any, Any] = {}
    for key, value in layer.items():
        known = defaults.get(key) if isinstance(key, str) else None
        if isinstance(known, dict) and isinstance(value, Mapping) and _group_of(str(key)) is not None:
            value = {name: inner for name, inner in value.items() if name not in known or known[name] != inner}
            if not value:
                continue
        if key not in defaults or known != value:
            chosen[key] = value
    return chosen


def load_settings(layers: Iterable[tuple[str, object]]) -> tuple[Settings, list[Problem]]:
    """Return the settings of `layers` (name, mapping), lowest first, and every key that could not be applied.

    A layer that is not a mapping is one problem and changes nothing.
    """
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, layer in layers:
        if not isinstance(layer, Mapping):
            problems.append(Problem(where=name, found=shorten(layer), allowed="an object of settings"))
            continue
        for given_key, value in layer.items():
            key = _SPELLINGS.get(given_key, given_key)
            group = _group_of(key) if isinstance(key, str) else None
            where = f"{name}: setting {key}"
            if group is None or not isinstance(value, Mapping):
                _apply_key(Settings, values, where, key, value, problems)
                continue
            inner = values.setdefault(key, {})
            for inner_key, inner_value in value.items():
                _apply_key(group, inner, f"{where}.{inner_key}", inner_key, inner_value, problems)
    return Settings.model_validate(values), problems


def _group_of(key: str) -> type[Group] | None:
    """Return the model of a setting that is a group, or None."""
    field = Settings.model_fields.get(key)
    kind = field.annotation if field is not None else None
    return kind if isinstance(kind, type) and issubclass(kind, Group) else None


def _apply_key(
    model: type[BaseModel], values: dict[str, Any], where: str, key: object, value: object, problems: list[Problem]
) -> None:
    """Set `values[key]` if the result is valid for `model`; otherwise add a problem and leave `values` alone."""
    if key not in model.model_fields:
        problems.append(Problem(where=where, found="unknown", allowed=", ".join(model.model_fields)))
        return
    try:
        model.model_validate({str(key): value})
    except ValidationError as exc:
        fault = exc.errors(include_url=False)[0]
        problems.append(Problem(where=where, found=shorten(value), allowed=requirement_of(fault)))
        return
    values[str(key)] = value
