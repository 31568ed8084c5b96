"""A question about the past in a whole chat: the prompt holds what was so before, marked, beside what holds (C-51)."""

import re

from fake_host import FakeHost
from hook_tools import axes, find, remember, settle
from memory_ledger import cli

HAMBURG, LISBON = "User lives in Hamburg", "User lives in Lisbon"
BEFORE, NOW = "Where did I live before?", "Where do I live?"
EXPLANATION = "_memory_ledger_last_recall"


async def move(host: FakeHost) -> None:
    """Somebody lives in one city, and later in another."""
    await remember(host, "I live in Hamburg.", HAMBURG)
    host.machine.clock.advance(seconds=60)
    await remember(host, "I moved to Lisbon.", LISBON)
    assert axes(find(host, HAMBURG))[0] == "deprecated"


async def lines(host: FakeHost, said: str) -> list[str]:
    """Return what the prompt of a turn recalls of where somebody lives."""
    memories = (await host.turn(said)).prompt.memories
    return [line for line in memories.splitlines() if " lives " in line]


async def test_what_is_not_asked_for_does_not_come(host: FakeHost) -> None:
    """C-50, must not change: however near it is."""
    await move(host)
    for said in (NOW, "I lived in Hamburg before. Where do I live?", "Where do I live before the release?"):
        assert await lines(host, said) == [LISBON]
        assert all("past" not in one for one in host.agent.data[EXPLANATION]["candidates"])


async def test_both_come_where_it_is_asked_for(host: FakeHost) -> None:
    """C-51: in the next prompt it is gone again; and after a restart it is found as before."""
    await move(host)
    for _ in range(2):
        past, present = await lines(host, BEFORE)
        assert re.fullmatch(r"\[past, \d{4}-\d\d-\d\d [-\d: ]+to [-\d: ]+\] " + HAMBURG, past) and present == LISBON
        old, new = (find(host, one) for one in (HAMBURG, LISBON))
        candidates = host.agent.data[EXPLANATION]["candidates"]
        assert [(one["id"], one["outcome"]) for one in candidates[:2]] == [(old.id, "injected"), (new.id, "injected")]
        await settle(host)
        assert old.metadata["lineage"]["access_count"] == 0 < new.metadata["lineage"]["access_count"]
        assert await lines(host, NOW) == [LISBON]
        await host.restart()


async def test_a_message_may_ask_for_more(host: FakeHost) -> None:
    """T-66: by one sentence of it; and what somebody pastes asks for nothing."""
    await move(host)
    asked = f"I have to fill in a form for the bank, and the weather is fine. {BEFORE} And when is the bank open?"
    assert len(await lines(host, asked)) == 2
    assert await lines(host, f"> {BEFORE}\n\nSomebody asked me that. {NOW}") == [LISBON]


async def test_what_was_erased_does_not_come(host: FakeHost) -> None:
    """T-64."""
    await move(host)
    assert cli.main(["erase", find(host, HAMBURG).id, "--folder", str(host.memory_folder())]) == 0
    await host.turn("Hello.")
    await host.settle()
    assert await lines(host, BEFORE) == [LISBON]
