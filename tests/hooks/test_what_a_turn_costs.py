"""What a turn leaves to threads, and that what is asked of the disk once in a turn is seen in time all the same."""

import importlib
import threading
from typing import Any

import pytest
from fake_host import FakeHost
from hook_tools import configure_pack, find, learn_two_versions, remember, role, settle, use_folder
from memory_ledger import cli

_HELPERS = "usr.plugins.memory_ledger.helpers"
_QUESTION = "Which Python does the project uses?"


def settings_of(host: FakeHost) -> Any:
    return host.agent.data["_memory_ledger_view"].settings


async def test_no_request_is_read_or_answered_on_the_event_loop(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-06, T-64: whatever a person asked for, the event loop asks for stamps alone."""
    await learn_two_versions(host)
    await host.restart()
    folder, known = host.memory_folder(), find(host, "3.9")
    assert cli.main(["refresh", known.id, "--folder", str(folder)]) == 0
    inbox, done = importlib.import_module(f"{_HELPERS}.store.requests").Inbox, list[tuple[str, bool]]()

    def noting(name: str) -> Any:
        call = getattr(inbox, name)

        def wrapper(*args: Any) -> Any:
            done.append((name, threading.current_thread() is threading.main_thread()))
            return call(*args)

        return wrapper

    for name in ("read", "settle"):
        monkeypatch.setattr(inbox, name, noting(name))
    await host.turn(_QUESTION)
    await settle(host)
    await host.settle()
    assert {*done} == {("read", False), ("settle", False)}
    assert '"kind":"refresh"' in (folder / "ledger_inbox.jsonl").read_text()


async def test_what_is_no_order_is_not_announced_as_one(host: FakeHost) -> None:
    """T-64: a changed inbox says nothing yet; what takes a thread of its own is told once it is known."""
    await learn_two_versions(host)
    assert cli.main(["refresh", find(host, "3.11").id, "--folder", str(host.memory_folder())]) == 0
    await host.turn(_QUESTION)
    await settle(host)
    told = "".join(item.heading for item in host.log)
    assert "ordered" not in told and "nothing was done" not in told
    assert "1 memory refreshed" in (host.memory_folder() / "ledger_inbox.jsonl").read_text()


async def test_a_setting_changed_while_the_model_thinks_holds_for_the_next_prompt(host: FakeHost) -> None:
    """T-06: a turn of many prompts takes long; nobody waits for its end."""
    seen: list[int] = []

    def change(_: Any) -> None:
        seen.append(settings_of(host).max_injected_memories)
        configure_pack(host, max_injected_memories=len(seen))

    await host.turn("Please look at the logs.", iterations=3, on_model_call=change)
    assert seen[1:] == [1, 2]
    await host.turn("Thank you.")
    assert settings_of(host).max_injected_memories == 3


async def test_what_is_changed_between_two_turns_holds_from_the_first_hook_on(host: FakeHost) -> None:
    """T-06, E-04, C-52: settings of the user, of a model, of a role, each in a folder that was not there before."""
    host.agent._org_active_role = role("coder", "codegen")
    host.agent._bst_store = {"domain": "codegen"}
    await remember(host, "The compose file lists seven boxes.", "The compose file lists seven boxes")
    asked, expected = "The compose file lists how many boxes?", "seven"
    assert expected in (await host.turn(asked)).prompt.memories
    configure_pack(host, enabled=False)
    await host.turn(asked)
    assert not settings_of(host).enabled
    configure_pack(host)
    assert expected in (await host.turn(asked)).prompt.memories
    profiles = host.root / "usr" / "model_profiles"
    profiles.mkdir(parents=True)
    (profiles / "default.json").write_text('{"memory": {"disabled_domains": ["codegen"]}}')
    assert expected not in (await host.turn(asked)).prompt.memories
    (profiles / "default.json").write_text('{"memory": {"disabled_domains": []}}')
    assert expected in (await host.turn(asked)).prompt.memories
    host.agent._org_active_role = {"role_id": "gardener"}
    assert expected in (await host.turn(asked)).prompt.memories
    roles = host.root / "usr" / "organizations" / "roles"
    roles.mkdir(parents=True)
    (roles / "gardener.json").write_text('{"role_id": "gardener", "bst_domains": ["garden"]}')
    assert expected not in (await host.turn(asked)).prompt.memories
    (roles / "gardener.json").write_text('{"role_id": "gardener", "bst_domains": ["garden", "codegen"]}')
    assert expected in (await host.turn(asked)).prompt.memories


async def test_each_point_sees_the_folder_that_is_in_use(host: FakeHost) -> None:
    """T-06: a session is shared within one point of one prompt, and no further."""
    await learn_two_versions(host)
    use_folder(host, "another")
    assert "3.11" not in (await host.turn(_QUESTION)).prompt.memories
    use_folder(host, "default")
    assert "3.11" in (await host.turn(_QUESTION)).prompt.memories
    assert find(host, "3.9").metadata["classification"]["validity"] == "deprecated"
