"""Query vectors: embedded together, remembered, and no different from those that the host would get (T-02, T-65)."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fake_host import CachedEmbedder, LiteLLMEmbeddingWrapper
from langchain_core.embeddings import Embeddings
from memory_ledger.errors import EmbeddingError
from memory_ledger.store.query_vectors import REMEMBERED_QUERIES, QueryVectors, remember_queries

VARIANTS = ["where do I live?", "live", "home where do I live?"]


class CountingEmbedder(Embeddings):
    """Writes down every call, and its thread; `on_call` may fail, wait, or answer in the place of the vectors."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.threads: list[threading.Thread] = []
        self.on_call: Callable[[list[str]], Any] = lambda texts: None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        self.threads.append(threading.current_thread())
        answer = self.on_call(list(texts))
        return [vector_of(text) for text in texts] if answer is None else answer

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class InstructedEmbedder(CountingEmbedder):
    """A model that puts an instruction before what is asked."""

    def embed_query(self, text: str) -> list[float]:
        return super().embed_query(f"query: {text}")


class InstructedWrapper(LiteLLMEmbeddingWrapper):
    """What a user may make of the host's class, under the host's own name for it."""

    __module__ = "models"
    __qualname__ = "LiteLLMEmbeddingWrapper"

    def embed_query(self, text: str) -> list[float]:
        return super().embed_query(f"query: {text}")


def vector_of(text: str) -> list[float]:
    """Return numbers that a float32 cannot hold, other ones for every text."""
    return [0.1 + len(text), sum(map(ord, text)) / 7.0, -1e-9]


def as_host(embedder: Embeddings) -> CachedEmbedder:
    """Put the host's wrapper and its cache of documents around a model."""
    return CachedEmbedder(LiteLLMEmbeddingWrapper(embedder), {})


@pytest.fixture
def model() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def queries(model: CountingEmbedder) -> QueryVectors:
    return QueryVectors(as_host(model))


async def test_only_what_is_new_is_embedded(model: CountingEmbedder, queries: QueryVectors) -> None:
    """T-65: nothing is embedded twice, whoever asked before; other white space is another text."""
    await queries.embed(["b"])
    assert queries.embed_query("c") == vector_of("c")
    matrix = await queries.embed(["a", "b", "c", "b ", "a"])
    assert model.calls == [["b"], ["c"], ["a", "b "]]
    assert (matrix == np.array([vector_of(text) for text in ["a", "b", "c", "b ", "a"]], dtype=np.float32)).all()
    assert queries.embed_query("b ") == vector_of("b ")
    assert len(model.calls) == 3


async def test_what_was_not_asked_for_longest_is_forgotten(model: CountingEmbedder) -> None:
    queries = QueryVectors(as_host(model), limit=3)
    for text in ("a", "b", "c", "a", "d"):
        queries.embed_query(text)
    assert model.calls == [["a"], ["b"], ["c"], ["d"]]
    await queries.embed(["a", "c", "d"])
    assert len(model.calls) == 4
    await queries.embed(["b"])
    assert model.calls[4:] == [["b"]]


async def test_more_texts_than_are_remembered_are_all_answered(model: CountingEmbedder, queries: QueryVectors) -> None:
    """T-65: the bound is on what is kept, not on what can be asked."""
    texts = [f"question {number}" for number in range(REMEMBERED_QUERIES + 1)]
    assert (await queries.embed(texts)).shape == (REMEMBERED_QUERIES + 1, 3)
    await queries.embed(texts[1:])
    assert model.calls == [texts]
    await queries.embed(texts[:1])
    assert model.calls == [texts, texts[:1]]


async def test_the_cache_of_documents_does_not_grow(model: CountingEmbedder) -> None:
    """Trap 25: a query is no document."""
    store: dict[str, list[float]] = {}
    await QueryVectors(CachedEmbedder(LiteLLMEmbeddingWrapper(model), store)).embed(VARIANTS)
    assert store == {}


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize("make", [InstructedEmbedder, lambda: InstructedWrapper(CountingEmbedder())])
async def test_an_unknown_embedder_is_asked_one_by_one(make: Callable[[], Embeddings], is_cached: bool) -> None:
    embedder = make()
    queries = QueryVectors(CachedEmbedder(embedder, {}) if is_cached else embedder)
    matrix = await queries.embed(VARIANTS)
    expected = [vector_of(f"query: {text}") for text in VARIANTS]
    assert (matrix == np.array(expected, dtype=np.float32)).all()
    assert [embedder.embed_query(text) for text in VARIANTS] == expected


@pytest.mark.parametrize("name", ["LiteLLMEmbeddingWrapper", "LocalSentenceTransformerWrapper"])
@pytest.mark.parametrize("is_inherited", [False, True])
async def test_the_hosts_own_wrappers_take_a_batch(model: CountingEmbedder, name: str, is_inherited: bool) -> None:
    """Contract, section 4: the two that the host makes, in every release, and what only adds to them."""
    methods = ("__module__", "__init__", "embed_documents", "embed_query")
    wrapper: Any = type(name, (Embeddings,), {key: vars(LiteLLMEmbeddingWrapper)[key] for key in methods})
    if is_inherited:
        wrapper = type("LoggingWrapper", (wrapper,), {"__module__": "usr.plugins.another"})
    await QueryVectors(CachedEmbedder(wrapper(model), {})).embed(VARIANTS)
    assert model.calls == [VARIANTS]


async def test_nothing_is_half_remembered(model: CountingEmbedder, queries: QueryVectors) -> None:
    error = OSError("no model")

    def fail(texts: list[str]) -> None:
        raise error

    await queries.embed(["a"])
    model.on_call = fail
    with pytest.raises(OSError, match="no model") as raised:
        await queries.embed(["a", "b", "c"])
    assert raised.value is error
    model.on_call = lambda texts: None
    await queries.embed(["a", "b", "c"])
    assert model.calls == [["a"], ["b", "c"], ["b", "c"]]


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ([[1.0, 2.0]], r"numbers of shape \(1, 2\)"),
        ([[1.0], [2.0], [3.0]], r"numbers of shape \(3, 1\)"),
        ([[], []], r"numbers of shape \(2, 0\)"),
        ([1.0, 2.0], r"numbers of shape \(2,\)"),
        ([[1.0, 2.0], [3.0]], "inhomogeneous"),
        ([[1.0, 2.0], [float("nan"), 1.0]], "numbers that are not finite"),
        ([[1.0, 2.0], [float("inf"), 1.0]], "numbers that are not finite"),
        ([[1.0, 2.0], [1e39, 1.0]], "numbers that are not finite"),
        ([[1.0, 2.0], [None, 1.0]], "numbers that are not finite"),
        ([["one", "two"], ["three", "four"]], "could not convert"),
        ([[1, 2], [10**400, 1]], "too large"),
        ({"error": "rate limit"}, "rate limit"),
    ],
)
async def test_what_is_no_vector_is_named(
    model: CountingEmbedder, queries: QueryVectors, answer: Any, found: str
) -> None:
    """A search with it would find anything; the message says where, what was found, what is allowed."""
    model.on_call = lambda texts: answer
    with pytest.raises(EmbeddingError, match=found) as raised:
        await queries.embed(["a", "b"])
    assert str(raised.value).startswith("LiteLLMEmbeddingWrapper returned ")
    assert str(raised.value).endswith(" for 2 queries; allowed: one vector of finite numbers for each")
    model.on_call = lambda texts: None
    await queries.embed(["a", "b"])
    assert len(model.calls) == 2


async def test_the_host_gets_what_its_embedder_gives(model: CountingEmbedder, queries: QueryVectors) -> None:
    first = queries.embed_query("a")
    first.append(1.0)
    assert queries.embed_query("a") == vector_of("a")
    assert all(type(number) is float for number in queries.embed_query("a"))
    model.on_call = lambda texts: [[float("inf")]]
    assert queries.embed_query("b") == [float("inf")]
    model.on_call = lambda texts: None
    assert queries.embed_query("b") == vector_of("b")


async def test_the_event_loop_is_left_alone(model: CountingEmbedder, queries: QueryVectors) -> None:
    """Contract, section 4: one loop serves all chats."""
    await queries.embed(VARIANTS)
    await queries.embed(["another"])
    assert len(model.threads) == 2
    assert threading.current_thread() not in model.threads


def give_embedder(box: Any, embedder: Embeddings) -> Any:
    """Let a folder's index have an embedder like the host's; return the index."""
    box.memory.db.embedding_function = embedder
    return box.memory.db


async def test_the_hosts_searches_share_the_memory(box: Any) -> None:
    """T-02, T-65: what either has embedded is not embedded again, and finds the same."""
    db = give_embedder(box, as_host(box.embedder))
    box.insert("the user lives in Lisbon")
    box.insert("the port is 8443")
    expected = db.similarity_search_with_score("which port is it", k=2)
    queries, embedder = remember_queries(db), db.embedding_function
    assert remember_queries(db) is queries and db.embedding_function is embedder
    asked = len(box.embedder.calls)
    assert db.similarity_search_with_score("which port is it", k=2) == expected
    assert await db.asimilarity_search_with_score("which port is it", k=2) == expected
    await queries.embed(["which port is it", "port"])
    assert db.similarity_search("port", k=1)[0].page_content == "the port is 8443"
    assert [call.texts for call in box.embedder.calls[asked:]] == [("which port is it",), ("port",)]
