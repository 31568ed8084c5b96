"""`status` and `doctor`: what waits, what is wrong, and the command that mends it (issue 22)."""

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest
from fake_host import HashingEmbedder
from memory_ledger import __version__, cli
from memory_ledger.cli.upkeep import WORDS
from memory_ledger.clock import EPOCH
from memory_ledger.inbox import KINDS, Erase
from memory_ledger.store import files
from memory_ledger.store.backup_file import memory_row
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.lines import LineStore
from memory_ledger.store.requests import Inbox

FACT, SECRET = {"text": "Heron uses Python 3.12"}, {"text": "The staging password is Kite&2211"}


@pytest.fixture
def folder(workspace) -> Path:
    """A store of two memories, one of them a secret, with a backup of both."""
    assert workspace.ingest(FACT, SECRET) == 0
    rows = [memory_row(one, found.page_content, found.metadata) for one, found in documents(workspace.store).items()]
    LineStore(workspace.store / files.BACKUP_FILE).append(rows)
    return workspace.store


def documents(folder: Path) -> dict[str, Any]:
    return read_docstore(folder)[1]


def run(capsys, command: str, folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """Run a command; return its exit code and the lines that it printed. No file may be another afterwards."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    status = cli.main([command, "--folder", str(folder)])
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_every_kind_of_request_has_its_words() -> None:
    """Issue 22: `status` says in words what waits, whatever it is."""
    assert WORDS.keys() == KINDS.keys()


def test_status_says_what_waits_and_what_became_of_the_rest(folder, capsys) -> None:
    """Issue 22: which memory, its text, when and by whom; afterwards the answer, and nothing of the memory."""
    memory_id = next(one for one, found in documents(folder).items() if found.page_content == SECRET["text"])
    Inbox(folder).append(Erase(memories=(memory_id,)), at=EPOCH, by="rosa")
    status, (found,) = run(capsys, "status", folder)
    (waiting,) = found["waiting"]
    assert status == 0 and (found["version"], found["agent_zero"], found["memories"]) == (__version__, False, 2)
    assert (waiting["kind"], waiting["by"], waiting["asked_at"]) == ("erase", "rosa", "1970-01-01T00:00:00+00:00")
    assert waiting["memories"][0]["id"] == memory_id and SECRET["text"] in waiting["memories"][0]["text"]
    assert found["answered"] == [] and found["backup"] == {"lost": 0, "behind": 0}
    assert cli.main(["erase", memory_id, "--folder", str(folder)]) == 0
    capsys.readouterr()
    status, (found,) = run(capsys, "status", folder)
    assert found["waiting"] == [] and {one["outcome"] for one in found["answered"]} == {"done"}
    assert memory_id not in json.dumps(found) and "Kite" not in json.dumps(found)


def test_status_says_how_the_folder_stands(folder, capsys) -> None:
    (folder / "embedding.json").write_text("{}")
    rows = (folder / files.BACKUP_FILE).read_text().splitlines()
    (folder / files.BACKUP_FILE).write_text(rows[0] + "\n" + json.dumps(memory_row("gone", "It was there", {})) + "\n")
    _, (found,) = run(capsys, "status", folder)
    assert found["agent_zero"] and found["backup"] == {"lost": 1, "behind": 1}
    (folder / files.BACKUP_FILE).unlink()
    assert run(capsys, "status", folder)[1][0]["backup"] is None


def test_nothing_is_wrong_with_a_new_store(folder, capsys) -> None:
    status, found = run(capsys, "doctor", folder)
    assert status == 0 and {one["level"] for one in found} <= {"ok", "warn"}
    assert {one["text"].partition(":")[0] for one in found} >= {"index", "backup", "files", "keys", "chain", "requests"}


def lose_a_vector(folder: Path) -> None:
    index = faiss.read_index(str(folder / "index.faiss"))
    index.remove_ids(faiss.IDSelectorRange(1, 2))
    faiss.write_index(index, str(folder / "index.faiss"))


def lose_a_memory(folder: Path) -> None:
    LineStore(folder / files.BACKUP_FILE).append([memory_row("gone", "It was there", {})])


WRONG = {
    "a vector is lost": (lose_a_vector, "index: of 2 memories 1 without a vector", "repair"),
    "a memory is lost": (lose_a_memory, "backup: 1 memory of it not in the index", "restore"),
    "the key is open to all": (lambda f: (f / files.KEY_FILE).chmod(0o644), "ledger_seal.key: others may", "chmod"),
    "an index is cut off": (lambda f: os.truncate(f / "index.faiss", 20), "index: ", "restore"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_with_the_command_that_mends_it(folder, capsys, name) -> None:
    """Issue 22: exit code 1, and after the command as it is printed the doctor is content with that."""
    do, said, command = WRONG[name]
    do(folder)
    status, found = run(capsys, "doctor", folder)
    (wrong,) = [one for one in found if one["level"] == "fail"]
    assert status == 1 and said in wrong["text"] and command in wrong["command"]
    if wrong["command"].startswith("memory-ledger"):
        assert cli.main(shlex.split(wrong["command"])[1:], load=lambda: HashingEmbedder(64)) == 0
    else:
        subprocess.run(shlex.split(wrong["command"]), check=True)
    capsys.readouterr()
    status, found = run(capsys, "doctor", folder)
    assert status == 0, [one for one in found if one["level"] == "fail"]


def break_lines(folder: Path) -> None:
    with (folder / files.JOURNAL_FILE).open("ab") as stream:
        stream.write(b"{no json\n")


def leave_a_file(folder: Path) -> None:
    (folder / ".ledger.jsonl.12.3.tmp").write_bytes(b"{}")
    os.utime(folder / ".ledger.jsonl.12.3.tmp", (0, 0))


def hide_the_key(folder: Path) -> None:
    (folder / files.KEY_FILE).unlink()
    (folder / files.KEY_FILE).mkdir()


def embed_with_another_model(folder: Path) -> None:
    index = faiss.IndexFlatIP(8)
    index.add(np.zeros((len(documents(folder)), 8), np.float32))
    faiss.write_index(index, str(folder / "index.faiss"))


OTHER: dict[str, tuple[Callable[[Path], Any], str, int, str]] = {
    "a damaged line": (break_lines, "ledger.jsonl: 1 line is no JSON objects", 1, "correct or delete"),
    "a damaged file": (lambda f: (f / "state.json").write_bytes(b"{"), "state.json: ", 1, "kept as state.json.damaged"),
    "a file of a crash": (leave_a_file, ".ledger.jsonl.12.3.tmp: left by a crash", 0, "rm -r "),
    "a file set aside": (
        lambda f: (f / "state.json.damaged").write_bytes(b"{"),
        "state.json.damaged: set aside",
        0,
        "rm ",
    ),
    "no key": (lambda f: (f / files.KEY_FILE).write_bytes(b"x"), "ledger_seal.key: no key", 1, "64 hexadecimal digits"),
    "an unreadable key": (hide_the_key, "ledger_seal.key: ", 1, "allowed: "),
    "vectors of another model": (embed_with_another_model, "index: vectors of 8 numbers", 0, "makes 384"),
    "a request": (lambda f: Inbox(f).append(Erase(memories=("x",)), at=EPOCH, by=None), "1 request waits", 0, "status"),
}


@pytest.mark.parametrize("name", OTHER)
def test_what_is_worth_a_look_is_named(folder, capsys, name) -> None:
    """Issue 22: each file of the pack, what a crash left, what waits; and what to do about it."""
    do, said, code, mends = OTHER[name]
    assert not any(said in one["text"] for one in run(capsys, "doctor", folder)[1])
    do(folder)
    status, found = run(capsys, "doctor", folder)
    (row,) = [one for one in found if said in one["text"]]
    assert status == code and mends in f"{row['text']} {row['command']}"


def test_an_index_without_a_backup_needs_a_copy(folder, capsys) -> None:
    """Issue 22: nothing is recommended that cannot work, and what is tried all the same changes nothing."""
    (folder / files.BACKUP_FILE).unlink()
    os.truncate(folder / "index.faiss", 20)
    status, found = run(capsys, "doctor", folder)
    (wrong,) = [one for one in found if one["level"] == "fail"]
    assert status == 1 and wrong["command"] is None and "from a copy of the folder" in wrong["text"]
    assert cli.main(["restore", "--set-aside", "--folder", str(folder)]) == 1
    assert "nothing can come back and nothing was changed" in capsys.readouterr().err
    assert (folder / "index.faiss").stat().st_size == 20


def test_a_break_of_the_chain_is_wrong(folder, capsys) -> None:
    """Issue 22, Q-31: verified as `validate` does it."""
    assert cli.main(["sign-anew", "--folder", str(folder)]) == 0
    chain = folder / files.CHAIN_FILE
    chain.write_bytes(chain.read_bytes().splitlines(keepends=True)[0])
    capsys.readouterr()
    status, found = run(capsys, "doctor", folder)
    (wrong,) = [one for one in found if one["level"] == "fail"]
    assert status == 1 and wrong["text"].startswith("chain: ") and "validate" in wrong["command"]
