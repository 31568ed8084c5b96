"""Which memories speak of the same thing: found by subject and slot, however far apart the wordings (C-37, C-39).

Derived from the texts of what is in use, and rebuilt at every start; nothing is stored. A key stands for what two
claims must share to contradict each other: the slot of a subject where that holds one value at a time, else the value
too. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from ..claims import ENDS_SLOT, SAYS_SLOT, Claim, Modality, shared_keys
from ..claims.statements import STATES_SLOT

# Of more memories with one key only the newest are compared: in use there should be one.
_MOST_CANDIDATES = 50


class ClaimIndex:
    """Memories in use by what they claim. Adding, removing and asking cost as much as the claims at hand."""

    def __init__(self) -> None:
        self._holders: dict[int, dict[str, None]] = {}
        self._keys: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, memory_id: str, claims: Iterable[Claim]) -> None:
        """Enter a memory, the newest from now on; one that was there already is entered anew."""
        self.remove(memory_id)
        keys = tuple(dict.fromkeys(key for claim in claims for key in _entered(claim)))
        if keys:
            self._keys[memory_id] = keys
        for key in keys:
            self._holders.setdefault(key, {})[memory_id] = None

    def remove(self, memory_id: str) -> None:
        """Leave a memory out; one that is not there makes no difference."""
        for key in self._keys.pop(memory_id, ()):
            holders = self._holders[key]
            del holders[memory_id]
            if not holders:
                del self._holders[key]

    def candidates(self, claims: Sequence[Claim]) -> list[str]:
        """Return the memories that some of `claims` may contradict, newest first for each claim, none twice."""
        found: dict[str, None] = {}
        for claim in claims:
            for key in _asked(claim):
                found.update(dict.fromkeys(islice(reversed(self._holders.get(key, {})), _MOST_CANDIDATES)))
        return list(found)


def _entered(claim: Claim) -> tuple[int, ...]:
    """Return the hashes under which a claim is entered; a collision costs a comparison and nothing else."""
    if not _is_comparable(claim):
        return ()
    if claim.slot == STATES_SLOT:
        return (hash((claim.polarity, claim.key)),)
    if claim.slot in (SAYS_SLOT, ENDS_SLOT):
        return tuple(hash((claim.slot, word)) for word, _ in shared_keys(claim))
    keys = [hash(("slot", claim.key))]
    if not claim.single:
        keys.append(hash(("value", claim.key, claim.value.norm)))
    if _excludes(claim):
        keys.append(hash(("excluding", claim.key)))
    return tuple(keys)


def _asked(claim: Claim) -> tuple[int, ...]:
    """Return the hashes under which whatever may contradict a claim is found.

    Where a slot holds several values, only a denial, a correction or a change speaks against another value; against a
    statement as a whole only its denial does.
    """
    if not _is_comparable(claim):
        return ()
    if claim.slot == STATES_SLOT:
        return (hash((not claim.polarity, claim.key)),)
    if claim.slot in (SAYS_SLOT, ENDS_SLOT):
        other = ENDS_SLOT if claim.slot == SAYS_SLOT else SAYS_SLOT
        return tuple(hash((other, word)) for word, _ in shared_keys(claim))
    if claim.single or _excludes(claim):
        return (hash(("slot", claim.key)),)
    return (hash(("value", claim.key, claim.value.norm)), hash(("excluding", claim.key)))


def _is_comparable(claim: Claim) -> bool:
    return claim.modality is Modality.FACT and not claim.elliptical and bool(claim.subject or claim.slot)


def _excludes(claim: Claim) -> bool:
    return claim.correction or claim.change or not claim.polarity
