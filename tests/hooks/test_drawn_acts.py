"""Whatever is asked for is taken back byte for byte, and done again (T-70), in the store of every generation."""

import importlib
import os

import pytest
from drawn_acts import TEXTS, Desk, play
from fake_host import FakeHost
from hook_tools import settle

_PACK = "usr.plugins.memory_ledger.helpers"


@pytest.mark.every_generation
async def test_every_act_is_taken_back_and_done_again(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-70: on one store, on which more and more has been done."""
    monkeypatch.setattr(os, "fsync", bool)
    ids = [await host.insert(text, area="main") for text in TEXTS]
    await settle(host)
    folder = importlib.import_module(f"{_PACK}.host.session").open_folder("default")
    adopt = importlib.import_module(f"{_PACK}.host.page.acting").adopt
    desk = Desk(folder.store, _PACK, ids, lambda: adopt(folder), lambda: host.machine.clock.advance(seconds=1))
    desk.build()
    play(50, lambda: desk)
