"""The keys of the claim index: what two claims must share so that one can contradict the other.

A key is a hash. A correction that names no subject has none that tells what it speaks of.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal, NamedTuple
from zlib import crc32

from ..clauses.endings import ENDS_SLOT, SAYS_SLOT
from ..model import Claim, Modality, Tense
from .narrow import ended_words, subject_words, told_words

#: The key of a correction that names no subject.
ELLIPTICAL: Final = hash("elliptical")

_Parts = tuple[object, ...]

#: Words may share a bit, which costs only a comparison; so many bits keep texts of some twenty words apart.
_BITS: Final = 512
#: The number of words by which a sentence is found that is about the user, or names no subject.
_MOST_WORDS: Final = 4
_OPEN_SUBJECTS: Final = frozenset(("", "user"))


class Asked(NamedTuple):
    """The keys of a search: claims under any of `keys` may contradict, but those with the mark `same` say the same.

    `narrow` are the `narrow_bits` of the claim that asks; `parts` tells, where what is found need not be of one
    subject, whether it must be entered under any of the keys or under all.
    """

    keys: tuple[int, ...]
    same: int | None = None
    narrow: int = 0
    parts: Literal["", "any", "all"] = ""


def entered_keys(claim: Claim) -> tuple[int, ...]:
    """Return the keys under which a claim is found."""
    if claim.elliptical:
        return (ELLIPTICAL,)
    if not _is_comparable(claim):
        return ()
    if is_saying(claim):
        names = [(SAYS_SLOT, word) for word in claim.scope]
        return _hashed([*_about_keys(claim.subject, claim.value.norm), *names])
    if is_ending(claim):
        return _hashed([(ENDS_SLOT, str(word)) for word in claim.value.norm])
    place = _place(claim)
    keys: list[_Parts] = [("slot", place)]
    if not claim.single:
        keys.append(("value", place, claim.value.norm))
    if _excludes(claim):
        keys.append(("excluding", place))
    words = _longest_first(claim)
    keys += [("part", claim.slot, word) for word in words]
    if claim.is_marked:
        keys.append(("changed", claim.slot, *words))
    return _hashed(keys)


@lru_cache(maxsize=4_096)
def asked_keys(claim: Claim) -> tuple[Asked, ...]:
    """Return the keys under which whatever may contradict a claim is found.

    Where a slot holds several values, only a denial, a correction or a change speaks against another value.
    """
    if claim.elliptical or is_ending(claim) or not _is_comparable(claim):
        return ()  # of an ending see `ended_keys`
    narrow = narrow_bits(claim)
    if is_saying(claim):
        return tuple([Asked((key,), None, narrow) for key in _hashed([(ENDS_SLOT, word) for word in claim.scope])])
    place, is_whole = _place(claim), claim.single or _excludes(claim)
    keys: list[_Parts] = [("slot", place)] if is_whole else [("value", place, claim.value.norm), ("excluding", place)]
    return (*[Asked((key,), same_mark(claim), narrow) for key in _hashed(keys)], *_part_keys(claim))


def _part_keys(claim: Claim) -> list[Asked]:
    """Return the keys of changes that name the subject in fewer words; of a change, also of what names it in more."""
    words, same = _longest_first(claim), same_mark(claim)
    sizes = range(1, min(len(words), _MOST_WORDS) + 1)
    fewer = [("changed", claim.slot, *some) for size in sizes for some in combinations(words[:_MOST_WORDS], size)]
    asked = [Asked(_hashed(fewer), same, parts="any")]
    if claim.is_marked and words:
        asked.append(Asked(_hashed([("part", claim.slot, word) for word in words]), same, parts="all"))
    return asked


def _longest_first(claim: Claim) -> list[str]:
    return sorted(subject_words(claim), key=lambda word: (-len(word), word))


def ended_keys(claim: Claim) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the keys under which what an ending ends may be found: by what it ends, its subject, what it is about."""
    words = [str(word) for word in claim.value.norm]
    held = [(SAYS_SLOT, claim.subject, word) for word in words if claim.subject in _OPEN_SUBJECTS]
    topics = dict.fromkeys((claim.subject, " ".join(claim.scope), " ".join(sorted(words)), *words))
    about = [(SAYS_SLOT, "about", topic) for topic in topics if topic not in _OPEN_SUBJECTS]
    return _hashed([*((SAYS_SLOT, word) for word in words), *held]), _hashed(about)


@lru_cache(maxsize=256)
def saying_bits(saying: Claim) -> int:
    """Return the words of what a clause says as bits, among which are the `ended_bits` of whatever may end it."""
    return _bits(told_words(saying))


def ended_bits(ending: Claim) -> int:
    """Return the words that anything must have that an ending may end, as bits (see `saying_bits`)."""
    return _bits(ended_words(ending))


def narrow_bits(claim: Claim) -> int:
    """Return the words that narrow the topic of a claim, as bits (see `may_be_one`)."""
    return _bits((*claim.light, *claim.firm))


def may_be_one(narrow: int, other: int) -> bool:
    """Whether the topics of two claims of one key may be the same: all that narrows one of them narrows the other."""
    return narrow & other in (narrow, other)


def _bits(words: Iterable[str]) -> int:
    bits = 0
    for word in words:
        bits |= 1 << crc32(word.encode()) % _BITS
    return bits


def is_ending(claim: Claim) -> bool:
    """Whether a claim says that something no longer holds, in whatever words."""
    return claim.slot == ENDS_SLOT


def is_saying(claim: Claim) -> bool:
    """Whether a claim is what a clause says, word by word; an ending speaks against it."""
    return claim.slot == SAYS_SLOT


def same_mark(claim: Claim) -> int | None:
    """Return what all have that say of one slot the very same; None where a slot holds several values."""
    is_several = claim.elliptical or claim.is_only_implied or is_ending(claim) or is_saying(claim)
    if not claim.single or is_several or not _is_comparable(claim):
        return None
    return hash(("same", _place(claim), claim.value.kind, claim.value.norm, claim.polarity))


def _about_keys(subject: str, words: Iterable[object]) -> list[_Parts]:
    """Return the keys of what a sentence is about: its subject, or its longest words if many share the subject."""
    if subject not in _OPEN_SUBJECTS:
        return [(SAYS_SLOT, "about", subject)]
    longest = sorted((str(word) for word in words), key=lambda word: (-len(word), word))[:_MOST_WORDS]
    return [(SAYS_SLOT, subject, word) for word in longest]


def _hashed(keys: Iterable[_Parts]) -> tuple[int, ...]:
    return tuple([hash(key) for key in keys])


def _place(claim: Claim) -> _Parts:
    """Return what a claim must have in common with another to be compared: key, scope and time."""
    scope = claim.scope if claim.topic is None else ()
    return (*claim.key, scope, claim.time.tense, claim.time.date)


def _is_comparable(claim: Claim) -> bool:
    is_named = bool(claim.subject or claim.slot)
    return (claim.modality is Modality.FACT or claim.implied) and claim.time.tense is not Tense.PAST and is_named


def _excludes(claim: Claim) -> bool:
    return claim.is_marked or not claim.polarity
