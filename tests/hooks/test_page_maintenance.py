"""Maintenance on a page: tried on a copy, run one at a time, told in words; a person decides its proposals (E-46)."""

import asyncio
import importlib
import threading
from contextlib import contextmanager
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import axes, configure_pack, find, install_late, remember, settle
from memory_ledger.store import files
from memory_ledger.store.tables import note_pairs
from page_tools import answer, ask, ask_in_vain, every_page, lines, state

pytestmark = every_page

TEA, TEA_AGAIN = "The user likes green tea", "The user likes green tea."
BUDGET_OLD, BUDGET_NEW = "The budget of Falcon is 10000 EUR", "The budget of Falcon was changed to 12000 EUR"


def configure(host: FakeHost, **settings: Any) -> None:
    """Let no run be due by itself, and one recall be long."""
    configure_pack(host, **({"maintenance_interval_loops": 1_000, "archival_threshold_cycles": 1} | settings))


async def fill(host: FakeHost) -> None:
    """Two memories that say the same, and one that is not recalled any more."""
    configure(host, retire_existing=True)
    await remember(host, "Hello.", TEA)
    await remember(host, "Hello again.", TEA_AGAIN)
    for _ in range(3):
        await host.turn("zzz")
    await settle(host)


async def run(host: FakeHost, action: str) -> dict[str, Any]:
    """Start a run and wait for its end."""
    await ask(host, "maintenance", action)
    while (found := await ask(host, "maintenance", "state"))["is_running"]:
        await asyncio.sleep(0.05)
    return found["run"]


def counts(found: dict[str, Any]) -> dict[str, int]:
    return {one["what"]: one["count"] for stage in found["stages"] for one in stage["counts"]}


def examples(found: dict[str, Any], what: str) -> list[str]:
    return [
        example["text"]
        for stage in found["stages"]
        for one in stage["counts"]
        if one["what"] == what
        for example in one["examples"]
    ]


async def test_a_trial_says_what_a_run_would_do_and_changes_nothing(host: FakeHost) -> None:
    """C-68 ... C-71: figures with the memories that they are about; the run then does just that."""
    await fill(host)
    before = state(host)
    trial = await run(host, "try")
    assert state(host) == before
    assert trial["kind"] == "trial" and trial["is_whole"] and trial["failure"] == ""
    assert counts(trial)["duplicates retired"] == 1 and examples(trial, "duplicates retired") == [TEA]
    assert counts(trial)["archived"] >= 1
    assert (await ask(host, "maintenance", "read"))["runs"] == []
    done = await run(host, "run")
    assert done["kind"] == "real" and counts(done) == counts(trial) | {"memories backed up": 2}
    assert axes(find(host, TEA_AGAIN))[0] == "inferred"
    (row,) = (await ask(host, "maintenance", "read"))["runs"]
    assert "duplicates retired: 1" in row["what"] and row["is_whole"] and row["failed"] == []


@contextmanager
def slow_stage(host: FakeHost) -> Any:
    """Let the runs of a host wait in a stage until the end; yields what is set once one has begun."""
    module = importlib.import_module("usr.plugins.memory_ledger.helpers.host.maintenance.worker")
    run_module = importlib.import_module("usr.plugins.memory_ledger.helpers.host.maintenance.run")
    begun, go_on = threading.Event(), threading.Event()

    def wait(job: Any) -> Any:
        begun.set()
        while not go_on.wait(0.01):
            job.throttle.rest()
        return run_module.StageResult()

    stages = module.STAGES
    module.STAGES = (run_module.Stage("archive", "waiting", wait), *stages[1:])
    try:
        yield begun
    finally:
        go_on.set()
        module.STAGES = stages


async def test_one_run_at_a_time_which_another_page_finds_and_stops(host: FakeHost) -> None:
    """C-68: a second one is refused, nor does a chat start one; whoever comes later sees how far it is."""
    await fill(host)
    with slow_stage(host) as begun:
        await ask(host, "maintenance", "run")
        await asyncio.to_thread(begun.wait, 10)
        assert "one at a time" in await ask_in_vain(host, "maintenance", {"action": "try"})
        found = await ask(host, "maintenance", "read")
        assert found["is_running"] and not found["by_itself"]
        assert (found["run"]["doing"], found["run"]["begun"], found["run"]["ended"]) == ("waiting", 1, None)
        configure(host, maintenance_interval_loops=1)
        await host.turn("zzz")
        assert len([one for one in threading.enumerate() if one.name == "memory-ledger-maintain"]) == 1
        await ask(host, "maintenance", "stop")
        while (found := await ask(host, "maintenance", "state"))["is_running"]:
            await asyncio.sleep(0.05)
    assert not found["run"]["is_whole"] and found["run"]["failure"] == ""
    assert "No requested run is in progress" in await ask_in_vain(host, "maintenance", {"action": "stop"})


async def test_a_folder_that_another_process_maintains_is_left_to_it(host: FakeHost) -> None:
    await fill(host)
    with files.hold_folder(host.memory_folder()) as is_held:
        assert is_held
        found = await run(host, "run")
    assert "another process" in found["failure"] and found["stages"] == []


async def propose(host: FakeHost) -> dict[str, Any]:
    """Return the one proposal about what was there before the pack."""
    configure(host)
    await install_late(host, BUDGET_OLD, BUDGET_NEW)
    (found,) = (await ask(host, "inbox", "list"))["rows"]
    return found


async def test_a_proposal_is_refused_accepted_and_taken_back(host: FakeHost) -> None:
    """design.md (Storage): nothing is retired unasked; each is the operator's, and an undo proposes it again."""
    one = await propose(host)
    loser = one["texts"][0]["id"]
    assert [(text["name"], text["text"]) for text in one["texts"]] == [("retire", BUDGET_OLD), ("keep", BUDGET_NEW)]
    assert (one["kind"], one["title"], one["id"]) == ("proposal", "contradicted", loser) and one["why"]
    assert one["choices"] == {"that": "retire it as proposed", "both": "keep both permanently"} and one["final"] == []
    assert [row["kind"] for row in (await ask(host, "overview", "read"))["needs"]] == ["proposal"]
    for changed in ({"stamps": {text["id"]: "another" for text in one["texts"]}}, {"id": "none"}):
        found = await ask(host, "inbox", "decide", **{**answer(one, "that"), **changed})
        assert [row["why"] for row in found["refused"]] == ["it has changed in the meantime"] and found["done"] == []
    for choice, status in (("both", "inferred"), ("that", "deprecated")):
        decided = await ask(host, "inbox", "decide", **answer(one, choice))
        assert (decided["done"], len(decided["undo"])) == ([loser], 1)
        assert (await ask(host, "overview", "read"))["needs"] == (await ask(host, "inbox", "list"))["rows"] == []
        assert axes(find(host, "10000"))[0] == status
        again = await ask(host, "inbox", "decide", **answer(one, choice))
        assert (again["already"], again["undo"]) == ([loser], decided["undo"])
        other = await ask(host, "inbox", "decide", **answer(one, "both" if choice == "that" else "that"))
        assert [row["why"] for row in other["refused"]] == ["it has changed in the meantime"]
        assert (await ask(host, "memories", "take_back", acts=decided["undo"]))["done"] == [loser]
        await host.turn("Hello.")
        assert axes(find(host, "10000"))[0] == "inferred"
        assert [row["id"] for row in (await ask(host, "inbox", "list"))["rows"]] == [loser]
    assert {row["by"] for row in lines(host, "ledger_inbox.jsonl") if "by" in row} == {"operator"}


@pytest.mark.parametrize("choice", ["that", "both"])
async def test_two_that_say_the_same_are_decided_and_taken_back(host: FakeHost, choice: str) -> None:
    """E-41: what maintenance has left to a person; both stay, or the one that is named first goes."""
    await fill(host)
    folder = importlib.import_module("usr.plugins.memory_ledger.helpers.host.session").open_folder("default")
    found = {**dict(zip("ab", host.docs, strict=True)), "cosine": 0.9, "outcome": "review", "why": "", "at": ""}
    folder.store.database.change(lambda db: note_pairs(db, [{**found, "cycle": 0}]))
    (one,) = (await ask(host, "inbox", "list", kinds=["duplicate"]))["rows"]
    *_, decided = [await ask(host, "inbox", "decide", **answer(one, choice)) for _ in range(2)]
    assert (await ask(host, "inbox", "list"))["rows"] == [] and len(decided["undo"]) == 1
    assert (axes(host.docs[one["id"]])[0] == "deprecated") is (choice == "that")
    back = await ask(host, "memories", "take_back", acts=decided["undo"], about=decided["done"])
    assert back["refused"] == [] and (await ask(host, "inbox", "list"))["rows"] == [one]
