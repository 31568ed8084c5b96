"""The model recalls as the contract says (section 6), and expands what it should not (trap 27)."""

import pytest

from . import FakeHost, HostTurnFailed
from .probes import hook, seen

FATAL = ("A1", "A2", "B", "C")
AFTER = "message_loop_prompts_after"


@pytest.fixture
def host(host: FakeHost) -> FakeHost:
    """A running host of each generation that recalls by the user's words alone."""
    host.configure(memory_recall_query_prep=True, memory_recall_post_filter=False)
    return host


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


async def test_include_directives_in_memories_are_expanded(host: FakeHost) -> None:
    """Trap 27: values are substituted first, includes expanded afterwards, both quote styles."""
    (host.root / "prompts/secret.md").write_text("TOP SECRET {{query}}")
    await host.insert("alpha {{ include 'secret.md' }} beta")
    await host.insert('alpha {{include "secret.md"}} gamma')
    await host.insert("alpha {{ include 'no_such.md' }} delta")
    record = await host.turn("alpha", query="alpha beta gamma delta")
    assert record.prompt.memories.count("TOP SECRET") == 2
    assert "{{ include 'no_such.md' }}" in record.prompt.memories
