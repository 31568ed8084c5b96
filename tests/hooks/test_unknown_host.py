"""A host that is made otherwise than any known one: what needs it is off, and told once with the release (C-74)."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from fake_host import FakeHost, tool_policy
from hook_tools import NEW, OLD, PACK, learn_two_versions

newest = pytest.mark.parametrize("host", ["D"], indirect=True)
every_named = pytest.mark.parametrize("host", ["A2", "B", "D"], indirect=True)

RECALL_MODULE = "plugins._memory.extensions.python.message_loop_prompts_after._50_recall_memories"
ADAPTER = f"{PACK}.host.agent_zero"


def told(host: FakeHost) -> list[str]:
    """Return what the pack has warned of, in all chats."""
    return [f"{one.heading}\n{one.content}" for one in host.warnings if one.heading.startswith("Memory Ledger")]


def without(owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a function away."""
    monkeypatch.delattr(owner, name)


def otherwise(owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a function want something that nobody gives it."""

    def wants_more(*, unheard_of: object) -> None:
        raise AssertionError(unheard_of)

    wants_more.__qualname__ = name
    monkeypatch.setattr(owner, name, wants_more)


#: Where the pack looks for a function, whether the rest of the pack can do without it, and what a turn then says of it.
_ASKED = [
    ("helpers.plugins", "get_plugin_config", True),
    ("helpers.plugins", "determine_plugin_asset_path", True),
    ("plugins._model_config.helpers.model_config", "get_chat_model_config", True),
    ("plugins._memory.helpers.memory", "get_existing_memory_subdirs", True),
    ("plugins._memory.helpers.memory", "abs_db_dir", False),
    ("plugins._memory.helpers.memory", "get_agent_memory_subdir", False),
]
#: Each is gone, or wants something else; half of them in the one way, half in the other.
_CASES = [(*asked, (without, otherwise)[place % 2]) for place, asked in enumerate(_ASKED)]


@newest
@pytest.mark.parametrize(("place", "name", "is_partial", "change"), _CASES)
async def test_a_function_of_the_host_that_is_not_as_known_costs_no_turn(
    host: FakeHost,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    name: str,
    is_partial: bool,
    change: Callable[[Any, str, pytest.MonkeyPatch], None],
) -> None:
    """C-74: what needs it is off, and told once with the release; without the rest the host recalls by itself."""
    await learn_two_versions(host)
    change(importlib.import_module(place), name, monkeypatch)
    await host.restart(hard=False, keep_chats=False)
    for _ in range(2):
        record = await host.turn("Which Python does my project use?", fragments=["User's project is called Heron"])
        assert record.response == "Done."
        assert NEW in record.prompt.memories
        assert (OLD in record.prompt.memories) is not is_partial
    assert len(told(host)) == 1
    assert "Agent Zero v2.13" in told(host)[0]
    assert name in told(host)[0]
    host.expected_warnings = 1


@every_named
@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("MyFaiss", "_FAISS__add"),
        ("MyFaiss", "delete"),
        ("MyFaiss", "adelete"),
        ("MyFaiss", "save_local"),
        ("MyFaiss", "similarity_search_with_score_by_vector"),
        ("Memory", "_save_db_file"),
    ],
)
async def test_a_method_that_is_not_there_is_not_wrapped(host: FakeHost, owner: str, name: str) -> None:
    """T-48, T-64: the classes have it under another name, and the pack goes on without its place in it."""
    module = host.memory_module
    known = getattr(module, owner)
    other = type(owner, (), {one: vars(known)[one] for one in vars(known) if not one.startswith("__")})
    for one in ("_FAISS__add", "delete", "adelete", "save_local", "similarity_search_with_score_by_vector"):
        if one != name and hasattr(known, one):
            setattr(other, one, getattr(known, one))
    if name in vars(other):
        delattr(other, name)
    adapter = importlib.import_module(ADAPTER)
    assert adapter.find_part(other, name) is None
    recorder, locks = (importlib.import_module(f"{PACK}.store.{one}") for one in ("saving", "order"))
    held = type("Module", (), {"Memory": module.Memory, "MyFaiss": module.MyFaiss, owner: other})
    recorder.record_changes(held, adapter.find_part)
    locks.guard_index(held)
    assert not hasattr(other, name)


@newest
async def test_a_recall_that_is_handed_over_otherwise_is_left_to_the_host(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-02: taken over it would reach no prompt at all."""
    await learn_two_versions(host)
    monkeypatch.delattr(importlib.import_module(RECALL_MODULE), "get_recall_scope")
    record = await host.turn("Which Python does my project use?")
    assert NEW in record.prompt.memories
    assert OLD in record.prompt.memories
    assert len(told(host)) == 1
    assert "what it recalls is not filtered (Agent Zero v2.13)" in told(host)[0]
    host.expected_warnings = 1


@newest
async def test_a_recall_under_another_name_is_told_once(host: FakeHost) -> None:
    """C-74: nothing of it can be filtered, and whoever reads the log knows."""
    host.write_extension(
        "message_loop_prompts_after/_51_renamed",
        "from helpers.extension import Extension\n\n\nclass Renamed(Extension):\n"
        "    def execute(self, **kwargs):\n"
        "        self.agent.set_data('_recall_memories_task', None)\n",
    )
    for _ in range(2):
        await host.turn("Hello.")
    assert len(told(host)) == 1
    assert "the host has begun none where it is looked for (Agent Zero v2.13)" in told(host)[0]
    host.expected_warnings = 1


@newest
async def test_words_that_a_release_has_no_more_cost_the_audit_log_nothing(host: FakeHost) -> None:
    """T-35: what the host tells a model is compared with its own prompts, of which any may be gone."""
    (host.root / "prompts/fw.msg_repeat.md").unlink()
    host.write_plugin_config(tool_policy.PLUGIN, {"mode": "custom", "blocked": ["local:look"]})
    record = await host.turn("Hello.", tool_calls=[("look", {}, "seen")])
    assert record.response == "Done."
    await host.settle()
    (log,) = (host.root / "usr/system/logs").iterdir()
    assert "PROCESSING_ERROR" in log.read_text()


@newest
async def test_a_host_whose_recall_is_switched_off_as_a_plugin_is_told_nothing(host: FakeHost) -> None:
    """C-74: its settings say that it recalls, and nothing of it is loaded."""
    (host.root / "usr/plugins/_memory").mkdir(exist_ok=True)
    (host.root / "usr/plugins/_memory/.toggle-0").touch()
    host.notice_changes()
    await host.restart()
    record = await host.turn("Hello.")
    assert record.response == "Done."
