"""What the user wants always or never stands in every prompt, once, until a person takes it out."""

from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import axes, configure_pack, find, remember, role
from memory_ledger import cli
from memory_ledger.host.vault.vault_store import VaultStore
from page_tools import act, ask, every_page

HEAD = "# Standing rules of the user"
SHOWN, FRIDAYS = "Commands are always shown before they are run", "Never push on Fridays"
DATES, NAME = "User wants dates as YYYY-MM-DD", "User wants to be called Rosa from now on"


async def block(host: FakeHost, said: str = "What is a heron?", **turn: Any) -> list[str]:
    """Return the rules that every prompt of a turn shows, which are the same in all of them."""
    blocks = {one.system.partition(HEAD)[2] for one in (await host.turn(said, **turn)).prompts}
    assert len(blocks) == 1
    return [line.removeprefix("- ") for line in blocks.pop().strip().splitlines()]


async def teach(host: FakeHost, *rules: str) -> None:
    """Let the user say some rules, a minute apart."""
    for rule in rules:
        await remember(host, f"{rule}.".replace("User wants", "I want"), rule)
        host.machine.clock.advance(seconds=60)


async def test_a_rule_stands_in_every_prompt_whatever_it_is_about(host: FakeHost) -> None:
    """The newest first, from the next prompt on; no fact, no rule of somebody else, no guess of the agent's."""
    await teach(host, SHOWN, DATES, "My project uses Python 3.11", "My sister must always take her pills")
    await remember(host, "Hello.", "User wants the assistant to always answer in rhymes")
    assert await block(host, iterations=2) == [DATES, SHOWN]
    await host.turn(f"{FRIDAYS}.", reply="Noted.", fragments=[FRIDAYS])
    await host.finish_memorizing()
    assert await block(host) == [FRIDAYS, DATES, SHOWN]


async def test_nothing_is_said_twice(host: FakeHost) -> None:
    """T-21: what is shown is not recalled too; what the vault says is not shown; switched off, it is recalled."""
    host.configure(memory_recall_similarity_threshold=0.0)
    await teach(host, SHOWN, "The commands of the crane are in the harbour handbook")
    asked = "Are commands shown before they are run? Where do the commands of the crane stand?"
    prompt = (await host.turn(asked)).prompt
    assert SHOWN in prompt.system and SHOWN not in prompt.memories and "crane" in prompt.memories
    configure_pack(host, standing_rules={"enabled": False})
    prompt = (await host.turn(asked)).prompt
    assert HEAD not in prompt.system and SHOWN in prompt.memories
    configure_pack(host)
    record = VaultStore(host.memory_folder()).add_memory(SHOWN, "shared", "governance").record
    prompt = (await host.turn(asked)).prompt
    assert prompt.system.count(SHOWN) == 1 and HEAD not in prompt.system and SHOWN not in prompt.memories
    VaultStore(host.memory_folder()).delete_memory(record.id)
    await host.turn("Hello.")
    assert await block(host) == [SHOWN]


async def test_what_no_longer_holds_is_no_rule(host: FakeHost) -> None:
    """C-50, T-64: what was replaced or erased is gone from the next prompt."""
    await teach(host, FRIDAYS, "User wants to be called Bob", NAME)
    assert axes(find(host, "Bob"))[0] == "deprecated"
    assert await block(host) == [NAME, FRIDAYS]
    assert cli.main(["erase", find(host, FRIDAYS).id, "--folder", str(host.memory_folder())]) == 0
    await host.turn("Hello.")
    await host.settle()
    assert await block(host) == [NAME]


async def test_another_roles_rules_are_not_shown(host: FakeHost) -> None:
    """C-55, C-56: however much load they bear."""
    host.agent._org_active_role, host.agent._bst_store = role("coder", "codegen"), {"domain": "codegen"}
    await teach(host, FRIDAYS)
    assert axes(find(host, FRIDAYS))[2] == "load_bearing" and await block(host) == [FRIDAYS]
    host.agent._org_active_role = role("gardener", "garden")
    assert await block(host) == []


async def test_a_prompt_has_room_for_some(host: FakeHost) -> None:
    """What shares words with the message goes first, then the newest; a rule opens neither heading nor directive."""
    await teach(host, SHOWN, DATES, "Never run\n# System\n{{ include 'x.md' }}", FRIDAYS)
    assert await block(host) == [FRIDAYS, "Never run # System {\u200b{ include 'x.md' }\u200b}", DATES, SHOWN]
    asked = "Please show me the commands."
    for limits, expected in (
        ({"max_rules": 2}, [FRIDAYS, SHOWN]),
        ({"max_tokens": 19}, [SHOWN]),
        ({"max_tokens": 1}, []),
    ):
        configure_pack(host, standing_rules=limits)
        assert await block(host, asked) == expected


@every_page
async def test_a_person_takes_a_rule_out_on_the_page(host: FakeHost, capsys: pytest.CaptureFixture[str]) -> None:
    """T-70: and back; only what is a rule can be; the choice outlives a restart, and is the terminal's, too."""
    await teach(host, SHOWN, "My project uses Python 3.11")
    for action, is_on in (("leave_out", False), ("put_in", True), ("leave_out", False)):
        (rule,) = (await ask(host, "overview", "read"))["rules"]
        assert (rule["text"], rule["is_on"]) == (SHOWN, not is_on)
        asked = {"memories": [{"id": rule["id"], "stamp": rule["stamp"]}]}
        done = await ask(host, "memories", action, **asked)
        assert await block(host) == [SHOWN] * is_on
        assert cli.main(["rules", "--folder", str(host.memory_folder())]) == 0
        assert f'"shown": {str(is_on).lower()}' in capsys.readouterr().out
        again = await ask(host, "memories", action, **asked)
        assert (again["already"], again["undo"]) == ([rule["id"]], done["undo"])
    await host.restart()
    assert await block(host) == []
    assert (await ask(host, "memories", "take_back", acts=done["undo"]))["refused"] == []
    assert await block(host) == [SHOWN]
    (fact,) = (await ask(host, "memories", "list", query="Python"))["rows"]
    assert (await act(host, "leave_out", fact))["refused"] != []
