"""Which model an agent answers with, on every generation of the host (T-13)."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_host import ALL_GENERATIONS, FakeHost
from memory_ledger.host import agent_zero, view
from memory_ledger.host.agent_zero import ChatModel

MODEL = ChatModel("openrouter", "qwen/qwen3-14b")

pytestmark = pytest.mark.every_generation


@pytest.fixture(params=ALL_GENERATIONS)
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FakeHost]:
    """A host whose chat model has a vendor in its name."""
    with FakeHost(request.param, tmp_path / "a0", chat_model="openrouter/qwen/qwen3-14b") as running:
        yield running


def choose(host: FakeHost, **model: object) -> None:
    """Switch the model in mid-chat: newer hosts have a choice of the chat's, older ones a new configuration."""
    if host.machine.traits.has_plugins:
        host.agent.context.set_data("chat_model_override", {"chat": model})
    else:
        host.agent.config.chat_model = type(host.agent.config.chat_model)(**model)


def test_the_model_of_an_agent_is_that_of_the_moment(host: FakeHost) -> None:
    """E-04, T-13: asked for where there are profiles, which lie below `usr`; a switch in mid-chat is seen at once."""
    agent = host.agent
    assert agent_zero.chat_model(agent) == agent_zero.chat_model(host.subordinate()) == MODEL
    assert view.current_view(agent).chat_model is None
    assert agent_zero.model_profiles_folder() == host.machine.root / "usr" / "model_profiles"
    agent_zero.model_profiles_folder().mkdir(parents=True)
    before = view.current_view(agent)
    assert before.chat_model == MODEL and view.current_view(agent) is before
    choose(host, provider="openai", name="gpt-5")
    assert view.current_view(agent).chat_model == ChatModel("openai", "gpt-5")


def test_an_unknown_model_is_none(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-13: no guess, neither of a name that is none, nor without the configuration, or the plugin that has it."""
    agent = host.agent
    for name in ("", " ", None, 7):
        choose(host, provider="openai", name=name)
        assert agent_zero.chat_model(agent) is None
    if not host.machine.traits.has_plugins:
        agent.config.chat_model = None
        assert agent_zero.chat_model(agent) is None
        return
    agent.context.set_data("chat_model_override", None)
    plugin = "plugins._model_config.helpers.model_config"
    module = importlib.import_module(plugin)
    monkeypatch.setattr(module, "get_chat_model_config", lambda agent: None)
    assert agent_zero.chat_model(agent) is None
    monkeypatch.delattr(module, "get_chat_model_config")
    assert agent_zero.chat_model(agent) is None
    monkeypatch.setitem(sys.modules, plugin, None)
    assert agent_zero.chat_model(agent) is None
