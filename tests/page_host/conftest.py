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
import pytest_asyncio
from fake_host import ALL_GENERATIONS, FakeHost, RunningClock
from hooks.hook_tools import settle

from .browser import find_alpine, find_browser
from .server import PACK, Answer, PageHost

HELPERS = "usr.plugins.memory_ledger.helpers."
#: It runs as root in a container, and asks nobody else for anything.
_FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking")
#: Whether no modal has to be scrolled sideways.
_FITS = "[...document.querySelectorAll('.modal-scroll')].every(one => one.scrollWidth <= one.clientWidth)"


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

    async def fits(self) -> bool:
        """Return whether nothing has to be scrolled sideways, neither by night nor by day."""
        found = []
        for mode in ("dark-mode", "light-mode"):
            await self.page.evaluate("mode => document.body.className = mode", mode)
            found.append(await self.page.evaluate(_FITS))
        return all(found)

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of the pages share an event loop, and with it their browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    """The browser of this test process; each test has a profile of its own in it."""
    path = find_browser()
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        started = await driver.chromium.launch(executable_path=path, args=_FLAGS)
        yield started
        await started.close()


@pytest.fixture
def open_pages(browser: Any) -> OpenPages:
    """Open the pages from the sidebar; whatever they must never do fails the test at the end."""
    alpine = find_alpine()

    @asynccontextmanager
    async def opened(
        answer: Answer,
        page_name: str = "",
        *,
        width: int = 1280,
        query: str = "",
        expected: int = 0,
        opens: bool = True,
    ) -> AsyncIterator[Visit]:
        with PageHost(answer, alpine) as web:
            context = await browser.new_context(viewport={"width": width, "height": 800})
            try:
                page = await context.new_page()
                page.set_default_timeout(10_000)
                visit = Visit(page, web)
                await page.goto(f"{web.url}/{query}")
                if opens:
                    await page.locator("#memory-ledger-quick-action").click()
                await visit.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")
                if page_name:
                    await visit.open(page_name)
                yield visit
            finally:
                await context.close()
            assert len(visit.problems) == expected, visit.problems

    return opened
