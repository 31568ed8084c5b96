"""The vault in a running host: snapshot, recall, mirror, tool (V-50 ... V-63, T-18, T-21)."""

import json
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import ask_tool, configure_pack, find, remember, settle
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore
from memory_ledger.vault.record import write_row

HOOK = "system_prompt/_60_vault_snapshot"
MISSION = "Mission: stabilise the runtime of the greenhouse"
SECRET = "Kj38sLq-x9"


def vault_of(host: FakeHost) -> VaultStore:
    """Return the vault as a terminal opens it."""
    return VaultStore(host.memory_folder(), scopes=("developer",))


async def use(host: FakeHost, action: str, said: str = "Please.", **arguments: Any) -> str:
    """Let the model use the tool in a turn; return what the history then holds as its answer."""
    return await ask_tool(host, said, verb="vault", action=action, **arguments)


async def test_canon_stands_in_every_prompt_and_a_register_in_place(host: FakeHost) -> None:
    """V-13, V-14, V-44, V-49, V-50, T-21: after the host's sections; no vault, no section; a change shows at once."""
    before = await host.turn("Hello.")
    assert "# Vault" not in before.prompt.system
    vault = vault_of(host)
    vault.add_memory(MISSION, "shared", "mission")
    vault.update_by_topic("state", "shared", "The pump is off", category="self_state")
    record = await host.turn("Hello again.", iterations=2)
    for prompt in record.prompts:
        assert prompt.system.startswith(before.prompt.system)
        assert prompt.system.endswith(
            f"## Canon\n- [mission] {MISSION}\n## Registers\n- [self_state, state] The pump is off"
        )
    vault.update_by_topic("state", "shared", "The pump is on")
    system = (await host.turn("And now?")).prompt.system
    assert MISSION in system and "The pump is on" in system and "The pump is off" not in system


async def test_a_record_is_mirrored_with_its_status(host: FakeHost) -> None:
    """T-18, V-10, V-18: under its own id, sealed; canon load-bearing, a register tactical; updates come."""
    vault = vault_of(host)
    canon = vault.add_memory(MISSION, "shared", "mission", source="operator").record
    state = vault.update_by_topic("state", "shared", "The pump is off", source="tool").record
    await host.turn("Hello.")
    axes = {one: host.docs[one].metadata["classification"] for one in (canon.id, state.id)}
    wanted = [("confirmed", "load_bearing", "user_asserted"), ("confirmed", "tactical", "agent_inferred")]
    assert [(one["validity"], one["utility"], one["source"]) for one in axes.values()] == wanted
    metadata = host.docs[canon.id].metadata
    assert (metadata["vault_id"], metadata["vault_version"], metadata["area"]) == (canon.id, 1, "main")
    vault.update_by_topic("state", "shared", "The pump is on")
    vault.delete_memory(canon.id)
    await host.turn("Hello again.")
    await settle(host)
    assert set(host.docs) == {state.id} and host.docs[state.id].page_content == "The pump is on"
    assert host.docs[state.id].metadata["vault_version"] == 2


async def test_what_the_host_does_to_the_mirror_is_undone(host: FakeHost) -> None:
    """V-60, T-18: deleted, rewritten or given another status by the host, the file wins at the next prompt."""
    vault = vault_of(host)
    ids = [vault.add_memory(text, "shared", "other").record.id for text in (MISSION, "Bees dance", "Whales sing")]
    await host.turn("Hello.")
    memory = await host.memory()
    await memory.delete_documents_by_ids([ids[0]])
    host.docs[ids[1]].page_content = "Bees do not dance"
    wrong = {"validity": "deprecated", "relevance": "active", "utility": "archived", "source": "agent_inferred"}
    host.docs[ids[2]].metadata["classification"] = wrong
    host.docs[ids[2]].metadata["vault_version"] = 9
    await host.turn("Hello again.")
    assert [host.docs[one].page_content for one in ids] == [MISSION, "Bees dance", "Whales sing"]
    assert host.docs[ids[2]].metadata["classification"]["validity"] == "confirmed"
    assert host.docs[ids[2]].metadata["vault_version"] == 1
    recorded = await host.turn("Nothing has changed.")
    assert MISSION in recorded.prompt.system


async def test_the_snapshot_is_not_recalled_a_second_time(host: FakeHost) -> None:
    """T-21: neither the mirror of what the snapshot shows, nor a memory of the same words, until it is deleted."""
    host.configure(memory_recall_similarity_threshold=0.0)
    vault = vault_of(host)
    mission = vault.add_memory(MISSION, "shared", "mission").record
    vault.add_memory("Its mission controller has Debian as a runtime", "shared", "project", tier="register")
    await host.insert(MISSION.replace(" ", "  "), area="main")
    asked = "What is the mission for the runtime of the greenhouse?"
    record = await host.turn(asked)
    assert record.prompt.system.count(MISSION) == 1
    assert "has Debian" in record.prompt.memories and "Mission" not in record.prompt.memories
    vault_of(host).delete_memory(mission.id)
    assert "Mission" in (await host.turn(asked)).prompt.memories


async def test_an_agent_sees_its_own_scopes_only(host: FakeHost) -> None:
    """V-20, V-52, V-62: neither in the snapshot, nor in recall, a list or the history is another agent's record."""
    host.configure(memory_recall_similarity_threshold=0.0)
    vault = vault_of(host)
    vault.add_memory("The password policy is in the handbook of the developers", "developer", "governance")
    own = vault.add_memory("The handbook has green pages", "developer", "other", tier="register").record
    record = await host.turn("What is in the handbook of the developers?")
    assert "handbook" not in record.prompt.system and "handbook" not in record.prompt.memories
    assert await use(host, "list") == "The vault holds nothing of that."
    questions = [{"verb": "history", **asked} for asked in ({"query": "handbook pages"}, {"memory_id": own.id})]
    assert ["green" in await ask_tool(host, **asked) for asked in questions] == [False] * 2
    host.agent.config.profile = "developer"
    record = await host.turn("What is in the handbook of the developers?")
    assert "only developer" in record.prompt.system and "green pages" in record.prompt.memories
    assert ["green" in await ask_tool(host, **asked) for asked in questions] == [True] * 2


async def test_an_agent_changes_its_own_scopes_only(host: FakeHost) -> None:
    """V-52, V-64: no action reaches another agent's record by its id, nor writes into a scope that is configured."""
    configure_pack(host, vault={"agents": ["developer"]})
    own = vault_of(host).update_by_topic("state", "developer", "The handbook has green pages").record
    for action in ("update", "promote", "delete"):
        answer = await use(host, action, id=own.id, text="The handbook is gone")
        assert answer == f"id is '{own.id}'; allowed: one that action list shows"
    assert (await use(host, "add", text="Bees dance", scope="developer")).startswith("not stored, rejected at step 4")
    assert vault_of(host).list_active() == [own]


async def test_a_lost_file_shows_nobody_anothers_record(host: FakeHost) -> None:
    """V-52, V-59, V-62: no memory goes with it, and each is its agent's alone as before; it is told."""
    host.configure(memory_recall_similarity_threshold=0.0)
    vault = vault_of(host)
    vault.add_memory("The handbook of the harbour is green", "developer", "other")
    await host.turn("Hello.")
    (host.memory_folder() / "vault.jsonl").unlink()
    assert "green" not in (await host.turn("Which handbook has the harbour?")).prompt.memories
    assert find(host, "green") and "missing or damaged" in host.warnings[-1].content
    assert "green" not in await ask_tool(host, verb="history", query="handbook")
    host.agent.config.profile = "developer"
    assert "green" in (await host.turn("Which handbook has the harbour?")).prompt.memories
    host.expected_warnings = 1


async def test_nothing_of_the_vault_is_retired_by_the_rest_of_the_pack(host: FakeHost) -> None:
    """T-18, T-24, V-59: what contradicts a record, or restates it, leaves it in use; a person settles it."""
    vault = vault_of(host)
    text = "The staging server listens on port 8080"
    record = vault.add_memory(text, "shared", "project").record
    await host.turn("Hello.")
    await remember(
        host, "Correction: the staging server listens on port 9090.", "The staging server listens on port 9090"
    )
    await settle(host)
    assert host.docs[record.id].metadata["classification"]["validity"] == "confirmed"
    assert find(host, "9090").metadata["classification"]["validity"] == "confirmed"
    conflicts = [json.loads(line) for line in (host.memory_folder() / "conflicts.jsonl").read_text().splitlines()]
    assert {record.id, find(host, "9090").id} == set(conflicts[-1]["memories"]) and conflicts[-1]["resolution"] is None
    await remember(host, "Thanks.", text)
    assert host.docs[record.id].metadata["classification"]["validity"] == "confirmed"


async def test_the_agent_remembers_for_good(host: FakeHost) -> None:
    """V-02, V-26, T-25, T-69: what the person said is `chat`, what the agent made up is its own, whatever it claims."""
    said = "From now on the backup runs at midnight."
    answer = await use(host, "add", said, text="The backup runs at midnight", category="constraint", source="operator")
    assert answer.startswith("added: ")
    await use(host, "add", text="Bees dance at noon", topic_id="bees")
    first, second = vault_of(host).list_active()
    assert (first.source, first.category, first.tier) == ("chat", "constraint", "canon")
    assert (second.source, second.tier) == ("agent", "register")
    assert {first.id, second.id} <= set(host.docs)
    assert (await use(host, "list")).count("\n") == 1
    assert await use(host, "search", query="kettle") == "The vault holds nothing of that."
    configure_pack(host, vault={"similarity_threshold": 0.0, "max_items": 1})
    assert (await use(host, "search", query="kettle")).count("[") == 1
    assert await use(host, "propose") == "Nothing to propose."


async def test_a_rejection_is_an_answer_that_can_be_acted_on(host: FakeHost) -> None:
    """V-39, V-43, V-56: the step, the reason, the way out; the secret is in no file and no log."""
    answer = await use(host, "add", text=f"the password is {SECRET}")
    assert answer.startswith("not stored, rejected at step 5 (privacy): the text holds password (characters 16 to 26).")
    assert "Leave the secret out" in answer and SECRET not in answer
    assert not (host.memory_folder() / "vault.jsonl").exists()
    assert not [one for one in host.log if SECRET in f"{one.heading}{one.content}" and "Memory Ledger" in one.heading]
    answer = await use(host, "add", text="Bees dance", scope="developer")
    assert "rejected at step 4 (fields): scope is 'developer'" in answer


async def test_the_agents_own_profile_decides(host: FakeHost) -> None:
    """V-55, V-63: `memory` of the profile's YAML, key by key; a bad key is named once; off is empty."""
    vault_of(host).add_memory(MISSION, "shared", "mission")
    vault_of(host).add_memory("The pump is loud", "developer", "other")
    path = host.root / "usr" / "agents" / host.agent.config.profile / "agent.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("title: x\nmemory:\n  scopes: [shared, developer]\n  max_items: many\n")
    host.expected_warnings = 1
    assert "The pump is loud" in (await host.turn("Hello.")).prompt.system
    assert "max_items" in host.warnings[-1].content
    path.write_text("memory:\n  enabled: false\n")
    assert "# Vault" not in (await host.turn("Hello.")).prompt.system
    assert "switched off" in await use(host, "list")


def write_by_hand(host: FakeHost, **fields: Any) -> None:
    """Append a line to the vault's file as a person's editor would."""
    row = {"id": "aaaaaaaaaaaa", "version": 1, "text": "Bees dance at noon", "scope": "shared", "category": "x"}
    with (host.memory_folder() / "vault.jsonl").open("a") as stream:
        stream.write(json.dumps({**row, **fields}) + "\n")


@pytest.mark.parametrize("field", ["text", "category", "topic_id"])
async def test_a_secret_put_into_the_file_by_hand_is_shown_nowhere(host: FakeHost, field: str) -> None:
    """V-56: neither in prompt, index nor tool; a person is told where it is, without its value; it can be deleted."""
    vault_of(host).add_memory(MISSION, "shared", "mission")
    write_by_hand(host, **{field: f"the password is {SECRET}"})
    system = (await host.turn("Hello.")).prompt.system
    assert MISSION in system and SECRET not in system and "aaaaaaaaaaaa" not in host.docs
    assert "aaaaaaaaaaaa" in host.warnings[-1].content and SECRET not in host.warnings[-1].content
    host.expected_warnings = 1
    found = [await use(host, "list"), await use(host, "search", query="password, or do bees dance at noon")]
    assert MISSION in found[0] and SECRET not in "".join(found)
    assert f"delete aaaaaaaaaaaa? the {field} holds password" in await use(host, "propose")
    twin = await use(host, "add", text="the password is kept in the safe", category="other")
    assert SECRET not in twin
    assert "so only the user may delete it" in await use(host, "delete", id="aaaaaaaaaaaa")
    assert vault_of(host).delete_memory("aaaaaaaaaaaa").version == 2


async def test_a_line_by_hand_takes_no_memorys_place(host: FakeHost) -> None:
    """V-18, V-59: a record under the id of another memory is named and left out; that memory stays as it is."""
    await remember(host, "Otters hold hands at sea.", "Otters hold hands at sea")
    other = find(host, "Otters").id
    write_by_hand(host, id=other)
    assert "Bees" not in (await host.turn("Hello.")).prompt.system
    assert host.docs[other].page_content == "Otters hold hands at sea" and other in host.warnings[-1].content
    host.expected_warnings = 1
    vault_of(host).delete_memory(other)
    await host.turn("Hello.")
    assert other in host.docs


async def test_a_vault_that_was_emptied_is_named_once_and_comes_back(host: FakeHost) -> None:
    """T-64, V-59: the chat names the command; after it the next prompt shows the records, and the store has them."""
    vault = vault_of(host)
    canon = vault.add_memory(MISSION, "shared", "mission").record
    with vault.file.path.open("a") as stream:  # by hand, and never written through the gate
        stream.write(json.dumps(write_row(canon) | {"id": "abcdefabcdef", "text": "The pump is Danish"}) + "\n")
    await host.turn("Hello.")
    await settle(host)
    vault.file.path.write_bytes(b"")
    for _ in range(2):
        assert MISSION not in (await host.turn("Hello.")).prompt.system
    [warning] = [item for item in host.warnings if item.heading.startswith("Memory Ledger")]
    assert "without 2 records" in warning.content and f"restore --folder {host.memory_folder()}" in warning.content
    host.expected_warnings = 1
    assert cli.main(["restore", "--folder", str(host.memory_folder())]) == 0
    assert MISSION in (await host.turn("Hello.")).prompt.system
    await settle(host)
    assert {find(host, MISSION).id, find(host, "Danish").id} == {canon.id, "abcdefabcdef"}
