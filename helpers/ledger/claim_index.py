"""Which memories speak of the same thing: found by subject and slot, however far apart the wordings.

Derived from the texts of what is in use, and rebuilt at every start; nothing is stored. The keys of a claim say what
another one must share to contradict it. Pure.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_

from ..claims import (
    ELLIPTICAL,
    Asked,
    Claim,
    asked_keys,
    ended_bits,
    entered_keys,
    is_ending,
    is_saying,
    may_be_one,
    narrow_bits,
    said_keys,
    same_mark,
    told_bits,
)

# Of more memories with one key only the newest are compared: in use there should be one.
_MOST_CANDIDATES = 50
# Of those that only share a name, the newest so many.
_MOST_NAMED = 10
# Memories that say the very same are passed over, so many at most.
_MOST_LOOKED_AT = 500


#: The keys of a memory, its `same_mark`s, and the words that it says and that it ends, as bits. Bare numbers: of a
#: hundred thousand memories, nothing here keeps the collector of garbage busy. Keys are hashes, of 64 bits each.
_Entry = tuple["array[int]", tuple[int, ...], int, tuple[int, ...]]


class ClaimIndex:
    """Memories in use by what they claim. Adding, removing and asking cost as much as the claims at hand."""

    def __init__(self) -> None:
        self._holders: dict[int, dict[str, int]] = {}  # by key, each with its `narrow_bits`
        self._entries: dict[str, _Entry] = {}
        self._marked: Counter[int] = Counter()

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, memory_id: str, claims: Sequence[Claim]) -> None:
        """Enter a memory, the newest from now on; one that was there already is entered anew."""
        self.remove(memory_id)
        keys: dict[int, int] = {}
        for claim in claims:
            narrow = narrow_bits(claim)
            for key in entered_keys(claim):
                keys[key] = narrow if keys.get(key, narrow) == narrow else 0  # of several, nothing narrows all
        marks = tuple({mark for claim in claims if (mark := same_mark(claim)) is not None})
        for key, narrow in keys.items():
            self._holders.setdefault(key, {})[memory_id] = narrow
        self._marked.update(marks)
        self._entries[memory_id] = (array("q", keys), marks, _all_told(claims), _all_ended(claims))

    def remove(self, memory_id: str) -> None:
        """Leave a memory out; one that is not there makes no difference."""
        if memory_id not in self._entries:
            return
        keys, marks, *_ = self._entries.pop(memory_id)
        for key in keys:
            holders = self._holders[key]
            del holders[memory_id]
            if not holders:
                del self._holders[key]
        for mark in marks:
            self._marked[mark] -= 1
            if not self._marked[mark]:
                del self._marked[mark]

    def candidates(self, claims: Sequence[Claim]) -> list[str]:
        """Return the memories that some of `claims` may contradict, newest first for each claim, none twice."""
        found: dict[str, None] = {}
        for asked in _asked(claims):
            for key in asked.keys[:1] if asked.parts == "all" else asked.keys:
                if key in self._holders:
                    found.update(dict.fromkeys(islice(self._others(asked, key), _MOST_CANDIDATES)))
        for claim in filter(is_ending, claims):
            found.update(dict.fromkeys(self._named(claim)))
        return self.contradictable(found, claims) if found else []

    def _named(self, ending: Claim) -> Iterator[str]:
        """What may say what an ending ends: the newest under its rarest word, and under its rarest subject."""
        for keys in said_keys(ending):
            holders: list[dict[str, int]] = [self._holders[key] for key in keys if key in self._holders]
            if holders:
                rarest: dict[str, int] = min(holders, key=len)
                yield from islice(reversed(rarest), _MOST_NAMED)

    def _others(self, asked: Asked, key: int) -> Iterator[str]:
        """Who says something else: none is looked at where all that are entered say the same."""
        holders = self._holders[key]
        different = len(holders) - (self._marked[asked.same] if asked.same is not None and not asked.parts else 0)
        newest = islice(reversed(holders), _MOST_LOOKED_AT)
        return islice((one for one in newest if self._is_asked(asked, *self._entries[one][:2])), different)

    @staticmethod
    def _is_asked(asked: Asked, keys: array[int], marks: tuple[int, ...]) -> bool:
        return asked.same not in marks and (asked.parts != "all" or set(keys).issuperset(asked.keys))

    def contradictable(self, memory_ids: Iterable[str], claims: Sequence[Claim]) -> list[str]:
        """Return those of some memories that `claims` may contradict, or they them; who has not been entered may.

        What a text ends is told in the words of the other; a correction that names no subject may speak of anything.
        """
        if any(claim.elliptical for claim in claims):
            return list(memory_ids)
        asked = _asked(claim for claim in claims if not is_saying(claim))
        told = [told_bits(claim) for claim in claims if is_saying(claim)]
        ended = _all_ended(claims)
        return [memory_id for memory_id in memory_ids if self._may_meet(memory_id, asked, told, ended)]

    def _may_meet(self, memory_id: str, asked: Iterable[Asked], told: Sequence[int], ended: Sequence[int]) -> bool:
        """Whether a memory says what is `ended`, ends what is `told`, or holds what is `asked` for."""
        if memory_id not in self._entries:
            return True
        keys, marks, own_told, own_ended = self._entries[memory_id]
        return (
            ELLIPTICAL in keys
            or any(words & own_told == words for words in ended)
            or any(words & all_told == words for words in own_ended for all_told in told)
            or any(self._is_asked(one, keys, marks) and self._is_one(memory_id, one) for one in _held(asked, keys))
        )

    def _is_one(self, memory_id: str, asked: Asked) -> bool:
        return bool(asked.parts) or may_be_one(asked.narrow, self._holders[asked.keys[0]][memory_id])


def _held(asked: Iterable[Asked], keys: Iterable[int]) -> list[Asked]:
    held = frozenset(keys)
    return [one for one in asked if not held.isdisjoint(one.keys)]


def _asked(claims: Iterable[Claim]) -> dict[Asked, None]:
    return dict.fromkeys(asked for claim in claims for asked in asked_keys(claim))


def _all_told(claims: Iterable[Claim]) -> int:
    return reduce(or_, map(told_bits, filter(is_saying, claims)), 0)


def _all_ended(claims: Iterable[Claim]) -> tuple[int, ...]:
    return tuple(map(ended_bits, filter(is_ending, claims)))
