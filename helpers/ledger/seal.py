"""Fingerprints and seals: which text was classified, and whether this pack wrote the axes (T-43, T-69). Pure."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from hashlib import blake2b

from ..records import Classification, Lineage, Memory
from ..texts import normalize_text

KEY_BYTES = 32


def fingerprint(text: str) -> str:
    """Return a short digest of `text`; white space and Unicode composition make no difference."""
    return blake2b(normalize_text(text).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def make_seal(key: bytes, memory_id: str, text_fingerprint: str, axes: Classification) -> str:
    """Return the keyed digest of id, text and axes; only the holder of `key` can write it."""
    return _digest(key, memory_id, text_fingerprint, axes.validity, axes.relevance, axes.utility, axes.source)


def _digest(key: bytes, *parts: str) -> str:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), key=key, digest_size=12).hexdigest()


def sealed(key: bytes, memory_id: str, text: str, axes: Classification, lineage: Lineage) -> Lineage:
    """Return `lineage` with the fingerprint of `text` and the seal over `axes`."""
    mark = fingerprint(text)
    return lineage.model_copy(update={"fingerprint": mark, "seal": make_seal(key, memory_id, mark, axes)})


def is_sealed(key: bytes, memory: Memory) -> bool:
    """Whether this pack wrote the status that `memory` carries, for this id and this text."""
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None or lineage.seal is None:
        return False
    values = (axes.validity, axes.relevance, axes.utility, axes.source)
    return holds_seal(key, memory.id, memory.text, values, lineage.seal)


def holds_seal(key: bytes, memory_id: str, text: str, axes: Iterable[str], seal: object) -> bool:
    """Whether `seal` is over this id, this text and these values: validity, relevance, utility and source."""
    if not isinstance(seal, str):
        return False
    made = _digest(key, memory_id, fingerprint(text), *axes)
    # A text may be anybody's, and `compare_digest` takes only ASCII ones.
    return hmac.compare_digest(seal.encode("utf-8", "surrogatepass"), made.encode("ascii"))
