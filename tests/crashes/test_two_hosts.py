"""Two hosts work in one folder: the host's own index knows the last writer only, the backup knows both (T-64)."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock
from memory_ledger import cli

PACK_ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("second_host.py")
FIRST, OTHERS, LAST = "The cat sleeps on the printer.", "The dog sleeps on the sofa.", "The hen sleeps in the barn."


async def tell(host: FakeHost, text: str) -> None:
    """Let the host store one memory, and adopt it with the next turn."""
    await host.turn("Listen.", fragments=[text])
    await host.finish_memorizing()
    await host.turn("Thank you.")
    await host.settle()


def texts(host: FakeHost) -> set[str]:
    return {document.page_content for document in host.docs.values()}


@pytest.mark.parametrize("generation", ALL_GENERATIONS)
async def test_what_the_last_writer_did_not_know_is_named_and_comes_back(generation: str, tmp_path: Path) -> None:
    """T-64, P-02: both chats go on; the next start says what the index lacks, and one command brings it back."""
    with FakeHost(generation, tmp_path / "a0", clock=RunningClock()) as host:
        host.install(PACK_ROOT)
        host.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        await tell(host, FIRST)
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-W", "ignore", str(SCRIPT), generation, str(host.root), OTHERS],
            env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2_000:]
        assert done.stdout.strip() == f"{sorted((FIRST, OTHERS))} []"
        await tell(host, LAST)
        assert texts(host) == {FIRST, LAST}, "the host itself overwrites what it did not load"
        await host.restart()
        await host.turn("Good morning.")
        await host.settle()
        await host.turn("How are you?")
        told = [item for item in host.log if "can be brought back" in item.heading]
        assert len(told) == 1 and str(host.memory_folder()) in told[0].content
        assert cli.main(["restore", str(host.memory_folder())]) == 0
        await host.turn("Hello.")
        await host.finish_memorizing()
        await host.settle()
        assert texts(host) == {FIRST, OTHERS, LAST}
        assert host.hook_errors == []
        for document in host.docs.values():
            assert document.metadata["classification"]["validity"] in ("inferred", "confirmed")
