"""Measure how long the commands that look take: `python benchmarks/terminal.py` reports to docs/benchmarks/terminal.md.

A benchmark, not a test: it fails nothing. `--size 1000` measures another store, and writes no file.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

from corpus import make_facts, make_vectors
from measuring import Goal, Report, Table, describe_machine, format_seconds
from memory_ledger.clock import system_clock
from memory_ledger.quality.conflict_record import Conflict, ConflictType, Severity, conflict_id, write_conflict
from memory_ledger.store.docstore import Store
from memory_ledger.store.docstore_file import read_docstore
from memory_ledger.store.files import CONFLICTS_FILE
from memory_ledger.store.lines import LineStore
from stores import GivenVectors, confirm_all, fill, make_memory

_REPORT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "terminal.md"
_SIZE = 100_000
_TIMES = 7
_CONFLICTS = 100
_ONCE_LOADED = 3
_HEAD = """# How long the commands that look take

Written by `make bench-terminal`; do not edit. {machine}

Each command in a process of its own, {times} times, over a memory folder of {size:,} memories, some of which are in
conflict: from the start of the interpreter to its end. Wall-clock time has in it what other work on this machine takes.
So the goals are for CPU time, which has not. `ask` is measured in one process, from the moment at which the embedding
model is loaded; `history` runs once.
"""
#: Each command with the most seconds that it may take.
_COMMANDS: tuple[tuple[tuple[str, ...], float], ...] = (
    (("--help",), 0.15),
    (("list", "--limit", "20"), 1.0),
    (("list", "billing", "port", "--status", "in_use", "--limit", "20"), 1.0),
    (("show", "m000000017"), 1.0),
    (("stats",), 1.0),
    (("conflicts",), 1.0),
)
#: What has no goal, and takes so long that it runs once.
_SLOW = ("history", "billing", "worker", "port")
_QUESTION = "Which database does the billing service use?"
_ASK = f"""
from pathlib import Path
import sys, time
from memory_ledger import cli
from memory_ledger.store.embedding import load_minilm
model = load_minilm()
model.embed_query("the first one takes longer")
for _ in range({_ONCE_LOADED}):
    wall, cpu = time.perf_counter(), time.process_time()
    cli.main(["ask", {_QUESTION!r}, "--folder", sys.argv[1]], load=lambda: model)
    print(time.perf_counter() - wall, time.process_time() - cpu, file=sys.stderr)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Build the store, time every command, print the report, and write it unless another size was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=_SIZE, help="measure so many memories; writes no file")
    size = parser.parse_args(argv).size
    machine = describe_machine()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "usr" / "memory" / "default"
        _build(folder, size)
        report = _measure(folder)
    text = f"{_HEAD.format(machine=machine, times=_TIMES, size=size)}\n{report}"
    print(text)
    if size == _SIZE:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _build(folder: Path, size: int) -> None:
    facts = make_facts(size)
    memory = make_memory(folder, GivenVectors())
    fill(memory.db, facts, make_vectors(facts))
    store = Store(memory, folder=folder, clock=system_clock)
    confirm_all(store)
    memory.save()
    memory.close()
    LineStore(folder / CONFLICTS_FILE).append(map(write_conflict, _conflicts(store)))


def _conflicts(store: Store) -> Iterator[Conflict]:
    """Yield conflicts that nobody has resolved, between the first memories of a store."""
    ids = store.index.ids[: 2 * _CONFLICTS]
    for one, other in zip(ids[::2], ids[1::2], strict=True):
        yield Conflict(
            id=conflict_id(one, other),
            type=ConflictType.DIRECT,
            memories=(one, other),
            detected=system_clock(),
            severity=Severity.MEDIUM,
            description="made by the benchmark",
        )


def _measure(folder: Path) -> Report:
    rows, goals = [], []
    for command, most in _COMMANDS:
        about = () if command == ("--help",) else ("--folder", str(folder))
        wall, cpu = _time([sys.executable, "-m", "memory_ledger", *command, *about])
        what = f"`memory-ledger {' '.join(command)}`"
        rows.append((what, format_seconds(wall), format_seconds(cpu)))
        goals.append(Goal(what, f"{format_seconds(most)} of CPU at most", format_seconds(cpu), cpu <= most))
    wall, cpu = _run([sys.executable, "-m", "memory_ledger", *_SLOW, "--folder", str(folder)])
    rows.append((f"`memory-ledger {' '.join(_SLOW)}`", format_seconds(wall), format_seconds(cpu)))
    wall, cpu = _time_ask(folder)
    what = "`memory-ledger ask`, once the model is loaded"
    rows.append((what, format_seconds(wall), format_seconds(cpu)))
    goals.append(Goal(what, "1.00 s of CPU at most", format_seconds(cpu), cpu <= 1.0))
    start, before = perf_counter(), process_time()
    read_docstore(folder)
    wall, cpu = perf_counter() - start, process_time() - before
    rows.append(("reading `index.pkl` alone, in this process", format_seconds(wall), format_seconds(cpu)))
    return Report([Table("Commands", "Medians.", ("what", "wall-clock time", "CPU time"), rows)], goals)


def _time(command: Sequence[str]) -> tuple[float, float]:
    """Return the medians of wall-clock and CPU time of a process; the first run, which may compile, is not counted."""
    walls, cpus = zip(*(_run(command) for _ in range(_TIMES + 1)), strict=True)
    return statistics.median(walls[1:]), statistics.median(cpus[1:])


def _run(command: Sequence[str]) -> tuple[float, float]:
    """Return wall-clock and CPU time of a process."""
    before, start = _children_seconds(), perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=_environment())
    return perf_counter() - start, _children_seconds() - before


def _time_ask(folder: Path) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _ASK, str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env=_environment(),
    )
    lines = [line.split() for line in done.stderr.splitlines() if line and line[0].isdigit()]
    return statistics.median(float(one) for one, _ in lines), statistics.median(float(one) for _, one in lines)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
