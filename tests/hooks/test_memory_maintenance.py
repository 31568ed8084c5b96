"""monologue_end/_57_memory_maintenance."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from fake_host import FakeHost
from full_disk import full_disk
from hook_tools import configure_pack, find, learn_two_versions, remember, rest, role
from memory_ledger.store import files
from memory_ledger.store.order import save_lock
from memory_ledger.store.tables import find_state

TEA, BREAD = "The user likes tea", "The user likes rye bread"


def configure(host: FakeHost, **settings: Any) -> None:
    """Write the user's settings file; unless told otherwise every loop is due, and one recall is long."""
    configure_pack(host, **({"maintenance_interval_loops": 1, "archival_threshold_cycles": 1} | settings))


def state(host: FakeHost) -> dict[str, Any]:
    """Return the counters of the folder as they are on disk."""
    return asdict(find_state(host.memory_folder()))


def journal(host: FakeHost, action: str) -> list[dict[str, Any]]:
    """Return the journal's lines of one kind."""
    return [row for row in files.read_lines(host.memory_folder() / files.JOURNAL_FILE) if row["action"] == action]


def runs(host: FakeHost) -> list[dict[str, Any]]:
    return journal(host, "maintenance")


def lineage(host: FakeHost, text: str) -> dict[str, Any]:
    return find(host, text).metadata["lineage"]


def utility(host: FakeHost, text: str) -> str:
    return find(host, text).metadata["classification"]["utility"]


def threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "memory-ledger-maintain"]


async def end_turn(host: FakeHost, text: str = "zzz") -> None:
    """Play a turn, and wait for everything that it started."""
    await host.turn(text)
    await host.settle()


@contextmanager
def held_up(host: FakeHost) -> Iterator[None]:
    """Let maintenance wait before its next change: the index is being saved, as it were."""
    with save_lock(host.memory_module.Memory):
        yield


async def test_maintenance_runs_once_after_so_many_loops(host: FakeHost) -> None:
    """C-68, C-92, T-06: with 25 loops since the last run, over a restart; message loops count, not turns."""
    await remember(host, "The port is 8080.", "The port is 8080")
    await rest(host)
    await host.restart()
    before = state(host)["loop_count"]
    await host.turn("Look at the logs.", iterations=24 - before)
    await host.settle()
    assert state(host)["loop_count"] == 24
    assert runs(host) == []
    for _ in range(3):
        await end_turn(host)
    assert [(row["loop"], row["is_whole"]) for row in runs(host)] == [(25, True)]
    assert state(host)["maintained_at_loop"] == 25


async def test_maintenance_leaves_the_event_loop_alone(host: FakeHost) -> None:
    """C-68, T-48: in a thread of its own, and so is the one save after it; the chat's log tells of it in one item."""
    configure(host)
    await remember(host, "I like tea.", TEA)
    await host.settle()
    saves = len(host.saves)
    for _ in range(3):
        await end_turn(host)
    assert utility(host, TEA) == "archived"
    assert len(host.saves) > saves
    assert not {one.thread_name for one in host.saves[saves:]} & {"MainThread", "AgentContext"}
    told = [item.heading for item in host.log if "maintenance" in item.heading]
    assert len(told) == len(runs(host))
    assert any("1 archived" in heading for heading in told)
    await host.restart()
    assert utility(host, TEA) == "archived"


async def test_archived_after_disuse_and_back_after_three_recalls(host: FakeHost) -> None:
    """C-69, C-70, C-89, C-90, T-07: over restarts; the status is on disk in the host's own file."""
    configure(host, archival_threshold_cycles=4)
    await remember(host, "I like tea.", TEA)
    await remember(host, "I like rye bread.", BREAD)
    await idle(host, 6)
    assert {utility(host, TEA), utility(host, BREAD)} == {"archived"}
    await host.restart()
    await host.settle()
    for _ in range(3):
        await end_turn(host, "The user likes tea, what tea does the user like?")
    assert utility(host, TEA) == "tactical"
    assert find(host, TEA).metadata["id"] in [row["memory"] for row in journal(host, "unarchive")]
    assert lineage(host, TEA)["access_count"] >= 3


async def idle(host: FakeHost, recalls: int) -> None:
    """Let recalls go by that bring nothing."""
    for _ in range(recalls):
        await end_turn(host)


async def test_memories_that_share_tags_are_linked(host: FakeHost) -> None:
    """E-33, E-35, E-68, E-82, E-83: mutual; kept over a restart; none of the others, and none where it is off."""
    configure(host, related_memories={"enabled": False}, co_retrieval={"enabled": False})
    one, other = "The nginx proxy of the harbour listens here", "The nginx proxy of the harbour was moved"
    host.agent._org_active_role = role("coder", "codegen")
    for text in ("The cat is called Minka", "The heating was checked in May"):
        await remember(host, f"{text}.", text)
    await remember(host, "The nginx proxy of the harbour listens here.", one)
    await remember(host, "The nginx proxy of the harbour was moved.", other)
    for _ in range(2):
        await end_turn(host)
    assert not any(document.metadata["lineage"].get("related_memory_ids") for document in host.docs.values())
    assert not (host.memory_folder().parent / files.CO_RETRIEVAL_FILE).exists()
    assert {"link", "cluster"}.isdisjoint(runs(host)[-1]["counts"]) and "archive" in runs(host)[-1]["counts"]
    configure(host, related_memories={"rebuild_interval_cycles": 1})
    for _ in range(2):  # the first one may find the run of the last turn still going on
        await end_turn(host)
    assert not lineage(host, "Minka")["related_memory_ids"] + lineage(host, "heating")["related_memory_ids"]
    ids = [find(host, text).metadata["id"] for text in (one, other)]
    assert [lineage(host, text)["related_memory_ids"] for text in (one, other)] == [[ids[1]], [ids[0]]]
    await host.restart()
    assert [lineage(host, text)["related_memory_ids"] for text in (one, other)] == [[ids[1]], [ids[0]]]


async def test_stage_that_fails_is_told_once_and_the_others_go_on(host: FakeHost) -> None:
    """C-74: the tombstones cannot be written, so nothing is purged; links and the like are made."""
    configure(host, enable_purge=True, deprecation_retention_cycles=1)
    await learn_two_versions(host)
    with full_disk(host.memory_folder() / files.DATABASE_FILE):
        for _ in range(4):
            await end_turn(host)
    told = [item.content for item in host.warnings]
    assert sum("purge" in one for one in told) == 1 and all("ledger.db" in one for one in told)
    assert len([row for row in runs(host) if "purge" in row.get("failed", {})]) >= 2
    assert "3.9" in "".join(one.page_content for one in host.docs.values())
    assert runs(host)[-1]["counts"]["statistics"] == {"looked after": 2}
    await end_turn(host)
    assert "3.9" not in "".join(one.page_content for one in host.docs.values())
    await host.restart()
    assert len(host.docs) == 1
    host.expected_warnings = 0  # the log is gone with the process


async def test_two_chats_that_end_at_once_start_one_run(host: FakeHost) -> None:
    """C-68, T-48: one at a time for each folder, also when the plugin is loaded again meanwhile."""
    configure(host)
    await remember(host, "I like tea.", TEA)
    await host.settle()
    before = len(runs(host))
    second = host.new_context().agent0
    with held_up(host):
        await host.turn("zzz", is_instant=True)
        await host.turn("zzz", agent=second, is_instant=True)
        assert len(threads()) == 1
        host.purge_plugins()
        await host.turn("zzz", is_instant=True)
        assert len(threads()) == 1
    await host.settle()
    assert len(runs(host)) == before + 1


async def test_run_is_dropped_with_the_folder_and_taken_up_again(host: FakeHost) -> None:
    """T-48, C-68: the host loads the folder again in the middle; the old object is let go, the next turn goes on."""
    configure(host)
    for attempt in range(5):  # a run that has begun late may find that an earlier one has left it nothing to do
        for number in range(80):
            await host.insert(f"Fact {number} of day {attempt} about the harbour", area="fragments")
        await end_turn(host)
        await host.turn("zzz")
        await host.settle()
        with held_up(host):
            await host.turn("zzz", is_instant=True)
            assert len(threads()) == 1
            host.memory_module.reload()
        await host.settle()
        if not runs(host)[-1]["is_whole"]:
            break
    assert runs(host)[-1]["is_whole"] is False
    for _ in range(3):
        await end_turn(host)
    assert runs(host)[-1]["is_whole"] is True
    assert {one.metadata["classification"]["utility"] for one in host.docs.values()} == {"archived"}
