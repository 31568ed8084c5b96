"""Every button that changes a memory is pressed twice, and its Undo and its Redo as well: once is once (T-70)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_host import FakeHost
from memory_ledger.store.database import Database
from memory_ledger.store.proposals import read_marks

from .conftest import OpenPages, Visit, remember
from .test_maintenance import propose
from .test_memory_actions import BOILER, KEY, add_folder, select
from .test_pages import NEW, OLD, learn_two_prices

NOTICE = ".ledger-notice:visible"
#: What a button says, what is chosen before, what is said then, and whether it can be taken back.
ACTS = {
    "Retire": ({}, "memory retired"),
    "Confirm": ({}, "memory confirmed"),
    "Archive": ({}, "memory archived"),
    "Protect": ({}, "memory protected"),
    "Correct the source": ({"new-source": "user_asserted"}, "memory given another source"),
}


async def twice(button: Any) -> None:
    """Press a button twice, faster than anything can answer."""
    await button.evaluate("one => { one.click(); one.click(); }")


def stands(host: FakeHost) -> str:
    """How every memory and every conflict stands."""
    conflicts = host.memory_folder() / "conflicts.jsonl"
    rows = map(json.loads, conflicts.read_text("utf-8").splitlines()) if conflicts.exists() else ()
    held = {row["id"]: row for row in rows if not row.get("taken_back")}
    return json.dumps([{one: found.metadata for one, found in host.docs.items()}, held], default=str)


async def check(host: FakeHost, visit: Visit, button: Any, words: str, *, is_undo: bool = False) -> None:
    """Press a button twice, then what is offered, Undo or for an undo Redo, and so on; nobody is told of an error."""
    before = stands(host)
    await twice(button)
    await visit.find(NOTICE, has_text=words).first.wait_for()
    await visit.rest()
    after = stands(host)
    assert after != before
    undo, redo = ("Undo", "restored to its previous state"), ("Redo", "changed again")
    ways = [redo, undo] if is_undo else [undo, redo]
    for (name, said), expected in zip([*ways, ways[0]], [before, after, before], strict=True):
        await visit.rest()
        await twice(visit.find(".ledger-undo:visible", has_text=name).first)
        await visit.find(NOTICE, has_text=said).first.wait_for()
        await visit.rest()
        assert json.loads(stands(host))[0].items() >= json.loads(expected)[0].items()
        assert await visit.find("[role=alert]:visible").all_inner_texts() == []


@pytest.mark.parametrize("action", ACTS)
async def test_a_memory(action: str, host: FakeHost, open_pages: OpenPages) -> None:
    """In the list and in its detail, which stays open."""
    await remember(host, BOILER, KEY)
    chosen, words = ACTS[action]
    async with open_pages(host.call_api, "memories") as visit:
        await select(visit, "boiler")
        for name, value in chosen.items():
            await visit.find(f"[data-ledger={name}]").select_option(value)
        await check(host, visit, visit.page.get_by_role("button", name=action, exact=True), words)
        detail = await visit.open_memory("boiler")
        for name, value in chosen.items():
            await detail.locator(f"[data-ledger={name}]").select_option(value)
        await check(host, visit, detail.get_by_role("button", name=action, exact=True), words)
        assert await detail.is_visible()
        await visit.rest()
        await detail.get_by_role("button", name=action, exact=True).click()
        await visit.rest()
        await check(host, visit, detail.get_by_role("button", name="Undo the last change"), "restored", is_undo=True)


async def test_what_was_retired_is_brought_back(host: FakeHost, open_pages: OpenPages) -> None:
    """And retired again by the undo."""
    await remember(host, BOILER, KEY)
    async with open_pages(host.call_api, "memories") as visit:
        detail = await visit.open_memory("boiler")
        await detail.get_by_role("button", name="Retire").click()
        await visit.rest()
        await check(host, visit, detail.get_by_role("button", name="Bring back"), "brought back")


@pytest.mark.parametrize("kept", ["this", "that", "both", "merge"])
async def test_a_conflict(kept: str, host: FakeHost, open_pages: OpenPages) -> None:
    """It is settled once, and open again."""
    await learn_two_prices(host)
    async with open_pages(host.call_api, "inbox") as visit:
        if kept == "merge":
            await visit.find("[data-choice=merge]").click()
        button = "[data-ledger=save]" if kept == "merge" else f"[data-choice={kept}]"
        await check(host, visit, visit.find(button), "Settled")
        assert await visit.texts("[data-ledger=position]") == ["1 of 1"]
        assert await visit.texts("[data-ledger=inbox] .ledger-text") == [OLD, NEW]


@pytest.mark.parametrize("choice", ["both", "that"])
async def test_a_proposal(choice: str, host: FakeHost, open_pages: OpenPages) -> None:
    """It is decided once, and proposed again."""
    await propose(host)
    database = Database(host.memory_folder())
    async with open_pages(host.call_api, "inbox") as visit:
        before = read_marks(database)
        await twice(visit.find(f"[data-choice={choice}]"))
        await visit.find(NOTICE, has_text="Settled").wait_for()
        await visit.rest()
        after = read_marks(database)
        for expected in (before, after, before):
            await twice(visit.find(".ledger-undo"))
            await visit.page.wait_for_timeout(50)
            await visit.rest()
            assert read_marks(database) == expected != {}
        assert await visit.texts("[data-ledger=position]") == ["1 of 1"]
        assert await visit.find("[role=alert]:visible").count() == 0


async def test_a_move(host: FakeHost, open_pages: OpenPages) -> None:
    """The memory is in the other folder once, and back."""
    await remember(host, BOILER, KEY)
    await add_folder(host, "other", "Shelf 4 holds paint.")
    async with open_pages(host.call_api, "memories") as visit:
        await select(visit, "boiler")
        await visit.find("[data-ledger=target]").select_option("other")
        await twice(visit.find("button", has_text="Move"))
        await visit.find(NOTICE, has_text="1 memory moved.").wait_for()
        await visit.rest()
        await twice(visit.find(".ledger-undo"))
        await visit.find(NOTICE, has_text="restored to its previous state").wait_for()
        await visit.rest()
        assert await visit.find("[data-ledger=row]").count() == 2
        assert await visit.find("[role=alert]:visible").count() == 0
