"""Print the answers of a command: a table for a person, JSON Lines for a pipe."""

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

from ..texts import printable
from .declaring import Options
from .progress import console

Row = Mapping[str, Any]

#: The length of a text in a list.
_MOST_LINES, _MOST_CHARACTERS = 2, 200


class Column(NamedTuple):
    """A column of a table: its title, and the function that returns what it shows of a row.

    A column that is whole is never folded. The note stands below the cell.
    """

    title: str
    show: Callable[[Row], object]
    style: str = ""
    is_whole: bool = False
    note: Callable[[Row], str] | None = None


def show_rows(options: Options, rows: Iterable[Row], columns: Sequence[Column]) -> None:
    """Print `rows` as a table of `columns` on a terminal; as JSON Lines elsewhere, or where the options ask for it."""
    if is_for_person(options):
        _print_table(list(rows), columns)
    else:
        for row in rows:
            write_json(row)


def show_object(options: Options, row: Row, say_all: Callable[[Row], object]) -> None:
    """Print one object: for a person with `say_all`, else as JSON."""
    if is_for_person(options):
        say_all(row)
    else:
        write_json(row)


def write_json(row: Row) -> None:
    """Print a row as a line of JSON."""
    print(json.dumps(row, ensure_ascii=False))


def note(line: str) -> None:
    """Print a line beside the answers, on standard error."""
    print(line, file=sys.stderr)


def is_for_person(options: Options) -> bool:
    """Whether a person reads the output, and rich is installed, as in every Agent Zero."""
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
        for column in columns:
            shown = column.show(row)
            cell = Text("" if shown is None else printable(str(shown), keep="\n"), style=column.style)
            cells.append(
                cell if column.note is None else cell.append(printable(f"\n{column.note(row)}", keep="\n"), "dim")
            )
        table.add_row(*cells)
    if rows:
        console().print(table)


def first_lines(text: str) -> str:
    """Return the beginning of a text, for a table."""
    lines = [line for line in text.splitlines() if line.strip()]
    begin = " ".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return begin if len(lines) <= _MOST_LINES and len(begin) < _MOST_CHARACTERS else f"{begin} ..."


#: The first columns of most tables.
ID: Final = Column("id", lambda row: row["id"], "bold", is_whole=True)
TEXT: Final = Column("memory", lambda row: first_lines(row.get("text") or ""))


def say(line: str, style: str = "", *, hang: int = 0) -> None:
    """Print a line; on a terminal in its style, wrapped between words, its further lines indented by `hang` columns."""
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
    """Write a file that a person has named, whole or not at all; raises InputError."""
    from ..store.files import write_atomically
    from .lines import InputError

    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        write_atomically(path, text, mode=mode)
    except OSError as exc:
        raise InputError(f"{path}: {exc.strerror}; allowed: a file that can be written") from exc


def command_on(folder: Path, command: str) -> str:
    """Return a command on a folder as it is typed, in backquotes."""
    return f"`{shlex.join(('memory-ledger', *command.split(), '--folder', str(folder)))}`"
