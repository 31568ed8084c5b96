"""Recalled text that comes back through the memorizers (T-68)."""

import json
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import axes, configure_pack, find, remember, settle

FACT = "The user's project uses Python 3.11"
ECHO = "User's project uses Python 3.11."
QUESTION = "Which Python does the user's project uses?"


@pytest.fixture
async def knowing(host: FakeHost) -> FakeHost:
    """A host whose agent has inferred one thing; its memorizers replace nothing by themselves."""
    host.configure(memory_memorize_consolidation=False, memory_memorize_replace_threshold=0)
    await remember(host, "Have a look around.", FACT)
    return host


async def ask(host: FakeHost, *fragments: str, said: str = QUESTION) -> Any:
    """Play a turn that recalls, and whose memorizers write `fragments`; return its record."""
    record = await host.turn(said, reply="It uses the usual things.", fragments=list(fragments))
    await host.finish_memorizing()
    await settle(host)
    return record


def retirements(host: FakeHost) -> list[dict[str, Any]]:
    """Return the lines of the journal about retirements."""
    path = host.memory_folder() / "ledger.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    return [row for row in rows if row["action"] == "supersede"]


async def test_echo_is_retired_in_favour_of_the_original(knowing: FakeHost) -> None:
    """T-68, C-61, C-93: deprecated by its own journalled rule, and counted, as no conflict; a recall shows one."""
    assert FACT in (await ask(knowing, ECHO)).prompt.memories
    original, echo = find(knowing, FACT), find(knowing, ECHO)
    assert axes(echo) == ("deprecated", "active", "tactical", "agent_inferred")
    assert axes(original) == ("inferred", "active", "tactical", "agent_inferred")
    assert echo.metadata["lineage"]["superseded_by"] == original.metadata["id"]
    assert original.metadata["lineage"]["supersedes"] == echo.metadata["id"]
    (row,) = retirements(knowing)
    assert (row["rule"], row["from"], row["to"]) == ("T-68", "inferred", "deprecated")
    assert (row["memory"], row["winner"]) == (echo.metadata["id"], original.metadata["id"])
    assert row["reasons"][1] == "it is the same facts in other words"
    health = knowing.agent._memory_health
    assert (health["echoes_retired_this_session"], health["conflicts_resolved_this_session"]) == (1, 0)
    assert health["by_validity"] == {"confirmed": 0, "inferred": 1, "deprecated": 1}
    assert knowing.agent._memory_conflict_log == []
    again = await knowing.turn("Is Python 3.11 used by the user's project?")
    assert FACT in again.prompt.memories
    assert ECHO not in again.prompt.memories


async def test_what_says_more_stays(knowing: FakeHost) -> None:
    """T-67, T-68: one more fact, a more precise value, another subject."""
    others = [f"{FACT} and Redis", f"{FACT}.4", "The user's other project uses Python 3.11"]
    assert FACT in (await ask(knowing, *others)).prompt.memories
    assert len(knowing.docs) == 4
    assert all(row["rule"] != "T-68" for row in retirements(knowing))
    assert knowing.agent._memory_health["echoes_retired_this_session"] == 0


async def test_what_the_user_says_again_is_the_users(knowing: FakeHost) -> None:
    """T-68, C-44: recalled, and said again in this window: the user's own word is no echo."""
    record = await ask(knowing, ECHO, said="My project uses Python 3.11, as you know.")
    assert FACT in record.prompt.memories
    assert axes(find(knowing, ECHO))[::3] == ("confirmed", "user_asserted")
    assert retirements(knowing) == []


@pytest.mark.parametrize(("window", "validity"), [(1, "inferred"), (5, "deprecated")])
async def test_echo_is_known_within_the_window(host: FakeHost, window: int, validity: str) -> None:
    """T-01, T-68, E-39: a memorizer ends late; what no prompt of the last `turn_window` turns held is no echo."""
    configure_pack(host, turn_window=window)
    host.configure(memory_memorize_consolidation=False, memory_memorize_replace_threshold=0)
    await remember(host, "Have a look around.", FACT)
    assert FACT in (await ask(host)).prompt.memories
    assert (await ask(host, ECHO, said="Tell me about tides")).prompt.memories == ""
    assert axes(find(host, ECHO))[::3] == (validity, "agent_inferred")
