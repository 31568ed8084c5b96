"""What a turn leaves to threads, and that what is asked of the disk once in a turn is seen in time all the same."""

from typing import Any

from fake_host import FakeHost
from hook_tools import configure_pack, remember, role

_HELPERS = "usr.plugins.memory_ledger.helpers"
_QUESTION = "Which Python does the project uses?"


def settings_of(host: FakeHost) -> Any:
    return host.agent.data["_memory_ledger_view"].settings


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
