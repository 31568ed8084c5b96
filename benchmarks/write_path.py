"""What adoption costs: the first look at a store, a single new memory, and the first sweep after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, thread_time

from corpus import Fact, Vectors
from measuring import Report, Samples, Table, format_count, format_ratio, format_seconds
from memory_ledger.host import upkeep
from memory_ledger.host.adoption.adopter import Adopter
from memory_ledger.settings import Settings
from memory_ledger.store.embedded import EmbeddedMemory
from memory_ledger.store.proposals import read_proposals
from stores import insert, make_adopter, note_turn, open_store

_SETTINGS = Settings()
_AT_ONCE, _SLICE = upkeep._ADOPT_AT_ONCE, upkeep._ADOPT_SLICE
_SAVE_COUNT = 3
_DELETE_COUNT = 9


@dataclass(frozen=True, slots=True)
class _Backlog:
    """What it took to adopt everything that waited; `longest` is the longest single call, in wall-clock seconds."""

    cpu: float
    wall: float
    longest: float


def measure_first_look(adopter: Adopter, size: int) -> Report:
    """Adopt a store that was there before the pack: classify everything, list what would be retired."""
    backlog = _work_off(adopter)
    found = read_proposals(adopter.store.database)
    table = Table(
        "First look at a store that was there before the pack",
        f"`Adopter.run`, slice by slice ({_AT_ONCE}, then {_SLICE} memories), up to the written report of proposals. "
        f"One run.",
        ("memories", "CPU", "wall", "per second", "longest call (wall)", "proposals"),
        [
            (
                format_count(size),
                format_seconds(backlog.cpu),
                format_seconds(backlog.wall),
                format_count(size / backlog.cpu),
                format_seconds(backlog.longest),
                format_count(len(found)),
            )
        ],
    )
    return Report([table])


def measure_restart(memory: EmbeddedMemory, size: int) -> tuple[Adopter, Report]:
    """Build the ledger's store anew over documents that were classified in an earlier process."""
    opened, first = Samples(), Samples()
    store = opened.time(lambda: open_store(memory))
    adopter = make_adopter(store)
    first.time(lambda: adopter.run(_SETTINGS, limit=_AT_ONCE))
    rest = _work_off(adopter)
    table = Table(
        "Restart",
        f"The first hook after a restart waits for the store and the first sweep, which runs in a worker thread; the "
        f"rest goes on in a thread that nobody waits for, {_SLICE} memories at a time. One run.",
        ("memories", "`Store()`", "first sweep", "first sweep (wall)", "checking the rest", "longest call (wall)"),
        [
            (
                format_count(size),
                format_seconds(opened.median),
                format_seconds(first.median),
                format_seconds(first.wall_median),
                format_seconds(rest.cpu),
                format_seconds(rest.longest),
            )
        ],
    )
    return adopter, Report([table])


def measure_new(memory: EmbeddedMemory, adopter: Adopter, facts: Sequence[Fact], vectors: Vectors, size: int) -> Report:
    """Adopt memories that arrive one by one, each after a turn of its own."""
    added, adopted, saved = Samples(), Samples(), Samples()
    changes = 0
    for number, (fact, vector) in enumerate(zip(facts, vectors, strict=True), size):
        note_turn(adopter.turns, fact)
        added.time(lambda: insert(memory, fact, vector, number))  # noqa: B023 - called at once
        changes += len(adopted.time(lambda: adopter.run(_SETTINGS, limit=_AT_ONCE)).changes)
    for _ in range(_SAVE_COUNT):
        saved.time(memory._save_db)
    host = added.wall_median + saved.wall_median
    table = Table(
        "Adoption of one new memory",
        f"`Adopter.run` (classify, claims, nearest neighbours, resolution, metadata) for a memory that arrived after a "
        f"turn of its own; {len(facts)} memories one by one. Beside it what the host itself does for every insert: it "
        f"adds the vector and the document, and writes its whole index ({_SAVE_COUNT} saves); the embedding is left "
        f"out on both sides.",
        ("memories", "median", "p99", "wall", "per second", "changes", "host adds", "host saves", "ours / host's"),
        [
            (
                format_count(size),
                format_seconds(adopted.median),
                format_seconds(adopted.p99),
                format_seconds(adopted.wall_median),
                format_count(adopted.rate),
                format_count(changes),
                format_seconds(added.wall_median),
                format_seconds(saved.wall_median),
                format_ratio(adopted.wall_median, host),
            )
        ],
    )
    return Report([table])


def measure_deletions(memory: EmbeddedMemory, adopter: Adopter, size: int) -> Report:
    """Let the host delete memories, one at a time, and sweep after each."""
    deleted, swept = Samples(), Samples()
    for memory_id in list(memory.db.get_all_docs())[: _DELETE_COUNT * 7 : 7]:
        deleted.time(lambda: memory.db.delete([memory_id]))  # noqa: B023 - called at once
        swept.time(lambda: adopter.run(_SETTINGS, limit=_AT_ONCE))
    table = Table(
        "Sweep after the host deleted a memory",
        f"A consolidation of the host deletes and inserts, which moves every later vector. {_DELETE_COUNT} times, in a "
        f"worker thread, with the index locked. Beside it the host's own delete, without its save.",
        ("memories", "sweep", "largest", "host deletes", "ours / host's"),
        [
            (
                format_count(size),
                format_seconds(swept.median),
                format_seconds(max(swept.cpu)),
                format_seconds(deleted.median),
                format_ratio(swept.median, deleted.median),
            )
        ],
    )
    return Report([table])


def _work_off(adopter: Adopter) -> _Backlog:
    """Adopt until nothing waits, as the background thread does."""
    cpu, wall, longest, limit = thread_time(), perf_counter(), 0.0, _AT_ONCE
    while True:
        start = perf_counter()
        result = adopter.run(_SETTINGS, limit=limit)
        longest, limit = max(longest, perf_counter() - start), _SLICE
        if result.is_done:
            return _Backlog(cpu=thread_time() - cpu, wall=perf_counter() - wall, longest=longest)
