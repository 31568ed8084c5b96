"""The audit writer's hooks: one message for each hop, and nothing anybody said (T-34, T-56)."""

import asyncio
import json
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from fake_host import FakeHost
from fake_host.monologue import HostTurnFailed
from hook_tools import configure_pack
from memory_ledger.knowledge.hops import Record, parse_hop, parse_log_name

SAID = "My password is hunter2-Xy9, call Anna Kowalska at +48 601 234 567, see https://shop.example/cart?token=abc123"
PRIVATE = ("hunter2", "Anna", "Kowalska", "601 234", "shop.example", "token=", "abc123", "secret reply", "found it")


async def written(host: FakeHost) -> list[dict[str, Any]]:
    """Return the messages of the audit log, once the last turn is in it."""
    future = host.agent.data.get("_memory_ledger_audit_write")
    if future is not None:
        await future
    logs = sorted((host.root / "usr" / "system" / "logs").glob("*"))
    assert all(parse_log_name(path.name) is not None for path in logs)
    return [json.loads(line) for path in logs for line in path.read_text("utf-8").splitlines()]


def hops(messages: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
    """Return who, what, and who is next, of each message."""
    return [(one["agent"]["name"], one["output"]["content_type"], one["next_agent"]["name"]) for one in messages]


async def test_every_hop_is_one_message(host: FakeHost) -> None:
    """T-34, T-56, M-57, T-59: user to agent, agent to tool and back, end of chain; nothing that anybody said."""
    await host.turn(SAID, reply="A secret reply.", tool_calls=[("search_engine", {"query": SAID}, "found it")])
    messages = await written(host)
    assert not [one for one in PRIVATE if one in json.dumps(messages)]
    assert {one["audit"]["reasoning"] for one in messages} == {"Not recorded."}
    name = host.agent.config.profile
    assert hops(messages) == [(name, "request", name), ("search_engine", "task_result", name), (name, "response", None)]
    assert [one["metadata"]["sequence_number"] for one in messages] == [1, 2, 3]
    assert len({one["metadata"]["request_id"] for one in messages}) == 1
    assert [one["metadata"]["parent_message_id"] for one in messages[1:]] == [one["message_id"] for one in messages[:2]]
    assert messages[0]["input"]["source"] == "user"
    assert messages[0]["output"]["content"]["characters"] == len(SAID)
    assert messages[1]["output"]["content"]["task_result"]["status"] == "complete"
    assert {one["status"]["code"] for one in messages} == {"success"}
    await host.turn("Hello again.", tool_calls=[("call Anna now", {}, "x")])
    both = await written(host)
    assert len({one["metadata"]["session_id"] for one in both}) == 1
    assert len({one["metadata"]["request_id"] for one in both}) == 2
    assert len({one["message_id"] for one in both}) == len(both) == 6
    assert "Anna" not in json.dumps(both) and "unnamed" in json.dumps(both)


async def test_a_subordinate_is_part_of_the_chain(host: FakeHost) -> None:
    """T-56: agent to subordinate and back; the chain ends with the agent that talks to the user."""
    await host.turn("Hello.", tool_calls=[("call_subordinate", {"message": SAID}, "found it")])
    name = host.agent.config.profile
    messages = await written(host)
    assert hops(messages) == [
        (name, "request", name),
        (name, "delegation", f"{name}_1"),
        (f"{name}_1", "delegation_result", name),
        (name, "response", None),
    ]
    assert "Anna" not in json.dumps(messages)


async def test_a_turn_that_fails_is_a_failed_transaction(host: FakeHost) -> None:
    """T-56, M-13: the log says so, and the turn's own error is what the user sees."""

    def fail(prompt: Any) -> None:
        raise RuntimeError(SAID)

    with pytest.raises(HostTurnFailed, match="hunter2"):
        await host.turn("Hello.", on_model_call=fail)
    last = (await written(host))[-1]
    assert last["status"]["code"] == "failed"
    assert last["error"]["error_code"] == "PROCESSING_ERROR"
    assert last["next_agent"]["name"] is None
    assert "hunter2" not in json.dumps(last)


@pytest.mark.parametrize("chosen", [{"enabled": False}, {"audit_log": {"enabled": False}}])
async def test_it_can_be_switched_off(host: FakeHost, chosen: dict[str, Any]) -> None:
    """T-56: disabled by the configuration, nothing is written."""
    configure_pack(host, **chosen)
    await host.turn("Hello.", tool_calls=[("search_engine", {}, "x")])
    assert await written(host) == []
    assert not (host.root / "usr" / "system").exists()


async def test_a_log_that_cannot_be_written_holds_nothing_up(host: FakeHost) -> None:
    """T-56, C-74: told once; what is owed is written when it can be."""
    blocked = host.root / "usr" / "system"
    blocked.parent.mkdir(exist_ok=True)
    blocked.write_text("a file where the folder should be")
    for _ in range(3):
        assert (await host.turn("Hello.", reply="Hi.")).response == "Hi."
        await host.agent.data["_memory_ledger_audit_write"]
    host.expected_warnings = 1
    blocked.unlink()
    await host.turn("Hello.")
    assert len(await written(host)) == 8


SECRET = "Anna Kowalska hunter2"


async def test_what_failed_is_told_by_a_code_and_nothing_else(host: FakeHost) -> None:
    """Issue 23: errors, timeouts, unknown tools, calls in vain, plain text and silence; no text of any of them."""
    await host.turn(
        f"Create a chart for {SECRET}.",
        tool_calls=[
            ("search_engine", {"query": SECRET}, f"Error: {SECRET}; exit code 1"),
            ("search_engine", {"query": SECRET}, f"Error: {SECRET} timed out"),
            ("search_engine", {"query": SECRET}, SECRET),
            ("search_engine", {"query": SECRET}, SECRET),
            ("no_such_tool", {}, None),
            *(("", {}, said) for said in ("", None, SECRET)),
        ],
    )
    messages = await written(host)
    assert [(one["agent"]["name"], one["error"]["error_code"]) for one in messages if one["error"]["has_error"]] == [
        ("search_engine", "PROCESSING_ERROR"),
        ("search_engine", "TIMEOUT"),
        ("search_engine", "REPEATED_CALL"),
        ("no_such_tool", "TOOL_NOT_FOUND"),
        *[(host.agent.config.profile, "MISFORMATTED")] * 3,
    ]
    assert messages[0]["output"]["content"]["intent"] == "create chart"
    assert not [word for word in SECRET.split() if word in json.dumps(messages)]


SLOW_TOOL = f"""
try:
    from helpers.tool import Response, Tool
except ImportError:
    from python.helpers.tool import Response, Tool


class Search(Tool):
    async def execute(self, late=0, **kwargs):
        self.agent.data["_asked"] = self.agent.data.get("_asked", 0) + 1
        if self.agent.data["_asked"] <= late:
            raise TimeoutError("{SECRET}")
        return Response("found it", break_loop=False)
"""


@pytest.mark.parametrize("late", [1, 2])
async def test_a_tool_that_raises_has_failed_with_that(host: FakeHost, late: int) -> None:
    """Issue 23: the host goes on after an exception, and ends the turn after the next; only the code is kept."""
    tools = host.root / host.machine.traits.tool_root
    tools.mkdir(parents=True, exist_ok=True)
    (tools / "search_engine.py").write_text(SLOW_TOOL)
    is_ended = late > host.machine.traits.retries_after_error
    with pytest.raises(HostTurnFailed) if is_ended else nullcontext():
        await host.turn("Hello.", tool_calls=[("search_engine", {"late": late, "at": at}) for at in (1, 2)])
    messages = await written(host)
    codes = [one["error"]["error_code"] for one in messages if one["agent"]["name"] == "search_engine"]
    tried = min(late, host.machine.traits.retries_after_error + 1)
    assert codes == ["TIMEOUT"] * tried + [None] * (not is_ended)
    assert messages[-1]["error"]["error_code"] == ("TIMEOUT" if is_ended else None)
    assert not [word for word in SECRET.split() if word in json.dumps(messages)]


async def test_a_turn_that_was_stopped_is_written_with_the_next_one(host: FakeHost) -> None:
    """Issue 23: the host tells nobody when a task is killed."""
    await host.turn("Hello.")
    await written(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    log.note_start(host.agent, host.agent.loop_data)
    log.note_tool_start(host.agent, "search_engine", {"query": SAID})
    await host.turn("Hello again.")
    await asyncio.sleep(0.05)
    messages = await written(host)
    stopped = [(one["agent"]["name"], one["error"]["error_code"]) for one in messages if one["error"]["has_error"]]
    assert stopped == [("search_engine", "NO_ANSWER"), (host.agent.config.profile, "NO_ANSWER")]
    assert len({one["metadata"]["request_id"] for one in messages}) == 3


async def test_an_interruption_of_the_user_is_a_failure_of_the_hop(host: FakeHost) -> None:
    """Issue 23, T-59: the message that interrupts is not kept, nor the name of a tool that the model made up."""
    await host.turn("Hello.")
    await written(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    log.note_start(host.agent, host.agent.loop_data)
    log.note_model_call(host.agent, host.agent.loop_data)
    host.agent.loop_data.current_tool = type("Unknown", (), {})()
    log.note_tool_start(host.agent, "plan_of_anna", {"query": SAID})
    host.agent.last_user_message = object()
    log.note_model_call(host.agent, host.agent.loop_data)
    log.note_end(host.agent)
    messages = await written(host)
    assert ("unknown_tool", "INTERVENTION") in [(one["agent"]["name"], one["error"]["error_code"]) for one in messages]
    assert "plan_of_anna" not in json.dumps(messages)


@pytest.mark.parametrize("has_reasoning", [False, True], ids=["thoughts", "reasoning alone"])
async def test_reasons_are_logged_where_the_host_has_them_and_it_is_wanted(host: FakeHost, has_reasoning: bool) -> None:
    """M-05, M-42, issue 49: the thoughts of the answer, else the model's reasoning; private parts masked."""
    configure_pack(host, audit_log={"reasoning": True})
    line = SimpleNamespace(kvps={"reasoning": "The user at anna@example.org wants\nan escalation to a large model."})

    def reason(prompt: Any) -> None:
        if has_reasoning:
            host.agent.loop_data.params_temporary["log_item_generating"] = line
            host.agent.hist_add_ai_response = lambda message: setattr(host.agent.loop_data, "last_response", "no JSON")

    await host.turn("Hello.", tool_calls=[("search_engine", {}, "x")], on_model_call=reason)
    messages = await written(host)
    given = "The user at [email] wants an escalation to a large model." if has_reasoning else "scripted"
    assert [one["audit"]["reasoning"] for one in messages] == ["None was given.", given, given]
    assert not any(parse_hop(Record(one)).is_escalated for one in messages)  # what a model thinks of is none
