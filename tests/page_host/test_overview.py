"""What the overview leads to: everything that needs a person, where it is settled."""

from __future__ import annotations

from typing import Any

from fake_host import FakeHost
from hooks.hook_tools import remember as say

from .conftest import OpenPages, remember
from .test_pages import ROW

SECRET = "User's staging password is Kite&2211"


async def test_a_need_leads_to_the_memories_it_is_about(host: FakeHost, open_pages: OpenPages) -> None:
    """V-56: the list, narrowed to those that hold a secret; without the narrowing all are there again."""
    await remember(host, "The boiler was built in 1987.")
    await say(host, "My staging password is Kite&2211.", SECRET)
    host.expected_warnings = 1
    async with open_pages(host.call_api) as visit:
        assert await visit.texts("[data-ledger=backup]") == ["today"]
        await visit.find("button", has_text="secrets in memories").click()
        await visit.find(ROW).wait_for()
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-said") == [SECRET]
        assert await visit.find("[data-filter=about]").input_value() == "secrets"
        await visit.find("button", has_text="Clear").click()
        await visit.rest()
        assert await visit.find(ROW).count() == 2


async def test_a_need_of_a_page_that_is_not_there_is_no_link(host: FakeHost, open_pages: OpenPages) -> None:
    """What this shell has no page for is counted all the same, with what to do about it."""
    needs = [
        {"kind": "chain_breaks", "count": 2, "page": "", "about": "", "say": "`memory-ledger validate` shows them"},
        {"kind": "no_backup", "count": 1234, "page": "nowhere", "about": "", "say": ""},
    ]

    async def answer(file: str, sent: dict[str, Any]) -> dict[str, Any]:
        return {**await host.call_api(file, sent), **({"needs": needs} if sent["action"] == "check" else {})}

    await remember(host, "The boiler was built in 1987.")
    async with open_pages(answer) as visit:
        panel = visit.find("section[aria-label='What needs you']")
        await panel.locator("li", has_text="breaks in the chain 2 `memory-ledger validate` shows them").wait_for()
        assert await panel.locator("li", has_text="memories without a backup 1,234").is_visible()
        assert await panel.locator("button").count() == 0
