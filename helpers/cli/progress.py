"""The progress of long work: a bar with a rate and the time left on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from time import perf_counter
from typing import Any, TypeVar

from .streams import tell, unguarded

_Item = TypeVar("_Item")
#: Shorter work needs no bar; and a bar is drawn no more often than somebody can see.
_PATIENCE_SECONDS, _REDRAW_SECONDS = 0.5, 0.1


def console(*, is_error: bool = False) -> Any:
    """Return a terminal to print on; without colour where `NO_COLOR` says so (rich sees to it)."""
    from rich.console import Console

    file = unguarded(sys.stderr if is_error else sys.stdout)
    return Console(file=file, stderr=is_error, highlight=False, markup=False, emoji=False)


class Advance:
    """Shows how much of the work is done: in a pipe a line at each tenth, or what `line` returns at each step."""

    def __init__(self, work: str, total: int | None, line: Callable[[str, int, int], str] | None) -> None:
        self._work, self._total, self._line, self._tenth = work, total, line, 0

    def __call__(self, done: int, total: int | None = None, *, work: str | None = None) -> None:
        """Show that `done` of `total` is done; another `work` begins a new count."""
        self._turn_to(work or self._work)
        self._total = total = total or self._total
        self._show(self._work, done, total)

    def begin(self, work: str = "") -> None:
        """Show on a terminal which work begins."""
        self._turn_to(work or self._work)

    def _turn_to(self, work: str) -> None:
        if work != self._work:
            self._work, self._total, self._tenth = work, None, 0

    def _show(self, work: str, done: int, total: int | None) -> None:
        tenth = done * 10 // total if total else 0
        if self._line is not None:
            tell(self._line(work, done, total or 0))
        elif tenth > self._tenth and done < (total or 0):
            self._tenth = tenth
            tell(f"{work}: {done:,} of {total:,}")


class _Bar(Advance):
    """Draws a bar from the first step on, so that a model that is loaded before may show its own."""

    bar: Any = None

    def begin(self, work: str = "") -> None:
        super().begin(work)
        self._show(self._work, 0, self._total)

    def _show(self, work: str, done: int, total: int | None) -> None:
        if self.bar is None:
            self.bar = _new_bar(is_counted=True)
            self.bar.start()
            self._shown = work
            self.bar.add_task(work, total=total)
        if work != self._shown:
            self._shown = work
            self.bar.reset(0, total=total, description=work)
        self.bar.update(0, completed=done, total=total)


@contextmanager
def progress(
    work: str, total: int | None = None, *, line: Callable[[str, int, int], str] | None = None
) -> Iterator[Advance]:
    """Show the progress of long work, with its rate and the time left; without a terminal, a line now and then."""
    advance = (_Bar if _is_seen() else Advance)(work, total, line)
    try:
        yield advance
    finally:
        if isinstance(advance, _Bar) and advance.bar is not None:
            advance.bar.stop()


def watched(
    items: Iterable[_Item],
    work: str,
    total: int | None = None,
    *,
    line: Callable[[str, int, int], str] | None = None,
    step: int = 0,
) -> Iterator[_Item]:
    """Yield `items`, and show on a terminal how many are done; in a pipe a line after each `step`, or nothing.

    Print meanwhile only into a pipe: on a terminal, a bar and an answer would share a line.
    """
    is_seen, due = _is_seen(), perf_counter() + _PATIENCE_SECONDS
    with progress(work, total, line=line) as advance:
        for number, item in enumerate(items, 1):
            yield item
            if is_seen and perf_counter() >= due:
                due = perf_counter() + _REDRAW_SECONDS
                advance(number)
            elif not is_seen and step and number % step == 0:
                advance(number)


@contextmanager
def waiting(work: str) -> Iterator[None]:
    """Show long work on a terminal, where nothing can be counted."""
    if not _is_seen():
        yield
        return
    with _new_bar(is_counted=False) as bar:
        bar.add_task(work, total=None)
        yield


def _is_seen() -> bool:
    return sys.stderr.isatty() and find_spec("rich") is not None


def _new_bar(*, is_counted: bool) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.table import Column as Width
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text("" if task.speed is None else f"{task.speed:,.0f}/s")

    counted = (BarColumn(bar_width=None), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    description = TextColumn("{task.description}", markup=False, table_column=Width(no_wrap=True, overflow="ellipsis"))
    return Progress(
        SpinnerColumn(),
        description,
        *(counted if is_counted else (TimeElapsedColumn(),)),
        console=console(is_error=True),
        transient=True,
        redirect_stdout=False,  # the answers go on to where they go
        expand=is_counted,
    )
