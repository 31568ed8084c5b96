"""What an agent can call against the user's word, as data: nothing changes what the user said (C-44, V-26, T-69)."""

import json
from typing import Any

from fake_host import FakeHost
from hook_tools import PACK_ROOT, ask_tool, find, remember, settle, use_folder
from memory_ledger.host.vault.vault_store import VaultStore

ATTACKS = [
    json.loads(line) for line in (PACK_ROOT / "tests/data/attacks/agent_calls.jsonl").read_text("utf-8").splitlines()
]
#: What the user says, and what is memorized of it.
SAID = {
    "allergy": ("I am allergic to penicillin.", "User is allergic to penicillin."),
    "colour": ("My favourite colour is green.", "User's favourite colour is green."),
    "aalto": ("I study at Aalto University.", "User studies at Aalto University."),
    "port": ("My API runs on port 8443.", "User's API runs on port 8443."),
    "price_old": ("My gym membership costs 40 euros a month.", "User's gym membership costs 40 euros a month."),
    "price_new": ("The gym put its monthly price up to 55 euros.", "The gym put its monthly price up to 55 euros."),
}
TOLD = {
    "tea": "User may like green tea.",
    "delft": "User studies at Delft University.",
    "gym": "User trains at McFit.",
    "pump_on": "The pump is on today.",
    "guess": "User may be an otter.",
}
RULE = "Never delete anything under /srv/prod without asking."
PUMP, BACKUP = "The pump is off", "The backup runs at noon"


async def prepare(host: FakeHost) -> dict[str, str]:
    """Let the user say, others conclude, and a person enter what is attacked; return the ids by their names."""
    use_folder(host, "other")
    await remember(host, "I own a boat.", "User owns a boat.")
    names = {"elsewhere": find(host, "a boat").metadata["id"]}
    use_folder(host, "default")
    for said, text in SAID.values():
        await remember(host, said, text)
    for text in TOLD.values():
        await remember(host, "Well.", text)
    vault = VaultStore(host.memory_folder())
    names["rule"] = vault.add_memory(RULE, "shared", "constraint", source="operator").record.id
    names["pump"] = vault.update_by_topic("pump", "shared", PUMP, source="manual").record.id
    await ask_tool(host, f"{BACKUP}.", verb="vault", action="add", text=BACKUP, topic_id="backup")
    [names["backup"]] = [one.id for one in vault.list_active() if one.text == BACKUP]
    await settle(host)
    names |= {name: find(host, text).metadata["id"] for name, (_, text) in SAID.items()}
    names |= {name: find(host, text).metadata["id"] for name, text in TOLD.items()}
    for line in (host.memory_folder() / "conflicts.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        names |= {"universities": row["id"]} if set(row["memories"]) == {names["aalto"], names["delft"]} else {}
        names |= {"prices": row["id"]} if set(row["memories"]) == {names["price_old"], names["price_new"]} else {}
    return names


def fill(value: Any, names: dict[str, str]) -> Any:
    """Return what is asked, with ids in the place of names."""
    if isinstance(value, dict):
        return {key: fill(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [fill(one, names) for one in value]
    if not isinstance(value, str):
        return value
    for name in sorted(names, key=len, reverse=True):
        value = value.replace(f"${name}", names[name])
    return value


def what_the_user_said(host: FakeHost, names: dict[str, str]) -> list[Any]:
    """Return what stands of the user's word: text, axes and pointers of each memory, and the records."""
    found: list[Any] = []
    for name, (_, text) in SAID.items():
        [document] = [one for one in host.docs.values() if one.metadata["id"] == names[name]]
        axes, lineage = document.metadata["classification"], document.metadata["lineage"]
        held = [axes[one] for one in ("validity", "relevance", "source")]  # the rules archive what is long not recalled
        found.append((name, document.page_content == text, *held, lineage.get("superseded_by")))
        found.append((lineage.get("outdated_parts"), (document.metadata.get("quality") or {}).get("deleted_at")))
    records = VaultStore(host.memory_folder()).list_active()
    return [*found, *(one for one in records if one.id in (names["rule"], names["pump"], names["backup"]))]


async def test_no_attack_changes_what_the_user_said(host: FakeHost) -> None:
    """C-44, V-26, T-61, T-69: each is played in a turn of its own, after all those before it."""
    names = await prepare(host)
    before, failed = what_the_user_said(host, names), []
    for number, one in enumerate(ATTACKS, 1):
        calls = [(tool, fill(arguments, names)) for tool, arguments in one["calls"]]
        await host.turn("And?", tool_calls=calls)
        await settle(host)
        results = [each["content"] for each in host.agent.history.output() if calls[-1][0] in str(each["content"])]
        told = str(next(each["tool_result"] for each in reversed(results) if isinstance(each, dict)))
        if what_the_user_said(host, names) != before or one["told"] not in told:
            failed.append((number, one["attack"], told))
    assert failed == []
    for name, question in (("allergy", "What am I allergic to?"), ("port", "On which port does my API run?")):
        prompt = (await host.turn(question)).prompt
        assert SAID[name][1] in prompt.memories and all(text in prompt.system for text in (RULE, PUMP, BACKUP))
