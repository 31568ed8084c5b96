"""What a command prints: a table for a person, JSON Lines for a pipe."""

from __future__ import annotations

import errno
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..recall.selection import SOURCE_WORDS
from ..records import Memory, said_at
from ..texts import printable
from .declaring import Options
from .progress import console

Row = Mapping[str, Any]

#: So much of a text is shown in a list.
_MOST_LINES, _MOST_CHARACTERS = 2, 200


class Column(NamedTuple):
    """A column of a table: its title, what it shows of a row, and whether it stays on one line rather than is folded.

    What it notes stands below: beside the text it would leave that a few words to a line.
    """

    title: str
    show: Callable[[Row], object]
    style: str = ""
    is_whole: bool = False
    note: Callable[[Row], str] | None = None


def show_rows(options: Options, rows: Iterable[Row], columns: Sequence[Column]) -> None:
    """Print `rows` as the options say: by default a table of `columns` on a terminal, and JSON Lines elsewhere."""
    if not is_for_person(options):
        for row in rows:
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        _print_table(list(rows), columns)


def is_for_person(options: Options) -> bool:
    """Whether a person reads what a command prints, and rich is there, which every Agent Zero brings."""
    return sys.stdout.isatty() and not options.as_json and find_spec("rich") is not None


def _print_table(rows: Sequence[Row], columns: Sequence[Column]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column.title, no_wrap=column.is_whole, overflow="fold")
    for row in rows:
        cells = []
        for one in columns:
            shown = one.show(row)
            cell = Text("" if shown is None else printable(str(shown), keep="\n"), style=one.style)
            cells.append(cell if one.note is None else cell.append(printable(f"\n{one.note(row)}", keep="\n"), "dim"))
        table.add_row(*cells)
    if rows:
        console().print(table)


def first_lines(text: str) -> str:
    """Return how a text begins, for a table."""
    lines = [splitline for splitline in text.splitlines() if splitline.strip()]
    begin = " ".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return begin if len(lines) <= _MOST_LINES and len(begin) < _MOST_CHARACTERS else f"{begin} ..."


#: What most tables begin with.
ID: Final = Column("id", lambda row: row["id"], "bold", is_whole=True)
TEXT: Final = Column("memory", lambda row: first_lines(row.get("text") or ""))


def say(line: str, style: str = "", *, hang: int = 0) -> None:
    """Print a line; on a terminal in its style, broken between words, and gone on with `hang` columns further in."""
    line = printable(line)
    if not sys.stdout.isatty() or find_spec("rich") is None:
        print(line, flush=True)
        return
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid()
    grid.add_column(width=hang, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(line[:hang], style=style), Text(line[hang:], style=style))
    console().print(grid if hang else Text(line, style=style))


def write_out(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write a file that a person has named, whole or not at all; a folder stays as it is."""
    from ..store.files import write_atomically
    from .lines import InputError

    reason = os.strerror(errno.EISDIR) if path.is_dir() else None
    try:
        if reason is None:
            write_atomically(path, text, mode=mode)
    except OSError as exc:
        reason = exc.strerror
    if reason is not None:
        raise InputError(f"{path}: {reason}; allowed: a file that can be written")


def memory_in_words(memory: Memory | None) -> str:
    """Return a memory in a line: when, who said it, and what."""
    if memory is None:
        return "(not there any more)"
    source = "unknown" if memory.classification is None else SOURCE_WORDS[memory.classification.source]
    return f"{said_at(memory):%Y-%m-%d}, {source}: {memory.text}"


def command_on(folder: Path, command: str) -> str:
    """Return a command on a folder as it is typed."""
    return f"`{shlex.join(('memory-ledger', *command.split(), '--folder', str(folder)))}`"
