"""What the pack adds to the start of a process: its imports in a host, its first call, and the command line."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import perf_counter

from measuring import PACKAGE, Goal, Report, Samples, Table, format_ratio, format_seconds

_PROCESS_COUNT = 15
_PROFILE_COUNT = 5
_SLOWEST_COUNT = 10
_GOAL_SECONDS = 0.15
_IMPORT_LINE = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| +(\S+)")

# What an Agent Zero process has imported before any extension runs, and the class that its loader looks for.
_HOST = """
import asyncio, json, logging, sys, types, warnings
from time import perf_counter, process_time
warnings.simplefilter("ignore")
import numpy, pydantic, yaml
from pydantic import BaseModel, Field, model_validator
import faiss
import langchain_core.documents, langchain_core.embeddings
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_community.vectorstores import FAISS
from langchain_community.vectorstores.utils import DistanceStrategy
class Record(BaseModel):
    number: int = Field(0, ge=0)
helpers, extension = types.ModuleType("helpers"), types.ModuleType("helpers.extension")
helpers.__path__ = []
extension.Extension = type("Extension", (), {})
sys.modules |= {"helpers": helpers, "helpers.extension": extension}
"""
_IMPORT = f"""
before = set(sys.modules)
cpu, wall = process_time(), perf_counter()
import {PACKAGE}.host.hooks
print(process_time() - cpu, perf_counter() - wall)
"""
_FIRST_CALL = f"""
import tempfile
from pathlib import Path
from corpus import make_facts, make_vectors
from stores import GivenVectors, fill, insert, make_adopter, make_memory, note_turn, open_store
from {PACKAGE}.settings import Settings
facts, settings = make_facts(40), Settings()
vectors = make_vectors(facts)
before = set(sys.modules)
with tempfile.TemporaryDirectory() as name:
    memory = make_memory(Path(name) / "default", GivenVectors())
    store = open_store(memory)
    store.is_first_look = False
    adopter = make_adopter(store)
    for number in range(20):
        note_turn(adopter.turns, facts[number])
        insert(memory, facts[number], vectors[number], number)
        cpu, wall = process_time(), perf_counter()
        adopter.run(settings, limit=64)
        if number in (0, 19):
            print(process_time() - cpu, perf_counter() - wall)
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def run() -> Report:
    """Measure imports and starts, one process after the other, with bytecode caches of their own."""
    report = Report()
    with tempfile.TemporaryDirectory() as caches:
        report.add(_measure_import(caches))
        report.add(Report([_slowest_modules(caches)]))
        report.add(Report([_measure_commands(caches)]))
    return report


def _measure_import(caches: str) -> Report:
    _run_script(_HOST, caches)
    compiled = _sample(_HOST + _IMPORT, _PROFILE_COUNT, caches, keeps_bytecode=False)[0]
    _run_script(_HOST + _IMPORT + _FIRST_CALL, caches)
    cached = _sample(_HOST + _IMPORT, _PROCESS_COUNT, caches)[0]
    _, first, later = _sample(_HOST + _IMPORT + _FIRST_CALL, _PROFILE_COUNT, caches)
    table = Table(
        "Import in a host process",
        f"A fresh process that has imported what the host imports, then `{PACKAGE}.host.hooks` and all that it needs. "
        f"Without cached bytecode is the very first start after an install. First call: the adoption of one memory "
        f"right after the import, and the 20th one.",
        ("what", "CPU", "largest", "wall", "processes"),
    )
    for what, samples in (
        ("import", cached),
        ("import without cached bytecode", compiled),
        ("first adoption", first),
        ("20th adoption", later),
    ):
        table.rows.append(
            (
                what,
                format_seconds(samples.median),
                format_seconds(max(samples.cpu)),
                format_seconds(samples.wall_median),
                str(len(samples)),
            )
        )
    goal = Goal(
        what="import of the pack in a host process (CPU)",
        goal=f"{format_seconds(_GOAL_SECONDS)} at most",
        measured=format_seconds(cached.median),
        is_met=cached.median <= _GOAL_SECONDS,
    )
    return Report([table], [goal])


def _slowest_modules(caches: str) -> Table:
    own: dict[str, list[float]] = defaultdict(list)
    for _ in range(_PROFILE_COUNT):
        errors = _run_script(_HOST + _IMPORT, caches, "-X", "importtime").stderr
        for microseconds, _, name in _IMPORT_LINE.findall(errors):
            if name.split(".")[0] == PACKAGE:
                own[name].append(int(microseconds) / 1e6)
    medians = sorted(((statistics.median(times), name) for name, times in own.items()), reverse=True)
    total = sum(seconds for seconds, _ in medians)
    return Table(
        f"The {_SLOWEST_COUNT} slowest modules of {len(medians)}",
        f"Own time under `python -X importtime`, which is itself slow; median of {_PROFILE_COUNT} processes; all "
        f"modules of the pack together: {format_seconds(total)}.",
        ("module", "own time", "share"),
        [(name, format_seconds(seconds), f"{seconds / total:.0%}") for seconds, name in medians[:_SLOWEST_COUNT]],
    )


def _measure_commands(caches: str) -> Table:
    command = Path(sys.executable).with_name("memory-ledger")
    start = [str(command)] if command.exists() else [sys.executable, "-m", f"{PACKAGE}.cli"]
    ours = _sample_command([*start, "classify"], caches)
    python = _sample_command([sys.executable, "-c", "pass"], caches)
    return Table(
        "Start of the command line",
        f"Wall-clock time of {_PROCESS_COUNT} processes each, with nothing on standard input.",
        ("command", "median", "fastest", "to bare Python"),
        [
            ("memory-ledger classify", *_command_cells(ours, python)),
            ("python -c pass", *_command_cells(python, python)),
        ],
    )


def _command_cells(samples: list[float], python: list[float]) -> tuple[str, str, str]:
    median = statistics.median(samples)
    return format_seconds(median), format_seconds(min(samples)), format_ratio(median, statistics.median(python))


def _sample(script: str, count: int, caches: str, *, keeps_bytecode: bool = True) -> list[Samples]:
    """Return one Samples per line that `script` prints, from `count` processes."""
    lines: list[Samples] = []
    for _ in range(count):
        printed = _run_script(script, caches, keeps_bytecode=keeps_bytecode).stdout.splitlines()
        for position, line in enumerate(printed):
            if position == len(lines):
                lines.append(Samples())
            cpu, wall = map(float, line.split())
            lines[position].cpu.append(cpu)
            lines[position].wall.append(wall)
    return lines


def _run_script(
    script: str, caches: str, *options: str, keeps_bytecode: bool = True
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", script],
        env=_environment(caches, keeps_bytecode=keeps_bytecode),
        capture_output=True,
        text=True,
        check=True,
    )


def _sample_command(command: list[str], caches: str) -> list[float]:
    seconds = []
    for _ in range(_PROCESS_COUNT + 1):
        start = perf_counter()
        subprocess.run(
            command, env=_environment(caches), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True
        )
        seconds.append(perf_counter() - start)
    return seconds[1:]


def _environment(caches: str, *, keeps_bytecode: bool = True) -> dict[str, str]:
    """Return an environment in which bytecode is cached in a folder of our own, whatever the caller's says."""
    search_path = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
    return {
        **os.environ,
        "PYTHONPATH": search_path,
        "PYTHONPYCACHEPREFIX": caches,
        "PYTHONDONTWRITEBYTECODE": "" if keeps_bytecode else "1",
    }
