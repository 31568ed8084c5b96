"""The vectors of the queries to a memory folder: embedded together, and remembered.

The host keeps the vectors of documents on disk and those of queries nowhere (contract, section 4 and trap 25): the two
searches of one recall embed the same long text twice. Here the last queries of an embedder are remembered by their
exact text, whoever asked first, and what one recall has to embed anew is embedded in one call."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from ..errors import EmbeddingError, shorten
from .embedding import Asker, MiniLM

#: A recall asks about three texts, a turn's memorizing a few more; with 1536 numbers each these are less than 1 MB.
REMEMBERED_QUERIES = 64

_WRAPPED = "_memory_ledger_wrapped"
# Classes whose queries and documents go the same way to the model: the host's two, in every release, and ours.
_SYMMETRIC = frozenset(
    {
        ("models", "LiteLLMEmbeddingWrapper"),
        ("models", "LocalSentenceTransformerWrapper"),
        (MiniLM.__module__, MiniLM.__qualname__),
    }
)

_Precise = npt.NDArray[np.float64]
_Answer = TypeVar("_Answer")


class QueryVectors:
    """The vectors of the last `limit` queries of one embedder, by text; for any number of threads and event loops.

    A vector is always that of the embedder's `embed_query`. Several texts go into one call of `embed_documents` only
    where that is the same but for rounding: in the host's own wrappers and in ours, which treat queries and documents
    alike. Any other embedder may put an instruction before a query, so it embeds them one by one. The host's cache of
    documents on disk is bypassed.
    """

    def __init__(self, embedder: Any, *, limit: int = REMEMBERED_QUERIES) -> None:
        self._embedder = embedder
        self._limit = limit
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, _Precise] = OrderedDict()
        self._asker = Asker()
        #: The failure of the last question with a time limit; None once such a question was answered.
        self.failure: BaseException | None = None

    async def embed(self, texts: Sequence[str], *, seconds: float | None = None) -> npt.NDArray[np.float32]:
        """Return the vectors of `texts`, shape (m, d), in their order; (0, 0) for no text.

        Raises what the embedder raises, and EmbeddingError if it returns anything but a vector for each text, or takes
        longer than `seconds`.
        """
        return await asyncio.to_thread(self.embed_now, texts, seconds=seconds)

    def embed_now(self, texts: Sequence[str], *, seconds: float | None = None) -> npt.NDArray[np.float32]:
        """Return the same as `embed`; blocking."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        vectors = self._fetch(texts, seconds)
        return self._as_matrix([vectors[text] for text in texts], len(texts)).astype(np.float32)

    def ask(self, question: Callable[[], _Answer], seconds: float) -> _Answer:
        """Return the result of another question to this model; raises EmbeddingError after `seconds`."""
        return self._asker.ask(question, seconds)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of one text as the embedder does; blocking.

        A result that is no vector is not remembered, and returned as it is.
        """
        try:
            vector: list[float] = self._fetch([text])[text].tolist()
        except EmbeddingError:
            vector = self._embedder.embed_query(text)
        return vector

    def _fetch(self, texts: Sequence[str], seconds: float | None = None) -> dict[str, _Precise]:
        """Return the vectors by text; blocking for those that are not remembered, for up to `seconds`."""
        with self._lock:
            vectors = {text: self._vectors[text] for text in texts if text in self._vectors}
        if missing := [text for text in dict.fromkeys(texts) if text not in vectors]:
            embed = partial(self._embed, missing)
            vectors |= embed() if seconds is None else self._embed_in_time(embed, seconds)
        with self._lock:
            self._vectors |= vectors
            for text in dict.fromkeys(texts):
                self._vectors.move_to_end(text)
            while len(self._vectors) > self._limit:
                self._vectors.popitem(last=False)
        return vectors

    def _embed_in_time(self, embed: Callable[[], dict[str, _Precise]], seconds: float) -> dict[str, _Precise]:
        try:
            vectors = self.ask(embed, seconds)
        except Exception as exc:
            self.failure = exc
            raise
        self.failure = None
        return vectors

    def _embed(self, texts: list[str]) -> dict[str, _Precise]:
        return dict(zip(texts, self._as_matrix(self._ask_model(texts), len(texts)), strict=True))

    def _ask_model(self, texts: list[str]) -> Any:
        model = model_of(self._embedder)
        if len(texts) > 1 and _is_symmetric(model):
            return model.embed_documents(texts)
        return [self._embedder.embed_query(text) for text in texts]

    def _as_matrix(self, vectors: Any, count: int) -> _Precise:
        """Return the embedder's result for `count` texts as a matrix, one row each; raises EmbeddingError."""
        try:
            matrix = np.array(vectors, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as exc:
            raise self._error(f"{shorten(vectors)} ({exc})", count) from exc
        if matrix.ndim != 2 or len(matrix) != count or matrix.shape[1] == 0:
            raise self._error(f"numbers of shape {matrix.shape}", count)
        if not (np.abs(matrix) <= np.finfo(np.float32).max).all():
            raise self._error("numbers that are not finite", count)
        return matrix

    def _error(self, answer: str, count: int) -> EmbeddingError:
        model = type(model_of(self._embedder)).__name__
        return EmbeddingError(
            f"{model} returned {answer} for {count} queries; allowed: one vector of finite numbers for each"
        )


class _Remembering(Embeddings):
    """An embedder whose queries are remembered; everything else is passed on to it, off the event loop if awaited."""

    _memory_ledger_wrapped: Any = None
    _memory_ledger_queries: Any = None

    def __init__(self, embedder: Any) -> None:
        vars(self).update(_memory_ledger_wrapped=embedder, _memory_ledger_queries=QueryVectors(embedder))

    def embed_query(self, text: str) -> list[float]:
        return cast(QueryVectors, self._memory_ledger_queries).embed_query(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return cast(list[list[float]], self._memory_ledger_wrapped.embed_documents(texts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._memory_ledger_wrapped, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._memory_ledger_wrapped, name, value)


def remember_queries(db: Any) -> QueryVectors:
    """Return the query vectors of one FAISS object, which the host's own searches of it share from now on.

    A second call changes nothing. They are an attribute of the embedder of `db`: a new embedder, a store that is loaded
    anew and the new code after a reload of the plugin start without any.
    """
    embedder = db.embedding_function
    if type(embedder) is not _Remembering:
        embedder = db.embedding_function = _Remembering(vars(embedder).get(_WRAPPED, embedder))
    return cast(QueryVectors, embedder._memory_ledger_queries)


def model_of(embedder: Any) -> Any:
    """Return the model itself, without our wrapper and the host's cache of documents."""
    embedder = getattr(embedder, "__dict__", {}).get(_WRAPPED, embedder)
    return getattr(embedder, "underlying_embeddings", embedder)


def _is_symmetric(embedder: Any) -> bool:
    """Whether one class that treats queries as documents defines both methods; a subclass may override one."""
    bases = type(embedder).__mro__
    methods = ("embed_documents", "embed_query")
    definers = {next((base for base in bases if name in vars(base)), bases[0]) for name in methods}
    return len(definers) == 1 and {(definer.__module__, definer.__qualname__) for definer in definers} <= _SYMMETRIC
