"""The quality layer in a running host: its figures in the health, its chain, its interface (Q-31, Q-55, Q-56, T-30)."""

import importlib
import json
import threading

from fake_host import FakeHost
from hook_tools import find, remember, settle
from memory_ledger import cli
from memory_ledger.host.storage import files
from memory_ledger.host.storage.inbox import Inbox


def quality_module(host: FakeHost):
    """Return the module as the host loads it."""
    return importlib.import_module("usr.plugins.memory_ledger.helpers.host.quality.hosted")


async def test_health_shows_decay(host: FakeHost) -> None:
    """Q-56, C-61: a supervisor sees averages, conflicts, errors and repetitions beside the counts."""
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    await settle(host)
    health = host.agent._memory_health
    assert 0.5 < health["average_quality"] <= 1.0 and health["average_staleness"] == 0.0
    assert {key: health[key] for key in ("unresolved_conflicts", "validation_error_rate", "echoes", "duplicates")} == {
        "unresolved_conflicts": 0,
        "validation_error_rate": 0.0,
        "echoes": 0,
        "duplicates": 0,
    }


async def test_health_is_summed_up_off_the_event_loop(host: FakeHost) -> None:
    """Q-56, C-62: of a hundred thousand memories it takes milliseconds, which no chat shall wait for."""
    loop, seen = threading.get_ident(), []

    class Watched(type(host.agent)):
        def __setattr__(self, name, value):
            if name == "_memory_health":
                seen.append(threading.get_ident())
            super().__setattr__(name, value)

    host.agent.__class__ = Watched
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    await settle(host)
    await host.turn("Which Python?")
    assert seen and loop not in seen and host.agent._memory_health["total_memories"] == 1


async def test_memories_are_chained_at_the_end_of_a_turn(host: FakeHost) -> None:
    """T-30: append-only, beside the host's own files."""
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    await settle(host)
    path = host.memory_folder() / files.CHAIN_FILE
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert find(host, "3.9").id in [line["id"] for line in lines]


async def test_a_key_is_replaced_at_the_end_of_a_turn(host: FakeHost) -> None:
    """Q-31: as a person asked for at a terminal; the chain goes on."""
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    await settle(host)
    folder = host.memory_folder()
    assert cli.main(["rotate-key", "--folder", str(folder)]) == 0
    await settle(host)
    [request] = Inbox(folder).read()
    assert request.answer is not None and request.answer.outcome == "done" and "signed with key" in request.answer.words
    assert len(json.loads((folder / files.SIGNING_KEYS_FILE).read_text())["keys"]) == 2
    quality = await quality_module(host).open_agent_quality(host.agent)
    assert (await quality.verify())["valid"]


async def test_the_interface_over_the_hosts_own_memory(host: FakeHost) -> None:
    """Q-55: a memory that is stated lies in the host's docstore, classified, with its conflicts; nothing beside it."""
    await host.turn("Hello.")
    quality = await quality_module(host).open_agent_quality(host.agent)
    made = [
        await quality.remember({"content": {"subject": "Adam", "property": "mood", "value": value}, "source": "told"})
        for value in ("green", "amber")
    ]
    assert {one["id"] for one in made} <= {*host.docs}
    assert host.docs[made[0]["id"]].metadata["classification"]["source"] == "user_asserted"
    [conflict] = await quality.getConflicts({"unresolved": True})
    assert {*conflict["memories"]} == {one["id"] for one in made}
    changed = await quality.update(made[0]["id"], {"content": {"value": "amber"}})
    assert changed["content"]["value"] == "amber" and len(host.docs) == 2
    await quality.forget(made[1]["id"])
    assert [one["id"] for one in await quality.recall()] == [made[0]["id"]]
    assert (await quality.verify())["valid"]
    assert (await quality.get_quality_report())["totalMemories"] == 1
    await settle(host)
