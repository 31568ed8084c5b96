"""`ledger.db` lost, damaged or slow while it holds what a person has said (issue 48)."""

import json
import sqlite3
import threading
from pathlib import Path

import pytest
from conflict_tools import ask, contested, made_conflict, run
from full_disk import full_disk
from ledger_rows import rows_of
from memory_ledger.clock import parse_time
from memory_ledger.inbox import AnswerOutcome, Erase, InboxAnswer, SwitchRule
from memory_ledger.ledger.changes import Contest
from memory_ledger.quality.conflict_record import Resolver, write_conflict
from memory_ledger.store import damage, deadline, files, rows
from memory_ledger.store import database as database_module
from memory_ledger.store.conflicts import ConflictBook, ConflictRecord
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.database import Database
from memory_ledger.store.deadline import keep_deadlines
from memory_ledger.store.journal import append_lines, read_journal
from memory_ledger.store.requests import Inbox
from test_database import ADD, add, memories, names, told

NOW = parse_time("2026-03-01T12:00:00Z")
GARBAGE = b"garbage" * 1_000


@pytest.fixture
def database(tmp_path: Path) -> Database:
    damage.notices.take()
    return Database(tmp_path, ProblemLog())


def book_of(database: Database) -> ConflictBook:
    return ConflictBook(database, lambda _: None, lambda _: True, lambda *_: None)


def answered(database: Database, asked: SwitchRule) -> None:
    """Ask for something, and let it be answered."""
    inbox = Inbox(database.folder, database)
    inbox.append(asked, at=NOW, by="person")
    waiting = [request.id for request in inbox.read() if request.answer is None]
    inbox.settle({name: InboxAnswer(outcome=AnswerOutcome.DONE, at=NOW) for name in waiting})


def word(memory_id: str) -> SwitchRule:
    return SwitchRule(memories=(memory_id,), is_on=False)


def filled(database: Database) -> None:
    """A journal, a decided conflict and a request, with a backup and an export."""
    append_lines(database, [{"action": "supersede", "memory": "m1", "winner": "m2"}])
    answered(database, word("m7"))
    book = book_of(database)
    book.record(made_conflict(1, by=Resolver.OPERATOR))
    book.export()
    database.back_up()


def is_filled(database: Database) -> bool:
    """Whether all of that is there."""
    asked = [request.asked for request in Inbox(database.folder).read()]
    [conflict] = ConflictRecord(database).get_conflicts()
    return len(read_journal(database)) == 1 and asked == [word("m7")] and conflict.is_decided_by_person


MISTAKES = {
    "no such table": lambda db: db.execute("INSERT INTO nowhere VALUES (1)"),
    "against a rule": lambda db: db.executemany(ADD, [("half",), ("m1",)]),
    "no statement": lambda _: {}["missing"],
    "a number that is too large": lambda db: db.execute("DELETE FROM access WHERE number = ?", (2**70,)),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
@pytest.mark.parametrize("is_host", [False, True])
def test_one_owed_change_that_fails_neither_keeps_nor_drops_the_others(database, mistake, is_host) -> None:
    """Issue 48: the change goes, whole; those before and after it are made, and later ones too."""
    add(database, "m1")
    if is_host:
        keep_deadlines(30)
    try:
        with full_disk(database.path):
            database.change_later(lambda db: db.execute(ADD, ("m2",)))
            database.change_later(mistake)
            database.change_later(lambda db: db.execute(ADD, ("m3",)))
            database.settle()
        database.change_later(lambda db: db.execute(ADD, ("m4",)))
        writers = [thread for thread in threading.enumerate() if thread.name == "memory-ledger-database"]
        [writer.join(60) for writer in writers]
        assert database.settle() and database._writer is None
    finally:
        deadline._deadlines.seconds = None
    assert memories(Database(database.folder)) == ["m1", "m2", "m3", "m4"]


@pytest.mark.parametrize("state", ["missing", "empty", "without a table", "garbage", "cut"])
@pytest.mark.parametrize("first", ["read", "change", "back up"])
def test_a_lost_database_comes_from_its_backup(database, state, first) -> None:
    """Issue 48: what is missing or empty is no new database where a backup tells otherwise."""
    filled(database)
    path = database.path
    if state == "missing":
        path.unlink()
    elif state == "without a table":
        path.unlink()
        sqlite3.connect(path).execute("VACUUM")
    else:
        path.write_bytes({"empty": b"", "garbage": GARBAGE, "cut": path.read_bytes()[:5_000]}[state])
    again = Database(database.folder)
    if first == "change":
        add(again, "m9")
    elif first == "back up":
        again.back_up()
    assert is_filled(again)
    assert sum("made again from ledger_backup.db" in words for words in told()) == 1
    path.unlink()
    assert is_filled(Database(database.folder))
    allowed = {"ledger.db", "ledger.db-journal", "ledger_backup.db", "conflicts.jsonl"}
    assert {name for name in names(database.folder) if ".damaged" not in name} <= allowed


def test_nobody_overwrites_what_another_process_has_made_again(database, monkeypatch) -> None:
    """Two processes find it lost: the second takes what the first has put there and changed since."""
    filled(database)
    database.path.unlink()
    other, write = Database(database.folder), files.write_atomically

    def write_late(path: Path, *args: object, **more: object) -> None:
        write(path, *args, **more)
        if not database.path.exists() and path.name.startswith("."):
            monkeypatch.setattr(files, "write_atomically", write)
            database_module._locks.clear()  # the other one is no thread of this process
            add(other, "m9")

    monkeypatch.setattr(files, "write_atomically", write_late)
    assert is_filled(Database(database.folder)) and memories(other) == ["m9"]
    assert "ledger.db.damaged" not in names(database.folder)


def test_a_damaged_backup_is_kept_and_a_later_one_left_alone(database) -> None:
    filled(database)
    database.backup.write_bytes(GARBAGE)
    database.path.unlink()
    assert memories(Database(database.folder)) == []
    assert (database.folder / "ledger_backup.db.damaged").read_bytes() == GARBAGE
    add(database, "m1")
    database.back_up()
    with sqlite3.connect(database.backup) as db:
        db.execute("PRAGMA user_version = 99")
    before = database.backup.read_bytes()
    database.path.unlink()
    with pytest.raises(OSError, match="of version 99"):
        add(Database(database.folder), "m2")
    assert memories(Database(database.folder)) == []
    assert database.backup.read_bytes() == before and not database.path.exists()


def test_a_conflict_that_was_taken_back_stays_away(database) -> None:
    """Issue 48: the backup knows it as open; what says otherwise is the export, which is newer."""
    book = book_of(database)
    first, second = made_conflict(1), made_conflict(2)
    book.record(first, second)
    database.back_up()
    book.put_back(first.id, None)
    book.put_back(second.id, made_conflict(2, by=Resolver.OPERATOR))
    book.export()
    database.path.write_bytes(GARBAGE)
    [left] = ConflictRecord(Database(database.folder)).get_conflicts()
    assert left.id == second.id and left.is_decided_by_person
    book.put_back(second.id, None)
    book.export()
    database.path.write_bytes(GARBAGE)
    assert ConflictRecord(Database(database.folder)).get_conflicts() == []


@pytest.mark.parametrize("is_short", [True, False])
def test_a_decision_that_could_not_be_read_is_kept(box, monkeypatch, is_short) -> None:
    """Issue 48: a lock or a slow disk at the start: what a rule finds then takes back no word of a person."""
    pair = contested(box)
    ask(box, action="dismiss", memories=pair)
    box.restart(is_saved=True)
    box.adopt()
    box.restart(is_saved=True)
    assert box.store.conflicts.is_decided_by_person(*pair)
    monkeypatch.setattr("memory_ledger.store.conflicts._RETRY_SECONDS", 0.0 if is_short else 60.0)
    contest = Contest(older_id=pair[0], newer_id=pair[1], at=box.clock(), rule="C-41", reasons=("both hold",))
    with monkeypatch.context() as patch:
        patch.setattr(database_module.sqlite, "_BUSY_SECONDS", 0.01)
        lock = sqlite3.connect(box.folder / "ledger.db", isolation_level=None)
        lock.execute("BEGIN EXCLUSIVE")
        box.restart()
        if not is_short:
            box.store.conflicts.note_contest(contest)
        lock.execute("ROLLBACK")
        lock.close()
    box.store.conflicts.note_contest(contest)
    box.store.save_state()
    monkeypatch.setattr("memory_ledger.store.conflicts._RETRY_SECONDS", 0.0)
    assert box.store.conflicts.is_decided_by_person(*pair)
    for row in (*box.rows_of("conflict"), *box.lines(files.CONFLICTS_FILE)):
        assert row["resolution"]["resolvedBy"] == "operator"


@pytest.mark.parametrize("export", [None, b"", b'{"id": "con'])
def test_a_lost_export_takes_no_conflict_along(database, export) -> None:
    filled(database)
    path = database.folder / files.CONFLICTS_FILE
    path.unlink() if export is None else path.write_bytes(export)
    database.path.write_bytes(GARBAGE)
    assert is_filled(Database(database.folder))


def test_no_backup_is_newer_than_the_export(database) -> None:
    """Else an old export would undo, in a database that is made again, what the backup knows better."""
    book = book_of(database)
    book.record(made_conflict(1))
    database.back_up()
    before = database.backup.read_bytes()
    book.record(made_conflict(1, by=Resolver.OPERATOR))
    with full_disk(database.folder / files.CONFLICTS_FILE), pytest.raises(OSError, match=r"conflicts\.jsonl"):
        database.back_up()
    assert database.backup.read_bytes() == before
    database.back_up()
    assert json.loads((database.folder / files.CONFLICTS_FILE).read_text())["resolution"] is not None


def test_what_waits_is_in_no_backup(database) -> None:
    """T-64: it would be done again; and a request to erase names what is erased."""
    filled(database)
    Inbox(database.folder).append(Erase(memories=("m4711",)), at=NOW, by="person")
    database.back_up()
    assert b"m4711" not in database.backup.read_bytes()
    database.path.write_bytes(GARBAGE)
    assert is_filled(Database(database.folder))


@pytest.mark.parametrize("has_backup", [True, False])
@pytest.mark.parametrize("is_readable", [True, False])
def test_what_waits_comes_from_the_damaged_database(box, capsys, has_backup, is_readable) -> None:
    """T-64, issue 48: it is in no backup; where it cannot be read, the person is told to ask again."""
    box.learn("User lives in Oslo")
    gone = box.learn("User likes tea")
    box.restart(is_saved=True)
    if has_backup:
        box.store.database.back_up()
    assert run(box, capsys, "erase", gone)[0] == 0
    data = bytearray((box.folder / "ledger.db").read_bytes())
    [[page]] = box.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'secret'")
    begin = (page - 1) * 4096 if is_readable else 0
    data[begin : begin + 4096] = b"\xa5" * 4096
    (box.folder / "ledger.db").write_bytes(data)
    damage.notices.take()
    assert run(box, capsys, "conflicts")[0] == 0
    waiting = [request.asked for request in Inbox(box.folder).read() if request.answer is None]
    assert waiting == ([Erase(memories=(gone,))] if is_readable else [])
    assert any("has to be asked again" in words for words in told()) != is_readable


def test_two_exports_and_an_erasure_end_with_what_the_table_says(database, monkeypatch) -> None:
    """Issue 48: who has read the table before it changed does not write after who has read it later."""
    book, write = book_of(database), files.write_atomically
    first, second = made_conflict(1), made_conflict(2)
    book.record(first)
    has_begun, may_end = threading.Event(), threading.Event()

    def write_late(path: Path, *args: object, **more: object) -> None:
        if threading.current_thread().name == "late":
            has_begun.set()
            may_end.wait(1)
        write(path, *args, **more)

    monkeypatch.setattr(files, "write_atomically", write_late)
    late = threading.Thread(target=book.export, name="late")
    late.start()
    has_begun.wait(10)

    def change() -> None:
        book.forget(first.memories[0])
        database.change(lambda db: db.execute("DELETE FROM conflict WHERE id = ?", (first.id,)))
        book.record(second)
        book.export()

    other = threading.Thread(target=change)
    other.start()
    other.join(0.2)
    may_end.set()
    other.join(10)
    late.join(10)
    book.export()
    path = database.folder / files.CONFLICTS_FILE
    assert [json.loads(line) for line in path.read_text().splitlines()] == [write_conflict(second)]


def test_a_conflict_that_comes_while_others_are_exported_is_exported_too(database, monkeypatch) -> None:
    book, write = book_of(database), files.write_atomically
    book.record(made_conflict(1))

    def write_and_change(path: Path, *args: object, **more: object) -> None:
        write(path, *args, **more)
        monkeypatch.setattr(files, "write_atomically", write)
        book.record(made_conflict(2))

    monkeypatch.setattr(files, "write_atomically", write_and_change)
    book.export()
    book.export()
    assert len((database.folder / files.CONFLICTS_FILE).read_text().splitlines()) == 2


def test_a_commit_that_comes_late_writes_nothing_twice(database, monkeypatch) -> None:
    """Issue 48: nobody waits any more, and the change is owed; then it is on the disk after all."""
    add(database, "m0")
    transaction, is_slow = database_module.sqlite.transaction, threading.Event()

    class Slow:
        def __init__(self, db: sqlite3.Connection) -> None:
            self._inner = transaction(db)

        def __enter__(self) -> None:
            self._inner.__enter__()

        def __exit__(self, *exc: object) -> object:
            if not is_slow.is_set():
                is_slow.set()
                threading.Event().wait(0.5)
            return self._inner.__exit__(*exc)

    monkeypatch.setattr(database_module.sqlite, "transaction", Slow)
    keep_deadlines(0.1)
    try:
        append_lines(database, [{"action": "supersede", "memory": "m1"}, {"action": "supersede", "memory": "m1"}])
        database.settle()
        deadline._deadlines.seconds = 30
        [thread.join(60) for thread in threading.enumerate() if thread.name.startswith("memory-ledger")]
        append_lines(database, [{"action": "restore", "memory": "m1"}])
        assert database.settle()
    finally:
        deadline._deadlines.seconds = None
    assert is_slow.is_set()
    assert [row["action"] for row in rows_of(database.folder, "event")] == ["supersede", "supersede", "restore"]


def test_a_row_that_is_no_json_costs_no_other_row(database, monkeypatch) -> None:
    """C-75: a flipped bit that SQLite does not find; it is told once, and the row goes with what it reveals."""
    monkeypatch.setattr(rows, "KEPT_LINES", 2)
    monkeypatch.setattr(rows, "_DROPPED_AT", 5)
    filled(database)
    for table in ("event", "conflict", "request"):
        database.change(lambda db, table=table: db.execute(f"INSERT INTO {table} (line) VALUES (?)", ('{"id": "m1" ',)))
    assert is_filled(database) and Inbox(database.folder).last_word(word("m7").about) is not None
    assert sum("not readable in 1 line" in words for words in told()) == 3
    assert is_filled(database) and told() == []
    for number in range(9):
        append_lines(database, [{"action": "supersede", "number": number}])
    assert read_journal(database)[-1]["number"] == 8
