"""The time for one new memory against a store of a given size, part by part (C-37).

Stored memories and new ones come from `corpus`, where many teams have a thing of each name; one in ten is about the
user, who likes thousands of things. The vectors are seeded: the index is flat, so their values cost nothing.
"""

from __future__ import annotations

import gc
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import faiss
from corpus import Fact, Vectors, make_facts, make_vectors
from measuring import Goal, Report, Samples, Table, clear_caches, format_count, format_seconds
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.settings import Settings
from stores import GivenVectors, confirm_all, fill, insert, make_adopter, make_memory, note_turn, open_store

_SIZES = (1_000, 10_000, 100_000)
_NEW_COUNT = 400
_WARM_UP = 20
_AT_ONCE = 64
_OWNERS = 40
_SEED = 17
_PARTS = ("engine", "search", "pack", "host")
_GOAL_MEDIAN, _GOAL_P99, _GOAL_ALL = 0.002, 0.005, 0.030

_LIKED = ("tea", "jazz", "hiking", "chess", "rye bread", "dark mode", "trains", "long walks", "crosswords", "olives")
_CITIES = ("Denver", "Lisbon", "Oslo", "Osaka", "Toronto", "Turin", "Leeds", "Porto")


class _Moment(NamedTuple):
    """A reading of both clocks."""

    cpu: float
    wall: float


_START = _Moment(0.0, 0.0)


@dataclass(slots=True)
class _Watch:
    """What each part of one thing took: a part that calls another one stands still meanwhile."""

    parts: dict[str, Samples] = field(default_factory=lambda: {name: Samples() for name in _PARTS})
    _spent: dict[str, list[float]] = field(default_factory=dict)
    _running: list[str] = field(default_factory=list)
    _since: _Moment = _START

    def around(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return `function`, with the time that it takes put down to `part`."""

        @wraps(function)
        def timed(*arguments: Any, **options: Any) -> Any:
            with self.running(part):
                return function(*arguments, **options)

        return timed

    @contextmanager
    def running(self, part: str) -> Iterator[None]:
        """Put down to `part` what is done meanwhile."""
        self._book()
        self._running.append(part)
        try:
            yield
        finally:
            self._book()
            self._running.pop()

    def _book(self) -> None:
        now = _Moment(thread_time(), perf_counter())
        if self._running:
            spent = self._spent.setdefault(self._running[-1], [0.0, 0.0])
            spent[0] += now.cpu - self._since.cpu
            spent[1] += now.wall - self._since.wall
        self._since = now

    def note(self) -> None:
        """One thing is done: the times of its parts become samples."""
        for name, samples in self.parts.items():
            cpu, wall = self._spent.get(name, (0.0, 0.0))
            samples.cpu.append(cpu)
            samples.wall.append(wall)
        self._spent = {}

    def whole(self) -> Samples:
        """Return the times of all parts together."""
        return Samples(*([sum(one) for one in zip(*lists, strict=True)] for lists in self._lists()))

    def _lists(self) -> tuple[list[list[float]], list[list[float]]]:
        every = self.parts.values()
        return [one.cpu for one in every], [one.wall for one in every]


def run(_folder: Path) -> Report:
    """Measure one size after the other."""
    report = Report()
    for size in _SIZES:
        clear_caches()
        report.add(_measure_size(size))
    return report


def _measure_size(size: int) -> Report:
    faiss.omp_set_num_threads(1)
    facts = make_facts(size + _NEW_COUNT + _WARM_UP, owners=_OWNERS)
    facts = [_about_user(one, number) if number % 10 == 0 else one for number, one in enumerate(facts)]
    vectors = make_vectors(facts)
    stored, new = facts[:size], _make_new(facts, size)
    with tempfile.TemporaryDirectory() as name:
        memory = make_memory(Path(name) / "default", GivenVectors())
        fill(memory.db, stored, vectors[:size])
        store = open_store(memory)
        confirm_all(store)
        adopter = make_adopter(open_store(memory))
        while not adopter.run(Settings(), limit=size).is_done:
            pass
        _adopt(memory, adopter, new[:_WARM_UP], vectors[size:], size, _Watch())
        watch, first = _watch(adopter), size + _WARM_UP
        changes = _adopt(memory, adopter, new[_WARM_UP:], vectors[first:], first, watch)
        memory.close()
    return _report(size, watch, changes)


def _about_user(fact: Fact, number: int) -> Fact:
    text = f"User likes {_LIKED[number // 10 % len(_LIKED)]} number {number // 10}"
    return replace(fact, text=text, said=text.replace("User likes", "I like"), area="main", is_knowledge=False)


def _make_new(facts: Sequence[Fact], size: int) -> list[Fact]:
    """Return the new memories: of ten, two contradict a stored one and two are about the user."""
    choose = random.Random(_SEED)
    ports = [one for one in facts[:size] if " runs on port " in one.text]
    return [_make_one(number, one, choose.choice(ports)) for number, one in enumerate(facts[size:])]


def _make_one(number: int, fact: Fact, older: Fact) -> Fact:
    turn, kind = divmod(number, 10)
    if kind in (1, 2):
        port = 20_000 + number
        text = f"{older.text.split(' runs on port ')[0]} now runs on port {port}."
        return replace(older, text=text, said=text)
    if kind == 3:
        text = f"User lives in {_CITIES[turn % len(_CITIES)]}"
    elif kind == 4:
        text = f"User no longer likes {_LIKED[turn % len(_LIKED)]} number {turn}"
    else:
        return fact
    return replace(
        fact, text=text, said=text.replace("User", "I").replace("s in", " in"), area="main", is_knowledge=False
    )


def _watch(adopter: Adopter) -> _Watch:
    """Take the time of the parts of an adoption, where one calls the other."""
    watch = _Watch()
    for owner, name, part in (
        (adopter.settler, "enter", "engine"),
        (adopter, "_settle", "engine"),
        (adopter.settler, "_neighbours", "search"),
        (adopter, "_carry_out", "pack"),
        (adopter, "run", "pack"),
    ):
        setattr(owner, name, watch.around(part, getattr(owner, name)))
    return watch


def _adopt(memory: Any, adopter: Adopter, new: Sequence[Fact], vectors: Vectors, first: int, watch: _Watch) -> int:
    """Insert and adopt one memory after the other, each after a turn of its own; return how many changes that made."""
    changes, settings = 0, Settings()
    for number, (fact, vector) in enumerate(zip(new, vectors, strict=False), first):
        note_turn(adopter.turns, fact)
        with watch.running("host"):
            insert(memory, fact, vector, number)
            gc.collect(1)  # the host copied its whole docstore: the collector's look at that copy is the host's
        changes += len(adopter.run(settings, limit=_AT_ONCE).changes)
        watch.note()
    return changes


def _report(size: int, watch: _Watch, changes: int) -> Report:
    whole = watch.whole()
    parts = [watch.parts[name] for name in _PARTS]
    table = Table(
        "Time for one new memory",
        "`Adopter.run` over an embedded store, memories one by one, each after a turn of its own: of ten, two "
        "contradict a stored one, two are about the user, of whom a tenth of the store speaks. CPU time of the thread "
        "that does the work unless a heading says wall; median and 99th percentile. Engine: claims, index and "
        "resolution. Search: the nearest of what is in use, on one thread. Pack: classification, columns, seal, "
        "journal and conflict file. Host: it adds the vector and the document (what its own save of the whole index "
        "takes stands in `hooks.md`), and the collector looks at the copy that it made of its docstore. The "
        "embedding is left out.",
        (
            *("memories", "new", "changes", "engine", "p99", "search", "p99", "pack", "p99", "host", "p99"),
            *("all together", "p99", "all (wall)", "p99 (wall)"),
        ),
        [
            (
                format_count(size),
                str(len(whole)),
                str(changes),
                *(format_seconds(one) for samples in (*parts, whole) for one in (samples.median, samples.p99)),
                *(format_seconds(one) for one in (whole.wall_median, Samples(whole.wall, whole.wall).p99)),
            )
        ],
    )
    return Report([table], list(_goals(size, watch.parts["engine"], whole)))


def _goals(size: int, engine: Samples, whole: Samples) -> Iterator[Goal]:
    limits = [("median", engine.median, _GOAL_MEDIAN), ("p99", engine.p99, _GOAL_P99)]
    if size == max(_SIZES):
        limits.append(("all together, wall, median", whole.wall_median, _GOAL_ALL))
    for what, measured, limit in limits:
        yield Goal(
            f"one new memory, {size:,} stored: {what}",
            f"{format_seconds(limit)} at most",
            format_seconds(measured),
            measured <= limit,
        )
