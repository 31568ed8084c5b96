"""The files of conflicts and requests do not grow for ever, and lose nothing that still counts (Q-70, T-70)."""

from datetime import timedelta

import pytest
from conflict_tools import NEW, OLD, ask, made_conflict
from full_disk import full_disk
from ledger_rows import add_row
from memory_ledger.clock import EPOCH
from memory_ledger.inbox import Refresh
from memory_ledger.quality.conflict_record import Conflict, RequestKind, Resolver
from memory_ledger.store import files, journal, rows
from memory_ledger.store.conflicts import ConflictRecord
from memory_ledger.store.database import Database
from memory_ledger.store.requests import Inbox
from remembering import know

BY = [None, Resolver.OPERATOR, Resolver.AGENT, Resolver.AUTOMATIC]
FOREIGN = {"id": "conflict_of_another_version", "more": 1}


@pytest.fixture
def small(monkeypatch) -> None:
    """Keep two settled conflicts."""
    monkeypatch.setattr(rows, "KEPT_SETTLED", 2)


def recorded(known) -> list[Conflict]:
    """Return the conflicts as another process finds them."""
    known.store.database.settle()
    return ConflictRecord(Database(known.folder)).get_conflicts()


def test_only_what_the_rules_settled_long_ago_is_left_out(known, small) -> None:
    """Q-70: open ones and a person's or an agent's decisions stay for good, and all is reread identically, in order."""
    book = known.store.conflicts
    add_row(known.folder, "conflict", FOREIGN)
    made = [made_conflict(number) for number in range(4)]
    for number, one in enumerate(made):
        book.record(one, made_conflict(number, by=BY[number]))
    for number in range(10, 40):
        book.record(made_conflict(number), made_conflict(number, by=Resolver.AUTOMATIC))
    kept = recorded(known)
    assert [one.memories[0] for one in kept] == ["a0", "a1", "a2", "a38", "a39"]
    assert kept[:3] == [made[0], made_conflict(1, by=BY[1]), made_conflict(2, by=BY[2])]
    assert FOREIGN in known.rows_of("conflict")
    known.restart()
    assert known.store.conflicts.get_conflicts() == kept
    assert known.store.conflicts.is_decided_by_person("a1", "b1")


def test_what_is_decided_again_and_again_stays_one_row(known) -> None:
    """T-70, Q-58: and the export has one line for each conflict."""
    book = known.store.conflicts
    opened = [made_conflict(number) for number in range(5)]
    for round_number in range(12):
        for one in opened:
            book.record(one.model_copy(update={"detected": EPOCH + timedelta(days=round_number)}))
    assert recorded(known) == book.get_conflicts() and len(known.rows_of("conflict")) == 5
    known.store.save_state()
    assert known.lines(files.CONFLICTS_FILE) == known.rows_of("conflict")


def test_what_could_not_be_written_is_when_it_can(known) -> None:
    """C-74: told, in order, and known meanwhile; a new process finds it."""
    book, made = known.store.conflicts, [made_conflict(number) for number in range(3)]
    with full_disk(known.store.database.path):
        book.record(*made[:2])
        known.store.database.settle()
    assert book.get_conflicts() == made[:2] and ConflictRecord(Database(known.folder)).get_conflicts() == []
    assert [files.DATABASE_FILE in one.where for one in known.store.problems.take()] == [True]
    assert recorded(known) == made[:2]


def test_the_last_request_about_each_conflict_is_kept(known) -> None:
    """T-70: carried out or refused, with its time; what this version cannot read stays too."""
    add_row(known.folder, "request", FOREIGN)
    pairs = [(known.insert(OLD), known.insert(NEW)) for _ in range(3)]
    known.adopt()
    for number in range(30):
        at = known.clock() + timedelta(seconds=number)
        for pair in pairs:
            ask(known, at=at, action=RequestKind.DISMISS, memories=pair)
        ask(known, at=at, action=RequestKind.KEEP, memories=("gone", "x"), keep="gone")
        Inbox(known.folder).append(Refresh(memories=("gone",)), at=at, by=None)
        known.adopt()
    before = Inbox(known.folder).read()
    assert {one.at for one in before if one.asked is not None} == {at}
    assert sorted(one.answer.outcome for one in before) == ["done"] * 23 + ["refused"]
    assert len(known.rows_of("request")) == 1 + 24
    assert FOREIGN in known.rows_of("request")
    known.restart()
    known.adopt()
    assert Inbox(known.folder).read() == before
    known.adopt()
    assert not known.adopter.has_work()


def _row(action: str, memory: int, winner: int, number: int) -> dict[str, object]:
    return {"action": action, "memory": f"m{memory}", "winner": f"w{winner}", "number": number}


def test_the_journal_keeps_its_latest_lines_and_what_undo_reads(tmp_path, monkeypatch) -> None:
    """T-70: it is bounded; the last change of each kind between two memories stays, however old it is."""
    monkeypatch.setattr(rows, "KEPT_LINES", 5)
    monkeypatch.setattr(rows, "_DROPPED_AT", 10)
    database = Database(tmp_path)
    journal.append_lines(database, [_row("supersede", 1, 1, 0), _row("link", 2, 2, 1)])
    for number in range(2, 200):
        journal.append_lines(database, [_row("supersede", 3, 3, number)])
    kept = [row["number"] for row in journal.read_journal(database)]
    assert kept[0] == 0 and 1 not in kept
    assert kept[-1] == 199
    assert len(kept) < 20


def test_a_retirement_with_unknown_fields_is_brought_back(known) -> None:
    """T-70: all of it that this version knows."""
    row = {"action": "supersede", "memory": "a", "winner": "b", "from": "inferred", "more": 1}
    before = {"memory": {"superseded_by": "x", "strength": 3}, "third": 1}
    loser = know(known, "The user likes tea")
    found = journal.find_retirement([row | {"memory": loser, "before": before}], known.read(loser), "b")
    assert (found.validity, found.lineage.superseded_by) == ("inferred", "x")
