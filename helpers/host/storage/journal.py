"""The lines of the journal beside a store: what stood before a change, what after, and by which rule (C-37, C-65)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...clock import EPOCH, format_time
from ...ledger.changes import Archive, Confirm, Contest, Forget, Outdate, Reinstate, Restore, Supersede
from ...ledger.lifecycle import RETIRED_FIELDS, WINNING_FIELDS, standing
from ...records import Lineage, Memory, Relevance, Source, Utility, Validity
from . import files
from .compaction import Compaction

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


def archive_row(change: Archive, before: Memory) -> dict[str, Any]:
    """A memory was archived: it was stale, or was long not recalled (Q-28, C-69)."""
    return {
        "action": "archive",
        "at": format_time(change.at),
        "memory": change.memory_id,
        "from": standing(before)[0].utility.value,
        "to": Utility.ARCHIVED.value,
        "rule": "Q-28" if change.is_stale else "C-69",
        "reasons": ["stale" if change.is_stale else f"not recalled since cycle {change.touched_cycle}"],
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


#: So many of the latest lines are kept when the journal is rewritten, whatever they say.
KEPT_LINES = 20_000
_UNDOABLE = frozenset(("supersede", "restore", "partial", "reinstate"))


class Journal:
    """`ledger.jsonl` beside a store: a line per change of standing, bounded by rewriting it as it grows (T-70)."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / files.JOURNAL_FILE
        self._compaction = Compaction(self._path, rows_to_keep)

    def append(self, rows: Iterable[dict[str, Any]]) -> None:
        """Write the rows, each a line."""
        files.append_lines(self._path, rows)
        self._compaction.run_if_due()


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
    for row in rows:
        if row.get("action") != "supersede" or (row.get("memory"), row.get("winner")) != (loser.id, winner_id):
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
    return winner
