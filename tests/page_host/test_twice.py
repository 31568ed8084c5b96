"""Every button that changes a memory is pressed twice, and its Undo and its Redo as well: once is once (T-70)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from fake_host import FakeHost
from memory_ledger.store.database import Database
from memory_ledger.store.proposals import read_marks

from .conftest import OpenPages, Visit, remember
from .test_maintenance import propose
from .test_memory_actions import BOILER, KEY, add_folder, select
from .test_pages import NEW, OLD, learn_two_prices

NOTICE = ".ledger-notice:visible"
#: Tells how it stands.
Read = Callable[[], dict[str, Any]]
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


def stands(host: FakeHost) -> dict[str, Any]:
    """How every memory stands, as JSON has it, and every conflict."""
    conflicts = host.memory_folder() / "conflicts.jsonl"
    rows = map(json.loads, conflicts.read_text("utf-8").splitlines()) if conflicts.exists() else ()
    held = {row["id"]: row for row in rows if not row.get("taken_back")}
    memories = {one: json.loads(json.dumps(found.metadata, default=str)) for one, found in host.docs.items()}
    return {**memories, "conflicts": held}


async def check(read: Read, visit: Visit, button: Any, words: str, *, is_undo: bool = False) -> None:
    """Press a button twice, then what is offered, Undo or for an undo Redo, and so on; nobody is told of an error."""
    before = read()
    await twice(button)
    await visit.find(NOTICE, has_text=words).first.wait_for()
    await visit.rest()
    after = read()
    assert after != before
    undo, redo = ("Undo", "restored to its previous state"), ("Redo", "changed again")
    ways = [redo, undo] if is_undo else [undo, redo]
    for (name, said), expected in zip([*ways, ways[0]], [before, after, before], strict=True):
        await visit.rest()
        await twice(visit.find(".ledger-undo:visible", has_text=name).first)
        await visit.find(NOTICE, has_text=said).first.wait_for()
        await visit.rest()
        held = {one: how for one, how in expected.items() if one != "conflicts"}
        assert held and read().items() >= held.items()
        assert await visit.find("[role=alert]:visible").all_inner_texts() == []


async def test_a_memory(host: FakeHost, open_pages: OpenPages) -> None:
    """In the list and in its detail, which stays open; what was retired is brought back."""
    await remember(host, BOILER, KEY)
    read = partial(stands, host)
    async with open_pages(host.call_api, "memories") as visit:
        for action, (chosen, words) in ACTS.items():
            await select(visit, "boiler")
            for name, value in chosen.items():
                await visit.find(f"[data-ledger={name}]").first.select_option(value)
            await check(read, visit, visit.page.get_by_role("button", name=action, exact=True), words)
            detail = await visit.open_memory("boiler")
            button = detail.get_by_role("button", name=action, exact=True)
            for name, value in chosen.items():
                await detail.locator(f"[data-ledger={name}]").select_option(value)
            await check(read, visit, button, words)
            assert await detail.is_visible(), action
            await visit.rest()
            await button.click()
            await visit.rest()
            if action == "Retire":
                await check(read, visit, detail.get_by_role("button", name="Bring back"), "brought back")
            undo = detail.get_by_role("button", name="Undo the last change")
            await check(read, visit, undo, "restored", is_undo=True)
            await undo.click()
            await visit.rest()
            await visit.page.keyboard.press("Escape")
            await detail.wait_for(state="detached")


async def test_a_conflict(host: FakeHost, open_pages: OpenPages) -> None:
    """It is settled once, and open again."""
    await learn_two_prices(host)
    async with open_pages(host.call_api, "inbox") as visit:
        for kept in ("this", "that", "both", "merge"):
            if kept == "merge":
                await visit.find("[data-choice=merge]").click()
            button = "[data-ledger=save]" if kept == "merge" else f"[data-choice={kept}]"
            await check(partial(stands, host), visit, visit.find(button), "Settled")
            assert await visit.texts("[data-ledger=position]") == ["1 of 1"], kept
            assert await visit.texts("[data-ledger=inbox] .ledger-text") == [OLD, NEW], kept


async def test_a_proposal(host: FakeHost, open_pages: OpenPages) -> None:
    """It is decided once, and proposed again."""
    await propose(host)
    read = partial(read_marks, Database(host.memory_folder()))
    async with open_pages(host.call_api, "inbox") as visit:
        for choice in ("both", "that"):
            await check(read, visit, visit.find(f"[data-choice={choice}]"), "Settled")
            assert await visit.texts("[data-ledger=position]") == ["1 of 1"], choice


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
