"""The pages in a browser, with the pack's own handlers behind them."""

from __future__ import annotations

from typing import Any

from fake_host import FakeHost
from hooks.hook_tools import find
from hooks.hook_tools import remember as say

from .conftest import OpenPages, remember

OLD, NEW = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."
ROW = "[data-ledger=row]"


def validity(host: FakeHost, text: str) -> str:
    """Return whether the one memory with this text holds."""
    return str(find(host, text).metadata["classification"]["validity"])


async def learn_two_prices(host: FakeHost) -> None:
    """Two turns in other words, after which two memories may be at odds."""
    await say(host, "My gym membership costs 40 euros a month.", OLD)
    await say(host, NEW, NEW)


async def test_what_is_not_read_yet_is_said(host: FakeHost, open_pages: OpenPages) -> None:
    """A memory that was just written has no status before the next turn; it is listed all the same."""
    await host.turn("Hello.")
    await host.insert("The boiler was built in 1987.", area="main")
    async with open_pages(host.call_api) as visit:
        (words,) = await visit.texts("[data-ledger=unread]")
        assert words.startswith("0 of 1 memory read") and "with the next message to the agent" in words
        await visit.open("memories")
        assert await visit.texts(f"{ROW} .ledger-said") == ["The boiler was built in 1987."]


async def test_who_comes_second_is_told(host: FakeHost, open_pages: OpenPages) -> None:
    """A memory that has changed since it was shown is left alone."""
    await remember(host, "The boiler was built in 1987.")
    async with open_pages(host.call_api, "memories") as visit:
        detail = await visit.open_memory("boiler")
        row = (await list_memories(host))["rows"][0]
        await host.call_api(
            "ledger", {"name": "memories.archive", "memories": [{"id": row["id"], "stamp": row["stamp"]}]}
        )
        await detail.get_by_role("button", name="Retire").click()
        await detail.get_by_role("alert").filter(has_text="has changed in the meantime").wait_for()
        assert validity(host, "boiler") != "deprecated"


async def list_memories(host: FakeHost) -> Any:
    return await host.call_api("ledger", {"name": "memories.list", "folder": "default"})


async def test_the_next_pair_is_a_key_away(host: FakeHost, open_pages: OpenPages) -> None:
    """`n` and `p` leaf through what is at odds, but not while somebody is typing."""

    async def answer(file: str, sent: dict[str, Any]) -> dict[str, Any]:
        real = await host.call_api(file, sent)
        return {**real, "rows": real["rows"] * 3, "total": 3} if sent["name"] == "inbox.list" else real

    await learn_two_prices(host)
    async with open_pages(answer) as visit:
        await visit.open("inbox")
        for key, place in (("n", 2), ("n", 3), ("n", 3), ("p", 2)):
            await visit.page.keyboard.press(key)
            await visit.find("[data-ledger=position]", has_text=f"{place} of 3").wait_for()
        await visit.find("[data-choice=merge]").click()
        await visit.find("[data-field=written]").press("n")
        assert await visit.texts("[data-ledger=position]") == ["2 of 3"]


async def test_everything_can_be_reached_by_keys(host: FakeHost, open_pages: OpenPages) -> None:
    """From the tab that has the focus at first to a memory and back: the focus goes along, and returns."""
    await remember(host, "The boiler was built in 1987.")
    async with open_pages(host.call_api) as visit:
        keys = visit.page.keyboard
        await visit.find("[data-tab=overview]:focus").wait_for()
        await keys.press("Tab")
        await keys.press("Enter")
        await visit.find(ROW).wait_for()
        for _ in range(40):
            await keys.press("Tab")
            if await visit.page.evaluate("document.activeElement.closest('[data-ledger=row] .ledger-said') !== null"):
                break
        await keys.press("Enter")
        await visit.find("[data-ledger=memory]:focus").wait_for()
        await keys.press("Escape")
        await visit.find(f"{ROW} .ledger-said:focus").wait_for()


async def test_a_page_goes_on_as_soon_as_the_host_answers_again(host: FakeHost, open_pages: OpenPages) -> None:
    """Without an answer that is said in plain words; nobody has to press anything afterwards."""
    await remember(host, "The boiler was built in 1987.")
    async with open_pages(host.call_api, expected=1) as visit:
        await visit.page.route("**/api/**", lambda route: route.abort(), times=1)
        await visit.find("[data-parts=memories]").click()
        await visit.find("[role=alert]", has_text="Agent Zero does not answer.").wait_for()
        await visit.find(ROW, has_text="boiler").wait_for()
        assert await visit.find("[role=alert]").first.is_hidden()
