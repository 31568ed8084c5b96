"""message_loop_prompts_after/_55_memory_relevance_filter: what may take part in a recall, and how much of it."""

from typing import Any

from fake_host import FakeHost
from fake_host.config import shipped_plugin_config
from hook_tools import (
    CLASSIFIER,
    NEW,
    OLD,
    configure_pack,
    find,
    learn_two_versions,
    remember,
    role,
    settle,
)


async def test_deprecated_memory_stays_out_of_the_prompt(host: FakeHost) -> None:
    """C-07, C-50, C-51, C-53, C-55, C-81: also after a restart; the bare host would have injected both."""
    await learn_two_versions(host)
    before = find(host, OLD).metadata["lineage"]["access_count"]
    for _ in range(2):
        record = await host.turn("Which Python does the project uses?")
        assert NEW in record.prompt.memories
        assert OLD not in record.prompt.memories
        item = [one for one in host.log if one.type == "util" and "recalled" in one.heading][-1]
        assert NEW in str(item.kvps) and OLD not in str(item.kvps)
        await host.restart()
    assert find(host, OLD).metadata["lineage"]["access_count"] == before
    host.uninstall()
    await host.restart()
    bare = await host.turn("User's project uses Python")
    assert OLD in bare.prompt.memories
    assert NEW in bare.prompt.memories


async def test_a_fact_that_changed_twenty_times_is_shown_once(host: FakeHost) -> None:
    """T-52, C-65, design.md (Read): who may take part is decided before the search; twenty conflicts stay listed."""
    for minor in range(23):
        await remember(host, f"My project uses Python 3.{minor}.", f"User's project uses Python 3.{minor}")
    record = await host.turn("User's project uses Python")
    assert record.prompt.memories.count("User's project uses Python") == 1
    assert "3.22" in record.prompt.memories
    assert len(host.agent._memory_conflict_log) == 20
    assert host.agent._memory_health["conflicts_resolved_this_session"] == 22


async def test_role_suppresses_other_domains_and_the_switch_brings_them_back(host: FakeHost) -> None:
    """C-18, C-19, C-52, C-56, C-82 ... C-84, C-95: load_bearing surfaces under every role; nothing is written."""
    host.agent._org_active_role = role("codegen_specialist", "codegen", "docker")
    host.agent._bst_store = {"domain": "codegen"}
    await remember(host, "The compose file lists seven boxes.", "The compose file lists seven boxes")
    await remember(host, "The compose file must list the boxes.", "The compose file must list the boxes")
    host.agent._org_active_role = role("bugfix_specialist", "bugfix")
    record = await host.turn("Tell me about the compose file and its boxes, it lists seven")
    assert "seven" not in record.prompt.memories
    assert "must list" in record.prompt.memories
    assert find(host, "seven").metadata["classification"]["relevance"] == "active"
    host.agent._org_active_role = role("codegen_specialist", "codegen")
    record = await host.turn("Tell me about the compose file and its boxes, it lists seven")
    assert "seven" in record.prompt.memories


async def test_profile_stands_in_for_a_role(host: FakeHost) -> None:
    """C-59, C-87, C-99, T-63: without a role the agent's profile may name domains; without either nothing is cut."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories
    host.agent._org_active_role = role("bugfix_specialist", "bugfix")
    assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories
    host.agent._org_active_role, host.agent._bst_store = None, {"domain": "docker"}
    await remember(host, "The base image weighs nine pounds.", "The base image weighs nine pounds")
    assert "nine" in (await host.turn("The base image weighs nine what")).prompt.memories
    configure_pack(host, profile_domains={host.agent.config.profile: ["bugfix"]})
    await settle(host)
    await settle(host)
    assert "nine" not in (await host.turn("The base image weighs nine what")).prompt.memories


async def test_order_is_tier(host: FakeHost) -> None:
    """C-09, C-54, C-57: load_bearing first, of three that three sentences of the message bring."""
    await remember(host, "The garden has a red gate.", "The garden has a red gate")
    await remember(host, "The harbour has a blue crane.", "The harbour has a blue crane")
    await remember(host, "The office must have a door.", "The office must have a door")
    record = await host.turn("The garden has a gate. The harbour has a crane. The office must have a door")
    positions = [record.prompt.memories.index(word) for word in ("must", "blue", "red")]
    assert min(positions) == positions[0]


async def test_at_most_eight_in_all(host: FakeHost) -> None:
    """C-58, T-53: memories and solutions together; at most three of them solutions."""
    jars = [f"The shelf holds jar {number}" for number in range(10)]
    await remember(host, ". ".join(jars), *jars)
    await remember(
        host, "Hm.", solutions=[{"problem": f"The shelf holds jar {n}", "solution": "lift"} for n in range(5)]
    )
    record = await host.turn("The shelf holds jar")
    assert record.prompt.memories.count("The shelf holds jar") + record.prompt.solutions.count("lift") == 8
    assert record.prompt.solutions.count("lift") <= 3


async def test_counts_survive_a_crash_without_an_index_write(host: FakeHost) -> None:
    """C-60, C-88, T-05, design.md (Storage): one access per injection; the counts are replayed after a crash."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await settle(host)
    saves = len(host.saves)
    for _ in range(5):
        await host.turn("The cat sleeps on the what")
    lineage = find(host, "printer").metadata["lineage"]
    assert lineage["access_count"] == 5 and lineage["last_accessed"].endswith(("Z", "+00:00"))
    assert len(host.saves) == saves
    await host.restart()
    await host.run(CLASSIFIER)
    assert find(host, "printer").metadata["lineage"]["access_count"] == 5


async def test_other_extras_are_left_alone(host: FakeHost) -> None:
    """C-67, T-14: only the recall extension's own two keys are written."""
    base = "helpers.extension" if host.machine.traits.has_plugins else "python.helpers.extension"
    host.write_extension(
        "message_loop_prompts_after/_40_other",
        f"from {base} import Extension\n\n\nclass Other(Extension):\n"
        "    async def execute(self, loop_data=None, **kwargs):\n"
        "        loop_data.extras_persistent['other'] = 'mine'\n",
    )
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    record = await host.turn("The cat sleeps on the what")
    assert "printer" in record.prompt.memories
    assert record.prompt.extras["other"] == "mine"


async def test_changed_plugin_configuration_of_a_scope_holds_at_once(host: FakeHost) -> None:
    """T-06: the profile's own configuration of the pack and of the memory plugin, made in mid-chat."""
    if not host.machine.traits.has_plugins:
        return
    for number in range(4):
        await remember(host, f"The shelf holds jar {number}.", f"The shelf holds jar {number}")
    await settle(host)
    profile = host.agent.config.profile
    host.write_plugin_config("memory_ledger", {"max_injected_memories": 2}, profile=profile)
    record = await host.turn("The shelf holds jar")
    assert record.prompt.memories.count("The shelf holds jar") == 2
    await settle(host)
    elsewhere = {**shipped_plugin_config(host.machine), "agent_memory_subdir": "elsewhere"}
    host.write_plugin_config("_memory", elsewhere, profile=profile)
    assert (await host.turn("The shelf holds jar")).prompt.memories == ""


async def test_reloaded_plugin_code_goes_on(host: FakeHost) -> None:
    """Contract, section 1: after a purge of `usr.plugins` the same store is used by new module objects."""
    await learn_two_versions(host)
    host.purge_plugins()
    await remember(host, "My project uses Python 3.12.", "User's project uses Python 3.12")
    record = await host.turn("User's project uses Python")
    assert "3.12" in record.prompt.memories
    assert NEW not in record.prompt.memories


async def test_memory_load_marks_what_is_retired(host: FakeHost) -> None:
    """C-97, T-44: `[deprecated → id]` before it, and no ledger metadata."""
    await learn_two_versions(host)
    seen: list[str] = []
    await host.turn(
        "What did we use before?",
        tool_calls=[("memory_load", {"query": OLD, "threshold": 0.5})],
        on_model_call=lambda prompt: seen.append(str(host.agent.history.output())),
    )
    shown = seen[-1]
    assert f"[deprecated → {find(host, '3.11').metadata['id']}] {OLD}" in shown
    assert "superseded_by" not in shown
    assert f"Content: {NEW}" in shown


def settings_of(host: FakeHost) -> Any:
    return host.agent.data["_memory_ledger_view"].settings


async def test_a_setting_changed_while_the_model_thinks_holds_for_the_next_prompt(host: FakeHost) -> None:
    """T-06: a turn of many prompts takes long; nobody waits for its end."""
    seen: list[int] = []

    def change(_: Any) -> None:
        seen.append(settings_of(host).max_injected_memories)
        configure_pack(host, max_injected_memories=len(seen))

    await host.turn("Please look at the logs.", iterations=3, on_model_call=change)
    assert seen[1:] == [1, 2]
    await host.turn("Thank you.")
    assert settings_of(host).max_injected_memories == 3


async def test_what_is_changed_between_two_turns_holds_from_the_first_hook_on(host: FakeHost) -> None:
    """T-06, E-04, C-52: settings of the user, of a model, of a role, each in a folder that was not there before."""
    host.agent._org_active_role = role("coder", "codegen")
    host.agent._bst_store = {"domain": "codegen"}
    await remember(host, "The compose file lists seven boxes.", "The compose file lists seven boxes")
    asked, expected = "The compose file lists how many boxes?", "seven"
    assert expected in (await host.turn(asked)).prompt.memories
    configure_pack(host, enabled=False)
    await host.turn(asked)
    assert not settings_of(host).enabled
    configure_pack(host)
    assert expected in (await host.turn(asked)).prompt.memories
    profiles = host.root / "usr" / "model_profiles"
    profiles.mkdir(parents=True)
    (profiles / "default.json").write_text('{"memory": {"disabled_domains": ["codegen"]}}')
    assert expected not in (await host.turn(asked)).prompt.memories
    (profiles / "default.json").write_text('{"memory": {"disabled_domains": []}}')
    assert expected in (await host.turn(asked)).prompt.memories
    host.agent._org_active_role = {"role_id": "gardener"}
    assert expected in (await host.turn(asked)).prompt.memories
    roles = host.root / "usr" / "organizations" / "roles"
    roles.mkdir(parents=True)
    (roles / "gardener.json").write_text('{"role_id": "gardener", "bst_domains": ["garden"]}')
    assert expected not in (await host.turn(asked)).prompt.memories
    (roles / "gardener.json").write_text('{"role_id": "gardener", "bst_domains": ["garden", "codegen"]}')
    assert expected in (await host.turn(asked)).prompt.memories
