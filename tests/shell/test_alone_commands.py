"""Issue 22: what is asked for about a store without a host is done at once, and without the model (T-64, T-70)."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.clock import EPOCH, system_clock
from memory_ledger.inbox import Adopt
from memory_ledger.store.backup_file import BackupFile, deleted_row, memory_row
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.files import BACKUP_FILE, INBOX_FILE
from memory_ledger.store.lines import LineStore
from memory_ledger.store.requests import Inbox

OLD = {"text": "Heron uses Python 3.9", "source": "user_asserted", "timestamp": "2026-01-02T09:00:00Z"}
NEW = {"text": "Heron uses Python 3.12", "source": "user_asserted", "timestamp": "2026-01-04T09:00:00Z"}
SECRET = {"text": "the staging password is Kite&2211", "source": "agent_inferred", "timestamp": "2026-01-03T09:00:00Z"}


def no_model() -> Any:
    raise AssertionError("nothing is to be embedded")


class Alone:
    """A store of three memories that `ingest` has made; ids by text."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = root / "store"
        self._capsys = capsys
        file = root / "memories.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in (OLD, SECRET, NEW)))
        assert self.run("ingest", str(file), load=lambda: HashingEmbedder(64))[0] == 0

    def run(self, *words: str, load: Any = no_model) -> tuple[int, str, str]:
        """Run a command on the store; return its exit code and what it printed."""
        status = cli.main([*words, "--folder", str(self.folder)], load=load)
        return status, *self._capsys.readouterr()

    def id_of(self, row: dict[str, str]) -> str:
        return next(one for one, found in self.documents().items() if found.page_content == row["text"])

    def documents(self) -> dict[str, Any]:
        return read_docstore(self.folder)[1]

    def vectors(self) -> dict[str, Any]:
        index = faiss.read_index(str(self.folder / "index.faiss"))
        return {memory_id: index.reconstruct(place) for place, memory_id in read_docstore(self.folder)[0].items()}

    def axes(self, row: dict[str, str]) -> dict[str, str]:
        axes: dict[str, str] = self.documents()[self.id_of(row)].metadata["classification"]
        return axes


@pytest.fixture
def alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Alone:
    return Alone(tmp_path, capsys)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("erase", SECRET), "would be erased; now in"),
        (("undo", OLD), "would be resolved: {OLD} comes back into use"),
        (("refresh", SECRET, "--verified"), "would be refreshed"),
        (("archive-stale", "--threshold", "0", "--older-than", "1d", "--force"), "3 memories would be archived"),
        (("sign-anew",), "all memories would be signed anew"),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_a_dry_run_changes_nothing_and_promises_no_host(alone: Alone, words: tuple[Any, ...], said: str) -> None:
    before = {path.name: path.read_bytes() for path in alone.folder.iterdir()}
    given = [alone.id_of(one) if isinstance(one, dict) else one for one in words]
    status, out, err = alone.run(*given, "--dry-run")
    assert status == 0 and said.replace("{OLD}", alone.id_of(OLD)) in out + err
    assert "turn" not in out + err
    assert {path.name: path.read_bytes() for path in alone.folder.iterdir()} == before


def test_what_is_asked_for_is_done_at_once(alone: Alone) -> None:
    """Undone, decided the other way round, refreshed, archived, signed: no host is waited for."""
    old = alone.id_of(OLD)
    assert alone.axes(OLD)["validity"] == "deprecated"
    assert alone.run("undo", old)[:2] == (0, f"{old} comes back into use\n")
    assert alone.axes(OLD)["validity"] == "confirmed"
    [conflict] = [json.loads(line) for line in alone.run("conflicts")[1].splitlines()]
    status, out, _ = alone.run("resolve", conflict["id"], "--keep", old)
    assert status == 0 and "turn" not in out
    assert (alone.axes(OLD)["validity"], alone.axes(NEW)["validity"]) == ("confirmed", "deprecated")
    assert alone.run("refresh", alone.id_of(SECRET), "--verified")[2] == "1 memory refreshed\n"
    assert alone.axes(SECRET)["validity"] == "confirmed"
    status, out, err = alone.run("archive-stale", "--threshold", "0", "--older-than", "1d", "--force")
    assert status == 0 and old in out and err.endswith("archived\n")
    assert alone.axes(OLD)["utility"] == "archived"
    assert alone.run("sign-anew")[2].startswith("the chain holds; ")
    status, out, err = alone.run("validate")
    assert (status, out) == (0, "") and "3 in the chain of 3 lines" in err
    answers = [one.answer for one in Inbox(alone.folder).read()]  # a later command finds none to do again
    assert len(answers) >= 3 and all(one is not None and one.outcome == "done" for one in answers)


def test_what_is_refused_is_said_and_fails(alone: Alone) -> None:
    Inbox(alone.folder).append(Adopt(memories=(alone.id_of(OLD),)), at=EPOCH, by="rosa")
    status, _, err = alone.run("refresh", alone.id_of(NEW))
    assert status == 1 and "1 memory refreshed" in err and "`adopt --accept` is impossible" in err


@pytest.fixture
def backed_up(alone: Alone) -> Alone:
    """A store beside which a backup of all of it lies, as in a copy of a host's folder."""
    rows = [memory_row(one, found.page_content, found.metadata) for one, found in alone.documents().items()]
    LineStore(alone.folder / BACKUP_FILE).append(rows)
    return alone


def test_erased_is_gone_from_every_file(backed_up: Alone) -> None:
    """The command runs as `scan` prints it, and no byte of the memory is left, in the backup neither."""
    gone = backed_up.id_of(SECRET)
    [line] = [one for one in backed_up.run("scan")[2].splitlines() if "memory-ledger erase" in one]
    printed = line.split("`")[1].replace(" ID ", f" {gone} ")
    assert cli.main(shlex.split(printed)[1:], load=no_model) == 0
    held = [path.read_bytes() for path in backed_up.folder.rglob("*") if path.is_file()]
    assert not any(one in data for data in held for one in (b"Kite&2211", gone.encode()))
    assert sorted(one.page_content for one in backed_up.documents().values()) == [NEW["text"], OLD["text"]]


def test_a_new_status_is_in_the_backup(backed_up: Alone) -> None:
    assert backed_up.run("refresh", backed_up.id_of(SECRET), "--verified")[0] == 0
    last = [json.loads(line) for line in (backed_up.folder / BACKUP_FILE).read_text().splitlines()][-1]
    assert last["id"] == backed_up.id_of(SECRET) and last["metadata"]["classification"]["validity"] == "confirmed"


def test_what_was_deleted_and_comes_back_is_deleted_no_more(backed_up: Alone) -> None:
    lost = backed_up.id_of(SECRET)
    before = backed_up.vectors()
    memory = EmbeddedMemory(backed_up.folder, HashingEmbedder(64), clock=system_clock)
    memory.db.delete([lost])
    memory.save()
    memory.close()
    BackupFile(backed_up.folder).append([deleted_row(lost, at=EPOCH, by="host")])
    assert backed_up.run("restore", "--id", lost, load=lambda: HashingEmbedder(64))[0] == 0
    assert backed_up.run("restore", "--deleted")[1] == ""
    after = backed_up.vectors()
    assert after.keys() == before.keys() and all(np.allclose(after[one], before[one]) for one in before)


def test_a_lost_vector_is_made_anew(alone: Alone) -> None:
    """`repair` mends an index whose end is lost; what needs no model refuses it meanwhile."""
    before, path = alone.vectors(), str(alone.folder / "index.faiss")
    index = faiss.read_index(path)
    index.remove_ids(faiss.IDSelectorRange(2, 3))
    faiss.write_index(index, path)
    assert "holds 2 vectors for 3 memories" in alone.run("refresh", alone.id_of(NEW))[2]
    status, _, err = alone.run("repair", load=lambda: HashingEmbedder(64))
    assert status == 0 and "1 text embedded anew" in err
    after = alone.vectors()
    assert after.keys() == before.keys() and all(np.allclose(after[one], before[one]) for one in before)


def test_an_index_that_cannot_be_read_is_named(alone: Alone) -> None:
    os.truncate(alone.folder / "index.faiss", 20)
    for words in (("refresh", alone.id_of(NEW)), ("erase", alone.id_of(SECRET)), ("sign-anew",)):
        status, _, err = alone.run(*words)
        assert status == 1 and "index.faiss cannot be read" in err


def test_in_a_folder_of_agent_zero_only_the_inbox_changes(alone: Alone) -> None:
    """Its index is the host's own; the answer says when it will be done."""
    (alone.folder / "embedding.json").write_text("{}")
    for words in (("undo", alone.id_of(OLD)), ("refresh", alone.id_of(NEW)), ("erase", alone.id_of(SECRET))):
        before = {path: path.read_bytes() for path in alone.folder.rglob("*") if path.is_file()}
        status, out, err = alone.run(*words)
        after = {path: path.read_bytes() for path in alone.folder.rglob("*") if path.is_file()}
        assert status == 0 and "next turn" in out + err
        assert {path.name for path in after if before.get(path) != after[path]} == {INBOX_FILE}
