"""A deterministic embedder without a model, and the host's document cache around it.

Equal texts get equal vectors on every machine and in every process; texts that share words are near.
"""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from .langchain import Embeddings

_WORD = re.compile(r"\d+(?:\.\d+)+|\w+")


@dataclass(frozen=True, slots=True)
class EmbeddingCall:
    """One request to the model: `kind` is "documents" or "query"."""

    kind: str
    texts: tuple[str, ...]


class HashingEmbedder(Embeddings):
    """Signed hashing bag of words over lower-cased word tokens; "3.11" is one token.

    `unit_norm=False` returns raw counts, as many local models do (contract section 4, "Score").
    `provider` and `name` are what the host writes to embedding.json.
    """

    def __init__(
        self, dimensions: int = 256, *, provider: str = "fake", name: str = "", unit_norm: bool = True
    ) -> None:
        self.dimensions = dimensions
        self.provider = provider
        self.name = name or f"hashing-{dimensions}"
        self.unit_norm = unit_norm
        self.calls: list[EmbeddingCall] = []

    def vector(self, text: str) -> list[float]:
        """Return the vector of `text` without counting a request."""
        vector = np.zeros(self.dimensions)
        for token, count in Counter(_WORD.findall(text.lower()) or [""]).items():
            digest = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest(), "big")
            vector[(digest >> 1) % self.dimensions] += count if digest & 1 else -count
        norm = float(np.linalg.norm(vector))
        if norm == 0.0:  # opposite tokens met in one slot
            vector[0] = norm = 1.0
        return [float(x) for x in (vector / norm if self.unit_norm else vector)]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed documents; one call whatever the number of texts."""
        self.calls.append(EmbeddingCall("documents", tuple(texts)))
        return [self.vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.calls.append(EmbeddingCall("query", (text,)))
        return self.vector(text)

    def count(self, kind: str) -> int:
        return sum(call.kind == kind for call in self.calls)


class LiteLLMEmbeddingWrapper(Embeddings):
    """The host's own class around a provider's model: a query goes to it as a document of one would."""

    __module__ = "models"

    def __init__(self, embedder: Embeddings) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self._embedder.embed_query(text)


class CachedEmbedder(Embeddings):
    """The host's cache: documents are cached by text, queries never are (contract trap 25)."""

    def __init__(self, embedder: Embeddings, store: dict[str, list[float]]) -> None:
        self.underlying_embeddings = embedder
        self._store = store

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return cached vectors; ask the model once for what is missing."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._store))
        if missing:
            vectors = self.underlying_embeddings.embed_documents(missing)
            self._store.update(zip(missing, vectors, strict=True))
        return [self._store[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Ask the model, always."""
        return self.underlying_embeddings.embed_query(text)
