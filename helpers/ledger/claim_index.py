"""An index of memories by what they claim: it finds those that speak of the same thing, in whatever words.

It is built from the texts of the memories in use at every start, and not stored. The keys of a claim say what another
one must share to contradict it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_

from ..claims import Claim
from ..claims.comparison.keys import (
    ELLIPTICAL,
    Asked,
    asked_keys,
    ended_bits,
    ended_keys,
    entered_keys,
    is_ending,
    is_saying,
    may_be_one,
    narrow_bits,
    same_mark,
    saying_bits,
)

# Of the memories with one key at most so many are compared, the newest: there should be one in use.
_MOST_CANDIDATES = 50
# Of those that only share a name, at most so many.
_MOST_NAMED = 10
# At most so many memories are looked at to pass over those that say the very same.
_MOST_LOOKED_AT = 500

#: The keys of a memory (hashes), its `same_mark`s, and the words that it says and that it ends, as bits.
_Entry = tuple[tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]


class ClaimIndex:
    """The memories in use by what they claim; adding, removing and asking take time linear in the claims given."""

    def __init__(self) -> None:
        self._holders: dict[int, dict[str, int]] = {}  # by key, each with its `narrow_bits`
        self._entries: dict[str, _Entry] = {}

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
        sayings = reduce(or_, map(saying_bits, filter(is_saying, claims)), 0)
        self._entries[memory_id] = (tuple(keys), marks, sayings, _all_ended(claims))

    def remove(self, memory_id: str) -> None:
        """Leave a memory out; one that is not there makes no difference."""
        if memory_id not in self._entries:
            return
        for key in self._entries.pop(memory_id)[0]:
            holders = self._holders[key]
            del holders[memory_id]
            if not holders:
                del self._holders[key]

    def candidates(self, claims: Sequence[Claim]) -> list[str]:
        """Return the memories that some of `claims` may contradict, newest first for each claim, none twice."""
        holders: dict[str, None] = {}
        for asked in _asked(claims):
            for key in asked.keys[:1] if asked.parts == "all" else asked.keys:
                if key in self._holders:
                    holders.update(dict.fromkeys(islice(self._others(asked, key), _MOST_CANDIDATES)))
        for claim in filter(is_ending, claims):
            holders.update(dict.fromkeys(self._named(claim)))
        return self.contradictable(holders, claims) if holders else []

    def _named(self, ending: Claim) -> Iterator[str]:
        """Yield the newest memories under the rarest word that `ending` ends, and under its rarest subject."""
        for keys in ended_keys(ending):
            holders: list[dict[str, int]] = [self._holders[key] for key in keys if key in self._holders]
            if holders:
                rarest: dict[str, int] = min(holders, key=len)
                yield from islice(reversed(rarest), _MOST_NAMED)

    def _others(self, asked: Asked, key: int) -> Iterator[str]:
        """Yield the memories under `key` that may say something else, newest first."""
        newest = islice(reversed(self._holders[key]), _MOST_LOOKED_AT)
        return (memory_id for memory_id in newest if self._is_asked(asked, *self._entries[memory_id][:2]))

    @staticmethod
    def _is_asked(asked: Asked, keys: tuple[int, ...], marks: tuple[int, ...]) -> bool:
        return asked.same not in marks and (asked.parts != "all" or set(keys).issuperset(asked.keys))

    def contradictable(self, memory_ids: Iterable[str], claims: Sequence[Claim]) -> list[str]:
        """Return those of some memories that may contradict `claims`, or be contradicted; a memory not entered may.

        An ending is compared with the words of the other text. A correction that names no subject may mean anything.
        """
        if any(claim.elliptical for claim in claims):
            return list(memory_ids)
        asked = _asked(claim for claim in claims if not is_saying(claim))
        sayings = [saying_bits(claim) for claim in claims if is_saying(claim)]
        ended = _all_ended(claims)
        return [memory_id for memory_id in memory_ids if self._may_meet(memory_id, asked, sayings, ended)]

    def _may_meet(self, memory_id: str, asked: Iterable[Asked], sayings: Sequence[int], ended: Sequence[int]) -> bool:
        """Whether a memory says what is `ended`, ends one of the `sayings`, or has one of the keys `asked` for."""
        if memory_id not in self._entries:
            return True
        keys, marks, own_said, own_ended = self._entries[memory_id]
        if ELLIPTICAL in keys or any(words & own_said == words for words in ended):
            return True
        if any(words & clause == words for words in own_ended for clause in sayings):
            return True
        own_keys = frozenset(keys)
        held = (question for question in asked if not own_keys.isdisjoint(question.keys))
        return any(
            self._is_asked(question, keys, marks)
            and (question.parts or may_be_one(question.narrow, self._holders[question.keys[0]][memory_id]))
            for question in held
        )


def _asked(claims: Iterable[Claim]) -> dict[Asked, None]:
    return dict.fromkeys(asked for claim in claims for asked in asked_keys(claim))


def _all_ended(claims: Iterable[Claim]) -> tuple[int, ...]:
    return tuple(map(ended_bits, filter(is_ending, claims)))
