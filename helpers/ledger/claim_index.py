"""Which memories speak of the same thing: found by subject and slot, however far apart the wordings (C-37, C-39).

Derived from the texts of what is in use, and rebuilt at every start; nothing is stored. The keys of a claim say what
another one must share to contradict it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ..claims import (
    ELLIPTICAL,
    ENDING,
    Asked,
    Claim,
    asked_keys,
    entered_keys,
    is_ending,
    is_saying,
    said_keys,
    same_mark,
)

# Of more memories with one key only the newest are compared: in use there should be one.
_MOST_CANDIDATES = 50
# Of those that only share a name, the newest so many.
_MOST_NAMED = 10
# Memories that say the very same are passed over, so many at most.
_MOST_LOOKED_AT = 500


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
        keys: dict[int, None] = {}
        marks: dict[int, None] = {}
        for claim in claims:
            keys.update(dict.fromkeys(entered_keys(claim)))
            mark = same_mark(claim)
            if mark is not None:
                marks[mark] = None
        for key in keys:
            self._holders.setdefault(key, {})[memory_id] = None
        self._keys[memory_id] = (*keys, *marks)

    def remove(self, memory_id: str) -> None:
        """Leave a memory out; one that is not there makes no difference."""
        for key in self._keys.pop(memory_id, ()):
            holders = self._holders.get(key)
            if holders is not None:
                holders.pop(memory_id, None)
                if not holders:
                    del self._holders[key]

    def candidates(self, claims: Sequence[Claim]) -> list[str]:
        """Return the memories that some of `claims` may contradict, newest first for each claim, none twice."""
        found: dict[str, None] = {}
        for asked in _asked(claims):
            found.update(dict.fromkeys(islice(self._others(asked), _MOST_CANDIDATES)))
        for claim in filter(is_ending, claims):
            found.update(dict.fromkeys(self._named(claim)))
        return list(found)

    def _named(self, ending: Claim) -> Iterator[str]:
        """What may say what an ending ends: the newest under its rarest word, and under its rarest subject."""
        for keys in said_keys(ending):
            holders: list[dict[str, None]] = [self._holders[key] for key in keys if key in self._holders]
            if holders:
                rarest: dict[str, None] = min(holders, key=len)
                yield from islice(reversed(rarest), _MOST_NAMED)

    def _others(self, asked: Asked) -> Iterator[str]:
        newest = islice(reversed(self._holders.get(asked.key, {})), _MOST_LOOKED_AT)
        return (one for one in newest if asked.same not in self._keys[one])

    def may_contradict(self, memory_id: str, claims: Sequence[Claim]) -> bool:
        """Whether a memory may contradict `claims`, or they it; one that has not been entered may."""
        known = self._keys.get(memory_id)
        if known is None or ELLIPTICAL in known or any(claim.elliptical for claim in claims):
            return True
        if any(map(is_ending, claims)) or (ENDING in known and any(map(is_saying, claims))):
            return True
        return any(asked.key in known and asked.same not in known for asked in _asked(claims))


def _asked(claims: Sequence[Claim]) -> dict[Asked, None]:
    return dict.fromkeys(asked for claim in claims for asked in asked_keys(claim))
