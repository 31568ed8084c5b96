"""T-02, T-65: the host's own recall and ours share what they have embedded, in every generation."""

import asyncio
import importlib
from collections import Counter
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import configure_pack, remember, settle, when_asked
from langchain_core.embeddings import Embeddings

_PATIENCE_SECONDS = 30.0  # passes only where the test fails

CAT = "The cat sleeps on the printer"
VARIANTS = ["where does the cat sleep", "cat sleep", "pets where does the cat sleep"]


async def remembered(host: FakeHost) -> Any:
    """Return the query vectors of the chat's folder, with the code that the host has loaded at present."""
    module = importlib.import_module("usr.plugins.memory_ledger.helpers.store.query_vectors")
    return module.remember_queries((await host.memory()).db)


def queries_since(host: FakeHost, count: int) -> Counter[str]:
    """Return how often each text was embedded as a query."""
    return Counter(text for call in host.embedder.calls[count:] if call.kind == "query" for text in call.texts)


async def test_a_wrapped_recall_of_the_hosts_costs_one_embedding(host: FakeHost) -> None:
    """T-02, T-65, E-79: its two searches ask for the same long text, and ours for the message and its keywords."""
    configure_pack(host, recall_mode="wrap")
    await remember(host, f"{CAT}.", CAT)
    asked = len(host.embedder.calls)
    record = await host.turn("The cat sleeps on the what")
    assert CAT in record.prompt.memories
    (ours, theirs) = sorted(host.embedder.calls[asked:], key=lambda call: "user_message" in call.texts[0])
    assert theirs.kind == "query" and "user_message" in theirs.texts[0]
    assert ours.texts == ("The cat sleeps on the what", "cat sleeps")


async def test_ours_is_embedded_while_a_wrapped_recall_of_the_hosts_runs(
    host: FakeHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-02: neither goes on before the other one has begun, so a chat waits for the longer of the two."""
    configure_pack(host, recall_mode="wrap")
    await remember(host, f"{CAT}.", CAT)
    both = Barrier(2)
    embed_query, question = HashingEmbedder.embed_query, "The cat sleeps on the what"

    def embed(self: HashingEmbedder, text: str) -> list[float]:
        if "user_message" in text:
            both.wait(_PATIENCE_SECONDS)
        return embed_query(self, text)

    monkeypatch.setattr(HashingEmbedder, "embed_query", embed)
    when_asked(question, monkeypatch, lambda: both.wait(_PATIENCE_SECONDS) and None)
    assert CAT in (await host.turn(question)).prompt.memories
    assert not both.broken


async def test_an_embedder_that_fails_is_reported_once(host: FakeHost, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-74, T-02: what was embedded ahead and fails is reported by the recall alone, once; no task is left."""
    configure_pack(host, recall_mode="wrap")
    await remember(host, f"{CAT}.", CAT)

    def fail() -> None:
        raise RuntimeError("no embedder")

    when_asked("The cat sleeps on the what", monkeypatch, fail)
    assert CAT in (await host.turn("The cat sleeps on the what")).prompt.memories
    host.expected_warnings = 1
    await host.settle()
    assert not [one for one in asyncio.all_tasks() if "_embed_ahead" in repr(one.get_coro())]


async def test_a_text_that_a_model_wrote_is_embedded_once_for_both(host: FakeHost) -> None:
    """T-02, T-65: both recalls ask the query of the host's model; ours adds its keywords, and what the user wrote."""
    host.configure(memory_recall_query_prep=True)
    await remember(host, f"{CAT}.", CAT)
    asked = len(host.embedder.calls)
    assert CAT in (await host.turn("And where was that?", query="The cat sleeps on the what")).prompt.memories
    theirs, ours = host.embedder.calls[asked:]
    assert (theirs.texts, ours.texts) == (("The cat sleeps on the what",), ("cat sleeps", "And where was that?"))


@pytest.mark.parametrize("is_delayed", [False, True])
async def test_a_replaced_recall_of_the_hosts_costs_none(host: FakeHost, is_delayed: bool) -> None:
    """T-02, E-79: where its plain search is replaced, one call for all variants of ours is all, for two recalls."""
    await remember(host, f"{CAT}.", CAT)
    host.configure(memory_recall_delayed=is_delayed)
    asked = len(host.embedder.calls)
    record = await host.turn("The cat sleeps on the what", iterations=5)
    await host.settle()
    assert [CAT in record.prompts[one].memories for one in (is_delayed, 3 + is_delayed)] == [True, True]
    assert [call.texts for call in host.embedder.calls[asked:]] == [("The cat sleeps on the what", "cat sleeps")]


async def test_what_ours_has_embedded_the_host_does_not(host: FakeHost) -> None:
    """T-65: all variants in one call, kept out of the host's cache of documents, and known to its own searches."""
    await remember(host, f"{CAT}.", CAT)
    queries = await remembered(host)
    memory, asked = await host.memory(), len(host.embedder.calls)
    stored = set(host.machine.document_vectors[host.embedder.name])
    matrix = await queries.embed(VARIANTS)
    assert [call.texts for call in host.embedder.calls[asked:]] == [tuple(VARIANTS)]
    assert np.array_equal(matrix, np.array([host.embedder.vector(text) for text in VARIANTS], dtype=np.float32))
    assert set(host.machine.document_vectors[host.embedder.name]) == stored == {CAT}
    found = await memory.search_similarity_threshold(VARIANTS[0], 5, 0.5)
    assert [one.page_content for one in found] == [CAT]
    if host.machine.traits.recall_returns_result:
        assert await memory.embed_query(VARIANTS[0]) == host.embedder.vector(VARIANTS[0])
    assert len(host.embedder.calls) == asked + 1


async def test_the_host_stores_and_loads_as_ever(host: FakeHost) -> None:
    """T-02: documents go through the host's cache, nothing of ours enters its files, and the store comes back."""
    queries = await remembered(host)
    await queries.embed(VARIANTS)
    await remember(host, f"{CAT}.", CAT)
    assert isinstance((await host.memory()).db.embedding_function, Embeddings)
    assert CAT in host.machine.document_vectors[host.embedder.name]
    for path in host.memory_folder().glob("index.*"):
        assert b"_memory_ledger" not in path.read_bytes()
    await settle(host)
    await host.restart()
    record = await host.turn("The cat sleeps on the what")
    assert CAT in record.prompt.memories
    assert await remembered(host) is not queries


async def test_another_embedding_model_starts_anew(host: FakeHost) -> None:
    """design.md: when the embedding model changes, remembered query vectors are made anew."""
    await remember(host, f"{CAT}.", CAT)
    await settle(host)
    assert (await (await remembered(host)).embed(VARIANTS)).shape == (3, 256)
    await host.change_embedder(HashingEmbedder(128))
    assert (await (await remembered(host)).embed(VARIANTS)).shape == (3, 128)


async def test_reloaded_plugin_code_goes_on(host: FakeHost) -> None:
    """Contract, section 1: after a purge the same store is used by new module objects."""
    configure_pack(host, recall_mode="wrap")
    await remember(host, f"{CAT}.", CAT)
    older = await remembered(host)
    embedder = (await host.memory()).db.embedding_function
    host.purge_plugins()
    newer = await remembered(host)
    assert type(newer) is not type(older)
    wrapped = (await host.memory()).db.embedding_function
    assert wrapped is not embedder
    assert vars(wrapped)["_memory_ledger_wrapped"] is vars(embedder)["_memory_ledger_wrapped"]
    asked = len(host.embedder.calls)
    assert CAT in (await host.turn("The cat sleeps on the what")).prompt.memories
    assert set(queries_since(host, asked).values()) == {1}
