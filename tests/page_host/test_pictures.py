"""The pictures of the README: what they show can be reached, and `make pictures` takes them anew."""

from __future__ import annotations

import os
from pathlib import Path

from fake_host import FakeHost
from hooks.hook_tools import remember as say

from .conftest import OpenPages, Visit, remember

#: Where the pictures go; without it they are thrown away.
FOLDER = "MEMORY_LEDGER_PICTURES"
OLD_PORT, NEW_PORT = (
    "The staging server of Heron listens on port 8080.",
    "The staging server of Heron listens on port 8443.",
)
GYM, PRICE = "User's gym membership costs 40 euros a month.", "The gym put its monthly price up to 55 euros."
PYTHON, CLUB = "User's project Heron uses Python 3.12.", "User's rowing club meets on Fridays."
QUESTION = "On which port does the staging server of Heron listen?"
WIDTH = 980


async def talk(host: FakeHost) -> str:
    """Play a conversation of half a year that ends now; return how the chat's address names it."""
    clock = host.machine.clock
    clock.advance(days=-160)
    await remember(host, OLD_PORT)
    clock.advance(days=11)
    await say(host, NEW_PORT, NEW_PORT)
    await say(host, "My project Heron uses Python 3.12.", PYTHON)
    await say(host, "My rowing club meets on Fridays.", CLUB)
    clock.advance(days=40)
    await say(host, "My gym membership costs 40 euros a month.", GYM)
    clock.advance(days=55)
    await say(host, PRICE, PRICE)
    clock.advance(days=54)
    await host.turn("What do you know about Heron?")
    await host.turn(QUESTION)
    return f"?chat={host.agent.context.id}"


async def shoot(visit: Visit, name: str, folder: Path) -> None:
    """Take a picture of the window that is on top, as high as what it shows."""
    await visit.rest()
    await visit.find(".modal-inner").last.screenshot(path=folder / f"{name}.png")


async def test_the_pictures_show_what_the_readme_says(host: FakeHost, open_pages: OpenPages, tmp_path: Path) -> None:
    """Issue 22: a retired memory with its reason, two memories that may contradict each other, and a recall."""
    folder = Path(os.environ.get(FOLDER, tmp_path))
    chat = await talk(host)
    async with open_pages(host.call_api, query=chat, width=WIDTH) as visit:
        await visit.open("inbox")
        assert await visit.texts("[data-side] .ledger-text") == [GYM, PRICE]
        await shoot(visit, "conflict", folder)
        await visit.open("recall")
        assert await visit.texts("[data-group=entered] .ledger-link") == [NEW_PORT]
        await shoot(visit, "recall", folder)
        await visit.open("memories")
        await visit.narrow("validity", "deprecated")
        detail = await visit.open_memory(OLD_PORT)
        assert "retired" in await detail.inner_text()
        await shoot(visit, "memory", folder)
    assert {path.stem for path in folder.glob("*.png")} == {"conflict", "recall", "memory"}
