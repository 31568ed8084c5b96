"""The quality layer in a running host: its figures in the health, its chain, its interface (Q-31, Q-55, Q-56, T-30)."""

import importlib
import json
import threading

import pytest
from fake_host import FakeHost
from hook_tools import find, remember, settle
from memory_ledger.store import files

PERMIT = "What is the parking permit of the blue van?"


def quality_module(host: FakeHost):
    """Return the module as the host loads it."""
    return importlib.import_module("usr.plugins.memory_ledger.helpers.host.quality.quality_store")


async def test_health_is_summed_up_off_the_event_loop(host: FakeHost) -> None:
    """Q-56, C-61, C-62: averages, conflicts, errors and repetitions beside the counts; no chat waits for them."""
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
    health = host.agent._memory_health
    assert seen and loop not in seen and health["total_memories"] == 1
    assert 0.5 < health["average_quality"] <= 1.0 and health["average_staleness"] == 0.0
    counted = ("unresolved_conflicts", "validation_error_rate", "echoes", "duplicates")
    assert [health[key] for key in counted] == [0, 0.0, 0, 0]


async def test_the_interface_over_the_hosts_own_memory(host: FakeHost) -> None:
    """Q-55, T-30: what is stated lies in the host's docstore, classified, chained, with its conflicts."""
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
    chained = (host.memory_folder() / files.CHAIN_FILE).read_text().splitlines()
    assert (await quality.verify())["valid"] and made[0]["id"] in [json.loads(line)["id"] for line in chained]
    assert (await quality.get_quality_report())["totalMemories"] == 1
    await settle(host)


async def test_what_has_expired_enters_no_prompt(host: FakeHost) -> None:
    """It holds until then, a standing rule too, and comes back with a later time."""
    permit, rule = "The parking permit of the blue van is 4471", "Commands are always shown before they are run"
    for text in (permit, rule):
        await remember(host, f"{text}.", text)
    quality = await quality_module(host).open_agent_quality(host.agent)
    for expires, is_shown in (("2020-01-01T00:00:00Z", False), ("2090-01-01T00:00:00Z", True)):
        for text in (permit, rule):
            await quality.update(find(host, text).id, {"expires": expires})
        prompt = (await host.turn(PERMIT)).prompt
        assert [permit in prompt.memories, rule in prompt.system + prompt.memories] == [is_shown] * 2


@pytest.mark.parametrize(("source", "is_shown"), [("inferred", False), ("told", True)])
async def test_what_is_invalid_enters_no_prompt(source: str, is_shown: bool, host: FakeHost) -> None:
    """Nobody vouches for it; the word of the user stays, whatever a rule says of its form."""
    await host.turn("Hello.")
    quality = await quality_module(host).open_agent_quality(host.agent)
    quality.add_validator({"name": "four-digits", "validate": lambda one: {"valid": "44712" not in str(one)}})
    memory = await quality.remember({"text": "The parking permit of the blue van is 44712", "source": source})
    assert memory["quality"]["validationErrors"] == ["four-digits: not valid"]
    assert ("44712" in (await host.turn(PERMIT)).prompt.memories) is is_shown
    await quality.refresh(memory["id"], {"verified": True})
    assert "44712" in (await host.turn(PERMIT)).prompt.memories
