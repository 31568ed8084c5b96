"""What is beside the store may be damaged, full or in the way: the chat goes on, one warning each, nothing is lost."""

import errno
import importlib
from datetime import UTC, datetime
from typing import Any

import pytest
from fake_host import FakeHost
from full_disk import full_disk
from hook_tools import axes, find, learn_two_versions, remember, rest, settle
from memory_ledger.inbox import CorrectSource
from memory_ledger.records import Source
from memory_ledger.store.requests import Inbox


def status_of(host: FakeHost) -> dict[str, Any]:
    found = {}
    for one, document in host.docs.items():
        lineage = document.metadata["lineage"]
        found[one] = (document.page_content, axes(document), lineage["superseded_by"], lineage["supersedes"])
    return found


def expect_no_failure(host: FakeHost) -> list[str]:
    """Return what the chat was warned of: each once, and no hook failed."""
    ours = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    said = [(item.heading, item.content) for item in ours]
    assert len(set(said)) == len(said), said
    assert not [heading for heading, _ in said if "failed" in heading], said
    host.expected_warnings = len(ours)
    return [content for _, content in said]


async def fill(host: FakeHost) -> None:
    """Put two memories in, of which one has retired the other, and recall them."""
    await learn_two_versions(host)
    await host.turn("Which Python does my project use?")
    await rest(host)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=errno.errorcode.get)
async def test_full_disk_and_read_only_folder(number: int, host: FakeHost) -> None:
    """C-74, T-64: what cannot be written now is told once, and written as soon as that is possible again.

    So is the answer to what a person asked for, which costs no turn its memories.
    """
    await fill(host)
    inbox, asked = Inbox(host.memory_folder()), find(host, "3.9").metadata["id"]
    inbox.append(CorrectSource(memories=(asked,), source=Source.AGENT_INFERRED), at=datetime.now(UTC), by="rosa")
    with full_disk(host.memory_folder().parent, number):
        assert "3.11" in (await host.turn("Which Python does my project use?")).prompt.memories
        await remember(host, "My project uses Python 3.12.", "User's project uses Python 3.12")
        record = await host.turn("Which Python does my project use?")
        await rest(host)
        warned = expect_no_failure(host)
        assert warned, "nobody was told"
        assert not [one.heading for one in host.warnings if "metadata" in one.heading], "that is not what happened"
        assert "3.12" in record.prompt.memories
        assert (axes(find(host, "3.11"))[0], axes(find(host, "3.9"))[3]) == ("deprecated", "agent_inferred")
        assert inbox.read()[0].answer is None
    await host.turn("Thank you.")
    await rest(host)
    expect_no_failure(host)
    [request] = inbox.read()
    assert request.answer is not None and request.answer.words == "the source of 1 memory corrected"
    before = status_of(host)
    await host.restart()
    await settle(host)
    expect_no_failure(host)
    assert status_of(host) == before
    assert "3.12" in (host.memory_folder() / "ledger_backup.jsonl").read_text()


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_clock_that_goes_back(is_restarted: bool, host: FakeHost) -> None:
    """C-47, C-92, T-06: the last word holds, in this run and the next; counters and cycles go on, and nothing fails."""
    _follow_clock(host)
    await fill(host)
    folder = vars(host.memory_module.Memory.index["default"])["_memory_ledger_folder"]
    cycle = folder.store.state.recall_cycle
    host.machine.clock.advance(days=-1)
    if is_restarted:
        await host.restart()
        _follow_clock(host)
    await remember(host, "My project uses Python 3.12 now.", "User's project uses Python 3.12")
    assert axes(find(host, "3.12"))[0] == "confirmed"
    for _ in range(2):
        record = await host.turn("Which Python does my project use?")
        await settle(host)
        assert "3.12" in record.prompt.memories and "3.11" not in record.prompt.memories
        await host.restart()
        _follow_clock(host)
    await settle(host)
    folder = vars(host.memory_module.Memory.index["default"])["_memory_ledger_folder"]
    assert folder.store.state.recall_cycle > cycle
    expect_no_failure(host)


def _follow_clock(host: FakeHost) -> None:
    """Let the pack, too, have the clock of the machine."""
    opened = importlib.import_module("usr.plugins.memory_ledger.helpers.host.session").open_session
    opened.__kwdefaults__["clock"] = lambda: host.machine.clock().astimezone(UTC)
