"""The rows of the columns move with their memories when the host deletes (T-48)."""

from __future__ import annotations

import random

from memory_ledger.store.columns import Columns
from memory_ledger.store.docstore import Store

_NAMES = ("validity", "utility", "source", "is_dormant", "area", "created")


def rows(columns: Columns, count: int) -> dict[str, list[float]]:
    """Return what the columns say of the first `count` positions."""
    return {name: getattr(columns, name)[:count].tolist() for name in _NAMES}


def test_rows_are_those_of_a_store_that_reads_everything(box) -> None:
    """T-48, T-43: after deletes, updates and inserts in any order the rows are what a new store makes of the folder."""
    choose, ids = random.Random(7), []
    for step in range(12):
        ids += [box.insert(f"note {step} {number}", area=choose.choice(("main", "solutions"))) for number in range(5)]
        box.store.sweep()
        box.classify(*ids[-4:])
        for memory_id in choose.sample(ids, 2):
            box.delete(memory_id)
            ids.remove(memory_id)
        box.update(choose.choice(ids), f"written anew in step {step}")
        if choose.random() < 0.5:
            box.store.refresh_positions()
        box.store.sweep()
        fresh = Store(box.memory, folder=box.folder, clock=box.clock)
        fresh.refresh_positions()
        assert box.store.index.ids == fresh.index.ids
        assert rows(box.store.columns, len(fresh.index)) == rows(fresh.columns, len(fresh.index))


def test_who_reads_the_rows_goes_on_with_the_old_ones(box) -> None:
    """T-48: health counts without the lock, while another thread follows a delete."""
    ids = [box.insert(f"note {number}") for number in range(3)]
    box.store.sweep()
    box.classify(*ids)
    before = box.store.columns
    counted, shown = before.count(), rows(before, 3)
    box.delete(ids[0])
    box.store.refresh_positions()
    assert (before.count(), rows(before, 3)) == (counted, shown)
    assert box.store.columns.count().total() == 2
