"""What linking costs at any size, and how a whole maintenance run treats the event loop of a host.

The tags are those that the classifier gives: of the written corpus, whose few hundred subjects make most tags common,
and of texts whose words are as frequent as in a language, which is the harder case.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))  # the model of the host

import numpy as np
from corpus import Fact, make_facts, make_vectors
from hosted import OneVector, open_host
from loop_probe import Hold, Interruptions, watch
from measuring import Goal, Report, Samples, Table, format_count, format_seconds
from memory_ledger.host.maintenance.stages import link_related
from memory_ledger.ledger.lifecycle import make_tags
from memory_ledger.maintenance.links import Tagged, find_links
from memory_ledger.records import Classification, Lineage, Relevance, Source, Utility, Validity
from memory_ledger.settings import Settings
from memory_ledger.store.docstore import Store
from stores import GivenVectors, add_documents, copy_documents, copy_status, fill, make_job, make_memory, open_store

SIZES = (1_000, 10_000, 100_000)

_SETTINGS = Settings()
_HOSTED_SIZE = 10_000
_GENERATION = "C+"
_SUBDIR = "default"
_LOOPS = 1_000
_CYCLES = 1_000
_GOAL_SECONDS = 30.0
_GOAL_SIZE = 100_000
_LATE_SECONDS = 0.050
_HELPERS = "usr.plugins.memory_ledger.helpers"
_THREAD_KEY = "_memory_ledger_maintenance"
_DOMAINS = (None, "devops", "codegen", "docker", "log_analysis")
_VOCABULARY = 20_000
_WORDS = 10
_SEED = 41


def run(folder: Path, sizes: Sequence[int] = SIZES) -> Report:
    """Measure linking at `sizes`, and one whole run in a host; `folder` may be written to."""
    report = Report()
    facts = make_facts(max(sizes), owners=40)
    for size in sizes:
        report.add(_measure_rules("written corpus", [one.text for one in facts[:size]]))
        report.add(_measure_rules("words of a language", _make_texts(size)))
        report.add(_measure_stage(folder / f"links-{size}", facts[:size]))
    report.add(asyncio.run(_measure_host(make_facts(_HOSTED_SIZE, owners=40))))
    return report


def _make_texts(size: int) -> list[str]:
    """Return texts of ten words each, of which the n-th most frequent stands in one of about 10 + n places."""
    draw = np.random.default_rng(_SEED)
    weights = 1.0 / np.arange(10, _VOCABULARY + 10)
    words = draw.choice(_VOCABULARY, size=(size, _WORDS), p=weights / weights.sum())
    return [" ".join(f"word{one}" for one in row) for row in words.tolist()]


def _tags(text: str, number: int) -> tuple[str, ...]:
    utility = Utility.LOAD_BEARING if number % 5 == 0 else Utility.TACTICAL
    return make_tags(text, utility=utility, area="main", domain=_DOMAINS[number % len(_DOMAINS)], role_id=None)


def _measure_rules(what: str, texts: Sequence[str]) -> Report:
    """Find the links among memories that are all at hand."""
    memories = [Tagged(f"m{number:09d}", float(number), _tags(text, number)) for number, text in enumerate(texts)]
    samples = Samples()
    links = samples.time(lambda: find_links(memories, _SETTINGS.related_memories))
    table = Table(
        "Finding the links",
        "Tags as the classifier gives them; an inverted index, no comparison of all with all. One run, one thread.",
        ("memories", "tags of", "CPU", "wall", "linked", "links"),
        [
            (
                format_count(len(texts)),
                what,
                format_seconds(samples.median),
                format_seconds(samples.wall_median),
                format_count(len(links)),
                format_count(sum(map(len, links.values())) / 2),
            )
        ],
    )
    if len(texts) < _GOAL_SIZE:
        return Report([table])
    goal = Goal(
        what=f"linking {len(texts):,} memories, {what}",
        goal=f"{format_seconds(_GOAL_SECONDS)} at most",
        measured=format_seconds(samples.median),
        is_met=samples.median <= _GOAL_SECONDS,
    )
    return Report([table], [goal])


def _measure_stage(folder: Path, facts: Sequence[Fact]) -> Report:
    """Link a store for the first time, and once more when nothing has changed: read, find, write."""
    store = _classified(folder, facts)
    first, again = Samples(), Samples()
    first.time(lambda: link_related(make_job(store, _SETTINGS)))
    again.time(lambda: link_related(make_job(store, _SETTINGS)))
    table = Table(
        "The stage that links",
        "Reading every memory, finding the links of the written corpus, and writing those that are new into the live "
        "documents, without a rest. CPU time of its thread; one run.",
        ("memories", "first time", "wall", "nothing new", "wall"),
        [
            (
                format_count(len(facts)),
                format_seconds(first.median),
                format_seconds(first.wall_median),
                format_seconds(again.median),
                format_seconds(again.wall_median),
            )
        ],
    )
    return Report([table])


def _classified(folder: Path, facts: Sequence[Fact]) -> Store:
    """Return a store in which every memory has tags, and a status that nobody asked for."""
    memory = make_memory(folder, GivenVectors())
    fill(memory.db, facts, make_vectors(facts))
    store = open_store(memory)
    store.sweep()
    for number, memory_id in enumerate(list(store.index.ids)):
        one = store.read(memory_id)
        if one is not None:
            axes = Classification(
                validity=Validity.CONFIRMED,
                relevance=Relevance.ACTIVE,
                utility=Utility.LOAD_BEARING if number % 5 == 0 else Utility.TACTICAL,
                source=Source.USER_ASSERTED,
                tags=_tags(one.text, number),
            )
            store.put(replace(one, classification=axes, lineage=Lineage(created_at=one.created_at)))
    store.end_first_look()
    store.note_all_adopted()
    if not store.save():
        store.save_state()
    return store


# --- a whole run in a host -------------------------------------------------------------------------------------------


async def _measure_host(facts: Sequence[Fact]) -> Report:
    """Let maintenance be due in a host, and watch its event loop: everything is archived, marked and linked."""
    with (
        tempfile.TemporaryDirectory() as name,
        open_host(_GENERATION, OneVector(make_vectors(facts[:1])[0].tolist())) as host,
    ):
        store = _classified(Path(name) / "default", facts)
        db = (await host.memory()).db
        add_documents(db, copy_documents(store.db.get_all_docs()), make_vectors(facts))
        store.state.recall_cycle = _CYCLES
        copy_status(store, host.memory_folder())
        await host.turn("Which memories are there?")
        await host.settle()
        hooks = importlib.import_module(f"{_HELPERS}.host.hooks")
        folder = db.__dict__["_memory_ledger_folder"]
        hold, seconds = await _watch_run(host, hooks, db, folder)
    table = Table(
        "A whole maintenance run in a host",
        f"Host {_GENERATION}; every memory that may be is archived, marked and linked for the first time, and saved. "
        f"Wall-clock time, with the rests; how late a task of the event loop came at most, apart from the host's own "
        f"save, which holds the interpreter by itself. One run.",
        ("memories", "run", "longest step of the loop", "loop late by at most", "with the host's save"),
        [
            (
                format_count(len(facts)),
                format_seconds(seconds),
                format_seconds(hold[0].wall),
                format_seconds(hold[0].late),
                format_seconds(hold[1]),
            )
        ],
    )
    goal = Goal(
        what=f"how late maintenance of {len(facts):,} memories makes the event loop",
        goal=f"{format_seconds(_LATE_SECONDS)} at most",
        measured=format_seconds(hold[0].late),
        is_met=hold[0].late <= _LATE_SECONDS,
    )
    return Report([table], [goal])


async def _watch_run(host: Any, hooks: Any, db: Any, folder: Any) -> tuple[tuple[Hold, float], float]:
    """Start the run and wait for its end; return how it held the loop, and how long it took."""
    saves = Interruptions()
    memory_class = type(folder.store._memory)
    original = memory_class._save_db
    memory_class._save_db = saves.around(original)
    folder.store.state.loop_count += _LOOPS
    start = perf_counter()
    lates: list[float] = []

    async def maintain() -> None:
        await hooks.maintain(host.agent)
        thread = db.__dict__[_THREAD_KEY]
        before = perf_counter()
        while thread.is_alive():
            await asyncio.sleep(0.005)
            now = perf_counter()
            lates.append(now - before - 0.005)
            before = now

    try:
        hold = await watch(maintain, saves)
    finally:
        memory_class._save_db = original
    return (hold, max(lates, default=0.0)), perf_counter() - start


if __name__ == "__main__":
    chosen = [int(one.replace(",", "").replace("_", "")) for one in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as place:
        print(run(Path(place), chosen or SIZES))
