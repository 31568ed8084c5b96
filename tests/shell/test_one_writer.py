"""A store without a host has one writer: a second is told who the first is, and nothing is lost (T-17, T-48, Q-55)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_host import HashingEmbedder
from memory_ledger.errors import StoreError
from memory_ledger.host.adoption.ingest import open_ingest
from memory_ledger.settings import Settings
from quality_tools import TIMEZONE, Bench, content

OTHER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from quality_tools import Bench, content

async def main():
    async with Bench(Path(sys.argv[1])).open() as store:
        await store.remember({"type": "fact", "content": content("birds", "owls")})

asyncio.run(main())
"""


def open_over_there(root: Path) -> subprocess.CompletedProcess[str]:
    """Let another process open the store of a bench, and store one memory."""
    tests = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-W", "ignore", "-c", OTHER, str(root), str(tests / "shell")]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tests), "OMP_NUM_THREADS": "1"}
    )


async def test_a_second_process_is_refused(tmp_path: Path) -> None:
    """Q-55: in words that say who holds it and what to do; once that has ended, it is let in, and has everything."""
    bench = Bench(tmp_path)
    async with bench.open() as store:
        for number in range(3):
            await store.remember({"type": "fact", "content": content(f"hobby {number}", "chess")})
        refused = open_over_there(tmp_path)
        assert refused.returncode == 1
        last = refused.stderr.strip().splitlines()[-1]
        assert "StoreError" in last and "is open in process " in last
        assert f"process {os.getpid()} on " in last and "allowed: one writer at a time" in last
        await store.remember(TIMEZONE)
    assert open_over_there(tmp_path).returncode == 0
    async with bench.open() as store:
        assert len(await store.recall()) == 5


async def test_neither_a_second_opening_nor_an_ingest_gets_in(tmp_path: Path) -> None:
    """T-48: also in the same process; a folder is free again however its holder ends, and nothing is lost."""
    bench = Bench(tmp_path)
    with pytest.raises(RuntimeError, match="on purpose"):
        async with bench.open() as store:
            await store.remember(TIMEZONE)
            with pytest.raises(StoreError, match="this process"):
                async with bench.open():
                    pass
            with (
                pytest.raises(StoreError, match="one writer at a time"),
                open_ingest(bench.folder, HashingEmbedder(64), Settings(), clock=bench.clock),
            ):
                pass
            raise RuntimeError("on purpose")
    assert not (bench.folder / "ledger_writer.json").exists()
    async with bench.open() as store:
        assert [one["content"] for one in await store.recall()] == [TIMEZONE["content"]]
