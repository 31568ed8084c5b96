"""What the hook tests ask of a host."""

from typing import Any

import pytest
from fake_host import FakeHost

OUR_TASK = "_memory_ledger_recall_task"
CLASSIFIER = "monologue_end/_55_memory_classifier"
AXES = ("validity", "relevance", "utility", "source")


def find(host: FakeHost, text: str) -> Any:
    """Return the one document that holds `text`."""
    found = [document for document in host.docs.values() if text in document.page_content]
    assert len(found) == 1, [document.page_content for document in host.docs.values()]
    return found[0]


def axes(document: Any) -> tuple[str, ...]:
    """Return validity, relevance, utility and source of a document."""
    return tuple(document.metadata["classification"][axis] for axis in AXES)


async def remember(host: FakeHost, said: str, *fragments: str, reply: str = "Noted.", **turn: Any) -> None:
    """Play a turn whose fragments are written late, and let the classifier of an empty turn find them."""
    await host.turn(said, reply=reply, fragments=list(fragments), **turn)
    await host.finish_memorizing()
    await host.run(CLASSIFIER)


async def settle(host: FakeHost) -> None:
    """Run the classifier once more, and wait for its save."""
    await host.run(CLASSIFIER)
    pending = host.agent.data.get("_memory_ledger_save")
    if pending is not None:
        await pending


def use_folder(host: FakeHost, subdir: str) -> None:
    """Choose a memory folder in the settings; v0.9.8 and earlier then give every chat a new configuration."""
    host.configure(agent_memory_subdir=subdir)
    if not host.machine.traits.has_plugins:
        host.agent.context.config = host.process.new_config(host.agent.config.profile)


async def hold_recall_of(host: FakeHost, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our recall that asks `question` wait until the host's `release_recall`."""
    embedder = type((await host.memory()).db.embedding_function)
    embed = embedder.aembed_query

    async def held(self: Any, text: str) -> list[float]:
        if text == question:
            await host.process.recall_gate.hold()
        return await embed(self, text)

    monkeypatch.setattr(embedder, "aembed_query", held)
