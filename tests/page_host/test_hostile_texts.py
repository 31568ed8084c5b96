"""Whatever a memory says is shown as what it is, on every page, and does nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle
from typing import Any

import pytest
from fake_host import FakeHost

from .conftest import OpenPages, Visit
from .hostile_texts import HOSTILE_TEXTS
from .test_backup import lose
from .test_knowledge import learn
from .test_maintenance import propose
from .test_notes import write_notes
from .test_pages import learn_two_prices
from .test_recall import talk
from .test_vault import add_record

#: Elements that only a text could have brought, and what a script would have left.
PLANTED = """() => {
    const root = document.querySelectorAll(".memory-ledger");
    const foreign = [...root].flatMap((one) => [...one.querySelectorAll(
        "script, img, iframe, object, embed, video, a, link, meta, base, planted-element, svg circle, svg script, " +
        "form:not([role]), [onerror], [onload], [onfocus], [ontoggle], [srcdoc], p[x-html], [href]")]);
    const own = '[data-ledger=link][href^="#memory="], .ledger-graph circle';
    const texts = foreign.filter((one) => !one.matches(own)).map((one) => one.outerHTML.slice(0, 200));
    return [...texts, ...("planted" in window ? ["window.planted"] : [])];
}"""
_AXES = ("source", "validity", "utility", "relevance", "age")
_LISTS_OF_ROWS = (
    *("rows", "needs", "folders", "timeline", "replaces", "relationships", "conflicts", "versions", "left_out"),
    *("decided", "chains", "history", "stages", "runs", "findings", "answers"),
)
#: Numbers of the rows that a list is filled up to: one for each text, and some.
MANY = len(HOSTILE_TEXTS) + 5


class Poisoner:
    """Puts hostile texts in the place of all that answers say, in lists long enough for each of the texts.

    `ids` are those that a question about one thing is asked with, for a poisoned one leads nowhere.
    """

    def __init__(self, host: FakeHost, **ids: str) -> None:
        self._host, self._ids = host, ids
        self._texts: defaultdict[str, Iterator[str]] = defaultdict(lambda: cycle(HOSTILE_TEXTS))

    async def answer(self, file: str, sent: dict[str, Any]) -> dict[str, Any]:
        """Answer as the pack does, or say no; in either case each kind of word goes through all the texts."""
        real = await self._host.call_api(file, {**sent, "folder": "default", **await self._known(sent)})
        if not real["ok"]:
            return {"ok": False, "error": next(self._texts["error"])}
        return {**{key: self._poison(value, key) for key, value in real.items()}, "ok": True, "total": MANY}

    async def _known(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Return what makes a question about a poisoned answer one that the pack has an answer for."""
        group, _, question = sent["name"].partition(".")
        place = {"place": "staging"} if group == "knowledge" else {}
        if question != "show" or group not in ("memories", "knowledge", *self._ids):
            return {**place, "page": 1} if place or "page" in sent else {}
        if group in self._ids:
            return {"id": self._ids[group]}
        listed = await self._host.call_api("ledger", {"name": f"{group}.list", "folder": "default", **place})
        return {"id": listed["rows"][0]["id"]}

    def _poison(self, value: Any, key: str) -> Any:
        if isinstance(value, dict):
            names = (next(self._texts["name"])[:500] if key in ("by", *_AXES) else name for name in value)
            return {new: self._poison(one, name) for new, (name, one) in zip(names, value.items(), strict=True)}
        if isinstance(value, list):
            if value and key in ("older", "newer"):
                return value
            filled = (value * MANY)[:MANY] if key in _LISTS_OF_ROWS else value
            return [self._poison(one, key) for one in filled]
        return next(self._texts[key]) if isinstance(value, str) else value


async def expect_inert(visit: Visit) -> None:
    """Nothing is there that a text has made, and nothing was asked for that a text names."""
    await visit.rest()
    assert await visit.page.evaluate(PLANTED) == []
    assert [one for one in visit.web.asked if "planted" in one] == []
    assert visit.problems == []
    assert await visit.page.evaluate("document.title") == "Page host"


def test_there_are_forty_of_them() -> None:
    assert len(set(HOSTILE_TEXTS)) == 40


async def test_hostile_texts_are_inert_on_every_page(host: FakeHost, open_pages: OpenPages) -> None:
    """Forty texts, each in every place where the pack's answers hold words: ids, names and reasons as well."""
    await learn_two_prices(host)
    async with open_pages(Poisoner(host).answer) as visit:
        await expect_inert(visit)
        await visit.open("memories")
        assert await visit.find("[data-ledger=row]").count() == MANY
        seen = "".join(await visit.find("[data-ledger=row] .ledger-said").all_text_contents())
        assert "<script>window.planted = 1</script>" in seen
        await expect_inert(visit)
        await visit.find("[data-ledger=row] .ledger-said").first.click()
        await visit.find("[data-ledger=memory]").wait_for()
        await expect_inert(visit)
        for button in await visit.find("[data-ledger=memory] button", has_text="Show the whole text").all():
            if await button.is_visible():
                await button.click()
        await expect_inert(visit)
        await visit.page.keyboard.press("Escape")
        await visit.open("inbox")
        for place in range(2, MANY + 1):
            await visit.page.keyboard.press("n")
            await visit.find("[data-ledger=position]", has_text=f"{place} of {MANY}").wait_for()
            assert await visit.page.evaluate(PLANTED) == []
        await visit.find("[data-choice=merge]").click()
        await visit.find("[data-field=written]").wait_for()
        await expect_inert(visit)


async def _know(host: FakeHost) -> Poisoner:
    await learn(host)
    waiting = await host.call_api("ledger", {"name": "knowledge.list"})
    approved = {key: waiting["rows"][0][key] for key in ("id", "stamp")}
    await host.call_api("ledger", {"name": "knowledge.approve", **approved})
    return Poisoner(host)


async def _maintain(host: FakeHost) -> Poisoner:
    await propose(host)
    for action in ("try", "run"):
        await host.call_api("ledger", {"name": f"maintenance.{action}"})
        await host.settle()
    return Poisoner(host)


async def _break_chain(host: FakeHost) -> Poisoner:
    await lose(host)
    chain = host.memory_folder() / "chain.jsonl"
    chain.write_text(chain.read_text("utf-8").replace('"seq":1', '"seq":7', 1), "utf-8")
    return Poisoner(host)


async def _recall(host: FakeHost) -> Poisoner:
    await talk(host)
    return Poisoner(host)


async def _keep(host: FakeHost) -> Poisoner:
    record = await add_record(host, "Mission: keep the greenhouse alive")
    await host.call_api("ledger", {"name": "vault.add", "text": "Pump off", "tier": "register", "topic": "pump"})
    return Poisoner(host, vault=record)


async def _note(host: FakeHost) -> Poisoner:
    await write_notes(host)
    return Poisoner(host, notes="heron.md")


#: Of each part: what is in the host, the lists that are full, and what is pressed, each with what is seen then.
PARTS: dict[str, tuple[Callable[[FakeHost], Awaitable[Poisoner]], tuple[str, ...], dict[str, str]]] = {
    "knowledge": (
        _know,
        ("[data-ledger=row]", "[data-ledger=decided] li"),
        {"[data-ledger=row] .ledger-link": "[data-ledger=entry] [data-ledger=chains] .ledger-said"},
    ),
    "maintenance": (_maintain, ("[data-ledger=runs] li", "[data-ledger=result] tr"), {}),
    "backup": (
        _break_chain,
        ("[data-ledger=row]",),
        {"[data-ledger=hear]": "[data-ledger=findings] li", "[data-ledger=try]": "[data-ledger=trial]"},
    ),
    "recall": (_recall, ("[data-ledger=candidate]",), {"button:has-text('Try')": "[data-ledger=candidate]"}),
    "vault": (
        _keep,
        ("[data-ledger=record-row]",),
        {
            "button:has-text('Add a record')": "[data-field=text]",
            "button:has-text('Store')": "[role=alert]:visible",
            "[data-ledger=record-row] .ledger-said": "[data-ledger=record]",
        },
    ),
    "notes": (
        _note,
        ("[data-ledger=note-row]",),
        {
            "button:has-text('Search')": f"[data-ledger=hit]:nth-of-type({MANY})",
            "[data-ledger=hit] .ledger-link": "[data-ledger=note]",
        },
    ),
}


@pytest.mark.parametrize("name", PARTS)
async def test_hostile_texts_are_inert_in_each_part(name: str, host: FakeHost, open_pages: OpenPages) -> None:
    """In entries, runs, findings, candidates, records and notes: each word, and what is said of it."""
    prepare, lists, steps = PARTS[name]
    poisoner = await prepare(host)
    chat = f"?chat={host.agent.context.id}" if name == "recall" else ""
    async with open_pages(poisoner.answer, query=chat) as visit:
        visit.page.set_default_timeout(60_000)  # each of its many words is a megabyte once
        await visit.open(name)
        for rows in lists:
            assert await visit.find(rows).count() == MANY, rows
        await expect_inert(visit)
        if name == "notes":
            await visit.find("[data-filter=meaning]").check()
        if name in ("notes", "recall"):
            await visit.find("input[type=search]").fill(HOSTILE_TEXTS[4])
        for button, shown in steps.items():
            await visit.find(button).first.click()
            await visit.find(shown).first.wait_for()
            await expect_inert(visit)


async def test_hostile_failures_are_inert(open_pages: OpenPages) -> None:
    """What the server says went wrong is text, too."""
    text = " ".join(HOSTILE_TEXTS[:2] + HOSTILE_TEXTS[4:7])

    async def refuse(_file: str, _sent: dict[str, Any]) -> dict[str, Any]:
        return {"ok": False, "error": text}

    async with open_pages(refuse) as visit:
        assert text in await visit.find("[role=alert]").all_text_contents()
        await expect_inert(visit)


async def test_hostile_memories_pass_through_the_packs_own_handlers(host: FakeHost, open_pages: OpenPages) -> None:
    """Stored as memories, with ids that hold quotes and tags: listed, opened and retired as any other."""
    memory = await host.memory()
    document = type(next(iter(host.docs.values()), None) or (await _a_document(host)))
    ids = [f"{number}\"'><img src=/planted.png onerror=alert(1)>" for number in range(len(HOSTILE_TEXTS))]
    documents = [
        document(page_content=text, metadata={"id": one, "area": "main"})
        for one, text in zip(ids, HOSTILE_TEXTS, strict=True)
    ]
    await memory.db.aadd_documents(documents=documents, ids=ids)
    async with open_pages(host.call_api, "memories") as visit:
        await expect_inert(visit)
        rows = visit.find("[data-ledger=row]")
        assert await rows.count() >= len(HOSTILE_TEXTS) - 5
        for place in range(0, await rows.count(), 8):
            await rows.nth(place).locator(".ledger-said").click()
            await visit.find("[data-ledger=memory]").wait_for()
            await expect_inert(visit)
            await visit.page.keyboard.press("Escape")
            await visit.find("[data-ledger=memory]").wait_for(state="detached")


async def _a_document(host: FakeHost) -> Any:
    await host.insert("The boiler was built in 1987.", area="main")
    return next(iter(host.docs.values()))
