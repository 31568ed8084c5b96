"""message_loop_prompts_after/_55_memory_relevance_filter on six generations of the host."""

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
    use_folder,
)


async def test_deprecated_memory_stays_out_of_the_prompt(host: FakeHost) -> None:
    """C-07, C-50, C-53, C-55, C-81: the bare host would have injected both."""
    await learn_two_versions(host)
    record = await host.turn("Which Python does the project uses?")
    assert NEW in record.prompt.memories
    assert OLD not in record.prompt.memories
    host.uninstall()
    await host.restart()
    bare = await host.turn("User's project uses Python")
    assert OLD in bare.prompt.memories
    assert NEW in bare.prompt.memories


async def test_deprecated_memory_stays_in_the_store(host: FakeHost) -> None:
    """C-50, C-51: kept as audit trail, found when it is asked for."""
    await learn_two_versions(host)
    found = await (await host.memory()).search_similarity_threshold(query=OLD, limit=5, threshold=0.5)
    assert OLD in [document.page_content for document in found]


async def test_status_decides_right_after_a_restart(host: FakeHost) -> None:
    """C-81: the first recall of a new process knows what is retired."""
    await learn_two_versions(host)
    await settle(host)
    await host.restart()
    record = await host.turn("Which Python does the project uses?")
    assert NEW in record.prompt.memories
    assert OLD not in record.prompt.memories


async def test_thousand_deprecated_neighbours_do_not_starve_the_query(host: FakeHost) -> None:
    """T-52, design.md (Read): who may take part is decided before the search."""
    for minor in range(30):
        await remember(host, f"My project uses Python 3.{minor}.", f"User's project uses Python 3.{minor}")
    record = await host.turn("User's project uses Python")
    assert record.prompt.memories.count("User's project uses Python") == 1
    assert "3.29" in record.prompt.memories


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


async def test_role_profile_on_disk_names_the_domains(host: FakeHost) -> None:
    """C-52, C-56: the domains of `created_by_role` come from the profile of that role."""
    folder = host.root / "usr" / "organizations" / "roles"
    folder.mkdir(parents=True)
    (folder / "docker_specialist.json").write_text('{"role_id": "docker_specialist", "bst_domains": ["docker"]}')
    (folder / "broken.json").write_text("{")
    host.agent._org_active_role = {"role_id": "docker_specialist"}
    await remember(host, "The base image weighs nine pounds.", "The base image weighs nine pounds")
    host.agent._org_active_role = role("bugfix_specialist", "bugfix")
    assert "nine" not in (await host.turn("The base image weighs nine what")).prompt.memories
    host.agent._org_active_role = {"role_id": "docker_specialist"}
    assert "nine" in (await host.turn("The base image weighs nine what")).prompt.memories


async def test_without_an_organization_only_validity_filters(host: FakeHost) -> None:
    """C-59, C-87, C-99: no role, no domain: nothing is suppressed, and conflicts are still resolved."""
    await learn_two_versions(host)
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    record = await host.turn("The cat sleeps on the what")
    assert "printer" in record.prompt.memories
    assert find(host, "3.9").metadata["classification"]["validity"] == "deprecated"


async def test_memory_without_domain_is_never_suppressed(host: FakeHost) -> None:
    """C-99: neither domain nor role: it fits every role."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    host.agent._org_active_role = role("bugfix_specialist", "bugfix")
    assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories


async def test_profile_stands_in_for_a_role(host: FakeHost) -> None:
    """T-63: without a role the agent's profile may name domains; an empty map filters nothing."""
    host.agent._bst_store = {"domain": "docker"}
    await remember(host, "The base image weighs nine pounds.", "The base image weighs nine pounds")
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
    for number in range(10):
        await remember(host, f"The shelf holds jar {number}.", f"The shelf holds jar {number}")
    await remember(
        host, "Hm.", solutions=[{"problem": f"The shelf holds jar {n}", "solution": "lift"} for n in range(5)]
    )
    record = await host.turn("The shelf holds jar")
    assert record.prompt.memories.count("The shelf holds jar") + record.prompt.solutions.count("lift") == 8
    assert record.prompt.solutions.count("lift") <= 3


async def test_cap_is_a_setting(host: FakeHost) -> None:
    """C-58, C-72: `max_injected_memories` applies."""
    configure_pack(host, max_injected_memories=2)
    for number in range(5):
        await remember(host, f"The shelf holds jar {number}.", f"The shelf holds jar {number}")
    assert (await host.turn("The shelf holds jar")).prompt.memories.count("The shelf holds jar") == 2


async def test_five_recalls_count_five(host: FakeHost) -> None:
    """C-60, C-88, T-05: one access per injection; `last_accessed` is set."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    before = find(host, "printer").metadata["lineage"]["access_count"]
    for _ in range(5):
        assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories
    lineage = find(host, "printer").metadata["lineage"]
    assert lineage["access_count"] == before + 5
    assert lineage["last_accessed"].endswith(("Z", "+00:00"))


async def test_counts_survive_a_crash_without_an_index_write(host: FakeHost) -> None:
    """C-60, design.md (Storage): a recall writes no index; its count is replayed after a crash."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await settle(host)
    saves = len(host.saves)
    await host.turn("The cat sleeps on the what")
    count = find(host, "printer").metadata["lineage"]["access_count"]
    assert len(host.saves) == saves
    assert count == 1
    await host.restart()
    await host.run(CLASSIFIER)
    assert find(host, "printer").metadata["lineage"]["access_count"] == count


async def test_what_is_not_injected_is_not_counted(host: FakeHost) -> None:
    """C-60: only what entered the prompt."""
    await learn_two_versions(host)
    before = find(host, "3.9").metadata["lineage"]["access_count"]
    await host.turn("User's project uses Python")
    assert find(host, "3.9").metadata["lineage"]["access_count"] == before


async def test_delayed_recall_brings_the_same_selection(host: FakeHost) -> None:
    """C-53, T-02: the host's delayed mode; the memories come with a later prompt."""
    await learn_two_versions(host)
    host.configure(memory_recall_delayed=True)
    await settle(host)
    host.hold_recall()
    record = await host.turn("User's project uses Python", iterations=3)
    everything = "".join(prompt.memories for prompt in record.prompts)
    assert OLD not in everything
    assert NEW in everything or "memory_recall_delayed" in record.prompts[0].extras


async def test_recall_interval_is_the_hosts(host: FakeHost) -> None:
    """T-42: between two recalls the pack does nothing; one access per recall, not per iteration."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await host.turn("The cat sleeps on the what", iterations=3)
    assert find(host, "printer").metadata["lineage"]["access_count"] == 1


async def test_recall_mode_wrap(host: FakeHost) -> None:
    """T-02: `recall_mode: wrap` keeps the host's search running."""
    configure_pack(host, recall_mode="wrap")
    await learn_two_versions(host)
    record = await host.turn("User's project uses Python")
    assert NEW in record.prompt.memories
    assert OLD not in record.prompt.memories


async def test_template_directive_in_a_memory_is_not_expanded(host: FakeHost) -> None:
    """T-62: the text reads the same to a person and includes nothing."""
    text = "The note says {{ include 'agent.system.main.md' }} for the user"
    await remember(host, "The note says something for the user.", text)
    record = await host.turn("The note says what for the user")
    assert "scripted agent" not in record.prompt.memories
    assert record.prompt.memories.replace("\u200b", "").count("{{ include 'agent.system.main.md' }}") == 1


async def test_hosts_log_item_tells_what_entered_the_prompt(host: FakeHost) -> None:
    """T-02: the item that the host opened for its search is found and told the truth."""
    await learn_two_versions(host)
    await host.turn("User's project uses Python")
    item = [one for one in host.log if one.type == "util" and "recalled" in one.heading][-1]
    assert NEW in str(item.kvps)
    assert OLD not in str(item.kvps)


async def test_recall_switched_off_in_the_host_stays_off(host: FakeHost) -> None:
    """T-02: the pack injects nothing where the host does not recall."""
    await learn_two_versions(host)
    host.configure(memory_recall_enabled=False)
    record = await host.turn("User's project uses Python")
    assert record.prompt.memories == ""


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


async def test_project_switch_in_mid_chat_changes_the_store(host: FakeHost) -> None:
    """T-42, contract trap 18: what is recalled belongs to the folder that is in use now."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    other = host.new_context(project="falcon").agent0
    record = await host.turn("The cat sleeps on the what", agent=other)
    assert "printer" not in record.prompt.memories
    record = await host.turn("The cat sleeps on the what")
    assert "printer" in record.prompt.memories


async def test_another_folder_from_one_turn_to_the_next(host: FakeHost) -> None:
    """T-06: from the first hook on after the change, nothing of the former folder enters the prompt."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await settle(host)
    use_folder(host, "elsewhere")
    assert (await host.turn("The cat sleeps on the what")).prompt.memories == ""
    use_folder(host, "default")
    assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories


async def test_changed_settings_hold_from_the_next_hook_on(host: FakeHost) -> None:
    """T-06, T-16: the host's settings and the user's file, without a turn in between that still has the former ones."""
    await remember(host, "The cat sleeps on the printer.", "The cat sleeps on the printer")
    await settle(host)
    host.configure(memory_recall_similarity_threshold=1.0)
    assert (await host.turn("The cat sleeps on the what")).prompt.memories == ""
    await settle(host)
    host.configure(memory_recall_similarity_threshold=0.7)
    assert "printer" in (await host.turn("The cat sleeps on the what")).prompt.memories
    await settle(host)
    configure_pack(host, enabled=False)
    count = find(host, "printer").metadata["lineage"]["access_count"]
    await host.turn("The cat sleeps on the what")
    assert find(host, "printer").metadata["lineage"]["access_count"] == count


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
