"""Measure the claims engine on public data: `python benchmarks/contradictions.py` reports to docs/.

A benchmark, not a test: it fails nothing. No model decides anything; all-MiniLM-L6-v2 only names near memories. Every
figure but the times is the same at every run. `--only` measures one part and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

_ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(_ROOT / "tests"), str(_ROOT / "tests" / "claims")]  # the labelled tables

import contradictions_facts  # noqa: E402
import contradictions_locomo  # noqa: E402
import contradictions_pairs  # noqa: E402
import contradictions_timing  # noqa: E402
from contradictions_data import SOURCES, VARIABLE, data_folder  # noqa: E402
from measuring import Report, Table, describe_machine, run_alone  # noqa: E402

_REPORT = _ROOT / "docs" / "benchmarks" / "contradictions.md"
_PARTS = {
    "pairs": contradictions_pairs.run,
    "locomo": contradictions_locomo.run,
    "facts": contradictions_facts.run,
    "timing": contradictions_timing.run,
}
_HEAD = """# What the claims engine finds, and what it leaves alone

Written by `make bench-contradictions`; do not edit. Rules decide, never a model; the figures are the same at every run,
but the times, which are those of one machine: {machine}

The data is public, and none of it is part of this project: put it into one folder, gzipped as the readers in
`benchmarks/contradictions_data.py` say, and name the folder in `{variable}`.

{sources}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run every part, print the report, and write it unless only one part was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=_PARTS, help="one part only; writes no file")
    options = parser.parse_args(argv)
    machine, folder, report = describe_machine(), data_folder(), Report()
    for name in (options.only,) if options.only else _PARTS:
        start = perf_counter()
        report.add(run_alone(_PARTS[name], folder))
        print(f"{name}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    text = _render(report, machine)
    print(text)
    if not options.only:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _render(report: Report, machine: str) -> str:
    sources = "\n".join(f"- `{name}`: {what}; <{url}>; {licence}" for name, (what, url, licence) in SOURCES.items())
    goals = Table(
        "Goals",
        "A wrong retirement counts for more than a missed contradiction.",
        ("what", "goal", "measured", "met"),
        [(one.what, one.goal, one.measured, "yes" if one.is_met else "no") for one in report.goals],
    )
    return "\n".join(
        (_HEAD.format(variable=VARIABLE, sources=sources, machine=machine), *map(str, (goals, *report.tables)))
    )


if __name__ == "__main__":
    sys.exit(main())
