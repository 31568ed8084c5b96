"""Whatever is asked for is taken back byte for byte, and done again (T-70), in the store of every generation."""

import os

import pytest
from drawn_acts import play
from fake_host import FakeHost
from hook_tools import open_desk


@pytest.mark.every_generation
async def test_every_act_is_taken_back_and_done_again(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70: on one store, on which more and more has been done."""
    monkeypatch.setattr(os, "fsync", bool)
    desk = await open_desk(host)
    play(20, lambda: desk)
