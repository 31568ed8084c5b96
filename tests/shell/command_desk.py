"""A user's folder for each command of the table: what was in it before and after, and how a command ends there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click
import pytest
from command_table import TABLE, Case
from driven import Ended, drive
from memory_ledger.cli.app import ROOT
from memory_ledger.store import embedding
from whole_home import EMBEDDER

needs_model = pytest.mark.skipif(not embedding.is_installed(), reason="the extra `model` is not installed")


def every_command() -> dict[str, click.Command]:
    """Return the commands that can be typed, with those of groups by both words."""
    found: dict[str, click.Command] = {}
    for name in ROOT.list_commands(click.Context(ROOT)):
        command = ROOT.get_command(click.Context(ROOT), name)
        if isinstance(command, click.Group):
            found |= {f"{name} {one}": made for one, made in command.commands.items()}
        elif command is not None:
            found[name] = command
    return found


COMMANDS = every_command()


def tried() -> list[Any]:
    """Return what is in the table, as parameters; the demo has the model."""
    marks = {"demo": [pytest.mark.model, needs_model]}
    return [pytest.param(name, marks=marks.get(name, [])) for name in TABLE]


def place_of(name: str) -> str | None:
    """Return the option that names the place which a command is about."""
    named = {one.name: one.opts[0] for one in COMMANDS[name].params if one.name in ("folder", "home")}
    return named.get("folder", named.get("home"))


class Desk:
    """A home of one's own for each run, and what was in it before and after."""

    def __init__(self, built: Path, names: dict[str, str], place: Path) -> None:
        self._built, self._names, self.home = built, names, place / "home"

    def clear(self, case: Case) -> None:
        """Begin anew, with the input of a command."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self._built, self.home)
        if case.file:
            shutil.copyfile(self.home / case.file, self.home / "input")

    def words(self, name: str, arguments: str) -> list[str]:
        """Return the words of a command line."""
        return [*name.split(), *arguments.format_map({**self._names, "input": "input"}).split()]

    def run_anew(self, words: str, *, on_terminal: bool) -> Ended:
        """Run a command line in a home that nothing was done in."""
        self.clear(Case())
        return drive(words.split(), self.home, on_terminal=on_terminal, load=lambda: EMBEDDER)

    def run(self, name: str, arguments: str, *, on_terminal: bool, **how: dict[str, str]) -> Ended:
        """Run a command there."""
        words = self.words(name, arguments)
        return drive(words, self.home, on_terminal=on_terminal, load=lambda: EMBEDDER, **how)

    def files(self) -> dict[str, bytes]:
        """Return what is in every file."""
        files = (path for path in self.home.rglob("*") if path.is_file())
        return {str(one.relative_to(self.home)): one.read_bytes() for one in files}

    def check(self, ended: Ended, code: int, *, on_terminal: bool) -> None:
        """Compare how a command ended with how it is to end: it says why, and harms no terminal."""
        assert ended.code == code, ended
        assert "Traceback" not in ended.said and (not code or ended.said.strip())
        if on_terminal:
            assert ended.obeyed() == []


def lost(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    """Return the files whose content is gone: what is appended to, or set aside, is not."""
    return [
        name
        for name, content in before.items()
        if not after.get(name, b"").startswith(content) and after.get(f"{name}.damaged") != content
    ]
