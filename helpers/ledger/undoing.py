"""The changes of an act, as its line of the journal tells, and their inverse. Pure.

A line with `changed` is a step. For each memory it has the fields of the status that moved, each with its value before
and after; for each conflict, proposal and last word the same of its row. To take a step back is to write the values
from before, and is a step itself: the step is done again by taking that one back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from ..records import Classification, Lineage, Memory, Quality, write_record
from .lifecycle import LifecycleError, has_outdated

Line = Mapping[str, Any]

#: The action of a step that takes another one back, and of one that changed no status.
UNDO, ACT = "undo", "act"
_RECORDS: dict[str, type[Classification] | type[Lineage] | type[Quality]] = {
    "classification": Classification,
    "lineage": Lineage,
    "quality": Quality,
}
#: The field that stands for whether the record is there at all.
_THERE = ""
#: Fields that recalls count, or that follow from the others: no act moves them.
_UNCOUNTED = {"access_count", "last_accessed", "last_access_cycle", "fingerprint", "seal"}
#: Fields that also move by themselves: they are set back only if they have not, and prevent no undo if they have.
_LOOSE = {"archive_access_cycles", "conflictRisk", "related_memory_ids"}
#: Actions that a decision about two memories can take back, so that no rule rules again.
_RULINGS = ("supersede", "partial", "withdraw")


def act_id(*parts: object) -> str:
    """Return the name of an act that nobody asked for, made of what its line says."""
    return blake2b(json.dumps(parts, default=str).encode(), digest_size=6).hexdigest()


def differences(before: Memory, after: Memory) -> dict[str, dict[str, list[Any]]]:
    """Return the fields of each record that differ, each with its value before and after, as they are stored."""
    changed = {}
    for name in _RECORDS:
        old, new = _written(before, name), _written(after, name)
        keys = [key for key in (old | new) if key not in _UNCOUNTED and old.get(key) != new.get(key)]
        if keys:
            changed[name] = {key: [old.get(key), new.get(key)] for key in keys}
    return changed


def moved_on(memory: Memory, changed: Mapping[str, Mapping[str, Sequence[Any]]]) -> str:
    """Return in words which field is not as a step left it; empty if all are."""
    for name in _RECORDS:
        now = _written(memory, name)
        for key, (_, after) in changed.get(name, {}).items():
            if now.get(key) != after and key not in _LOOSE:
                return f"its {key.replace('_', ' ')} has changed since" if key else f"its {name} has changed since"
    return ""


def taken_back(memory: Memory, changed: Mapping[str, Mapping[str, Sequence[Any]]]) -> Memory:
    """Return `memory` with the values from before; raises LifecycleError where it has moved on."""
    if change := moved_on(memory, changed):
        raise LifecycleError(memory.id, change, "a memory as the step left it")
    back: dict[str, Any] = {}
    for name in _RECORDS.keys() & changed.keys():
        record = _written(memory, name)
        for key, (before, after) in changed[name].items():
            if record.get(key) == after:
                record[key] = before
        kept = {key: value for key, value in record.items() if value is not None and key != _THERE}
        back[name] = _RECORDS[name].model_validate(kept) if record.get(_THERE) else None
    return replace(memory, **back)


def _written(memory: Memory, name: str) -> dict[str, Any]:
    record = getattr(memory, name)
    return {} if record is None else {**write_record(record), _THERE: True}


def _is_about(row: Line, about: str) -> bool:
    return row.get("memory") == about or about in row["changed"].get("conflicts", {})


def _is_undo(row: Line) -> bool:
    """Whether a step takes back another step, or a ruling."""
    return UNDO in (row["action"], row.get("kind"))


def _is_ruled_so(row: Line, memory: Memory) -> bool:
    """Whether a memory is still retired, or outdated in part, by the ruling of a line without `changed`."""
    winner = row.get("winner")
    if row["action"] == "partial":
        return not memory.is_deprecated and has_outdated(memory, str(winner))
    return memory.is_deprecated and memory.lineage is not None and (memory.lineage.superseded_by or winner) == winner


class Steps:
    """The steps of a journal, in its order: which of them stand, and which are taken back."""

    def __init__(self, journal: Iterable[Line]) -> None:
        self._steps: dict[tuple[str, str], Line] = {}
        self._undone: dict[tuple[str, str], str] = {}
        for row in filter(None, map(_to_step, journal)):
            key = (str(row["act"]), str(row.get("memory")))
            self._steps[key] = _joined(self._steps.pop(key, {}), row)
            if row.get("undoes"):
                self._undone[str(row["undoes"]), key[1]] = key[0]

    def of_act(self, act: str, about: Sequence[str] = ()) -> list[Line]:
        """Return the steps of an act, in their order; with `about`, only those about these memories or conflicts."""
        own = [row for (act_id, _), row in self._steps.items() if act_id == act]
        return [row for row in own if not about or any(_is_about(row, name) for name in about)]

    def undone_by(self, step: Line) -> str | None:
        """Return the id of the act that took a step back and still stands; None while the step stands."""
        act, chain = str(step["act"]), list[str]()
        while (act := self._undone.get((act, str(step.get("memory"))), "")) and act not in chain:
            chain.append(act)
        return chain[0] if len(chain) % 2 else None

    def latest(self, about: str, memory: Memory | None = None, *, kind: str | None = None) -> Line | None:
        """Return the latest step about a memory or a conflict that stands; a ruling does while `memory` shows it."""
        steps = (row for row in self._about(about, kind) if not _is_undo(row))
        return next((row for row in steps if row["changed"] or (memory and _is_ruled_so(row, memory))), None)

    def standing(self, kind: str) -> Iterator[Line]:
        """Yield the steps of a kind that stand, the latest first."""
        for row in reversed(self._steps.values()):
            if row.get("kind") == kind and not _is_undo(row) and self.undone_by(row) is None:
                yield row

    def latest_undo(self, about: str) -> Line | None:
        """Return the last step about a memory or a conflict that stands, if that took another one back."""
        last = next(self._about(about, None), None)
        return last if last is not None and _is_undo(last) else None

    def _about(self, about: str, kind: str | None) -> Iterator[Line]:
        for row in reversed(self._steps.values()):
            if _is_about(row, about) and kind in (None, row.get("kind")) and self.undone_by(row) is None:
                yield row


def _joined(earlier: Line, row: Line) -> Line:
    """Return a step with all that it changed, if a crash had it written twice."""
    parts = earlier.get("changed", {}), row["changed"]
    if not earlier:
        return row
    names = dict.fromkeys((*parts[0], *parts[1]))
    return {**row, "changed": {name: {**parts[0].get(name, {}), **parts[1].get(name, {})} for name in names}}


def _to_step(row: Line) -> Line | None:
    """Return a line as a step, a ruling as one that names no fields; None if it is no step."""
    if isinstance(row.get("changed"), Mapping) and row.get("act"):
        return row
    return {**row, "act": act_id(row), "changed": {}} if row.get("action") in _RULINGS else None
