"""Nothing sticks out of a window of 420 px, in both modes, not for a word without an end either."""

from __future__ import annotations

from fake_host import FakeHost

from .conftest import OpenPages, remember
from .test_backup import KEY, lose
from .test_knowledge import learn
from .test_notes import index, write
from .test_pages import learn_two_prices
from .test_vault import add_record

LONG = "w" * 3_000
#: What is pressed on each part, and what is seen then.
STEPS = {
    "overview": {},
    "memories": {"[data-ledger=row] .ledger-said": "[data-ledger=memory]"},
    "inbox": {},
    "recall": {},
    "vault": {
        "button:has-text('Add a record')": "[data-field=text]",
        "[data-ledger=record-row] .ledger-said": "[data-ledger=record]",
    },
    "notes": {"[data-ledger=note-row] .ledger-link": "[data-ledger=note]"},
    "knowledge": {"[data-ledger=row]:has-text('Plan for') .ledger-link": "[data-ledger=entry]"},
    "maintenance": {"[data-ledger=try]": "[data-ledger=result]:has-text('A run would do this now:')"},
    "backup": {"[data-ledger=try]": "[data-ledger=trial]", "[data-ledger=hear]": "[data-ledger=findings] li"},
}


async def test_nothing_sticks_out_of_a_narrow_window(host: FakeHost, open_pages: OpenPages) -> None:
    """Lists, forms and what opens from them."""
    await lose(host, LONG, KEY)
    await learn_two_prices(host)
    await remember(host, LONG.upper())
    await add_record(host, LONG[:1_000], category="c" * 80)
    write(host, f"{LONG[:200]}.md", f"# {LONG[:300]}\n\n{LONG[:2_000]}\n")
    await index(host)
    await learn(host)
    path = host.root / "usr/context/memory/staging/operational_heuristics.md"
    path.write_text(path.read_text("utf-8").replace("**Insight:**\n", f"**Insight:**\n{LONG}"), "utf-8")
    async with open_pages(host.call_api, width=420) as visit:
        for part, steps in STEPS.items():
            await visit.open(part)
            assert await visit.fits(), part
            if part == "memories":
                assert await visit.find("input[type=search]").evaluate("one => one.offsetHeight < 60")
            for button, seen in steps.items():
                await visit.find(f"{button}:visible").first.click()
                await visit.find(seen).first.wait_for()
                await visit.rest()
                assert await visit.fits(), (part, button)
            if part == "memories":
                await visit.page.keyboard.press("Escape")
