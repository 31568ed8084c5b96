"""Which model an agent answers with, on every generation of the host (T-13)."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost
from memory_ledger.host import agent_zero, view
from memory_ledger.host.agent_zero import ChatModel


@pytest.fixture(params=ALL_GENERATIONS)
def model_host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A host whose chat model has a vendor in its name."""
    with FakeHost(request.param, tmp_path / "a0", chat_model="openrouter/qwen/qwen3-14b") as running:
        yield running


def test_model_of_an_agent(model_host: FakeHost) -> None:
    """T-13: provider and name, as the host's settings have them; a subordinate's too."""
    expected = ChatModel("openrouter", "qwen/qwen3-14b")
    assert agent_zero.chat_model(model_host.agent) == expected
    assert agent_zero.chat_model(model_host.subordinate()) == expected


def test_model_is_asked_for_where_there_are_profiles(model_host: FakeHost) -> None:
    """T-13: that costs the host milliseconds; profiles that come later are seen at once."""
    assert view.current_view(model_host.agent).chat_model is None
    agent_zero.model_profiles_folder().mkdir(parents=True)
    assert view.current_view(model_host.agent).chat_model == ChatModel("openrouter", "qwen/qwen3-14b")


def test_profiles_lie_under_usr(model_host: FakeHost) -> None:
    """E-04, T-13: in v0.9.7 too, whose memory does not."""
    assert agent_zero.model_profiles_folder() == model_host.machine.root / "usr" / "model_profiles"


def test_model_that_is_switched_in_mid_chat_is_seen_at_once(model_host: FakeHost) -> None:
    """T-13: in B and C a chat has a choice of its own; before, the agent's configuration is replaced."""
    agent = model_host.agent
    agent_zero.model_profiles_folder().mkdir(parents=True)
    before = view.current_view(agent)
    assert view.current_view(agent) is before
    if model_host.machine.traits.has_plugins:
        agent.context.set_data("chat_model_override", {"chat": {"provider": "openai", "name": "gpt-5"}})
    else:
        agent.config.chat_model = type(agent.config.chat_model)("openai", "gpt-5")
    assert view.current_view(agent).chat_model == ChatModel("openai", "gpt-5")


@pytest.mark.parametrize("name", ["", " ", None, 7])
def test_unknown_model_is_none(name: object, model_host: FakeHost) -> None:
    """T-13: no guess; the default profile stands in."""
    agent = model_host.agent
    if model_host.machine.traits.has_plugins:
        agent.context.set_data("chat_model_override", {"chat": {"name": name}})
    else:
        agent.config.chat_model.name = name
    assert agent_zero.chat_model(agent) is None


def test_host_that_says_nothing(model_host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-13: neither a model in the configuration, nor the plugin's function, nor the plugin."""
    agent = model_host.agent
    if not model_host.machine.traits.has_plugins:
        agent.config.chat_model = None
        assert agent_zero.chat_model(agent) is None
        return
    name = "plugins._model_config.helpers.model_config"
    module = importlib.import_module(name)
    monkeypatch.setattr(module, "get_chat_model_config", lambda agent: None)
    assert agent_zero.chat_model(agent) is None
    monkeypatch.delattr(module, "get_chat_model_config")
    assert agent_zero.chat_model(agent) is None
    monkeypatch.setitem(sys.modules, name, None)
    assert agent_zero.chat_model(agent) is None
