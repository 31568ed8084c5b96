"""The verbs `conflicts` and `settle`: the agent lists what may be at odds, and settles it by the user's word (C-96)."""

import json
import re
from pathlib import Path
from typing import Any

from fake_host import FakeHost
from hook_tools import ask_tool, find, remember, settle

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
