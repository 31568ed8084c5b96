"""Measure what distillation costs: `python benchmarks/knowledge.py` reports to docs/, `--messages N` prints only.

A benchmark, not a test: it fails nothing. Logs are generated, distilled by the command, and distilled
again with nothing new, by one process: its processor time, and its peak of memory, shared pages in part.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from knowledge_logs import write_logs
from measuring import Goal, Report, Table, describe_machine, format_count

_ROOT = Path(__file__).resolve().parents[1]
_REPORT = _ROOT / "docs" / "benchmarks" / "knowledge.md"
_HEAD = """# What it costs to distil audit logs

Written by `make bench-knowledge`; do not edit. The logs are generated: messages of a median
of 2 KB, two hundred requests going on at any moment, beside every twentieth a malformed line, seven days. {machine}
"""
_MESSAGES = 1_000_000
_MOST_SECONDS, _MOST_MEGABYTES, _MOST_SECONDS_AGAIN = 120, 500, 2
_LOOK_SECONDS = 0.1


def main() -> int:
    """Measure, print the report and, for the whole size, write it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=_MESSAGES)
    messages = parser.parse_args().messages
    with TemporaryDirectory() as folder:
        home = Path(folder) / "usr"
        size = write_logs(home / "system" / "logs", messages, last_day=datetime.now(UTC))
        first, peak, told = _distil(home)
        again, peak_again, told_again = _distil(home)
    table = Table(
        title=f"{format_count(messages)} messages, {size / 1e9:.1f} GB",
        note="The command `memory-ledger knowledge distil` in a process of its own, without a cluster.",
        headings=("", "processor seconds", "MB", "what it says"),
        rows=[
            ("first run", f"{first:.1f}", f"{peak:.0f}", told),
            ("again, nothing new", f"{again:.1f}", f"{peak_again:.0f}", told_again),
        ],
    )
    what = f"{format_count(messages)} messages"
    goals = [
        Goal(f"processor time for {what}", f"{_MOST_SECONDS} s", f"{first:.1f} s", first <= _MOST_SECONDS),
        Goal(f"memory for {what}", f"{_MOST_MEGABYTES} MB", f"{peak:.0f} MB", peak <= _MOST_MEGABYTES),
        Goal(
            "processor time with nothing new",
            f"{_MOST_SECONDS_AGAIN} s",
            f"{again:.1f} s",
            again <= _MOST_SECONDS_AGAIN,
        ),
    ]
    text = _HEAD.format(machine=describe_machine()) + "\n" + str(Report(tables=[table], goals=goals))
    print(text)
    if messages == _MESSAGES:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _distil(home: Path) -> tuple[float, float, str]:
    """Distil once in a process of its own; return processor seconds, the peak in MB, and the last lines it prints."""
    command = [sys.executable, "-m", "memory_ledger.cli", "knowledge", "distil", "--home", str(home)]
    before = _processor_seconds()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peaks = [0.0]
        done = threading.Event()
        watching = threading.Thread(target=_watch, args=(process.pid, peaks, done))
        watching.start()
        printed, _ = process.communicate()
        done.set()
        watching.join()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with exit code {process.returncode}")
    return _processor_seconds() - before, max(peaks), "; ".join(printed.strip().splitlines()[-3:])


def _processor_seconds() -> float:
    """Return how long the ended processes that this one started have worked, whatever else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _watch(pid: int, peaks: list[float], done: threading.Event) -> None:
    while not done.wait(_LOOK_SECONDS):
        peaks.append(_megabytes(pid))


def _megabytes(pid: int) -> float:
    """Return the memory of a process, its part of what it shares with others."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


if __name__ == "__main__":
    sys.exit(main())
