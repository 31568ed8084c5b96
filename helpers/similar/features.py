"""The features of an alignment as numbers, and shallow trees over these columns, grown on open data. Pure.

`benchmarks/train_similar.py` grows the trees.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from ..claims.clauses.ending_phrases import ENDING
from ..claims.grammar.verb_groups import CHANGE_LEMMAS
from ..claims.slots.rows import RELATIONS
from ..language import lexicon
from ..language.numerals import NUMBER_WORDS
from ..language.tables import read_table
from ..language.verbs import BE_PAST, MODALS, is_verb, lemma_of, letters_of
from ..language.vocabulary import CHANGED, DENIERS, PEOPLE, REVERSERS
from ..language.words import shared_head
from ..texts import regex
from .alignment import FILLERS, AlignedText, AlignedWord, Alignment, Reading, WordKind

#: The words of change that are one word: "now", "instead".
_CHANGED: Final = frozenset(word for word in CHANGED.split() if "_" not in word)
#: The file of all weights.
WEIGHTS: Final = "weights.json"
#: A leaf, or (column, the greatest value that goes left, left, right); the last two are places in the tree.
Node = float | tuple[int, float, int, int]
#: Classes of words that are counted in each text.
_CLASSES: Final[Mapping[str, Collection[str]]] = {
    "advice": lexicon.RECOMMENDATION_WORDS,
    "addition": lexicon.ADDITIVE,
    "change": _CHANGED,
    "denial": DENIERS,
    "formerly": lexicon.PAST_WORDS,
    "hypothesis": lexicon.HYPOTHESIS_WORDS,
    "limit": lexicon.QUANTIFIERS | {"only", "most"},
    "of several": lexicon.OF_SEVERAL,
    "passing": lexicon.PASSING,
    "past be": BE_PAST,
    "people": PEOPLE,
    "period": lexicon.PERIODS,
    "plan": lexicon.PLAN_WORDS,
    "reversal": REVERSERS,
}
#: Classes of lemmas, counted if the other text does not have them.
_VERBS: Final[Mapping[str, Collection[str]]] = {
    "change verb": CHANGE_LEMMAS,
    "ending verb": ENDING,
    "report": lexicon.REPORT_LEMMAS,
    "several-valued relation": RELATIONS,
}
#: Classes of words of grammar that two copies must share.
_BINDING: Final = {"modals": MODALS, "amounts": lexicon.QUANTIFIERS, "prepositions": lexicon.PREPOSITIONS}
_FAR: Final = 9.0
_NEAR: Final = 4
_KINDS: Final = tuple(WordKind)
_STAGES: Final = read_table(__file__, "stages")
_TABLE: Final[dict[str, str]] = _STAGES["stages"]
#: The marks that tell of an item how far it is: "✅", "[ ]".
MARKS: Final = regex(r"✅|☑|✔|🔄|🚧|⏳|❌|\[x\]|\[ \]", re.IGNORECASE)


def features(alignment: Alignment, older: str, newer: str) -> dict[str, float]:
    """Return the columns of a pair of texts and their alignment."""
    sides = {"older": alignment.older, "newer": alignment.newer}
    shared = len(alignment.pairs)
    row: dict[str, float] = {"shared": shared, "swaps": len(alignment.swaps)}
    row["in order"] = alignment.in_order / max(1, shared)
    for (name, side), other, text in zip(sides.items(), reversed(sides.values()), (older, newer), strict=True):
        columns = _extent(side) | _places(side) | _vocabulary(side, other) | _shape(text)
        row |= {f"{name}: {column}": float(value) for column, value in columns.items()}
    row |= _stages(older, newer)
    return row | _frame(alignment) | _kinds(alignment) | _grammar(alignment)


def _extent(side: AlignedText) -> dict[str, float]:
    size = len(side.reading.words)
    unknown = len(side.alone) - len(side.alike)
    return {
        "words": size,
        "alone": len(side.alone),
        "unknown": unknown,
        "share": len(side.shared) / max(1, size),
        "known": 1 - unknown / max(1, size),
    }


def _places(side: AlignedText) -> dict[str, float]:
    """Return columns of where words stand: what precedes the first verb is the subject."""
    lows, words = side.reading.lows, side.reading.words
    shared = {word.place for word in side.shared}
    verb = next((place for place, low in enumerate(lows) if place and is_verb(low)), len(lows))
    is_shared = [word.place in shared for word in words]
    return {
        "alone in front": sum(word.place < verb for word in side.alone),
        "names alone in front": sum(word.place < verb and word.kind is WordKind.NAME for word in side.alone),
        "shared in front": sum(word.place < verb for word in side.shared),
        "alone before the first shared": is_shared.index(True) if shared else _FAR,
        "alone behind the last shared": is_shared[::-1].index(True) if shared else _FAR,
        "alone before a shared": sum(word.place + 1 in shared for word in side.alone),
        "alone behind a preposition": sum(
            bool(word.place) and lows[word.place - 1] in lexicon.PREPOSITIONS for word in side.alone
        ),
    }


def _vocabulary(side: AlignedText, other: AlignedText) -> dict[str, float]:
    lows = side.reading.lows
    lemmas, others = _lemmas(lows), _lemmas(other.reading.lows)
    counts: dict[str, float] = {name: sum(map(words.__contains__, lows)) for name, words in _CLASSES.items()}
    counts |= {name: sum(map(verbs.__contains__, lemmas - others)) for name, verbs in _VERBS.items()}
    counts["relations shared"] = sum(map(RELATIONS.__contains__, lemmas & others))
    counts["past forms"] = sum("d" in letters_of(low) for low in lows if is_verb(low))
    return counts


def _shape(text: str) -> dict[str, float]:
    return {
        "length": math.log(len(text) + 1),
        "sentences": text.count(". ") + text.count("\n") + text.count(";"),
        "asks": "?" in text,
        "label": ": " in text,
    }


def _stages(older: str, newer: str) -> dict[str, float]:
    """Return columns of the stages that one text has, and the other has not."""
    before, after = read_stages(older), read_stages(newer)
    columns = {
        f"{name}: {stage}": float(stage in (own - other))
        for stage in _TABLE
        for name, own, other in (("older", before, after), ("newer", after, before))
    }
    return columns | {"stages apart": float(len(before ^ after))}


def _kinds(alignment: Alignment) -> dict[str, float]:
    columns: dict[str, float] = {}
    for kind in WordKind:
        columns[f"shared {kind}"] = _of_kind(alignment.older.shared, kind)
        columns[f"{kind} swapped"] = sum(bool(_of_kind(a, kind) and _of_kind(b, kind)) for a, b in alignment.swaps)
        for name, side in (("older", alignment.older), ("newer", alignment.newer)):
            alone = _of_kind(side.alone, kind)
            columns[f"{name}: {kind} alone"] = alone
            columns[f"{name}: {kind} unknown"] = alone - _of_kind(side.alike, kind)
    return columns


def _frame(alignment: Alignment) -> dict[str, float]:
    """Return columns of how far two texts run alike from either end, and of what kind the next words are."""
    sides = [side.reading for side in (alignment.older, alignment.newer)]
    lows = [[low for low in side.lows if low not in FILLERS and low[0].isalnum()] for side in sides]
    keys = [[word.key for word in side.words] for side in sides]
    front = shared_head(*lows)
    back = shared_head(*(side[front:][::-1] for side in lows))
    kinds = [_first_kind(side, own[front : front + _NEAR]) for side, own in zip(sides, lows, strict=True)]
    return {
        "alike in front": front,
        "alike behind": back,
        "verb alike in front": any(is_verb(low) for low in lows[0][1:front]),
        "older: between": len(lows[0]) - front - back,
        "newer: between": len(lows[1]) - front - back,
        "older: kind behind the front": kinds[0],
        "newer: kind behind the front": kinds[1],
        "one kind behind the front": kinds[0] == kinds[1],
        "words alike in front": shared_head(*keys),
        "share alike in front": shared_head(*keys) / max(1, min(map(len, keys))),
    }


def _first_kind(reading: Reading, lows: Sequence[str]) -> int:
    """Return the number of the kind of the first of some words that carries meaning, -1 where none does."""
    kinds = {word.low: word.kind for word in reading.words}
    return next((_KINDS.index(kinds[low]) for low in lows if low in kinds), -1)


def _grammar(alignment: Alignment) -> dict[str, float]:
    """Return columns of how the words of grammar differ, around equal words and in all."""
    lows = [frozenset(side.reading.lows) for side in (alignment.older, alignment.newer)]
    columns = {f"{name} apart": float(len((lows[0] ^ lows[1]) & words)) for name, words in _BINDING.items()}
    denied = [(not DENIERS.isdisjoint(a.marks), not DENIERS.isdisjoint(b.marks)) for a, b in alignment.pairs]
    denials = [sum(low in DENIERS for low in side.reading.lows) for side in (alignment.older, alignment.newer)]
    return columns | {
        "marks apart": sum(a.marks != b.marks for a, b in alignment.pairs),
        "denied by the older": sum(a and not b for a, b in denied),
        "denied by the newer": sum(b and not a for a, b in denied),
        "one denies": bool(denials[0]) is not bool(denials[1]),
        "denials apart": abs(denials[0] - denials[1]),
    }


def _lemmas(lows: Iterable[str]) -> set[str]:
    return {lemma_of(low) for low in lows if is_verb(low)}


def _of_kind(words: Sequence[AlignedWord], kind: WordKind) -> int:
    return sum(word.kind is kind for word in words)


@lru_cache(maxsize=8_192)
def read_stages(text: str) -> frozenset[str]:
    """Return the stages that a text has words or marks for."""
    low = text.casefold()
    return frozenset(name for name, wordings in _patterns() if wordings.search(low))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, regex(_any_of(row))) for name, row in _TABLE.items())


def takes_step(older: str, newer: str) -> bool:
    """Whether the older text has something as unfinished, by a wording or as "12 of 40", that the newer one has not."""
    before, after = (frozenset(_unfinished().findall(text.casefold())) for text in (older, newer))
    return not before <= after


@cache
def _unfinished() -> re.Pattern[str]:
    number = rf"(?:\d[\d.,]*|{'|'.join(NUMBER_WORDS)})"
    counts = rf"\b{number} (?:(?:out )?of|de|von|sur|di) (?:the |about )?{number}(?!\w)"
    return regex(f"{_any_of(_STAGES['unfinished']['wordings'])}|{counts}")


def _any_of(row: str) -> str:
    return "|".join(map(_spelled, "".join(row.split("\n")).split("|")))


def _spelled(wording: str) -> str:
    before, after = (r"\b" if wording[place].isalnum() else "" for place in (0, -1))
    return f"{before}{re.escape(wording)}{after}"


class Detector(NamedTuple):
    """Boosted trees: the sum of what they say about the columns, in log odds, and from which on the answer is yes."""

    columns: Sequence[str]
    base: float
    trees: Sequence[Sequence[Node]]
    threshold: float = 0.0

    def score(self, row: Mapping[str, float]) -> float:
        """Return the log odds."""
        values = [row[name] for name in self.columns]
        return self.base + math.fsum(_leaf(tree, values) for tree in self.trees)

    def accepts(self, row: Mapping[str, float]) -> bool:
        """Whether the log odds reach the threshold."""
        return self.score(row) >= self.threshold


@cache
def detector(name: str) -> Detector:
    """Return the trees that are stored under a name."""
    stored: dict[str, Any] = read_table(__file__, name, WEIGHTS)
    return Detector(**stored)


def _leaf(tree: Sequence[Node], values: Sequence[float]) -> float:
    node = tree[0]
    while not isinstance(node, int | float):
        column, bound, left, right = node
        node = tree[left if values[column] <= bound else right]
    return node
