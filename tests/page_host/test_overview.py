"""The overview: what is known in the memories' own words, and everything that needs a person, where it is settled."""

from __future__ import annotations

from fake_host import FakeHost
from hooks.hook_tools import remember as say

from .conftest import OpenPages, remember
from .test_pages import NEW, OLD, ROW, learn_two_prices

BOILER = "The boiler was built in 1987."
SECRET = "User's staging password is Kite&2211"


async def test_what_is_no_secret_leaves_the_list(host: FakeHost, open_pages: OpenPages) -> None:
    """A person says so; undo puts it back."""
    await say(host, "My staging password is Kite&2211.", SECRET)
    host.expected_warnings = 1
    async with open_pages(host.call_api, "inbox") as visit:
        await visit.find("[data-choice=plain]").click()
        await visit.find(".data-empty-state:visible").wait_for()
        await visit.find(".ledger-undo").click()
        await visit.find("[data-choice=plain]").wait_for()


async def test_a_standing_rule_is_switched_off_and_on_again(host: FakeHost, open_pages: OpenPages) -> None:
    """T-70: beside its text, and taken back with one click."""
    await say(host, "Never push on Fridays.", "Never push on Fridays")
    async with open_pages(host.call_api) as visit:
        switch = visit.find("[data-ledger=rules] li", has_text="Fridays").get_by_role("checkbox")
        for button, is_on in ((switch, False), (visit.find(".ledger-undo").first, True)):
            await button.click()
            await visit.rest()
            assert await switch.is_checked() is is_on


async def test_what_is_known_and_what_changed_stands_there_in_sentences(host: FakeHost, open_pages: OpenPages) -> None:
    """Of the person, of the rest, of what is unsure; a figure leads to the list behind it."""
    await learn_two_prices(host)
    await remember(host, BOILER)
    async with open_pages(host.call_api) as visit:
        for name, texts in (("person", [OLD]), ("other", [NEW]), ("unsure", [BOILER])):
            assert await visit.texts(f"[data-known={name}] .ledger-said") == texts
        await visit.find("[data-ledger=figures] button", has_text="told by you").click()
        await visit.find(ROW).first.wait_for()
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-said") == [NEW, OLD]
        await visit.page.reload()
        await visit.find("#memory-ledger-quick-action").click()
        await visit.find("[data-ledger=lately] h3", has_text="since your last visit, today").wait_for()


async def test_before_the_first_message_it_says_what_will_be_there(host: FakeHost, open_pages: OpenPages) -> None:
    """No figure without a memory, and nothing to settle."""
    await host.memory()
    async with open_pages(host.call_api) as visit:
        assert await visit.find("[data-ledger=nothing-yet]").is_visible()
        for name in ("needs", "figures", "lately", "unread"):
            assert await visit.find(f"[data-ledger={name}]").is_hidden(), name
