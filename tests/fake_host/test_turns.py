"""The model plays turns and fails as the contract says (sections 3, 7 and 8)."""

import asyncio

import pytest

from . import FakeHost, HostTurnFailed
from .probes import hook, seen


async def test_an_error_that_stays_ends_the_turn(host: FakeHost) -> None:
    """Section 1, exceptions: at once in A1, after one retry later; monologue_end runs all the same."""
    host.write_extension("message_loop_prompts_after/_55_x", hook(host, "seen.append(1)\nraise KeyError('x')"))
    host.write_extension("monologue_end/_56_end", hook(host, "seen.append('end')"))
    with pytest.raises(HostTurnFailed) as caught:
        await host.turn("Hello")
    assert isinstance(caught.value.record.error, KeyError)
    assert seen(host).count(1) == 1 + host.machine.traits.retries_after_error and seen(host)[-1] == "end"
    expected = ["error"] if host.generation == "A1" else ["warning", "error"]
    assert [item.type for item in host.warnings] == expected
    assert {error.file for error in host.hook_errors} == {"_55_x"}


async def test_an_error_at_monologue_end_loses_the_answer(host: FakeHost) -> None:
    """Section 1: it replaces the answer."""
    host.write_extension("monologue_end/_55_x", hook(host, "raise KeyError('x')"))
    with pytest.raises(HostTurnFailed) as caught:
        await host.turn("Hello")
    assert caught.value.record.response is None


async def test_keys_with_an_underscore_die_with_the_process(host: FakeHost) -> None:
    """Section 8: other data, history and memories survive a hard restart; a soft one forgets the chat."""
    await host.insert("a fact")
    host.agent.set_data("_live", object())
    host.agent.set_data("kept", {"n": 1})
    host.agent.context.set_data("project_note", "x")
    await host.turn("Hello")
    host.agent.set_data("too_late", 1)
    old_agent, old_module = host.agent, host.memory_module
    await host.restart()
    assert host.agent is not old_agent and host.memory_module is not old_module
    assert (host.agent.get_data("kept"), host.agent.get_data("_live")) == ({"n": 1}, None)
    assert host.agent.get_data("too_late") is None
    assert host.agent.context.get_data("project_note") == "x"
    assert host.agent.history.output()[0]["content"] == {"user_message": "Hello"}
    assert [doc.page_content for doc in host.docs.values()] == ["a fact"]
    module = host.memory_module
    await host.restart(hard=False)
    assert host.memory_module is module
    assert host.agent.history.output() == []


_LATE = """\
import asyncio, threading, time
loop = asyncio.get_running_loop()
data = self.agent.context.data
data["_gate"] = gate = threading.Event()
def work(name):
    gate.wait(10)
    seen.append(name)
loop.run_in_executor(None, work, "worker")
threading.Thread(target=work, args=("thread",)).start()
async def task():
    await asyncio.to_thread(work, "task")
data["_task"] = asyncio.create_task(task())
"""


async def test_nothing_of_a_killed_process_goes_on(host: FakeHost) -> None:
    """The facade: after a hard restart no task or thread of the old process is left; what began has ended."""
    host.write_extension("monologue_end/_55_late", hook(host, _LATE))
    await host.turn("Hello")
    await asyncio.sleep(0)
    old = host.agent.context.data
    old["_gate"].set()
    await host.restart(keep_chats=False)
    assert old["_task"].done()
    assert "thread" in old["seen"]
    assert host.process.workers.threads_of_packs() == []
    await host.turn("Hello again", iterations=1)
    host.agent.context.data["_gate"].set()
