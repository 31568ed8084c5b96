"""Measure how long a person waits for the pages, and a chat for them: `python benchmarks/page.py` reports to docs/.

A benchmark, not a test: it fails nothing. `--sizes 1000` measures these only, and writes no file.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

_ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(_ROOT / "tests"))  # the model of the host

from corpus import Vectors, make_facts, make_vectors  # noqa: E402
from fake_host import FakeHost  # noqa: E402
from hosted import OneVector, open_host  # noqa: E402
from loop_probe import Hold, watch  # noqa: E402
from measuring import (  # noqa: E402
    Goal,
    Report,
    Samples,
    Table,
    describe_machine,
    format_count,
    format_seconds,
    run_alone,
)
from memory_ledger.records import Classification, Relevance, Source, Utility, Validity  # noqa: E402
from stores import (  # noqa: E402
    GivenVectors,
    add_documents,
    copy_documents,
    copy_status,
    fill,
    give_status,
    make_memory,
    open_store,
)

_REPORT = _ROOT / "docs" / "benchmarks" / "page.md"
_SIZES = (1_000, 10_000, 100_000)
#: So long a person waits for the first page at most, at so many memories; and a chat for any page.
_MOST_SECONDS = {1_000: 0.3, 10_000: 0.3, 100_000: 1.0}
_MOST_LATE = 0.01
_GENERATION = "C+"
_FOLDER_KEY = "_memory_ledger_folder"
_TIMES = 7
_IDLE_SECONDS = 2.0
_STATUSES = tuple(
    Classification(
        validity=Validity.DEPRECATED if number == 0 else validity,
        relevance=Relevance.ACTIVE,
        utility=Utility.LOAD_BEARING if number == 1 else Utility.TACTICAL,
        source=source,
        tags=(f"tag {number}",),
    )
    for number in range(5)
    for validity, source in (
        (Validity.CONFIRMED, Source.USER_ASSERTED),
        (Validity.INFERRED, Source.AGENT_INFERRED),
    )
)
_HEAD = """# How long the page takes

Written by `make bench-page`; do not edit. {machine}

From a question to its answer, in the model of the host, {generation}, with memories that an earlier process has
classified, a fifth of them retired; every size in a process of its own. "First" is right after the folder was
loaded, before any chat has used it. CPU time is that of the whole process; the wall-clock time has in it what other
work on this machine takes, and the pauses in which the interpreter is left to the chats. Medians of {times}. Of the
event loop: the longest step of its thread, in CPU time, and how late a probe in it came at most; the first row is how
late it comes on this machine while nobody asks anything. What the set-up has left, with two more copies of the store,
is kept from the collector of garbage.
"""
#: What is asked, in this order; what is first asked of a folder that was just loaded.
_FIRST: tuple[tuple[str, dict[str, Any]], ...] = (
    ("first list", {"name": "memories.list", "filters": {"validity": "in_use"}}),
    ("first overview", {"name": "overview.read"}),
)
_THEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("list", {"name": "memories.list", "filters": {"validity": "in_use"}}),
    ("page 7 of it", {"name": "memories.list", "page": 7, "filters": {"validity": "in_use"}}),
    ("filtered by two axes", {"name": "memories.list", "filters": {"source": "user_asserted", "tag": "tag 3"}}),
    ("searched by words", {"name": "memories.list", "query": "deadline parser"}),
    ("ordered by use", {"name": "memories.list", "sort": "shown"}),
    ("ordered by quality", {"name": "memories.list", "sort": "quality"}),
    ("overview", {"name": "overview.read"}),
    ("what needs a person", {"name": "inbox.list"}),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every size, print the report, and write it unless only some sizes were measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="measure these only; writes no file")
    options = parser.parse_args(argv)
    machine, report = describe_machine(), Report()
    for size in options.sizes or _SIZES:
        start = perf_counter()
        report.add(run_alone(_measure_size, size))
        print(f"a store of {size:,}: {perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    head = _HEAD.format(machine=machine, generation=_GENERATION, times=_TIMES)
    text = f"{head}\n{report}"
    print(text)
    if options.sizes is None:
        _REPORT.write_text(text, encoding="utf-8")
    return 0


def _measure_size(size: int) -> Report:
    facts = make_facts(size)
    vectors = make_vectors(facts)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts, vectors)
        store = open_store(memory)
        give_status(store, _STATUSES)
        return asyncio.run(_measure(store, vectors, size))


async def _measure(store: Any, vectors: Vectors, size: int) -> Report:
    with open_host(_GENERATION, OneVector(vectors[0].tolist())) as host:
        db = (await host.memory()).db
        add_documents(db, copy_documents(store.db.get_all_docs()), vectors)
        copy_status(store, host.memory_folder())
        await host.call_api("ledger", {})  # the first question imports the pack
        table = Table(
            f"{format_count(size)} memories",
            f"Medians of {_TIMES}; the two figures of the loop are the worst of them.",
            ("what", "CPU", "wall", "longest step (CPU)", "loop late by (wall)"),
        )
        idle = await watch(lambda: asyncio.sleep(_IDLE_SECONDS))
        table.rows.append(("nothing", "", "", format_seconds(idle.cpu), format_seconds(idle.late)))
        waits: dict[str, float] = {}
        holds: list[Hold] = []
        for is_first, questions in ((True, _FIRST), (False, _THEN)):
            for what, question in questions:
                samples, hold = await _ask(host, db, question, is_first=is_first)
                waits[what] = samples.median
                holds.append(hold)
                times = samples.median, samples.wall_median, hold.cpu, hold.late
                table.rows.append((what, *map(format_seconds, times)))
    return Report([table], _goals(size, waits, holds))


async def _ask(host: FakeHost, db: Any, question: dict[str, Any], *, is_first: bool) -> tuple[Samples, Hold]:
    """Return how long one question takes, and the worst that it did to the event loop."""
    samples, worst = Samples(), Hold()

    async def ask() -> None:
        wall, cpu = perf_counter(), process_time()
        answer = await host.call_api("ledger", question)
        samples.cpu.append(process_time() - cpu)
        samples.wall.append(perf_counter() - wall)
        if not answer["ok"]:
            raise ValueError(answer["error"])

    for _ in range(_TIMES):
        if is_first:
            db.__dict__.pop(_FOLDER_KEY, None)
        gc.collect()
        gc.freeze()
        hold = await watch(ask)
        worst = Hold(*(max(getattr(worst, name), getattr(hold, name)) for name in ("cpu", "wall", "late")))
    return samples, worst


def _goals(size: int, waits: dict[str, float], holds: Sequence[Hold]) -> list[Goal]:
    most, step = _MOST_SECONDS.get(size, _MOST_SECONDS[100_000]), max(one.cpu for one in holds)
    first = max(waits[what] for what, *_ in _FIRST)
    return [
        Goal(
            f"the first page at {format_count(size)} memories (CPU)",
            f"at most {format_seconds(most)}",
            format_seconds(first),
            first <= most,
        ),
        Goal(
            f"the longest that a page holds the event loop at {format_count(size)} memories (CPU)",
            f"at most {format_seconds(_MOST_LATE)}",
            format_seconds(step),
            step <= _MOST_LATE,
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
