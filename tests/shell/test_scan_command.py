"""`memory-ledger scan`: texts in a pipe, or the memories of a store; what is found is never repeated."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from fake_host import HashingEmbedder
from memory_ledger import cli
from memory_ledger.clock import system_clock
from memory_ledger.store.embedded import EmbeddedMemory

SECRET = "hunter2"
SAYS_ONE = f"the password is {SECRET}"


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *argv: str, lines: list[object]):
    """Return the exit status, the answers to `lines`, and all that was printed."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status = cli.main(["scan", *argv])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], out + err


def test_scan_says_type_and_place_and_never_the_value(capsys, monkeypatch) -> None:
    status, answers, printed = run(
        capsys, monkeypatch, lines=[{"id": 7, "text": SAYS_ONE}, {"text": "nothing here"}, {"id": None, "text": ""}]
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


@pytest.mark.parametrize("line", ["{", [1], {"id": 1}, {"text": [SAYS_ONE]}, {"text": None}, f'"{SAYS_ONE}"'])
def test_bad_line_gets_an_error_without_its_content(line: object, capsys, monkeypatch) -> None:
    """V-56: the rest go on; what could not be read may have been a secret."""
    good = {"text": SAYS_ONE}
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
        for action, text in (("reject", SAYS_ONE), ("allow", "good morning"), ("reject", SAYS_ONE)):
            process.stdin.write(json.dumps({"text": text}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["action"] == action
        process.stdin.close()
        assert process.wait() == 0


def test_store_lists_the_memories_with_findings(tmp_path: Path, capsys) -> None:
    """V-56, T-22: id, types and places, so that a person can clean up; nothing is changed."""
    ids = iter(["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"])
    memory = EmbeddedMemory(tmp_path, HashingEmbedder(), clock=system_clock, make_id=ids.__next__)
    for text in ("Heron uses Python 3.12", SAYS_ONE, "write to mara@acme.dev"):
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
