"""The pages over a store of thousands of memories: listed, leafed through, narrowed, and everything done about some."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from fake_host import FakeHost

from .conftest import OpenPages, Visit, fill
from .test_maintenance import configure, finish
from .test_memory_actions import add_folder, axis, select, undo
from .test_pages import NEW, OLD, ROW, learn_two_prices, validity

#: Where everything is done, and every page tried, beside so many; a dry run of maintenance looks at all of them.
COUNTS = [pytest.param(1_000, id="1,000"), pytest.param(10_000, id="10,000", marks=pytest.mark.long)]
#: What is done about one memory by one button, and how it stands then; each is taken back.
DONE = {
    "Retire": ("retired", "validity", "deprecated"),
    "Archive": ("archived", "utility", "archived"),
    "Protect": ("protected", "utility", "load_bearing"),
}


def shelf(number: int) -> str:
    """Return the text of one of the many."""
    return f"Shelf {number} holds paint of the colour {number * 7}."


async def search(visit: Visit, words: str) -> None:
    """Look for words in the list."""
    await visit.find("input[type=search]").first.fill(words)
    await visit.page.keyboard.press("Enter")
    await visit.rest()


async def press(visit: Visit, button: str, words: str) -> None:
    """Press a button for what is selected, and wait for what it says."""
    await visit.find("button", has_text=button).first.click()
    await visit.find(".ledger-notice", has_text=words).first.wait_for()


@pytest.mark.parametrize("count", COUNTS)
async def test_many_memories_are_listed_and_narrowed(host: FakeHost, open_pages: OpenPages, count: int) -> None:
    """The server pages: a person sees fifty, and the counts of all."""
    await host.memory()
    await asyncio.to_thread(fill, host, count)
    pages = count * 9 // 10 // 50
    async with open_pages(host.call_api) as visit:
        (figures,) = await visit.texts("[data-ledger=figures]")
        assert f"{count:,} memories" in figures and f"{count // 10:,} replaced or retired" in figures
        await visit.open("memories")
        assert await visit.texts("[data-ledger=found]") == [f"{count * 9 // 10:,} memories"]
        assert (await visit.find(ROW).count(), await visit.texts(".page-total")) == (50, [f"of {pages}"])
        shown = await visit.texts(f"{ROW} .ledger-said")
        await visit.find("[data-ledger=next]").click()
        await visit.rest()
        assert not {*shown} & {*await visit.texts(f"{ROW} .ledger-said")}
        await visit.find(".page-input").fill(str(pages))
        await visit.find(".page-input").blur()
        await visit.rest()
        assert await visit.find(ROW).count() == 50 and await visit.find("[data-ledger=next]").is_disabled()
        await visit.narrow("source", "user_asserted")
        assert await visit.texts("[data-ledger=found]") == [f"{count // 2:,} memories"]
        await search(visit, "Shelf 321 ")
        assert await visit.texts(f"{ROW} .ledger-said") == [shelf(321)]
        await visit.find("button", has_text="Clear").click()
        await visit.rest()
        await visit.narrow("sort", "oldest")
        assert (await visit.texts(f"{ROW} .ledger-said"))[0].startswith("Shelf 28 ")


@pytest.mark.parametrize("count", COUNTS)
async def test_everything_can_be_done_among_thousands(
    host: FakeHost, open_pages: OpenPages, tmp_path: Path, count: int
) -> None:
    """T-70: each action of the list, of one memory and of a conflict; a recall, an export and a dry run of them all."""
    configure(host)
    await learn_two_prices(host)
    await add_folder(host, "other", "The cellar key hangs in the hall.")
    await asyncio.to_thread(fill, host, count)
    async with open_pages(host.call_api) as visit:
        visit.page.set_default_timeout(120_000)
        await visit.open("memories")
        await _act_on_one(host, visit)
        await _carry_one(visit, tmp_path, count)
        await visit.open("inbox")
        await press(visit, "Decide later", "stays open")
        await visit.find("[data-choice=that]").click()
        await visit.find(".ledger-notice", has_text="Settled").wait_for()
        assert [validity(host, one) for one in (OLD, NEW)] == ["deprecated", "confirmed"]
        await visit.open("recall")
        await search(visit, "What is the gym's monthly price?")
        await visit.find("[data-group=entered] .ledger-said", has_text=NEW).wait_for()
        await visit.open("maintenance")
        await visit.find("[data-ledger=try]").click()
        await finish(visit, "A run would do this now:")


async def _act_on_one(host: FakeHost, visit: Visit) -> None:
    await search(visit, "Shelf 321 ")
    for button, (said, name, value) in DONE.items():
        before = axis(host, shelf(321), name)
        await select(visit, "321")
        await press(visit, button, f"1 memory {said}.")
        assert axis(host, shelf(321), name) == value != before
        await undo(visit)
        assert axis(host, shelf(321), name) == before
        await search(visit, "Shelf 321 ")
    await select(visit, "321")
    await press(visit, "Retire", "1 memory retired.")
    await visit.narrow("validity", "deprecated")
    await select(visit, "321")
    await press(visit, "Bring back", "1 memory brought back.")
    assert validity(host, shelf(321)) == "confirmed"
    await visit.find("button", has_text="Clear").click()
    await search(visit, "Shelf 332 ")
    await select(visit, "332")
    await press(visit, "Confirm", "1 memory confirmed.")
    assert validity(host, shelf(332)) == "confirmed"
    await select(visit, "332")
    await visit.find("[data-ledger=new-source]").first.select_option("user_asserted")
    await press(visit, "Correct the source", "1 memory given another source.")
    assert axis(host, shelf(332), "source") == "user_asserted"
    detail = await visit.open_memory("332")
    await detail.locator("button", has_text="Undo the last change").click()
    await visit.rest()
    assert axis(host, shelf(332), "source") == "agent_inferred"
    await visit.page.keyboard.press("Escape")


async def _carry_one(visit: Visit, folder: Path, count: int) -> None:
    """Move one, erase it where it is now, and take the rest along as a file."""
    await select(visit, "332")
    await visit.find("[data-ledger=target]").select_option("other")
    await press(visit, "Move", "1 memory moved.")
    await visit.find("#memory-ledger-folder").select_option("other")
    await search(visit, "Shelf 332 ")
    await select(visit, "332")
    erase = visit.find("[data-ledger=memories] .ledger-danger")
    await erase.click()
    await erase.click()
    await visit.find(".ledger-notice", has_text="1 memory erased.").wait_for()
    await visit.find("button", has_text="Clear").click()
    await visit.rest()
    assert await visit.texts(f"{ROW} .ledger-said") == ["The cellar key hangs in the hall."]
    await visit.find("#memory-ledger-folder").select_option("default")
    await search(visit, "Shelf ")
    async with visit.page.expect_download() as coming:
        await visit.find("[data-ledger=export-found]").click()
    await (await coming.value).save_as(folder / "export.jsonl")
    texts = [json.loads(one).get("text") for one in (folder / "export.jsonl").read_text("utf-8").splitlines()]
    assert shelf(332) not in texts and shelf(321) in texts and len(texts) > count * 0.8
