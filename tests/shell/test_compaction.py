"""The files of conflicts and requests do not grow for ever, and lose nothing that still counts (Q-70, T-70)."""

import json
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from conflict_tools import NEW, OLD, ask, made_conflict, rows
from full_disk import full_disk
from memory_ledger.clock import EPOCH
from memory_ledger.inbox import Refresh
from memory_ledger.quality.conflict_record import RequestKind, Resolver, write_conflict
from memory_ledger.store import conflicts, files, journal, lines
from memory_ledger.store.conflicts import ConflictFile
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.lines import LineStore
from memory_ledger.store.requests import Inbox
from remembering import know

BY = [None, Resolver.OPERATOR, Resolver.AGENT, Resolver.AUTOMATIC]
FOREIGN = {"id": "conflict_of_another_version", "more": 1}


@pytest.fixture
def small(monkeypatch) -> None:
    """Let files be rewritten from the first byte on, and keep two settled conflicts."""
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    monkeypatch.setattr(conflicts, "KEPT_SETTLED", 2)


def size(box, name: str) -> int:
    return (box.folder / name).stat().st_size


def test_only_what_the_rules_settled_long_ago_is_left_out(known, small) -> None:
    """Q-70: open ones and a person's or an agent's decisions stay for good, and all is reread identically, in order."""
    book = known.store.conflicts
    LineStore(known.folder / files.CONFLICTS_FILE).append([FOREIGN])
    made = [made_conflict(number) for number in range(4)]
    for number, one in enumerate(made):
        book.record(one, made_conflict(number, by=BY[number]))
    for number in range(10, 40):
        book.record(made_conflict(number), made_conflict(number, by=Resolver.AUTOMATIC))
    names = [one.memories[0] for one in book.get_conflicts()]
    assert names[:3] == ["a0", "a1", "a2"] and "a3" not in names
    assert names[-1] == "a39" and len(names) < 15
    assert ConflictFile(known.folder).get_conflicts() == book.get_conflicts()
    assert book.get_conflicts()[:3] == [made[0], made_conflict(1, by=BY[1]), made_conflict(2, by=BY[2])]
    assert FOREIGN in rows(known)
    assert book.is_decided_by_person("a1", "b1")
    known.restart()
    assert known.store.conflicts.get_conflicts() == book.get_conflicts()


def test_the_file_stays_within_its_bound(known) -> None:
    """T-70: with the real limits, however much is decided again and again."""
    book = known.store.conflicts
    opened = [made_conflict(number) for number in range(50)]
    ceiling = 0
    for round_number in range(120):
        for one in opened:
            book.record(one.model_copy(update={"detected": EPOCH + timedelta(days=round_number)}))
        ceiling = max(ceiling, size(known, files.CONFLICTS_FILE))
    longest = len(json.dumps(write_conflict(opened[0]))) * len(opened)
    assert ceiling <= lines.SMALLEST_SIZE + longest < 120 * longest
    assert ConflictFile(known.folder).get_conflicts() == book.get_conflicts()
    assert len(book.get_conflicts(unresolved=True)) == 50


def test_what_could_not_be_written_is_when_it_can(known) -> None:
    """C-74: told, in order, and known meanwhile; a new process finds it."""
    book, made = known.store.conflicts, [made_conflict(number) for number in range(3)]
    with full_disk(known.folder / files.CONFLICTS_FILE):
        book.record(*made[:2])
    assert book.get_conflicts() == made[:2] and ConflictFile(known.folder).get_conflicts() == []
    assert [files.CONFLICTS_FILE in one.where for one in known.store.problems.take()] == [True]
    known.store.write_owed()
    assert ConflictFile(known.folder).get_conflicts() == made[:2]


def test_the_last_request_about_each_conflict_is_kept(known) -> None:
    """T-70: carried out or refused, with its time; what this version cannot read stays too."""
    LineStore(known.folder / files.INBOX_FILE).append([FOREIGN])
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
    assert len(known.lines(files.INBOX_FILE)) == 1 + 24
    assert FOREIGN in known.lines(files.INBOX_FILE)
    known.restart()
    known.adopt()
    assert Inbox(known.folder).read() == before
    known.adopt()
    assert not known.adopter.has_work()


def keep_last(found: list[dict]) -> list[dict]:
    return list({row["name"]: row for row in found}.values())


HOST = """
import sys
from pathlib import Path
from memory_ledger.store import files
from memory_ledger.store.lines import LineStore
path, rows = Path(sys.argv[1]), [{"name": "host", "n": 1}]
while True:
    LineStore(path).append(rows)
    LineStore(path).rewrite(lambda found: list({row["name"]: row for row in found}.values()))
    print("done", flush=True)
"""


def test_a_terminal_and_a_host_that_is_killed_lose_nothing(tmp_path) -> None:
    """T-70: whatever one process appends is there after the other one has rewritten the file, and was killed."""
    path = tmp_path / "rows.jsonl"
    said = []
    for life in range(3):
        with subprocess.Popen([sys.executable, "-c", HOST, path], stdout=subprocess.PIPE, text=True) as host:
            assert host.stdout is not None
            assert host.stdout.readline() == "done\n"
            for number in range(30):
                said.append({"name": f"request {life} {number}", "n": 1})
                LineStore(path).append(said[-1:])
                if number % 10 == 0:
                    host.stdout.readline()
            host.send_signal(signal.SIGKILL)
        found = list(files.read_lines(path))
        assert [row for row in found if row["name"] != "host"] == said
    LineStore(path).rewrite(keep_last)
    assert len(list(files.read_lines(path))) == len(said) + 1


def _row(action: str, memory: int, winner: int, number: int) -> dict[str, object]:
    return {"action": action, "memory": f"m{memory}", "winner": f"w{winner}", "number": number}


def test_the_journal_keeps_its_latest_lines_and_what_undo_reads(tmp_path, monkeypatch) -> None:
    """T-70: bounded by rewriting; the last change of each kind between two memories stays, however old it is."""
    monkeypatch.setattr(lines, "SMALLEST_SIZE", 0)
    monkeypatch.setattr(journal, "KEPT_LINES", 5)
    book = journal.Journal(tmp_path, ProblemLog())
    book.append([_row("supersede", 1, 1, 0), _row("link", 2, 2, 1)])
    for number in range(2, 200):
        book.append([_row("supersede", 3, 3, number)])
    kept = [row["number"] for row in files.read_lines(tmp_path / files.JOURNAL_FILE)]
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
