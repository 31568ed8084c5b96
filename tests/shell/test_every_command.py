"""Every command of the terminal, on a terminal of 80 columns and in a pipe, with good, wrong, empty and bad input.

Issue 22: exit codes 0, 1 and 2 as documented, no traceback, nothing lost, help with an example. What each command is
tried with is in `command_table.py`; a command without a row there fails.
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from command_desk import COMMANDS, Desk, lost, needs_model, place_of, tried
from command_table import TABLE
from driven import STYLES, drive, read_all
from fake_host import FixedClock
from memory_ledger.cli import output
from memory_ledger.store.embedded import EmbeddedMemory
from whole_home import EMBEDDER, FOLDER, STORE


def test_every_command_is_tried() -> None:
    assert set(TABLE) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_with_a_value_is_nothing_without_one(name: str) -> None:
    """Issue 50: `strip --folder $EMPTY` must not mean the folder that somebody stands in."""
    command = COMMANDS[name]
    for option in (one for one in command.params if isinstance(one, click.Option) and not one.is_flag):
        with pytest.raises(click.UsageError, match="requires an argument"):
            command.make_context(name, [option.opts[0]])


#: What prints JSON Lines on a terminal too: what it reads, or writes, is a file of them.
_LINES = ("recall", "export", "classify", "contradict", "duplicate", "scan")


#: Each command on a terminal and in a pipe; the demo, which plays for long, on a terminal alone.
RUNS = [
    pytest.param(*one.values, on_terminal, marks=one.marks)
    for one in tried()
    for on_terminal in (True, False)
    if on_terminal or one.values != ("demo",)
]


@pytest.mark.parametrize(("name", "on_terminal"), RUNS)
def test_what_is_right_is_done(name: str, on_terminal: bool, desk: Desk) -> None:
    """Exit code 0; what only reads changes no file; a person gets no JSON, and a table that fits."""
    case = TABLE[name]
    desk.clear(case)
    before = desk.files()
    ended = desk.run(name, case.good, on_terminal=on_terminal)
    desk.check(ended, 0, on_terminal=on_terminal)
    if not case.writes:
        assert desk.files() == before
    assert not on_terminal or name in _LINES or '{"' not in ended.out
    if case.is_table and on_terminal:
        assert ended.too_wide() == []
    elif case.is_table:
        assert all(isinstance(json.loads(line), dict) for line in ended.out.splitlines()) and ended.out


@pytest.mark.parametrize("name", TABLE)
def test_what_is_wrong_is_said_and_changes_nothing(name: str, desk: Desk) -> None:
    """Exit code 2 for what is not understood, 1 for what is not there; in a pipe and on a terminal by turns."""
    case = TABLE[name]
    desk.clear(case)
    before = desk.files()
    for number, (arguments, code) in enumerate({"--no-such-option": 2, **case.wrong}.items()):
        on_terminal = number % 2 == 1
        desk.check(desk.run(name, arguments, on_terminal=on_terminal), code, on_terminal=on_terminal)
        assert desk.files() == before, arguments


_NUMBERS = {
    f"{name} {one.opts[0]}": (name, one)
    for name, command in COMMANDS.items()
    for one in command.params
    if isinstance(one.type, (click.types.IntParamType, click.types.FloatParamType))
}


@pytest.mark.parametrize("which", _NUMBERS)
def test_a_number_out_of_range_is_misuse(which: str, desk: Desk) -> None:
    """Issue 22: exit code 2, with what is allowed, and nothing is done; so is what is no number."""
    name, number = _NUMBERS[which]
    assert isinstance(number.type, (click.IntRange, click.FloatRange)), "a number needs a range"
    case, option = TABLE[name], number.opts[0] if isinstance(number, click.Option) else "--"
    desk.clear(case)
    before = desk.files()
    for value in (number.type.min - 1, *([] if number.type.max is None else [number.type.max + 1]), "nan", "much"):
        ended = desk.run(name, f"{case.good} {option} {value}", on_terminal=False)
        desk.check(ended, 2, on_terminal=False)
        assert str(value) in ended.err and desk.files() == before


@pytest.mark.parametrize("name", [one for one in TABLE if place_of(one) and one != "demo"])
def test_a_folder_that_cannot_serve_is_said(name: str, desk: Desk) -> None:
    """One that is not there, a file, an empty one, and one whose every file is random bytes; nothing is lost."""
    case, option = TABLE[name], place_of(name)
    own = "usr/memory/default" if option == "--folder" else "usr"
    places = {"missing": "gone/deep", "a file": "memories.jsonl", "empty": "nothing", "garbage": "bad"}
    for number, (kind, code) in enumerate(case.folder_codes().items()):
        desk.clear(case)
        (desk.home / "nothing").mkdir()
        shutil.copytree(desk.home / own, desk.home / "bad")
        (desk.home / "bad/ledger.db-journal").unlink(missing_ok=True)  # SQLite throws away one that is none
        for seed, path in enumerate(one for one in sorted((desk.home / "bad").rglob("*")) if one.is_file()):
            path.write_bytes(_garbage(seed))
        before, on_terminal = desk.files(), number % 2 == 0
        arguments = case.good if case.on_folder is None else case.on_folder
        ended = desk.run(name, f"{arguments} {option} {places[kind]}", on_terminal=on_terminal)
        desk.check(ended, code, on_terminal=on_terminal)
        is_rebuilt = name == "notes index" and kind == "garbage"  # what is made of the notes
        assert is_rebuilt or lost(before, desk.files()) == [], kind


@pytest.mark.parametrize("name", [one for one, case in TABLE.items() if case.file])
def test_any_file_is_read_or_refused(name: str, desk: Desk) -> None:
    """Missing, a folder, empty, random bytes, another encoding, a line of 1 MB, 5,000 lines; the input stays."""
    case = TABLE[name]
    for number, (kind, code) in enumerate(case.file_codes().items()):
        desk.clear(case)
        file, on_terminal = desk.home / "input", number % 2 == 0
        _INPUTS[kind](file)
        before = desk.files()
        ended = desk.run(name, case.good, on_terminal=on_terminal)
        desk.check(ended, code, on_terminal=on_terminal)
        assert lost(before, desk.files()) == [], kind


def _garbage(seed: int) -> bytes:
    return random.Random(seed).randbytes(3_000) + b"\0\n"


def _to_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _to_latin_1(file: Path) -> None:
    first, *rest = file.read_bytes().splitlines(keepends=True)
    line = '{"id": "x", "text": "café", "a": "café", "b": "x"}\n'.encode("latin-1")
    file.write_bytes(b"".join((first, line, *rest)))


def _to_long_line(file: Path) -> None:
    text = "x " * 200_000
    row = {"id": "long", "text": text, "a": text, "b": "y", "older": {"text": text}, "newer": {"text": "y"}}
    with file.open("a") as stream:
        stream.write(json.dumps(row) + "\n")


def _to_many_lines(file: Path) -> None:
    *rest, last = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(rest) + b"\n" * 5_000 + last)


_INPUTS: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "a folder": _to_folder,
    "empty": lambda file: file.write_bytes(b""),
    "garbage": lambda file: file.write_bytes(_garbage(0)),
    "latin-1": _to_latin_1,
    "a long line": _to_long_line,
    "many lines": _to_many_lines,
}


@pytest.fixture(scope="module")
def huge(built: tuple[Path, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A home in which a memory, a note and a record are far longer than any that the pack writes."""
    home = tmp_path_factory.mktemp("huge") / "home"
    shutil.copytree(built[0], home)
    for folder in (FOLDER, STORE):
        memory = EmbeddedMemory(home / folder, EMBEDDER, clock=FixedClock())
        memory.insert("User likes tea. " * 100_000)
        memory.save()
        memory.close()
    with (home / FOLDER / "vault.jsonl").open("a") as stream:
        stream.write(json.dumps({"id": "0123456789ab", "text": "tea " * 50_000, "scope": "shared"}) + "\n")
    (home / FOLDER / "user_notes/long.md").write_text("# Tea\n\n" + "User likes tea. " * 20_000)
    return home, built[1]


@pytest.mark.parametrize("name", [one for one in TABLE if place_of(one) and one != "demo"])
def test_what_is_huge_is_taken(name: str, huge: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    case, desk = TABLE[name], Desk(*huge, tmp_path)
    desk.clear(case)
    before = desk.files()
    desk.check(desk.run(name, case.good, on_terminal=True), 0, on_terminal=True)
    assert case.writes or desk.files() == before


@pytest.mark.parametrize("name", TABLE)
def test_the_help_fits_and_names_an_example(name: str, desk: Desk, tmp_path: Path) -> None:
    """On a terminal of 80 columns, and with `NO_COLOR` without a style."""
    words = [*name.split(), "--help"]
    ended = drive(words, tmp_path, on_terminal=True, environment={"NO_COLOR": "1"})
    assert ended.code == 0 and ended.too_wide() == [] and "\x1b" not in ended.out
    _, found, examples = ended.out.partition("Examples:")
    assert found and f"memory-ledger {name}" in examples


@pytest.mark.parametrize("name", [one for one in TABLE if one != "demo"])
def test_the_examples_of_the_help_run_as_they_stand(name: str, desk: Desk) -> None:
    """Issue 22: one may find a problem, as what it names is not there, but it is never misuse."""
    desk.clear(TABLE[name])
    has_dry_run = any(one.name == "dry_run" for one in COMMANDS[name].params)
    for example in COMMANDS[name].examples.split("\n"):
        words = [*name.split(), *shlex.split(example.partition("<")[0])]
        words += ["--dry-run"] if has_dry_run and "--dry-run" not in words else []
        ended = drive(words, desk.home, on_terminal=False, load=lambda: EMBEDDER)
        assert ended.code in (0, 1) and "Traceback" not in ended.said, (words, ended)


def _buffered() -> dict[str, str]:
    """Return an environment in which what is printed waits in Python, as it does for everybody else."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


@pytest.mark.parametrize("words", ["classify many.jsonl", "--help"])
def test_a_reader_that_goes_ends_it_silently(words: str, tmp_path: Path) -> None:
    """Issue 22: as `| head -1` does, also where all of the output is still waiting at the end."""
    (tmp_path / "many.jsonl").write_text('{"text": "tea"}\n' * 3_000, "utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    command, environment = [sys.executable, "-m", "memory_ledger", *words.split()], _buffered()
    done = subprocess.run(command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """Issue 22: what could not be written is no success, and Python adds nothing of its own."""
    command = ["bash", "-c", f"{sys.executable} -m memory_ledger --help > /dev/full"]
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=_buffered(), check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1) and "No space left" in done.stderr


def _stop(words: str, folder: Path, *, once: str, given: bytes = b"") -> tuple[int, str]:
    """Type Ctrl-C on a command's own terminal as soon as `once` stands there; return how it ended."""
    child, master = pty.fork()
    if child == 0:
        os.chdir(folder)
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "80"}
        paths = os.environ.get("PYTHONPATH")
        environment |= {} if paths is None else {"PYTHONPATH": paths}
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job is deaf to it
        os.execve(sys.executable, [sys.executable, "-m", "memory_ledger", *words.split()], environment)
    os.write(master, given)
    seen, is_typed = b"", False
    for one in read_all(master):
        seen += one
        if once.encode() in seen and not is_typed:
            is_typed = True
            os.write(master, b"\x03")
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), STYLES.sub("", seen.decode("utf-8", "replace"))


def test_ctrl_c_on_a_terminal_is_answered_in_a_sentence(tmp_path: Path) -> None:
    code, shown = _stop("classify", tmp_path, once="utility:tactical", given=b'{"text": "tea"}\n')
    assert code == 1 and shown.endswith("memory-ledger: stopped\r\n") and "Traceback" not in shown


@pytest.mark.model
@needs_model
def test_ctrl_c_while_the_model_loads(built: tuple[Path, dict[str, str]]) -> None:
    """Issue 22: the model's libraries load for seconds; that is shown, and can be stopped."""
    code, shown = _stop("duplicate same.jsonl", built[0], once="loading the embedding model")
    assert code == 1 and "memory-ledger: stopped\r\n" in shown and "Traceback" not in shown


def test_long_work_shows_a_bar_on_a_terminal(tmp_path: Path) -> None:
    """Issue 22: with the number, and nothing of it in a pipe; what is printed meanwhile goes where it goes."""
    (tmp_path / "memories.jsonl").write_text("".join(f'{{"text": "fact {one}"}}\n' for one in range(300)), "utf-8")
    words = ["ingest", "memories.jsonl", "--folder", "new"]
    ended = drive(words, tmp_path, on_terminal=True, load=lambda: EMBEDDER)
    assert ended.code == 0 and "256/300" in ended.out and ended.too_wide() == []
    words[-1] = "other"
    ended = drive(words, tmp_path, on_terminal=False, load=lambda: EMBEDDER)
    assert "memory-ledger: memories.jsonl: 256 of 300\n" in ended.err and "/300" not in ended.said


#: What takes long over many memories, and how its bar is called.
_LONG = {
    "history port --folder usr/memory/default": "looking through the memories",
    "conflicts --detect --folder usr/memory/default": "comparing",
    "maintain --dry-run --folder usr/memory/default": "looking for duplicate memories",
    "validate --folder usr/memory/default": "checking",
    "scan --folder usr/memory/default": "scanning",
    "export --out all.jsonl --folder usr/memory/default": "exporting",
    "copy --all --dry-run --to usr/memory/other --folder usr/memory/default": "looking at each memory",
}


@pytest.mark.parametrize("words", _LONG)
def test_what_looks_at_every_memory_shows_a_bar(words: str, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 22: on a terminal, as soon as it takes long; in a pipe there is nothing of it."""
    monkeypatch.setattr(output, "_PATIENCE_SECONDS", 0)
    monkeypatch.setattr(output, "_REDRAW_SECONDS", 0)
    on_terminal, piped = (desk.run_anew(words, on_terminal=one) for one in (True, False))
    assert re.search(f" {_LONG[words]} ━+.*[0-9]/[0-9]", STYLES.sub("", on_terminal.out)), on_terminal
    assert on_terminal.too_wide() == [] and on_terminal.obeyed() == []
    assert "━" not in piped.said
    assert _LONG[words] not in piped.said or words.startswith("maintain")  # which names its stages, a line each
