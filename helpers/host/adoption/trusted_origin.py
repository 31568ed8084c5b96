"""What the quality interface says about a memory that it inserts, so that the adopter believes it (T-03, T-69).

It lies in the lineage that the memory comes with, under a keyed digest of its text: a model cannot write one. Adoption
puts a lineage of its own in its place.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from ...ledger.adopt import Carried, fingerprint
from ...records import Memory

ORIGIN_KEY = "voucher"


@dataclass(frozen=True, slots=True)
class TrustedOrigin:
    """Somebody stands for the origin that came with a memory; with `settles`, it is compared with the others (Q-36)."""

    settles: bool = True


def mark_origin(key: bytes, text: str, *, settles: bool) -> dict[str, Any]:
    """Return what goes into the lineage of a memory with this text."""
    return {"settles": settles, "seal": _seal(key, text, settles)}


def read_trusted_origin(key: bytes, memory: Memory) -> TrustedOrigin | None:
    """Return what this pack vouched for when it inserted `memory`; None where it did not."""
    found = (memory.lineage.model_extra or {}).get(ORIGIN_KEY) if memory.lineage is not None else None
    if not isinstance(found, Mapping) or not isinstance(found.get("settles"), bool):
        return None
    is_ours = hmac.compare_digest(str(found.get("seal")).encode(), _seal(key, memory.text, found["settles"]).encode())
    return TrustedOrigin(settles=found["settles"]) if is_ours else None


def keeps_quality(carried: Carried, trusted_origin: TrustedOrigin | None, *, trusts: bool) -> bool:
    """Whether what a memory says about its own quality is worth anything: not where a model may have written it."""
    return trusts or trusted_origin is not None or carried in (Carried.OURS, Carried.HONOURED)


def _seal(key: bytes, text: str, settles: bool) -> str:
    return blake2b(f"{fingerprint(text)}\0{settles}".encode(), key=key, digest_size=12).hexdigest()
