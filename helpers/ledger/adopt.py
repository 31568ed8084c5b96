"""The treatment of metadata that a memory brings along: from another writer, or from another memory folder."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from ..clock import EPOCH, parse_time
from ..door import LONGEST_ID
from ..errors import Problem, shorten
from ..records import (
    LEDGER_KEYS,
    Classification,
    Lineage,
    Memory,
    parse_memory,
)
from ..texts import normalize_text
from .lifecycle import is_classified, status_of, to_metadata, without_future

KEY_BYTES = 32
FORMAT = "memory-ledger/1"
#: Stands in the journal for "a person brought it here", and "took it away".
IMPORT_ACTION, MOVE_ACTION = "import", "move"
_LEADS_TO = " -> "
#: The fields of a lineage that point to several memories, and to one.
_MANY, _ONE = ("supersedes_ids", "related_memory_ids"), ("supersedes", "superseded_by")
IsThere = Callable[[str], bool]


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
    """The usable part of the status that came with a memory."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of an archive: where its memories come from, when, and how many recalls that folder had seen."""

    folder: str
    exported_at: datetime
    memories: int
    recall_cycle: int = 0

    def to_row(self) -> dict[str, Any]:
        """Return what is written."""
        return {"format": FORMAT, **asdict(self), "exported_at": self.exported_at.isoformat()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """One memory as its folder held it; `history` are lines of the journal, `conflicts` those that it takes part in.

    `line` is that of the archive, from 1, where it is read from one.
    """

    id: str
    text: str
    metadata: Mapping[str, Any]
    history: tuple[Mapping[str, Any], ...] = ()
    conflicts: tuple[Mapping[str, Any], ...] = ()
    line: int = 0

    def to_row(self) -> dict[str, Any]:
        """Return what is written; the ledger's keys come first in the metadata."""
        metadata = self.metadata
        return {
            "id": self.id,
            "text": self.text,
            "area": metadata.get("area"),
            "timestamp": metadata.get("timestamp"),
            "metadata": {key: metadata[key] for key in LEDGER_KEYS if key in metadata} | {**metadata},
            "history": list(self.history),
            "conflicts": list(self.conflicts),
        }


def parse_header(row: Mapping[str, Any]) -> Header | Problem:
    """Return the header that `row` holds; a problem for any other row, and for another version."""
    count, cycle = _count(row.get("memories")), _count(row.get("recall_cycle", 0))
    at = parse_time(row.get("exported_at"))
    if row.get("format") != FORMAT:
        return Problem(where="format", found=shorten(row.get("format")), allowed=FORMAT)
    if at is None or count is None or cycle is None:
        return Problem(where="the header", found=shorten(dict(row)), allowed="folder, exported_at, memories")
    return Header(folder=str(row.get("folder", "")), exported_at=at, memories=count, recall_cycle=cycle)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def parse_archived(row: Mapping[str, Any], line: int = 0) -> Archived | Problem:
    """Return the memory that `row` holds, or a problem; what its metadata lacks may stand beside it in the row."""
    memory_id, text, metadata = row.get("id"), row.get("text"), row.get("metadata", {})
    if not (isinstance(memory_id, str) and memory_id.strip() and len(memory_id) <= LONGEST_ID):
        allowed = f"a text that names one memory, of at most {LONGEST_ID} characters"
        return Problem(where="id", found=shorten(memory_id), allowed=allowed)
    if not isinstance(text, str) or not text.strip():
        return Problem(where=f"memory {memory_id}: text", found=shorten(text), allowed="a text that says something")
    if not isinstance(metadata, Mapping):
        return Problem(where=f"memory {memory_id}: metadata", found=shorten(metadata), allowed="an object")
    beside = {key: row[key] for key in ("area", "timestamp") if row.get(key) is not None}
    return Archived(
        id=memory_id,
        text=text,
        metadata=beside | {**metadata},
        history=_objects(row.get("history")),
        conflicts=_objects(row.get("conflicts")),
        line=line,
    )


def _objects(value: object) -> tuple[Mapping[str, Any], ...]:
    return tuple(entry for entry in value if isinstance(entry, Mapping)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivalPlan:
    """The plan for the memories of an archive; `dropped` are pointers that would lead out of the folder, by id."""

    coming: tuple[Archived, ...]
    present: tuple[str, ...]
    refused: tuple[Problem, ...]
    dropped: Mapping[str, tuple[str, ...]]


def plan_arrival(memories: Iterable[Archived], held: Mapping[str, str]) -> ArrivalPlan:
    """Return what becomes of `memories` in a folder that has the texts `held` by id; of two with one id the first."""
    coming: dict[str, Archived] = {}
    present: dict[str, None] = {}
    refused: list[Problem] = []
    for memory in memories:
        text = coming[memory.id].text if memory.id in coming else held.get(memory.id)
        if text is None:
            coming[memory.id] = memory
        elif is_same_text(text, memory.text):
            present.update({memory.id: None} if memory.id in held else {})
        else:
            refused.append(taken(memory, text))
    dropped: dict[str, tuple[str, ...]] = {}
    for archived in coming.values():
        arriving = parse_memory(archived.id, archived.text, archived.metadata, inserted_at=EPOCH)[0]
        if pointers := keep_pointers(arriving, lambda target: target in coming or target in held)[1]:
            dropped[archived.id] = pointers
    return ArrivalPlan(
        coming=tuple(coming.values()),
        present=tuple(present),
        refused=tuple(refused),
        dropped=dropped,
    )


def is_same_text(text: str, other: str) -> bool:
    """Whether two texts are the same but for white space and Unicode composition."""
    return fingerprint(text) == fingerprint(other)


def taken(archived: Archived, text: str) -> Problem:
    """Return the problem that the id of a memory belongs to another text."""
    where = f"line {archived.line}: memory {archived.id}" if archived.line else f"memory {archived.id}"
    return Problem(where=where, found=f"taken by {shorten(text, 60)}", allowed="an id that is free")


def settle_in(
    archived: Archived, *, key: bytes, is_there: IsThere, cycles: int, inserted_at: datetime
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the metadata that `archived` gets in a folder whose seal key is `key`, and the pointers left out.

    `cycles` more recalls were counted there than in the folder that it comes from. A status that cannot be read is
    left out, and so derived anew.
    """
    memory, _ = parse_memory(archived.id, archived.text, archived.metadata, inserted_at=inserted_at)
    metadata = {name: value for name, value in archived.metadata.items() if name not in LEDGER_KEYS}
    metadata["id"] = archived.id
    if not is_classified(memory):
        return metadata, ()
    memory, dropped = keep_pointers(memory, is_there)
    axes, lineage = status_of(memory)
    moved = {name: max(0, cycle + cycles) for name, cycle in _cycles_of(lineage).items()}
    lineage = without_future(lineage.model_copy(update=moved), inserted_at)
    lineage = sealed(key, memory.id, memory.text, axes, lineage)
    return {**metadata, **to_metadata(axes, lineage, memory.quality)}, dropped


def keep_pointers(memory: Memory, is_there: IsThere) -> tuple[Memory, tuple[str, ...]]:
    """Return `memory` with only those pointers whose target `is_there`, and the dropped ones as `field -> id`."""
    dropped: list[str] = []

    def within(name: str, ids: Iterable[str | None]) -> tuple[str, ...]:
        named = [memory_id for memory_id in ids if memory_id]
        dropped.extend(f"{name}{_LEADS_TO}{memory_id}" for memory_id in named if not is_there(memory_id))
        return tuple(memory_id for memory_id in named if is_there(memory_id))

    lineage, quality = memory.lineage, memory.quality
    if lineage is not None:
        kept: dict[str, Any] = {name: within(name, getattr(lineage, name)) for name in _MANY}
        kept |= {name: next(iter(within(name, [getattr(lineage, name)])), None) for name in _ONE}
        if lineage.supersedes is not None and kept["supersedes"] is None:
            kept["supersedes"] = next(reversed(kept["supersedes_ids"]), None)
        lineage = lineage.model_copy(update=kept)
    if quality is not None:
        targets = within("relationships", [link.target for link in quality.relationships])
        links = tuple(link for link in quality.relationships if link.target in targets)
        cited_by = within("citedBy", quality.cited_by)
        quality = quality.model_copy(update={"relationships": links, "cited_by": cited_by})
    return (replace(memory, lineage=lineage, quality=quality) if dropped else memory), tuple(dropped)


def pointers_of(memory: Memory) -> set[str]:
    """Return the ids that a memory points to."""
    _, dropped = keep_pointers(memory, lambda _: False)
    return {pointer.partition(_LEADS_TO)[2] for pointer in dropped}


def latest_cycle(memories: list[Memory]) -> int:
    """Return the latest recall cycle that any of `memories` names."""
    lineages = [memory.lineage for memory in memories if memory.lineage is not None]
    return max((cycle for lineage in lineages for cycle in _cycles_of(lineage).values()), default=0)


def _cycles_of(lineage: Lineage) -> dict[str, int]:
    """Return the fields of a lineage that name a recall cycle, with their values."""
    cycles = ((name, getattr(lineage, name)) for name in Lineage.model_fields if name.endswith("_cycle"))
    return {name: cycle for name, cycle in cycles if isinstance(cycle, int)}
