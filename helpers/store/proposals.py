"""The report of proposals: memories older than the pack that the rules would retire, once a person agrees.

The first look at a store makes the report, and maintenance adds duplicates. Only the host writes it: what a person
accepts comes through the inbox, is marked here and carried out."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..clock import format_time
from ..errors import StoreError
from ..ledger.changes import EMPTY_RULE, Supersede, Withdraw
from . import db as sqlite
from .database import Database
from .db import StateName


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule would retire the loser for the winner; `accepted_at` (ISO 8601) is set once a person has agreed.

    Id and text of the winner are empty for a loser that says nothing.
    """

    loser: str
    loser_text: str
    winner: str
    winner_text: str
    rule: str
    reasons: tuple[str, ...]
    accepted_at: str | None = None


def to_proposal(change: Supersede | Withdraw, texts: Mapping[str, str]) -> Proposal:
    """Return a retirement as a proposal with the texts of its memories."""
    loser, winner = change.ids if isinstance(change, Supersede) else (change.memory_id, "")
    rule = change.rule if isinstance(change, Supersede) else EMPTY_RULE
    return Proposal(loser, texts[loser], winner, texts.get(winner, ""), rule, change.reasons)


def write_proposals(database: Database, proposals: Sequence[Proposal], *, at: datetime) -> None:
    """Begin a new report, with nothing accepted. Raises OSError where it cannot be kept."""

    def write(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM proposal")
        db.execute("DELETE FROM kept_in_use")
        sqlite.write_state(db, StateName.PROPOSED_AT, format_time(at))
        _insert(db, proposals)

    database.change(write)


def add_proposals(database: Database, proposals: Sequence[Proposal], *, at: datetime) -> int:
    """Add new proposals to the report, without memories that a person has excluded; return how many were added."""

    def add(db: sqlite3.Connection) -> int:
        if sqlite.read_state(db, StateName.PROPOSED_AT) is None:
            sqlite.write_state(db, StateName.PROPOSED_AT, format_time(at))
        declined = _kept_in_use(db)
        return _insert(db, (proposal for proposal in proposals if proposal.loser not in declined))

    return database.change(add)


def _insert(db: sqlite3.Connection, proposals: Iterable[Proposal]) -> int:
    before = db.total_changes
    for proposal in proposals:
        texts, reasons = sqlite.to_json((proposal.loser_text, proposal.winner_text)), sqlite.to_json(proposal.reasons)
        columns = "(loser, winner, texts, rule, reasons)"
        values = (proposal.loser, proposal.winner, texts, proposal.rule, reasons)
        db.execute(f"INSERT OR IGNORE INTO proposal {columns} VALUES (?, ?, ?, ?, ?)", values)
    return db.total_changes - before


def read_proposals(database: Database) -> list[Proposal]:
    """Return the open proposals of a memory folder; raises StoreError where there is no report that can be read."""
    return [proposal for proposal in _read_report(database)[0] if proposal.accepted_at is None]


def read_excluded(database: Database) -> frozenset[str]:
    """Return the ids of memories that a person wants to stay in use; raises StoreError where there is no report."""
    return _read_report(database)[1]


def count_proposals(database: Database) -> int:
    """Return the number of open proposals, 0 without a report. Raises OSError where the database cannot be read."""
    statement = "SELECT count(*) FROM proposal WHERE accepted_at IS NULL"
    return int(database.ask(lambda db: db.execute(statement).fetchone()[0]))


def choose_proposals(database: Database, *, excluded: Collection[str] = ()) -> list[str]:
    """Return the losers of the open proposals but for those in `excluded`.

    Raises StoreError where there is no report, or if `excluded` names a memory that is not proposed.
    """
    proposals, _ = _read_report(database)
    losers = {proposal.loser for proposal in proposals}
    unknown = sorted(set(excluded) - losers)
    if unknown:
        raise StoreError(f"{database.folder}: {', '.join(unknown)} not proposed; allowed: {sorted(losers)}")
    return sorted({proposal.loser for proposal in proposals if proposal.accepted_at is None} - set(excluded))


#: A person's answers to the proposals about one memory: when each was accepted, and whether it is to stay in use.
Marks = list[Any]
NO_MARKS: Marks = [[], False]


def read_marks(database: Database) -> dict[str, Marks]:
    """Return a person's answers to the proposals, by memory; raises StoreError where there is no report."""
    (proposals, excluded), marks = _read_report(database), dict[str, Marks]()
    for proposal in proposals:
        marks.setdefault(proposal.loser, [[], False])[0].append(proposal.accepted_at)
    for loser in sorted(excluded):
        marks.setdefault(loser, [[], False])[1] = True
    return marks


def write_marks(database: Database, marks: Mapping[str, Marks]) -> None:
    """Record a person's answers to the proposals about some memories; newer proposals stay open."""

    def write(db: sqlite3.Connection) -> None:
        for loser, (accepted, is_kept) in marks.items():
            numbers = db.execute("SELECT number FROM proposal WHERE loser = ? ORDER BY number", (loser,)).fetchall()
            for (number,), accepted_at in zip(numbers, accepted, strict=False):
                db.execute("UPDATE proposal SET accepted_at = ? WHERE number = ?", (accepted_at, number))
            statement = "INSERT OR IGNORE INTO kept_in_use VALUES (?)"
            db.execute(statement if is_kept else "DELETE FROM kept_in_use WHERE memory = ?", (loser,))

    if marks:
        _read_report(database)
        database.change(write)


def accepted_marks(
    marks: Mapping[str, Marks], losers: Collection[str], excluded: Collection[str], *, at: datetime
) -> dict[str, Marks]:
    """Return the marks that change if the proposals about `losers` are accepted, and only `excluded` stay in use."""
    now = {
        loser: [
            [accepted_at or (format_time(at) if loser in losers else None) for accepted_at in accepted],
            loser in excluded,
        ]
        for loser, (accepted, _) in {**dict.fromkeys(excluded, NO_MARKS), **marks}.items()
    }
    return {loser: entry for loser, entry in now.items() if entry != marks.get(loser)}


def to_retirements(
    database: Database, losers: Collection[str], *, moment: datetime, cycle: int
) -> Iterator[Supersede | Withdraw]:
    """Yield the changes that retire `losers` as proposed, one for each proposal."""
    for proposal in _read_report(database)[0]:
        reasons = (*proposal.reasons, "accepted")
        if proposal.loser in losers and not proposal.winner:
            yield Withdraw(memory_id=proposal.loser, at=moment, cycle=cycle, reasons=reasons)
        elif proposal.loser in losers:
            yield Supersede(
                winner_id=proposal.winner,
                loser_id=proposal.loser,
                at=moment,
                cycle=cycle,
                rule=proposal.rule,
                reasons=reasons,
            )


def _read_report(database: Database) -> tuple[list[Proposal], frozenset[str]]:
    report = database.read(_query)
    if report is None:
        raise StoreError(
            f"{database.folder}: no report of proposals; allowed: a folder that held memories before the pack"
        )
    return report


def _query(db: sqlite3.Connection) -> tuple[list[Proposal], frozenset[str]] | None:
    if sqlite.read_state(db, StateName.PROPOSED_AT) is None:
        return None
    rows = db.execute("SELECT loser, winner, texts, rule, reasons, accepted_at FROM proposal ORDER BY number")
    proposals = []
    for loser, winner, texts, rule, reasons, accepted_at in rows:
        loser_text, winner_text = sqlite.from_json(texts) or ("", "")
        reasons = tuple(sqlite.from_json(reasons) or ())
        proposals.append(Proposal(loser, loser_text, winner, winner_text, rule, reasons, accepted_at))
    return proposals, _kept_in_use(db)


def _kept_in_use(db: sqlite3.Connection) -> frozenset[str]:
    return frozenset(str(memory) for (memory,) in db.execute("SELECT memory FROM kept_in_use"))
