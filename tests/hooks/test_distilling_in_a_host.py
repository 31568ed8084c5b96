"""The memory agent's triggers in a running host (M-24, M-25, M-38, M-52, T-32, T-56)."""

import asyncio
import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import configure_pack, threads_that_open
from memory_ledger.clock import parse_time
from memory_ledger.store.files import hold_folder

HOOK = "monologue_end/_59_memory_ledger_knowledge"
SAID = "My password is hunter2-Xy9, call Anna Kowalska at +48 601 234 567"
PRIVATE = ("hunter2", "Anna", "Kowalska", "601 234", "secret reply")


def folder_of(host: FakeHost) -> Any:
    """Return what the pack keeps for the memory folder in use."""
    return vars(host.memory_module.Memory.index["default"])["_memory_ledger_folder"]


def memory_files(host: FakeHost) -> dict[str, str]:
    """Return every knowledge file."""
    top = host.root / "usr" / "context" / "memory"
    return {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in top.rglob("*") if path.is_file()}


def agent_file(host: FakeHost) -> dict[str, Any]:
    """Return what the memory agent remembers of itself."""
    path = host.memory_folder().parent / "knowledge_agent.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def transactions_counted(host: FakeHost) -> int:
    """Return how many transactions are known; none before anything was written."""
    text = memory_files(host).get(".state.json")
    return sum(one["transactions"] for one in json.loads(text)["logs"].values()) if text else 0


def thread_of(host: FakeHost) -> Any:
    """Return the thread that distils, None if there was none."""
    return folder_of(host).knowledge.latest


async def finish(host: FakeHost) -> None:
    """Wait until the log is written, and what it triggers is done."""
    writing = host.agent.data.get("_memory_ledger_audit_write")
    if writing is not None:
        await writing
    await asyncio.sleep(0)
    thread = thread_of(host)
    if thread is not None:
        await asyncio.to_thread(thread.join, 60)


async def play(host: FakeHost, count: int) -> None:
    """Play so many turns, each distilled before the next one."""
    for number in range(count):
        await host.turn(
            f"{SAID} {number}", reply="A secret reply.", tool_calls=[("search_engine", {"query": SAID}, "Error: x")]
        )
        await finish(host)


async def test_what_agents_do_becomes_knowledge_of_all_of_them(host: FakeHost) -> None:
    """M-02, M-20, M-24: staged, confirmed, and then in the next prompt; nobody's words in it."""
    await play(host, 3)
    assert "PROCESSING_ERROR of" in memory_files(host)["staging/error_prevention.md"]
    await play(host, 7)
    files = memory_files(host)
    assert "PROCESSING_ERROR of search_engine" in files["error_prevention.md"]
    assert any(one.startswith("session_summaries/") for one in files)
    assert not [one for one in PRIVATE if one in "".join(files.values())]
    system = (await host.turn("Hello.")).prompt.system
    assert "- PROCESSING_ERROR of search_engine (MEM-" in system
    told = [one for one in host.log if one.heading.startswith("Memory Ledger: knowledge updated")]
    assert told
    await finish(host)


async def test_each_chain_is_a_trigger_and_a_scheduled_run_comes_once(host: FakeHost) -> None:
    """M-24, M-25, M-32: numbered messages, the last of which is kept; a subordinate's end is no end of the chain."""
    await host.turn("Hello.", tool_calls=[("call_subordinate", {"message": SAID}, "found it")])
    await finish(host)
    first = agent_file(host)
    assert first["number"] == 2
    assert abs(folder_of(host).knowledge.clock() - parse_time(first["scheduled_at"])) < timedelta(minutes=5)
    assert first["last_message"]["input"]["content"]["trigger"] == "scheduled_distillation"
    assert first["last_message"]["agent"]["name"] == "memory_agent"
    await host.turn("Hello again.")
    await finish(host)
    second = agent_file(host)
    assert (second["number"], second["scheduled_at"]) == (3, first["scheduled_at"])
    received = second["last_message"]["input"]["content"]
    assert received["trigger"] == "post_chain"
    logs = host.root / "usr" / "system" / "logs"
    assert received["log_path"] == f"system/logs/{next(logs.iterdir()).name}"
    assert received["transaction_id"] in next(logs.iterdir()).read_text("utf-8")
    configure_pack(host, knowledge={"enabled": False})
    await host.turn("Hello once more.")
    await finish(host)
    assert agent_file(host) == second


async def test_the_next_day_everything_is_looked_at_again(host: FakeHost) -> None:
    """M-25: also where no audit log is written, and whatever was distilled meanwhile."""
    await host.turn("Hello.")
    await finish(host)
    before = agent_file(host)["scheduled_at"]
    service = folder_of(host).knowledge
    tomorrow = service.clock() + timedelta(hours=25)
    service.clock = lambda: tomorrow
    await host.run(HOOK)
    await finish(host)
    assert agent_file(host)["scheduled_at"] > before


async def test_while_another_process_distils_this_one_waits(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """M-24, T-32: one at a time for each folder, in a thread; what was left is taken up with the next chain."""
    await play(host, 1)
    opened = threads_that_open(monkeypatch)
    await host.run(HOOK)
    assert threading.current_thread() not in opened
    await finish(host)
    before = agent_file(host)
    with hold_folder(host.memory_folder().parent) as is_held:
        assert is_held
        await play(host, 2)
    assert agent_file(host) == before
    await play(host, 1)
    assert agent_file(host)["number"] == before["number"] + 1
    assert transactions_counted(host) == 4


async def test_what_goes_wrong_is_told_once_and_fails_no_turn(host: FakeHost) -> None:
    """M-25, M-63, C-74: a damaged memory stays as it is; the next scheduled run is due in an hour, not in a day."""
    path = host.root / "usr" / "context" / "memory" / ".state.json"
    path.parent.mkdir(parents=True)
    path.write_text("{")
    for _ in range(3):
        assert (await host.turn("Hello.", reply="Hi.")).response == "Hi."
        await finish(host)
    assert path.read_text() == "{"
    assert "Restore it" in str(next(one for one in host.warnings if "nothing was distilled" in one.heading).content)
    assert agent_file(host)["last_message"]["error"]["has_error"] is True
    ago = folder_of(host).knowledge.clock() - parse_time(agent_file(host)["scheduled_at"])
    assert timedelta(hours=22.9) < ago < timedelta(hours=23.1)
    host.expected_warnings = 1
