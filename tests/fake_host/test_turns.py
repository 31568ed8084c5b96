"""The model plays turns and fails as the contract says (sections 3, 7 and 8)."""

import asyncio
import json

import pytest

from . import FakeHost, HostTurnFailed
from .probes import hook, seen

AFTER = "message_loop_prompts_after"


async def test_points_of_a_turn_in_their_order(host: FakeHost) -> None:
    """Section 3: the sequence of extension points; process_chain_end from A2 on."""
    record = await host.turn("Hello")
    order = [
        "hist_add_before",
        "monologue_start",
        "message_loop_start",
        "message_loop_prompts_before",
        "system_prompt",
        "message_loop_prompts_after",
        "before_main_llm_call",
        "tool_execute_before",
        "tool_execute_after",
        "message_loop_end",
        "monologue_end",
    ]
    if host.generation != "A1":
        order.append("process_chain_end")
    assert [point for point in dict.fromkeys(record.points) if point in order] == order
    assert ("chat_model_call_before" in record.points) == host.machine.traits.has_plugins


async def test_loop_data_is_new_in_every_turn(host: FakeHost) -> None:
    """Section 3 and trap 16: nothing survives in it; it takes any keyword; absent before the first turn."""
    assert not hasattr(host.agent, "loop_data")
    await host.turn("One", iterations=2)
    first = host.agent.loop_data
    first.extras_persistent["mine"] = "x"
    record = await host.turn("Two")
    assert host.agent.loop_data is not first
    assert "mine" not in record.prompt.extras
    assert (first.iteration, host.agent.loop_data.iteration) == (1, 0)
    made = host.process.classes.LoopData(anything=1)
    assert (made.anything, made.iteration) == (1, -1)
    assert hasattr(made, "protocol_persistent") == (host.machine.traits.has_protocol_extras)


async def test_an_error_that_stays_ends_the_turn(host: FakeHost) -> None:
    """Section 1, exceptions: at once in A1, after one retry later; monologue_end runs all the same."""
    host.write_extension("message_loop_prompts_before/_55_x", hook(host, "seen.append(1)\nraise KeyError('x')"))
    with pytest.raises(HostTurnFailed) as caught:
        await host.turn("Hello")
    assert isinstance(caught.value.record.error, KeyError)
    assert len(seen(host)) == 1 + host.machine.traits.retries_after_error
    assert caught.value.record.points[-1] == "monologue_end"
    expected = ["error"] if host.generation == "A1" else ["warning", "error"]
    assert [item.type for item in host.warnings] == expected
    assert {error.file for error in host.hook_errors} == {"_55_x"}


async def test_an_error_that_happens_once_is_survived_from_a2_on(host: FakeHost) -> None:
    """Section 1, exceptions: a warning goes into the history and the next iteration is tried."""
    body = "seen.append(1)\nif len(seen) == 1:\n    raise KeyError('x')"
    host.write_extension("before_main_llm_call/_55_x", hook(host, body))
    if host.generation == "A1":
        with pytest.raises(HostTurnFailed):
            await host.turn("Hello")
        return
    record = await host.turn("Hello")
    assert record.response == "Done."
    assert [prompt.iteration for prompt in record.prompts] == [0, 1]
    assert any("system_warning" in m["content"] for m in host.agent.history.output())


async def test_an_error_at_monologue_end_loses_the_answer(host: FakeHost) -> None:
    """Section 1: it replaces the answer and skips process_chain_end; B and C do not even log it."""
    host.write_extension("monologue_end/_55_x", hook(host, "raise KeyError('x')"))
    with pytest.raises(HostTurnFailed) as caught:
        await host.turn("Hello")
    assert caught.value.record.response is None
    assert "process_chain_end" not in caught.value.record.points
    assert len(host.warnings) == (0 if host.machine.traits.has_plugins else 1)


async def test_a_subordinate_works_inside_a_tool_call(host: FakeHost) -> None:
    """Section 3 and trap 17: nested points, D tells no end of it, one process_chain_end, its orders a superior's."""
    call = ("call_subordinate", {"message": "Look it up", "profile": "researcher"}, "It is 42.")
    record = await host.turn("What is it?", tool_calls=[call], reply="42")
    assert [(p.agent_number, p.iteration) for p in record.prompts] == [(0, 0), (1, 0), (0, 1)]
    ended = record.points[: record.points.index("monologue_end")]
    assert ("monologue_end@1" in ended) is not host.machine.traits.gives_subordinates_a_chat
    assert record.points.count("process_chain_end") == (0 if host.generation == "A1" else 1)
    below = host.agent.get_data("_subordinate")
    assert (below.number, below.config.profile) == (1, "researcher")
    assert below.history.output()[0]["content"] == {"user_message": "Look it up"}
    assert host.agent.history.output()[2]["content"] == {"tool_name": call[0], "tool_result": call[2]}


async def test_who_wrote_what_in_the_history(host: FakeHost) -> None:
    """Section 8, "Telling author apart": AI is raw text, all else is a dict with `ai` False."""
    await host.turn("Hello", tool_calls=[("look", {"at": "it"}, "seen")], attachments=["a.png"])
    output = host.agent.history.output()
    assert output[0]["content"] == {"user_message": "Hello", "attachments": ["a.png"]}
    assert [message["ai"] for message in output] == [False, True, False, True]
    assert json.loads(output[1]["content"])["tool_name"] == "look"
    assert output[2]["content"] == {"tool_name": "look", "tool_result": "seen"}
    assert set(output[0]) - {"ai", "content"} == (
        {"id", "sequence", "metadata"} if host.machine.traits.has_protocol_extras else set()
    )
    await host.turn("Again")
    history = host.agent.history
    assert (len(history.topics), len(history.current.messages)) == (1, 2)
    assert hasattr(history, "all_messages") == (host.machine.traits.has_protocol_extras)
    assert hasattr(history.current.messages[0], "id") == host.machine.traits.has_plugins
    assert history.output_text().startswith('user: {"user_message": "Hello"')


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


async def test_what_a_pack_leaves_running_can_be_waited_for(host: FakeHost) -> None:
    """The facade: settle() waits for executor work, threads and tasks of packs."""
    host.write_extension("monologue_end/_55_late", hook(host, _LATE))
    await host.turn("Hello")
    assert seen(host) == []
    host.agent.context.data["_gate"].set()
    await host.settle()
    assert sorted(map(str, seen(host))) == ["task", "thread", "worker"]


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
