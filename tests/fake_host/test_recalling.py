"""The model recalls as the contract says (section 6), and expands what it should not (trap 27)."""

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import ALL_GENERATIONS, FakeHost, HostTurnFailed
from .probes import hook, seen

TASK = "_recall_memories_task"
FATAL = ("A1", "A2", "B", "C")
AFTER = "message_loop_prompts_after"


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A running host of each generation that recalls by the user's words alone."""
    with FakeHost(request.param, tmp_path / "a0") as running:
        running.configure(memory_recall_query_prep=True, memory_recall_post_filter=False)
        yield running


async def test_a_memory_comes_back_into_the_prompt(host: FakeHost) -> None:
    """Section 6: contents only, through the host's template, merged into one JSON object of extras."""
    await host.turn("My project uses Python 3.11", fragments=["The project targets Python 3.11"])
    await host.finish_memorizing()
    record = await host.turn("Which Python version does the project use?")
    assert "The project targets Python 3.11" in record.prompt.memories
    assert record.prompt.memories.startswith("# Memories")
    assert record.prompt.extras_text.startswith("[EXTRAS]\n{")
    assert ('","' in record.prompt.extras_text) == (host.generation in ("C+", "D"))
    assert host.warnings == []


async def test_the_task_is_pending_between_50_and_91(host: FakeHost) -> None:
    """Section 6, option 2: here a pack takes the task over; the extras are still without memories."""
    await host.insert("alpha beta")
    body = "task = self.agent.get_data('_recall_memories_task')\nld = kwargs['loop_data']\n"
    note = "seen.append((ld.iteration, task and task.done(), 'memories' in ld.extras_persistent))"
    host.write_extension(f"{AFTER}/_55_probe", hook(host, body + note))
    host.write_extension(f"{AFTER}/_92_probe", hook(host, body + note))
    await host.turn("alpha beta", iterations=4)
    at_55, at_92 = seen(host)[::2], seen(host)[1::2]
    if host.generation in ("C+", "D"):
        assert at_55 == [(0, False, False), (1, True, True), (2, True, False), (3, False, False)]
        assert at_92 == [(0, True, True), (1, True, False), (2, True, False), (3, True, True)]
        return
    assert at_55 == [(0, False, False), (1, None, True), (2, None, True), (3, False, True)]
    assert at_92 == [(0, True, True), (1, None, True), (2, None, True), (3, True, True)]


async def test_recalled_memories_stay_until_the_next_recall_or_for_one_prompt(host: FakeHost) -> None:
    """Section 6, "stays in prompt": persistent from A to C, one prompt in C+; due in iterations 0, 3 ..."""
    await host.insert("alpha beta")
    record = await host.turn("alpha beta", iterations=5)
    present = [bool(prompt.memories) for prompt in record.prompts]
    assert present == ([True, False, False, True, False] if host.generation in ("C+", "D") else [True] * 5)
    assert sum("memories and" in item.heading for item in host.log) == 2


async def test_the_interval_is_a_setting(host: FakeHost) -> None:
    """Section 7: memory_recall_interval."""
    host.configure(memory_recall_interval=2)
    await host.insert("alpha beta")
    await host.turn("alpha beta", iterations=4)
    assert sum("memories and" in item.heading for item in host.log) == 2
    host.configure(memory_recall_enabled=False)
    record = await host.turn("alpha beta")
    assert record.prompt.memories == ""


async def test_the_result_is_a_side_effect_or_a_returned_dict(host: FakeHost) -> None:
    """Section 6, "result": None and written extras from A to C, a dict of texts in C+."""
    await host.insert("alpha beta")
    keep = "self.agent.set_data('_kept', self.agent.get_data('_recall_memories_task'))"
    host.write_extension(f"{AFTER}/_55_probe", hook(host, keep))
    record = await host.turn("alpha beta")
    result = host.agent.get_data("_kept").result()
    assert result == ({"memories": record.prompt.memories} if host.generation in ("C+", "D") else None)


async def test_editing_extras_between_50_and_91(host: FakeHost) -> None:
    """Trap 11: in C+ `_91` overwrites the edit; from A to C the task overwrites only what it finds."""
    await host.insert("alpha beta")
    edit = "kwargs['loop_data'].extras_persistent['solutions'] = 'mine'"
    host.write_extension(f"{AFTER}/_55_probe", hook(host, edit))
    record = await host.turn("alpha beta", iterations=2)
    solutions = [prompt.solutions for prompt in record.prompts]
    assert solutions == (["", ""] if host.generation in ("C+", "D") else ["", "mine"])


async def test_a_wrapped_task_may_change_the_result(host: FakeHost) -> None:
    """Section 6, option 2: the portable way to post-process."""
    await host.insert("alpha beta")
    body = (
        "import asyncio\n"
        "agent, ld = self.agent, kwargs['loop_data']\n"
        "orig = agent.get_data('_recall_memories_task')\n"
        "async def wrapper():\n"
        "    found = await orig\n"
        "    if found is None:\n"
        "        ld.extras_persistent['memories'] = 'changed'\n"
        "        return None\n"
        "    return {'memories': 'changed'}\n"
        "if orig is not None and not orig.done():\n"
        "    agent.set_data('_recall_memories_task', asyncio.create_task(wrapper()))\n"
    )
    host.write_extension(f"{AFTER}/_55_probe", hook(host, body))
    record = await host.turn("alpha beta")
    assert record.prompt.memories == "changed"


async def test_delayed_recall_reaches_the_next_prompt(host: FakeHost) -> None:
    """Section 6, delayed mode: a note in this prompt, from A to C the memories in the next.

    In C+ `_50` does apply them to the next prompt, and `_91` takes them out again because `_50` has cleared the
    scope key: they arrive only where the next recall is due. (Read in the source; the contract says otherwise.)
    """
    host.configure(memory_recall_delayed=True)
    await host.insert("alpha beta")
    record = await host.turn("alpha beta", iterations=4)
    assert ["memory_recall_delayed" in prompt.extras for prompt in record.prompts] == [True, False, False, True]
    present = [bool(prompt.memories) for prompt in record.prompts]
    assert present == ([False] * 4 if host.generation in ("C+", "D") else [False, True, True, True])


async def test_delayed_recall_of_a_short_turn_is_lost_or_kept_for_the_next(host: FakeHost) -> None:
    """Section 6, delayed mode: lost from A to C, applied once by the next `_50` in C+."""
    host.configure(memory_recall_delayed=True)
    await host.insert("alpha beta")
    await host.turn("alpha beta", is_instant=True)
    record = await host.turn("nothing alike", is_instant=True)
    assert bool(record.prompt.memories) == (host.generation in ("C+", "D"))


async def test_a_held_recall_is_abandoned_or_kept(host: FakeHost) -> None:
    """Section 6, "new recall while old pending": a new loop cancels the old search in C+, A to C leave it."""
    host.configure(memory_recall_delayed=True)
    await host.insert("alpha beta")
    host.hold_recall()
    await host.turn("alpha beta")
    old = host.agent.get_data(TASK)
    assert not old.done()
    await host.turn("again", is_instant=True)
    await host.release_recall()
    assert old.cancelled() == (host.generation in ("C+", "D"))


async def test_a_recall_error_ends_the_turn_except_in_c_plus(host: FakeHost) -> None:
    """Section 6, "error/timeout": fatal from A to C (after a retry that fails again), swallowed in C+."""
    attempts = 2 if host.machine.traits.retries_after_error else 1
    host.write_extension("message_loop_start/_55_again", hook(host, "kwargs['loop_data'].iteration = 0"))
    host.write_extension("message_loop_start/_56_fail", FAIL.format(helpers=host.machine.traits.helpers))
    host.agent.context.set_data("_fail", lambda: host.fail_recall(TimeoutError("30 s")))
    if host.generation in FATAL:
        with pytest.raises(HostTurnFailed) as caught:
            await host.turn("alpha beta")
        assert isinstance(caught.value.record.error, TimeoutError)
        assert len(host.warnings) == attempts
        assert [error.file for error in host.hook_errors] == ["_91_recall_wait"] * attempts
        return
    record = await host.turn("alpha beta")
    assert record.response == "Done."
    assert any(item.heading == "Memory recall timed out" for item in host.log)


FAIL = """\
from {helpers}.extension import Extension


class Fail(Extension):
    async def execute(self, **kwargs):
        self.agent.context.get_data("_fail")()
"""


async def test_a_recall_error_that_came_early_is_ignored(host: FakeHost) -> None:
    """Section 6: from A to C nobody awaits a task that is done already."""
    host.fail_recall(OSError("no model"))
    host.write_extension(f"{AFTER}/_55_wait", hook(host, "import asyncio\nawait asyncio.sleep(0.0)\n" * 5))
    record = await host.turn("alpha beta")
    assert record.response == "Done."
    assert len(host.warnings) == (1 if host.generation in ("C+", "D") else 0)
    if host.generation not in ("C+", "D"):
        assert isinstance(host.agent.get_data(TASK).exception(), OSError)


async def test_query_preparation_and_post_filter(host: FakeHost) -> None:
    """Section 6: the model writes the query and chooses by position; a dash means no search."""
    host.configure(memory_recall_post_filter=True)
    await host.insert("alpha beta")
    await host.insert("alpha beta gamma")
    record = await host.turn("What?", query="alpha beta", filter=[1])
    assert record.prompt.memories.endswith("relevant\n\nalpha beta gamma")
    record = await host.turn("What?", query="-")
    assert record.prompt.memories == ""
    record = await host.turn("What?", query="alpha beta", filter="no JSON")
    assert record.prompt.memories == ""
    record = await host.turn("What?", query=OSError("down"))
    assert record.prompt.memories == ""
    assert [item.type for item in host.warnings] == ["error" if host.generation == "A1" else "warning"]


@pytest.mark.parametrize(("generation", "asks"), [("A1", True), ("A2", False), ("B", False), ("C+", False)])
async def test_only_a1_asks_the_utility_model_by_default(generation: str, asks: bool, tmp_path: Path) -> None:
    """Section 7: query_prep and post_filter are on in A1 and off from A2 on."""
    with FakeHost(generation, tmp_path) as host:
        await host.insert("alpha beta")
        await host.turn("alpha beta")
        kinds = [call.kind for call in host.utility_calls if call.kind in ("query", "filter")]
        assert kinds == (["query", "filter"] if asks else [])


async def test_without_preparation_the_query_is_message_and_history(tmp_path: Path) -> None:
    """Section 6: the text form of the user message, a blank line, the end of the history."""
    with FakeHost("C", tmp_path) as host:
        host.configure(memory_recall_history_len=20)
        await host.turn("Hello there")
        message = 'user: {"user_message": "Hello there"}'
        queries = [call.texts[0] for call in host.embedder.calls if call.kind == "query"]
        assert queries[-1] == f"{message}\n\n{message[-20:]}"


async def test_recall_embeds_its_query_twice_or_once(host: FakeHost) -> None:
    """Section 6: two query embeddings, one in C+ where the vector is reused."""
    await host.insert("alpha beta")
    before = host.embedder.count("query")
    await host.turn("alpha beta")
    assert host.embedder.count("query") - before == (1 if host.generation in ("C+", "D") else 2)


async def test_cancelling_a_task_before_it_ran_warns_from_a2_to_c(host: FakeHost) -> None:
    """Not in the contract: the inner coroutine of `wait_for` is then never awaited, and Python says so."""
    cancel = "self.agent.get_data('_recall_memories_task').cancel()\nself.agent.set_data('_recall_memories_task', None)"
    host.write_extension(f"{AFTER}/_55_cancel", hook(host, cancel))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        await host.turn("alpha beta")
        host.process.recall_tasks.clear()
    never_awaited = [str(w.message) for w in caught if "never awaited" in str(w.message)]
    assert len(never_awaited) == (1 if host.generation in ("A2", "B", "C") else 0)


async def test_include_directives_in_memories_are_expanded(host: FakeHost) -> None:
    """Trap 27: values are substituted first, includes expanded afterwards, both quote styles."""
    (host.root / "prompts/secret.md").write_text("TOP SECRET {{query}}")
    await host.insert("alpha {{ include 'secret.md' }} beta")
    await host.insert('alpha {{include "secret.md"}} gamma')
    await host.insert("alpha {{ include 'no_such.md' }} delta")
    record = await host.turn("alpha", query="alpha beta gamma delta")
    assert record.prompt.memories.count("TOP SECRET") == 2
    assert "{{ include 'no_such.md' }}" in record.prompt.memories


async def test_any_extra_is_expanded_once_more_when_sent(host: FakeHost) -> None:
    """Trap 27: extras pass through a second prompt template."""
    (host.root / "prompts/secret.md").write_text("TOP SECRET")
    extra = "kwargs['loop_data'].extras_temporary['mine'] = \"{{ include 'secret.md' }}\""
    host.write_extension(f"{AFTER}/_95_extra", hook(host, extra))
    record = await host.turn("Hello")
    assert record.prompt.extras["mine"] == "{{ include 'secret.md' }}"
    assert "TOP SECRET" in record.prompt.extras_text
