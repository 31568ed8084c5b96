"""Where the host's own recall runs first: what its models refuse stays out (T-02)."""

import asyncio
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import NEW, configure_pack, find, hold_recall_of, learn_two_versions, remember, settle

PRINTER, SOFA = "The cat sleeps on the printer", "The cat sleeps on the sofa"
PREPARES, FILTERS = "memory_recall_query_prep", "memory_recall_post_filter"


async def learn_two_places(host: FakeHost) -> None:
    await remember(host, f"{PRINTER}. {SOFA}.", PRINTER, SOFA)


def blocks(section: str) -> list[str]:
    """Return the memories in a section, without the template around them."""
    return section.split("\n\n")[1:]


def recall_item(host: FakeHost) -> Any:
    """Return the item that the host opened for its last recall."""
    return [item for item in host.log if item.type == "util" and item.heading and not item.heading.endswith("...")][-1]


async def test_a_model_that_asks_for_nothing_gets_nothing(host: FakeHost) -> None:
    """T-02: the query preparation answers with a dash; the host's log item keeps saying so."""
    await learn_two_versions(host)
    host.configure(**{PREPARES: True})
    asked = len(host.embedder.calls)
    record = await host.turn("User's project uses Python", query="-")
    assert record.prompt.memories == ""
    assert len(host.embedder.calls) == asked, "nobody searches"
    item = [one for one in host.log if one.type == "util" and "query" in one.kvps][-1]
    assert "skipping" in item.kvps["query"]
    assert "recalled" not in item.heading


@pytest.mark.parametrize("answer", [[], "nothing of that", "[7, 99]"])
async def test_a_filter_that_keeps_nothing(host: FakeHost, answer: Any) -> None:
    """T-02: an empty list, no list at all, positions that do not exist: nothing enters the prompt."""
    await learn_two_versions(host)
    host.configure(**{FILTERS: True})
    count = find(host, NEW).metadata["lineage"]["access_count"]
    assert (await host.turn("User's project uses Python", filter=answer)).prompt.memories == ""
    assert find(host, NEW).metadata["lineage"]["access_count"] == count


async def test_a_filter_that_keeps_some(host: FakeHost) -> None:
    """T-02: what it keeps enters, the rest does not; the explanation says who left it out."""
    await learn_two_places(host)
    host.configure(**{FILTERS: True})
    shown = [blocks((await host.turn("The cat sleeps on what", filter=[one])).prompt.memories) for one in (0, 1)]
    assert sorted(shown) == [[PRINTER], [SOFA]]
    candidates = host.agent.data["_memory_ledger_last_recall"]["candidates"]
    assert sorted(one["outcome"] for one in candidates) == ["injected", "left out by Agent Zero's own recall"]


async def test_a_filter_judges_each_section_by_itself(host: FakeHost) -> None:
    """T-02: texts are compared whole, and a refused solution does not enter because a memory says the same."""
    await learn_two_places(host)
    await host.insert("The cat sleeps on the print", area="fragments")
    await host.insert(PRINTER, area="solutions")
    await settle(host)
    host.configure(**{FILTERS: True, PREPARES: True})
    record = await host.turn("Tell me about the cat", query=PRINTER, filter=[0])
    assert blocks(record.prompt.memories) == [PRINTER]
    assert record.prompt.solutions == ""


@pytest.mark.parametrize("setting", [PREPARES, FILTERS])
@pytest.mark.parametrize("error", [OSError("down"), RuntimeError("search broke"), TimeoutError()], ids=repr)
async def test_a_step_of_the_hosts_that_fails_has_refused_nothing(
    host: FakeHost, setting: str, error: Exception
) -> None:
    """C-74, T-02: its model is down, or its whole recall is; what holds still enters, what does not stays out."""
    await learn_two_versions(host)
    host.configure(**{setting: True})
    answers = {"query" if setting == PREPARES else "filter": error} if isinstance(error, OSError) else {}
    if not answers:
        host.fail_recall(error)
    record = await host.turn("User's project uses Python", reply="It is 3.11.", **answers)
    host.expected_warnings = sum(item.heading.startswith("Memory Ledger") for item in host.warnings)
    assert (blocks(record.prompt.memories), record.response) == ([NEW], "It is 3.11.")


async def test_the_query_that_a_model_wrote_is_asked(host: FakeHost) -> None:
    """T-02: the person's words alone would find nothing."""
    await learn_two_places(host)
    question = "And where was that again?"
    assert (await host.turn(question)).prompt.memories == ""
    host.configure(**{PREPARES: True})
    record = await host.turn(question, query="The cat sleeps on what")
    assert sorted(blocks(record.prompt.memories)) == [PRINTER, SOFA]


async def test_nothing_of_the_hosts_shows_while_ours_is_under_way(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-55, T-02: in delayed mode a prompt may be built between the end of the host's recall and the end of ours."""
    await learn_two_versions(host)
    configure_pack(host, recall_mode="wrap")
    host.configure(memory_recall_delayed=True)
    await hold_recall_of(host, "User's project uses Python", monkeypatch)

    async def think(prompt: Any) -> None:
        await asyncio.wait(host.process.recall_tasks)
        await host.process.recall_gate.reached.wait()

    iterations = 1 if host.machine.traits.recall_returns_result else 2
    record = await host.turn("User's project uses Python", iterations=iterations, on_model_call=think)
    later = await host.turn("Thank you", is_instant=True)
    assert {prompt.memories for prompt in (*record.prompts, *later.prompts)} == {""}
    await host.release_recall()


async def test_the_log_item_tells_what_entered_the_prompt(host: FakeHost) -> None:
    """C-53, T-02: the host has listed both; the item tells the one that was let in, and keeps the query."""
    await learn_two_versions(host)
    host.configure(**{PREPARES: True})
    record = await host.turn("User's project uses Python", query="The user's project uses Python")
    assert blocks(record.prompt.memories) == [NEW]
    item = recall_item(host)
    assert item.heading == "1 memories and 0 solutions recalled"
    assert item.kvps == {"query": "The user's project uses Python", "memories": NEW}
