"""The terminal: JSON Lines in, JSON Lines out, one answer per line as soon as it is read."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from memory_ledger import cli
from memory_ledger.clock import EPOCH
from memory_ledger.host.storage.proposals import Proposal, write_proposals


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *argv: str, lines: list[object]):
    """Return the exit status and the answers to `lines`."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status = cli.main(argv)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


USER = {"role": "user", "text": "My project uses Python 3.11."}


def test_classify_names_axes_tags_and_reasons(capsys, monkeypatch) -> None:
    """C-77, C-78, C-03: the specification's two examples; the same input gives the same answer."""
    lines = [
        {"text": "User's project uses Python 3.11", "turns": [USER, {"role": "agent", "text": "Noted."}]},
        {"text": "the file is probably in /tmp", "turns": [{"role": "agent", "text": "the file is probably in /tmp"}]},
        {"text": "User's project uses Python 3.11", "user_messages": [USER["text"]], "agent_messages": ["Noted."]},
    ]
    status, answers = run(capsys, monkeypatch, "classify", lines=lines)
    assert status == 0
    assert answers[0]["classification"] == {
        "validity": "confirmed",
        "relevance": "active",
        "utility": "load_bearing",
        "source": "user_asserted",
    }
    assert answers[1]["classification"] == {
        "validity": "inferred",
        "relevance": "active",
        "utility": "tactical",
        "source": "agent_inferred",
    }
    assert answers[2] == answers[0]
    assert set(answers[0]["why"]) == {"source", "validity", "utility"}
    assert "utility:load_bearing" in answers[0]["tags"]


def test_contradict_names_outcome_winner_and_reasons(capsys, monkeypatch) -> None:
    """C-39 ... C-47, C-79, C-80, C-96: the specification's two examples, and what is no contradiction."""
    lines = [
        {"older": {"text": "project uses Python 3.9"}, "newer": {"text": "project uses Python 3.11"}},
        {
            "older": {"text": "the API uses REST", "source": "agent_inferred", "validity": "inferred"},
            "newer": {"text": "actually the API uses GraphQL"},
        },
        {
            "older": {"text": "project uses Python 3.11"},
            "newer": {"text": "project uses Python 3.9", "source": "agent_inferred", "validity": "inferred"},
        },
        {"older": {"text": "User likes tea"}, "newer": {"text": "User likes coffee"}},
        {
            "older": {"text": "project uses Python 3.9", "created_at": "2026-01-01T00:00:00Z"},
            "newer": {"text": "project uses Python 3.11", "created_at": "2026-01-01T00:00:00Z"},
        },
    ]
    status, answers = run(capsys, monkeypatch, "contradict", lines=lines)
    assert status == 0
    assert [(one["outcome"], one["contradiction"], one["winner"]) for one in answers] == [
        ("supersede", True, "newer"),
        ("supersede", True, "newer"),
        ("contest", True, None),  # nobody is known to have said the newer one
        ("coexist", False, None),
        ("contest", True, None),
    ]
    assert all(one["why"]["rule"] and isinstance(one["why"]["reasons"], list) for one in answers)


BAD_LINES = [
    pytest.param("classify", "{", id="not JSON"),
    pytest.param("classify", [1], id="not an object"),
    pytest.param("classify", {"area": "main"}, id="no text"),
    pytest.param("classify", {"text": 7}, id="text is a number"),
    pytest.param("classify", {"text": "x", "turns": "no"}, id="turns is a text"),
    pytest.param("classify", {"text": "x", "turns": [{"role": "king", "text": "y"}]}, id="unknown role"),
    pytest.param("classify", {"text": "x", "user_messages": [7]}, id="message is a number"),
    pytest.param("contradict", {"older": {"text": "x"}}, id="no newer"),
    pytest.param("contradict", {"older": {"text": "x"}, "newer": {"text": "y", "source": "me"}}, id="unknown source"),
    pytest.param("contradict", {"older": {"text": "x"}, "newer": {"text": "y", "created_at": "soon"}}, id="no time"),
]


@pytest.mark.parametrize(("command", "line"), BAD_LINES)
def test_bad_line_gets_an_error_and_the_rest_go_on(command: str, line: object, capsys, monkeypatch) -> None:
    """Item 9: a line that is not valid gets its error on its line; exit 1."""
    good = {"text": "x"} if command == "classify" else {"older": {"text": "x"}, "newer": {"text": "y"}}
    status, answers = run(capsys, monkeypatch, command, lines=[good, line, good])
    assert status == 1
    assert list(answers[1]) == ["error"]
    assert "allowed" in answers[1]["error"] or "JSON" in answers[1]["error"]
    assert answers[0] == answers[2]
    assert "error" not in answers[0]


def test_settings_file_applies(tmp_path: Path, capsys, monkeypatch) -> None:
    """C-72: the same settings as in the host."""
    config = tmp_path / "config.json"
    config.write_text('{"load_bearing_keywords": ["sacred"], "colour": "red"}')
    status, answers = run(
        capsys,
        monkeypatch,
        "classify",
        "--config",
        str(config),
        lines=[{"text": "Sunday is sacred"}, {"text": "You must"}],
    )
    assert status == 0
    assert [one["classification"]["utility"] for one in answers] == ["load_bearing", "tactical"]


@pytest.mark.parametrize(("count", "noun"), [(1, "1 memory"), (2, "2 memories"), (0, "0 memories")])
def test_adopt_counts_in_plain_words(count: int, noun: str, tmp_path: Path, capsys) -> None:
    """design.md (Storage): how many memories would go out of use, before and after the acceptance."""
    found = [
        Proposal(loser=f"old{one}", loser_text="old", winner="new", winner_text="new", rule="C-47", reasons=())
        for one in range(count)
    ]
    write_proposals(tmp_path, found, at=EPOCH)
    folder = ["adopt", "--folder", str(tmp_path)]
    assert cli.main([*folder, "--report"]) == 0
    assert capsys.readouterr().err == f"{noun} would be retired; nothing is until you accept it\n"
    assert cli.main([*folder, "--accept", "--dry-run"]) == 0
    assert cli.main([*folder, "--accept"]) == 0
    said = capsys.readouterr().out
    assert said == f"{noun} would be retired at the host's next turn\n{noun} will be retired at the host's next turn\n"


@pytest.mark.parametrize("argv", [["classify", "missing.jsonl"], ["adopt", "--folder", "missing", "--report"]])
def test_missing_file_is_a_plain_message(argv: list[str], capsys) -> None:
    """Errors say where, what was found, what is allowed."""
    assert cli.main(argv) == 1
    assert "allowed" in capsys.readouterr().err


def test_answers_come_line_by_line() -> None:
    """Item 9: each line is answered before the next one is there, so the command serves as a filter in a pipe."""
    command = [sys.executable, "-m", "memory_ledger.cli", "classify"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"text": f"memory {number}"}) + "\n")
            process.stdin.flush()
            assert "classification" in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait() == 0


def test_no_model_and_no_index_is_loaded_for_an_answer() -> None:
    """Item 9: neither command loads a model."""
    code = "import sys, memory_ledger.cli; print({'torch', 'faiss', 'langchain'} & sys.modules.keys() or 'none')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "none"
