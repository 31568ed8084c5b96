"""The model plays turns and fails as the contract says (sections 3, 7 and 8).

Loading, storing, memorizing and recall have their own tests beside the model: tests/fake_host/test_*.py.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_host import ALL_GENERATIONS, FakeHost, HostTurnFailed
from fake_host.probes import hook, seen

AFTER = "message_loop_prompts_after"


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of each generation."""
    with FakeHost(request.param, tmp_path / "a0") as running:
        yield running


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


async def test_temporary_extras_are_gone_after_the_prompt(host: FakeHost) -> None:
    """Section 3, "Extras in prompt": persistent first, temporary overrides and is cleared."""
    body = (
        "ld = kwargs['loop_data']\n"
        "if ld.iteration == 0:\n"
        "    ld.extras_persistent['a'] = 'kept'\n"
        "    ld.extras_temporary['a'] = 'once'\n"
    )
    host.write_extension(f"{AFTER}/_95_x", hook(host, body))
    record = await host.turn("Hello", iterations=2)
    assert [prompt.extras["a"] for prompt in record.prompts] == ["once", "kept"]


async def test_extras_that_are_no_json_end_the_turn(host: FakeHost) -> None:
    """Section 3: values must be JSON-serialisable or the prompt cannot be made."""
    host.write_extension(f"{AFTER}/_95_x", hook(host, "kwargs['loop_data'].extras_temporary['a'] = {1}"))
    with pytest.raises(HostTurnFailed, match="not JSON serializable"):
        await host.turn("Hello")


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


async def test_an_error_outside_the_iteration_starts_over_with_new_loop_data(host: FakeHost) -> None:
    """Section 1: message_loop_start belongs to the outer handler, from A2 on a new monologue begins."""
    body = "seen.append(id(kwargs['loop_data']))\nif len(seen) == 1:\n    raise KeyError('x')"
    host.write_extension("message_loop_start/_55_x", hook(host, body))
    if host.generation == "A1":
        with pytest.raises(HostTurnFailed):
            await host.turn("Hello")
        return
    record = await host.turn("Hello")
    assert [prompt.iteration for prompt in record.prompts] == [0]
    assert record.points.count("monologue_end") == 2


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


async def test_one_file_may_be_run_alone_and_a_point_fired(host: FakeHost) -> None:
    """The facade: run() follows the loader's rules, fire() runs a point, also without an agent."""
    host.write_extension("monologue_end/_55_x", hook(host, "seen.append(sorted(kwargs))"))
    await host.run("monologue_end/_55_x.py")
    await host.run("monologue_end/_55_x", extra=1)
    assert seen(host) == [["loop_data"], ["extra", "loop_data"]]
    host.write_extension("job_loop/_55_x", hook(host, "pass"))
    with pytest.raises(AttributeError):
        await host.fire("job_loop", agent=None)
    with pytest.raises(FileNotFoundError):
        await host.run("monologue_end/_55_nothing")


# -- agents (section 8) -------------------------------------------------------------------------------------


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


async def test_the_positional_temp_of_a1(host: FakeHost) -> None:
    """Section 8, "Log": `temp` is a parameter in A1 and a visible kvp later."""
    item = host.agent.context.log.log(type="util", heading="h", temp=True, update_progress="none", count=1)
    assert ("temp" in item.kvps) == (host.generation != "A1")
    item.update(content="a")
    item.stream(content="b", heading="!")
    assert (item.heading, item.content, item.kvps["count"]) == ("h!", "ab", 1)
    positional = host.agent.context.log.log("util", "h", "c", None, "none")
    assert (positional.update_progress == "none") == (host.generation != "A1")


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


async def test_contexts_projects_and_types(host: FakeHost) -> None:
    """Section 8: the type of a chat, its project, and where the models are named."""
    first = host.agent
    task = host.new_context(type="task", project="alpha")
    assert (first.context.type.value, task.type.value) == ("user", "task")
    assert task.get_data("project") == "alpha"
    assert host.process.classes.AgentContext.get(task.id) is task
    assert hasattr(first.config, "memory_subdir") == (not host.machine.traits.has_plugins)
    record = await host.turn("Hello", agent=task.agent0)
    assert record.response == "Done."


async def test_settings_of_a_are_global(host: FakeHost) -> None:
    """Section 7: settings.get_settings() in A, plugin configuration in B and C."""
    host.configure(memory_recall_interval=7)
    settings = __import__(f"{host.machine.traits.helpers}.settings", fromlist=["x"]).get_settings()
    assert settings.get("memory_recall_interval") == (None if host.machine.traits.has_plugins else 7)
    assert settings["agent_profile"] == "agent0"


async def test_a_turn_needs_a_running_host(tmp_path: Path) -> None:
    """The facade says what is missing."""
    host = FakeHost("C", tmp_path)
    with pytest.raises(RuntimeError, match="not running"):
        await host.turn("Hello")


async def test_the_main_model_can_be_watched(host: FakeHost) -> None:
    """The facade: on_model_call runs while the model thinks, also as a coroutine."""
    watched: list[Any] = []

    async def watch(prompt: Any) -> None:
        await asyncio.sleep(0)
        watched.append((prompt.iteration, [m["ai"] for m in prompt.history]))

    await host.turn("Hello", iterations=2, on_model_call=watch)
    assert watched == [(0, [False]), (1, [False, True, False])]


async def test_the_greeting_is_a_message_of_the_model_before_any_turn(tmp_path: Path) -> None:
    """Not in the contract: agent 0 has loop data and an AI message from agent_init on."""
    for generation in ALL_GENERATIONS:
        with FakeHost(generation, tmp_path / generation, greeting="Hello!") as host:
            assert [message["ai"] for message in host.agent.history.output()] == [True]
            assert host.agent.loop_data.user_message is None
            await host.turn("Hello")
            assert [len(topic.messages) for topic in host.agent.history.topics] == [1]
            await host.restart()
            assert [m["ai"] for m in host.agent.history.output()] == [True, False, True]


async def test_at_agent_init_a_chat_of_a1_has_no_data_yet(host: FakeHost) -> None:
    """Not in the contract: A1 makes the agent before the chat's data, type and task."""
    body = "self.agent.data['had'] = hasattr(self.agent.context, 'data')\n"
    if host.machine.traits.always_awaits:
        body += "import asyncio\nreturn asyncio.sleep(0)"
    text = hook(host, body, is_async=False)
    text = "\n".join(line for line in text.splitlines() if "seen =" not in line)
    host.write_extension("agent_init/_55_x", text + "\n")
    assert host.agent.get_data("had") == (host.generation != "A1")


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
