"""What the host stores by itself is looked through for secrets, once; nothing is held up (V-56, T-22)."""

import json
import shutil
from pathlib import Path

from full_disk import full_disk
from memory_ledger import privacy
from memory_ledger.inbox import Erase
from memory_ledger.settings import Settings
from memory_ledger.store import files
from memory_ledger.store.damage import ProblemLog
from memory_ledger.store.database import Database
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
    one, two = box.learn(SAYS_ONE), box.insert("api key: sk_live_51H8xQ2eZvKYlo2CabcdEFGH")
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
    assert f"{files.DATABASE_FILE} 1" in words
    life.box.adopt()
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
