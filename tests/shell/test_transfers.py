"""Memories with status and history go from one folder to another, whatever is cut short in between (C-91, T-61)."""

import json
import os
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.host.installation import strip_metadata
from memory_ledger.host.vault.folder_vault import FAISSMemory
from memory_ledger.host.vault.vault_store import VaultStore
from memory_ledger.inbox import Arrive
from memory_ledger.ledger.adopt import is_sealed
from memory_ledger.ledger.changes import Contest, Supersede
from memory_ledger.records import LEDGER_KEYS, said_at
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.database import Database
from memory_ledger.store.files import INBOX_FILE
from memory_ledger.store.requests import Inbox

OLD, NEW = "The API listens on port 8080", "The API listens on port 8443"
TEA = "User likes green tea"


class Boxes:
    """Two memory folders of a host, `here` and `there`, with the commands over both."""

    def __init__(self, new_box: Callable[..., Any], root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.here, self.there = new_box(), new_box()
        for one in (self.here, self.there):
            one.adopt()
            one.restart(is_saved=True)
            (one.folder / "embedding.json").write_text("{}")
        self.there._make_id = iter(f"t{number:04d}" for number in range(100)).__next__
        self.there.memory._make_id = self.there._make_id
        self.file = root / "archive.jsonl"
        self.said = ""
        self._capsys = capsys

    def run(self, *words: Any) -> int:
        """Run one command with hashed vectors; remember what it printed."""
        status = cli.main([str(word) for word in words], load=lambda: HashingEmbedder(64))
        shown = self._capsys.readouterr()
        self.said = shown.out + shown.err
        return status

    def export(self) -> int:
        """Save the first folder and write its archive."""
        save(self.here)
        return self.run("export", "--folder", self.here.folder, "--out", self.file)

    def bring(self, *options: str) -> int:
        """Ask for the archive in the second folder."""
        return self.run("import", "--folder", self.there.folder, self.file, *options)

    def take(self) -> None:
        """Export the first folder, and ask for the archive in the second one."""
        self.export()
        self.bring()

    def move(self, *options: str, verb: str = "move") -> int:
        """Save both and ask for a move."""
        save(self.here)
        save(self.there)
        return self.run(verb, "--folder", self.here.folder, "--to", self.there.folder, *options)

    def lines(self) -> list[dict[str, Any]]:
        """Return the archive."""
        return [json.loads(line) for line in self.file.read_text("utf-8").splitlines()]


def save(box: Any) -> None:
    """Write the folder as a host does at the end of a turn."""
    box.memory.save()
    if not box.store.save():
        box.store.save_state()


def archives(folder: Path) -> list[tuple[Any, ...]]:
    """Return the lines that are to arrive in a folder."""
    return Database(folder).rows("SELECT * FROM arrival ORDER BY archive, number")


def status_of(box: Any, memory_id: str) -> dict[str, Any]:
    """Return the ledger's metadata of a memory but for what names its folder: fingerprint, seal and cycles."""
    found = {key: copy(one) for key, one in box.docs[memory_id].metadata.items() if key in LEDGER_KEYS}
    found["lineage"].pop("seal")
    return found


def refused(box: Any) -> list[str]:
    """Return what could not be carried out."""
    return [str(one) for one in box.store.problems.take(ProblemKind.DECISIONS)]


def waiting(box: Any) -> list[str]:
    """Return the kinds of requests that are not answered."""
    return [one.kind for one in Inbox(box.folder).read() if one.answer is None]


@pytest.fixture
def boxes(new_box, tmp_path, capsys) -> Boxes:
    return Boxes(new_box, tmp_path, capsys)


@pytest.fixture
def told(boxes: Boxes) -> Boxes:
    """The first folder holds a retired memory, its winner, and one more."""
    old, new, tea = (boxes.here.insert(text) for text in (OLD, NEW, TEA))
    boxes.here.classify(old, new, tea)
    change = Supersede(winner_id=new, loser_id=old, at=boxes.here.clock(), cycle=0, rule="C-47", reasons=("newer",))
    assert boxes.here.store.apply([change]) == 1
    boxes.here.adopt()
    return boxes


@pytest.mark.parametrize("is_classified", [True, False])
def test_a_time_to_come_retires_no_later_correction(boxes, is_classified: bool) -> None:
    """C-47, C-96: nobody knows when it was said, but that was before it came."""
    old = boxes.here.insert(OLD, timestamp="2999-01-01T00:00:00Z")
    if is_classified:
        boxes.here.classify(old)
    assert boxes.export() == 0 and boxes.bring() == 0
    boxes.there.adopt()
    for _ in range(2):
        boxes.there.clock.advance(minutes=1)
        boxes.there.say(f"{NEW} now.")
    new = boxes.there.learn(NEW)
    assert boxes.there.read(old).lineage.superseded_by == new
    assert said_at(boxes.there.read(old)) <= boxes.there.clock()


def test_imported_memories_keep_ids_status_and_history(told) -> None:
    """C-91, E-63, T-69, T-70: sealed with the key of the new folder, word for word as they were; `undo` works."""
    told.here.docs["m0003"].metadata["colour"] = "green"
    told.here.docs["m0003"].metadata["lineage"]["their_key"] = 7
    told.export()
    assert told.bring() == 0
    assert "3 memories will be imported" in told.said and "at Agent Zero's next turn" in told.said
    assert told.there.docs == {}  # nobody but the host touches its folder
    assert told.there.adopter.has_work()
    told.there.adopt()
    assert refused(told.there) == []
    for memory_id, document in told.here.docs.items():
        assert status_of(told.there, memory_id) == status_of(told.here, memory_id)
        assert told.there.docs[memory_id].metadata["timestamp"] == document.metadata["timestamp"]
        assert is_sealed(told.there.store.key, told.there.read(memory_id))
    assert told.there.docs["m0003"].metadata["colour"] == "green"
    assert told.there.docs["m0003"].metadata["lineage"]["their_key"] == 7
    supersede, brought = told.there.journal()
    assert supersede == told.here.journal()[0]
    assert (brought["action"], brought["memories"]) == ("import", ["m0001", "m0002", "m0003"])
    assert brought["from"] == str(told.here.folder)
    assert told.there.store.conflicts.of_pair("m0001", "m0002") is not None
    assert told.run("undo", "m0001", "--folder", told.there.folder) == 0
    told.there.adopt()
    assert told.there.validity("m0001") == "confirmed"
    told.there.restart(is_saved=True)
    assert told.there.adopt().classified == [] and waiting(told.there) == []
    assert told.there.memory.db.index.ntotal == len(told.there.docs) == 3


def test_importing_twice_is_importing_once(told) -> None:
    told.take()
    kept = archives(told.there.folder)
    told.there.adopt()
    before = (status_of(told.there, "m0001"), told.there.journal())
    assert told.bring() == 0
    assert "0 memories will be imported" in told.said and "3 are there already" in told.said
    assert archives(told.there.folder) == []
    told.there.store.database.change(lambda db: db.executemany("INSERT INTO arrival VALUES (?, ?, ?)", kept))
    Inbox(told.there.folder).append(Arrive(archive=kept[0][0]), at=told.there.clock(), by=None)
    told.there.restart()
    told.there.adopt()
    assert (status_of(told.there, "m0001"), told.there.journal()) == before
    assert archives(told.there.folder) == [] and refused(told.there) == []


def test_a_crash_in_the_midst_is_taken_up_again(told) -> None:
    told.take()
    told.there.adopt(limit=2)
    assert len(told.there.docs) == 2
    told.there.restart()
    assert told.there.docs == {}
    while not told.there.adopt(limit=2).is_done:
        pass
    assert list(told.there.docs) == ["m0001", "m0002", "m0003"]
    assert [row["action"] for row in told.there.journal()] == ["supersede", "import"]


def test_dry_run_says_what_would_come_and_writes_nothing(told) -> None:
    told.export()
    before = {path: path.stat().st_mtime_ns for path in told.there.folder.rglob("*")}
    assert told.bring("--dry-run") == 0
    assert "m0001: 'The API listens on port 8080'" in told.said
    assert "3 memories would be imported" in told.said
    assert {path: path.stat().st_mtime_ns for path in told.there.folder.rglob("*")} == before


def test_an_id_that_another_text_has_is_refused_and_the_rest_come(told) -> None:
    told.there.memory.insert("The cat sleeps", memory_id="m0003")
    save(told.there)
    told.export()
    assert told.bring() == 1
    assert "memory m0003 is taken by 'The cat sleeps'; allowed: an id that is free" in told.said
    assert "1 refused" in told.said
    told.there.memory.insert("The dog barks", memory_id="m0001")
    told.there.adopt()
    assert {one: document.page_content for one, document in told.there.docs.items()} == {
        "m0003": "The cat sleeps",
        "m0001": "The dog barks",
        "m0002": NEW,
    }
    (problem,) = refused(told.there)
    assert "memory m0001 is taken by 'The dog barks'" in problem


def test_links_that_lead_out_are_left_out_of_the_memory_and_stay_in_its_history(told) -> None:
    """T-61, T-43: said at the terminal; nothing in the new folder points at what is not there."""
    told.here.docs["m0002"].metadata["lineage"]["related_memory_ids"] = ["m0003", "m0009"]
    told.here.docs["m0002"].metadata["quality"] = {
        "score": 0.5,
        "citedBy": ["m0001"],
        "relationships": [{"type": "supports", "target": "m0003"}],
    }
    told.export()
    header, *rows = told.lines()
    told.file.write_text("".join(json.dumps(row) + "\n" for row in (header, rows[1])))
    assert told.bring("--partial") == 0
    assert "m0002: the link supersedes -> m0001 is left out" in told.said
    told.there.adopt()
    memory = told.there.read("m0002")
    assert memory.lineage.supersedes is None and memory.lineage.related_memory_ids == ()
    assert memory.quality.relationships == memory.quality.cited_by == () and memory.quality.score == 0.5
    assert is_sealed(told.there.store.key, memory)
    assert told.there.journal()[0]["memory"] == "m0001"
    assert told.there.store.conflicts.get_conflicts() == []


def test_what_comes_is_compared_with_what_was_there_not_with_each_other(boxes) -> None:
    """C-37, C-48: an imported memory is new to the folder; what came with it was settled where it comes from."""
    one, other = boxes.here.insert(OLD), boxes.here.insert(NEW)
    boxes.here.classify(one, other)
    contest = Contest(older_id=one, newer_id=other, at=boxes.here.clock(), rule="C-96")
    boxes.here.store.apply([contest])
    there = boxes.there.learn("The API listens on port 8000", timestamp="2020-01-01T00:00:00+00:00")
    boxes.there.classify(there)
    boxes.take()
    result = boxes.there.adopt()
    assert boxes.there.validity(there) == "deprecated"
    assert [change.loser_id for change in result.changes if isinstance(change, Supersede)] == [there]
    assert boxes.there.validity(one) == boxes.there.validity(other) == "confirmed"
    assert [one.memories for one in boxes.there.store.conflicts.get_conflicts(unresolved=True)] == [("m0001", "m0002")]


def test_a_status_that_cannot_be_read_is_derived_anew(told) -> None:
    """C-32, C-75: of that memory alone."""
    told.export()
    header, *rows = told.lines()
    rows[2]["metadata"]["classification"]["validity"] = "gospel"
    told.file.write_text("".join(json.dumps(row) + "\n" for row in (header, *rows)))
    told.bring()
    result = told.there.adopt()
    assert [change.memory_id for change in result.classified] == ["m0003"]
    assert told.there.validity("m0003") == "inferred"


def test_cycles_are_counted_as_in_the_new_folder(told) -> None:
    """C-60, T-06: who was idle for four recalls is idle for four recalls; the first cycle is 0."""
    told.here.store.count_recall(["m0002"])
    told.here.store.count_recall(["m0003"])
    told.here.store.count_recall([])
    told.here.store.count_recall(["m0003"])
    for _ in range(10):
        told.there.store.count_recall([])
    save(told.here)
    told.here.store.count_recall(["m0003"])  # the host has not saved it
    assert told.run("export", "--folder", told.here.folder, "--out", told.file) == 0
    assert told.lines()[0]["recall_cycle"] == 5
    told.bring()
    told.there.adopt()
    cycles = {one: told.there.read(one).lineage.last_access_cycle for one in ("m0002", "m0003")}
    assert cycles == {"m0002": 6, "m0003": 10}
    assert told.there.read("m0003").lineage.access_count == 3


@pytest.mark.parametrize(
    ("first", "named"),
    [
        pytest.param("", "line 1: the file is empty", id="empty"),
        pytest.param("{", "line 1: the line is not JSON", id="torn"),
        pytest.param('{"id": "m1", "text": "t"}', "format is None; allowed: memory-ledger/1", id="no header"),
        pytest.param('{"format": "memory-ledger/9"}', "format is 'memory-ledger/9'", id="another version"),
        pytest.param('{"format": "memory-ledger/1", "memories": -1}', "the header is", id="half a header"),
    ],
)
def test_what_is_no_archive_is_refused_as_a_whole(boxes, capsys, first: str, named: str) -> None:
    boxes.file.write_text(first)
    assert cli.main(["import", "--folder", str(boxes.there.folder), str(boxes.file)]) == 1
    assert named in capsys.readouterr().err
    assert not archives(boxes.there.folder)


BAD_LINES = {
    "{": "the line is not JSON",
    "[]": "the line is list",
    '{"text": "x"}': "id is None",
    '{"id": "x", "text": " "}': "memory x: text is ' '",
    '{"id": "x", "text": "y", "metadata": 5}': "memory x: metadata is 5",
    '{"id": "x", "text": "half \\ud800"}': "text is not Unicode text",
}


def test_bad_lines_are_named_and_the_rest_come(told) -> None:
    told.export()
    rows = told.file.read_text().splitlines()
    told.file.write_text("\n".join((*rows[:2], *BAD_LINES, *rows[2:])))
    assert told.bring() == 1
    for number, named in enumerate(BAD_LINES.values(), 3):
        assert f"line {number}: {named}" in told.said
    assert "3 memories will be imported" in told.said
    told.there.adopt()
    assert len(told.there.docs) == 3


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_an_archive_that_was_cut_short_is_refused_unless_told_otherwise(told, options) -> None:
    """C-91: its first line says how many memories it holds; a line that cannot be read is one of them."""
    told.export()
    told.file.write_text("".join(f"{line}\n" for line in told.file.read_text().splitlines()[:3]))
    assert told.bring(*options) == 1
    assert "holds 2 of 3 memories; allowed: the whole file, or --partial" in told.said
    assert not archives(told.there.folder)
    assert told.bring("--partial") == 0
    told.there.adopt()
    assert len(told.there.docs) == 2


def test_an_embedding_model_that_fails_holds_up_nothing_else(told, monkeypatch) -> None:
    """C-74: the request waits, is told once, and is carried out when the model answers again."""
    told.take()
    fresh = told.there.insert("The printer is on the third floor")
    with monkeypatch.context() as broken:
        broken.setattr(HashingEmbedder, "embed_documents", lambda *_: (_ for _ in ()).throw(TimeoutError("slow")))
        told.there.adopt()
        told.there.adopt()
    assert "classification" in told.there.docs[fresh].metadata
    (problem,) = refused(told.there)
    assert "TimeoutError: slow" in problem
    assert told.there.adopter.has_work()
    told.there.adopt()
    assert len(told.there.docs) == 4 and told.there.validity("m0001") == "deprecated"


def test_a_store_that_stands_alone_is_written_at_once(told, tmp_path) -> None:
    """A store of `ingest` has no host: the command is its host, of a move as well."""
    told.export()
    alone = tmp_path / "alone"
    assert told.run("import", "--folder", alone, told.file) == 0
    assert f"3 memories were imported into {alone}" in told.said
    assert told.run("export", "--as", "json-lines", "--folder", alone) == 0
    rows = [json.loads(line) for line in told.said.splitlines()]
    assert [one["id"] for one in rows] == ["m0001", "m0002", "m0003"]
    assert rows[0]["metadata"]["classification"]["validity"] == "deprecated"
    assert told.run("import", "--folder", alone, told.file) == 0
    assert "0 memories were imported" in told.said and "3 are there already" in told.said
    other = tmp_path / "other"
    assert told.run("move", "--folder", alone, "--to", other, "--id", "m0001", "--id", "m0002") == 0
    assert f"2 memories were moved into {other}" in told.said
    for store, expected in ((alone, ["m0003"]), (other, ["m0001", "m0002"])):
        told.run("export", "--as", "json-lines", "--folder", store)
        assert [json.loads(line)["id"] for line in told.said.splitlines()] == expected


def test_the_mark_of_an_ingest_stays_where_lines_are_ingested(told, tmp_path, workspace) -> None:
    """T-61: the same file adds nothing in a copy of the store; in a host's folder it would be words to forget."""
    workspace.ingest({"text": TEA, "source": "user_asserted"})
    other = tmp_path / "other"
    for target in (other, told.there.folder):
        assert told.run("copy", "--folder", workspace.store, "--to", target, "--all") == 0
    told.there.adopt()
    (document,) = told.there.docs.values()
    assert "ingested" not in document.metadata and document.metadata["classification"]["source"] == "user_asserted"
    workspace.store = other
    workspace.ingest()
    assert "0 memories stored" in workspace.said and workspace.texts() == [TEA]


def test_a_folder_that_is_not_there_yet_is_told_by_its_place(told, tmp_path) -> None:
    """Contract section 4: a project's folder is Agent Zero's before it has written anything."""
    project = tmp_path / "usr/projects/heron/.a0proj/memory"
    project.parent.mkdir(parents=True)
    told.export()
    assert told.run("import", "--folder", project, told.file) == 0
    assert "at Agent Zero's next turn" in told.said
    assert sorted(path.name for path in project.iterdir()) == ["ledger.db", "ledger.db-journal", INBOX_FILE]
    assert cli.main(["import", "--folder", str(tmp_path / "no/such/place"), str(told.file)]) == 1


def test_an_answer_that_a_kill_has_kept_back_changes_nothing(told) -> None:
    """T-64: what came is saved and put on record before the archive goes, and that before the answer."""
    told.take()
    asked = (told.there.folder / INBOX_FILE).read_bytes()
    told.there.adopt()
    before = (list(told.there.docs), told.there.journal())
    (told.there.folder / INBOX_FILE).write_bytes(asked)
    told.there.restart()
    told.there.adopt()
    assert (list(told.there.docs), told.there.journal()) == before and refused(told.there) == []
    assert [one.answer.words for one in Inbox(told.there.folder).read()] == ["it was done before"]


def test_the_archive_stays_until_what_came_is_saved(told, monkeypatch) -> None:
    """T-64: where nothing can be written the request waits, told once; a restart takes it up again."""
    told.take()
    with monkeypatch.context() as full:
        full.setattr(type(told.there.memory), "_save_db", lambda _: (_ for _ in ()).throw(OSError("the disk is full")))
        told.there.adopt()
        told.there.adopt()
    assert refused(told.there) == ["`arrive` is 'the disk is full'; allowed: it is tried again at the next turn"]
    told.there.restart()
    assert told.there.docs == {} and waiting(told.there) == ["arrive"]
    told.there.adopt()
    told.there.restart()
    assert len(told.there.docs) == 3 and waiting(told.there) == []


def test_a_copy_leaves_the_old_folder_as_it_is(told) -> None:
    """The ids that were asked for, and no others; what is there already only has to leave when it is moved."""
    assert told.move("--id", "m0001", "--id", "m0002", verb="copy") == 0
    before = {path.name: path.read_bytes() for path in told.here.folder.iterdir() if path.is_file()}
    told.there.adopt()
    told.here.adopt()
    assert list(told.there.docs) == ["m0001", "m0002"] and len(told.here.docs) == 3
    assert {path.name: path.read_bytes() for path in told.here.folder.iterdir() if path.is_file()} == before
    assert told.move("--id", "m0001") == 0 and "1 is there already" in told.said
    told.here.adopt()
    assert list(told.here.docs) == ["m0002", "m0003"]


def test_a_move_leaves_the_old_folder_only_when_the_new_one_is_on_disk(told) -> None:
    """T-64: both, never neither; the old folder says in its journal where they went, and what stays is unlinked."""
    assert told.move("--id", "m0002") == 0
    assert "m0001: the link superseded_by -> m0002 will be left out of" in told.said
    assert "will be moved" in told.said and f"leaves {told.here.folder} at Agent Zero's next turn" in told.said
    [request] = Inbox(told.here.folder).read()
    target = Path(request.asked.target)  # from the old one, since a container may know both under another root
    assert not target.is_absolute() and (told.here.folder / target).resolve() == told.there.folder.resolve()
    os.utime(told.there.store.database.path, (0, 0))  # a file that was only just written is looked at once more
    told.here.adopt()
    assert len(told.here.docs) == 3
    assert not told.here.adopter.has_work()  # what it waits for costs one look at a file
    told.there.adopt()
    assert told.here.adopter.has_work()
    told.here.adopt()
    assert list(told.here.docs) == ["m0001", "m0003"] and list(told.there.docs) == ["m0002"]
    lineage = told.here.read("m0001").lineage
    assert lineage.superseded_by is None and told.here.validity("m0001") == "deprecated"
    assert is_sealed(told.here.store.key, told.here.read("m0001"))
    moved = told.here.journal()[-1]
    assert (moved["action"], moved["memories"], moved["to"]) == ("move", ["m0002"], str(told.there.folder.resolve()))
    told.here.restart()
    told.here.adopt()
    assert list(told.here.docs) == ["m0001", "m0003"] and waiting(told.here) == []
    assert refused(told.here) == []


def test_a_crash_of_the_new_folder_keeps_the_old_one(told) -> None:
    """T-64: it came, it was never saved: nothing leaves."""
    told.move("--all")
    told.there.adopt(limit=2)
    told.there.restart()
    told.here.adopt()
    assert len(told.here.docs) == 3
    while not told.there.adopt(limit=2).is_done:
        pass
    told.here.adopt()
    assert told.here.docs == {} and len(told.there.docs) == 3


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_crash_of_the_old_folder_is_taken_up_again(told, monkeypatch, is_killed: bool) -> None:
    """T-64: it was deleted and not saved; both hold it, and the next turn lets it go, in this process or another."""
    told.move("--id", "m0003")
    told.there.adopt()
    with monkeypatch.context() as dying:
        dying.setattr(type(told.here.memory), "_save_db", lambda _: (_ for _ in ()).throw(OSError("gone")))
        told.here.adopt()
    assert refused(told.here) == ["`leave` is 'gone'; allowed: it is tried again at the next turn"]
    if is_killed:
        told.here.restart()
        assert len(told.here.docs) == 3
    told.here.adopt()
    assert waiting(told.here) == []
    told.here.restart()
    assert list(told.here.docs) == ["m0001", "m0002"]


def test_what_was_rewritten_meanwhile_stays(told) -> None:
    """T-64: only what the new folder holds word for word may leave."""
    told.move("--id", "m0003")
    told.there.adopt()
    told.here.update("m0003", "User likes black tea")
    told.here.adopt()
    assert "m0003" in told.here.docs
    (problem,) = refused(told.here)
    assert "it stays here" in problem
    told.here.adopt()
    assert waiting(told.here) == []


@pytest.mark.parametrize("damage", ["hash", "docstore"])
def test_a_store_that_the_host_could_not_load_holds_nothing(told, damage: str) -> None:
    """Contract section 4: from v1.8 on a hash that does not match means that everything in the new folder is lost."""
    told.move("--id", "m0003")
    told.there.adopt()
    target = told.there.folder / ("index.faiss.sha256" if damage == "hash" else "index.pkl")
    whole = target.read_bytes() if target.exists() else None
    target.write_bytes(b"0" * 64)
    told.here.adopt()
    assert "m0003" in told.here.docs
    (problem,) = refused(told.here)
    assert "not to be verified yet" in problem
    target.unlink() if whole is None else target.write_bytes(whole)
    save(told.there)
    (told.there.folder / "index.pkl").touch()
    told.here.adopt()
    assert "m0003" not in told.here.docs


def test_what_is_asked_for_by_domain(told) -> None:
    """C-99a: the domain of the turn in which it was written."""
    told.here.docs["m0003"].metadata["lineage"]["bst_domain"] = "kitchen"
    assert told.move("--domain", "kitchen", "--dry-run") == 0
    assert "m0003: 'User likes green tea'" in told.said and "1 memory would be moved" in told.said
    assert not archives(told.there.folder) and not archives(told.here.folder)


def test_a_record_of_the_vault_is_copied_and_not_moved(told) -> None:
    """V-10, T-18: its file would put it back, and it would be in both; in the new folder it is a memory like others."""
    vault = VaultStore(told.here.folder, clock=told.here.clock)
    record = vault.add_memory("The greenhouse opens at nine", "shared", "other").record
    mirror = FAISSMemory(told.here.store, vault.file, type(told.here.memory))
    mirror.run()
    told.here.memory.save()
    assert told.move("--id", record.id) == 1
    assert f"memory {record.id} is a record of the vault; allowed: `copy`" in told.said
    assert told.move("--all", "--dry-run") == 0
    assert "1 record of the vault stay" in told.said and "3 memories would be moved" in told.said
    assert told.move("--id", record.id, verb="copy") == 0
    told.there.adopt()
    assert list(told.there.docs) == [record.id] and mirror.run() == 0
    other = VaultStore(told.there.folder, clock=told.there.clock)
    there = FAISSMemory(told.there.store, other.file, type(told.there.memory))
    assert there.run() == 0 and told.there.store.mirrored == {}
    other.file.path.write_bytes(vault.file.path.read_bytes())  # the file comes by hand: it wins, and nothing is doubled
    assert there.run() == 1 and list(told.there.docs) == [record.id]
    assert told.there.store.mirrored == {record.id: "shared"} and there.run() == 0


def mirror_two(box) -> tuple[VaultStore, FAISSMemory, str, str]:
    """Return a vault, its mirror in a store, and the ids of its two records."""
    vault = VaultStore(box.folder, clock=box.clock)
    mirror = FAISSMemory(box.store, vault.file, type(box.memory))
    first, second = (vault.add_memory(text, "shared", "other").record.id for text in ("Bees dance", "Whales sing"))
    mirror.run()
    return vault, mirror, first, second


def test_an_archive_brings_no_deleted_record_back(told) -> None:
    """V-10, V-31, T-18: what the vault says no more does not come by another way; an older version is refused."""
    vault, mirror, gone, kept = mirror_two(told.here)
    told.here.memory.save()
    told.export()
    vault.delete_memory(gone)
    vault.update_memory(kept, text="Whales sing in July")
    mirror.run()
    told.here.memory.save()
    assert told.run("import", "--folder", told.here.folder, told.file) == 1
    assert f"memory {kept} is taken by 'Whales sing in July'" in told.said
    told.here.adopt()
    mirror.run()
    assert gone not in told.here.docs and told.here.docs[kept].page_content == "Whales sing in July"


@pytest.mark.parametrize("only_pointers", [False, True])
def test_what_is_stripped_is_the_vaults_again(told, only_pointers) -> None:
    """T-18, T-61, P-05: the way back leaves the file alone; a later installation heals the mirror, and doubles nothing.

    A record that was deleted meanwhile is gone then.
    """
    vault, mirror, gone, kept = mirror_two(told.here)
    told.here.restart(is_saved=True)
    told.here.memory.close()
    before = vault.file.path.read_bytes()
    strip_metadata(told.here.folder, only_pointers=only_pointers)
    assert vault.file.path.read_bytes() == before
    vault.delete_memory(gone)
    told.here.open()
    mirror = FAISSMemory(told.here.store, vault.file, type(told.here.memory))
    mirror.run()
    assert list(told.here.docs) == ["m0001", "m0002", "m0003", kept] and mirror.run() == 0
    assert told.here.docs[kept].metadata["classification"]["validity"] == "confirmed"


def test_pieces_of_knowledge_files_stay(told) -> None:
    """T-47: the host makes them anew, and deletes them with their file."""
    listed = {"/a0/knowledge/x.md": {"file": "x", "checksum": "0", "ids": ["m0003"]}}
    (told.here.folder / "knowledge_import.json").write_text(json.dumps(listed))
    assert told.move("--all", verb="copy") == 0
    assert "1 piece of knowledge files stay" in told.said or "1 pieces" in told.said
    told.there.adopt()
    assert "m0003" not in told.there.docs
    assert told.move("--id", "m0003", "--id", "m0099", verb="copy") == 1
    assert "memory m0003 is not in" in told.said and "memory m0099 is not in" in told.said


def test_to_the_same_folder_is_refused(told, capsys) -> None:
    save(told.here)
    folder = str(told.here.folder)
    assert cli.main(["copy", "--folder", folder, "--to", folder, "--all"]) == 1
    assert "is where the memories are" in capsys.readouterr().err
