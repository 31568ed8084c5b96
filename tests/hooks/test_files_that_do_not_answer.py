"""A disk that hangs, a file that another program holds, a limit for files: the chat goes on, nothing is lost (C-74)."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from fake_host import FakeHost
from full_disk import hanging_disk
from hook_tools import axes, find, remember, rest, settle
from memory_ledger.store import files

FIRST, SECOND, THIRD = (f"User's project uses Python 3.{number}" for number in (9, 11, 12))


@contextmanager
def in_a_hurry() -> Iterator[None]:
    """Let hooks wait for less than otherwise."""
    names = [one for one in sys.modules if one.endswith("memory_ledger.helpers.store.deadline")]
    for name in names:
        sys.modules[name].keep_deadlines(0.05)
    yield
    for name in names:
        sys.modules[name].keep_deadlines()


async def fill(host: FakeHost) -> None:
    await remember(host, "My project uses Python 3.9.", FIRST)
    await rest(host)


async def correct(host: FakeHost, said: str, memory: str) -> str:
    """Let the user correct himself and ask; return the prompt's memories."""
    await remember(host, said, memory)
    return (await host.turn("Which Python does my project use?")).prompt.memories


async def expect_all_there(host: FakeHost) -> None:
    """What was owed is written, once and in order; a new process finds it."""
    await host.turn("Thank you.")
    await rest(host)
    told = [one for one in host.warnings if one.heading.startswith("Memory Ledger")]
    assert told and all("no answer within" in one.content for one in told)
    before = {one: axes(document) for one, document in host.docs.items()}
    journal = (host.memory_folder() / files.JOURNAL_FILE).read_text().splitlines()
    assert len(set(journal)) == len(journal)
    assert all(text in (host.memory_folder() / files.BACKUP_FILE).read_text() for text in (FIRST, SECOND))
    await host.restart()
    await settle(host)
    assert {one: axes(document) for one, document in host.docs.items()} == before
    assert axes(find(host, "3.9"))[0] == "deprecated"


@pytest.mark.parametrize("for_readers", [False, True], ids=["for writers", "for all"])
async def test_a_disk_that_hangs_holds_nobody_up(for_readers: bool, host: FakeHost) -> None:
    """C-74: the turns end while it hangs; what they could not write is written when it answers again."""
    await fill(host)
    disk = hanging_disk(host.memory_folder().parent, for_readers=for_readers)
    with in_a_hurry(), disk as waited:
        shown = await correct(host, "My project uses Python 3.11 now.", SECOND)
        assert waited
        assert "3.11" in shown and "3.9" not in shown
    await host.settle()
    await expect_all_there(host)


async def test_a_file_that_another_program_holds_holds_nobody_up(host: FakeHost) -> None:
    """C-74: as above, whichever of the line files it is."""
    await fill(host)
    folder = host.memory_folder()
    held = [*folder.glob("*.jsonl")]
    assert len(held) > 1
    with in_a_hurry(), ExitStack() as holding:
        for path in held:
            holding.enter_context(files.only_writer(path))
        shown = await correct(host, "My project uses Python 3.11 now.", SECOND)
        assert "3.11" in shown and "3.9" not in shown
    await host.settle()
    await expect_all_there(host)


LIMITED = """
import asyncio, json, resource, signal, sys
from pathlib import Path

sys.path[:0] = sys.argv[3:]
from fake_host import FakeHost, RunningClock
from hook_tools import remember, rest, settle

async def play(root, limit):
    with FakeHost("C", root, clock=RunningClock()) as host:
        host.install(Path(sys.argv[3]).parents[1])
        for path in root.rglob("_90_save_chat.py"):  # with this limit the host itself ends no turn
            path.unlink()
        await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
        await rest(host)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        shown = [(await host.turn("Which Python does my project use?")).prompt.memories for _ in range(2)]
        await host.settle()
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        failed = [one.heading for one in host.warnings if "failed" in one.heading]
        await remember(host, "My project uses Python 3.11 now.", "User's project uses Python 3.11")
        await rest(host)
        await host.restart()
        await rest(host)
        held = {one.page_content: one.metadata["classification"]["validity"] for one in host.docs.values()}
        return [shown, failed, [str(one) for one in host.hook_errors], held]

found = {limit: asyncio.run(play(Path(sys.argv[1]) / limit, int(limit))) for limit in sys.argv[2].split()}
print(json.dumps(found))
"""


def test_a_limit_for_files_holds_nobody_up(tmp_path: Path) -> None:
    """C-74: no file of this process may grow beyond so many bytes, as on a full disk; then it may again."""
    tests = Path(__file__).resolve().parent
    command = [sys.executable, "-W", "ignore", "-c", LIMITED, str(tmp_path), "0 1000", str(tests)]
    done = subprocess.run(
        [*command, str(tests.parent)], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    found = json.loads(done.stdout)
    assert len(found) == 2
    for limit, (shown, failed, errors, held) in found.items():
        assert all("Python 3.9" in one for one in shown), limit
        assert (failed, errors) == ([], []), limit
        assert held == {FIRST: "deprecated", SECOND: "confirmed"}, limit
