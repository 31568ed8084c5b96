"""What the hook tests ask of a host."""

import asyncio
import builtins
import importlib
import io
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn_acts import TEXTS, Desk
from fake_host import FakeHost, HashingEmbedder
from memory_ledger.store.files import write_atomically

PACK_ROOT = Path(__file__).resolve().parents[2]

PACK = "usr.plugins.memory_ledger.helpers"
TOOL = "memory_ledger"
OUR_TASK = "_memory_ledger_recall_task"
CLASSIFIER = "monologue_end/_55_memory_classifier"
AXES = ("validity", "relevance", "utility", "source")
#: A file of institutional knowledge.
PAGE = (
    "# Error Prevention\n\n[LAST_UPDATED]: x\n\n---\n\n## Entry: Error TIMEOUT\n\n- **ID:** MEM-001\n"
    "- **Confidence:** 0.85 (based on 23 transactions)\n- **First Observed:** 2026-01-01\n"
    "- **Last Confirmed:** 2026-02-01\n- **Source Transactions:** txn_1\n- **Category:** error_prevention\n\n"
    "**Insight:**\nIt {{ includes }} action_agent.\n\n**Recommended Action:**\nWait.\n\n"
    "**Applicability:**\nAll\n\n---\n\n"
)
#: With the second the first is retired.
OLD, NEW = "User's project uses Python 3.9", "User's project uses Python 3.11"


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


async def learn_two_versions(host: FakeHost) -> None:
    """Two turns, of which the second contradicts the first; both are on the disk afterwards."""
    await remember(host, "My project uses Python 3.9.", OLD)
    await remember(host, "My project uses Python 3.11.", NEW)
    await settle(host)


async def install_late(host: FakeHost, *texts: str) -> None:
    """Let a host store texts, a minute apart, before it has the pack, which then takes its first look at them."""
    host.uninstall()
    host.machine.clock.advance(seconds=-60 * len(texts))
    for text in texts:
        await host.insert(text, area="fragments")
        host.machine.clock.advance(seconds=60)
    host.install(PACK_ROOT)
    await host.restart()
    await host.turn("Hello.")
    await settle(host)


async def settle(host: FakeHost) -> None:
    """Run the classifier once more, and wait for its save."""
    await host.run(CLASSIFIER)
    if (pending := host.agent.data.get("_memory_ledger_save")) is not None:
        await pending


async def rest(host: FakeHost) -> None:
    """Settle, and wait for everything that is still at work."""
    await settle(host)
    await host.settle()


def configure_pack(host: FakeHost, **settings: Any) -> None:
    """Write the user's settings file, as an editor does: whole, whoever reads it meanwhile."""
    (folder := host.memory_folder().parent).mkdir(parents=True, exist_ok=True)
    write_atomically(folder / "classification_config.json", json.dumps(settings))


def use_folder(host: FakeHost, subdir: str) -> None:
    """Choose a memory folder in the settings; v0.9.8 and earlier then give every chat a new configuration."""
    host.configure(agent_memory_subdir=subdir)
    if not host.machine.traits.has_plugins:
        host.agent.context.config = host.process.new_config(host.agent.config.profile)


def when_asked(question: str, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let `act` run, in the thread that embeds, whenever our recall asks the model `question`."""
    embed_query, embed_documents = HashingEmbedder.embed_query, HashingEmbedder.embed_documents

    def embed_one(self: HashingEmbedder, text: str) -> list[float]:
        if text == question:
            act()
        return embed_query(self, text)

    def embed_all(self: HashingEmbedder, texts: list[str]) -> list[list[float]]:
        if question in texts:
            act()
        return embed_documents(self, texts)

    monkeypatch.setattr(HashingEmbedder, "embed_query", embed_one)
    monkeypatch.setattr(HashingEmbedder, "embed_documents", embed_all)


async def hold_recall_of(host: FakeHost, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our recall that asks `question` wait until the host's `release_recall`."""
    loop = asyncio.get_running_loop()

    def hold() -> None:
        asyncio.run_coroutine_threadsafe(host.process.recall_gate.hold(), loop).result()

    when_asked(question, monkeypatch, hold)


def threads_that_open(monkeypatch: Any) -> list[threading.Thread]:
    """Return a list that gets the thread of every file that is opened from now on."""
    threads: list[threading.Thread] = []

    def note(call: Any) -> Any:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            threads.append(threading.current_thread())
            return call(*args, **kwargs)

        return wrapper

    for module, name in ((builtins, "open"), (io, "open"), (os, "open")):
        monkeypatch.setattr(module, name, note(getattr(module, name)))
    return threads


def write_page(host: FakeHost, text: str = PAGE, name: str = "error_prevention.md") -> Path:
    """Put a knowledge file in place by hand."""
    path = host.root / "usr" / "context" / "memory" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def wipe(host: FakeHost) -> None:
    """Lose the index, as a hash that does not match does (contract, section 4)."""
    for name in ("index.faiss", "index.pkl", "index.faiss.sha256"):
        (host.memory_folder() / name).unlink(missing_ok=True)


async def ask_tool(host: FakeHost, said: str = "And?", before: int = 0, **arguments: Any) -> str:
    """Let the model use the tool in a turn, after so many subordinates; return what the history holds as its answer."""
    calls = [("call_subordinate", {"message": "Do it."}, "done")] * before
    await host.turn(said, tool_calls=[*calls, (TOOL, arguments)])
    results = [one["content"] for one in host.agent.history.output() if TOOL in str(one["content"])]
    return str(next(one["tool_result"] for one in reversed(results) if isinstance(one, dict)))


def role(role_id: str, *domains: str) -> dict[str, Any]:
    """Return an organization's role that handles `domains`."""
    return {"role_id": role_id, "capabilities": {"bst_domains": list(domains)}}


async def open_desk(host: FakeHost) -> Desk:
    """Return a store in which acts are drawn, over the folder of the chat."""
    ids = [await host.insert(text, area="main") for text in TEXTS]
    await settle(host)
    folder = importlib.import_module(f"{PACK}.host.session").open_folder("default")
    adopt = importlib.import_module(f"{PACK}.host.page.acting").adopt
    desk = Desk(folder.store, PACK, ids, lambda: adopt(folder), lambda: host.machine.clock.advance(seconds=1))
    desk.build()
    return desk
