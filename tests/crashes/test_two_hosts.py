"""Two hosts work in one folder: the host's own index knows the last writer only, the backup knows both (T-64)."""

import ast
import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore

PACK_ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("second_host.py")
FIRST, OTHERS, LAST = "The cat sleeps on the printer.", "The dog sleeps on the sofa.", "The hen sleeps in the barn."


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """The host of this process."""
    with FakeHost(request.param, tmp_path / "a0", clock=RunningClock()) as running:
        running.install(PACK_ROOT)
        running.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        yield running


async def tell(host: FakeHost, text: str) -> None:
    """Let the host store one memory, and adopt it with the next turn."""
    await host.turn("Listen.", fragments=[text])
    await host.finish_memorizing()
    await host.turn("Thank you.")
    await host.settle()


def texts(host: FakeHost) -> set[str]:
    return {document.page_content for document in host.docs.values()}


async def from_over_there(host: FakeHost, text: str) -> list[str]:
    """Let another process be a host on the same folder; return the texts that it ends with."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-W", "ignore", str(SCRIPT), host.generation, str(host.root), text],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[1]), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert done.stdout.rstrip().endswith(" []"), done.stdout
    return ast.literal_eval(done.stdout.rstrip().removesuffix(" []"))


async def test_one_vault_is_the_same_in_both(host: FakeHost) -> None:
    """V-10, V-58, V-62, T-17, T-18: whichever host saves last, the file wins; nothing is doubled or comes back."""
    await tell(host, FIRST)
    folder = host.memory_folder()
    vault = VaultStore(folder)
    rule, plan = (vault.add_memory(text, "shared", "other").record.id for text in ("Answer in Latin", "Bees first"))
    assert await from_over_there(host, OTHERS) == sorted((FIRST, OTHERS, "Answer in Latin", "Bees first"))
    vault.update_memory(rule, text="Answer in Greek")
    await tell(host, LAST)
    assert sorted(one.page_content for one in host.docs.values()) == sorted(
        (FIRST, LAST, "Answer in Greek", "Bees first")
    )
    vault.delete_memory(plan)
    assert await from_over_there(host, OTHERS) == sorted((FIRST, LAST, OTHERS, "Answer in Greek"))
    assert cli.main(["erase", "--folder", str(folder), rule]) == 0
    await host.turn("Hello.")
    await host.settle()
    await host.turn("Hello again.")
    await host.settle()
    assert texts(host) == {FIRST, LAST}
    assert "Answer in" not in (folder / "vault.jsonl").read_text()
    over_there = await from_over_there(host, "The owl sleeps at noon.")
    assert not {"Answer in Greek", "Answer in Latin", "Bees first"} & {*over_there}
    assert vault.list_active() == [] and host.hook_errors == []


async def test_what_the_last_writer_did_not_know_is_named_and_comes_back(host: FakeHost) -> None:
    """T-64, P-02: both chats go on; the next start says what the index lacks, and one command brings it back."""
    await tell(host, FIRST)
    assert await from_over_there(host, OTHERS) == sorted((FIRST, OTHERS))
    await tell(host, LAST)
    assert texts(host) == {FIRST, LAST}, "the host itself overwrites what it did not load"
    await host.restart()
    await host.turn("Good morning.")
    await host.settle()
    await host.turn("How are you?")
    told = [item for item in host.log if "can be brought back" in item.heading]
    assert len(told) == 1 and str(host.memory_folder()) in told[0].content
    assert cli.main(["restore", "--folder", str(host.memory_folder())]) == 0
    await host.turn("Hello.")
    await host.finish_memorizing()
    await host.settle()
    assert texts(host) == {FIRST, OTHERS, LAST}
    assert host.hook_errors == []
    for document in host.docs.values():
        assert document.metadata["classification"]["validity"] in ("inferred", "confirmed")


@pytest.mark.parametrize("is_saved_first", [True, False])
async def test_what_one_host_erases_the_other_does_not_bring_back(host: FakeHost, is_saved_first: bool) -> None:
    """T-64: it was in use over there all the while; the next save, backup and prompt are without it."""
    await tell(host, FIRST)
    await tell(host, LAST)
    (secret,) = (one for one, document in host.docs.items() if document.page_content == LAST)
    folder = host.memory_folder()
    assert cli.main(["erase", "--folder", str(folder), secret]) == 0
    assert await from_over_there(host, OTHERS) == sorted((FIRST, OTHERS))
    if is_saved_first:
        await host.insert("The owl sleeps at noon.", area="main")
    else:
        await host.turn("Hello.")
        await host.settle()
    assert LAST not in texts(host) and LAST.encode() not in (folder / "index.pkl").read_bytes()
    await tell(host, "The fox sleeps at dawn.")
    await host.turn("Who sleeps in the barn?")
    await host.settle()
    left = [path.name for path in folder.rglob("*") if path.is_file() and b"sleeps in the barn." in path.read_bytes()]
    assert left == [] and host.hook_errors == []
