"""Measure the maintenance of large stores: `python benchmarks/maintenance.py` reports to docs/.

A benchmark, not a test: it fails nothing. `--sizes 1000 10000` measures these only, and writes no file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import backup
import maintenance_duplicates
import maintenance_links
from contradictions_data import SOURCES, VARIABLE, data_folder
from measuring import Report, describe_machine, run_alone
from recall_data import DATA_SET

_REPORT = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "maintenance.md"
_SIZES = (1_000, 10_000, 100_000)
_HEAD = """# What maintenance costs, and what it finds

Written by `make bench-maintenance`; do not edit. {machine}

Times are wall-clock time on the cores of this machine, and include the pauses in which maintenance leaves them to the
chat. Every size in a process of its own.

The data is for measuring only, and none of it is part of this project: {what}, <{url}>, {licence}; the folder of it is
named in `{variable}`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run every size, print the report, and write it unless only some sizes were measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="measure these only; writes no file")
    options = parser.parse_args(argv)
    folder, machine, report = data_folder([DATA_SET]), describe_machine(), Report()
    for size in options.sizes or _SIZES:
        start = perf_counter()
        report.add(run_alone(maintenance_duplicates.run, folder, size))
        print(f"duplicates among {size:,}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    for part in (maintenance_links, backup):
        start = perf_counter()
        with tempfile.TemporaryDirectory() as name:
            report.add(run_alone(part.run, Path(name), tuple(options.sizes or _SIZES)))
        print(f"{part.__name__}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    what, url, licence = SOURCES[DATA_SET]
    head = _HEAD.format(machine=machine, what=what, url=url, licence=licence, variable=VARIABLE)
    text = f"{head}\n{report}"
    print(text)
    if options.sizes is None:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
