"""The user's word stands against the agent's tool: what it believes to be outdated, a person or the user settles."""

import json
from typing import Any

from fake_host import FakeHost
from hook_tools import ask_tool, axes, find, remember, settle
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore

ALLERGY, COLOUR = "User is allergic to penicillin.", "User's favourite colour is green."
AALTO, DELFT, GYM = "User studies at Aalto University.", "User studies at Delft University.", "User trains at McFit."
RULE = "Never delete anything under /srv/prod without asking."


async def link(host: FakeHost, winner: str, loser: str) -> str:
    ids = {"memory_id": find(host, winner).metadata["id"], "id": find(host, loser).metadata["id"]}
    told = await ask_tool(host, verb="link", type="supersedes", **ids)
    await settle(host)
    return told


def lines(host: FakeHost, name: str) -> list[dict[str, Any]]:
    path = host.memory_folder() / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


async def read_page(host: FakeHost, name: str, action: str, **question: Any) -> str:
    """Return what a page answers, where the host has pages."""
    has_pages = host.machine.traits.has_plugins
    return str(await host.call_api("ledger", {"name": f"{name}.{action}", **question})) if has_pages else ""


async def test_what_the_agent_holds_for_outdated_waits_for_the_user(host: FakeHost) -> None:
    """C-44, C-96: the conflict stays open, says who proposed what, and a person settles it."""
    await remember(host, "I study at Aalto University. I train at McFit.", AALTO, GYM)
    await remember(host, "Well.", DELFT)
    assert "speak of one thing" in await link(host, "McFit", "Aalto")
    told = await link(host, "Delft", "Aalto")
    assert told.startswith("proposed, and not done: ")
    assert axes(find(host, "Aalto"))[0] == "confirmed"
    conflict, delft = lines(host, "conflicts.jsonl")[-1], find(host, "Delft").metadata["id"]
    assert (conflict["proposal"]["keep"], conflict["proposal"]["by"], conflict["resolution"]) == (delft, "agent", None)
    proposed = [(one["action"], one["by"]) for one in lines(host, "ledger.jsonl")][-1]
    assert proposed == ("propose", "agent")
    if told := await read_page(host, "overview", "read"):
        assert "the agent proposed to retire it" in told
        assert delft in await read_page(host, "inbox", "list")
    shown = await ask_tool(host, verb="history", query="studies university")
    assert "IN USE" in shown and "NO LONGER IN USE" not in shown
    assert cli.main(["resolve", conflict["id"], "--keep", delft, "--folder", str(host.memory_folder())]) == 0
    await settle(host)
    assert axes(find(host, "Aalto"))[0] == "deprecated"
    assert [(one["action"], one["by"]) for one in lines(host, "ledger.jsonl")][-1] == ("supersede", "person")
    assert "because: a person retired it (rule Q-23)" in await ask_tool(
        host, verb="history", query="studies university"
    )
    if told := await read_page(host, "memories", "show", id=find(host, "Aalto").metadata["id"]):
        assert "the agent proposed to retire it" in told and "a person retired it" in told


async def use_vault(host: FakeHost, action: str, said: str = "Please.", **given: Any) -> str:
    return await ask_tool(host, said, verb="vault", action=action, **given)


async def test_a_record_of_a_person_is_changed_by_a_person(host: FakeHost) -> None:
    """V-26, V-52: neither changed, replaced by its topic, made canon nor deleted; the agent is told so."""
    vault = VaultStore(host.memory_folder())
    rule = vault.add_memory(RULE, "shared", "constraint", source="operator").record
    state = vault.update_by_topic("pump", "shared", "The pump is off", source="manual").record
    before = vault.file.path.read_bytes()
    opposite = "Always delete what lies under /srv/prod without asking."
    for told in (
        await use_vault(host, "update", id=rule.id, text=opposite),
        await use_vault(host, "update", opposite, id=rule.id, text=opposite),
        await use_vault(host, "update", id=rule.id, tags=["old"]),
        await use_vault(host, "delete", id=rule.id),
        await use_vault(host, "add", text="The pump is on", topic_id="pump"),
        await use_vault(host, "promote", id=state.id),
    ):
        assert "was entered by a person, so only the user may " in told and "on the page Vault" in told
    assert vault.file.path.read_bytes() == before
    assert RULE in (await host.turn("Hello.")).prompt.system
    assert [(one["memory"], one["by"]) for one in lines(host, "ledger.jsonl") if one["action"] == "propose-record"] == [
        *[(rule.id, "agent")] * 4,
        *[(state.id, "agent")] * 2,
    ]
    if told := await read_page(host, "overview", "read"):
        assert "the agent proposed to change it: delete" in told and "a person added this record of the vault" in told


async def test_a_record_bears_the_label_of_who_wrote_it(host: FakeHost) -> None:
    """V-26, V-48: an agent changes what an agent wrote, and what the user said by the user's newer words alone."""
    await use_vault(host, "add", text="Bees dance at noon", topic_id="bees")
    await use_vault(host, "add", "The backup runs at midnight.", text="The backup runs at midnight", topic_id="backup")
    bees, backup = VaultStore(host.memory_folder()).list_active()
    assert [bees.source, backup.source] == ["agent", "chat"]
    assert "v2 register" in await use_vault(host, "update", id=bees.id, text="Bees dance at dawn")
    assert "v3 canon" in await use_vault(host, "promote", id=bees.id)
    assert "[other, bees, agent] Bees dance at dawn" in (await host.turn("Hello.")).prompt.system
    assert (await use_vault(host, "delete", id=bees.id)).startswith("deleted: ")
    for said, text in (("Please.", "The backup runs at noon"), ("Please.", "The backup runs at midnight.")):
        assert "holds what the user said" in await use_vault(host, "update", said, id=backup.id, text=text)
    assert "so only the user may delete it" in await use_vault(host, "delete", id=backup.id)
    told = await use_vault(host, "update", "The backup runs at noon now.", id=backup.id, text="The backup runs at noon")
    assert told.startswith(f"updated: {backup.id} v2 ")
    sources = [(one["id"], one["source"]) for one in lines(host, "vault.jsonl")]
    assert sources == [(bees.id, "agent"), (backup.id, "chat"), *[(bees.id, "agent")] * 3, (backup.id, "chat")]


async def test_what_the_user_has_said_otherwise_since_is_not_entered_as_the_users(host: FakeHost) -> None:
    """C-47, T-69: an agent brings no older word of the user's back under the user's label."""
    for city in ("Lisbon", "Porto"):
        await remember(host, f"I live in {city}.", f"User lives in {city}.")
    await use_vault(host, "add", text="User lives in Lisbon.")
    assert [one["source"] for one in lines(host, "vault.jsonl")] == ["agent"]
