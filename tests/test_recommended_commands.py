"""Issue 22: every command that a message, a report or a sentence of the documentation recommends runs as printed.

Each is run in the folder in which the documentation's examples are run, with what it leaves open filled in, and with
`--dry-run` where it has that: it may find a problem (exit code 1), but it is never misuse (2).
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import test_document_examples
from documents import ROOT
from memory_ledger import cli
from memory_ledger.cli.app import SECTIONS
from memory_ledger.store import embedding
from memory_ledger.store.embedding import install_command

agent_zero_folder, first_look = test_document_examples.agent_zero_folder, test_document_examples.first_look
#: Where sentences for people are written; of a page, what stands in its blocks is run by `test_document_examples.py`.
PLACES = ("helpers", "api", "extensions", "tools", "prompts", "webui", "installer", "docs")
FILES = ("execute.py", "hooks.py", "install.py", "README.md", "CONTRIBUTING.md")
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_BETWEEN_BACKQUOTES = re.compile(r"`(memory-ledger [^`]+)`")
MEMORY, CONFLICT, RECORD = "Lw5mE2gUz3", "conflict_f35747064c77f7ff", "MEM-001"
NAMES = [name for section in SECTIONS.values() for name in section]
GROUPS = SECTIONS["Vault, notes and knowledge"]
_FOLDER = "usr/memory/default"
#: What a command leaves open, by how it is written there.
_OPEN = (
    (re.compile(r"(?<=knowledge )\{\.\.\.\}"), "archive"),
    (re.compile(r"\{[^}]*\}|\bDIR\b|\bFOLDER\b"), _FOLDER),
    (re.compile(r"conflict:0b1c\.\.\.|(?<=resolve )ID\b"), CONFLICT),
    (re.compile(r"\b(?:ID|MEMORY|RECORD)\b"), MEMORY),
    (re.compile(r"\bCOMMAND\b"), "history"),
    (re.compile(r"\bFILE\b"), "memories.jsonl"),
    (re.compile(r"\bSHELL\b"), "bash"),
    (re.compile(r"~/"), ""),
)
#: Played by tests of their own; `demo` takes seconds.
_PLAYED = ("memory-ledger demo",)


def _texts(path: Path) -> list[str]:
    """Return what people may read of a file: the texts of a module, in which `{...}` stands for what is filled in."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return [_BLOCK.sub("", text)]
    nodes = list(ast.walk(ast.parse(text)))
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    return [
        *("".join(_shown(part) for part in node.values) for node in nodes if isinstance(node, ast.JoinedStr)),
        *(_shown(node) for node in nodes if isinstance(node, ast.Constant) and id(node) not in parts),
    ]


def _shown(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{...}"


def _recommended() -> dict[str, list[str]]:
    """Return the commands that each file recommends, by its path: between backquotes, or a text of its own."""
    paths = [*(ROOT / one for one in FILES), *(path for one in PLACES for path in sorted((ROOT / one).rglob("*.*")))]
    found = {}
    for path in paths:
        if path.suffix in {".py", ".md", ".js", ".html"} and "benchmarks" not in path.parts:
            texts = _texts(path)
            commands = [" ".join(one.split()) for text in texts for one in _BETWEEN_BACKQUOTES.findall(text)]
            commands += [one for one in texts if one.startswith(("memory-ledger ", 'eval "$(memory-ledger'))]
            if known := [one for one in dict.fromkeys(commands) if one not in _PLAYED and "%(" not in one]:
                found[path.relative_to(ROOT).as_posix()] = known
    return found


RECOMMENDED = _recommended()


def _filled(command: str, place: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return a command as a person would type it who follows what is printed.

    A page that only names a command, by its words alone, says where to read how it is used: there it must exist.
    """
    for written, meant in _OPEN:
        command = written.sub(meant, command)
    words = command.split()
    if words[1] not in NAMES or "--help" in words:
        return command
    named = words[1:3] if words[1] in GROUPS else words[1:2]
    if place.endswith(".md") and words[1:] == named:
        return f"{command} --help"
    cli.main([*named, "--help"])
    is_tried = "--dry-run" in capsys.readouterr().out and "--dry-run" not in words
    return f"{command} --dry-run" if is_tried else command


def test_recommendations_are_found() -> None:
    """In each kind of place; otherwise the test below would prove nothing."""
    assert "memory-ledger refresh ID --verified" in RECOMMENDED["helpers/quality/report.py"]
    assert "memory-ledger erase ID --folder {...}" in RECOMMENDED["helpers/cli/filters.py"]
    assert "memory-ledger repair --folder {...} --dry-run" in RECOMMENDED["execute.py"]
    assert {"README.md", "installer/doctor.py", "docs/contradictions.md"} <= set(RECOMMENDED)


@pytest.mark.parametrize("place", RECOMMENDED)
def test_what_is_recommended_runs_as_printed(place, agent_zero_folder, terminal, capsys) -> None:
    """Issue 22: a usage error would mean that the message is wrong."""
    for name in ("memories", "queries", "pairs", "texts"):
        (agent_zero_folder / f"{name}.jsonl").write_text('{"text": "User likes tea."}\n', "utf-8")
    path = os.pathsep.join([str(terminal), str(Path(sys.executable).parent), os.environ["PATH"]])
    wrong = {}
    for printed in RECOMMENDED[place]:
        command = _filled(printed, place, capsys)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=agent_zero_folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            wrong[printed] = f"{command}: exit code {done.returncode}: {done.stderr.strip()}"
    assert not wrong


def test_what_is_missing_is_installed_by_the_names_of_the_extras() -> None:
    """Issue 22: a message names packages of PyPI, since it does not know where the pack came from."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {extra: {re.split("[=>]", one)[0] for one in extras[extra]} for extra in ("model", "dask")}
    assert named == {"model": {embedding.LIBRARY, embedding.WEIGHTS}, "dask": {"distributed"}}
    command = [sys.executable, "-m", "pip", "install", "distributed"]
    assert shlex.split(install_command("distributed")) == command


def test_what_is_missing_is_installed_without_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 22: environments of uv have no pip."""
    monkeypatch.setattr(embedding, "find_spec", lambda _: None)
    expected = ["uv", "pip", "install", "--python", sys.executable, "distributed"]
    assert shlex.split(install_command("distributed")) == expected
