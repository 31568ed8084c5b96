"""How reliable a memory is: its source as the quality layer sees it, and its confidence (Q-09, T-25). Pure."""

from __future__ import annotations

from enum import StrEnum

from ..ledger.lifecycle import status_of
from ..records import Memory, Source, Validity


class SourceClass(StrEnum):
    """The three sources of the quality layer; a view of the source axis, never stored (T-25)."""

    EXPERIENCE = "experience"
    TOLD = "told"
    INFERRED = "inferred"


SOURCE_RELIABILITY = {SourceClass.EXPERIENCE: 0.9, SourceClass.TOLD: 0.7, SourceClass.INFERRED: 0.5}

_ORIGINS = {
    Source.USER_ASSERTED: SourceClass.TOLD,
    Source.EXTERNAL_RETRIEVED: SourceClass.TOLD,
    Source.BOOKSHELF_DOCUMENT: SourceClass.TOLD,
    Source.AGENT_INFERRED: SourceClass.INFERRED,
}


# What somebody may state of what the agent says; what the user says is told (T-25).
_INFERRED = frozenset((SourceClass.EXPERIENCE.value, SourceClass.INFERRED.value))


def origin_of(memory: Memory) -> SourceClass:
    """Return where a classified memory comes from; what the agent found out by doing is a solution, or stated so."""
    axes, _ = status_of(memory)
    if axes.source is Source.AGENT_INFERRED and memory.quality is not None and memory.quality.source in _INFERRED:
        return SourceClass(memory.quality.source)
    return origin_by_axis(axes.source, is_solution=memory.is_solution)


def origin_by_axis(source: Source, *, is_solution: bool) -> SourceClass:
    """Return where a memory comes from of which nobody has stated more than the axis says (T-25)."""
    if is_solution and source is Source.AGENT_INFERRED:
        return SourceClass.EXPERIENCE
    return _ORIGINS[source]


def confidence_of(memory: Memory) -> float:
    """Return the stated confidence of a classified memory, or the one of its status (T-25)."""
    if memory.quality is not None and memory.quality.confidence is not None:
        return memory.quality.confidence
    axes, _ = status_of(memory)
    return confidence_by_axes(axes.validity, axes.source, is_solution=memory.is_solution)


def confidence_by_axes(validity: Validity, source: Source, *, is_solution: bool) -> float:
    """Return the confidence that a status comes with (T-25)."""
    if validity is Validity.DEPRECATED:
        return 0.2
    if validity is Validity.CONFIRMED:
        return 0.95
    if source is Source.USER_ASSERTED:
        return 0.9
    return 0.7 if is_solution or source is Source.EXTERNAL_RETRIEVED else 0.6
