"""What the newest releases do otherwise than those before (docs/hosts.md)."""

import json

import pytest
from fake_host import FakeHost, tool_policy
from hook_tools import NEW, OLD, TOOL, configure_pack, learn_two_versions, remember

newest = pytest.mark.parametrize("host", ["D"], indirect=True)

TOOL_PROMPT = "agent.system.tool.memory_ledger.md"
RESULT = "_recall_memories_result"


def block(host: FakeHost, *ids: str, **scope: str) -> None:
    """Take tools from whoever works in a scope."""
    host.write_plugin_config(tool_policy.PLUGIN, {"mode": "custom", "blocked": [*ids]}, **scope)


@newest
@pytest.mark.parametrize("has_rules", [True, False])
async def test_a_delayed_recall_shows_nothing_that_was_retired_meanwhile(host: FakeHost, has_rules: bool) -> None:
    """C-55: the correction is memorized after the turn whose delayed recall still found what it corrects."""
    configure_pack(host, standing_rules={"enabled": has_rules})
    await remember(host, "My project uses Python 3.9.", OLD)
    host.configure(memory_recall_delayed=True)
    await host.turn("My project uses Python 3.11, not 3.9.", fragments=[NEW], is_instant=True)
    assert OLD in host.agent.get_data(RESULT)["memories"]
    await host.finish_memorizing()
    record = await host.turn("Which Python does my project use?", is_instant=True)
    assert OLD not in record.prompt.memories


@newest
@pytest.mark.parametrize("mode", ["auto", "wrap"])
async def test_a_recall_by_vector_is_taken_over_as_well(host: FakeHost, mode: str) -> None:
    """C-52: the host searches with one vector for both areas, past the search by text that a pack may have wrapped."""
    configure_pack(host, recall_mode=mode)
    await learn_two_versions(host)
    record = await host.turn("Which Python does my project use?")
    assert NEW in record.prompt.memories
    assert OLD not in record.prompt.memories


@newest
async def test_a_blocked_tool_is_named_in_no_prompt_and_the_rest_goes_on(host: FakeHost) -> None:
    """The policy of a profile takes the tool away; nothing else of the pack speaks of it, and recall is as before."""
    await learn_two_versions(host)
    block(host, f"plugin:{TOOL}:{TOOL}", profile="agent0")
    record = await host.turn("Which Python does my project use?", tool_calls=[(TOOL, {"verb": "history"})])
    assert TOOL not in record.prompts[0].system + record.prompts[0].extras_text
    assert NEW in record.prompts[0].memories
    assert "blocked for this profile" in json.dumps(record.prompts[1].history)


@newest
async def test_a_model_with_calls_of_its_own_is_offered_one_tool(host: FakeHost) -> None:
    """No verb in the prompt is taken for a tool, as lines are that begin with a name and its `args`."""
    prompt = host.agent.read_prompt(TOOL_PROMPT)
    assert tool_policy.offered_names(TOOL_PROMPT, prompt) == [TOOL]
    assert tool_policy.offered_names("", "## more\n- `a`: args `x`\n- `b`: x\n- `c`: arg `y`") == ["a", "c"]
