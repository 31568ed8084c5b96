"""`ledger.db`: damaged, full, of another version, of two processes, killed; and what older versions kept in files."""

import errno
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from full_disk import full_disk
from memory_ledger.store import damage, deadline, files
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.database import Database
from memory_ledger.store.deadline import keep_deadlines
from memory_ledger.store.docstore_file import is_of_host
from memory_ledger.store.proposals import count_proposals, read_marks, read_proposals, write_marks
from memory_ledger.store.tables import FolderState, find_state

ADD = "INSERT INTO secret VALUES (?, '[]')"
COUNTED = {"recall_cycle": 5, "loop_count": 9, "first_seen": "2026-03-01T12:00:00+00:00"}


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path, ProblemLog())


@pytest.fixture(autouse=True)
def nothing_told() -> Iterator[None]:
    damage.notices.take()
    yield


def told() -> list[str]:
    return [f"{Path(one.where).name} is {one.found}; {one.allowed}" for one in damage.notices.take()]


def add(database: Database, *memory_ids: str) -> None:
    database.change(lambda db: db.executemany(ADD, [(one,) for one in memory_ids]))


def memories(database: Database) -> list[str]:
    return [str(memory_id) for (memory_id,) in database.rows("SELECT memory FROM secret ORDER BY memory")]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def run(script: str, folder: Path) -> subprocess.Popen[str]:
    begin = "import sys; from pathlib import Path; from memory_ledger.store.database import Database\n"
    program = f"{begin}database = Database(Path(sys.argv[1]))\n{script}"
    return subprocess.Popen([sys.executable, "-c", program, folder], stdout=subprocess.PIPE, text=True)


def test_who_only_reads_leaves_nothing(database: Database) -> None:
    """T-64: looking into a folder changes nothing in it, whatever an older version has left there."""
    assert memories(database) == [] and names(database.folder) == set()
    (database.folder / "state.json").write_text(json.dumps({"store": COUNTED}))
    assert find_state(database.folder).loop_count == 9 and names(database.folder) == {"state.json"}


def test_a_change_is_whole_or_not_at_all(database: Database) -> None:
    add(database, "m1")
    with pytest.raises(sqlite3.IntegrityError):
        add(database, "m2", "m1")
    assert memories(database) == ["m1"]


@pytest.mark.parametrize("damaged", ["garbage", "cut", "without a table", "of other types", "a folder", "a pipe"])
def test_damaged_is_set_aside_and_begun_anew(damaged: str, database: Database) -> None:
    """C-75: told once; what SQLite has left beside it is not played into the new one."""
    add(database, *(f"m{number:05}" for number in range(2_000)))
    path = database.path
    data = path.read_bytes()
    if damaged == "garbage":
        path.write_bytes(b"garbage" * 1_000)
    elif damaged == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damaged == "without a table":
        sqlite3.connect(path).execute("DROP TABLE access")
    elif damaged == "of other types":
        change = sqlite3.connect(path, isolation_level=None)
        change.executescript(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'kinds TEXT', 'kinds INTEGER');"
        )
    else:
        path.unlink()
        path.mkdir() if damaged == "a folder" else os.mkfifo(path)
    journal = path.with_name("ledger.db-journal")
    journal.write_bytes(b"\0" * 600)
    again = Database(database.folder)
    assert memories(again) == [] and "ledger.db.damaged" in names(database.folder)
    add(again, "new")
    assert memories(Database(database.folder)) == ["new"]
    [words] = told()
    assert words.startswith("ledger.db is ") and words.endswith("the old content is kept as ledger.db.damaged")


def test_a_later_version_is_left_alone(database: Database) -> None:
    """T-64: whoever goes back to an older version of the pack loses nothing."""
    add(database, "m1")
    with sqlite3.connect(database.path) as db:
        db.execute("PRAGMA user_version = 99")
    before = database.path.read_bytes()
    again = Database(database.folder, damage := ProblemLog())
    assert memories(again) == []
    with pytest.raises(OSError, match="of version 99"):
        add(again, "m2")
    again.change_later(lambda db: db.execute(ADD, ("m3",)))
    assert database.path.read_bytes() == before
    assert ["of version 99" in one.found for one in damage.take()] == [True, True]


def test_what_cannot_be_written_is_owed(database: Database) -> None:
    """C-74: told once; written with the next change, in its order, and by no later process."""
    add(database, "m0")
    damage = database._problems
    with full_disk(database.path):
        for name in ("m1", "m2"):
            database.change_later(lambda db, name=name: db.execute(ADD, (name,)))
        with pytest.raises(OSError, match="readonly") as raised:
            add(database, "m9")
        assert raised.value.errno == errno.EROFS and not database.settle()
        assert memories(database) == ["m0"]
    assert ["not written" in one.found for one in damage.take()] == [True]
    add(database, "m3")
    assert memories(database) == ["m0", "m1", "m2", "m3"] and damage.take() == []


def test_a_full_disk(database: Database) -> None:
    add(database, "m1")
    size = database.path.stat().st_size
    script = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
try:
    database.change(lambda db: db.executemany({ADD!r}, [(f"m{{n}}" * 50,) for n in range(1000)]))
except OSError as exc:
    print(type(exc).__name__, database.rows("SELECT memory FROM secret"))
"""
    assert run(script, database.folder).communicate()[0].strip() == "OSError [('m1',)]"
    assert memories(Database(database.folder)) == ["m1"] and told() == []


def test_a_mistake_of_ours_keeps_nothing_else_from_being_written(database: Database) -> None:
    database.change_later(lambda db: db.execute("INSERT INTO nowhere VALUES (1)"))
    assert database.settle()
    database.change_later(lambda db: db.execute(ADD, ("m1",)))
    assert memories(database) == ["m1"] and told() == []


def test_nobody_in_a_host_waits_for_what_is_written_later(database: Database) -> None:
    add(database, "m0")
    keep_deadlines(30)
    try:
        holder = sqlite3.connect(database.path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        database.change_later(lambda db: db.execute(ADD, ("m1",)))
        assert any(one.name == "memory-ledger-database" for one in threading.enumerate())
        holder.execute("ROLLBACK")
        holder.close()
        assert database.settle() and memories(database) == ["m0", "m1"]
    finally:
        deadline._deadlines.seconds = None


def test_two_processes_lose_nothing(database: Database) -> None:
    script = "for n in range(40): database.change(lambda db: db.execute({!r}, (f'other{{n:02}}',)))"
    other = run(script.format(ADD).replace("{{", "{").replace("}}", "}"), database.folder)
    for number in range(40):
        add(database, f"own{number:02}")
    assert other.communicate(timeout=60) == ("", None) and other.returncode == 0
    assert len(memories(database)) == 80


def test_a_killed_process_leaves_the_last_change_whole(database: Database) -> None:
    """T-64: two rows of one change are both there, or neither, wherever it was killed; what was told is kept."""
    script = f"""
for n in range(10_000):
    database.change(lambda db: db.executemany({ADD!r}, [(f"a{{n}}",), (f"b{{n}}",)]))
    print(n, flush=True)
"""
    for number in range(3):
        writer = run(script, database.folder)
        assert writer.stdout is not None
        acknowledged = -1
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged == number + 1:
                break
        writer.send_signal(signal.SIGKILL)
        writer.communicate(timeout=60)
        found = memories(Database(database.folder))
        assert {one[1:] for one in found if one[0] == "a"} == {one[1:] for one in found if one[0] == "b"}
        assert f"a{acknowledged}" in found and told() == []
        Database(database.folder).change(lambda db: db.execute("DELETE FROM secret"))


def test_what_is_deleted_is_in_no_byte_of_the_folder(database: Database) -> None:
    add(database, *(f"the secret of number {number} {'x' * 300}" for number in range(500)))
    database.change(lambda db: db.execute("DELETE FROM secret WHERE memory LIKE '%number 2%'"))
    database.change(lambda db: db.execute("DELETE FROM secret"))
    assert not [path for path in database.folder.iterdir() if b"the secret" in path.read_bytes()]


def test_older_files_go_and_what_is_newer_stays(database: Database) -> None:
    """T-64: what they say is found again in the memories, or was moved before."""
    for name in ("ledger_accesses.jsonl", "ledger_turns.json", "duplicates.jsonl"):
        (database.folder / name).write_text('{"id": "m1"}\n')
    (database.folder / "ledger_secrets.jsonl").mkdir()
    path = database.folder / "state.json"
    for counted in (COUNTED, {"loop_count": 2}):  # as if the process had been killed before the file went
        path.write_text(json.dumps({"store": counted}))
        add(database, str(counted["loop_count"]))
        assert find_state(database.folder).loop_count == 9
    assert names(database.folder) == {"ledger.db", "ledger.db-journal", "ledger_secrets.jsonl"}


def test_an_older_report_keeps_what_a_person_has_said(database: Database) -> None:
    """design.md (Storage): accepted is accepted, kept in use stays so; a row that is none is left out."""
    row = {"loser_text": "old \ud83d", "winner_text": "new", "rule": "C-44", "reasons": ["newer"]}
    first = {**row, "loser": "m1", "winner": "m2", "accepted_at": "2026-03-01T12:00:00+00:00"}
    rows = [first, {**row, "loser": "m3", "winner": "m2", "accepted_at": None}, {"loser": "m4"}]
    report = {"made_at": "2026-03-01T12:00:00+00:00", "accepted_at": None, "except": ["m3"], "proposals": rows}
    (database.folder / "ledger_proposals.json").write_text(json.dumps(report))
    expected = {"m1": [["2026-03-01T12:00:00+00:00"], False], "m3": [[None], True]}
    assert read_marks(database) == expected
    write_marks(database, {"m3": [[None], True]})
    assert read_marks(database) == expected and count_proposals(database) == 1
    assert read_proposals(database)[0].loser_text == "old \ud83d"
    assert "ledger_proposals.json" not in names(database.folder)


@pytest.mark.parametrize(
    ("folder", "root", "name"),
    [
        ("usr/memory/default", "usr/memory", "default"),
        ("usr/memory/team/x", "usr/memory", "team/x"),
        ("usr/projects/heron/.a0proj/memory", "usr/memory", "projects/heron"),
        ("usr/projects/heron/.a0proj/memory", "memory", "projects/heron"),
    ],
)
def test_the_counters_of_each_folder_are_moved(folder: str, root: str, name: str, tmp_path: Path) -> None:
    """T-06: those of the other folders stay until these are opened; the last takes the file along."""
    path, place = tmp_path / root / "state.json", tmp_path / folder
    path.parent.mkdir(parents=True)
    place.mkdir(parents=True)
    path.write_text(json.dumps({name: COUNTED, "other": {"loop_count": 2}}))
    expected = FolderState(5, 9, "2026-03-01T12:00:00+00:00")
    assert find_state(place) == expected and "ledger.db" not in names(place)
    add(Database(place), "m1")
    assert json.loads(path.read_text()) == {"other": {"loop_count": 2}}
    assert find_state(place) == expected
    other = path.parent / "other"
    other.mkdir()
    add(Database(other), "m1")
    assert find_state(other) == FolderState(loop_count=2) and not path.exists()


def test_the_counters_of_a_store_that_stood_alone_are_moved(tmp_path: Path) -> None:
    folder = tmp_path / "usr/memory/mine"
    folder.mkdir(parents=True)
    assert is_of_host(folder)
    (folder / "state.json").write_text(json.dumps({"store": COUNTED}))
    for _ in range(2):
        assert find_state(folder).loop_count == 9 and not is_of_host(folder)
        Database(folder).change(str)
    assert "state.json" not in names(folder)


def test_what_was_to_arrive_does(database: Database) -> None:
    """C-91: each archive line by line, whatever is in it; the folder goes."""
    (place := database.folder / "ledger_transfers").mkdir()
    (place / "a.jsonl").write_bytes(b'{"n": 1}\n\n{"id": "\xff"}')
    for _ in range(2):
        rows = database.rows("SELECT * FROM arrival ORDER BY number")
        assert rows == [("a.jsonl", 1, '{"n": 1}'), ("a.jsonl", 3, '{"id": "\\xff"}')]
        database.change(str)
    assert not place.exists()


def test_copies_for_a_trial(database: Database, tmp_path: Path) -> None:
    """C-92: a dry run works on what stands there, older files and all."""
    (database.folder / "state.json").write_text(json.dumps({"store": COUNTED}))
    copy = tmp_path / "copy"
    copy.mkdir()
    database.copy_to(copy)
    assert find_state(copy).loop_count == 9 and "ledger.db" not in names(database.folder)
    assert files.DATABASE_FILE in names(copy)
