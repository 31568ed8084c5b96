"""Timing and tables for the benchmarks: medians and 99th percentiles, plain Markdown, no machine paths."""

from __future__ import annotations

import math
import multiprocessing
import os
import platform
import statistics
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from importlib.metadata import version
from time import perf_counter, thread_time
from typing import Any, TypeVar

PACKAGE = "memory_ledger"
_DISTRIBUTIONS = ("faiss-cpu", "langchain-community", "langchain-core", "numpy", "pydantic")

_Result = TypeVar("_Result")


@dataclass(slots=True)
class Samples:
    """One thing done again and again: seconds of CPU time of the calling thread, and of wall-clock time.

    CPU time is what the tables show unless they say otherwise: other work on a shared machine does not count.
    """

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def time(self, run: Callable[[], _Result]) -> _Result:
        """Call `run` once more, note how long it took, and return its result."""
        wall, cpu = perf_counter(), thread_time()
        result = run()
        self.cpu.append(thread_time() - cpu)
        self.wall.append(perf_counter() - wall)
        return result

    async def time_async(self, run: Callable[[], Awaitable[object]]) -> None:
        """Await `run()` once more; the CPU time is that of the event loop's thread alone."""
        wall, cpu = perf_counter(), thread_time()
        await run()
        self.cpu.append(thread_time() - cpu)
        self.wall.append(perf_counter() - wall)

    def __len__(self) -> int:
        return len(self.cpu)

    @property
    def median(self) -> float:
        """The median CPU time."""
        return statistics.median(self.cpu)

    @property
    def p99(self) -> float:
        """The 99th percentile of the CPU time; the largest where there are fewer than 100."""
        return sorted(self.cpu)[math.ceil(0.99 * len(self.cpu)) - 1]

    @property
    def total(self) -> float:
        """The sum of the CPU time."""
        return math.fsum(self.cpu)

    @property
    def rate(self) -> float:
        """Calls per second of CPU time."""
        return len(self.cpu) / self.total

    @property
    def wall_median(self) -> float:
        """The median wall-clock time."""
        return statistics.median(self.wall)


@dataclass(slots=True)
class Table:
    """One table of the report; every row has one cell per heading. `note` says what was measured."""

    title: str
    note: str
    headings: Sequence[str]
    rows: list[tuple[str, ...]] = field(default_factory=list)

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.headings, *self.rows, strict=True)]
        lines = [_line(self.headings, widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
        lines.extend(_line(row, widths) for row in self.rows)
        return "\n".join((f"## {self.title}", "", self.note, "", *lines, ""))


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal of the project, what was measured for it, and whether that meets it."""

    what: str
    goal: str
    measured: str
    is_met: bool


@dataclass(slots=True)
class Report:
    """Tables and goals of one or several sections."""

    tables: list[Table] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    goals_note: str = "Medians of this run."

    def add(self, other: Report) -> None:
        """Take over the goals and the tables of `other`; the rows of a table of the same title follow those here."""
        self.goals.extend(other.goals)
        known = {table.title: table for table in self.tables}
        for table in other.tables:
            if table.title in known:
                known[table.title].rows.extend(table.rows)
            else:
                self.tables.append(table)

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [
            (one.what, one.goal, one.measured, "yes" if one.is_met else "no") for one in self.goals
        ]
        summary = Table("Goals", self.goals_note, ("what", "goal", "measured", "met"), rows)
        return "\n".join(map(str, (summary, *self.tables)))


def measure(run: Callable[[], object], count: int, *, warm_up: int = 3) -> Samples:
    """Return the times of `count` calls, after `warm_up` calls that are not counted."""
    for _ in range(warm_up):
        run()
    samples = Samples()
    for _ in range(count):
        samples.time(run)
    return samples


def run_alone(function: Callable[..., _Result], *arguments: Any) -> _Result:
    """Return `function(*arguments)`, called in a fresh process, so that no section inherits another one's caches."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def clear_caches() -> None:
    """Empty every `lru_cache` of the pack."""
    for cache in package_caches():
        cache.cache_clear()


def package_caches() -> list[Any]:
    """Return every `lru_cache` in the modules of the pack that are loaded."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] == PACKAGE]
    found = [value for module in modules for value in vars(module).values() if isinstance(value, _lru_cache_wrapper)]
    return list({id(one): one for one in found}.values())


def describe_machine() -> str:
    """Return versions and cores, nothing that tells one machine's paths or names."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _DISTRIBUTIONS)
    return (
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, shared with other work (load average {os.getloadavg()[0]:.1f} at the start); "
        f"{libraries}."
    )


def format_seconds(seconds: float) -> str:
    """Return a duration with three significant digits."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1.0 or unit == "µs":
            value = seconds * factor
            return f"{value:.{max(0, 2 - int(math.log10(max(value, 1.0))))}f} {unit}"
    raise AssertionError("unreachable")


def format_ratio(one: float, other: float) -> str:
    """Return how many times `other` goes into `one`."""
    ratio = one / other
    return f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.2g}x"


def format_count(number: float) -> str:
    """Return a whole number with thousands separated."""
    return f"{number:,.0f}"


def _line(cells: Iterable[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
