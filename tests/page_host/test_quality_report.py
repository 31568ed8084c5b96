"""The page that `quality --html` writes keeps nobody out, as far as a machine can tell: axe-core finds nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from memory_ledger.quality.advice import Advice, Step
from memory_ledger.quality.page import render_page
from memory_ledger.quality.report import Charts, QualityFigures, make_report
from memory_ledger.setting_groups import QualityLayer

from .browser import find_browser, read_axe

#: What axe calls minor counts as well: nothing in this page is a host's.
CHECK = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .map((one) => [one.id, ...one.nodes.map((node) => `${node.target} ${node.failureSummary}`)])"""
_NONE = QualityFigures(
    total=3, by_type={"fact": 3}, average_quality=0.8, average_staleness=0.2, unresolved_conflicts=2, errors=0, stale=1
)
REPORT = make_report(_NONE, QualityLayer())
FINDINGS = [
    Advice("2 conflicts are unresolved.", (Step("Port 8080", "memory-ledger resolve a --keep b", is_quoted=True),)),
    Advice("1 memory is stale.", (Step("What is old enough to be archived", "archive-stale --dry-run"),)),
]
CHARTS = Charts(
    age={"0-30": 3, "31-90": 0},
    staleness={"0-10": 2},
    score={"90-100": 1},
    source={"told": 3},
    conflicts={"2026-01": 2},
)

Open = Callable[[str, int, str], Awaitable[Any]]


@pytest.fixture
async def open_report(tmp_path: Path) -> AsyncIterator[Open]:
    """Open a report in a window of a width, by day or by night."""
    command, axe = find_browser(), read_axe()
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=command, args=["--no-sandbox"])

        async def open_page(page: str, width: int, scheme: str) -> Any:
            (tmp_path / "report.html").write_text(page, "utf-8")
            shown: Any = {"viewport": {"width": width, "height": 6000}, "color_scheme": scheme}
            window = await browser.new_page(**shown)
            await window.goto((tmp_path / "report.html").as_uri())
            await window.add_script_tag(content=axe)
            return window

        yield open_page
        await browser.close()


@pytest.mark.parametrize("advice", [FINDINGS, []], ids=["findings", "nothing"])
async def test_the_report_keeps_nobody_out(open_report: Open, advice: list[Advice]) -> None:
    """Issue 23, Q-54: on a phone and on a desk, by day and by night, with something in it and with nothing."""
    charts = CHARTS if advice else Charts()
    page = render_page(REPORT, charts, advice, unrecalled=2, where="/x", at="now")
    for width, scheme in product((375, 1280), ("light", "dark")):
        window = await open_report(page, width, scheme)
        assert await window.evaluate(CHECK) == [], (width, scheme)
        ground = await window.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", ground))) < 200) is (scheme == "dark")


async def test_a_barrier_in_the_report_is_found(open_report: Open) -> None:
    """The check sees what it is to see: text that is hardly there, and a page that names no language."""
    page = render_page(REPORT, CHARTS, FINDINGS, where="/x", at="now")
    window = await open_report(page.replace("#4d5d6d", "#ccd").replace(' lang="en"', ""), 375, "light")
    assert sorted(one[0] for one in await window.evaluate(CHECK)) == ["color-contrast", "html-has-lang"]
