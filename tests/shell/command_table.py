"""For each command of the terminal: arguments that work, arguments that do not, and how it ends for each input.

`test_every_command.py` fails where a command has no row here. The names in braces are those of `whole_home.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

#: How a command ends with a memory folder that is not there, is a file, has nothing in it, or holds garbage.
_FOLDERS = {"missing": 1, "a file": 1, "empty": 1, "garbage": 1}
#: How it ends with a file of input.
_FILES = {"missing": 1, "a folder": 1, "empty": 0, "garbage": 1, "latin-1": 1, "a long line": 0, "many lines": 0}

_NONE: Mapping[str, int] = MappingProxyType({})


class Case(NamedTuple):
    """A command: what works, and what does not."""

    good: str = ""
    wrong: Mapping[str, int] = _NONE
    file: str = ""
    folders: Mapping[str, int] = _NONE
    files: Mapping[str, int] = _NONE
    writes: bool = False
    is_table: bool = False
    on_folder: str | None = None
    acts: str | None = None

    def folder_codes(self) -> dict[str, int]:
        """Return how it ends with each kind of folder."""
        return {**_FOLDERS, **self.folders}

    def acting(self) -> str | None:
        """Return the arguments with which it changes something; None where it only reads."""
        return self.good if self.writes and self.acts is None else self.acts

    def file_codes(self) -> dict[str, int]:
        """Return how it ends with each kind of file."""
        return {**_FILES, **self.files} if self.file else {}


TABLE: dict[str, Case] = {
    name: Case(**row)
    for name, row in tomllib.loads(
        Path(__file__).with_name("cases").joinpath("command_table.toml").read_text("utf-8")
    ).items()
}
