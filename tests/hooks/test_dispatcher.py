"""What an Organization Kernel's dispatcher finds, and what the suite itself needs."""

import socket
from pathlib import Path

import pytest
from fake_host import FakeHost
from hook_tools import remember, settle

_DISPATCHER = """
from {base} import Extension


class OrgDispatcher(Extension):
    async def execute(self, loop_data=None, **kwargs):
        health = getattr(self.agent, "_memory_health", None)
        self.agent._salute = {{"environment": {{"memory_health": health}}}}
"""


@pytest.mark.every_generation  # how a hook is found and started differs from one to the next
async def test_salute_reports_the_memory(host: FakeHost) -> None:
    """C-62, C-63, C-64a, C-85, T-33: a dispatcher copies it without any other call, anew after every change."""
    base = "helpers.extension" if host.machine.traits.has_plugins else "python.helpers.extension"
    host.write_extension("before_main_llm_call/_12_org_dispatcher", _DISPATCHER.format(base=base))
    await remember(host, "My project uses Python 3.9.", "User's project uses Python 3.9")
    await host.turn("Hello.")
    assert host.agent._salute["environment"]["memory_health"]["by_validity"]["confirmed"] == 1
    await remember(host, "My project uses Python 3.11.", "User's project uses Python 3.11")
    await host.turn("Hello again.")
    assert host.agent._salute["environment"]["memory_health"]["by_validity"]["deprecated"] == 1


async def test_nothing_goes_over_a_network(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """P-06, E-01: every hook runs on a real FAISS index with a deterministic embedder; no connection, no model call."""

    def refuse(*_: object) -> None:
        raise AssertionError("a hook opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    await host.turn("My project uses Python 3.9.", tool_calls=[("memory_load", {"query": "Python"})])
    await host.finish_memorizing()
    await settle(host)
    assert {call.system for call in host.utility_calls} == {
        "Utility step: extract facts.",
        "Utility step: extract solutions.",
    }


def test_what_is_deferred_is_absent() -> None:
    """C-76: no bookshelf ingestion, no model-based detection, no adaptive keywords: no code asks a model anything."""
    helpers = Path(__file__).resolve().parents[2] / "helpers"
    for path in helpers.rglob("*.py"):
        text = path.read_text("utf-8")
        assert "call_utility_model" not in text
        assert "BOOKSHELF_DOCUMENT)" not in text
