"""The words that two texts share or have alone, and what stands around them, as the names of cues (C-40). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .alignment import AlignedText, Alignment

_OPENING = 3
_CLOSING = 2
_SHARED = "="


def cues(alignment: Alignment) -> frozenset[str]:
    """Return the cues of a pair: "n now" of a word of the newer text alone, "o ..." of the older, "b ..." of both."""
    older, newer = alignment.older, alignment.newer
    before, after = set(older.reading.lows), set(newer.reading.lows)
    both = {f"b {low}" for low in before & after} | {f"b {one.key}*" for one in newer.shared}
    return frozenset(both).union(_cues_of("o", older, newer), _cues_of("n", newer, older))


def _cues_of(name: str, side: AlignedText, other: AlignedText) -> Iterator[str]:
    lows, words = side.reading.lows, side.reading.words
    yield from (f"{name} {low}" for low in set(lows) - set(other.reading.lows))
    yield from (f"{name} {' '.join(two)}" for two in set(pairwise(lows)) - set(pairwise(other.reading.lows)))
    for one in side.alone:
        yield f"{name} {one.key}*"
        yield f"{name} {lows[one.place - 1] if one.place else '^'} <{one.kind}>"
    shapes = dict.fromkeys((one.place for one in side.shared), _SHARED)
    shapes |= {one.place: f"<{one.kind}>" for one in side.alone}
    told = [shapes[one.place] for one in words]
    yield f"{name} begins {' '.join(told[:_OPENING])}"
    yield f"{name} ends {' '.join(told[-_CLOSING:])}"
    yield from (f"{name} {' '.join(three)}" for three in _triples([shapes.get(n, low) for n, low in enumerate(lows)]))


def _triples(told: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    return zip(told, told[1:], told[2:], strict=False)
