"""A host with the pack and some memories in it, its pages in a browser, and what a person does there."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock
from hooks.hook_tools import settle

from .browser import find_alpine, find_browser
from .server import PACK, Answer, PageHost

HELPERS = "usr.plugins.memory_ledger.helpers."
#: It runs as root in a container, and asks nobody else for anything.
_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking")


class Visit:
    """A person at the pages; `problems` is whatever a page must never do."""

    def __init__(self, page: Any, web: PageHost) -> None:
        self.page, self.web = page, web
        self.problems: list[str] = []
        page.on("console", lambda one: self._note("console", one.text) if one.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note("error", str(error)))
        page.on("dialog", self._refuse)
        page.on("request", lambda one: self._check_address(one.url))

    async def _refuse(self, dialog: Any) -> None:
        self._note("dialog", dialog.message)
        await dialog.dismiss()

    def _note(self, kind: str, words: str) -> None:
        self.problems.append(f"{kind}: {words[:300]}")

    def _check_address(self, url: str) -> None:
        if not url.startswith((self.web.url, "data:,", f"blob:{self.web.url}")):
            self._note("request", url)

    def find(self, selector: str, **more: Any) -> Any:
        """Return what is to be found in the window."""
        return self.page.locator(selector, **more)

    async def open(self, name: str) -> None:
        """Open a part of the page by its tab, and wait until it has its answer."""
        tab = self.find(f"[data-parts~={name}]")
        await tab.click()
        if await tab.get_attribute("data-parts") != name:
            await self.find(f"[data-page={name}]").click()
        await self.find(f"[data-ledger={name}][aria-busy=false]").wait_for(state="attached")
        await self.rest()

    async def open_memory(self, words: str) -> Any:
        """Open one memory of the list, and return its detail."""
        await self.find("[data-ledger=row] .ledger-said", has_text=words).first.click()
        detail = self.find("[data-ledger=memory]")
        await detail.wait_for()
        return detail

    async def narrow(self, name: str, value: str) -> None:
        """Narrow the list of memories, or order it."""
        await self.find("[data-ledger=memories] details").evaluate("one => { one.open = true; }")
        await self.find(f"[data-filter={name}]").select_option(value)
        await self.rest()

    async def rest(self) -> None:
        """Wait until no page waits for an answer."""
        await self.page.wait_for_function("Alpine.store('memoryLedger').waiting === 0")

    async def texts(self, selector: str) -> list[str]:
        """Return the texts of all that is found and seen."""
        return [str(one) for one in await self.find(selector).all_inner_texts()]


#: Opens the pages in a browser, with what answers them and how wide the window is.
OpenPages = Callable[..., Any]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[FakeHost]:
    """The newest generation with the pack in it."""
    with FakeHost(ALL_GENERATIONS[-1], tmp_path / "a0", clock=RunningClock()) as running:
        running.install(PACK)
        importlib.import_module(f"{HELPERS}store.deadline").MOST_SECONDS = 60.0
        running.configure(memory_recall_query_prep=False, memory_recall_post_filter=False)
        yield running


async def remember(host: FakeHost, *texts: str) -> None:
    """Store texts, a minute apart, and let the pack take them in."""
    for text in texts:
        await host.insert(text, area="main")
        host.machine.clock.advance(seconds=60)
    await settle(host)


def fill(host: FakeHost, count: int) -> None:
    """Put many memories into the store that is loaded, as an earlier process has left them: sealed, a few old ones."""
    folder = importlib.import_module(f"{HELPERS}host.session").open_folder("default")
    records = importlib.import_module(f"{HELPERS}records")
    store, db, document = folder.store, folder.store.db, host.process.memory().Document
    documents = {
        f"many{number:06}": document(
            page_content=f"Shelf {number} holds paint of the colour {number * 7}.",
            metadata={
                "id": f"many{number:06}",
                "area": "main",
                "timestamp": f"2026-01-{number % 28 + 1:02}T10:00:00+00:00",
            },
        )
        for number in range(count)
    }
    first = len(db.index_to_docstore_id)
    vectors = np.random.default_rng(7).standard_normal((count, db.index.d), dtype=np.float32)
    db.index.add(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    db.docstore._dict.update(documents)
    db.index_to_docstore_id.update(enumerate(documents, first))
    store.sweep()
    for number, memory_id in enumerate(documents):
        memory = store.read(memory_id)
        axes = records.Classification(
            validity={0: "deprecated", 2: "inferred"}.get(number % 10, "confirmed"),
            relevance="active",
            utility="tactical",
            source="user_asserted" if number % 2 else "agent_inferred",
        )
        store.put(replace(memory, classification=axes, lineage=records.Lineage(created_at=memory.created_at)))
    store.end_first_look()
    store.note_all_adopted()


@pytest.fixture
def open_pages() -> OpenPages:
    """Open the pages from the sidebar; whatever they must never do fails the test at the end."""
    browser_path, alpine = find_browser(), find_alpine()
    from playwright.async_api import async_playwright

    @asynccontextmanager
    async def opened(
        answer: Answer, page_name: str = "", *, width: int = 1280, query: str = "", expected: int = 0
    ) -> AsyncIterator[Visit]:
        with PageHost(answer, alpine) as web:
            async with async_playwright() as driver:
                browser = await driver.chromium.launch(executable_path=browser_path, args=_FLAGS)
                page = await browser.new_page(viewport={"width": width, "height": 800})
                page.set_default_timeout(10_000)
                visit = Visit(page, web)
                await page.goto(f"{web.url}/{query}")
                await page.locator("#memory-ledger-quick-action").click()
                await visit.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")
                if page_name:
                    await visit.open(page_name)
                yield visit
                await browser.close()
            assert len(visit.problems) == expected, visit.problems

    return opened
