"""Secrets are found in what the host stores, once, and by `memory-ledger scan`; nothing is held up (V-56, T-22)."""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fake_host import HashingEmbedder
from full_disk import full_disk
from memory_ledger import cli, privacy
from memory_ledger.clock import system_clock
from memory_ledger.inbox import Erase
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.database import Database
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.tables import SecretBook, guard_digest
from test_backup import Life, life, recorded  # noqa: F401 - fixtures

PASSWORD = "Kite&2211"
SAYS_ONE = f"The staging password is {PASSWORD}"


def rows(box) -> list[tuple[str, str]]:
    return box.rows("SELECT memory, kinds FROM secret")


def is_whole(box) -> bool:
    return box.rows("SELECT value FROM state WHERE name = 'guard'") == [(json.dumps(guard_digest()),)]


def found(box) -> dict[str, tuple[str, ...]]:
    return dict(box.adopter.secrets.found)


def test_a_rule_in_a_table_is_a_rule_of_the_guard(tmp_path: Path) -> None:
    copied = shutil.copytree(Path(privacy.__file__).parent, tmp_path / "privacy")
    digests = {guard_digest(), guard_digest(copied)}
    for name in ("tables.json", "links.py"):
        (copied / name).write_text((copied / name).read_text("utf-8") + "\n", "utf-8")
        digests.add(guard_digest(copied))
    assert len(digests) == 3


def test_ids_and_kinds_never_the_value(box) -> None:
    """V-56, T-22: noted beside the store, told once as news; the memory itself is adopted as ever."""
    plain = box.insert("Heron uses Python 3.12")
    secret = box.insert(SAYS_ONE)
    result = box.adopt()
    assert {one.memory_id for one in result.classified} == {plain, secret}
    assert found(box) == {secret: ("password",)}
    assert rows(box) == [(secret, '["password"]')] and is_whole(box)
    assert PASSWORD.encode() not in (box.folder / files.DATABASE_FILE).read_bytes()
    assert box.adopter.secrets.take_news() == {secret: ("password",)}
    assert box.adopter.secrets.take_news() == {}


def test_nothing_is_looked_at_twice(box) -> None:
    """T-22: a restart knows what was found, and looks at new ones only; other rules look at all once more."""
    secret = box.learn(SAYS_ONE)
    box.store.database.change(lambda db: db.execute("DELETE FROM secret"))  # as if nothing had been found
    box.restart(is_saved=True)
    new = box.learn("log in with mara / Osprey#417")
    assert set(found(box)) == {new}
    box.store.database.change(lambda db: db.execute("UPDATE state SET value = '\"of other rules\"'"))
    box.restart(is_saved=True)
    box.adopt()
    assert set(found(box)) == {secret, new}
    assert is_whole(box)
    box.restart(is_saved=True)
    box.adopt()
    assert set(found(box)) == {secret, new}
    assert box.adopter.secrets.take_news() == {}


def test_a_full_store_is_looked_through_with_the_first_look(box) -> None:
    ids = [box.insert(f"{SAYS_ONE}{number}") for number in range(5)]
    box.adopter.run(Settings(), limit=2)
    assert len(found(box)) == 2 and not is_whole(box)
    box.adopt()
    assert set(found(box)) == set(ids) and is_whole(box)


def test_changed_and_deleted_memories(box) -> None:
    """T-22: who has cleaned up is not warned any more."""
    one, two = box.insert(SAYS_ONE), box.learn("api key: sk_live_51H8xQ2eZvKYlo2CabcdEFGH")
    assert set(found(box)) == {one, two}
    box.update(one, "The staging password is in the vault of the team")
    box.delete(two)
    box.adopt()
    assert found(box) == box.adopter.secrets.take_news() == {}  # nobody is sent after what is gone
    assert rows(box) == [] and is_whole(box)


def test_erasing_reaches_the_findings(life: Life) -> None:  # noqa: F811
    secret = life.box.learn(SAYS_ONE)
    life.order(secret, kind=Erase)
    [words] = life.carry_out()
    assert f"{files.DATABASE_FILE} 2" in words  # what was found in it, and the names that it gives
    life.turn()
    assert found(life.box) == {} and secret.encode() not in (life.box.folder / files.DATABASE_FILE).read_bytes()


def test_what_cannot_be_written_is_told(tmp_path) -> None:
    """C-74: a full disk holds up nothing."""
    problems = ProblemLog()
    book = SecretBook(Database(tmp_path / "missing", problems))
    assert book.note("m1", ["pin", "pin"]) and book.found == {"m1": ("pin",)}
    book.finish()
    [problem] = problems.take()
    assert files.DATABASE_FILE in problem.where


def test_what_is_known_is_kept(tmp_path) -> None:
    """V-56, C-74: what was found while it could not be written, the latest of each, and nothing of what is gone."""
    book, path = SecretBook(Database(tmp_path)), tmp_path / files.DATABASE_FILE
    with full_disk(path):
        book.note("m1", ["pin"])
    book.note("m2", ["pin"])
    book.finish()
    book.note("m2", ["password"])
    assert book.drop(["m3", "m1"]) and not book.drop(["m1"])
    with full_disk(path):
        book.note("m4", ["pin"])
    assert book.drop(["m4"]) and book.note("m2", ["password", "pin"])
    again = SecretBook(Database(tmp_path))
    assert again.found == {"m2": ("password", "pin")} and again.is_whole
    assert b"m1" not in path.read_bytes() and b"m4" not in path.read_bytes()


SECRET = "hunter2"
LINE = f"the password is {SECRET}"


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *argv: str, lines: list[object]):
    """Return the exit status, the answers to `lines`, and all that was printed."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status = cli.main(["scan", *argv])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], out + err


def test_scan_says_type_and_place_and_never_the_value(capsys, monkeypatch) -> None:
    status, answers, printed = run(
        capsys, monkeypatch, lines=[{"id": 7, "text": LINE}, {"text": "nothing here"}, {"id": None, "text": ""}]
    )
    assert status == 0
    assert answers == [
        {"id": 7, "findings": [{"type": "password", "start": 16, "end": 23}], "action": "reject"},
        {"findings": [], "action": "allow"},
        {"id": None, "findings": [], "action": "allow"},
    ]
    assert SECRET not in printed


def test_levels(capsys, monkeypatch) -> None:
    lines = [{"text": "mail mara@acme.dev or ring +1 415 555 0132"}]
    assert run(capsys, monkeypatch, lines=lines)[1][0]["action"] == "allow"
    assert run(capsys, monkeypatch, "--level", "secrets", lines=lines)[1][0]["action"] == "allow"
    (answer,) = run(capsys, monkeypatch, "--level", "strict", lines=lines)[1]
    assert [one["type"] for one in answer["findings"]] == ["email", "phone"]
    assert cli.main(["scan", "--level", "loose"]) == 2
    assert "secrets" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["{", [1], {"id": 1}, {"text": [LINE]}, {"text": None}])
def test_bad_line_gets_an_error_without_its_content(line: object, capsys, monkeypatch) -> None:
    """V-56: the rest go on; what could not be read may have been a secret."""
    good = {"text": LINE}
    status, answers, printed = run(capsys, monkeypatch, lines=[good, line, good])
    assert status == 1
    assert list(answers[1]) == ["error"]
    assert answers[0] == answers[2]
    assert SECRET not in printed


def test_answers_come_line_by_line() -> None:
    """V-39: each line is answered before the next one is there, so the command serves as a filter in a pipe."""
    command = [sys.executable, "-m", "memory_ledger.cli", "scan"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for action, text in (("reject", LINE), ("allow", "good morning"), ("reject", LINE)):
            process.stdin.write(json.dumps({"text": text}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["action"] == action
        process.stdin.close()
        assert process.wait() == 0


def test_store_lists_the_memories_with_findings(tmp_path: Path, capsys) -> None:
    """V-56, T-22: id, types and places, so that a person can clean up; nothing is changed."""
    ids = iter(["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"])
    memory = EmbeddedMemory(tmp_path, HashingEmbedder(), clock=system_clock, make_id=ids.__next__)
    for text in ("Heron uses Python 3.12", LINE, "write to mara@acme.dev"):
        memory.insert(text)
    memory.save()
    memory.close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    assert cli.main(["scan", "--store", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"id": "bbbbbbbbbb", "findings": [{"type": "password", "start": 16, "end": 23}]}
    assert err == f"3 memories, 1 with findings\n`memory-ledger erase ID --folder {tmp_path}` permanently deletes one\n"
    assert SECRET not in out + err
    assert cli.main(["scan", "--store", str(tmp_path), "--level", "strict"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_switched_off(box) -> None:
    """T-22: nothing is looked for, and nothing written."""
    box.insert(SAYS_ONE)
    box.adopter.run(Settings(secret_warnings=False), limit=100)
    assert found(box) == {} and rows(box) == []
