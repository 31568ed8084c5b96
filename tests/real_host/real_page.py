"""The web interface of a real Agent Zero with the pack in it, and a person in front of it."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from page_host.browser import find_browser
from real_host_runs import REPOSITORY, RealHost

#: A script that serves a copy of a checkout with a plugin and some memories in it, and answers for the model.
PAGE_DRIVER = "MEMORY_LEDGER_PAGE_DRIVER"
_IN_THE_PACK = ("api", "commands", "extensions", "helpers", "prompts", "tools", "webui")
_START_SECONDS = 180
_REPLY = "A scripted answer."


def pack_into(folder: Path) -> Path:
    """Copy what an installation has, under the plugin's name."""
    target = folder / "memory_ledger"
    if target.exists():
        return target
    target.mkdir()
    for path in REPOSITORY.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, target)
        elif path.name in _IN_THE_PACK:
            shutil.copytree(path, target / path.name, ignore=shutil.ignore_patterns("__pycache__"))
    return target


@contextmanager
def serving(host: RealHost, driver: Path, folder: Path, memories: list[str]) -> Iterator[str]:
    """Serve the web interface of a copy of `host` and yield its address.

    It holds `memories`, and whatever an earlier call has left in the folder.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "seed.json").write_text(json.dumps(memories), "utf-8")
    command = [host.python, driver, host.checkout, "--port", port, "--work", folder / "run"]
    command += ["--seed", folder / "seed.json", "--plugin", pack_into(folder), "--reply", _REPLY]
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen([*map(str, command)], cwd=folder, stdout=subprocess.DEVNULL, stderr=output)
        try:
            _wait_until_ready(process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(_START_SECONDS):
        if "READY" in log.read_text("utf-8", "replace"):
            return
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            continue
        break
    raise RuntimeError(f"the web interface did not start: {log.read_text('utf-8', 'replace')[-2_000:]}")


class Person:
    """Somebody at the host's web interface; `problems` are errors of the pack's own in the console."""

    def __init__(self, page: Any, shots: Path) -> None:
        self.page, self._shots = page, shots
        self.problems: list[str] = []
        page.on("console", lambda one: self._note(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("dialog", self._refuse)

    def _note(self, words: str) -> None:
        self.problems.append(words[:300])

    async def _refuse(self, dialog: Any) -> None:
        self._note(f"dialog: {dialog.message}")
        await dialog.dismiss()

    def find(self, selector: str, **more: Any) -> Any:
        """Return what is to be found in the window."""
        return self.page.locator(selector, **more)

    async def shot(self, name: str) -> None:
        """Keep what is seen now."""
        await self.page.screenshot(path=self._shots / f"{name}.png")

    async def say(self, words: str) -> None:
        """Send a message in the chat that is open, or a new one, and wait for the answer."""
        if not await self.find("#chat-input").first.is_visible():
            await self.page.evaluate("void Alpine.store('chats').newChat()")
            await self.page.wait_for_function("Alpine.store('chats').selectedContext")
            await self.find(f"text={_REPLY}").first.wait_for(state="detached")  # of the chat that was open
        answers = await self.find(f"text={_REPLY}").count()
        await self.find("#chat-input").first.fill(words)
        await self.page.keyboard.press("Enter")
        await self.find(f"text={_REPLY}").nth(answers).wait_for(state="attached", timeout=60_000)

    async def open_from_sidebar(self) -> None:
        """Open the page with its button beside the chats."""
        await self.find("#memory-ledger-quick-action").first.click()
        await self.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")

    async def open_from_welcome(self) -> None:
        """Go from the card on the welcome screen to the settings, and from there to the page.

        v1.7 hides the cards of plugins as long as a model lacks its key, as it does here.
        """
        card = self.find(".discovery-feature-card", has_text="Memory Ledger")
        await card.wait_for(state="attached")
        await card.evaluate("(one) => one.scrollIntoView()")
        await self.shot("welcome")
        await card.dispatch_event("click")
        await self.find("[data-ledger=settings] [data-do=open-page]").click()
        await self.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")

    async def open_from_plugins(self) -> None:
        """Open the page from its card under Plugins."""
        await self.find("#header-plugins").first.click()
        await self.find("#plugins-custom-tab, [aria-controls=plugins-custom]").first.wait_for()
        await self.shot("plugins")
        await self.find(".plugin-card", has_text="Memory Ledger").locator("button", has_text="Open").first.click()
        await self.find("[data-ledger=overview][aria-busy=false]").wait_for(state="attached")

    async def set_from_plugins(self, name: str, value: str) -> None:
        """Give one setting another value in the dialog behind the card, and save."""
        await self.find("#header-plugins").first.click()
        card = self.find(".plugin-card", has_text="Memory Ledger").first
        await card.locator("button", has_text="Config").first.click()
        await self.find("[data-ledger=settings]").wait_for()
        field = self.find(f"[data-setting={name}] input")
        await field.wait_for(state="attached")
        await self.page.evaluate(
            "document.querySelectorAll('.ledger-settings details').forEach((one) => (one.open = true))"
        )
        await field.fill(value)
        await self.shot("settings")
        await self.find(".modal.show button", has_text="Save").last.click()
        await self.find("[data-ledger=settings]").wait_for(state="detached")

    async def show(self, name: str) -> None:
        """Turn to a part of the page by its tab."""
        for kind in ("parts~", "page"):
            await self.find(f"[data-{kind}={name}]").dispatch_event("click")
        await self.find(f"[data-ledger={name}][aria-busy=false]").wait_for(state="attached")
        await self.rest()

    async def rest(self) -> None:
        """Wait until no page waits for an answer."""
        await self.page.wait_for_function("Alpine.store('memoryLedger').waiting === 0")

    async def close(self) -> None:
        """Close whatever lies on top of the chat."""
        while count := await self.find(".modal.show").count():
            await self.page.keyboard.press("Escape")
            await self.page.wait_for_function("n => document.querySelectorAll('.modal.show').length < n", arg=count)

    async def texts(self, selector: str) -> list[str]:
        """Return the texts of all that is found."""
        return [str(one) for one in await self.find(selector).all_inner_texts()]


@asynccontextmanager
async def visiting(url: str, shots: Path) -> AsyncIterator[Person]:
    """Open the web interface in a browser; what it would load from other machines is empty."""
    browser_path = find_browser()
    from playwright.async_api import async_playwright

    async def stay_here(route: Any) -> None:
        if route.request.url.startswith(url):
            await route.continue_()
        else:
            kind = "text/javascript" if route.request.url.endswith(".js") else "text/css"
            await route.fulfill(status=200, body="", content_type=kind)

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=browser_path, args=("--no-sandbox",))
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(20_000)
        await page.route("**/*", stay_here)
        person = Person(page, shots)
        await page.goto(url)
        await page.wait_for_function("globalThis.Alpine && Alpine.store('chats')")
        await page.wait_for_selector("#memory-ledger-quick-action", state="attached")
        await page.wait_for_load_state("networkidle")
        yield person
        await browser.close()
