"""The user's word stands against the agent's tool: what it believes to be outdated, a person or the user settles."""

import json
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import ask_tool, axes, find, remember, settle
from memory_ledger import cli

pytestmark = pytest.mark.every_generation

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


async def test_another_subject_supersedes_nothing(host: FakeHost) -> None:
    """C-43, C-44, Q-52: the favourite colour takes the place of no allergy, be both the user's word."""
    await remember(host, "I am allergic to penicillin. My favourite colour is green.", ALLERGY, COLOUR)
    assert "speak of one thing" in await link(host, "favourite colour", "penicillin")
    assert axes(find(host, "penicillin"))[0] == axes(find(host, "favourite colour"))[0] == "confirmed"
    assert ALLERGY in (await host.turn("Which medicine am I allergic to?")).prompt.memories


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
    assert cli.main(["resolve", conflict["id"], "--keep", delft, "--folder", str(host.memory_folder())]) == 0
    await settle(host)
    assert axes(find(host, "Aalto"))[0] == "deprecated"
    assert [(one["action"], one["by"]) for one in lines(host, "ledger.jsonl")][-1] == ("supersede", "person")
