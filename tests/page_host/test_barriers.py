"""Nothing on a page keeps anybody from using it, as far as a machine can tell: axe-core finds nothing serious."""

from __future__ import annotations

from typing import Any

from fake_host import FakeHost

from .browser import read_axe
from .conftest import OpenPages, Visit, remember
from .test_memory_actions import add_folder
from .test_pages import ROW, learn_two_prices

#: Of the pack's own elements: the window around them is the host's.
CHECK = """async () => {
    const found = await axe.run(".memory-ledger", { resultTypes: ["violations"] });
    return found.violations.filter((one) => ["serious", "critical"].includes(one.impact))
        .map((one) => [one.id, ...one.nodes.map((node) => `${node.target} ${node.any.map((each) => each.message)}`)]);
}"""

PARTS = "all => all.map(one => one.dataset.parts)"
#: Of what has to be scrolled to nobody can tell whether it is seen well.
TALL: Any = {"width": 1280, "height": 6000}


async def expect_no_barrier(visit: Visit, where: str) -> None:
    """What there is to see on a page at this moment has no serious fault, neither by night nor by day."""
    await visit.page.set_viewport_size(TALL)
    await visit.rest()
    for mode in ("dark-mode", "light-mode"):
        await visit.page.evaluate("mode => document.body.className = mode", mode)
        assert await visit.page.evaluate(CHECK) == [], (where, mode)


async def test_a_barrier_is_found(host: FakeHost, open_pages: OpenPages) -> None:
    """The check sees what it is to see: a button without a name, text that is hardly there."""
    axe = read_axe()
    async with open_pages(host.call_api) as visit:
        await visit.page.add_script_tag(content=axe)
        await visit.page.set_viewport_size(TALL)
        await visit.page.evaluate("""() => {
            const root = document.querySelector(".memory-ledger");
            root.append(document.createElement("button"));
            const pale = { style: "color: #222; background: #111", textContent: "hardly there" };
            root.append(Object.assign(document.createElement("p"), pale));
        }""")
        assert sorted(one[0] for one in await visit.page.evaluate(CHECK)) == ["button-name", "color-contrast"]


async def test_no_page_has_a_serious_barrier(host: FakeHost, open_pages: OpenPages) -> None:
    """Every page with something on it and with everything opened, in both modes: names, roles, contrast, focus."""
    axe = read_axe()
    await learn_two_prices(host)
    await remember(host, "The boiler was built in 1987.")
    await add_folder(host, "other", "Shelf 4 holds paint.")
    async with open_pages(host.call_api) as visit:
        await visit.page.add_script_tag(content=axe)
        parts = " ".join(await visit.find("[data-parts]").evaluate_all(PARTS)).split()
        for name in parts[:-1]:  # the last one opens the host's own dialog
            await visit.open(name)
            await expect_no_barrier(visit, name)
        await visit.open("memories")
        await visit.find("summary").first.click()
        await visit.find(ROW).first.get_by_role("checkbox").check()
        await expect_no_barrier(visit, "memories with one selected")
        await visit.open_memory("gym")
        await expect_no_barrier(visit, "one memory")
        await visit.page.keyboard.press("Escape")
        await visit.open("inbox")
        await visit.find("[data-choice=merge]").click()
        await visit.find("[data-field=written]").wait_for()
        await expect_no_barrier(visit, "a merge")
