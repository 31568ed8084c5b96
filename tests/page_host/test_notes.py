"""The notes in a browser."""

from __future__ import annotations

import asyncio
import threading

from fake_host import FakeHost

from .conftest import OpenPages

HERON = "# Heron\n\n### Deploy\n\nDeploys run on Fridays with make ship; the release captain decides.\n"
TEA = "# Office\n\n### Tea\n\nThe kettle stands in the kitchen.\n"
ROW = "[data-ledger=note-row]"


def write(host: FakeHost, name: str, text: str) -> None:
    """Write the file of a note."""
    path = host.memory_folder() / "user_notes" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def index(host: FakeHost) -> None:
    """Play a first turn, in which a hook looks at the notes, and wait until they are indexed."""
    await host.turn("Hello.")
    for one in [one for one in threading.enumerate() if one.name == "memory-ledger-notes"]:
        await asyncio.to_thread(one.join)


async def write_notes(host: FakeHost) -> None:
    """Keep two notes for the agent, which are indexed."""
    write(host, "heron.md", HERON)
    write(host, "ops/office.md", TEA)
    await index(host)


async def test_notes_are_found_and_read(host: FakeHost, open_pages: OpenPages) -> None:
    """V-04, V-05, V-11: listed with how they stand; by a word that one of them holds; as their files are now.

    A question shows what the agent would be given: the nearest piece first, with how near it is; it leads to its note.
    """
    await write_notes(host)
    write(host, "new.md", "# New\n\nNot looked at yet.\n")
    async with open_pages(host.call_api, "notes") as visit:
        assert await visit.texts(f"{ROW} .ledger-link") == ["Heron", "new", "Office"]
        assert await visit.texts("[data-ledger=state]") == ["indexed", "not indexed yet", "indexed"]
        assert (await visit.texts("[data-ledger=found]"))[0].startswith("3 notes; indexed on ")
        assert "Nothing: the setting notes.always is empty" in (await visit.texts("[data-ledger=preview]"))[0]
        await visit.find("input[type=search]").fill("kettle")
        await visit.page.keyboard.press("Enter")
        await visit.rest()
        assert await visit.texts(f"{ROW} .ledger-link") == ["Office"]
        await visit.find(f"{ROW} .ledger-link").click()
        await visit.find("[data-ledger=note]:focus").wait_for()
        assert await visit.find("[data-ledger=note-text]").text_content() == TEA
        assert await visit.texts("[data-ledger=piece]") == [f"Office > Tea, line 1, {len(TEA) - 1} characters"]
        await visit.find("button", has_text="Back to the list").click()
        await visit.find(f"{ROW} .ledger-link:focus").wait_for()
        assert await visit.find(ROW).count() == 1
        await visit.find("[data-filter=meaning]").check()
        await visit.find("input[type=search]").fill("Where does the kettle stand?")
        await visit.find("button", has_text="Search").click()
        await visit.find("[data-ledger=hit]").first.wait_for()
        assert await visit.texts("[data-ledger=hit] .ledger-link") == ["Office", "Heron"]
        numbers = [float(one) for one in await visit.texts("[data-ledger=hit] .ledger-nearness span:last-child")]
        assert numbers == sorted(numbers, reverse=True)
        widths = await visit.find("[data-ledger=hit] .ledger-bar").evaluate_all(
            "all => all.map((one) => parseFloat(one.style.getPropertyValue('--share')))"
        )
        assert [round(max(0.0, one) / 100, 2) for one in widths] == [max(0.0, one) for one in numbers]
        await visit.find("[data-ledger=hit] .ledger-link").first.click()
        assert await visit.find("[data-ledger=note-text]").text_content() == TEA


async def test_what_cannot_be_read_is_said(host: FakeHost, open_pages: OpenPages) -> None:
    """C-74: a search before anything is indexed, a note that is gone meanwhile."""
    await host.memory()
    write(host, "heron.md", HERON)
    async with open_pages(host.call_api, "notes") as visit:
        await visit.find("[data-filter=meaning]").check()
        await visit.find("input[type=search]").fill("Who decides?")
        await visit.page.keyboard.press("Enter")
        await visit.find("[role=alert]", has_text="No notes are indexed yet").wait_for()
        (host.memory_folder() / "user_notes" / "heron.md").unlink()
        await visit.find(f"{ROW} .ledger-link").click()
        await visit.find("[role=alert]", has_text="no longer exists").wait_for()
