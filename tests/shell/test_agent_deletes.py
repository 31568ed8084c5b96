"""What the agent deleted and replaced, as the backup keeps it and a restore brings it back (T-43, T-64)."""

import json
from types import SimpleNamespace

import pytest
from memory_ledger import cli
from memory_ledger.inbox import Erase
from memory_ledger.records import Validity
from memory_ledger.store import files, recent
from memory_ledger.store.backup import deleting_for
from memory_ledger.store.recent import note_tool
from memory_ledger.store.restore import read_replaced
from test_backup import Life, life, recorded  # noqa: F401 - fixtures

pytestmark = pytest.mark.usefixtures("recorded")

PYTHONS = [f"User's project uses Python 3.{number}" for number in (9, 11, 13, 14)]


class Chat:
    """A chat of which only the present turn matters."""

    class Turn:
        """What a host's history has for a turn."""

    def __init__(self) -> None:
        self.history = SimpleNamespace(current=self.Turn(), topics=[])

    def use(self, tool: str) -> None:
        note_tool(self, tool)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_tool() -> None:
    recent._in_use.set(None)


@pytest.fixture
def chat() -> Chat:
    return Chat()


def replace(one: Life, chat: Chat, old: str, text: str) -> str:
    """Let the agent delete a memory and save another one; return the id of that."""
    one.box.clock.advance(seconds=60)
    chat.use("memory_delete")
    one.box.delete(old)
    chat.use("memory_save")
    new = one.box.insert(text)
    recent._in_use.set(None)
    one.turn()
    return new


def know(one: Life, text: str = PYTHONS[0]) -> str:
    memory_id = one.box.insert(text)
    one.turn()
    return memory_id


def restore(one: Life, memory_id: str) -> str:
    """Order it, and let it be carried out; return what was said."""
    one.order(memory_id)
    [words] = one.carry_out()
    one.turn()
    return words


def validities(one: Life) -> dict[str, str]:
    return {memory_id: one.box.validity(memory_id) for memory_id in one.box.docs}


def test_what_stands_for_it_is_the_last_of_its_line(life, chat, capsys) -> None:  # noqa: F811
    """T-43, T-09: also where the agent has replaced the new one as well, or another memory has beaten it since."""
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    third = replace(life, chat, second, PYTHONS[2])
    life.backup.write()
    last = know(life, PYTHONS[3])
    assert life.box.read(third).is_deprecated
    assert f"({first} by {last})" in restore(life, first)
    assert validities(life) == {third: "deprecated", last: "inferred", first: "deprecated"}
    assert life.box.read(first).lineage.superseded_by == last
    capsys.readouterr()
    assert cli.main(["restore", "--folder", str(life.box.folder), "--id", second, "--dry-run"]) == 0
    assert f"{second} was replaced by {last}, which stays in use" in capsys.readouterr().err


def test_what_nothing_stands_for_comes_back_into_use(life, chat, capsys) -> None:  # noqa: F811
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    life.box.delete(second)
    life.box.memory.save()
    life.turn()
    assert cli.main(["restore", "--folder", str(life.box.folder), "--id", first, "--dry-run"]) == 0
    assert "was replaced by" not in capsys.readouterr().err
    assert list(read_replaced(life.box.folder, life.box.store.read)) == []
    assert "retired" not in restore(life, first)
    assert validities(life) == {first: "inferred"}


def test_restored_twice_is_retired_once(life, chat) -> None:  # noqa: F811
    """T-64, T-70: what a person has put back into use stays there."""
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    restore(life, first)
    retired = [row for row in life.box.journal() if row["action"] == "supersede"]
    assert [(row["memory"], row["winner"], row["rule"]) for row in retired] == [(first, second, "T-43")]
    assert cli.main(["undo", first, "--folder", str(life.box.folder)]) == 0
    life.turn()
    assert validities(life) == {second: "inferred", first: "inferred"}
    assert "1 there already" in restore(life, first)
    assert validities(life) == {second: "inferred", first: "inferred"}


def test_a_rewrite_and_a_restart_keep_the_line(life, chat) -> None:  # noqa: F811
    """C-51, T-64: text, time and what it was replaced by."""
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    deleted_at = life.box.clock()
    life.restart()
    life.turn()
    life.backup.write()
    [old] = read_replaced(life.box.folder, life.box.store.read)
    assert (old.id, old.text, old.classification.validity) == (first, PYTHONS[0], Validity.DEPRECATED)
    assert (old.lineage.superseded_by, old.lineage.deprecated_at) == (second, deleted_at)
    assert old.lineage.deprecated_reason == "T-43"


def test_what_the_agent_deletes_again_is_no_longer_replaced(life, chat) -> None:  # noqa: F811
    first = know(life)
    replace(life, chat, first, PYTHONS[1])
    restore(life, first)
    chat.use("memory_delete")
    life.box.delete(first)
    life.turn()
    assert life.backup.file.read().deleted[first].replaced_by is None


def test_who_erases_the_new_one_erases_what_it_replaced(life, chat) -> None:  # noqa: F811
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    life.order(second, kind=Erase)
    life.carry_out()
    contents = life.backup.file.read()
    assert not {first, second} & {*contents.lines, *contents.deleted}
    assert b"Python" not in (life.box.folder / files.BACKUP_FILE).read_bytes()


def test_without_a_backup_only_the_link_is_kept(life, chat) -> None:  # noqa: F811
    life.begin(enabled=False)
    first = know(life)
    second = replace(life, chat, first, PYTHONS[1])
    assert life.box.read(second).lineage.supersedes_ids == (first,)
    assert [row["memory"] for row in life.box.journal() if row["action"] == "replace"] == [first]
    assert list(read_replaced(life.box.folder, life.box.store.read)) == []


@pytest.mark.parametrize(
    ("new", "is_linked"), [("The API has rate limits", False), ("The gym put its monthly price up to 55 euros.", True)]
)
def test_what_looks_at_odds_takes_its_place_in_other_words(life, chat, new, is_linked) -> None:  # noqa: F811
    """T-43: of what no claim tells, only what may contradict it."""
    old = know(life, "User's gym membership costs 40 euros a month.")
    winner = replace(life, chat, old, new)
    found = [(row["memory"], row["winner"]) for row in life.box.journal() if row["action"] == "replace"]
    assert found == ([(old, winner)] if is_linked else [])


def test_the_packs_own_deletes_are_nobodys(life, chat) -> None:  # noqa: F811
    """T-43: what is deleted on behalf of another part of the pack, whatever tool is in use meanwhile."""
    first = know(life)
    chat.use("memory_delete")
    with deleting_for(life.box.store, "vault"):
        life.box.delete(first)
    life.box.insert(PYTHONS[1])
    life.turn()
    assert [row for row in life.box.journal() if row["action"] == "replace"] == []


def test_a_piece_of_a_knowledge_file_has_no_line(life, chat) -> None:  # noqa: F811
    """T-47: the host takes it out and brings it in with its file, be it while a tool opens the folder."""
    source = {"knowledge_source": True, "source_path": "/a0/knowledge/main/a.md", "area": "main"}
    first = life.box.insert(PYTHONS[0], **source)
    listed = {source["source_path"]: {"checksum": "1", "ids": [first]}}
    (life.box.folder / "knowledge_import.json").write_text(json.dumps(listed))
    life.turn()
    assert life.box.read(first).is_knowledge
    replace(life, chat, first, PYTHONS[1])
    assert [row for row in life.box.journal() if row["action"] == "replace"] == []
