"""The backup beside a store: kept up with every insert, delete and judgement; what is lost comes back (T-64)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from full_disk import full_disk
from hostile_documents import Counted
from memory_ledger import cli
from memory_ledger.inbox import BringBack, Erase
from memory_ledger.setting_groups import Backup as BackupSettings
from memory_ledger.store import backup_file, files
from memory_ledger.store.backup import BackupWriter, Loss, is_far_fewer, terminal_command, write_backup
from memory_ledger.store.backup_file import BackupFile
from memory_ledger.store.damage import ProblemKind
from memory_ledger.store.deadline import Stopped, Throttle
from memory_ledger.store.embedded import EmbeddedFaiss, EmbeddedMemory
from memory_ledger.store.erase import Trace
from memory_ledger.store.requests import Inbox
from memory_ledger.store.restore import OrderHandler
from memory_ledger.store.saving import record_changes
from test_maintenance import let_pass, maintain

FILE = files.BACKUP_FILE


@pytest.fixture(autouse=True)
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two methods of the index wrapped, and unwrapped again after the test."""
    for name in ("_FAISS__add", "delete"):
        monkeypatch.setattr(EmbeddedFaiss, name, getattr(EmbeddedFaiss, name))
    record_changes(SimpleNamespace(MyFaiss=EmbeddedFaiss))
    yield


class Life:
    """A memory folder with a backup, as one process after the other sees it."""

    def __init__(self, box: Any) -> None:
        self.box = box
        self.begin()

    def begin(self, **settings: Any) -> None:
        """Hang a backup on the folder, as a new process does."""
        self.backup = BackupWriter(self.box.store, BackupSettings(**settings), memory_class=EmbeddedMemory)
        self.orders = OrderHandler(self.backup, self.forget)

    def forget(self, trace: Trace) -> dict[str, int]:
        """Stand in for what a session hangs on a folder."""
        return {"others": 0}

    def turn(self) -> None:
        """End a turn: classify what is new, then the backup, then the host's files."""
        self.box.adopt()
        self.backup.end_turn()
        self.box.store.save()

    def wipe(self) -> None:
        """Lose the host's files, as a hash mismatch does, and start a new process."""
        for name in ("index.faiss", "index.pkl"):
            (self.box.folder / name).unlink(missing_ok=True)
        self.restart()

    def restart(self) -> None:
        self.box.restart()
        self.begin()

    def order(self, *ids: str, kind: type[BringBack | Erase] = BringBack) -> None:
        self.box.clock.advance(seconds=1)
        Inbox(self.box.folder).append(kind(memories=ids), at=self.box.clock(), by="rosa")

    def is_ordered(self) -> bool:
        return any(one.answer is None for one in Inbox(self.box.folder).read())

    def carry_out(self) -> list[str]:
        return [one.words for one in self.orders.carry_out(lambda done, total: None)]

    def texts(self) -> dict[str, str]:
        return {one: document.page_content for one, document in self.box.docs.items()}

    def lines(self) -> list[dict[str, Any]]:
        return self.box.lines(FILE)


@pytest.fixture
def life(known) -> Life:
    return Life(known)


def status_of(box: Any) -> dict[str, Any]:
    return {
        one: json.dumps([document.metadata.get("classification"), document.metadata.get("lineage")], sort_keys=True)
        for one, document in box.docs.items()
    }


def test_an_insert_is_in_the_backup_before_it_is_in_the_index(life, monkeypatch) -> None:
    """T-64: whatever crash comes after the host's insert has begun, the memory can be brought back."""
    seen: list[tuple[int, int]] = []
    add = EmbeddedFaiss.__mro__[1]._FAISS__add

    def look(self: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append((len(life.lines()), self.index.ntotal))
        return add(self, *args, **kwargs)

    monkeypatch.setattr(EmbeddedFaiss, "_FAISS__add", look)
    record_changes(SimpleNamespace(MyFaiss=EmbeddedFaiss))
    memory_id = life.box.insert("likes tea", area="fragments")
    assert seen == [(1, 0)]
    [line] = life.lines()
    assert (line["id"], line["text"], line["metadata"]["area"]) == (memory_id, "likes tea", "fragments")


def test_what_the_host_does_not_store_is_not_restored(life) -> None:
    with pytest.raises(AssertionError):
        life.box.memory.db.add_embeddings([("too short", [1.0, 2.0])], metadatas=[{}], ids=["x"])
    contents = life.backup.file.read()
    assert contents.missing(()) == []
    assert contents.deleted["x"].by == "not stored"


def test_the_status_is_appended_at_the_end_of_a_turn(life) -> None:
    """T-64: what was judged since the last rewrite is brought back as judged."""
    life.turn()
    memory_id = life.box.insert("User prefers tea")
    life.turn()
    assert [line["id"] for line in life.lines()] == [memory_id, memory_id]
    assert "classification" not in life.lines()[0]["metadata"]
    assert life.lines()[1]["metadata"]["lineage"]["seal"]
    life.turn()
    assert len(life.lines()) == 2


@pytest.mark.parametrize("is_begun", [False, True], ids=["before the first turn", "later"])
@pytest.mark.parametrize("kind", ["disk full", "folder gone"])
def test_a_backup_that_cannot_be_written_stops_no_insert(life, kind, is_begun, tmp_path) -> None:
    """T-64: it is told once; as soon as the file can be written, what it lacks is in it."""
    path = life.box.folder / FILE
    if is_begun:  # from then on no backup is compared with its store, and what is owed is all that is written
        life.turn()
    if kind == "folder gone":
        life.backup.file.path = tmp_path / "gone" / FILE
    with full_disk(path):
        memory_id = life.box.insert("likes tea")
        gone = life.box.insert("likes coffee")
        life.box.delete(gone)
        life.turn()
        life.turn()
    assert list(life.box.docs) == [memory_id]
    assert [str(one.where) for one in life.box.store.problems.take(ProblemKind.BACKUP)] == [str(life.backup.file.path)]
    life.backup.file.path = path
    life.turn()
    assert {line["id"] for line in life.lines() if "id" in line} == {memory_id}
    assert life.box.store.problems.take(ProblemKind.BACKUP) == []


@pytest.mark.parametrize("is_back", [False, True], ids=["gone", "stored again"])
@pytest.mark.parametrize("is_begun", [False, True], ids=["before the first turn", "later"])
def test_what_is_deleted_while_the_disk_is_full_does_not_come_back(life, is_begun, is_back) -> None:
    """T-64: a deletion that could not be noted is noted as soon as it can be; what was stored again is none."""
    memory_id, other = life.box.insert("likes tea"), life.box.insert("likes coffee")
    if is_begun:
        life.turn()
    with full_disk(life.box.folder / FILE):
        life.box.delete(memory_id)
        life.turn()
    if is_back:
        vector = life.box.memory.db.embedding_function.embed_query("likes tea")
        life.box.memory.db.add_embeddings([("likes tea", vector)], metadatas=[{"id": memory_id}], ids=[memory_id])
    life.turn()
    contents = life.backup.file.read()
    assert contents.missing((other,)) == ([memory_id] if is_back else [])
    assert life.backup.take_loss() is None


class Area(Enum):
    """As the host of v0.9.7 stores it."""

    MAIN = "main"


def test_any_metadata_can_be_written() -> None:
    """T-64: members, dates, numpy's numbers, sets, bytes, no numbers, cycles, and one dictionary in two places."""
    circle: dict[Any, Any] = {"area": Area.MAIN}
    circle["self"] = circle["again"] = circle
    shared = {"a": 1}
    deep: Any = 0
    for _ in range(5_000):
        deep = [deep]
    plain = {
        "shared": ([shared, shared], [shared, shared]),
        "number": (np.float32(0.5), 0.5),
        "many": (np.arange(2), [0, 1]),
        "none": (float("nan"), None),
        "set": ({3, 1}, [1, 3]),
        "half": ("\ud83d", "\ud83d"),
    }
    kept = {"circle": circle, "deep": deep, "at": np.datetime64("2026-03-01"), "bytes": b"\xff", "object": object}
    metadata = {**kept, **{key: given for key, (given, _) in plain.items()}, 1: "one", Area.MAIN: "key"}
    line = files.to_bytes(files.to_line(backup_file.memory_row("m1", "half \udc00", metadata)))
    found = backup_file.read_line(line)
    assert found.text == "half \udc00" and found.metadata["circle"]["area"] == "main"
    expected = {key: made for key, (_, made) in plain.items()} | {"1": "one", "main": "key"}
    assert {key: found.metadata[key] for key in expected} == expected


def test_of_what_stands_in_very_many_places_the_beginning_is_kept() -> None:
    """T-64, T-69: it is endless on paper."""
    line = files.to_line(backup_file.memory_row("m1", "text", {"many": Counted.in_many_places(30)}))
    assert 90_000 < line.count(":") < 110_000
    made = backup_file.read_line(files.to_bytes(line)).metadata["many"]
    for _ in range(30):
        made = made["0"]
    assert made == {"end": 1}


def test_what_was_cut_in_its_own_circle_is_whole_elsewhere() -> None:
    """T-64: two that hold each other, each first once: where one is cut says nothing of another place."""
    one: dict[str, Any] = {}
    two: dict[str, Any] = {"one": one}
    one["two"] = two
    beside = backup_file.to_plain([one, {"two": two}])
    assert beside == [backup_file.to_plain([one])[0], backup_file.to_plain([{"two": two}])[0]]


def test_a_rewrite_leaves_one_line_for_each_memory(life) -> None:
    """T-64: at maintenance, with what was appended meanwhile; its owner alone reads what all memories say."""
    ids = [life.box.insert(f"note {number}") for number in range(5)]
    life.box.update(ids[0], "note zero")
    life.turn()
    report = life.backup.write()
    assert (report.memories, report.missing, report.deleted, report.is_written) == (5, 0, 0, True)
    assert [line["id"] for line in life.lines()] == [*ids[1:], ids[0]]
    assert life.lines()[-1]["text"] == "note zero"
    assert (life.box.folder / FILE).stat().st_mode & 0o777 == 0o600


def happen_in_a_rewrite(life: Life, monkeypatch: pytest.MonkeyPatch, happen: Callable[[], object]) -> None:
    """Let something happen once in the next rewriting, after the first line that it writes."""
    take = life.backup._rows

    def rows(*args: Any) -> Iterator[dict[str, Any]]:
        monkeypatch.setattr(life.backup, "_rows", take)
        for number, row in enumerate(take(*args)):
            if number == 1:
                happen()
            yield row

    monkeypatch.setattr(life.backup, "_rows", rows)


def test_what_is_appended_during_a_rewrite_stays(life, monkeypatch) -> None:
    ids = [life.box.insert(f"note {number}") for number in range(3)]
    happen_in_a_rewrite(life, monkeypatch, lambda: (ids.append(life.box.insert("late")), life.box.delete(ids[0])))
    assert life.backup.write().is_written
    contents = life.backup.file.read()
    assert contents.missing(()) == ids[1:] and len(ids) == 4
    assert list(contents.deleted) == [ids[0]]


def test_a_rewrite_that_is_stopped_leaves_the_backup(life) -> None:
    for number in range(501):
        life.box.insert(f"note {number}")
    path = life.box.folder / FILE
    before = path.read_bytes()

    answers = iter([True, False])  # when the old one has been read, and in the midst of writing
    with pytest.raises(Stopped):
        write_backup(life.box.store, Throttle(is_wanted=lambda: next(answers)))
    assert path.read_bytes() == before
    assert [one.name for one in life.box.folder.iterdir() if one.name.endswith(".tmp")] == []


def test_of_two_rewrites_at_once_one_stays(life, monkeypatch) -> None:
    ids = [life.box.insert(f"note {number}") for number in range(3)]
    others: list[bool] = []

    def write_and_insert() -> None:
        others.append(life.backup.write().is_written)
        ids.append(life.box.insert("came late"))

    happen_in_a_rewrite(life, monkeypatch, write_and_insert)
    assert (life.backup.write().is_written, others) == (False, [True])
    assert life.backup.file.read().missing(()) == ids and len(ids) == 4


def test_deletes_that_are_on_record_do_not_keep_a_rewrite_back(life) -> None:
    ids = [life.box.insert(f"note {number}") for number in range(20)]
    life.box.delete(*ids[1:])
    report = life.backup.write()
    assert (report.is_written, report.memories, report.deleted) == (True, 1, 19)


def test_a_rewrite_keeps_what_the_store_has_lost(life) -> None:
    """T-64: a memory that a crash took stays in the backup until it is restored, or somebody says that it may go."""
    kept = life.box.insert("kept")
    life.turn()
    life.box.memory.save()
    lost = life.box.insert("lost in a crash")
    life.restart()
    assert list(life.box.docs) == [kept]
    assert life.backup.write().missing == 1
    assert set(life.backup.file.read().missing(life.box.docs)) == {lost}


def test_only_so_many_deleted_memories_are_kept(life) -> None:
    ids = [life.box.insert(f"note {number}") for number in range(4)]
    life.begin(kept_deleted=1)
    life.box.delete(*ids[:3])
    assert life.backup.write().deleted == 1
    assert life.backup.file.read().lines.keys() == {ids[2], ids[3]}


@pytest.mark.parametrize(
    ("present", "backed_up", "expected"), [(0, 10, True), (0, 9, False), (10, 20, False), (9, 20, True)]
)
def test_far_fewer(present: int, backed_up: int, expected: bool) -> None:
    assert is_far_fewer(present, backed_up) is expected


def test_a_wiped_store_is_told_once_with_the_command(life) -> None:
    """T-64: when it is opened; nothing is restored by itself."""
    for number in range(12):
        life.box.insert(f"note {number}")
    life.turn()
    life.wipe()
    life.turn()
    loss = life.backup.take_loss()
    assert loss == Loss(present=0, backed_up=12, missing=12, is_torn=False)
    assert loss.is_grave and terminal_command("restore", life.box.folder) in loss.words(life.box.folder)[1]
    life.turn()
    assert life.backup.take_loss() is None
    assert life.texts() == {}


def test_a_small_loss_is_told_quietly(life) -> None:
    """T-64: below the threshold it is no warning, but nobody has to guess."""
    life.turn()
    life.box.memory.save()
    life.box.insert("lost in a crash")
    life.restart()
    life.turn()
    loss = life.backup.take_loss()
    assert (loss.missing, loss.is_grave) == (1, False)


def test_a_store_that_came_without_a_backup_gets_one(life) -> None:
    """T-64: what was there before the backup is in it after the first turn, also what was inserted unseen."""
    life.begin(enabled=False)
    first = life.box.insert("before the backup")
    life.turn()
    life.begin()
    life.turn()
    assert {line["id"] for line in life.lines()} == {first}
    life.begin(enabled=False)
    second = life.box.insert("unseen")
    life.begin()
    life.turn()
    assert {line["id"] for line in life.lines()} == {first, second}


def fill(life: Life) -> tuple[dict[str, str], dict[str, Any]]:
    """Give a folder memories with status and pointers, saved; return texts and status."""
    life.box.say("My project uses Python 3.9.")
    life.box.insert("User's project uses Python 3.9")
    life.turn()
    life.box.say("Actually, my project uses Python 3.11.")
    life.box.insert("User's project uses Python 3.11")
    for number in range(12):
        life.box.insert(f"note {number}")
    life.turn()
    return life.texts(), status_of(life.box)


def fill_and_wipe(life: Life) -> tuple[dict[str, str], dict[str, Any]]:
    filled = fill(life)
    life.wipe()
    return filled


def restore(life: Life, *memory_ids: str) -> list[str]:
    """Order what is missing, or these memories, and let it be carried out; return the words about it."""
    life.order(*memory_ids)
    return life.carry_out()


def assert_vectors_fit(life: Life) -> None:
    """Check that each vector is the one of its text, of as many as there are texts."""
    db = life.box.memory.db
    assert db.index.ntotal == len(db.index_to_docstore_id) == len(life.box.docs)
    for position, memory_id in db.index_to_docstore_id.items():
        expected = life.box.embedder.vector(life.texts()[memory_id])
        assert np.allclose(db.index.reconstruct(position), expected, atol=1e-5)


def test_everything_comes_back_as_it_stood(life) -> None:
    """T-64, T-69, C-91: ids, texts, status, pointers and seals; vectors from the host's own model; saved."""
    texts, before = fill_and_wipe(life)
    assert any(json.loads(one)[1]["superseded_by"] for one in before.values())
    [words] = restore(life)
    assert words.startswith("14 memories brought back (")
    assert (life.texts(), status_of(life.box)) == (texts, before)
    assert life.box.adopt().classified == []
    assert status_of(life.box) == before
    assert_vectors_fit(life)
    life.order()
    assert restore(life) == ["0 memories brought back"] * 2 and not life.is_ordered()
    assert life.carry_out() == []
    life.restart()
    assert life.texts() == texts


def test_a_restore_that_is_cut_off_goes_on(life, monkeypatch) -> None:
    texts = {life.box.insert(f"note {number}"): f"note {number}" for number in range(100)}
    life.turn()
    life.wipe()
    life.order()

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        life.orders.carry_out(stop)
    assert 0 < len(life.box.docs) < 100
    life.restart()
    assert life.is_ordered()
    life.carry_out()
    assert life.texts() == texts


def test_a_text_that_cannot_be_embedded_stops_no_other(life, monkeypatch) -> None:
    fill_and_wipe(life)
    embed = life.box.embedder.embed_documents

    def fail(texts: list[str]) -> Any:
        if "note 3" in texts:
            raise ValueError("too much of a note")
        return embed(texts)

    monkeypatch.setattr(life.box.embedder, "embed_documents", fail)
    life.order()
    [outcome] = life.orders.carry_out(lambda done, total: None)
    assert "13 memories brought back" in outcome.words and "1 not embedded" in outcome.words
    assert [one for one in outcome.problems if "too much of a note" in one]


def test_a_model_that_fails_altogether_leaves_the_order(life, monkeypatch) -> None:
    texts, _ = fill_and_wipe(life)
    life.order()
    with monkeypatch.context() as patch:
        patch.setattr(life.box.embedder, "embed_documents", lambda texts: 1 / 0)
        assert life.carry_out() == [] and life.carry_out() == []
        assert len(life.box.store.problems.take(ProblemKind.DECISIONS)) == 1
        assert life.is_ordered()
    life.carry_out()
    assert life.texts() == texts


def test_another_model_is_no_hindrance(life) -> None:
    """T-64: the vectors are those of the model that the host has now."""
    texts, _ = fill_and_wipe(life)
    life.box.embedder = type(life.box.embedder)(32)
    life.restart()
    restore(life)
    assert life.texts() == texts
    assert life.box.memory.db.index.d == 32


def test_deleted_memories_come_back_only_by_name(life) -> None:
    """T-64, T-43: what a merge of the host's deleted and never wrote anew."""
    texts, _ = fill(life)
    gone, other = list(texts)[3:5]
    life.box.delete(gone, other)
    life.turn()
    life.wipe()
    restore(life)
    assert life.texts().keys() == texts.keys() - {gone, other}
    life.turn()
    [words] = restore(life, gone, "no such memory")
    assert words == f"1 memory brought back ({gone}); 1 not in the backup"
    assert life.texts().keys() == texts.keys() - {other}
    life.turn()
    life.wipe()
    restore(life)
    assert gone in life.texts()


def test_damaged_lines_are_left_out_and_counted(life) -> None:
    fill(life)
    path = life.box.folder / FILE
    life.backup.write()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:5], b"\x00\xff{garbage\n", b"[1]\n", *lines[5:-1], lines[-1][:20]]))
    life.wipe()
    [words] = restore(life)
    assert words.startswith("13 memories brought back") and words.endswith("3 damaged lines of the backup left out")
    assert len(life.texts()) == 13
    late = life.box.insert("after the torn line")
    assert late in life.backup.file.read().lines


def test_a_torn_save_is_told_and_mended(life) -> None:
    """T-64, contract 4: an index of one save and texts of another; the vectors are made anew."""
    texts, _ = fill(life)
    old = (life.box.folder / "index.pkl").read_bytes()
    life.box.delete(next(iter(texts)))
    life.box.memory.save()
    (life.box.folder / "index.pkl").write_bytes(old)
    db = life.box.memory.db
    db.index_to_docstore_id = {number: one for number, one in enumerate(texts)}
    db.docstore._dict = dict(life.box.memory.db.docstore._dict)
    life.backup._is_looked_at = False
    life.backup.end_turn()
    assert life.backup.take_loss().is_torn
    [words] = restore(life)
    assert "13 vectors made anew" in words and len(life.box.docs) == 13
    assert_vectors_fit(life)
    rest = list(db.index_to_docstore_id.values())
    db.index_to_docstore_id = dict(enumerate([*rest[1:], rest[0]]))  # as many, but of another order
    assert "13 vectors made anew" in restore(life)[0]
    assert_vectors_fit(life)


def test_knowledge_comes_back_while_the_host_lists_it(life) -> None:
    """T-64: what the host has imported anew since, or removed, is not what it was."""
    metadata = {"knowledge_source": True, "source_path": "/a0/knowledge/main/a.md", "area": "main"}
    old, new = life.box.insert("old chunk", **metadata), life.box.insert("new chunk", **metadata)
    listed = {metadata["source_path"]: {"checksum": "1", "ids": [new]}}
    (life.box.folder / "knowledge_import.json").write_text(json.dumps(listed))
    assert [line["knowledge"] for line in life.lines()] == [True, True]
    life.wipe()
    restore(life)
    assert list(life.texts()) == [new]
    restore(life, old)
    assert list(life.texts()) == [new, old]


FILL_THE_DISK = """
import resource, signal, sys
from pathlib import Path
from memory_ledger.store.backup_file import BackupFile
from memory_ledger.store.backup_file import memory_row

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
file = BackupFile(Path(sys.argv[1]))
try:
    for number in range(20):
        file.append([memory_row(f"m{number}", "x" * 900, {})])
except OSError as exc:
    print(number, type(exc).__name__)
try:
    file.rewrite((memory_row(f"n{number}", "x" * 900, {}) for number in range(20)), (), file.read())
except OSError as exc:
    print("not rewritten")
"""


def test_a_full_disk_tears_one_line_at_most(tmp_path) -> None:
    """T-64: what was written before stays readable, the file that would replace it is dropped, and writing goes on."""
    command = [sys.executable, "-W", "ignore", "-c", FILL_THE_DISK, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    count, *said = result.stdout.split(maxsplit=2)
    assert said == ["OSError", "not rewritten\n"] and int(count) > 5
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    file = BackupFile(tmp_path)
    assert list(file.read().lines) == [f"m{number}" for number in range(int(count))]
    file.append([backup_file.memory_row("late", "after the disk was full", {})])
    contents = file.read()
    assert "late" in contents.lines and contents.unreadable <= 1


@pytest.fixture
def terminal(life, capsys) -> Callable[..., tuple[int, list[Any], str]]:
    """Run a command over the folder; return its exit code, the rows that it printed and what it said."""

    def run(command: str, *options: str) -> tuple[int, list[Any], str]:
        status = cli.main([command, "--folder", str(life.box.folder), *options])
        shown = capsys.readouterr()
        return status, [json.loads(line) for line in shown.out.splitlines()], shown.err

    return run


def test_a_dry_run_moves_nothing_out_of_the_way(life, terminal) -> None:
    """T-64: what stands in the place of the backup is named, and set aside only when something is to be done."""
    life.box.insert("one")
    path = life.box.folder / FILE
    path.unlink(missing_ok=True)
    path.mkdir()
    code, backup_file, said = terminal("restore", "--dry-run")
    assert (code, backup_file) == (1, []) and f"{path} cannot be used" in said
    assert path.is_dir() and not path.with_name(f"{FILE}.damaged").exists()
    terminal("restore")
    assert path.with_name(f"{FILE}.damaged").is_dir()


def test_the_terminal_lists_and_orders(life, terminal) -> None:
    """T-64: a dry run names everything and orders nothing; the host does the rest, and the terminal says what."""
    texts, _ = fill_and_wipe(life)
    status, found, said = terminal("restore", "--dry-run")
    assert (status, {one["id"]: one["text"] for one in found}) == (0, texts)
    assert said == "14 memories would be brought back at Agent Zero's next turn\n"
    assert not life.is_ordered()
    assert terminal("restore")[2] == "14 memories will be brought back at Agent Zero's next turn\n"
    life.carry_out()
    status, found, said = terminal("restore", "--dry-run")
    assert found == [] and "last restore" in said and "14 memories brought back" in said


def test_the_terminal_lists_what_was_deleted(life, terminal) -> None:
    texts, _ = fill(life)
    gone = next(iter(texts))
    let_pass(life.box, 101)
    maintain(life.box, enable_purge=True)
    life.box.memory.save()
    status, [row], said = terminal("restore", "--deleted")
    assert (row["id"], row["text"], row["by"]) == (gone, texts[gone], "purge")
    assert terminal("restore", "--id", gone)[2].startswith("1 memory will be brought back")
    status, _, said = terminal("restore", "--id", "nothing")
    assert status == 1 and "no memory nothing" in said


def test_what_is_missing_can_be_dismissed(life, terminal) -> None:
    """T-64: a much smaller store does not replace the backup before a person says that it is the right one."""
    fill_and_wipe(life)
    before = (life.box.folder / FILE).read_bytes()
    assert "would be" in terminal("restore", "--dismiss", "--dry-run")[2]
    assert life.backup.write().is_refused
    assert (life.box.folder / FILE).read_bytes() == before
    assert terminal("restore", "--dismiss")[2].startswith("14 memories are taken for deleted")
    assert life.backup.write().is_written
    assert life.backup.file.read().missing(()) == []


def test_an_index_that_cannot_be_loaded_is_set_aside(life, terminal) -> None:
    """T-64: also when the host's files cannot be loaded at all; whoever looks is told how."""
    texts, _ = fill(life)
    (life.box.folder / "index.pkl").write_bytes(b"no pickle")
    life.box.memory.close()
    for command in ("restore", "repair", "doctor"):
        status, out, said = terminal(command)
        assert status == 1 and "index.pkl cannot be read" in str(out) + said and "--set-aside" in str(out) + said
    assert (life.box.folder / "index.pkl").exists()
    status, _, said = terminal("restore", "--set-aside")
    assert status == 0 and "was moved to" in said and "14 memories will be brought back" in said
    life.restart()
    life.carry_out()
    assert life.texts() == texts


def test_without_a_backup_the_terminal_says_so(tmp_path: Path, capsys) -> None:
    assert cli.main(["restore", "--folder", str(tmp_path)]) == 1
    assert FILE in capsys.readouterr().err
    assert BackupFile(tmp_path).read() is None


def test_a_line_is_private_and_on_the_disk_when_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-64: whatever the host's index allows; the host saves after that."""
    (tmp_path / "index.pkl").touch(0o664)
    file, synced = BackupFile(tmp_path), list[bytes]()
    monkeypatch.setattr(os, "fsync", lambda _: synced.append(file.path.read_bytes()))
    file.append([backup_file.memory_row("m1", "User has a boat", {})])
    assert synced == [file.path.read_bytes()] != [b""] and file.path.stat().st_mode & 0o777 == 0o600
