"""Decide whether two texts look like a contradiction although no rule says so. Pure.

There are two steps: a linear model of cues (the words that two texts share or have alone, and their neighbours), and
shallow trees over its score and other columns, among them what both texts claim of one thing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from ..claims import Claim, Modality, Relation, Tense, extract_claims
from ..claims.clauses.open_values import OPEN_SLOT
from ..claims.comparison.conflicts import agree, find_pairs
from ..claims.values.agreement import Agreement
from ..language.tables import read_table
from ..texts import regex
from .alignment import AlignedText, Alignment, align
from .changes import LIST_OPENING, are_of_one_series, compare_memory_texts
from .features import WEIGHTS, detector, features, takes_step

#: The name of the model among the weights, and of the weights of its cues.
MODEL: Final = "at_odds"
CUES: Final = "cues"
#: A text that only quotes the user: 'The user said: "..."'.
_QUOTATION = regex(r"(?:the )?user(?: \w+){1,3}[:,] [\"“](.{4,})[\"”][.!?]?", re.IGNORECASE | re.DOTALL)
#: The least log odds at which a step is marked, measured on pairs that the trees had not seen.
_LEAST_OF_STEP: Final = 0.0
_SENTENCE, _LEAST_SHARED = 12, 1 / 6  # a text of more words must share this part of them
#: The number of words at the beginning and at the end of a text that make a cue.
_OPENING, _CLOSING, _SHARED = 3, 2, "="
#: The counted relations of two claims of one slot.
_KINDS: Final = ("same", "compatible", "denied", "open apart", "single apart")


def is_at_odds(older: str, newer: str) -> bool:
    """Return whether two texts look like a contradiction; never without a word that both share.

    A quotation of the user's, which the rules do not read, is at odds with what its content contradicts. If the cues
    speak against it, the trees are not asked: most neighbours in a store end there. A lower score is enough if the
    older text calls something unfinished and the newer one does not.
    """
    quoted = _unquote(older), _unquote(newer)
    if quoted != (older, newer) and compare_memory_texts(*quoted).relation is Relation.CONTRADICTS:
        return True
    alignment, weights, is_step = align(older, newer), read_table(__file__, CUES, WEIGHTS), takes_step(older, newer)
    if not alignment.pairs or are_of_one_series(older, newer) or any(map(LIST_OPENING.fullmatch, (older, newer))):
        return False
    if not is_step and cue_score(cues(alignment), weights) < 0:
        return False
    trees, size = detector(MODEL), max(len(side.reading.words) for side in (alignment.older, alignment.newer))
    is_step = is_step and (size <= _SENTENCE or len(alignment.pairs) >= _LEAST_SHARED * size)
    return trees.score(columns(older, newer, weights)) >= (_LEAST_OF_STEP if is_step else trees.threshold)


def _unquote(text: str) -> str:
    """Return what a text quotes if it only quotes the user; else the text itself."""
    quotation = _QUOTATION.fullmatch(text.strip())
    return quotation[1] if quotation else text


def columns(older: str, newer: str, weights: Mapping[str, float]) -> dict[str, float]:
    """Return all columns that the trees ask for, by name; `weights` are those of the cues."""
    alignment = align(older, newer)
    score = cue_score(cues(alignment), weights)
    return features(alignment, older, newer) | {"cues": score} | claim_columns(older, newer)


def cue_score(names: Iterable[str], weights: Mapping[str, float]) -> float:
    """Return the sum of the weights of some cues."""
    return round(math.fsum(weights.get(name, 0.0) for name in names), 2)


def cues(alignment: Alignment) -> frozenset[str]:
    """Return the cues of a pair: "n now" of a word of the newer text alone, "o ..." of the older, "b ..." of both."""
    older, newer = alignment.older, alignment.newer
    before, after = set(older.reading.lows), set(newer.reading.lows)
    both = {f"b {low}" for low in before & after} | {f"b {word.key}*" for word in newer.shared}
    return frozenset(both).union(_cues_of("o", older, newer), _cues_of("n", newer, older))


def _cues_of(name: str, side: AlignedText, other: AlignedText) -> Iterator[str]:
    lows, words = side.reading.lows, side.reading.words
    yield from (f"{name} {low}" for low in set(lows) - set(other.reading.lows))
    yield from (f"{name} {' '.join(pair)}" for pair in set(pairwise(lows)) - set(pairwise(other.reading.lows)))
    for own in side.alone:
        yield f"{name} {own.key}*"
        yield f"{name} {lows[own.place - 1] if own.place else '^'} <{own.kind}>"
    shapes = dict.fromkeys((word.place for word in side.shared), _SHARED)
    shapes |= {word.place: f"<{word.kind}>" for word in side.alone}
    shown = [shapes[word.place] for word in words]
    yield f"{name} begins {' '.join(shown[:_OPENING])}"
    yield f"{name} ends {' '.join(shown[-_CLOSING:])}"
    line = [shapes.get(place, low) for place, low in enumerate(lows)]
    yield from (f"{name} {' '.join(triple)}" for triple in zip(line, line[1:], line[2:], strict=False))


def claim_columns(older: str, newer: str) -> dict[str, float]:
    """Return columns of how many claims of two texts fill one slot of one subject, and how their values relate."""
    sides = {"older": extract_claims(older), "newer": extract_claims(newer)}
    before, after = ([claim for claim in side if claim.modality is Modality.FACT] for side in sides.values())
    kinds = Counter(_kind(a, b) for a, b in find_pairs(before, after))
    topics = [{claim.key[0] for claim in side} - {""} for side in sides.values()]
    slots = [{claim.slot for claim in side} for side in sides.values()]
    columns = {f"claims: {kind}": float(kinds[kind]) for kind in _KINDS} | {
        "claims: topics": len(topics[0] & topics[1]),
        "claims: slots": len(slots[0] & slots[1]),
        "claims: of one topic apart": sum(_are_apart(a, b) for a in before for b in after),
    }
    for name, side in sides.items():
        columns |= {
            f"{name}: claims": len(side),
            f"{name}: no facts": sum(claim.modality is not Modality.FACT for claim in side),
            f"{name}: past claims": sum(claim.time.tense is Tense.PAST for claim in side),
            f"{name}: marked claims": sum(claim.is_marked for claim in side),
            f"{name}: scopes": sum(bool(claim.scope) for claim in side),
        }
    return columns


def _are_apart(a: Claim, b: Claim) -> bool:
    """Whether two claims of one topic have different values of one kind, in any slot."""
    if a.key[0] != b.key[0] or not a.key[0] or a.value.kind is not b.value.kind or a.polarity is not b.polarity:
        return False
    return agree(a, b) is Agreement.DIFFERENT


def _kind(a: Claim, b: Claim) -> str:
    agreement = agree(a, b)
    if a.polarity is not b.polarity:
        return "denied" if agreement is Agreement.SAME else ""
    if agreement is not Agreement.DIFFERENT:
        return agreement.value
    return "open apart" if a.slot.startswith(OPEN_SLOT) else "single apart" if a.single and b.single else ""
