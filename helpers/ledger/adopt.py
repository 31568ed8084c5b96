"""What to make of the metadata that a memory already carries when the pack first meets it (C-91, T-43, T-69). Pure."""

from __future__ import annotations

from enum import StrEnum

from ..records import Memory
from .seal import fingerprint, is_sealed


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
