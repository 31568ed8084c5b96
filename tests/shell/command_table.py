"""For each command of the terminal: arguments that work, arguments that do not, and how it ends for each input.

`test_every_command.py` fails where a command has no row here. The names in braces are those of `whole_home.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

#: How a command ends with a memory folder that is not there, is a file, has nothing in it, or holds garbage.
_FOLDERS = {"missing": 1, "a file": 1, "empty": 1, "garbage": 1}
#: How it ends with a file of input.
_FILES = {"missing": 1, "a folder": 1, "empty": 0, "garbage": 1, "latin-1": 1, "a long line": 0, "many lines": 0}

_NONE: Mapping[str, int] = MappingProxyType({})


class Case(NamedTuple):
    """A command: what works, and what does not.

    `good` ends with 0; `{input}` in it is a copy of `file`. `wrong` are arguments with the exit code that each has.
    `folders` and `files` are how it ends where most commands end otherwise; `on_folder` is what stands before the name
    of a folder, where that is not `good`. What `writes` may change the files of the user; where `good` does not, `acts`
    are arguments that do.
    """

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


_NEW, _EMPTY = {"missing": 0, "empty": 0}, {"empty": 0}
_TOLD = {"empty": 0, "garbage": 0}

TABLE: dict[str, Case] = {
    "ask": Case("api port", {"": 2}, is_table=True),
    "list": Case("", {"--status x": 2, "--since soon": 2}, is_table=True),
    "show": Case("{new}", {"": 2, "gone": 1}),
    "rules": Case(
        "", {"--leave-out x --put-in y": 2, "--leave-out gone": 1}, acts="--leave-out {retired} --folder {open}"
    ),
    "stats": Case("", {"extra": 2}, is_table=True),
    "history": Case("api port --at 2026-04-10", {"": 2, "api --at soon": 2}, is_table=True),
    "conflicts": Case("", {"--detect --memory gone": 1}, folders=_TOLD, is_table=True),
    "recall": Case(
        "--queries {input} --folder {store}",
        {"": 2, "--queries queries.jsonl": 2, "--queries - --memories -": 1},
        file="queries.jsonl",
    ),
    "resolve": Case(
        "{conflict} --dismiss --dry-run",
        {"": 2, "{conflict}": 2, "{conflict} --merge --dismiss": 2, "gone --merge": 1, "{conflict} --keep gone": 1},
        acts="{dispute} --dismiss --folder {open}",
    ),
    "review": Case("", {"extra": 1, "x y z": 2}, folders=_TOLD, is_table=True, acts="{dispute} that --folder {open}"),
    "completion": Case("bash", {"": 2, "csh": 2}),
    "undo": Case("{conflict} --dry-run", {"": 2, "gone": 1}, acts="{retired} --folder {open}"),
    "adopt": Case(
        "--report", {"": 2, "--report --accept": 2, "--accept --except gone": 1}, is_table=True, acts="--accept"
    ),
    "status": Case("", {"extra": 2}),
    "doctor": Case("--folder {store}", {"extra": 2}, on_folder=""),
    "erase": Case("{old} --dry-run", {"": 2, "gone": 1}, acts="{retired} --folder {open}"),
    "quality": Case("", {"--nope": 2}),
    "validate": Case("", {"extra": 1}),
    "link": Case("{new} supports {old}", {"": 2, "{new} likes {old}": 2, "{new} supports gone": 1}, writes=True),
    "unlink": Case("{new} related-to {old} --dry-run", {"": 2, "{new} causes {old}": 1}, acts="{new} related-to {old}"),
    "refresh": Case("{new}", {"": 2, "gone": 1}, writes=True),
    "archive-stale": Case("", {"--older-than soon": 2, "--older-than 999999999999y": 2}, writes=True),
    "sign-anew": Case("", {"--because": 2}, writes=True),
    "restore": Case("--dry-run", {"--id gone": 1}, acts=""),
    "repair": Case("--dry-run", {"extra": 2}, acts="--folder {open}"),
    "maintain": Case("--dry-run", {"": 1}, acts="--folder {open}"),
    "strip": Case("--dry-run", {"extra": 2}, acts=""),
    "ingest": Case("{input} --folder new-store", {"": 2}, file="memories.jsonl", folders=_NEW, writes=True),
    "add": Case("remembered --folder new-store", {"": 2, "x --source god": 2}, folders=_NEW, writes=True),
    "export": Case("", {"--out usr": 1, "--out no/where": 1}, acts="--out export.jsonl"),
    "import": Case(
        "{input} --folder other-store", {"": 2}, file="archive.jsonl", folders=_EMPTY, files={"empty": 1}, writes=True
    ),
    "copy": Case("--all --to usr/memory/new", {"--all": 2, "--to y": 2, "--all --id a --to y": 2}, writes=True),
    "move": Case("--id {new} --to other", {"--all": 2, "--id gone --to y": 1}, writes=True),
    "vault add": Case("Hello", {"": 2, "a b": 2}, folders=_TOLD, writes=True),
    "vault update": Case("{record} Bonjour", {"": 2, "gone Bonjour": 1}, writes=True),
    "vault delete": Case("{record}", {"": 2, "gone": 1}, writes=True),
    "vault promote": Case("{register}", {"": 2, "gone": 1}, writes=True),
    "vault compact": Case("", {"extra": 2}, folders=_TOLD, writes=True),
    "vault list": Case("", {"extra": 2}, folders=_EMPTY),
    "vault search": Case("french", {"": 2}, folders=_EMPTY),
    "vault stats": Case("", {"extra": 2}, folders=_TOLD),
    "vault propose": Case("", {"extra": 2}, folders=_EMPTY),
    "notes index": Case("", {"--notes no": 1}, writes=True),
    "notes search": Case("deploy", {"": 2, "deploy --note-id gone": 1}, is_table=True),
    "notes status": Case("", {"extra": 2}),
    "knowledge status": Case("", {"--home no": 1}, folders=_EMPTY),
    "knowledge distil": Case("--dry-run", {"--home no": 1}, folders=_EMPTY),
    "knowledge recall": Case("browser", {"": 2, "browser --home no": 1}, folders=_TOLD),
    "knowledge approve": Case("MEM-001", {"": 2, "MEM-999": 1}, writes=True),
    "knowledge reject": Case("MEM-001", {"": 2, "MEM-999": 1}, writes=True),
    "knowledge archive": Case("MEM-002", {"": 2, "MEM-999": 1}, writes=True),
    "knowledge undo": Case("MEM-001", {"": 2, "MEM-999": 1}, writes=True),
    "classify": Case("{input}", {"no.jsonl": 1, "{input} --config no.json": 1}, file="memories.jsonl"),
    "contradict": Case("{input}", {"no.jsonl": 1}, file="pairs.jsonl"),
    "duplicate": Case("{input}", {"no.jsonl": 1}, file="same.jsonl"),
    "scan": Case(
        "{input}", {"{input} --folder {folder}": 2, "{input} --level x": 2}, file="memories.jsonl", on_folder=""
    ),
    "demo": Case("", {"extra": 2}, folders={"missing": 0, "empty": 0, "garbage": 0}, acts="--folder demo"),
}
