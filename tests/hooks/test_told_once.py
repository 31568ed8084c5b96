"""What is wrong is told once in the log of a chat, and again when it comes back; a secret is told, and not repeated."""

import functools
import importlib
import threading
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from full_disk import full_disk
from hook_tools import PACK, configure_pack, find, remember, settle, use_folder
from memory_ledger.errors import Problem
from memory_ledger.store import files

FOLDER_KEY = "_memory_ledger_folder"


def told(host: FakeHost, text: str) -> list[str]:
    """Return the warnings that say something, of all chats."""
    return [str(item.content) for item in host.warnings if text in f"{item.heading}\n{item.content}"]


async def full_once(host: FakeHost, path: Path, number: int) -> None:
    """Let a file be full for two turns that write to it, and then no longer; writes from before have ended."""
    await host.settle()
    with full_disk(path):
        for one in ("tea", "coffee"):
            await remember(host, f"I like {one} number {number}.", f"User likes {one} number {number}")
            await settle(host)
    await host.turn("Hello.")
    await settle(host)


async def test_a_disk_that_is_full_again_is_told_again(host: FakeHost) -> None:
    """T-64, C-74: once for as long as it lasts."""
    await host.turn("Hello.")
    for number in (1, 2):
        await full_once(host, host.memory_folder() / files.BACKUP_FILE, number)
        assert len(told(host, "missing from the backup")) == number
    host.expected_warnings = 2


async def test_what_is_wrong_with_a_folder_is_told_where_that_is_in_use(host: FakeHost) -> None:
    """C-74: in no chat of another folder, and not lost meanwhile."""
    await host.turn("Hello.")
    await settle(host)
    problems = (await host.memory()).db.__dict__[FOLDER_KEY].store.problems
    problems.tell(Problem(where="it", found="odd", allowed="even"))
    use_folder(host, "another")
    await host.turn("Hello.")
    await settle(host)
    assert told(host, "it is odd") == []
    use_folder(host, "default")
    for _ in range(2):
        await host.turn("Hello.")
    assert told(host, "it is odd") == ["it is odd; allowed: even"]
    host.expected_warnings = 1


async def test_settings_are_named_in_each_chat_and_again_when_they_are_wrong_again(host: FakeHost) -> None:
    """C-72: what stays wrong when the file changes is not named once more."""
    configure_pack(host, conflict_top_k="many")
    await host.turn("Hello.")
    second = host.new_context().agent0
    for agent in (host.agent, second, host.agent, second):
        await host.turn("Hello.", agent=agent)
    assert len(told(host, "conflict_top_k is 'many'")) == 2
    configure_pack(host, conflict_top_k="many", colour="red")
    await host.turn("Hello.")
    assert ["conflict_top_k" in one.split("allowed:")[0] for one in told(host, "colour")] == [False]
    configure_pack(host)
    await host.turn("Hello.")
    configure_pack(host, conflict_top_k="many")
    await host.turn("Hello.")
    assert len(told(host, "conflict_top_k is 'many'")) == 3
    host.expected_warnings = 4


async def test_a_slow_reading_of_the_settings_takes_no_newer_reading_back(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-72: the end of a turn reads them in a thread; what that had begun to read before a change is older."""
    await host.turn("Hello.")
    await settle(host)
    view = importlib.import_module(f"{PACK}.host.view")
    plugins = importlib.import_module("helpers.plugins")
    has_begun, may_end, read = threading.Event(), threading.Event(), plugins.get_plugin_config

    @functools.wraps(read)
    def read_slowly(*args: Any, **kwargs: Any) -> Any:
        config = read(*args, **kwargs)
        if threading.current_thread() is slow and "_memory" in args:  # which is read after the pack's own settings
            has_begun.set()
            may_end.wait(60)
        return config

    monkeypatch.setattr(plugins, "get_plugin_config", read_slowly)
    slow = threading.Thread(target=view.refresh_view, args=(host.agent,))
    slow.start()
    assert has_begun.wait(60)
    configure_pack(host, conflict_top_k=7)
    assert view.current_view(host.agent).settings.conflict_top_k == 7
    may_end.set()
    slow.join()
    assert view.current_view(host.agent).settings.conflict_top_k == 7


PASSWORD = "Kite&2211"
SAYS_ONE = f"User's staging password is {PASSWORD}"


async def test_a_warning_and_the_health_say_which_memory(host: FakeHost) -> None:
    """V-56, T-22: id and kind, and what to do; the memory is stored and adopted all the same, and told once."""
    configure_pack(host, secret_warnings=False)
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    assert "secrets" not in host.agent._memory_health
    configure_pack(host)
    await remember(host, "My project uses Redis 7.", "User's project uses Redis 7")
    assert host.agent._memory_health["secrets"] == {"memories": 0, "by_type": {}, "ids": []}
    await remember(host, f"My staging password is {PASSWORD}.", SAYS_ONE)
    await settle(host)
    document = find(host, "staging password")
    assert document.metadata["classification"]["source"] == "user_asserted"
    (item,) = [one for one in host.warnings if one.heading.startswith("Memory Ledger")]
    assert item.heading == "Memory Ledger: 1 memory may hold a secret (password)"
    assert item.content.splitlines()[0] == document.id
    assert "memory-ledger scan --folder" in item.content and "memory-ledger erase" in item.content
    assert host.agent._memory_health["secrets"] == {"memories": 1, "by_type": {"password": 1}, "ids": [document.id]}
    assert PASSWORD not in f"{item.heading} {item.content} {host.agent._memory_health}"
    host.expected_warnings = 1
