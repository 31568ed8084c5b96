"""What the backup costs: a line at each insert, one rewrite at maintenance, one look when a store is opened."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace

import numpy as np
from measuring import Report, Samples, Table, describe_machine, format_count, format_ratio, format_seconds
from memory_ledger.setting_groups import Backup as BackupSettings
from memory_ledger.store.backup import BackupWriter
from memory_ledger.store.embedded import EmbeddedFaiss, EmbeddedMemory
from memory_ledger.store.saving import record_changes
from stores import GivenVectors, make_memory, open_store

_DIMENSIONS = 384
_INSERTS = 200
_SIZES = (1_000, 10_000, 100_000)
_LINEAGE = {"created_at": "2026-03-01T12:00:00+00:00", "supersedes_ids": [], "related_memory_ids": [], "seal": "0" * 24}
_AXES = {"validity": "confirmed", "relevance": "active", "utility": "tactical", "source": "user_asserted"}


def run(folder: Path, sizes: tuple[int, ...] = _SIZES) -> Report:
    """Measure stores of each size, one after the other."""
    record_changes(SimpleNamespace(MyFaiss=EmbeddedFaiss))
    rows = [_measure(folder / str(size), size) for size in sizes]
    table = Table(
        "Backup",
        f"`insert`: an insert of one memory through langchain with the line of the backup, and without; median and "
        f"99th percentile of {_INSERTS}, wall-clock, without embedding. The line is on the disk (fsync) when the "
        f"insert goes on, in the thread that inserts. `host saves`: what the host does after each insert anyway. "
        f"`rewrite`: at maintenance, in a worker thread, half of it asleep. `look`: once, when a store is opened.",
        ("memories", "insert", "p99", "without", "p99", "host saves", "line / save", "rewrite", "look", "file, MB"),
        rows,
    )
    return Report([table])


def _measure(folder: Path, size: int) -> tuple[str, ...]:
    memory = _fill(folder, size)
    store = open_store(memory)
    backup = BackupWriter(store, BackupSettings(), memory_class=EmbeddedMemory)
    began = perf_counter()
    backup.write()
    rewrite = perf_counter() - began
    began = perf_counter()
    backup.end_turn()
    look = perf_counter() - began
    with_line = _insert(memory, "with")
    with backup.paused():
        without = _insert(memory, "without")
    began = perf_counter()
    memory.save()
    save = perf_counter() - began
    size_mb = backup.file.path.stat().st_size / 1e6
    memory.close()
    return (
        format_count(size),
        format_seconds(with_line.wall_median),
        format_seconds(float(np.percentile(with_line.wall, 99))),
        format_seconds(without.wall_median),
        format_seconds(float(np.percentile(without.wall, 99))),
        format_seconds(save),
        format_ratio(with_line.wall_median - without.wall_median, save),
        format_seconds(rewrite),
        format_seconds(look),
        f"{size_mb:.1f}",
    )


def _fill(folder: Path, size: int) -> EmbeddedMemory:
    memory = make_memory(folder, GivenVectors())
    vectors = np.random.default_rng(1).standard_normal((size, _DIMENSIONS)).astype(np.float32)
    for number in range(size):
        metadata = {"area": "fragments", "classification": dict(_AXES), "lineage": dict(_LINEAGE)}
        memory.insert(f"fact number {number} about something", metadata, vector=vectors[number])
    return memory


def _insert(memory: EmbeddedMemory, name: str) -> Samples:
    samples, vector = Samples(), [0.0] * _DIMENSIONS
    for number in range(_INSERTS):
        text, metadata = f"{name} {number}: the user's service listens on port 8080", {"area": "main"}
        samples.time(
            lambda: memory.db.add_embeddings(
                [(text, vector)],  # noqa: B023 - called at once
                metadatas=[metadata],  # noqa: B023 - called at once
                ids=[f"{name}-{number}"],  # noqa: B023 - called at once
            )
        )
    return samples


if __name__ == "__main__":
    chosen = tuple(map(int, sys.argv[1:])) or _SIZES
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as place:
        print(describe_machine())
        print(run(Path(place), chosen))
