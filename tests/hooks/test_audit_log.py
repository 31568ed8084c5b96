"""The audit writer's hooks on six generations: one message for each hop, and nothing anybody said (T-34, T-56)."""

import asyncio
import json
import sys
import threading
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fake_host import FakeHost
from fake_host.monologue import HostTurnFailed
from full_disk import full_disk
from hook_tools import configure_pack, threads_that_open
from knowledge_tools.files import DictFiles
from memory_ledger.host.knowledge.addresses import LogFolder
from memory_ledger.host.knowledge.audit_log import AuditWriter
from memory_ledger.host.knowledge.memory_agent import Distiller
from memory_ledger.knowledge.hops import parse_log_name
from memory_ledger.knowledge.trail import Trail
from memory_ledger.setting_groups import Distillation
from memory_ledger.store.damage import ProblemLog

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
    """T-56: user to agent, agent to tool and back, end of chain; in one transaction, in order."""
    await host.turn(SAID, reply="A secret reply.", tool_calls=[("search_engine", {"query": SAID}, "found it")])
    messages = await written(host)
    name = host.agent.config.profile
    assert hops(messages) == [(name, "request", name), ("search_engine", "task_result", name), (name, "response", None)]
    assert [one["metadata"]["sequence_number"] for one in messages] == [1, 2, 3]
    assert len({one["metadata"]["request_id"] for one in messages}) == 1
    assert [one["metadata"]["parent_message_id"] for one in messages[1:]] == [one["message_id"] for one in messages[:2]]
    assert messages[0]["input"]["source"] == "user"
    assert messages[0]["output"]["content"]["characters"] == len(SAID)
    assert messages[1]["output"]["content"]["task_result"]["status"] == "complete"
    assert {one["status"]["code"] for one in messages} == {"success"}


async def test_nothing_that_anybody_said_is_in_the_log(host: FakeHost) -> None:
    """M-57, T-59: not the message, not the tool's input or output, not the reply, not an invented name."""
    calls = [("search_engine", {"query": SAID}, "found it"), ("call Anna now", {}, "x")]
    await host.turn(SAID, reply="A secret reply.", tool_calls=calls)
    text = json.dumps(await written(host))
    assert not [one for one in PRIVATE if one in text]
    assert "unnamed" in text


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


async def test_each_turn_is_a_transaction_of_its_chat(host: FakeHost) -> None:
    """T-34: one session, a request for each turn."""
    await host.turn("Hello.")
    await written(host)
    await host.turn("Hello again.")
    messages = await written(host)
    assert len({one["metadata"]["session_id"] for one in messages}) == 1
    assert len({one["metadata"]["request_id"] for one in messages}) == 2
    assert len({one["message_id"] for one in messages}) == len(messages) == 4


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


def test_what_is_owed_of_one_day_is_written_on_the_next(tmp_path: Path) -> None:
    """T-56, C-74: into the log of its own day."""
    writer, days = AuditWriter(ProblemLog()), [datetime(2026, 3, day, 12, tzinfo=UTC) for day in (1, 2)]
    trails = [Trail("chat", at) for at in days]
    for trail, at in zip(trails, days, strict=True):
        trail.begin("agent", characters=3, attachments=0)
        trail.finish("agent", None, at, is_failing=False)
    with full_disk(tmp_path):
        assert writer.write(trails[0], LogFolder(str(tmp_path))) is None
    assert writer.write(trails[1], LogFolder(str(tmp_path))) is not None
    assert [(one.name, one.read_text().count("\n") > 0) for one in sorted(tmp_path.iterdir())] == [
        ("20260301.log", True), ("20260302.log", True)
    ]  # fmt: skip


async def test_an_agents_own_reasons_are_logged_and_none_is_made_up(host: FakeHost) -> None:
    """M-05, M-42: the thoughts that came with a call, everything private masked; where there are none, no words."""
    configure_pack(host, audit_log={"reasoning": True})
    await host.turn("Hello.", tool_calls=[("search_engine", {}, "x")])
    request, call, end = await written(host)
    assert (call["audit"]["reasoning"], end["audit"]["reasoning"]) == ("scripted", "scripted")
    assert request["audit"]["reasoning"] == "None was given."
    assert "the agent's own reason" in call["audit"]["compliance_notes"]
    assert request["audit"]["governance_files_consulted"] == []


def test_private_words_in_a_reason_are_masked() -> None:
    """M-57, T-59: and of a long one the beginning is kept; the governance files are those that the prompt names."""
    at = datetime(2026, 3, 1, 12, tzinfo=UTC)
    trail = Trail("chat", at, governance={"context/governance/scope.md"})
    trail.begin("agent", characters=3, attachments=0)
    trail.start_tool("agent", "search", at, arguments=1, reasoning=f"Mail anna@example.org first. {'x ' * 5_000}")
    trail.end_tool("agent", "search", at, characters=1, answers=False)
    _, call = trail.lines()
    assert call["audit"]["reasoning"].startswith("Mail [")
    assert "anna@" not in call["audit"]["reasoning"] and len(call["audit"]["reasoning"]) < 1_100
    assert call["audit"]["governance_files_consulted"] == ["context/governance/scope.md"]


async def test_reasons_are_left_out_unless_they_are_asked_for(host: FakeHost) -> None:
    """T-56: a model's thoughts repeat what the user said, and an erased memory would stand in them."""
    await host.turn("Hello.", tool_calls=[("search_engine", {}, "x")])
    assert {one["audit"]["reasoning"] for one in await written(host)} == {"None was given."}


async def test_the_hooks_open_no_file_on_the_event_loop(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-56: a turn pays for a few dictionaries; what is written is written in a thread."""
    await host.turn("Hello.", tool_calls=[("search_engine", {}, "x")])
    await written(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    opened = threads_that_open(monkeypatch)
    log.note_start(host.agent, host.agent.loop_data)
    for _ in range(5):
        log.note_tool_start(host.agent, "search_engine", {"query": SAID})
        log.note_tool_end(host.agent, "search_engine", None)
    log.note_end(host.agent)
    await host.agent.data["_memory_ledger_audit_write"]
    assert opened and threading.current_thread() not in opened


async def test_a_tool_that_the_model_invented_is_not_named(host: FakeHost) -> None:
    """T-59: its name is the model's own words, whatever they look like."""
    await host.turn("Hello.")
    await written(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    log.note_start(host.agent, host.agent.loop_data)
    host.agent.loop_data.current_tool = type("Unknown", (), {})()
    log.note_tool_start(host.agent, "plan_of_anna", {})
    log.note_tool_end(host.agent, "plan_of_anna", None)
    log.note_end(host.agent)
    messages = await written(host)
    assert "unknown_tool" in [one["agent"]["name"] for one in messages]
    assert "plan_of_anna" not in json.dumps(messages)


async def test_what_is_written_can_be_distilled(host: FakeHost) -> None:
    """M-02, M-08, T-34: our own log is read like any other, and becomes knowledge."""
    for number in range(10):
        await host.turn(f"{SAID} {number}", tool_calls=[("search_engine", {"query": SAID}, "Error: found it")])
        messages = await written(host)
    files = DictFiles()
    logs = LogFolder(str(host.root / "usr" / "system" / "logs"))
    distiller = Distiller(logs=logs, files=files, options=Distillation(), home=host.root / "usr")
    report = distiller.run(host.machine.clock())
    assert (report.messages, report.malformed, report.transactions) == (len(messages), 0, 10)
    texts = "".join(files.texts.values())
    assert "PROCESSING_ERROR of search_engine" in texts
    assert not [one for one in PRIVATE if one in texts]


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


@pytest.mark.parametrize(("said", "is_marked"), [("Thanks!", False), ("No, that is wrong.", True)])
async def test_the_users_next_message_may_take_the_answer_back(host: FakeHost, said: str, is_marked: bool) -> None:
    """Issue 23: the chain before is named, and no word of the user."""
    await host.turn("Hello.")
    await written(host)
    await host.turn(said)
    messages = await written(host)
    content = messages[2]["output"]["content"]
    assert content.get("corrects") == (messages[0]["metadata"]["request_id"] if is_marked else None)
    assert "wrong" not in json.dumps(messages)


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
    """Issue 23: the message that interrupts is not kept."""
    await host.turn("Hello.")
    await written(host)
    log = sys.modules["usr.plugins.memory_ledger.helpers.host.hooks"].audit_log
    log.note_start(host.agent, host.agent.loop_data)
    log.note_model_call(host.agent, host.agent.loop_data)
    log.note_tool_start(host.agent, "search_engine", {"query": SAID})
    host.agent.last_user_message = object()
    log.note_model_call(host.agent, host.agent.loop_data)
    log.note_end(host.agent)
    messages = await written(host)
    assert ("search_engine", "INTERVENTION") in [(one["agent"]["name"], one["error"]["error_code"]) for one in messages]
