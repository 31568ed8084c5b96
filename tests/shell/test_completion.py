"""Issue 22: a shell completes commands, verbs and options, at once and wherever its user is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from memory_ledger import cli
from memory_ledger.cli.app import SECTIONS

#: What a shell asks with, once for each line that is being typed: the words, and which of them is to be completed.
_ASK = """
import os, sys
import memory_ledger.cli as c
for words in sys.argv[1:]:
    os.environ |= {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    try:
        c.main()
    except SystemExit as e:
        print(e.code)
print(*sys.modules)
"""
#: What is typed, the last word of it not to its end, and what is offered.
COMPLETED = {
    "memory-ledger nothing-like-it": None,
    "memory-ledger nothing-like-it zz": None,
    "memory-ledger hi": "history",
    "memory-ledger vault l": "list",
    "memory-ledger history --f": "--folder",
    "memory-ledger vault list --f": "--folder",
    "memory-ledger completion z": "zsh",
    "memory-ledger --v": "--version",
}


def _complete(folder: Path, *typed: str) -> list[str]:
    """Return the lines that bash gets for each of `typed`, each time with the exit code, and then what is loaded."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["_MEMORY_LEDGER_COMPLETE"] = "bash_complete"
    command = [sys.executable, "-c", _ASK, *typed]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_what_is_typed_is_completed_where_no_memory_folder_is(tmp_path: Path) -> None:
    """Issue 22: also in groups; the folder that a command would miss is not asked for yet."""
    expected = [[f"plain,{one}", "0"] if one else ["0"] for one in COMPLETED.values()]
    assert _complete(tmp_path, *COMPLETED)[:-1] == [line for lines in expected for line in lines]


def test_all_commands_are_offered_and_none_is_loaded(tmp_path: Path) -> None:
    """Issue 22: the names and their help stand in one list; a press of Tab does not wait for what commands need."""
    *offered, _, loaded = _complete(tmp_path, "memory-ledger ")
    assert offered == [f"plain,{name}" for section in SECTIONS.values() for name in section]
    modules = set(loaded.split(" "))
    assert {"memory_ledger.cli.app", "click"} <= modules
    assert not {"pydantic", "numpy", "faiss", "rich", "memory_ledger.cli.looking", "memory_ledger.records"} & modules


def test_bash_completes_with_the_script_that_is_printed(tmp_path: Path, terminal: Path) -> None:
    script = 'eval "$(memory-ledger completion bash)"; complete -p memory-ledger; COMP_WORDS=(memory-ledger hi)'
    script += "; COMP_CWORD=1; _memory_ledger_completion memory-ledger; echo ${COMPREPLY[@]}"
    path = os.pathsep.join([str(terminal), os.environ["PATH"]])
    command = ["bash", "--norc", "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "history"
    assert "_memory_ledger_completion memory-ledger" in done.stdout


@pytest.mark.parametrize(("shell", "options"), [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_the_script_of_each_shell_is_one(shell: str, options: list[str], tmp_path: Path, capsys) -> None:
    """Issue 22: it asks the command with the variable that the command looks for; the shell itself can read it."""
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_MEMORY_LEDGER_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script, "utf-8")
        subprocess.run([shell, *options, tmp_path / "script"], check=True)
