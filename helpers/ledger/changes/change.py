"""The base of all changes: the name, the memories that are read, the effect, the line in the journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from ...clock import format_time
from ...records import Memory
from ..lifecycle import status_of, touched_cycle
from ..undoing import act_id, differences

Row = dict[str, Any]

#: What a line of the journal calls the fields of a change, in the order of the line.
_KEYS = {
    "at": "at",
    "memory_id": "memory",
    "loser_id": "memory",
    "older_id": "memory",
    "winner_id": "winner",
    "newer_id": "other",
    "parts": "parts",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of memories by a rule or a person.

    `action` names the kind in the journal, and `axis` the axis whose move the line tells, if it moves one. `reads` are
    the fields that name the memories it is applied to, the one that it changes first.
    """

    action: ClassVar[str]
    axis: ClassVar[str] = ""
    reads: ClassVar[tuple[str, ...]] = ("memory_id",)
    #: What is no change of status gets no line of its own.
    is_journalled: ClassVar[bool] = True
    #: Whether a person can take it back where a rule made it; what a person asks for always can be.
    is_step: ClassVar[bool] = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The memories that it is applied to."""
        return tuple(memory_id for name in self.reads if (memory_id := getattr(self, name)) is not None)

    def apply(self, *memories: Memory) -> tuple[Memory, ...]:
        """Return the memories of `ids` after the change; raises LifecycleError where one stands otherwise."""
        return tuple(map(self.apply_to, memories))

    def apply_to(self, memory: Memory) -> Memory:
        """Return `memory` after a change that is applied to one memory; raises LifecycleError as `apply`."""
        raise NotImplementedError

    def to_row(self, before: Sequence[Memory], after: Sequence[Memory]) -> Row:
        """Return the line for the journal: what stood before, what after, and by which rule; empty for no line."""
        if not self.is_journalled:
            return {}
        rule, reasons = self.because(*before)
        named = {key: _plain(value) for name, key in _KEYS.items() if (value := getattr(self, name, None)) is not None}
        moved = {"from": self._axis_of(before[0]), "to": self._axis_of(after[0])} if self.axis else {}
        row = {"action": self.action, **named, **moved, "rule": rule, "reasons": [*reasons], **self.more(*before)}
        if self.is_step:
            changed = {old.id: differences(old, new) for old, new in zip(before, after, strict=True)}
            row |= {"act": act_id(self.action, *named.values()), "changed": {"memories": changed}}
        return row

    def _axis_of(self, memory: Memory) -> str:
        return str(getattr(status_of(memory)[0], self.axis).value)

    def because(self, *before: Memory) -> tuple[str, Sequence[str]]:
        """Return the rule, and the reasons in words, for a change to memories that stand so."""
        raise NotImplementedError

    def more(self, *before: Memory) -> Row:
        """Return what else its line says, of memories that stand so."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChange(Change):
    """A change to `memory_id` alone; its kind has one rule, and a reason that may name `since` and `count`."""

    rule: ClassVar[str] = ""
    wording: ClassVar[str] = ""

    memory_id: str

    def because(self, *before: Memory) -> tuple[str, Sequence[str]]:
        """Return the rule of the kind, and its reason with the figures of the memory."""
        lineage = status_of(before[0])[1]
        return self.rule, [self.wording.format(since=touched_cycle(lineage), count=len(lineage.archive_access_cycles))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Change):
    """The ruling about two memories: `rule` is the priority that decided, `reasons` are its reasons in words."""

    at: datetime
    rule: str
    reasons: tuple[str, ...] = ()

    def because(self, *_before: Memory) -> tuple[str, Sequence[str]]:
        """Return the rule and the reasons as they were decided."""
        return self.rule, self.reasons


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return format_time(value)
    return list(value) if isinstance(value, tuple) else value
