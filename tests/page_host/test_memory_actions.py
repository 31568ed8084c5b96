"""What a person does about memories on the page, beyond retiring them: protect, set right, move, export."""

from __future__ import annotations

import asyncio

from fake_host import FakeHost
from hooks.hook_tools import find
from hooks.hook_tools import remember as say

from .conftest import OpenPages, Visit, fill, remember
from .test_pages import ROW

BOILER, KEY = "The boiler was built in 1987.", "The cellar key hangs in the hall."


async def add_folder(host: FakeHost, name: str, text: str) -> None:
    """Store a text in another memory folder; the chat goes on in its own."""
    host.configure(agent_memory_subdir=name)
    await remember(host, text)
    host.configure(agent_memory_subdir="default")


def axis(host: FakeHost, text: str, name: str) -> str:
    """Return how the one memory with this text stands."""
    return str(find(host, text).metadata["classification"][name])


async def select(visit: Visit, words: str) -> None:
    """Mark one memory of the list."""
    await visit.find(ROW, has_text=words).get_by_role("checkbox").check()


async def undo(visit: Visit) -> None:
    """Take back what was just done."""
    await visit.find(".ledger-undo").first.click()
    await visit.find(".ledger-notice", has_text="1 memory restored to its previous state.").first.wait_for()


async def test_all_that_is_found_is_selected_whatever_page_it_is_on(host: FakeHost, open_pages: OpenPages) -> None:
    """More than one request; the toolbar is in view, the focus goes to what is said, undo restores all."""
    await host.memory()
    await asyncio.to_thread(fill, host, 120)
    async with open_pages(host.call_api, "memories") as visit:
        await visit.find("[data-ledger=found]").click()
        await visit.find("fieldset", has_text="108 memories selected").wait_for()
        await visit.find("button", has_text="Protect").click(trial=True)
        assert await visit.find("fieldset").evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")
        await visit.find("button", has_text="Archive").click()
        await visit.find(".ledger-notice:focus", has_text="108 memories archived.").wait_for()
        stands = [one.metadata["classification"]["utility"] for one in host.docs.values()]
        assert stands.count("archived") == 108
        await visit.find(".ledger-undo").click()
        await visit.find(".ledger-notice", has_text="108 memories restored to their previous state.").wait_for()
        assert not any(one.metadata["classification"]["utility"] == "archived" for one in host.docs.values())


async def test_the_detail_says_what_replaced_a_memory_and_why(host: FakeHost, open_pages: OpenPages) -> None:
    """C-51, T-70: both ways by text and reason, and a click leads from one to the other."""
    await say(host, "The budget of Falcon is 10000 EUR.", "The budget of Falcon is 10000 EUR")
    await say(host, "Actually, the budget of Falcon is 12000 EUR.", "The budget of Falcon is 12000 EUR")
    related = "section[aria-label='Related memories']"
    async with open_pages(host.call_api, "memories") as visit:
        await visit.open_memory("12000")
        (found,) = await visit.texts(related)
        assert "replaces" in found and "10000 EUR" in found and "an explicit correction supersedes" in found
        await visit.find(f"{related} button").click()
        await visit.find("[data-ledger=text]", has_text="10000").wait_for()
        (found,) = await visit.texts(related)
        assert "replaced by" in found and "12000 EUR" in found and "an explicit correction supersedes" in found
