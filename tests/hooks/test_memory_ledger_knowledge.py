"""The verb `knowledge` of the tool: on-demand recall (M-26, M-29, M-66, M-67)."""

import json
from functools import partial
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import PAGE, ask_tool, configure_pack, write_page

ask = partial(ask_tool, said="What do we know?", verb="knowledge")


async def test_the_agent_is_told_what_was_learned(host: FakeHost) -> None:
    """M-26, M-29, M-66, T-62, issue 23: what the prompt lacks, with what to do and on what evidence, neutralised."""
    path = write_page(host)
    staged = path.parent / "staging" / path.name
    staged.parent.mkdir()
    staged.write_text(PAGE.replace("MEM-001", "MEM-002").replace("txn_1", "txn_7, txn_8").replace("Wait.", "Go on."))
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    answer = await ask(host, query="which timeouts are known?")
    assert (
        "- MEM-002 (waits for more evidence; confidence 0.85, 23 transactions from 2026-01-01 to 2026-02-01): It "
    ) in answer
    assert "Action: Go on. For: All. Evidence: txn_7, txn_8" in answer
    assert "In the prompt already: MEM-001" in answer and "Wait." not in answer
    assert "action_agent" in answer and "{{" not in answer
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert await ask(host, query="kettle") == "Nothing has been learned about that yet."


async def test_the_call_counts_towards_the_hop_limit(host: FakeHost) -> None:
    """M-67: a chain that is long enough gets no answer; a short one does."""
    write_page(host)
    configure_pack(host, distillation={"hop_limit": 4})
    assert "MEM-001" in await ask(host, before=1, query="timeouts")
    assert "the circuit breaker allows 4" in await ask(host, before=2, query="timeouts")


def handing_over(query: object = "which timeouts are known?", **metadata: Any) -> str:
    """Return an output that hands over to the memory agent."""
    following = {"name": "memory_agent", "reason": "context_retrieval"}
    return json.dumps({"next_agent": following, "output": {"content": {"query": query}}, "metadata": metadata})


async def test_an_answer_that_hands_over_does_not_end_the_chain(host: FakeHost) -> None:
    """M-26, M-67: it goes on with what is known, up to the hop limit; the last one is the user's."""
    write_page(host)
    configure_pack(host, distillation={"hop_limit": 3})
    result = await host.turn("Ask.", reply=handing_over())
    assert result.response == handing_over()
    assert len([one for one in tool_results(host) if "recall_result" in one]) == 2


@pytest.mark.parametrize("broken", ["{", '{"next_agent": {"name": "memory_agent", "reason": "else"}}', "memory_agent"])
async def test_what_hands_over_to_nobody_stays_as_it_is(host: FakeHost, broken: str) -> None:
    """M-26, M-30."""
    write_page(host)
    await host.turn("Ask.", tool_calls=[("search_engine", {}, broken)])
    assert tool_results(host)[-1] == broken


async def test_a_handover_counts_towards_the_hop_limit(host: FakeHost) -> None:
    """M-26, M-67: in its place stands what is known, and the agent goes on; one too many is left as it is."""
    write_page(host)
    configure_pack(host, distillation={"hop_limit": 3})
    calls = [("search_engine", {}, handing_over()) for _ in range(3)]
    assert (await host.turn("Ask.", reply="Done.", tool_calls=calls)).response == "Done."
    told = json.loads(tool_results(host)[0])
    assert told["agent"]["name"] == "memory_agent"
    assert [one["id"] for one in told["output"]["content"]["recall_result"]["entries"]] == ["MEM-001"]
    answered = [one for one in tool_results(host) if "recall_result" in one]
    assert len(answered) == 2 and tool_results(host)[-1] == handing_over()


def tool_results(host: FakeHost) -> list[str]:
    """Return what tools have answered, as the history has it."""
    messages = host.agent.history.current.messages
    contents = [one.content for one in messages if isinstance(one.content, dict)]
    return [one["tool_result"] for one in contents if "tool_result" in one]
