"""The page of the backup, in a browser."""

from __future__ import annotations

from fake_host import FakeHost
from hooks.hook_tools import find, settle

from .conftest import OpenPages, remember

CAT, KEY = "The cat is called Minka.", "The cellar key hangs in the hall."
ROW = "[data-ledger=backup] [data-ledger=row]"


async def lose(host: FakeHost, *texts: str) -> None:
    """Memories that are in the backup, and a store that has lost them."""
    await remember(host, *(texts or (CAT, KEY)))
    await settle(host)
    await host.settle()
    for name in ("index.faiss", "index.pkl", "index.faiss.sha256"):
        (host.memory_folder() / name).unlink(missing_ok=True)
    await host.restart()
    await host.memory()


async def test_an_index_is_repaired_with_a_click(host: FakeHost, open_pages: OpenPages) -> None:
    """Named first; no text is changed. What the doctor says of the installation, each with how bad it is."""
    await remember(host, CAT, KEY)
    db = (await host.memory()).db
    del db.index_to_docstore_id[next(at for at, one in db.index_to_docstore_id.items() if one == find(host, CAT).id)]
    async with open_pages(host.call_api, "backup") as visit:
        assert "1 text has no vector" in "".join(await visit.texts("[data-ledger=torn]"))
        await visit.find("[data-ledger=repair]").click()
        await visit.find("[data-ledger=torn]", has_text="Every text has a vector").wait_for()
        assert find(host, CAT).page_content == CAT
        await visit.find("[data-ledger=hear]").click()
        await visit.find("[data-ledger=findings] li", has_text="store readable").wait_for()
        assert "ok" in await visit.texts("[data-ledger=findings] .ledger-tag")


async def test_a_broken_chain_is_signed_anew_by_two_clicks(host: FakeHost, open_pages: OpenPages) -> None:
    """Q-31: from the overview to the memory that reads otherwise; once all is signed anew the chain holds."""
    await remember(host, CAT, KEY)
    find(host, CAT).page_content = "The cat is called Moritz."
    async with open_pages(host.call_api) as visit:
        await visit.find("button", has_text="breaks in the chain").click()
        sign = visit.find("[data-choice=sign]")
        await sign.wait_for()
        assert "Moritz" in "".join(await visit.texts(".ledger-text"))
        await sign.click()
        await visit.rest()
        assert await sign.count() == 1
        await sign.click()
        await visit.find(".ledger-notice", has_text="all memories are signed anew; 1 break is on record.").wait_for()
        await visit.open("overview")
        assert await visit.find("button", has_text="breaks in the chain").count() == 0
