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


async def test_a_link_leads_to_a_memory_and_its_neighbours(host: FakeHost, open_pages: OpenPages) -> None:
    """C-51, T-70: an address opens its memory; its past is drawn, and its neighbours, both ways, with the reason."""
    await say(host, "The API runs on port 8080.", "The API runs on port 8080")
    await say(host, "Actually, the API runs on port 8443.", "The API runs on port 8443")
    old, new = find(host, "8080").id, find(host, "8443").id
    async with open_pages(host.call_api) as visit:
        await visit.page.evaluate("id => { location.hash = `#memory=${id}&folder=default`; }", new)
        detail = visit.find("[data-ledger=memory]")
        await detail.wait_for()
        assert await detail.locator("[data-ledger=text]").inner_text() == "The API runs on port 8443"
        assert len(await visit.texts("[data-ledger=spans] li")) == 2
        assert f"memory={new}" in str(await detail.locator("[data-ledger=link]").get_attribute("href"))
        await detail.locator("svg [role=button]", has_text="replaces").press("Enter")
        await detail.locator("[data-ledger=text]", has_text="8080").wait_for()
        (found,) = await visit.texts("section[aria-label='Related memories'] li")
        assert found.startswith("replaced by The API runs on port 8443") and "explicit correction" in found
    async with open_pages(host.call_api, query=f"#memory={old}", opens=False) as visit:
        await visit.find("[data-ledger=text]", has_text="8080").wait_for()
        await visit.page.keyboard.press("Escape")
        await visit.page.wait_for_function("location.hash === ''")


async def test_the_list_follows_what_is_typed(host: FakeHost, open_pages: OpenPages) -> None:
    """Issue 47: without Enter, and what is selected stays where nothing else is typed."""
    await remember(host, BOILER, KEY)
    async with open_pages(host.call_api, "memories") as visit:
        await visit.find("[data-ledger=memories] input[type=search]").press_sequentially("boil")
        await visit.find("[data-ledger=found]", has_text="1 memory").wait_for()
        assert await visit.texts(f"{ROW} .ledger-said") == [BOILER]


async def test_memories_move_into_a_new_folder(host: FakeHost, open_pages: OpenPages) -> None:
    """Issue 47: it is made by its name, and undo brings them back."""
    await remember(host, BOILER, KEY)
    async with open_pages(host.call_api, "memories") as visit:
        await select(visit, "boiler")
        await visit.find("[data-ledger=target]").select_option(label="a new folder …")
        await visit.find("[data-ledger=new-folder]").fill("cellar")
        await visit.page.get_by_role("button", name="Move", exact=True).click()
        await visit.find(".ledger-notice", has_text="1 memory moved.").wait_for()
        assert (host.memory_folder().parent / "cellar" / "index.faiss").is_file()
        await undo(visit)
        assert find(host, BOILER)
