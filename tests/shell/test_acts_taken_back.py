"""Whatever is asked for is taken back byte for byte, and done again (T-70): drawn acts on a store without a host."""

import os

import pytest
from drawn_acts import TEXTS, Desk, play

COUNTS = [pytest.param(200, id="200"), pytest.param(100_000, id="100,000", marks=pytest.mark.long)]


@pytest.mark.parametrize("count", COUNTS)
def test_every_act_is_taken_back_and_done_again(new_box, monkeypatch, count: int) -> None:
    """T-70: memories, conflicts, proposals and last words stand as before, byte for byte; then as after."""
    monkeypatch.setattr(os, "fsync", bool)  # nothing here is to outlive the machine
    boxes = []

    def open_desk() -> Desk:
        boxes.append(new_box())
        box = boxes[-1]
        for old in boxes[:-1]:
            old.memory.close()
        del boxes[:-1]
        box.memory._save_db = bool
        desk = Desk(
            box.store, "memory_ledger", list(map(box.insert, TEXTS)), box.adopt, lambda: box.clock.advance(days=1)
        )
        box.adopt()
        desk.build()
        return desk

    play(count, open_desk)
