"""The status of a memory as every rule reads it and as a change moves it, and the figures that a supervisor sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple, TypeGuard

from ..clock import EPOCH, format_time
from ..foreign import hide_pointer
from ..language.emptiness import find_emptiness
from ..language.vocabulary import read_patterns
from ..language.words import extract_keywords
from ..records import (
    CLASSIFICATION_KEY,
    LINEAGE_KEY,
    MOST_ARCHIVE_ACCESSES,
    QUALITY_KEY,
    STATUS_LINE_KEY,
    Classification,
    Lineage,
    Memory,
    Quality,
    Source,
    Teller,
    Utility,
    Validity,
    write_record,
)

_TOPIC_LIMIT = 8
_SAID = read_patterns("utterances")
_UTILITY = "utility:"
#: The rank of each source, the strongest first: in this order a prompt is filled, and a merge names its source.
SOURCE_PRIORITY = {
    Source.USER_ASSERTED: 0,
    Source.BOOKSHELF_DOCUMENT: 1,
    Source.EXTERNAL_RETRIEVED: 2,
    Source.AGENT_INFERRED: 3,
}
#: Who is known to have said what comes from such a source.
TELLERS: dict[Source, Teller] = {Source.AGENT_INFERRED: "agent", Source.EXTERNAL_RETRIEVED: "tool"}
# Sources that are always counted, even at zero; the others are named once there is one.
_ALWAYS_COUNTED = (Source.USER_ASSERTED, Source.AGENT_INFERRED)
_MOST_NAMED = 20
Status = tuple[Validity, Utility, Source]


def make_tags(text: str, *, utility: Utility, area: str, domain: str | None, role_id: str | None) -> tuple[str, ...]:
    """Return `domain:`, `utility:`, `area:` and `role:` tags, then at most eight topic words of `text`."""
    tags = [f"{_UTILITY}{utility}", f"area:{area}"]
    if domain:
        tags.insert(0, f"domain:{domain}")
    if role_id:
        tags.append(f"role:{role_id}")
    topics = [word for word in extract_keywords(text, limit=2 * _TOPIC_LIMIT) if not _SAID["no_topic"].fullmatch(word)]
    tags.extend(list(dict.fromkeys(topics))[:_TOPIC_LIMIT])
    return tuple(tags)


def with_utility_tag(tags: Iterable[str], utility: Utility) -> tuple[str, ...]:
    """Return `tags` with their utility tag replaced."""
    return tuple(f"{_UTILITY}{utility}" if tag.startswith(_UTILITY) else tag for tag in tags)


class LifecycleError(ValueError):
    """A change does not fit the memory that it names."""

    def __init__(self, memory_id: str, state: str, allowed: str) -> None:
        super().__init__(f"memory {memory_id} is {state}; allowed: {allowed}")


def require(memory: Memory, is_allowed: bool, state: str, allowed: str) -> None:
    """Raise LifecycleError unless a memory stands as a change takes it to stand."""
    if not is_allowed:
        raise LifecycleError(memory.id, state, allowed)


def is_classified(memory: Memory | None) -> TypeGuard[Memory]:
    """Whether there is such a memory, and it has a status."""
    return memory is not None and memory.classification is not None and memory.lineage is not None


def status_of(memory: Memory) -> tuple[Classification, Lineage]:
    """Return the axes and the lineage of a classified memory; raises LifecycleError if it has none."""
    if memory.classification is None or memory.lineage is None:
        raise LifecycleError(memory.id, "not classified", "a classified memory")
    return memory.classification, memory.lineage


def describe_status(axes: Classification, lineage: Lineage) -> str:
    """Return in a line whether a memory holds, who said it, and what replaced it, by an id that no host follows."""
    validity = str(axes.validity)
    if axes.validity is Validity.DEPRECATED and lineage.deprecated_at is not None:
        validity += f" since {lineage.deprecated_at:%Y-%m-%d}"
    replaced = [f"replaced by {hide_pointer(lineage.superseded_by)}"] if lineage.superseded_by else []
    return ", ".join([validity, *replaced, str(axes.source), str(axes.utility)])


def to_metadata(axes: Classification, lineage: Lineage, quality: Quality | None = None) -> dict[str, Any]:
    """Return the ledger's keys of a memory as they are stored, freshly built."""
    stated = {} if quality is None else {QUALITY_KEY: write_record(quality)}
    return {
        CLASSIFICATION_KEY: write_record(axes),
        LINEAGE_KEY: write_record(lineage),
        STATUS_LINE_KEY: describe_status(axes, lineage),
        **stated,
    }


def restated(memory: Memory, lineage: Mapping[str, Any] | None = None, **axes: Any) -> Memory:
    """Return a classified memory with these axes, and these fields of its lineage; they are trusted, being made here.

    Raises LifecycleError if it has no status.
    """
    old_axes, old_lineage = status_of(memory)
    return replace(
        memory,
        classification=old_axes.model_copy(update=axes) if axes else old_axes,
        lineage=old_lineage.model_copy(update=lineage) if lineage else old_lineage,
    )


def access(memory: Memory, *, at: datetime, cycle: int) -> Memory:
    """Return `memory` after one more recall put it into the prompt; if archived, with its cycle."""
    axes, lineage = status_of(memory)
    counted = {"access_count": lineage.access_count + 1, "last_accessed": at, "last_access_cycle": cycle}
    if axes.utility is Utility.ARCHIVED:
        counted["archive_access_cycles"] = (*lineage.archive_access_cycles, cycle)[-MOST_ARCHIVE_ACCESSES:]
    return restated(memory, counted)


def with_utility(memory: Memory, utility: Utility) -> Memory:
    """Return `memory` in another utility class, its tags in step."""
    return restated(memory, utility=utility, tags=with_utility_tag(status_of(memory)[0].tags, utility))


def without_future(lineage: Lineage, now: datetime) -> Lineage:
    """Return a lineage with no time after `now`; if it has one, it was said at an unknown time before `now`."""
    times = (lineage.created_at, lineage.stated_at, lineage.stated_from)
    if all(time is None or time <= now for time in times):
        is_ordered = lineage.ordered_at is None or lineage.ordered_at <= now
        return lineage if is_ordered else lineage.model_copy(update={"ordered_at": None})
    unknown = {"stated_at": None, "stated_from": EPOCH, "ordered_at": None}
    return lineage.model_copy(update={"created_at": min(lineage.created_at, now), **unknown})


def touched_cycle(lineage: Lineage) -> int:
    """Return the recall cycle of the last access, or of the classification where there was none since."""
    return max(lineage.classified_at_cycle, lineage.last_access_cycle or 0)


def has_outdated(memory: Memory, winner_id: str) -> bool:
    """Whether `winner_id` has outdated a part of what `memory` says."""
    return memory.lineage is not None and any(part.by == winner_id for part in memory.lineage.outdated_parts)


def all_losers(winner: Lineage, loser_id: str) -> tuple[str, ...]:
    """Return the ids of all memories that `winner` has retired, if there are more than the one in `supersedes`."""
    known = (*winner.supersedes_ids, *([winner.supersedes] if winner.supersedes else []))
    return tuple(dict.fromkeys((*known, loser_id))) if known else ()


def follow_to_head(memory_id: str, superseded_by: Callable[[str], str | None]) -> str:
    """Return the end of the chain of winners that starts at `memory_id`, or where a foreign pointer closes a ring."""
    seen = {memory_id}
    while (winner := superseded_by(memory_id)) is not None and winner not in seen:
        seen.add(winner)
        memory_id = winner
    return memory_id


def why_empty(memory: Memory) -> str | None:
    """Return in words why a memory is a memorizer's junk, which enters no prompt; None for all others."""
    axes = memory.classification
    others = (Source.AGENT_INFERRED, Source.EXTERNAL_RETRIEVED)
    if axes is None or axes.source not in others or axes.validity is not Validity.INFERRED:
        return None
    return None if memory.is_knowledge or memory.content is not None else find_emptiness(memory.text)


class QualityHealth(NamedTuple):
    """The quality of all memories: averages and rates in 0..1, and the number that was retired as a repetition."""

    average_quality: float = 0.0
    average_staleness: float = 0.0
    unresolved_conflicts: int = 0
    validation_error_rate: float = 0.0
    echoes: int = 0
    duplicates: int = 0


def summarize_status(
    counts: Mapping[Status, int],
    *,
    conflicts_resolved: int,
    at: datetime,
    echoes_retired: int = 0,
    quality: QualityHealth | None = None,
    secrets: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Return the figures of `agent._memory_health`; `counts` is the number of memories by status.

    Beside the specified figures it has the number of echoes retired in this session and the quality of all memories, so
    that a supervisor sees decay. `secrets` are the kinds of secrets by the id of the memory; None leaves them out.
    """
    validity: Counter[Validity] = Counter()
    utility: Counter[Utility] = Counter()
    source: Counter[Source] = Counter()
    for status, count in counts.items():
        validity[status[0]] += count
        utility[status[1]] += count
        source[status[2]] += count
    named = [known for known in Source if known in _ALWAYS_COUNTED or source[known]]
    figures: dict[str, Any] = {
        "total_memories": sum(counts.values()),
        "by_validity": {member.value: validity[member] for member in Validity},
        "by_utility": {member.value: utility[member] for member in Utility},
        "by_source": {known.value: source[known] for known in named},
        "conflicts_resolved_this_session": conflicts_resolved,
        "echoes_retired_this_session": echoes_retired,
        **(quality._asdict() if quality is not None else {}),
    }
    if secrets is not None:
        kinds = Counter(kind for secret in secrets.values() for kind in secret)
        by_type = dict(sorted(kinds.items()))
        figures["secrets"] = {"memories": len(secrets), "by_type": by_type, "ids": sorted(secrets)[:_MOST_NAMED]}
    return {**figures, "last_classification_run": format_time(at)}
