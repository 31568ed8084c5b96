"""The output of a command: tables for a person, JSON Lines for a pipe, progress; a terminal gets nothing to obey."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TextIO, TypeVar

from ..texts import printable

#: The control characters that do no harm on a terminal.
LAID_OUT = "\n\r\t"


class _Guarded(io.TextIOWrapper):
    """A terminal that escapes the control characters of a text; `plain` is the terminal itself, for styles."""

    def __init__(self, plain: io.TextIOWrapper) -> None:
        super().__init__(plain.buffer, encoding=plain.encoding, errors="backslashreplace", line_buffering=True)
        self.plain = plain

    def write(self, text: str) -> int:
        """Write a text with its control characters escaped."""
        return super().write(printable(text, keep=LAID_OUT))


def tell(message: object) -> None:
    """Print a message about the work on standard error; the answers go to standard output."""
    print(f"memory-ledger: {printable(str(message), keep=LAID_OUT)}", file=sys.stderr, flush=True)


@contextmanager
def settled_streams() -> Iterator[None]:
    """Write UTF-8 into pipes and files, whatever the locale is; a terminal keeps its own encoding."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(_settle, before)
    try:
        yield
    finally:
        for stream, old in zip((sys.stdout, sys.stderr), before, strict=True):
            _end(stream)
            if isinstance(stream, _Guarded):
                stream.detach()
            elif stream is not old:  # click has put another one there
                _end(old)
        sys.stdout, sys.stderr = before


def _settle(stream: TextIO) -> TextIO:
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if stream.isatty():
        return _Guarded(stream)
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream


def _end(stream: TextIO) -> None:
    """Flush a stream; where the pipe is closed, discard the rest, so that Python does not complain at its exit."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        stream.flush()


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream behind a guarded terminal, for text with styles that is escaped already."""
    return stream.plain if isinstance(stream, _Guarded) else stream


_Item = TypeVar("_Item")
#: Shorter work needs no bar, and a bar is drawn no more often than somebody can see.
_PATIENCE_SECONDS, _REDRAW_SECONDS = 0.5, 0.1


def console(*, is_error: bool = False) -> Any:
    """Return a terminal to print on; without colour where `NO_COLOR` says so (rich sees to it)."""
    from rich.console import Console

    file = unguarded(sys.stderr if is_error else sys.stdout)
    return Console(file=file, stderr=is_error, highlight=False, markup=False, emoji=False)


class Advance:
    """Shows how much of some work is done: a bar on a terminal, from the first step on; else a line at each tenth."""

    def __init__(self, work: str, total: int | None) -> None:
        self._work, self._total, self._tenth = work, total, 0
        self.bar: Any = None

    def __call__(self, done: int, total: int | None = None, *, work: str = "") -> None:
        """Show that `done` of `total` is done; another `work` begins a new count."""
        if work and work != self._work:
            self._work, self._total, self._tenth = work, None, 0
            if self.bar is not None:
                self.bar.reset(0, description=work)
        self._total = total or self._total
        if sys.stderr.isatty():
            if self.bar is None:
                self.bar = _new_bar()
                self.bar.start()
                self.bar.add_task(self._work, total=self._total)
            self.bar.tasks[0].total = self._total
            self.bar.update(0, completed=done)
        elif self._total and self._tenth < (tenth := done * 10 // self._total) < 10:
            self._tenth = tenth
            tell(f"{self._work}: {done:,} of {self._total:,}")


@contextmanager
def progress(work: str, total: int | None = None) -> Iterator[Advance]:
    """Show the progress of long work, with its rate and the time left; without a terminal, a line now and then."""
    advance = Advance(work, total)
    try:
        yield advance
    finally:
        if advance.bar is not None:
            advance.bar.stop()


def watched(items: Iterable[_Item], work: str, total: int | None = None) -> Iterator[_Item]:
    """Yield `items`, and show on a terminal how many are done.

    Print meanwhile only into a pipe: on a terminal, a bar and an answer would share a line.
    """
    due = perf_counter() + _PATIENCE_SECONDS
    with progress(work, total) as advance:
        for number, item in enumerate(items, 1):
            yield item
            if sys.stderr.isatty() and perf_counter() >= due:
                due = perf_counter() + _REDRAW_SECONDS
                advance(number)


@contextmanager
def waiting(work: str) -> Iterator[None]:
    """Show long work on a terminal, where nothing can be counted."""
    with progress(work) as advance:
        advance(0)
        yield


def _new_bar() -> Any:
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.table import Column as Width
    from rich.text import Text

    class Count(ProgressColumn):
        def render(self, task: Any) -> Text:
            rate = "" if task.speed is None else f" {task.speed:,.0f}/s"
            elapsed = f"{task.elapsed or 0:.0f} s"
            return Text(elapsed if task.total is None else f"{task.completed:,.0f}/{task.total:,.0f}{rate}")

    description = TextColumn("{task.description}", markup=False, table_column=Width(no_wrap=True, overflow="ellipsis"))
    return Progress(
        *(SpinnerColumn(), description, BarColumn(bar_width=None), Count(), TimeRemainingColumn()),
        console=console(is_error=True),
        transient=True,
        redirect_stdout=False,  # the answers go on to where they go
        expand=True,
    )


Row = Mapping[str, Any]

#: The length of a text in a list.
_MOST_LINES, _MOST_CHARACTERS = 2, 200
#: The width of the titles of an object's fields.
_WIDTH = 13


class Column(NamedTuple):
    """A column of a table, or a field of an object: its title, and the key of a row or the function that shows it.

    A column that is whole is never folded. The note stands below the cell.
    """

    title: str
    show: str | Callable[[Row], object]
    style: str = ""
    is_whole: bool = False
    note: Callable[[Row], str] | None = None

    def text(self, row: Row) -> str:
        """Return what the column shows of a row; empty for None."""
        shown = row[self.show] if isinstance(self.show, str) else self.show(row)
        return "" if shown is None else printable(str(shown), keep="\n")


def show_rows(options: SimpleNamespace, rows: Iterable[Row], columns: Sequence[Column]) -> None:
    """Print `rows` as a table of `columns` on a terminal; as JSON Lines elsewhere, or where the options ask for it."""
    if is_for_person(options):
        _print_table(list(rows), columns)
    else:
        for row in rows:
            write_json(row)


def show_object(options: SimpleNamespace, row: Row, fields: Sequence[Column]) -> None:
    """Print one object: for a person a line for each field that says something, else as JSON.

    A field without a title stands in lines of its own; the lines of one that is whole are typed, and never folded.
    """
    if not is_for_person(options):
        write_json(row)
        return
    for field in fields:
        for number, line in enumerate(field.text(row).splitlines()):
            title = "" if number else field.title
            if field.is_whole:
                print(f"{title:<{_WIDTH}}{line}" if field.title else line)
            else:
                say(f"{title:<{_WIDTH}}{line}" if field.title else line, field.style, hang=_hang(field, line))


def _hang(field: Column, line: str) -> int:
    return _WIDTH if field.title else len(line) - len(line.lstrip()) + 2


def write_json(row: Row) -> None:
    """Print a row as a line of JSON."""
    print(json.dumps(row, ensure_ascii=False))


def note(line: str) -> None:
    """Print a line beside the answers, on standard error."""
    print(line, file=sys.stderr)


def is_for_person(options: SimpleNamespace) -> bool:
    """Whether a person reads the output."""
    return sys.stdout.isatty() and not options.as_json


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
            cell = Text(column.text(row), style=column.style)
            cells.append(cell if column.note is None else cell.append(printable(f"\n{column.note(row)}", "\n"), "dim"))
        table.add_row(*cells)
    if rows:
        console().print(table)


def first_lines(text: str) -> str:
    """Return the beginning of a text, for a table."""
    lines = [line for line in text.splitlines() if line.strip()]
    begin = " ".join(lines[:_MOST_LINES])[:_MOST_CHARACTERS]
    return begin if len(lines) <= _MOST_LINES and len(begin) < _MOST_CHARACTERS else f"{begin} ..."


#: The first columns of most tables.
ID: Final = Column("id", "id", "bold", is_whole=True)
TEXT: Final = Column("memory", lambda row: first_lines(row.get("text") or ""))


def say(line: str, style: str = "", *, hang: int = 0) -> None:
    """Print a line; on a terminal in its style, wrapped between words, its further lines indented by `hang` columns."""
    line = printable(line)
    if not sys.stdout.isatty():
        print(line, flush=True)
        return
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid()
    grid.add_column(width=hang, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(line[:hang], style=style), Text(line[hang:], style=style))
    console().print(grid if hang else Text(line, style=style))


def command_on(folder: Path, command: str) -> str:
    """Return a command on a folder as it is typed, in backquotes."""
    return f"`{shlex.join(('memory-ledger', *command.split(), '--folder', str(folder)))}`"
