"""What an adoption makes of the metadata that a memory already carries, by its seal, and what that changes. Pure.

A store is writable by more than this pack: a seal shows that the pack derived a status for this very text, and what
has none is derived anew (C-91, T-43, T-69). Adoption is the migration as well: it reads every spelling, and writes the
specification's own (Q-06).
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from ..clock import parse_time
from ..contents import parse_json
from ..errors import shorten
from ..records import CLASSIFICATION_KEY, LINEAGE_KEY, QUALITY_KEY, Classification, Lineage, Memory, write_record
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


class Carried(StrEnum):
    """How far the status that came with a memory can be used."""

    OURS = "ours"  # written by this pack for this very text: stays as it is
    HONOURED = "honoured"  # from before the pack, or from before its key was lost: stays, and is sealed
    COPIED = "copied"  # belonged to another text or id: derived anew
    UNTRUSTED = "untrusted"  # written by somebody else, a model perhaps: derived anew
    ABSENT = "absent"


def judge_metadata(memory: Memory, key: bytes, *, honours_unsealed: bool) -> Carried:
    """Return what the ledger metadata of `memory` is worth.

    `honours_unsealed` holds while a store is looked at for the first time, or after its key was lost: what is valid
    and names no other text is then taken over.
    """
    axes, lineage = memory.classification, memory.lineage
    if axes is None or lineage is None:
        return Carried.ABSENT
    if is_sealed(key, memory):
        return Carried.OURS
    if lineage.fingerprint is not None and lineage.fingerprint != fingerprint(memory.text):
        return Carried.COPIED
    if honours_unsealed:
        return Carried.HONOURED
    return Carried.UNTRUSTED if lineage.seal is None else Carried.COPIED


def describe_adoption(
    memory: Memory, metadata: Mapping[str, Any], key: bytes, *, honours_unsealed: bool
) -> list[str] | None:
    """Return what the next adoption changes in `memory`, a line each; None where it leaves the memory as it is.

    An empty list: only a seal is added.
    """
    match judge_metadata(memory, key, honours_unsealed=honours_unsealed):
        case Carried.OURS:
            return None
        case Carried.HONOURED:
            return [line for name, record in _records(memory) for line in _differences(name, metadata, record)]
        case Carried.ABSENT:
            return ["is classified" if CLASSIFICATION_KEY not in metadata else "is classified again: unreadable before"]
        case Carried.COPIED:
            return ["is classified again: its metadata belongs to another text"]
        case Carried.UNTRUSTED:
            return ["is classified again: somebody wrote its metadata after the pack was installed"]


def _records(memory: Memory) -> list[tuple[str, dict[str, Any]]]:
    found = ((CLASSIFICATION_KEY, memory.classification), (LINEAGE_KEY, memory.lineage), (QUALITY_KEY, memory.quality))
    return [(name, write_record(record)) for name, record in found if record is not None]


def _differences(name: str, metadata: Mapping[str, Any], written: Mapping[str, Any]) -> list[str]:
    stored = metadata.get(name)
    before = parse_json(stored) if isinstance(stored, str) else stored
    if not isinstance(before, Mapping):
        return []
    lines = ["is stored as an object, not as text"] if before is not stored else []
    for field in (*before, *(one for one in written if one not in before)):
        old, new = before.get(field), written.get(field)
        if not _is_same(old, new):
            lines.append(f"{name}.{field} {shorten(old)} becomes {shorten(new)}")
    return lines


def _is_same(old: object, new: object) -> bool:
    """Whether two stored values say the same; nothing and an empty list do, and two spellings of one moment."""
    if old == new or (not old and not new and not isinstance(old, str)):
        return True
    return isinstance(old, str) and isinstance(new, str) and _has_offset(old) and parse_time(old) == parse_time(new)


def _has_offset(text: str) -> bool:
    return parse_time(text) is not None and datetime.fromisoformat(text.strip()).tzinfo is not None
