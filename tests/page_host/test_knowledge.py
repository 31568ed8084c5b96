"""The page of what agents have learned, in a browser."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from fake_host import FakeHost
from knowledge_tools.logs import write_todays_log

from .conftest import HELPERS, OpenPages, Visit

ROW = "[data-ledger=knowledge] [data-ledger=row]"
ENTRY = "[data-ledger=entry]"
PATH = "Plan for requests"


async def learn(host: FakeHost, chains: int = 4) -> None:
    """Distil the logs of some chains: all that was learnt waits."""
    await host.memory()
    home = host.root / "usr"
    write_todays_log(home, chains)
    cli = importlib.import_module(f"{HELPERS}cli")
    assert cli.main(["knowledge", "distil", "--home", str(home)]) == 0


def text_of(host: FakeHost, name: str) -> str:
    path: Path = host.root / "usr/context/memory" / name
    return path.read_text("utf-8") if path.is_file() else ""


async def test_an_entry_is_approved_seen_in_the_prompt_and_put_back(host: FakeHost, open_pages: OpenPages) -> None:
    """M-21: what waits, one click, what a prompt shows, who decided, undo; rejected by two clicks, and undo."""
    await learn(host)
    async with open_pages(host.call_api, "knowledge") as visit:
        assert await visit.find(ROW).count() == 3
        assert await visit.texts("[data-ledger=tokens]") == ["0 tokens of at most 2,000"]
        await visit.find(ROW, has_text=PATH).get_by_role("button", name="Approve").click()
        await hear(visit, "approved. You can undo this below.", rows=2)
        assert PATH in "".join(await visit.texts("[data-ledger=prompt]"))
        assert PATH in text_of(host, "operational_heuristics.md")
        assert "approved by a person" in "".join(await visit.texts("[data-ledger=decided]"))
        await visit.find("[data-place=active]").click()
        await visit.find(f"{ROW} .ledger-tag:visible", has_text="in every prompt").wait_for()
        await visit.find("[data-ledger=decided] button", has_text="Undo").click()
        await hear(visit, "restored to its previous state", rows=0)
        assert PATH in text_of(host, "staging/operational_heuristics.md").partition("[CHANGE_LOG]")[0]
        await visit.find("[data-place=staging]").click()
        await visit.rest()
        reject = visit.find(ROW, has_text=PATH).locator(".ledger-danger")
        await reject.click()
        await visit.rest()
        assert await visit.find(ROW).count() == 3
        await reject.click()
        await hear(visit, "rejected", rows=2)
        await visit.find("[data-ledger=decided] button", has_text="Undo").click()
        await hear(visit, "restored to its previous state", rows=3)


async def hear(visit: Visit, words: str, *, rows: int) -> None:
    """Wait until the page says so; then so many entries are listed."""
    await visit.find(".ledger-notice", has_text=words).wait_for()
    await visit.rest()
    assert await visit.find(ROW).count() == rows


async def test_one_entry_tells_its_chains_and_takes_other_words(host: FakeHost, open_pages: OpenPages) -> None:
    """M-45: readable chains; an edit is marked, and what would break the file is said and kept in the form."""
    await learn(host)
    async with open_pages(host.call_api, "knowledge") as visit:
        await visit.find(ROW, has_text=PATH).locator(".ledger-link").click()
        await visit.find(f"{ENTRY}:focus").wait_for()
        chains = "".join(await visit.texts("[data-ledger=chains]"))
        assert "objective_agent → goal_agent → planning_agent: succeeded, 3 steps" in chains
        entry = visit.find(ENTRY)
        await entry.get_by_role("button", name="Edit").click()
        await entry.get_by_label("What was learned").fill("Ask Tom.\n## Entry: x")
        await entry.get_by_role("button", name="Save").click()
        await visit.find("[role=alert]", has_text="words are refused").wait_for()
        await entry.get_by_label("What was learned").fill("Ask <b>Tom</b>.")
        await entry.get_by_role("button", name="Save").click()
        await visit.find("[data-ledger=insight]", has_text="Ask <b>Tom</b>.").wait_for()
        assert "edited by a person" in "".join(await visit.texts("[data-ledger=history]"))
        await entry.get_by_role("button", name="Back").click()
        await visit.find(f"{ROW} .ledger-link:focus").wait_for()
        assert await visit.find(f"{ROW} .ledger-tag:visible", has_text="in your words").count() == 1


async def test_who_comes_second_is_told_and_sees_how_it_stands(host: FakeHost, open_pages: OpenPages) -> None:
    """The list is loaded anew, and the reason is still said."""
    await learn(host)
    async with open_pages(host.call_api, "knowledge") as visit:
        listed: Any = await host.call_api("ledger", {"name": "knowledge.list"})
        one = next(row for row in listed["rows"] if row["title"].startswith(PATH))
        await host.call_api("ledger", {"name": "knowledge.archive", "id": one["id"], "stamp": one["stamp"]})
        await visit.find(ROW, has_text=PATH).get_by_role("button", name="Approve").click()
        await visit.find("[role=alert]", has_text="has changed in the meantime").wait_for()
        await visit.rest()
        assert await visit.find(ROW).count() == 2
        assert await visit.find("[role=alert]", has_text="has changed in the meantime").count() == 1
