"""The pages over a store of ten thousand memories: listed, leafed through, narrowed, and something done about one."""

from __future__ import annotations

import asyncio

from fake_host import FakeHost

from .conftest import OpenPages, fill
from .test_pages import ROW, validity

COUNT = 10_000


async def test_ten_thousand_memories_are_listed_narrowed_and_changed(host: FakeHost, open_pages: OpenPages) -> None:
    """The server pages: a person sees fifty, and the counts of all; one goes out of use, and comes back."""
    await host.memory()
    await asyncio.to_thread(fill, host, COUNT)
    async with open_pages(host.call_api) as visit:
        assert await visit.texts("[data-ledger=total]") == ["10,000"]
        assert "1,000" in " ".join(await visit.texts("section[aria-label='By validity']"))
        await visit.open("memories")
        assert await visit.texts("[data-ledger=found]") == ["9,000 memories"]
        assert (await visit.find(ROW).count(), await visit.texts(".page-total")) == (50, ["of 180"])
        shown = await visit.texts(f"{ROW} .ledger-said")
        await visit.find("[data-ledger=next]").click()
        await visit.rest()
        assert not {*shown} & {*await visit.texts(f"{ROW} .ledger-said")}
        await visit.find(".page-input").fill("180")
        await visit.find(".page-input").blur()
        await visit.rest()
        assert await visit.find(ROW).count() == 50 and await visit.find("[data-ledger=next]").is_disabled()
        await visit.find("[data-filter=source]").select_option("user_asserted")
        await visit.rest()
        assert await visit.texts("[data-ledger=found]") == ["5,000 memories"]
        await visit.find("input[type=search]").fill("Shelf 4321 ")
        await visit.page.keyboard.press("Enter")
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-said") == ["Shelf 4321 holds paint of the colour 30247."]
        await visit.find(ROW).get_by_role("checkbox").check()
        await visit.find("button", has_text="Retire").click()
        await visit.find(".ledger-notice", has_text="1 memory retired.").wait_for()
        assert validity(host, "Shelf 4321 ") == "deprecated"
        await visit.find(".ledger-undo").click()
        await visit.find(".ledger-notice", has_text="put back as before").wait_for()
        assert validity(host, "Shelf 4321 ") == "confirmed"
