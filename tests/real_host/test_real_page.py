"""The page in the web interface of a real Agent Zero, as somebody uses it (README.md)."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from real_host_runs import RealHost
from real_page import PAGE_DRIVER, Person, serving, visiting

TEA, GYM, PRICE = (
    "The user prefers tea over coffee.",
    "User's gym membership costs 40 euros a month.",
    "The gym put its monthly price up to 55 euros.",
)
QUESTION = "Does the user prefer tea or coffee?"
ROW = "[data-ledger=row]"
ADDRESS = "/api/plugins/memory_ledger/ledger"
#: What a page posts, and one that asks for more than a page may see; each with a method.
ASK = """async ([method, path, sent]) => {
    const { fetchApi } = await import("/js/api.js");
    const body = method === "POST" ? { body: JSON.stringify(sent) } : {};
    const answer = await fetchApi(path, { method, headers: { "Content-Type": "application/json" }, ...body });
    return [answer.status, await answer.text()];
}"""
#: Whether no modal has to be scrolled sideways.
FITS = "[...document.querySelectorAll('.modal-scroll')].every((one) => one.scrollWidth <= one.clientWidth)"


async def recalled(person: Person, question: str) -> list[str]:
    """Ask in the chat; return what the page says that the prompt got."""
    await person.close()
    await person.say(question)
    await person.open_from_sidebar()
    await person.show("recall")
    assert question in await person.texts("[data-ledger=prompt]")
    return await person.texts("[data-group=entered] .ledger-link")


async def test_a_person_finds_corrects_undoes_settles_and_sets(page_host: RealHost, tmp_path: Path) -> None:
    """Opened in three ways; retired and gone from the next prompt, undone and back; settled; a setting holds."""
    driver = Path(os.environ[PAGE_DRIVER])
    with serving(page_host, driver, tmp_path, [TEA]) as url:
        async with visiting(url, tmp_path) as person:
            await person.open_from_welcome()
            await person.close()
            await person.say("Hello there.")  # what is there is looked at; what comes later is set against it
    with serving(page_host, driver, tmp_path, [TEA, GYM, PRICE]) as url:
        async with visiting(url, tmp_path) as person:
            await person.say("Hello again.")
            person.problems.clear()  # the host's own, at its start
            await _retire_and_undo(person)
            await _settle(person)
            await person.close()
            await person.set_from_plugins("max_injected_memories", "1")
            assert len(await recalled(person, "What does the user drink, and what does the gym cost?")) == 1
            await _look_narrow(person)
            assert person.problems == []
            await _ask_amiss(person, url)


async def _retire_and_undo(person: Person) -> None:
    assert TEA in await recalled(person, QUESTION)
    await person.show("memories")
    await person.find(ROW, has_text=TEA).locator("input").check()
    await person.find("button", has_text="Retire").first.click()
    await person.find(".ledger-notice", has_text="1 memory retired.").wait_for()
    await person.shot("retired")
    assert TEA not in await recalled(person, f"{QUESTION} Tell me.")

    await person.close()
    await person.open_from_plugins()
    await person.show("memories")
    await person.find("summary", has_text="Filters").click()
    await person.find("[data-filter=validity]").select_option("deprecated")
    await person.find(f"{ROW} .ledger-said", has_text=TEA).click()
    await person.find("[data-ledger=memory]").wait_for()
    await person.shot("memory")
    await person.find("[data-ledger=memory] button", has_text="Undo the last change").click()
    await person.rest()
    assert TEA in await recalled(person, f"{QUESTION} Once more.")


async def _settle(person: Person) -> None:
    await person.show("inbox")
    texts = await person.texts("[data-side] .ledger-text")  # in any order, for both are of the same moment
    assert sorted(texts) == sorted((PRICE, GYM))
    await person.shot("conflicts")
    await person.find(f"[data-choice={'this' if texts[0] == PRICE else 'that'}]").click()
    await person.find(".ledger-notice", has_text="Settled").wait_for()
    assert GYM not in await recalled(person, "What does the gym cost a month?")


async def _look_narrow(person: Person) -> None:
    """Nothing has to be scrolled sideways at 420 px, and both modes are kept as pictures."""
    await person.page.set_viewport_size({"width": 420, "height": 850})
    for name in ("overview", "memories", "recall"):
        await person.show(name)
        for is_dark in (True, False):
            await person.page.evaluate("(dark) => { Alpine.store('preferences').darkMode = dark; }", is_dark)
            await person.shot(f"{name}-420-{'dark' if is_dark else 'light'}")
        assert await person.page.evaluate(FITS)


def _post(url: str, **headers: str) -> int:
    """Return the status of a call that was not made by the page."""
    headers = {"Content-Type": "application/json", **{name.replace("_", "-"): one for name, one in headers.items()}}
    body = json.dumps({"name": "overview.read", "folder": "default"}).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url + ADDRESS, body, headers), timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


async def _ask_amiss(person: Person, url: str) -> None:
    """Without a token, with another one, by GET, of a folder that is none: refused in a sentence, nothing changed."""
    assert [_post(url), _post(url, X_CSRF_Token="wrong"), _post(url, Cookie="session=wrong")] == [403, 403, 403]

    async def ask(method: str, sent: dict[str, Any]) -> tuple[int, str]:
        status, text = await person.page.evaluate(ASK, [method, ADDRESS.removeprefix("/api"), sent])
        return status, text

    before = await ask("POST", {"name": "memories.list", "folder": "default"})
    assert before[0] == 200 and json.loads(before[1])["ok"] is True
    status, text = await ask("GET", {})  # a host checks the method of the first call only
    assert status == 405 or json.loads(text)["ok"] is False
    for sent in ({}, {"name": "memories.erase", "memories": "all"}, {"name": "memories.list", "folder": "../default"}):
        assert json.loads((await ask("POST", sent))[1])["ok"] is False, sent
    assert await ask("POST", {"name": "memories.list", "folder": "default"}) == before
