"""The user's word stands against the agent's tool: what it believes to be outdated, the user or a person settles."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fake_host import FakeHost
from hook_tools import ask_tool, axes, find, remember, settle
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore
from memory_ledger.inbox import LinkMemories
from memory_ledger.quality.conflict_record import Resolver
from memory_ledger.quality.relationships import RelationshipType
from memory_ledger.store.requests import Inbox

AALTO, DELFT, GYM = "User studies at Aalto University.", "User studies at Delft University.", "User trains at McFit."


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
    opened, delft = lines(host, "conflicts.jsonl")[-1]["id"], find(host, "Delft").metadata["id"]
    told = await ask_tool(host, verb="settle", conflict=opened, keep=delft)
    await settle(host)
    assert told.startswith("proposed, and not done: ")
    assert axes(find(host, "Aalto"))[0] == "confirmed"
    conflict = lines(host, "conflicts.jsonl")[-1]
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


async def test_a_link_that_waits_is_judged_again_when_it_is_made(host: FakeHost) -> None:
    """C-44: what the user has said since it was asked for holds."""
    await remember(host, "My API runs on port 8443.", "The user's API runs on port 8443.")
    await remember(host, "Well.", "The user may like green tea.")
    pair = find(host, "green tea").metadata["id"], find(host, "8443").metadata["id"]
    asked = LinkMemories(memories=pair, type=RelationshipType.SUPERSEDES, by=Resolver.AGENT)
    inbox = Inbox(host.memory_folder())
    inbox.append(asked, at=datetime(2026, 3, 1, tzinfo=UTC), by="agent")
    await settle(host)
    host.expected_warnings = 1  # the chat is told
    [request] = inbox.read()
    assert request.answer is not None and "speak of one thing" in request.answer.words
    assert find(host, "8443").metadata["classification"]["validity"] == "confirmed"


async def use_vault(host: FakeHost, action: str, said: str = "Please.", **given: Any) -> str:
    return await ask_tool(host, said, verb="vault", action=action, **given)


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


OLD, NEW = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."


async def learn_two_prices(host: FakeHost) -> str:
    """Two turns in other words; return the id of the conflict that is only possible."""
    await remember(host, "My gym membership costs 40 euros a month.", OLD)
    await remember(host, NEW, NEW)
    return str(conflicts(host)[-1]["id"])


def conflicts(host: FakeHost) -> list[dict[str, Any]]:
    path = Path(host.memory_folder()) / "conflicts.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_the_prompt_shows_both_and_the_users_later_word_settles_it(host: FakeHost) -> None:
    """C-96, C-47: marked until the user answers what the agent has proposed; the other one is kept, retired."""
    conflict = await learn_two_prices(host)
    turn = await host.turn("What does the gym membership cost?")
    first, second = re.findall(r"\[at odds\? \d[-\d]* user\] (.{9})", str(turn.prompts))[:2]
    assert (first, second) == (OLD[:9], NEW[:9])
    told = await ask_tool(host, verb="conflicts")
    old, new = find(host, "40 euros").id, find(host, "55 euros").id
    assert f"{conflict}: possibly at odds" in told and f"id {old}" in told and f"id {new}" in told
    asked = {"verb": "settle", "conflict": conflict}
    assert (await ask_tool(host, **asked, keep=old)).startswith("proposed, and not done: ")
    assert f"proposed to keep {old}" in await ask_tool(host, verb="conflicts")
    assert await ask_tool(host, NEW, **asked, keep=new) == f"{conflict} is settled, as the user said"
    await settle(host)
    assert find(host, "40 euros").metadata["classification"]["validity"] == "deprecated"
    assert conflicts(host)[-1]["resolution"]["resolvedBy"] == "operator"
    assert await ask_tool(host, verb="conflicts") == "No memories are at odds."
