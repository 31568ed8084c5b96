"""before_main_llm_call/_05_memory_access_counter: what is shown, is counted (C-60)."""

from collections.abc import Callable
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import OUR_TASK, configure_pack, find, hold_recall_of, remember, settle, use_folder, when_asked

CAT, GATE = "The cat sleeps on the printer", "The garden has a red gate"


@pytest.fixture
async def delayed(host: FakeHost) -> FakeHost:
    """A host in delayed mode that knows two things."""
    for text in (CAT, GATE):
        await remember(host, f"{text}.", text)
    host.configure(memory_recall_delayed=True)
    return host


def count(host: FakeHost, text: str = CAT) -> int:
    return int(find(host, text).metadata["lineage"]["access_count"])


def await_recall(host: FakeHost) -> Callable[[Any], Any]:
    """Let the main model think until the recall has ended."""

    async def think(prompt: Any) -> None:
        await host.agent.data[OUR_TASK]

    return think


async def test_a_turn_that_ends_before_its_recall_counts_nothing(delayed: FakeHost) -> None:
    """C-60, T-02: the recall ends after the only prompt of the turn was built.

    The newest hosts show its result with the next prompt, that of another turn, and no further; others lose it.
    """
    before, is_kept = count(delayed), delayed.machine.traits.recall_returns_result
    record = await delayed.turn("The cat sleeps on the what", is_instant=True)
    await delayed.agent.data[OUR_TASK]
    await delayed.settle()
    assert record.prompt.memories == ""
    assert count(delayed) == before
    shown = [CAT in (await delayed.turn("Thank you", is_instant=True)).prompt.memories for _ in range(2)]
    assert shown == [is_kept, False]
    assert count(delayed) == before + is_kept


@pytest.mark.parametrize("host", ["C+", "D"], indirect=True)
@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.parametrize("is_under_way", [False, True])
@pytest.mark.parametrize("change", ["chat", "profile", "project", ""])
async def test_a_delayed_result_stays_where_it_was_asked_for(
    delayed: FakeHost, monkeypatch: pytest.MonkeyPatch, change: str, is_under_way: bool, is_wrapped: bool
) -> None:
    """T-02, T-06: it enters no prompt of another chat, profile or project, though all have one memory folder."""
    configure_pack(delayed, recall_mode="wrap" if is_wrapped else "auto")
    delayed.configure(project_memory_isolation=False)
    other = delayed.new_context(project="falcon").agent0
    await hold_recall_of(delayed, "The cat sleeps on the what", monkeypatch)
    await delayed.turn("The cat sleeps on the what", is_instant=True)
    if not is_under_way:
        await delayed.release_recall()
        await delayed.agent.data[OUR_TASK]
    if change == "profile":
        delayed.agent.config.profile = "another"
    elif change == "project":
        delayed.agent.context.set_data("project", "falcon")
    if is_under_way:
        await delayed.release_recall()
        await delayed.agent.data[OUR_TASK]
    record = await delayed.turn("Thank you", is_instant=True, agent=other if change == "chat" else delayed.agent)
    assert (CAT in record.prompt.memories) is not bool(change)


async def test_a_later_prompt_counts_once(delayed: FakeHost) -> None:
    """C-60, C-88, T-02, T-05: shown with later prompts, however many: one access.

    The newest hosts show a delayed result with the next prompt alone; by themselves they lose it in the second one.
    """
    before = count(delayed)
    first = await delayed.turn("The cat sleeps on the what", iterations=3, on_model_call=await_recall(delayed))
    shown = [CAT in prompt.memories for prompt in first.prompts]
    assert shown == [False, True, not delayed.machine.traits.recall_returns_result]
    assert CAT not in (await delayed.turn("Thank you", is_instant=True)).prompt.memories
    assert count(delayed) == before + 1


async def test_each_recall_of_a_turn_counts(host: FakeHost) -> None:
    """C-60, E-25, T-42: the same section text from the recall of iteration 3 is another access."""
    await remember(host, f"{CAT}.", CAT)
    before = count(host)
    await host.turn("The cat sleeps on the what", iterations=4)
    assert count(host) == before + 2


@pytest.mark.parametrize("is_delayed", [False, True])
async def test_a_recall_from_a_folder_left_meanwhile_brings_nothing(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch, is_delayed: bool
) -> None:
    """T-06, C-60: the host works in another folder before the recall ends."""
    await remember(host, f"{CAT}.", CAT)
    host.configure(memory_recall_delayed=is_delayed)
    when_asked("The cat sleeps on the what", monkeypatch, lambda: use_folder(host, "elsewhere"))
    before = count(host)
    record = await host.turn("The cat sleeps on the what", iterations=3)
    assert [prompt.memories for prompt in record.prompts] == [""] * 3
    assert any("no memory was recalled" in item.heading for item in host.log)
    use_folder(host, "default")
    assert count(host) == before


async def test_a_prompt_that_is_never_sent_counts_nothing(delayed: FakeHost) -> None:
    """C-60, E-07: the accesses are counted last of all, after the prompt was built, and by no hook before that."""
    before = count(delayed)

    async def interrupt(prompt: Any) -> None:
        await delayed.agent.data[OUR_TASK]
        for hook in ("_55_memory_relevance_filter", "_56_memory_enhancement"):
            await delayed.run(f"message_loop_prompts_after/{hook}")

    await delayed.turn("The cat sleeps on the what", iterations=1, is_instant=True, on_model_call=interrupt)
    await delayed.settle()
    assert count(delayed) == before


async def test_what_stands_in_the_prompts_leaves_with_its_folder(host: FakeHost) -> None:
    """T-06: what an earlier iteration recalled does not stay when the host works in another folder."""
    await remember(host, f"{CAT}.", CAT)
    await settle(host)
    record = await host.turn(
        "The cat sleeps on the what", iterations=3, on_model_call=lambda prompt: use_folder(host, "elsewhere")
    )
    assert [CAT in prompt.memories for prompt in record.prompts] == [True, False, False]
