"""How far long work is: a bar with a rate and the time left on a terminal, lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from time import perf_counter
from typing import Any, TypeVar

from .streams import tell, unguarded

_One = TypeVar("_One")
#: What takes less needs no bar, and a bar is drawn no more often than somebody can see.
_PATIENCE_SECONDS, _REDRAW_SECONDS = 0.5, 0.1


def console(*, is_error: bool = False) -> Any:
    """Return a terminal to print on; without colour where `NO_COLOR` says so (rich sees to it)."""
    from rich.console import Console

    file = unguarded(sys.stderr if is_error else sys.stdout)
    return Console(file=file, stderr=is_error, highlight=False, markup=False, emoji=False)


class Advance:
    """Told how much of the work is done; in a pipe a line at each tenth, or at each step where `line` words it."""

    def __init__(self, what: str, total: int | None, line: Callable[[str, int, int], str] | None) -> None:
        self._what, self._total, self._line, self._told = what, total, line, 0

    def __call__(self, done: int, total: int | None = None, *, what: str | None = None) -> None:
        """Tell that `done` of `total` is done; work that goes on to something else says what."""
        self._turn_to(what or self._what)
        self._total = total = total or self._total
        self._show(self._what, done, total)

    def begin(self, what: str = "") -> None:
        """Say on a terminal what is done now, before any of it is done."""
        self._turn_to(what or self._what)

    def _turn_to(self, what: str) -> None:
        if what != self._what:
            self._what, self._total, self._told = what, None, 0

    def _show(self, what: str, done: int, total: int | None) -> None:
        tenth = done * 10 // total if total else 0
        if self._line is not None:
            tell(self._line(what, done, total or 0))
        elif tenth > self._told and done < (total or 0):
            self._told = tenth
            tell(f"{what}: {done:,} of {total:,}")


class _Bar(Advance):
    """Draws a bar from the first step on, so that what is loaded before may show its own."""

    bar: Any = None

    def begin(self, what: str = "") -> None:
        super().begin(what)
        self._show(self._what, 0, self._total)

    def _show(self, what: str, done: int, total: int | None) -> None:
        if self.bar is None:
            self.bar = _new_bar(is_counted=True)
            self.bar.start()
            self._shown = what
            self.bar.add_task(what, total=total)
        if what != self._shown:
            self._shown = what
            self.bar.reset(0, total=total, description=what)
        self.bar.update(0, completed=done, total=total)


@contextmanager
def progress(
    what: str, total: int | None = None, *, line: Callable[[str, int, int], str] | None = None
) -> Iterator[Advance]:
    """Show how far long work is, with its rate and the time left; without a terminal, a line now and then."""
    advance = (_Bar if _is_seen() else Advance)(what, total, line)
    try:
        yield advance
    finally:
        if isinstance(advance, _Bar) and advance.bar is not None:
            advance.bar.stop()


def watched(
    items: Iterable[_One],
    what: str,
    total: int | None = None,
    *,
    line: Callable[[str, int, int], str] | None = None,
    step: int = 0,
) -> Iterator[_One]:
    """Yield `items`, and show on a terminal how many are done; in a pipe a line after each `step`, or nothing.

    Whoever prints meanwhile prints into a pipe: on a terminal a bar and an answer would be one line.
    """
    is_seen, due = _is_seen(), perf_counter() + _PATIENCE_SECONDS
    with progress(what, total, line=line) as advance:
        for number, one in enumerate(items, 1):
            yield one
            if is_seen and perf_counter() >= due:
                due = perf_counter() + _REDRAW_SECONDS
                advance(number)
            elif not is_seen and step and number % step == 0:
                advance(number)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on a terminal what takes long, where nothing can be counted."""
    if not _is_seen():
        yield
        return
    with _new_bar(is_counted=False) as bar:
        bar.add_task(what, total=None)
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
    doing = TextColumn("{task.description}", markup=False, table_column=Width(no_wrap=True, overflow="ellipsis"))
    return Progress(
        SpinnerColumn(),
        doing,
        *(counted if is_counted else (TimeElapsedColumn(),)),
        console=console(is_error=True),
        transient=True,
        redirect_stdout=False,  # the answers go on to where they go
        expand=is_counted,
    )
