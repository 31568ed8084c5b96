"""Measure what the pack costs a host: `python benchmarks/bench_hooks.py` prints a report and writes it to docs/.

A benchmark, not a test: it fails nothing. Every section runs in a process of its own, one after the other, on seeded
data. `--quick` measures small stores only and writes nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

_ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(_ROOT / "tests"))  # the model of the host

import classification  # noqa: E402
import faiss  # noqa: E402
import footprint  # noqa: E402
import hosted  # noqa: E402
import starts  # noqa: E402
from corpus import make_facts, make_vectors  # noqa: E402
from measuring import Report, describe_machine, run_alone  # noqa: E402
from recalls import measure_recalls  # noqa: E402
from stores import GivenVectors, classify_all, fill, make_adopter, make_memory, note_turn, open_store  # noqa: E402
from write_path import measure_deletions, measure_first_look, measure_new, measure_restart  # noqa: E402

_REPORT = _ROOT / "docs" / "benchmarks" / "hooks.md"
_SIZES = (1_000, 10_000, 100_000)
_FIRST_LOOK_SIZES = (1_000, 10_000)
_FOOTPRINT_SIZE = 10_000
_QUICK_SIZE = 1_000
_NEW_COUNT = 200
_QUERY_COUNT = 100
_GENERATIONS = ("B", "C+")

_HEAD = """# What the pack costs a host

Written by `make bench`; do not edit. {machine}

Times are CPU time of the thread that does the work, unless a heading says wall: on a machine that does other work too,
that is what repeats. Medians and 99th percentiles; every section in a process of its own, one after the other; faiss
on one thread; seeded data, vectors of 384 numbers that are near each other within a subject. A ratio below 1x means
that the pack takes less.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run every section, print the report, and write it unless only a part was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small stores only; writes no file")
    options = parser.parse_args(argv)
    machine, report = describe_machine(), Report()
    report.add(_run_section("classification", classification.run))
    for size in (_QUICK_SIZE,) if options.quick else _SIZES:
        report.add(_run_section(f"a store of {size:,}", _run_store, size))
    for size in (_QUICK_SIZE,) if options.quick else _FIRST_LOOK_SIZES:
        report.add(_run_section(f"first look at {size:,}", _run_first_look, size))
    report.add(_run_section("starts", starts.run))
    report.add(_run_section("bytes", footprint.run, _QUICK_SIZE if options.quick else _FOOTPRINT_SIZE))
    text = f"{_HEAD.format(machine=machine)}\n{report}"
    print(text)
    if not options.quick:
        _REPORT.parent.mkdir(parents=True, exist_ok=True)
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _run_section(name: str, function: Callable[..., Report], *arguments: int) -> Report:
    start = perf_counter()
    report = run_alone(function, *arguments)
    print(f"{name}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return report


def _run_store(size: int) -> Report:
    """Measure recall, hooks, restart and single new memories over one store, in this order."""
    faiss.omp_set_num_threads(1)
    facts = make_facts(size + _NEW_COUNT)
    vectors = make_vectors(facts)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts[:size], vectors[:size])
        store = open_store(memory)
        classify_all(store, facts[:size])
        report = measure_recalls(store, vectors[: size : size // _QUERY_COUNT], size)
        for generation in _GENERATIONS:
            report.add(hosted.measure_hooks(store, vectors[:size], generation))
        adopter, restart = measure_restart(memory, size)
        report.add(restart)
        report.add(measure_new(memory, adopter, facts[size:], vectors[size:], size))
        report.add(measure_deletions(memory, adopter, size))
    return report


def _run_first_look(size: int) -> Report:
    faiss.omp_set_num_threads(1)
    facts = make_facts(size)
    vectors = make_vectors(facts)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts, vectors)
        adopter = make_adopter(open_store(memory))
        note_turn(adopter.turns, facts[0])
        report = measure_first_look(adopter, size)
    report.add(hosted.measure_first_turns(facts, vectors, _GENERATIONS[-1]))
    return report


if __name__ == "__main__":
    sys.exit(main())
