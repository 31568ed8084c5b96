"""The report of the first look: what the rules would retire, until a person says so (`design.md`, Storage).

The file is the only channel between a terminal and a running host: the terminal marks it accepted, the host's next hook
carries it out. Nothing but the host process ever changes the host's store.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import format_time, parse_time
from ...errors import StoreError, shorten
from ...ledger.changes import Supersede
from .files import PROPOSALS_FILE, read_object, write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """`loser_text` would go out of use in favour of `winner_text`."""

    loser: str
    loser_text: str
    winner: str
    winner_text: str
    rule: str
    reasons: tuple[str, ...]


def write_proposals(folder: Path, proposals: Sequence[Proposal], *, at: datetime) -> None:
    """Write the report; nothing in it is accepted yet."""
    report = {
        "made_at": format_time(at),
        "accepted_at": None,
        "except": [],
        "proposals": [asdict(p) for p in proposals],
    }
    write_atomically(folder / PROPOSALS_FILE, json.dumps(report, ensure_ascii=False, indent=1) + "\n")


def read_proposals(folder: Path) -> list[Proposal]:
    """Return the proposals of a memory folder; raises StoreError where there is no report that can be read."""
    return _proposals_in(_read_report(folder))


def accept_proposals(folder: Path, *, at: datetime, excluded: Collection[str] = ()) -> int:
    """Mark the report as accepted but for the losers in `excluded`; return how many retirements will follow.

    Raises StoreError where there is no report, or if `excluded` names a memory that is not proposed.
    """
    report = _read_report(folder)
    losers = {one.loser for one in _proposals_in(report)}
    unknown = sorted(set(excluded) - losers)
    if unknown:
        raise StoreError(f"{folder / PROPOSALS_FILE}: {', '.join(unknown)} not proposed; allowed: {sorted(losers)}")
    report.update({"accepted_at": format_time(at), "except": sorted(excluded)})
    write_atomically(folder / PROPOSALS_FILE, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    return len(losers) - len(set(excluded))


def accepted_retirements(folder: Path, *, cycle: int) -> list[Supersede]:
    """Return what a person has accepted; carrying it out twice changes nothing."""
    report = read_object(folder / PROPOSALS_FILE)
    at = parse_time((report or {}).get("accepted_at"))
    if report is None or at is None:
        return []
    excluded = set(report.get("except") or ())
    return [
        Supersede(
            winner_id=one.winner,
            loser_id=one.loser,
            at=at,
            cycle=cycle,
            rule=one.rule,
            reasons=(*one.reasons, "accepted"),
            by_person=True,
        )
        for one in _proposals_in(report)
        if one.loser not in excluded
    ]


def _read_report(folder: Path) -> dict[str, Any]:
    report = read_object(folder / PROPOSALS_FILE)
    if report is None:
        raise StoreError(
            f"{folder}: no {PROPOSALS_FILE}; allowed: a memory folder that the running pack has looked at once"
        )
    return report


def _proposals_in(report: dict[str, Any]) -> list[Proposal]:
    found = []
    rows = report.get("proposals")
    if not isinstance(rows, list):
        raise StoreError(f"{PROPOSALS_FILE}: proposals is {shorten(rows)}; allowed: the list as it was written")
    for row in rows:
        try:
            found.append(Proposal(**{**row, "reasons": tuple(row["reasons"])}))
        except (TypeError, KeyError) as exc:
            raise StoreError(f"{PROPOSALS_FILE}: {exc}; allowed: the rows as they were written") from exc
    return found


def to_proposal(change: Supersede, texts: dict[str, str]) -> Proposal:
    """Return the proposal to carry out `change`, with the texts of both memories."""
    return Proposal(
        loser=change.loser_id,
        loser_text=texts[change.loser_id],
        winner=change.winner_id,
        winner_text=texts[change.winner_id],
        rule=change.rule,
        reasons=change.reasons,
    )
