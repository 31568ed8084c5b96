"""The commands that look: `list`, `show`, `stats` and `ask` (issue 22)."""

from __future__ import annotations

import json
import pickle
import shlex
import shutil
from pathlib import Path

import pytest
from conflict_tools import NEW, OLD, contested, decided
from driven import STYLES, drive
from memory_ledger import cli
from memory_ledger.setting_groups import Backup
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.docstore_file import read_documents
from memory_ledger.store.requests import Inbox
from remembering import know

EVIL = "User's note\x1b]0;owned\x07\u202e says hello."


def run(box, capsys, *argv: str, load=None) -> tuple[int, str, str]:
    status = cli.main([*argv, "--folder", str(box.folder)], load=load or (lambda: box.embedder))
    return status, *capsys.readouterr()


def rows_of(box, capsys, *argv: str) -> list[dict]:
    status, out, _ = run(box, capsys, *argv)
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.parent.rglob("*") if one.is_file()}


def at_terminal(box, *argv: str) -> str:
    """Run a command with a terminal of 80 columns as its output; return what that gets."""
    words = [*argv, "--folder", str(box.folder)]
    ended = drive(words, box.folder, on_terminal=True, environment={"NO_COLOR": "1"})
    assert ended.code == 0
    return ended.out


@pytest.fixture
def filled(box):
    """A folder with a retired memory, the one that retired it, and two others of other areas and days."""
    box.ids = dict(zip(("old", "new"), decided(box), strict=True))
    box.clock.advance(days=10)
    box.ids["fix"] = know(box, "# Problem\nThe kettle leaks.\n# Solution\nTurn it off.", area="solutions", days=10)
    box.ids["raw"] = box.insert("User has a garden in Python Street.", area="fragments")
    box.memory.save()
    box.store.save()
    box.store.save_state()
    return box


NARROWED = {
    "all, the newest first": ("", "raw fix new old"),
    "the oldest first": ("--sort oldest", "old new fix raw"),
    "so many": ("--limit 2", "raw fix"),
    "a word, whatever its case": ("PYTHON", "raw new old"),
    "all words must occur": ("python project", "new old"),
    "a word that nothing has": ("nowhere", ""),
    "retired": ("--status deprecated", "old"),
    "in use": ("--status in_use", "raw fix new"),
    "of an area": ("--area solutions", "fix"),
    "of a source that none has": ("--source user_asserted", ""),
    "of a source": ("--source agent_inferred", "fix new old"),
    "since a time, which belongs to it": ("--since {fix}", "raw fix"),
    "to a time, which belongs to it": ("--until {fix}", "fix new old"),
}


def test_a_list_is_narrowed_and_ordered(filled, capsys):
    names = {memory_id: name for name, memory_id in filled.ids.items()}
    said = {names[row["id"]]: row["said_at"] for row in rows_of(filled, capsys, "list")}
    for name, (options, expected) in NARROWED.items():
        found = rows_of(filled, capsys, "list", *options.format_map(said).split())
        assert [names[row["id"]] for row in found] == expected.split(), name


def test_a_row_says_what_is_known(filled, capsys):
    """Issue 22: id, text, status, source, utility, when it was said, area; null for what is not classified yet."""
    new, raw = (rows_of(filled, capsys, "list", word)[0] for word in ("3.11", "garden"))
    memory = filled.read(filled.ids["new"])
    assert new["id"] == memory.id and new["text"] == NEW and new["area"] == "main"
    assert [new[name] for name in ("validity", "source", "utility")] == ["inferred", "agent_inferred", "tactical"]
    assert (raw["validity"], raw["source"], raw["area"]) == (None, None, "fragments")


def test_one_memory_is_shown_with_its_fate(filled, capsys):
    (row,) = rows_of(filled, capsys, "show", filled.ids["old"])
    assert (row["text"], row["validity"], row["replaced_by"]) == (OLD, "deprecated", filled.ids["new"])
    assert row["why"] and row["rule"] == filled.journal()[-1]["rule"]
    assert [one["id"] for one in row["timeline"]] == [filled.ids[name] for name in ("old", "new", "old")]
    assert "a rule retired it: " in row["timeline"][-1]["what"]
    assert [(one["with"], one["text"], one["resolved"]) for one in row["conflicts"]] == [(filled.ids["new"], NEW, True)]
    program, *arguments = shlex.split(row["undo"])  # which runs as printed
    assert program == "memory-ledger" and cli.main(arguments) == 0
    assert len(Inbox(filled.folder).read()) == 1
    capsys.readouterr()
    assert rows_of(filled, capsys, "show", filled.ids["new"])[0]["undo"] is None
    one, other = contested(filled)
    (row,) = rows_of(filled, capsys, "show", one)
    assert (other, False) in [(found["with"], found["resolved"]) for found in row["conflicts"]]
    assert row["undo"] is None


def test_an_id_may_be_cut_off_where_one_alone_begins_so(box, capsys):
    for memory_id in ("abc123", "abd456"):
        box.memory.insert("The boiler is old.", {}, memory_id=memory_id)
    box.memory.save()
    assert rows_of(box, capsys, "show", "abd")[0]["id"] == "abd456"
    for asked, said in (
        ("ab", "ab begins 2 ids; allowed: one of them, abc123, abd456"),
        ("abd457", "no memory abd457; did you mean abd456?"),
        ("xyz", "no memory xyz; allowed: an id that `memory-ledger list` shows"),
    ):
        status, out, err = run(box, capsys, "show", asked)
        assert (status, out) == (1, "") and said in err


def test_what_became_of_a_memory_that_is_gone_is_told(box, capsys):
    kept, lost = box.insert("The boiler is old."), know(box, "The kettle is new.")
    writer = BackupWriter(box.store, Backup(), memory_class=type(box.memory))
    writer.end_turn()
    box.memory.save()
    assert run(box, capsys, "show", lost)[0] == 0
    with (box.folder / "ledger_backup.jsonl").open("a") as stream:
        stream.write(json.dumps({"deleted": kept, "at": "2026-03-05T00:00:00Z"}) + "\n")
    box.delete(lost, kept)
    box.memory.save()
    _, _, err = run(box, capsys, "show", lost)
    assert f"no memory {lost}, but the backup has it" in err


def test_the_counts_are_those_of_the_folder(filled, capsys):
    (found,) = rows_of(filled, capsys, "stats")
    assert found["memories"] == 4
    assert found["validity"] == {"inferred": 2, "deprecated": 1, "not classified yet": 1}
    assert found["area"] == {"main": 2, "solutions": 1, "fragments": 1}
    assert (found["conflicts"], found["waiting_requests"], found["vault_records"]) == (0, 0, 0)
    assert found["bytes"] == sum(one.stat().st_size for one in filled.folder.rglob("*") if one.is_file())
    contested(filled)
    assert rows_of(filled, capsys, "stats")[0]["conflicts"] >= 1


def test_a_question_brings_texts_with_dates_and_why(filled, capsys):
    """Issue 22: `ask` works on a memory folder of Agent Zero, and what is retired does not come."""
    rows = rows_of(filled, capsys, "ask", "Which Python does the project use?")
    assert filled.ids["new"] in [row["id"] for row in rows]
    assert filled.ids["old"] not in [row["id"] for row in rows]
    row = next(row for row in rows if row["id"] == filled.ids["new"])
    assert row["text"] == NEW and row["said_at"] and row["source"] == "agent_inferred" and 0 < row["score"] <= 1
    assert "of the question's words" in row["why"] and "alike" in row["why"]
    assert "outcome" not in row
    assert len(rows_of(filled, capsys, "ask", "Python project", "-k", "1")) == 1
    status, out, err = run(filled, capsys, "ask", "zeppelin")
    assert (status, out) == (0, "") and "nothing would be recalled" in err and "--all" in err
    held_back = rows_of(filled, capsys, "ask", "zeppelin", "--all")
    assert {row["outcome"] for row in held_back} == {"no memory has enough to do with the message"}


def test_a_folder_that_the_pack_has_not_seen_is_refused_before_the_model_is_loaded(box, capsys):
    box.memory.save()
    shutil.rmtree(box.folder)
    box.memory.save()
    status, out, err = run(box, capsys, "ask", "anything", load=lambda: pytest.fail("loaded"))
    assert (status, out) == (1, "") and "holds no store of this pack" in err


@pytest.mark.parametrize(
    "command", [("list",), ("show", "m0001"), ("show", "m9999"), ("stats",), ("ask", "python project", "--all")]
)
def test_nothing_is_written_by_looking(filled, capsys, command):
    """Issue 22, T-69: no damaged file is set aside, no access counted, and a key without a check gets none."""
    path = filled.folder / "ledger_seal.key"
    path.write_text(path.read_text().split()[0])
    (filled.folder / "conflicts.jsonl").write_text("no JSON\n")
    (filled.folder / "ledger_backup.jsonl").mkdir()
    before = bytes_of(filled.folder)
    run(filled, capsys, *command)
    assert bytes_of(filled.folder) == before


def test_what_a_terminal_obeys_is_escaped(box):
    """Issue 22: control characters in memories are shown escaped, in a table and in a memory's own view."""
    memory_id = know(box, EVIL)
    box.memory.save()
    box.store.save()
    for command in (("list",), ("show", memory_id)):
        shown = at_terminal(box, *command)
        assert "\\x1b" in "".join(shown.split()) and "hello." in shown
        assert not {"\x1b]", "\x07", "\u202e"} & {shown[at : at + size] for at in range(len(shown)) for size in (1, 2)}
        lines = STYLES.sub("", shown).splitlines()
        assert max(map(len, lines)) <= 80 or command[0] == "show"


def test_a_long_list_says_how_much_is_left_out(box, capsys):
    for number in range(60):
        box.insert(f"Shelf {number} holds paint.")
    box.memory.save()
    assert len(rows_of(box, capsys, "list")) == 60
    assert at_terminal(box, "list").count("Shelf") == 50


def test_what_is_only_looked_at_is_what_the_host_reads(box) -> None:
    """Issue 22: read without the host's libraries, the documents say the same, in the same order."""
    for text in ("The port is 8443.", "", "na\u00efve \x00 \ud800"):
        box.insert(text, area="main", tags=["a"], classification={"validity": "confirmed"})
    box.memory.save()
    by_host = pickle.loads((box.folder / "index.pkl").read_bytes())[0]._dict
    ours = read_documents(box.folder)[0]
    assert [*ours] == [*by_host] and len(ours) == 3
    assert [(one.page_content, one.metadata) for one in ours.values()] == [
        (one.page_content, one.metadata) for one in by_host.values()
    ]
    assert not isinstance(next(iter(ours.values())), type(next(iter(by_host.values()))))
