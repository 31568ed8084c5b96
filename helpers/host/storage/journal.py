"""The lines of the journal beside a store: what stood before a change, what after, and by which rule (C-37, C-65)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...clock import EPOCH, format_time
from ...ledger.changes import (
    Archive,
    Confirm,
    Contest,
    Forget,
    Outdate,
    Purge,
    Reinstate,
    Repoint,
    Restore,
    Rouse,
    Supersede,
    Suspend,
    Unarchive,
)
from ...ledger.lifecycle import RETIRED_FIELDS, WINNING_FIELDS, standing, touched_cycle
from ...ledger.seal import fingerprint
from ...records import Lineage, Memory, Relevance, Source, Utility, Validity
from . import files
from .compaction import Compaction
from .patient_lines import PatientLines, Tell

_log = logging.getLogger(__name__)

_NO_POINTERS = Lineage(created_at=EPOCH)


def supersede_row(change: Supersede, loser: Memory, winner: Memory) -> dict[str, Any]:
    """A memory went out of use. The pointers of both from before are named where there were any (T-70)."""
    axes, lineage = standing(loser)
    pointers = {
        "memory": _pointers(lineage, RETIRED_FIELDS),
        "winner": _pointers(standing(winner)[1], WINNING_FIELDS),
    }
    before = {side: found for side, found in pointers.items() if found}
    return {
        "action": "supersede",
        "at": format_time(change.at),
        "memory": change.loser_id,
        "winner": change.winner_id,
        "from": axes.validity.value,
        "to": Validity.DEPRECATED.value,
        "rule": change.rule,
        "reasons": list(change.reasons),
        **({"before": before} if before else {}),
    }


def _pointers(lineage: Lineage, names: tuple[str, ...]) -> dict[str, Any]:
    return lineage.model_dump(mode="json", include=set(names), exclude_defaults=True)


def restore_row(change: Restore) -> dict[str, Any]:
    """A memory came back into use."""
    return {
        "action": "restore",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "winner": change.winner_id,
        "from": Validity.DEPRECATED.value,
        "to": change.validity.value,
        "rule": change.rule,
        "reasons": list(change.reasons),
    }


def confirm_row(change: Confirm, before: Validity) -> dict[str, Any]:
    """The user agreed with what had been inferred."""
    return {
        "action": "confirm",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "from": before.value,
        "to": Validity.CONFIRMED.value,
        "rule": "C-16",
        "reasons": [change.evidence],
    }


def mark_row(change: Outdate | Reinstate) -> dict[str, Any]:
    """A part of what a memory says no longer holds; or all of it holds again, as far as that winner is concerned."""
    return {
        "action": "partial" if isinstance(change, Outdate) else "reinstate",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "winner": change.winner_id,
        **({"parts": list(change.parts)} if isinstance(change, Outdate) else {}),
        "rule": change.rule,
        "reasons": list(change.reasons),
    }


def forget_row(change: Forget, before: Memory) -> dict[str, Any]:
    """Somebody wanted a memory forgotten; its text stays on record (Q-55)."""
    return {
        "action": "forget",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "from": standing(before)[0].relevance.value,
        "to": Relevance.DORMANT.value,
        "rule": "Q-55",
        "reasons": [change.reason or "somebody asked for it"],
    }


def contest_row(change: Contest) -> dict[str, Any]:
    """Two memories contradict each other, and no rule names a winner."""
    return {
        "action": "contest",
        "at": format_time(change.at),
        "memory": change.older_id,
        "other": change.newer_id,
        "rule": change.rule,
        "reasons": list(change.reasons),
    }


def upkeep_row(change: Archive | Unarchive | Suspend | Rouse, before: Memory) -> dict[str, Any]:
    """Maintenance moved a memory to another class of utility or relevance, as it stood `before` (C-69, C-70, T-12)."""
    action, after, rule, reason = _UPKEEP[type(change)]
    if isinstance(change, Archive) and change.is_stale:
        rule, reason = _STALE
    axes, lineage = standing(before)
    was = axes.utility if isinstance(change, Archive | Unarchive) else axes.relevance
    since = touched_cycle(lineage)
    return {
        "action": action,
        "at": format_time(change.at),
        "memory": before.id,
        "from": was.value,
        "to": after.value,
        "rule": rule,
        "reasons": [reason.format(since=since, count=len(lineage.archive_access_cycles))],
    }


#: Rule and reason where somebody wanted what is stale to be archived.
_STALE = ("Q-28", "stale")
_UPKEEP: dict[type, tuple[str, Utility | Relevance, str, str]] = {
    Archive: ("archive", Utility.ARCHIVED, "C-69", "not recalled since cycle {since}"),
    Unarchive: ("unarchive", Utility.TACTICAL, "C-70", "recalled {count} times since it was archived"),
    Suspend: ("suspend", Relevance.DORMANT, "T-12", "never recalled, and auto_dormant is on"),
    Rouse: ("rouse", Relevance.ACTIVE, "T-12", "recalled, or auto_dormant is off"),
}


def repair_row(change: Repoint, before: Memory) -> dict[str, Any]:
    """A memory named one that has gone (T-43); `gone` is what it named as its winner, `winner` what it names now."""
    _, lineage = standing(before)
    named = {"supersedes": lineage.supersedes, "superseded_by": lineage.superseded_by}
    return {
        "action": "repair",
        "at": format_time(change.at),
        "memory": before.id,
        "gone": lineage.superseded_by,
        "winner": change.superseded_by,
        "before": {key: one for key, one in named.items() if one is not None},
        "rule": "T-43",
        "reasons": ["what it named is not in the store any more"],
    }


def purge_row(change: Purge, before: Memory) -> dict[str, Any]:
    """A memory was deleted for good: which, and since when it had been out of use; of its text a digest (T-08)."""
    _, lineage = standing(before)
    return {
        "action": "purge",
        "at": format_time(change.at),
        "cycle": change.cycle,
        "memory": before.id,
        "superseded_by": lineage.superseded_by,
        "deprecated_at": None if lineage.deprecated_at is None else format_time(lineage.deprecated_at),
        "deprecated_at_cycle": lineage.deprecated_at_cycle,
        "fingerprint": fingerprint(before.text),
        "rule": "C-71",
    }


#: So many of the latest lines are kept when the journal is rewritten, whatever they say.
KEPT_LINES = 20_000
_UNDOABLE = frozenset(("supersede", "restore", "partial", "reinstate"))


class Journal:
    """`ledger.jsonl` beside a store: a line per change of standing, bounded by rewriting it as it grows (T-70)."""

    def __init__(self, folder: Path, tell: Tell) -> None:
        path = folder / files.JOURNAL_FILE
        self._lines = PatientLines(path, tell)
        self._compaction = Compaction(path, rows_to_keep)

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Write the rows, each a line; where that cannot be done now, as soon as it can be."""
        if self._lines.append(rows):
            self._compaction.run_if_due()

    def write_owed(self) -> None:
        """Try again what could not be written."""
        self._lines.append()


def rows_to_keep(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the latest rows, and of the older ones the last of each kind about two memories, for `undo`."""
    begin = max(0, len(rows) - KEPT_LINES)
    last = {
        (row.get("action"), row.get("memory"), row.get("winner")): index
        for index, row in enumerate(rows[:begin])
        if row.get("action") in _UNDOABLE
    }
    return [*(rows[index] for index in sorted(last.values())), *rows[begin:]]


@dataclass(frozen=True, slots=True)
class Retirement:
    """How a memory and the one that put it out of use stood before (T-70)."""

    validity: Validity
    lineage: Lineage = _NO_POINTERS
    winner_lineage: Lineage = _NO_POINTERS


def find_retirement(rows: Iterable[Mapping[str, Any]], loser: Memory, winner_id: str) -> Retirement:
    """Return what the journal says of the last time that `winner_id` put `loser` out of use.

    Where the journal has been lost, both had no pointers, and the loser the validity that its source begins with.
    """
    source = standing(loser)[0].source
    found = Retirement(Validity.CONFIRMED if source is Source.USER_ASSERTED else Validity.INFERRED)
    own = [row for row in rows if row.get("memory") == loser.id]
    # What stands for a winner that has gone did not retire anything itself (T-43).
    winners = {winner_id, *(row.get("gone") for row in own if row.get("action") == "repair")} - {None}
    for row in own:
        if row.get("action") != "supersede" or row.get("winner") not in winners:
            continue
        try:
            found = _read_retirement(row)
        except (KeyError, TypeError, ValueError) as exc:
            _log.warning("a journal line about memory %s is not as it was written: %s", loser.id, exc)
    return found


def _read_retirement(row: Mapping[str, Any]) -> Retirement:
    before = {"memory": {}, "winner": {}, **row.get("before", {})}
    return Retirement(
        Validity(row["from"]),
        Lineage.model_validate({"created_at": EPOCH, **before["memory"]}),
        Lineage.model_validate({"created_at": EPOCH, **before["winner"]}),
    )


def find_winner(rows: Iterable[Mapping[str, Any]], memory_id: str) -> str | None:
    """Return the memory that put `memory_id` out of use, as far as the journal knows; None while it is in use."""
    winner: str | None = None
    for row in rows:
        if row.get("memory") != memory_id:
            continue
        if row.get("action") == "supersede":
            winner = row.get("winner")
        elif row.get("action") == "restore":
            winner = None
        elif row.get("action") == "repair" and winner is not None:
            winner = row.get("winner") or winner
    return winner
