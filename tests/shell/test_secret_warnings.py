"""What the host stores by itself is looked through for secrets, once; nothing is held up (V-56, T-22)."""

import json

import pytest
from full_disk import full_disk
from memory_ledger.host.storage import files
from memory_ledger.host.storage.problem_log import ProblemLog
from memory_ledger.host.storage.secret_file import SecretBook, guard_digest
from memory_ledger.inbox import Erase
from memory_ledger.ledger.health import summarize_status
from memory_ledger.settings import Settings
from test_backup import Life, life, recorded  # noqa: F401 - fixtures

PASSWORD = "Kite&2211"
SAYS_ONE = f"The staging password is {PASSWORD}"


def rows(box) -> list[dict]:
    path = box.folder / files.SECRETS_FILE
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def found(box) -> dict[str, tuple[str, ...]]:
    return dict(box.adopter.secrets.found)


def test_ids_and_kinds_never_the_value(box) -> None:
    """V-56, T-22: noted beside the store, told once as news; the memory itself is adopted as ever."""
    plain = box.insert("Heron uses Python 3.12")
    secret = box.insert(SAYS_ONE)
    result = box.adopt()
    assert {one.memory_id for one in result.classified} == {plain, secret}
    assert found(box) == {secret: ("password",)}
    assert rows(box) == [{"guard": guard_digest()}, {"id": secret, "types": ["password"]}]
    assert PASSWORD not in (box.folder / files.SECRETS_FILE).read_text()
    assert box.adopter.secrets.take_news() == {secret: ("password",)}
    assert box.adopter.secrets.take_news() == {}


def test_nothing_is_looked_at_twice(box) -> None:
    """T-22: a restart knows what was found, and looks at new ones only; other rules look at all once more."""
    secret = box.insert(SAYS_ONE)
    box.adopt()
    path = box.folder / files.SECRETS_FILE
    path.write_text(json.dumps({"guard": guard_digest()}) + "\n")  # as if nothing had been found
    box.restart(is_saved=True)
    new = box.insert("log in with mara / Osprey#417")
    box.adopt()
    assert set(found(box)) == {new}
    path.write_text(json.dumps({"guard": "of other rules"}) + "\n")
    box.restart(is_saved=True)
    box.adopt()
    assert set(found(box)) == {secret, new}
    assert rows(box)[0] == {"guard": guard_digest()}
    box.restart(is_saved=True)
    box.adopt()
    assert set(found(box)) == {secret, new}
    assert box.adopter.secrets.take_news() == {}


def test_what_is_gone_before_it_was_told_is_no_news(box) -> None:
    """T-22: nobody is sent after a memory that is not there any more."""
    box.insert(SAYS_ONE)
    box.adopt()
    book = box.adopter.secrets
    book.drop(list(found(box)))
    assert book.take_news() == {} and found(box) == {}


def test_a_full_store_is_looked_through_with_the_first_look(box) -> None:
    """T-22, C-92: what was there before the pack, slice by slice."""
    ids = [box.insert(f"{SAYS_ONE}{number}") for number in range(5)]
    box.adopter.run(Settings(), limit=2)
    assert len(found(box)) == 2 and not any("guard" in row for row in rows(box))
    box.adopt()
    assert set(found(box)) == set(ids) and rows(box)[0] == {"guard": guard_digest()}


def test_changed_and_deleted_memories(box) -> None:
    """T-22: who has cleaned up is not warned any more."""
    one, two = box.insert(SAYS_ONE), box.insert("api key: sk_live_51H8xQ2eZvKYlo2CabcdEFGH")
    box.adopt()
    assert set(found(box)) == {one, two}
    box.update(one, "The staging password is in the vault of the team")
    box.delete(two)
    box.adopt()
    assert found(box) == {}
    assert rows(box) == [{"guard": guard_digest()}]


def test_erasing_reaches_the_findings(life: Life) -> None:  # noqa: F811
    """T-64, T-22: not even the id stays."""
    secret = life.box.insert(SAYS_ONE)
    life.box.adopt()
    life.order(secret, kind=Erase)
    [words] = life.carry_out()
    assert f"{files.SECRETS_FILE} 1" in words
    life.box.adopt()
    assert found(life.box) == {} and secret not in (life.box.folder / files.SECRETS_FILE).read_text()


def test_switched_off(box) -> None:
    """T-22: nothing is looked for, and nothing written."""
    box.insert(SAYS_ONE)
    box.adopter.run(Settings(secret_warnings=False), limit=100)
    assert found(box) == {} and rows(box) == []


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 7, "types": ["x"]}', '{"id": "a", "types": 7}', '{"id": "b"}'])
def test_a_damaged_line_is_left_out(tmp_path, line: str) -> None:
    """T-22."""
    (tmp_path / files.SECRETS_FILE).write_text(f'{{"id": "m1", "types": ["pin"]}}\n{line}\n')
    book = SecretBook(tmp_path, ProblemLog())
    assert book.found == {"m1": ("pin",)} and not book.is_whole


def test_what_cannot_be_written_is_told(tmp_path) -> None:
    """C-74: a full disk holds up nothing."""
    problems = ProblemLog()
    book = SecretBook(tmp_path / "missing", problems)
    assert book.note("m1", ["pin", "pin"]) and book.found == {"m1": ("pin",)}
    book.finish()
    [problem] = problems.take()
    assert files.SECRETS_FILE in problem.where


def test_the_file_says_what_is_known(tmp_path) -> None:
    """V-56, C-74: what was found while it could not be written, the latest of each, and nothing of what is gone."""
    book = SecretBook(tmp_path, ProblemLog())
    with full_disk(tmp_path / files.SECRETS_FILE):
        book.note("m1", ["pin"])
    (tmp_path / files.SECRETS_FILE).write_text("damaged\n")
    book.note("m2", ["pin"])
    book.finish()
    book.note("m2", ["password"])
    assert book.drop(["m3", "m1"]) and not book.drop(["m1"])
    with full_disk(tmp_path / files.SECRETS_FILE):
        book.note("m4", ["pin"])
    assert book.drop(["m4"]) and book.note("m2", ["password", "pin"])
    again, text = SecretBook(tmp_path, ProblemLog()), (tmp_path / files.SECRETS_FILE).read_text()
    assert again.found == {"m2": ("password", "pin")} and again.is_whole
    assert "m1" not in text and "m4" not in text and "\ndamaged\n" in text


def test_health_says_how_many_of_which_kinds(box) -> None:
    """V-56, C-61: with the first twenty ids."""
    secrets = {f"m{number:02}": ("password", "pin") for number in range(25)}
    health = summarize_status({}, conflicts_resolved=0, at=box.clock(), secrets=secrets)
    assert health["secrets"] == {
        "memories": 25,
        "by_type": {"password": 25, "pin": 25},
        "ids": [f"m{number:02}" for number in range(20)],
    }
    assert "secrets" not in summarize_status({}, conflicts_resolved=0, at=box.clock())
