"""Two memories that contradict each other, in a memory folder of the tests, and commands about them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from memory_ledger import cli
from memory_ledger.clock import EPOCH
from memory_ledger.inbox import Adopt, ConflictDecision
from memory_ledger.quality.conflict_record import (
    Conflict,
    ConflictType,
    ConflictVerdict,
    Resolver,
    Severity,
    Strategy,
    conflict_id,
    resolve,
)
from memory_ledger.store import files
from memory_ledger.store.proposals import choose_proposals
from memory_ledger.store.requests import Inbox

OLD, NEW = "User's project uses Python 3.9", "User's project uses Python 3.11"
PARTIAL = "User's project uses Python 3.9, which the build server has installed"


def rows(box) -> list[dict]:
    """Return the lines of `conflicts.jsonl`."""
    return box.lines(files.CONFLICTS_FILE)


def decided(box, *, days: int = 1) -> tuple[str, str]:
    """Let a newer memory beat an older one; return loser and winner. Both are saved."""
    old = box.insert(OLD)
    box.adopt()
    box.clock.advance(days=days)
    new = box.insert(NEW)
    box.adopt()
    assert box.validity(old) == "deprecated"
    box.store.save()
    return old, new


def contested(box) -> tuple[str, str]:
    """Let two memories contradict each other at one moment: nobody wins. Both are saved."""
    pair = box.insert(OLD), box.insert(NEW)
    box.adopt()
    box.store.save()
    return pair


def statuses(box, *memory_ids: str) -> list[tuple]:
    """Return the axes and lineages of memories."""
    return [(box.read(one).classification, box.read(one).lineage) for one in memory_ids]


def run(box, capsys, command: str, *argv: str) -> tuple[int, str, str]:
    """Run a command on the folder; return exit code and what it printed."""
    status = cli.main([command, *argv, "--folder", str(box.folder)])
    return status, *capsys.readouterr()


def ask(box, *, at: datetime | None = None, **decision: object) -> None:
    """Ask for a decision, as a person at a terminal does."""
    Inbox(box.folder).append(ConflictDecision(**decision), at=at or box.clock(), by="rosa")


def accept(box, *, at: datetime, excluded: Sequence[str] = ()) -> int:
    """Accept what is proposed, as a person at a terminal does; return how many memories that is about."""
    losers = choose_proposals(box.store.database, excluded=excluded)
    Inbox(box.folder).append(Adopt(memories=losers, excluded=excluded), at=at, by="rosa")
    return len(losers)


def made_conflict(number: int, *, by: Resolver | None = None) -> Conflict:
    """Return a conflict between two memories that need not be there, a day after the one before; resolved if `by`."""
    one, other, at = f"a{number}", f"b{number}", EPOCH + timedelta(days=number)
    found = Conflict(
        id=conflict_id(one, other),
        type=ConflictType.DIRECT,
        memories=(one, other),
        detected=at,
        severity=Severity.LOW,
        description="older: 1; newer: 2; " + "and so on" * 20,
    )
    if by is None:
        return found
    return resolve(found, Strategy.NEWER_WINS, ConflictVerdict.ACCEPTED, winner=other, at=at, by=by)


def source(box, memory_id: str) -> tuple[str, str]:
    """Return source and validity of a memory."""
    axes = box.read(memory_id).classification
    return axes.source.value, axes.validity.value
