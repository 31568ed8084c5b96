"""The compiled tables of words, written from the TOML beside the code: reading that at a start would take too long.

    python generators/table_files.py FOLDER

writes a `tables.json` beside the tables of each room of the pack in FOLDER.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from generating import write_files
from memory_ledger.language.tables import COMPILED

#: What is there for the reader of a table and for its test.
_PROOFS = frozenset(("examples", "counterexamples", "begins"))
#: Patterns, in which white space counts (see `language.vocabulary`).
_AS_WRITTEN = frozenset(("finds", "part", "blank"))


def render_tables(room: Path) -> str:
    """Return the tables of a folder as JSON, each on a line of its own."""
    lines = [
        f"{json.dumps(path.stem)}: {json.dumps(read_source(path), ensure_ascii=False)}"
        for path in sorted(room.glob("*.toml"))
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_source(path: Path) -> dict[str, Any]:
    """Return a table as it is read at run time."""
    table: dict[str, Any] = _compact(tomllib.loads(path.read_text("utf-8")))
    return table


def _compact(value: Any) -> Any:
    """Return a part of a table without its examples, and without the line breaks of a long text."""
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if key not in _PROOFS}
        return {key: part if key in _AS_WRITTEN else _compact(part) for key, part in kept.items()}
    if isinstance(value, list):
        return [_compact(part) for part in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def rooms(folder: Path) -> list[Path]:
    """Return the folders of the pack in `folder` that hold tables."""
    return sorted({path.parent for path in (folder / "helpers").rglob("*.toml")})


def main(argv: Sequence[str]) -> int:
    """Write the files into the folder named by `argv`; 0 when done, 2 on misuse."""
    return write_files(
        argv,
        __doc__,
        lambda folder: {str((room / COMPILED).relative_to(folder)): render_tables(room) for room in rooms(folder)},
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
