"""T-02, T-65: the host's own recall and ours share what they have embedded."""

import importlib
from typing import Any

import numpy as np
import pytest
from fake_host import FakeHost, HashingEmbedder
from hook_tools import configure_pack, remember

CAT = "The cat sleeps on the printer"
VARIANTS = ["where does the cat sleep", "cat sleep", "pets where does the cat sleep"]


async def remembered(host: FakeHost) -> Any:
    """Return the query vectors of the chat's folder, with the code that the host has loaded at present."""
    module = importlib.import_module("usr.plugins.memory_ledger.helpers.store.query_vectors")
    return module.remember_queries((await host.memory()).db)


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
    """T-65: all variants in one call, known to the host's searches, in none of its files; another model asks anew."""
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
    for path in host.memory_folder().glob("index.*"):
        assert b"_memory_ledger" not in path.read_bytes()
    await host.change_embedder(HashingEmbedder(128))
    assert (await (await remembered(host)).embed(VARIANTS)).shape == (3, 128)
