"""The report of what the rules would retire of what was there before the pack, until a person says so (`design.md`).

The first look at a store makes it, and maintenance adds the duplicates that it finds later.

Only the host writes it: what a person accepts at a terminal comes through the inbox, is marked here and carried out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ...clock import format_time
from ...errors import StoreError, shorten
from ...ledger.changes import EMPTY_RULE, Supersede, Withdraw
from .files import PROPOSALS_FILE, read_object, write_atomically


@dataclass(frozen=True, slots=True)
class Proposal:
    """`loser_text` would be retired for `winner_text`; `accepted_at` (ISO 8601) once a person has said so.

    There is no winner of what says nothing: both are empty then.
    """

    loser: str
    loser_text: str
    winner: str
    winner_text: str
    rule: str
    reasons: tuple[str, ...]
    accepted_at: str | None = None


def to_proposal(change: Supersede | Withdraw, texts: Mapping[str, str]) -> Proposal:
    """Return what a rule would retire as a person reads it."""
    loser, winner = change.ids if isinstance(change, Supersede) else (change.memory_id, "")
    rule = change.rule if isinstance(change, Supersede) else EMPTY_RULE
    return Proposal(loser, texts[loser], winner, texts.get(winner, ""), rule, change.reasons)


def write_proposals(folder: Path, proposals: Sequence[Proposal], *, at: datetime) -> None:
    """Write the report; nothing in it is accepted yet."""
    report = {
        "made_at": format_time(at),
        "accepted_at": None,
        "except": [],
        "proposals": [asdict(p) for p in proposals],
    }
    _write_report(folder, report)


def add_proposals(folder: Path, proposals: Sequence[Proposal], *, at: datetime) -> int:
    """Add to the report what is not in it, and return how many that are; what a person has excluded stays out."""
    report = read_object(folder / PROPOSALS_FILE)
    if report is None:
        write_proposals(folder, proposals, at=at)
        return len(proposals)
    listed = {(one.loser, one.winner) for one in _proposals_in(report)}
    declined = set(report.get("except") or ())
    new = [one for one in proposals if (one.loser, one.winner) not in listed and one.loser not in declined]
    if new:
        report["proposals"] = [*report["proposals"], *(asdict(one) for one in new)]
        _write_report(folder, report)
    return len(new)


def read_proposals(folder: Path) -> list[Proposal]:
    """Return the open proposals of a memory folder; raises StoreError where there is no report that can be read."""
    return [one for one in _proposals_in(_read_report(folder)) if one.accepted_at is None]


def read_excluded(folder: Path) -> frozenset[str]:
    """Return the memories that a person wants to stay in use; raises StoreError where there is no report."""
    found = _read_report(folder).get("except")
    return frozenset(one for one in (found if isinstance(found, list) else ()) if isinstance(one, str))


def choose_proposals(folder: Path, *, excluded: Collection[str] = ()) -> list[str]:
    """Return the losers of the open proposals but for those in `excluded`.

    Raises StoreError where there is no report, or if `excluded` names a memory that is not proposed.
    """
    found = _proposals_in(_read_report(folder))
    losers = {one.loser for one in found}
    unknown = sorted(set(excluded) - losers)
    if unknown:
        raise StoreError(f"{folder / PROPOSALS_FILE}: {', '.join(unknown)} not proposed; allowed: {sorted(losers)}")
    return sorted({one.loser for one in found if one.accepted_at is None} - set(excluded))


#: What a person has said of the proposals about one memory: when each was accepted, and whether it is to stay in use.
Marks = list[Any]
NO_MARKS: Marks = [[], False]


def read_marks(folder: Path) -> dict[str, Marks]:
    """Return what a person has said of the proposals about each memory; raises StoreError where there is no report."""
    report, marks = _read_report(folder), dict[str, Marks]()
    for one in _proposals_in(report):
        marks.setdefault(one.loser, [[], False])[0].append(one.accepted_at)
    for loser in report.get("except") or ():
        marks.setdefault(loser, [[], False])[1] = True
    return marks


def write_marks(folder: Path, marks: Mapping[str, Marks]) -> None:
    """Put on record what a person says of the proposals about some memories; what came since stays."""
    if not marks:
        return
    report, rows = _read_report(folder), list[dict[str, Any]]()
    rest = {loser: iter(accepted) for loser, (accepted, _) in marks.items()}
    for one in _proposals_in(report):
        rows.append(asdict(replace(one, accepted_at=next(rest.get(one.loser, iter(())), one.accepted_at))))
    kept = set(report.get("except") or ()).difference(marks) | {one for one, (_, is_kept) in marks.items() if is_kept}
    _write_report(folder, {**report, "except": sorted(kept), "proposals": rows})


def accepted_marks(
    marks: Mapping[str, Marks], losers: Collection[str], excluded: Collection[str], *, at: datetime
) -> dict[str, Marks]:
    """Return the marks that differ once the open proposals about `losers` are accepted, and just `excluded` kept."""
    now = {
        loser: [[one or (format_time(at) if loser in losers else None) for one in accepted], loser in excluded]
        for loser, (accepted, _) in {**dict.fromkeys(excluded, NO_MARKS), **marks}.items()
    }
    return {loser: one for loser, one in now.items() if one != marks.get(loser)}


def to_retirements(
    folder: Path, losers: Collection[str], *, at: datetime, cycle: int
) -> Iterator[Supersede | Withdraw]:
    """Yield what retires memories as it is proposed; of several proposals about one, each."""
    for one in _proposals_in(_read_report(folder)):
        why = (*one.reasons, "accepted")
        if one.loser in losers and not one.winner:
            yield Withdraw(memory_id=one.loser, at=at, cycle=cycle, reasons=why)
        elif one.loser in losers:
            yield Supersede(winner_id=one.winner, loser_id=one.loser, at=at, cycle=cycle, rule=one.rule, reasons=why)


def _write_report(folder: Path, report: Mapping[str, Any]) -> None:
    write_atomically(folder / PROPOSALS_FILE, json.dumps(report, ensure_ascii=False, indent=1) + "\n")


def _read_report(folder: Path) -> dict[str, Any]:
    report = read_object(folder / PROPOSALS_FILE)
    if report is None:
        raise StoreError(f"{folder}: no {PROPOSALS_FILE}; allowed: a memory folder that held memories before the pack")
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
