"""`memory-ledger vault`: the nine actions, as lines for a person and as JSON Lines (V-02, V-30 ... V-54)."""

import json
from pathlib import Path
from typing import Any

import pytest
from memory_ledger import cli

SECRET = "Kj38sLq-x9"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A memory folder in a host with one agent profile beside the usual ones."""
    (tmp_path / "agents" / "astraea").mkdir(parents=True)
    folder = tmp_path / "usr" / "memory" / "default"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(action: str, *arguments: str, status: int = 0) -> list[str]:
        assert cli.main(["vault", action, "--folder", str(folder), *arguments]) == status
        return capsys.readouterr().out.splitlines()

    return run


def rows(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def test_a_record_from_its_first_line_to_its_last(run: Any, folder: Path) -> None:
    """V-30 ... V-34: add, update, search, list, delete, compact; every action says what it did."""
    [added] = rows(run("add", "Answer in German", "--category", "preference", "--tags", "tone", "--json"))
    record = added["record"]
    assert added["action"] == "added" and record["source"] == "manual" and record["tags"] == ["tone"]
    record_id = record["id"]
    assert run("update", record_id, "Answer in German, briefly", "--source", "operator") == [
        f"updated {record_id} v2 canon shared [preference] Answer in German, briefly"
    ]
    assert run("list") == [f"{record_id} v2 canon shared [preference] Answer in German, briefly"]
    [hit] = rows(run("search", "german", "--json"))
    assert hit["record"]["id"] == record_id and hit["score"] > 1
    assert run("search", "german", "--scope", "astraea") == []
    assert run("delete", record_id, "nobody", status=1) == [f"deleted {record_id} v3", "nobody: no active record"]
    assert run("list", "--json") == []
    assert run("compact") == ["3 lines before, 0 after, 3 removed"]


def test_a_rejection_is_an_answer(run: Any, folder: Path) -> None:
    """V-38, V-43, V-64: exit status 1, the step, the reason, and no secret; an agent's profile is a valid scope."""
    [line] = run("add", f"the password is {SECRET}", status=1)
    assert line.startswith("rejected at step 5 (privacy): the text holds password (characters 16 to 26). ")
    [row] = rows(run("add", "Answer in German", "--scope", "callum", "--json", status=1))
    assert row["rejection"]["step"] == 4 and row["rejection"]["advice"] == "Allowed: astraea, shared"
    assert not (folder / "vault.jsonl").exists()
    assert len(run("add", "Answer in German", "--scope", "astraea")) == 1


def test_a_dry_run_writes_nothing(run: Any, folder: Path) -> None:
    """P-03: it says what would be done, and the file stays as it is."""
    assert run("add", "Bees dance", "--dry-run")[0].startswith("added ")
    assert not (folder / "vault.jsonl").exists()
    run("add", "Bees dance")
    before = (folder / "vault.jsonl").read_bytes()
    assert run("compact", "--dry-run") == ["1 line before, 1 after, 0 removed"]
    assert run("add", "bees dance!", "--dry-run", status=1)[0].startswith("rejected at step 7")
    assert (folder / "vault.jsonl").read_bytes() == before


@pytest.mark.parametrize("words", ["list", "search french", "propose"])
@pytest.mark.parametrize("is_readable", [False, True])
def test_lines_that_cannot_be_read_are_said(
    folder: Path, words: str, is_readable: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Issue 22: an empty answer may not look like an empty vault; what can be read is answered all the same."""
    asked = ["vault", *words.split(), "--folder", str(folder)]
    assert cli.main(["vault", "add", "Answer in French", "--folder", str(folder)]) == cli.main(asked) == 0
    before = capsys.readouterr().out.splitlines()[1:]
    line = (folder / "vault.jsonl").read_bytes() if is_readable else b""
    (folder / "vault.jsonl").write_bytes(b"\xff\x00\n{}\n" + line)
    assert cli.main(asked) == 1
    said = capsys.readouterr()
    assert "vault.jsonl: 2 lines cannot be read and are left out; `memory-ledger restore --dry-run" in said.err
    assert said.out.splitlines() == (before if is_readable else [])
