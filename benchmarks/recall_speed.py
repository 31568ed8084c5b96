"""What the recall of one turn costs a host with the pack, beside the same host without it: same store, same messages.

Both embed with the real all-MiniLM-L6-v2 on one thread. The bare host embeds the message with the history behind it, to
the model's limit; the pack embeds the message, its keywords and its domain. No message is asked twice.
"""

from __future__ import annotations

import asyncio
import importlib
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))  # the model of the host

import faiss
import numpy as np
from corpus import Fact, Vectors, make_facts
from fake_host import FakeHost, HashingEmbedder
from fake_host import recall as host_recall
from footprint import measure_parts
from hosted import open_host
from loop_probe import Hold, Interruptions, watch
from measuring import Goal, Report, Samples, Table, format_count, format_ratio, format_seconds
from memory_ledger.store.docstore import Store
from memory_ledger.store.embedding import MiniLM, load_minilm
from stores import (
    GivenVectors,
    add_documents,
    classify_all,
    copy_documents,
    copy_status,
    fill,
    make_memory,
    open_store,
)

_HELPERS = "usr.plugins.memory_ledger.helpers"
_FOLDER_KEY = "_memory_ledger_folder"
_SAVE_KEY = "_memory_ledger_save"
_SUBDIR = "default"
_SIZES = (1_000, 10_000)
_GENERATIONS = ("A2", "C+")
_TURNS = 40
_IDLE_TURNS = 200
_HOLD_TURNS = 15
_INSERTS = 6
_WARM_UP = 5
_TOPICS = 6
_FIRST_NEW_ID = 36**7  # far from the ids of what is stored
_OWNERS = 40
_EMBEDDED = 6_000
_NOISE = 0.35
_SEED = 29
_FOOTPRINT_SIZE = 10_000
_DOMAIN = "devops"

_RATIOS = {"replaced": 0.75, "wrapped": 1.2}
_IDLE_SECONDS = 0.001
_HOLD_SECONDS = 0.020

_ASKS = (
    "Which port does the {s} run on, and who owns it by now?",
    "Where is the {s} hosted, and what is its deadline?",
    "I have to deploy the {s} today. Is there anything that I should look out for?",
    "The {s} returned 502 again after the update, how did we repair that the last time?",
    "What does the {s} talk to, and how often does it retry?",
    "Can you write a short summary of the {s} for the new colleague?",
)
_SAID = (
    "Please look at the logs of yesterday evening once more. There were warnings about slow queries on the orders "
    "table, and somebody said that the health check took longer than usual. I want to know if they belong together."
)
_ANSWERED = (
    "I looked at the logs of yesterday evening: 14 warnings, all of them about slow queries on the orders table, none "
    "of them after the index was added. The health check took 40 ms on average and 95 ms at most, which is as before. "
    "I would keep the present layout, watch the error rate for a day, and split the table by month only if it grows."
)


class _Model(HashingEmbedder):
    """The real model in the place of the host's."""

    def __init__(self, model: MiniLM) -> None:
        super().__init__(384, name="minilm")
        self._model = model

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector per text, all in one call of the model."""
        return self._model.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text."""
        return self._model.embed_query(text)


@dataclass(slots=True)
class _Bench:
    """A host with the pack in it, the store that it works on, and messages that nobody has asked yet."""

    host: FakeHost
    size: int
    messages: Iterator[str]
    hooks: Any = None
    db: Any = None
    ours: Any = None
    bare: Any = None
    turns: Iterator[int] = field(default_factory=count)

    def start_turn(self, iteration: int = 0) -> Any:
        """Let the person say something new; returns the data of the loop."""
        classes, agent = self.host.process.classes, self.host.agent
        agent.hist_add_user_message(classes.UserMessage(next(self.messages)))
        del agent.history.topics[_TOPICS:]
        agent.loop_data = classes.LoopData(user_message=agent.last_user_message, iteration=iteration)
        return agent.loop_data

    async def ask_pack(self, loop_data: Any) -> None:
        """Take over the recall that the host has started, and wait for it as the host does."""
        await self.run_hooks(loop_data)
        await host_recall.wait(self.host.agent, loop_data)

    async def run_hooks(self, loop_data: Any) -> None:
        """Run both hooks that take recall over."""
        await self.hooks.filter_relevance(self.host.agent, loop_data)
        await self.hooks.enhance_recall(self.host.agent, loop_data)


def run(_folder: Path) -> Report:
    """Measure one size after the other, then the bytes."""
    faiss.omp_set_num_threads(1)
    model = load_minilm(threads=1)
    report = Report()
    facts = make_facts(max(_SIZES) + _INSERTS, owners=_OWNERS)
    vectors = _embed(facts, model)
    for size in _SIZES:
        report.add(_measure_size(facts[:size], vectors[:size], model))
    report.add(measure_parts(_FOOTPRINT_SIZE))
    return report


def _measure_size(facts: Sequence[Fact], vectors: Vectors, model: MiniLM) -> Report:
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, facts, vectors)
        store = open_store(memory)
        classify_all(store, facts)
        for generation in _GENERATIONS:
            start = perf_counter()
            report.add(asyncio.run(_measure_host(generation, store, facts, vectors, model)))
            print(
                f"{len(facts):,} memories, host {generation}: {perf_counter() - start:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    return report


async def _measure_host(
    generation: str, store: Store, facts: Sequence[Fact], vectors: Vectors, model: MiniLM
) -> Report:
    with open_host(generation, _Model(model)) as host:
        report = Report()
        bench = _Bench(host, len(facts), _messages(facts))
        async with _prepared(bench, store, vectors) as first:
            report.add(first)
            report.add(await _measure_idle(bench))
            for mode in ("replaced", "wrapped"):
                _choose(host, mode)
                report.add(await _measure_phase(bench, mode, _RATIOS[mode]))
            _choose(host, "replaced")
            report.add(await _measure_holds(bench))
        return report


@asynccontextmanager
async def _prepared(bench: _Bench, store: Store, vectors: Vectors) -> AsyncIterator[Report]:
    """Fill the host's memory, talk a while, and wait until the pack knows every memory; reports the first recall."""
    host = bench.host
    host.machine._ids = count(_FIRST_NEW_ID)
    bench.db = (await host.memory()).db
    bench.bare = bench.db.embedding_function
    add_documents(bench.db, copy_documents(store.db.get_all_docs()), vectors)
    copy_status(store, host.memory_folder())
    agent = host.agent
    agent._bst_store = {"domain": _DOMAIN}
    start = perf_counter()
    first = await watch(lambda: host.turn(_SAID, reply=_ANSWERED))
    first_wall = perf_counter() - start
    folder = bench.db.__dict__[_FOLDER_KEY]
    if folder.background is not None:
        folder.background.join()
    ready_wall = perf_counter() - start
    for turn in range(5):
        await host.turn(f"{_SAID} This is request {turn}.", reply=f"{_ANSWERED} That was request {turn}.")
    await host.settle()
    bench.hooks = importlib.import_module(f"{_HELPERS}.host.hooks")
    bench.ours = bench.db.embedding_function
    yield Report(
        [
            Table(
                "The first turn after a start",
                "The whole turn of the host in wall-clock time, with its recall and everything that the pack looks at "
                "for the first time; how long one step held the loop; and when the search by words knows every memory "
                "(a thread goes on with that). One run.",
                ("memories", "host", "first turn", "longest step", "loop late by at most", "every memory known"),
                [
                    (
                        format_count(bench.size),
                        host.generation,
                        format_seconds(first_wall),
                        format_seconds(first.wall),
                        format_seconds(first.late),
                        format_seconds(ready_wall),
                    )
                ],
            )
        ]
    )


# --- the recall phase ------------------------------------------------------------------------------------------


async def _measure_phase(bench: _Bench, mode: str, goal: float) -> Report:
    """Let both sides answer in turn, each a message of its own; the one that begins changes every time."""
    sides = {"ours": Samples(), "bare": Samples()}
    for turn in range(_WARM_UP + _TURNS):
        for side in ("ours", "bare") if turn % 2 else ("bare", "ours"):
            await _recall_once(bench, side, sides[side] if turn >= _WARM_UP else Samples())
    bench.db.embedding_function = bench.ours
    ours, bare = sides["ours"], sides["bare"]
    ratio = max(ours.median / bare.median, ours.wall_median / bare.wall_median)
    generation = bench.host.generation
    table = Table(
        "The recall phase of one turn",
        f"From the start of the host's recall until its result is in the prompt's extras; CPU time of the whole "
        f"process, all threads, and wall-clock time; medians over {_TURNS} turns of each side, alternating. Replaced: "
        f"the host's search does not run; wrapped: it runs before ours (`recall_mode: wrap`). The larger of the two "
        f"ratios counts for the goal.",
        ("memories", "host", "mode", "ours, CPU", "bare, CPU", "ratio", "ours, wall", "bare, wall", "ratio", "goal"),
        [
            (
                format_count(bench.size),
                generation,
                mode,
                format_seconds(ours.median),
                format_seconds(bare.median),
                format_ratio(ours.median, bare.median),
                format_seconds(ours.wall_median),
                format_seconds(bare.wall_median),
                format_ratio(ours.wall_median, bare.wall_median),
                f"{goal:.2f}x",
            )
        ],
    )
    what = f"recall phase to the bare host's, {bench.size:,} memories, {mode}, host {generation}"
    return Report([table], [Goal(what, f"{goal:.2f}x at most", f"{ratio:.2f}x", ratio <= goal)])


async def _recall_once(bench: _Bench, side: str, samples: Samples) -> None:
    agent = bench.host.agent
    loop_data = bench.start_turn()
    bench.db.embedding_function = bench.ours if side == "ours" else bench.bare
    wall, cpu = perf_counter(), process_time()
    await host_recall.start(agent, loop_data)
    if side == "ours":
        await bench.run_hooks(loop_data)
    await host_recall.wait(agent, loop_data)
    samples.cpu.append(process_time() - cpu)
    samples.wall.append(perf_counter() - wall)
    if side == "ours":
        await bench.hooks.count_accesses(agent, loop_data)


async def _measure_idle(bench: _Bench) -> Report:
    """A prompt for which the host starts no recall, and the end of its turn."""
    agent, samples = bench.host.agent, Samples()

    async def run_turn(loop_data: Any) -> None:
        await bench.run_hooks(loop_data)
        await bench.hooks.count_accesses(agent, loop_data)
        await bench.hooks.classify(agent, loop_data)

    for _ in range(_IDLE_TURNS):
        loop_data = bench.start_turn(iteration=1)
        await host_recall.start(agent, loop_data)
        await samples.time_async(lambda: run_turn(loop_data))  # noqa: B023 - called at once
        await bench.host.settle()
    table = Table(
        "A turn without recall",
        f"All hooks of the pack in a turn of one prompt for which no recall is due, with nothing new to adopt; the "
        f"event loop's thread; {_IDLE_TURNS} turns.",
        ("memories", "host", "CPU", "p99", "wall"),
        [
            (
                format_count(bench.size),
                bench.host.generation,
                format_seconds(samples.median),
                format_seconds(samples.p99),
                format_seconds(samples.wall_median),
            )
        ],
    )
    goal = Goal(
        f"turn without recall, {bench.size:,} memories, host {bench.host.generation}",
        f"{format_seconds(_IDLE_SECONDS)} at most",
        format_seconds(samples.median),
        samples.median <= _IDLE_SECONDS,
    )
    return Report([table], [goal])


# --- the event loop --------------------------------------------------------------------------------------------


async def _measure_holds(bench: _Bench) -> Report:
    """Watch the loop during recalls, then after inserts of the host's and at the ends of those turns."""
    host, agent = bench.host, bench.host.agent
    recalls, bare = [], []
    for _ in range(_HOLD_TURNS):
        for side, holds in (("ours", recalls), ("bare", bare)):
            loop_data = bench.start_turn()
            bench.db.embedding_function = bench.ours if side == "ours" else bench.bare
            await host_recall.start(agent, loop_data)
            task = bench.ask_pack if side == "ours" else lambda data: host_recall.wait(agent, data)
            holds.append(await watch(lambda: task(loop_data)))  # noqa: B023 - called at once
    bench.db.embedding_function = bench.ours
    inserts, ends, saving = [], [], Interruptions()
    memory_class = type(await host.memory())
    save = memory_class._save_db_file
    memory_class._save_db_file = staticmethod(saving.around(save))
    for number in range(_INSERTS):
        await host.insert(f"The {bench.size} archive of team {number} is kept on host node-{number}.lab.example.")
        saving.spans.clear()
        loop_data = bench.start_turn()
        await host_recall.start(agent, loop_data)
        inserts.append(await watch(lambda: bench.ask_pack(loop_data), saving))  # noqa: B023 - called at once

        async def end_turn() -> None:
            await bench.hooks.classify(agent, agent.loop_data)
            await agent.data[_SAVE_KEY]

        ends.append(await watch(end_turn, saving))
    memory_class._save_db_file = staticmethod(save)
    saves = [ended - begun for begun, ended in saving.spans]
    report = Report()
    for what, holds in (
        ("recall", recalls),
        ("recall after an insert", inserts),
        ("end of a turn", ends),
        ("bare host's recall", bare),
    ):
        report.add(_hold_report(bench, what, holds, saves if what.startswith("end") else []))
    return report


def _hold_report(bench: _Bench, what: str, holds: Sequence[Hold], saves: Sequence[float]) -> Report:
    longest = max(one.cpu for one in holds)
    table = Table(
        "How long the event loop is held",
        f"The longest step, from one await to the next, while the pack's hooks run: CPU time of the loop's thread "
        f"(the longest of all turns), and wall-clock time (median and longest over the turns), in which other threads "
        f"may hold the interpreter. Late: how late a probe came that asked to be woken every half millisecond. "
        f"{_HOLD_TURNS} recalls, {_INSERTS} inserts. The host's own save runs in a worker thread; it does not count, "
        f"and its time is beside.",
        ("memories", "host", "what", "longest step (CPU)", "wall", "longest", "late", "latest", "host's save"),
        [
            (
                format_count(bench.size),
                bench.host.generation,
                what,
                format_seconds(longest),
                format_seconds(statistics.median(one.wall for one in holds)),
                format_seconds(max(one.wall for one in holds)),
                format_seconds(statistics.median(one.late for one in holds)),
                format_seconds(max(one.late for one in holds)),
                format_seconds(statistics.median(saves)) if saves else "-",
            )
        ],
    )
    if what.startswith("bare"):
        return Report([table])
    goal = Goal(
        f"event loop held in one go, {what}, {bench.size:,} memories, host {bench.host.generation}",
        f"{format_seconds(_HOLD_SECONDS)} at most",
        format_seconds(longest),
        longest <= _HOLD_SECONDS,
    )
    return Report([table], [goal])


# --- what is asked and stored ----------------------------------------------------------------------------------


def _choose(host: FakeHost, mode: str) -> None:
    path = host.memory_folder().parent / "classification_config.json"
    path.write_text('{"recall_mode": "wrap"}' if mode == "wrapped" else "{}")


def _messages(facts: Sequence[Fact]) -> Iterator[str]:
    """Yield questions about what the memories are about; no two are the same."""
    draw = np.random.default_rng(_SEED)
    for number in count(1):
        text = facts[int(draw.integers(len(facts)))].said
        subject = " ".join(text.rstrip(".").split()[1:5])
        yield f"For request {number}: {_ASKS[number % len(_ASKS)].format(s=subject)}"


def _embed(facts: Sequence[Fact], model: MiniLM) -> Vectors:
    """Return a vector per fact: the model's own for the first ones, for the others one of the same subject, blurred."""
    texts = [one.text for one in facts[:_EMBEDDED]]
    own = np.asarray(model.embed_documents(texts), dtype=np.float32)
    draw = np.random.default_rng(_SEED)
    by_subject: dict[int, list[int]] = {}
    for number, one in enumerate(facts[:_EMBEDDED]):
        by_subject.setdefault(one.subject, []).append(number)
    everything = list(range(len(own)))
    like = [int(draw.choice(by_subject.get(one.subject, everything))) for one in facts[_EMBEDDED:]]
    noise = draw.standard_normal((len(like), own.shape[1]), dtype=np.float32)
    blurred = own[like] + _NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    found = np.concatenate((own, blurred / np.linalg.norm(blurred, axis=1, keepdims=True)))
    vectors: Vectors = np.ascontiguousarray(found, dtype=np.float32)
    return vectors
