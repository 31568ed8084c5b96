"""The page of maintenance, in a browser."""

from __future__ import annotations

import importlib
import json
import threading
from typing import Any

from fake_host import FakeHost
from hooks.hook_tools import axes, find, install_late, settle
from hooks.hook_tools import remember as say

from .conftest import HELPERS, OpenPages, Visit

OLD, NEW = "The budget of Falcon is 10000 EUR", "The budget of Falcon was changed to 12000 EUR"
TEA, TEA_AGAIN = "The user likes green tea", "The user likes green tea."
RESULT = "[data-ledger=result]"


def configure(host: FakeHost, **settings: Any) -> None:
    root = host.memory_folder().parent
    root.mkdir(parents=True, exist_ok=True)
    quiet = {"maintenance_interval_loops": 1_000, "archival_threshold_cycles": 1}
    (root / "classification_config.json").write_text(json.dumps(quiet | settings))


async def fill(host: FakeHost) -> None:
    """Two memories that say the same."""
    configure(host, retire_existing=True)
    await say(host, "Hello.", TEA)
    await say(host, "Hello again.", TEA_AGAIN)
    await settle(host)


async def propose(host: FakeHost) -> None:
    """Two memories from before the pack, one of which is proposed."""
    configure(host)
    await install_late(host, OLD, NEW)


async def finish(visit: Visit, words: str) -> None:
    """Wait for a result that says so."""
    await visit.find(RESULT, has_text=words).wait_for()
    await visit.rest()


async def test_a_run_is_tried_first_and_then_done(host: FakeHost, open_pages: OpenPages) -> None:
    """What it would do, with examples that open; two clicks; what it did, and what the last runs did."""
    await fill(host)
    async with open_pages(host.call_api, "maintenance") as visit:
        assert not await visit.find("[data-ledger=run]").is_visible()
        await visit.find("[data-ledger=try]").click()
        await finish(visit, "A run would do this now:")
        assert "duplicates retired: 1" in "".join(await visit.texts(RESULT))
        assert axes(find(host, TEA_AGAIN))[0] != "deprecated" and "No run yet." in "".join(
            await visit.texts("section[aria-label='The last runs']")
        )
        run = visit.find("[data-ledger=run]")
        await run.click()
        await visit.rest()
        assert "would" in "".join(await visit.texts(RESULT))
        await run.click()
        await finish(visit, "The run did this:")
        assert "duplicates retired: 1" in "".join(await visit.texts("[data-ledger=runs]"))


async def test_a_page_that_is_opened_again_finds_the_run(host: FakeHost, open_pages: OpenPages) -> None:
    """Progress while it goes on; a second one cannot be begun; stopped, it says so."""
    await fill(host)
    module = importlib.import_module(f"{HELPERS}host.maintenance.worker")
    stage = importlib.import_module(f"{HELPERS}host.maintenance.run").Stage
    go_on, stages = threading.Event(), module.STAGES

    def wait(job: Any) -> Any:
        while not go_on.wait(0.01):
            job.throttle.rest()
        return stages[1].run(job)

    module.STAGES = (stages[0], stage("deduplicate", "looking for duplicate memories", wait), *stages[2:])
    try:
        async with open_pages(host.call_api) as visit:
            await host.call_api("ledger", {"name": "maintenance.run"})
            await visit.open("maintenance")
            await visit.find(
                "[data-ledger=progress]", has_text="step 2 of 10, looking for duplicate memories"
            ).wait_for()
            assert await visit.find("[data-ledger=try]").is_disabled()
            await visit.open("memories")
            await visit.open("maintenance")
            await visit.find("[data-ledger=progress]", has_text="step 2 of 10").wait_for()
            await visit.find("[data-ledger=stop]").click()
            await finish(visit, "It was interrupted")
            assert await visit.find("[data-ledger=try]").is_enabled()
    finally:
        go_on.set()
        module.STAGES = stages
