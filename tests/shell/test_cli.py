"""The terminal: JSON Lines in, JSON Lines out, one answer per line as soon as it is read."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import memory_ledger
import numpy as np
import pytest
from memory_ledger import cli


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *argv: str, lines: list[object]):
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status = cli.main(argv)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


AXES = ("validity", "relevance", "utility", "source")
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
    axes = [tuple(one["classification"][name] for name in AXES) for one in answers]
    assert axes[0] == ("confirmed", "active", "load_bearing", "user_asserted")
    assert axes[1] == ("inferred", "active", "tactical", "agent_inferred")
    assert answers[2] == answers[0]
    assert set(answers[0]["why"]) == {"source", "validity", "utility"}
    assert "utility:load_bearing" in answers[0]["tags"]


def test_contradict_names_outcome_winner_and_reasons(capsys, monkeypatch) -> None:
    """C-39 ... C-47, C-79, C-80, C-96: the specification's two examples, no contradiction, keys of ingest."""
    lines = [
        {"older": {"text": "project uses Python 3.9"}, "newer": {"text": "project uses Python 3.11"}},
        {
            "older": {"text": "the API uses REST", "source": "agent", "validity": "inferred"},
            "newer": {"text": "actually the API uses GraphQL"},
        },
        {
            "older": {"text": "project uses Python 3.11"},
            "newer": {"text": "project uses Python 3.9", "source": "agent_inferred", "validity": "inferred"},
        },
        {"older": {"text": "User likes tea"}, "newer": {"text": "User likes coffee"}},
        {
            "older": {"memory": "project uses Python 3.9", "timestamp": 1_767_225_600},
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
    good = {"text": "x"} if command == "classify" else {"older": {"text": "x"}, "newer": {"text": "y"}}
    status, answers = run(capsys, monkeypatch, command, lines=[good, line, good])
    assert status == 1
    assert list(answers[1]) == ["error"]
    assert "allowed" in answers[1]["error"] or "JSON" in answers[1]["error"]
    assert answers[0] == answers[2]
    assert "error" not in answers[0]


@pytest.mark.parametrize(
    ("command", "row"),
    [
        ("classify", {"text": "Our API must stay stateless"}),
        ("scan", {"text": "the staging password is Kite&2211"}),
        ("contradict", {"older": {"text": "The API uses REST"}, "newer": {"text": "It now uses gRPC"}}),
    ],
)
def test_a_text_is_answered_as_its_line_would_be(command: str, row, capsys, monkeypatch) -> None:
    """Issue 50: nobody has to write JSON to ask about one text; a name that is no file stays an error."""
    _, [answer] = run(capsys, monkeypatch, command, lines=[row])
    texts = [one if isinstance(one, str) else one["text"] for one in row.values()]
    assert cli.main([command, *texts]) == 0
    assert json.loads(capsys.readouterr().out) == answer
    assert cli.main([command, "nosuch.jsonl"]) == 1 and "is not a file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["classify", "scan"])
def test_a_line_of_plain_text_is_answered_as_its_object_would_be(command: str, tmp_path: Path, capsys) -> None:
    """Issue 50: a file of notes can be searched for secrets as it is."""
    text = "the staging password is Kite&2211"
    (tmp_path / "notes.txt").write_text(f"{text}\n{json.dumps({'text': text})}\n", encoding="utf-8")
    assert cli.main([command, str(tmp_path / "notes.txt")]) == 0
    plain, row = capsys.readouterr().out.splitlines()
    assert plain == row and len(json.loads(plain))


def test_each_answer_stands_on_the_line_of_its_question(capsys, monkeypatch) -> None:
    """A blank line is answered by a blank one, and an error names its line."""
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"text": "one"}\n\n{\n{"text": "two"}\n'))
    assert cli.main(["classify"]) == 1
    first, blank, bad, last = capsys.readouterr().out.splitlines()
    assert (blank, json.loads(bad)["error"].partition(":")[0]) == ("", "line 3")
    assert "one" in first and "two" in last


@pytest.mark.parametrize(
    ("command", "is_piped"), [("classify", True), ("contradict", False), ("scan", True)], ids=["pipe", "file", "scan"]
)
def test_a_line_in_another_encoding_gets_an_error_and_the_rest_go_on(command: str, is_piped, tmp_path: Path) -> None:
    """C-75: the good lines before it are answered, and those after it; nothing is a traceback."""
    texts = {"older": {"text": "x"}, "newer": {"text": "y"}} if command == "contradict" else {"text": "x"}
    line = json.dumps(texts).encode()
    lines = b"\n".join((line, '{"text": "café"}'.encode("latin-1"), line))
    (file := tmp_path / "lines.jsonl").write_bytes(lines)
    words = [sys.executable, "-m", "memory_ledger.cli", command, "-" if is_piped else str(file)]
    done = subprocess.run(words, input=lines, capture_output=True, check=False)
    answers = [json.loads(one) for one in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (1, b"")
    assert [list(one) == ["error"] for one in answers] == [False, True, False]
    assert answers[1]["error"].startswith("line 2: not UTF-8: byte 0xe9 at character 14")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_answers_are_utf_8_in_every_locale(encoding: str) -> None:
    """C-75: also what no character of the locale stands for, and half a character."""
    line = json.dumps({"text": "x", "turns": [{"role": "\u6771 \ud800", "text": "y"}]})
    done = subprocess.run(
        [sys.executable, "-m", "memory_ledger.cli", "classify"],
        input=line.encode(),
        capture_output=True,
        env={"PATH": os.defpath, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.stderr == b""
    assert "\u6771" in json.loads(done.stdout)["error"]


def test_the_version_is_told_by_the_module_too() -> None:
    """`python -m memory_ledger --version`, where the command is not on the path."""
    command = [sys.executable, "-m", "memory_ledger", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"memory-ledger {memory_ledger.__version__}\n", "")


def test_settings_file_applies(tmp_path: Path, capsys, monkeypatch) -> None:
    """C-72: the same settings as in the host."""
    config = tmp_path / "config.json"
    config.write_text('{"load_bearing_keywords": ["sacred"], "colour": "red"}')
    lines = [{"text": "Sunday is sacred"}, {"text": "You must"}]
    status, answers = run(capsys, monkeypatch, "classify", "--config", str(config), lines=lines)
    assert status == 0
    assert [one["classification"]["utility"] for one in answers] == ["load_bearing", "tactical"]


@pytest.mark.parametrize(
    "argv",
    [
        *("classify missing", "adopt --folder missing --report", "conflicts --folder missing"),
        *("status --folder missing", "doctor --folder missing", "vault list --folder missing"),
        "knowledge status --home missing",
    ],
)
def test_missing_file_is_a_plain_message(argv: str, capsys) -> None:
    """V-16, M-25, issue 22: errors say where, what was found, what is allowed."""
    assert cli.main(argv.split()) == 1
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
    code = "import sys, memory_ledger.cli; print({'torch', 'faiss', 'langchain'} & sys.modules.keys() or 'none')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "none"


NEAR, FAR = (1.0, 0.0), (0.0, 2.0)


class Given:
    """An embedder that knows two directions: what speaks of a cellar is far from the rest."""

    def embed_documents(self, texts: list[str]) -> list[tuple[float, float]]:
        return [FAR if "cellar" in text else NEAR for text in texts]


def answers(tmp_path: Path, capsys: pytest.CaptureFixture[str], *rows: object, config: object = None):
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    config_option = []
    if config is not None:
        path = tmp_path / "settings.json"
        path.write_text(json.dumps(config))
        config_option = ["--config", str(path)]
    status = cli.main(["duplicate", str(file), *config_option], load=Given)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


PORTS = {"a": "The API is on port 80.", "b": "The API is on port 81."}


def test_each_pair_is_answered_with_the_cosine_and_why(tmp_path, capsys):
    """T-67: what differs in a number is no duplicate at a cosine of 1, a rewording below the threshold neither."""
    status, found = answers(
        tmp_path,
        capsys,
        PORTS,
        {"a": "The user lives in Berlin.", "b": "User lives in Berlin"},
        {"a": "The cellar is big.", "b": "The  cellar is big."},
    )
    assert status == 0
    assert [one["duplicate"] for one in found] == [False, True, True]
    assert [one["cosine"] for one in found] == [1.0, 1.0, 1.0]
    assert found[0]["why"].startswith("divergent: ") and "80" in found[0]["why"] and "81" in found[0]["why"]


def test_a_rewording_that_is_far_is_no_duplicate(tmp_path, capsys, monkeypatch):
    """E-38, T-67: a rewording is as near as rewordings are; the same text is one at any time."""
    vectors = iter([NEAR, FAR, NEAR, FAR])
    monkeypatch.setattr(Given, "embed_documents", lambda self, texts: [next(vectors) for _ in texts])
    pairs = ({"a": "The hall is big.", "b": "hall is big"}, {"a": "The hall is big.", "b": "The hall is big. "})
    _, found = answers(tmp_path, capsys, *pairs)
    assert [(one["duplicate"], one["cosine"]) for one in found] == [(False, 0.0), (True, 0.0)]
    assert "not above 0.75" in found[0]["why"]


def test_a_bad_line_gets_an_error_and_the_rest_go_on(tmp_path, capsys):
    """C-72: the line that cannot be read is answered in its place, and the exit code says so."""
    status, found = answers(tmp_path, capsys, "{", {"a": 1, "b": "x"}, {"a": "x"}, PORTS)
    assert status == 1
    assert [sorted(one) for one in found] == [["error"]] * 3 + [["cosine", "duplicate", "why"]]


def test_the_settings_hold(tmp_path, capsys):
    """E-45, E-78: threshold and guard are those of the file."""
    _, (found,) = answers(tmp_path, capsys, PORTS, config={"deduplication": {"divergence_guard": False}})
    assert found["duplicate"] and "divergence_guard is false" in found["why"]
    far = {"deduplication": {"divergence_guard": False, "similarity_threshold": 1.0}}
    _, (found,) = answers(tmp_path, capsys, PORTS, config=far)
    assert not found["duplicate"]


def test_a_text_without_a_direction_is_near_to_nothing(tmp_path, capsys, monkeypatch):
    """T-15: a vector of zeros has no cosine."""
    monkeypatch.setattr(Given, "embed_documents", lambda self, texts: np.zeros((len(texts), 2)).tolist())
    _, (found,) = answers(tmp_path, capsys, PORTS)
    assert found["cosine"] == 0.0
