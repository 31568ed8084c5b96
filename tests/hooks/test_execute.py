"""What Agent Zero runs when somebody presses Execute: `execute.py`, started as the host starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock
from hook_tools import PACK_ROOT
from test_index_repair import learn as learn_all
from test_index_repair import lose_vector

OFFER = "press Execute once more within ten minutes"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FakeHost]:
    """The newest generation, with a copy of the pack in it."""
    with FakeHost(ALL_GENERATIONS[-1], tmp_path / "a0", clock=RunningClock()) as running:
        running.install(PACK_ROOT, how="installer")
        yield running


def press(host: FakeHost, *options: str) -> tuple[int, str]:
    """Run the script as the host does, which notes how it ended; return that, and what it printed."""
    folder = host.root / "usr/plugins/memory_ledger"
    script = [sys.executable, str(folder / "execute.py"), *options]
    ran = subprocess.run(
        script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, timeout=120, check=False
    )
    (folder / "execute_record.json").write_text(json.dumps({"executed_at": "now", "exit_code": ran.returncode}))
    return ran.returncode, ran.stdout


async def learn(host: FakeHost, *, damaged: bool = False) -> None:
    """Four memories, saved; the index may have lost the vector of one."""
    db = await learn_all(host)
    if damaged:
        lose_vector(db)
    (await host.memory())._save_db()


def orders(host: FakeHost) -> list[str]:
    """Return what waits for the running host."""
    path = host.memory_folder() / "ledger_inbox.jsonl"
    rows = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [one for one in rows if json.loads(one).get("kind") == "repair"]


async def test_a_sound_host_is_told_so(host: FakeHost) -> None:
    """What the doctor says, each index, and the end; nothing is written."""
    await learn(host)
    status, said = press(host)
    assert "usr/memory/default: store readable" in said
    assert "Index 1 of 1: " in said and "0 texts lack a vector of their own" in said
    assert said.endswith("Done: all is well.\n") and status == 0
    assert orders(host) == []


async def test_a_repair_is_offered_first_and_ordered_by_the_second_press(host: FakeHost) -> None:
    """T-64: one press changes nothing; the second one orders it, once; the host carries it out at its next turn.

    A press long ago is no request, nor is one that ended otherwise, or whose record cannot be read.
    """
    await learn(host, damaged=True)
    record = host.root / "usr/plugins/memory_ledger/execute_record.json"
    status, said = press(host)
    assert status == 3 and OFFER in said and "1 text lacks a vector of their own" in said
    os.utime(record, (time.time() - 3600, time.time() - 3600))
    assert press(host)[0] == 3
    for text in ('{"exit_code": 0}', "[3]"):
        record.write_text(text)
        assert press(host)[0] == 3
    assert orders(host) == []
    status, said = press(host)
    assert status == 0 and "it will be repaired at Agent Zero's next turn" in said and OFFER not in said
    ordered = orders(host)
    assert len(ordered) == 1
    status, said = press(host, "--repair")
    assert status == 0 and "a repair waits for Agent Zero's next turn" in said and OFFER not in said
    assert press(host, "--mend")[0] == 2
    assert orders(host) == ordered


async def test_what_is_broken_is_named(host: FakeHost) -> None:
    """A sentence for each problem, no traceback, and another end."""
    await learn(host)
    (host.memory_folder() / "index.pkl").write_bytes(b"no pickle")
    status, said = press(host)
    assert status == 1 and "Traceback" not in said
    assert said.splitlines()[-1] == "Done: problems were found, named above."
