"""The overview: what is known in the memories' own words, and everything that needs a person, where it is settled."""

from __future__ import annotations

from fake_host import FakeHost
from hooks.hook_tools import remember as say

from .conftest import OpenPages, remember
from .test_pages import NEW, OLD, ROW, learn_two_prices

BOILER = "The boiler was built in 1987."
SECRET = "User's staging password is Kite&2211"


async def test_a_need_leads_to_what_is_to_be_decided(host: FakeHost, open_pages: OpenPages) -> None:
    """V-56: a secret, masked; it is erased by the second press, and then the rest is shown."""
    await learn_two_prices(host)
    await say(host, "My staging password is Kite&2211.", SECRET)
    host.expected_warnings = 1
    async with open_pages(host.call_api) as visit:
        assert await visit.texts("[data-ledger=backup]") == ["Backup: today"]
        await visit.find("button", has_text="secrets in memories: 1").click()
        erase = visit.find("[data-choice=erase]")
        await erase.wait_for()
        assert await visit.texts("[data-ledger=position]") == ["1 of 1"]
        assert "Kite" not in "".join(await visit.texts("[data-ledger=inbox]"))
        await erase.click()
        await visit.rest()
        assert len(host.docs) == 3
        await erase.click()
        await visit.find(".ledger-notice", has_text="Settled").wait_for()
        await visit.find("[data-choice=both]").wait_for()
        assert len(host.docs) == 2 and await visit.texts("[data-ledger=position]") == ["1 of 1"]


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
        for name in ("needs", "figures", "lately", "unread", "months"):
            assert await visit.find(f"[data-ledger={name}]").is_hidden(), name
