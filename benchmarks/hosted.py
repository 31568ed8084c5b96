"""What the hooks cost on the event loop of a host, turn by turn, when there is nothing new to adopt.

The host is the model that the tests use; its memory is the store of a given size, classified in an earlier process.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import naive
from corpus import Fact, Vectors
from fake_host import FakeHost, HashingEmbedder
from fake_host import recall as host_recall
from measuring import Goal, Report, Samples, Table, format_count, format_ratio, format_seconds, measure
from memory_ledger.store.docstore import Store
from stores import add_documents, copy_documents, copy_status, fill

_PACK_ROOT = Path(__file__).resolve().parents[1]
_HELPERS = "usr.plugins.memory_ledger.helpers"
_FOLDER_KEY = "_memory_ledger_folder"
_SUBDIR = "default"
_PAUSE_SECONDS = 0.5
_SAMPLE_COUNT = 300
_RECALL_COUNT = 60
_CONFIG_COUNT = 100
_TOOL_CALLS = (3, 40)
_GOAL_SECONDS = 0.001


class OneVector(HashingEmbedder):
    """An embedder that takes no time: one vector for every text."""

    def __init__(self, vector: list[float]) -> None:
        super().__init__(len(vector))
        self._vector = vector

    def vector(self, text: str) -> list[float]:
        """Return the one vector."""
        return self._vector


@dataclass(slots=True)
class _Turn:
    """The samples of one kind of turn."""

    filtering: Samples = field(default_factory=Samples)
    classifying: Samples = field(default_factory=Samples)
    whole: list[float] = field(default_factory=list)


def measure_hooks(store: Store, vectors: Vectors, generation: str) -> Report:
    """Measure in a host of `generation` with a copy of the memories of `store`, which are classified already."""

    async def run() -> Report:
        with open_host(generation, OneVector(vectors[0].tolist())) as host:
            db = (await host.memory()).db
            add_documents(db, copy_documents(store.db.get_all_docs()), vectors)
            copy_status(store, host.memory_folder())
            return await _measure(host, db, len(vectors))

    return asyncio.run(run())


def measure_first_turns(facts: Sequence[Fact], vectors: Vectors, generation: str) -> Report:
    """Play turns in a host while the pack looks for the first time at memories that were there before it."""
    turns = Samples()

    async def run() -> float:
        with open_host(generation, OneVector(vectors[0].tolist())) as host:
            db = (await host.memory()).db
            fill(db, facts, vectors)
            start = perf_counter()
            await turns.time_async(lambda: host.turn("Which memories are there?"))
            folder = db.__dict__[_FOLDER_KEY]
            while folder.background is not None and folder.background.is_alive():
                await turns.time_async(lambda: host.turn("My ledger runs on port 8443."))
                await asyncio.sleep(_PAUSE_SECONDS)
            return perf_counter() - start

    wall = asyncio.run(run())
    table = Table(
        "Turns while the first look goes on",
        f"Whole turns of the model of the host, {generation}, wall-clock time, one every {_PAUSE_SECONDS} s, while a "
        f"thread classifies what was there before the pack and looks for contradictions in it. One run.",
        ("memories", "first look (wall)", "turns", "median turn", "longest turn"),
        [
            (
                format_count(len(facts)),
                format_seconds(wall),
                str(len(turns)),
                format_seconds(turns.wall_median),
                format_seconds(max(turns.wall)),
            )
        ],
    )
    return Report([table])


@contextmanager
def open_host(generation: str, embedder: HashingEmbedder) -> Iterator[FakeHost]:
    """Yield a running host with the pack in it; what its hooks reported goes to standard error."""
    with tempfile.TemporaryDirectory() as name, FakeHost(generation, Path(name) / "a0", embedder=embedder) as host:
        host.install(_PACK_ROOT)
        host.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        yield host
        for item in host.warnings:
            print(f"{generation}: {item.heading}: {item.content}", file=sys.stderr)


async def _measure(host: FakeHost, db: Any, size: int) -> Report:
    await host.turn("Which memories are there?")
    await host.settle()
    documents = db.get_all_docs()
    plain = measure(lambda: naive.look_for_news(documents), 10), measure(lambda: naive.count_status(documents), 10)
    report = Report()
    for tool_calls in _TOOL_CALLS:
        await host.turn("Please look at the logs and repair what is broken.", iterations=tool_calls + 1)
        report.add(_turn_report(host, size, tool_calls, await _measure_turns(host, tool_calls + 1), plain))
    report.add(await _measure_recalls(host, size))
    report.add(_measure_configuration(host, size))
    return report


async def _measure_turns(host: FakeHost, prompts: int) -> _Turn:
    """Run the hooks of one turn again and again: the filter before each prompt, the classifier at the end."""
    hooks = importlib.import_module(f"{_HELPERS}.host.hooks")
    agent, turn = host.agent, _Turn()
    for _ in range(_SAMPLE_COUNT):
        for _ in range(prompts):
            await turn.filtering.time_async(lambda: hooks.filter_relevance(agent, agent.loop_data))
        await turn.classifying.time_async(lambda: hooks.classify(agent, agent.loop_data))
        turn.whole.append(sum(turn.filtering.cpu[-prompts:]) + turn.classifying.cpu[-1])
        await host.settle()
    return turn


def _turn_report(host: FakeHost, size: int, tool_calls: int, turn: _Turn, plain: tuple[Samples, Samples]) -> Report:
    whole = Samples(turn.whole, turn.whole)
    looks, counts = plain
    naive_seconds = (tool_calls + 2) * looks.median + counts.median
    table = Table(
        "Hook time per turn with nothing new",
        f"CPU time of the event loop's thread. `filter_relevance` before each prompt (no recall pending), `classify` "
        f"at the end of the turn, and all of one turn together; {_SAMPLE_COUNT} turns. Naive: at each hook look at "
        f"every document for new ones, and count the status of all of them once a turn.",
        (
            "memories",
            "host",
            "tool calls",
            "filter",
            "p99",
            "classify",
            "p99",
            "turn",
            "p99",
            "naive turn",
            "ours / naive",
        ),
        [
            (
                format_count(size),
                host.generation,
                str(tool_calls),
                format_seconds(turn.filtering.median),
                format_seconds(turn.filtering.p99),
                format_seconds(turn.classifying.median),
                format_seconds(turn.classifying.p99),
                format_seconds(whole.median),
                format_seconds(whole.p99),
                format_seconds(naive_seconds),
                format_ratio(whole.median, naive_seconds),
            )
        ],
    )
    goal = Goal(
        what=f"hook time per turn, {size:,} memories, {tool_calls} tool calls, host {host.generation}",
        goal=f"{format_seconds(_GOAL_SECONDS)} at most",
        measured=format_seconds(whole.median),
        is_met=whole.median <= _GOAL_SECONDS,
    )
    return Report([table], [goal])


async def _measure_recalls(host: FakeHost, size: int) -> Report:
    """Take over a pending recall and wait for it; beside it the host's own, left alone."""
    hooks = importlib.import_module(f"{_HELPERS}.host.hooks")
    agent = host.agent
    loop_data = host.process.classes.LoopData(user_message=agent.last_user_message, iteration=0)

    async def take_over() -> None:
        await hooks.filter_relevance(agent, loop_data)
        await agent.get_data(host_recall.TASK)

    async def leave_alone() -> None:
        await agent.get_data(host_recall.TASK)

    found = []
    for recall in (take_over, leave_alone):
        samples = Samples()
        for _ in range(_RECALL_COUNT):
            await host_recall.start(agent, loop_data)
            await samples.time_async(recall)
        found.append(samples)
    ours, host_own = found
    table = Table(
        "A recall in the host, taken over",
        f"From the pending task of `_50` to its result, {_RECALL_COUNT} times; the embedding takes no time. On the "
        f"event loop: CPU time of its thread. Bare host: the same without the pack, in the model of the host.",
        ("memories", "host", "on the event loop", "p99", "wall", "bare, on the loop", "bare, wall", "wall ratio"),
        [
            (
                format_count(size),
                host.generation,
                format_seconds(ours.median),
                format_seconds(ours.p99),
                format_seconds(ours.wall_median),
                format_seconds(host_own.median),
                format_seconds(host_own.wall_median),
                format_ratio(ours.wall_median, host_own.wall_median),
            )
        ],
    )
    return Report([table])


def _measure_configuration(host: FakeHost, size: int) -> Report:
    """Read the configuration anew, which happens in a worker thread after each turn and once before the first."""
    agent_zero = importlib.import_module(f"{_HELPERS}.host.agent_zero")
    view = importlib.import_module(f"{_HELPERS}.host.view")
    agent = host.agent

    def ask_host() -> object:
        return agent_zero.pack_config(agent), agent_zero.memory_settings(agent), agent_zero.memory_subdir(agent)

    asked, read = _pair(ask_host, lambda: view.refresh_view(agent))
    table = Table(
        "Reading the configuration",
        f"Once a turn, in a worker thread after it, and once on the event loop before the first turn of a chat; "
        f"{_CONFIG_COUNT} times. The host reads its files for each of its three answers.",
        ("memories", "host", "the host's answers", "p99", "with the pack's own file", "p99"),
        [
            (
                format_count(size),
                host.generation,
                format_seconds(asked.median),
                format_seconds(asked.p99),
                format_seconds(read.median),
                format_seconds(read.p99),
            )
        ],
    )
    return Report([table])


def _pair(one: Callable[[], Any], other: Callable[[], Any]) -> tuple[Samples, Samples]:
    return measure(one, _CONFIG_COUNT), measure(other, _CONFIG_COUNT)
