"""What an alignment looks like in numbers: the columns of the model, by name (C-40). Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final

from ..claims.clauses.ending_verbs import ENDING
from ..claims.clauses.state_words import ACTS, STATES
from ..claims.grammar.verb_groups import CHANGE_LEMMAS
from ..claims.slots.multi_valued import RELATIONS
from ..language.keys import keys_of
from ..language.lexicon import (
    ADDITIVE,
    ENVIRONMENTS,
    ESTIMATE_WORDS,
    HYPOTHESIS_WORDS,
    OF_SEVERAL,
    PASSING,
    PAST_WORDS,
    PERIODS,
    PLAN_WORDS,
    PREPOSITIONS,
    QUANTIFIERS,
    RECOMMENDATION_WORDS,
    REPORT_LEMMAS,
    WRITTEN,
)
from ..language.terms import terms
from ..language.verbs import BE_PAST, forms
from ..language.vocabulary import CONTRASTS, DENIERS, PEOPLE, REVERSERS
from ..ledger.clause_contents import parse_clause
from ..ledger.spoken import is_change
from .alignment import AlignedText, AlignedWord, Alignment, WordKind

#: Counted in either text.
_CLASSES: Final[Mapping[str, Collection[str]]] = {
    "advice": RECOMMENDATION_WORDS,
    "addition": ADDITIVE,
    "denial": DENIERS,
    "estimate": ESTIMATE_WORDS,
    "formerly": PAST_WORDS,
    "hypothesis": HYPOTHESIS_WORDS,
    "limit": QUANTIFIERS | {"only", "most"},
    "of several": OF_SEVERAL,
    "passing": PASSING,
    "past be": BE_PAST,
    "people": PEOPLE,
    "period": PERIODS,
    "plan": PLAN_WORDS,
    "quotation": WRITTEN["quotation"],
    "reversal": REVERSERS,
}
#: Lemmas, of which those count that the other text has not.
_VERBS: Final[Mapping[str, Collection[str]]] = {
    "change verb": CHANGE_LEMMAS,
    "ending verb": ENDING,
    "report": REPORT_LEMMAS,
    "several-valued relation": RELATIONS,
}
_STATES: Final = {**STATES, **ACTS}
_FAR: Final = 9.0


def features(alignment: Alignment, older: str, newer: str) -> dict[str, float]:
    """Return the columns of a pair of texts and their alignment."""
    sides = {"older": alignment.older, "newer": alignment.newer}
    found: dict[str, float] = {"shared": len(alignment.older.shared), "swaps": len(alignment.swaps)}
    for (name, side), other, text in zip(sides.items(), reversed(sides.values()), (older, newer), strict=True):
        columns = _extent(side) | _places(side) | _vocabulary(side, other) | _shape(text)
        found |= {f"{name}: {column}": float(value) for column, value in columns.items()}
    return found | _kinds(alignment) | _swapped(alignment) | _opposites(alignment) | _denials(older, newer)


def _extent(side: AlignedText) -> dict[str, float]:
    size = len(side.reading.words)
    return {"words": size, "alone": len(side.alone), "share": len(side.shared) / max(1, size)}


def _places(side: AlignedText) -> dict[str, float]:
    """Where the words stand: what precedes the first verb names what is spoken of."""
    lows, words = side.reading.lows, side.reading.words
    shared = {one.place for one in side.shared}
    verb = next((place for place, low in enumerate(lows) if place and low in forms()), len(lows))
    is_shared = [one.place in shared for one in words]
    return {
        "alone in front": sum(one.place < verb for one in side.alone),
        "names alone in front": sum(one.place < verb and one.kind is WordKind.NAME for one in side.alone),
        "shared in front": sum(one.place < verb for one in side.shared),
        "alone before the first shared": is_shared.index(True) if shared else _FAR,
        "alone behind the last shared": is_shared[::-1].index(True) if shared else _FAR,
        "alone before a shared": sum(one.place + 1 in shared for one in side.alone),
        "alone behind a preposition": sum(
            bool(one.place) and lows[one.place - 1] in PREPOSITIONS for one in side.alone
        ),
    }


def _vocabulary(side: AlignedText, other: AlignedText) -> dict[str, float]:
    lows = side.reading.lows
    lemmas, others = _lemmas(lows), _lemmas(other.reading.lows)
    counts: dict[str, float] = {name: _count(lows, words.__contains__) for name, words in _CLASSES.items()}
    counts |= {name: _count(lemmas - others, verbs.__contains__) for name, verbs in _VERBS.items()}
    counts["relations shared"] = _count(lemmas & others, RELATIONS.__contains__)
    counts["past forms"] = sum("d" in forms()[low][1] for low in lows if low in forms())
    return counts


def _shape(text: str) -> dict[str, float]:
    return {
        "sentences": text.count(". ") + text.count("\n") + text.count(";"),
        "asks": "?" in text,
        "label": ": " in text,
        "change": is_change(text),
    }


def _kinds(alignment: Alignment) -> dict[str, float]:
    older, newer = alignment.older, alignment.newer
    columns: dict[str, float] = {}
    for kind in WordKind:
        columns[f"shared {kind}"] = _of_kind(older.shared, kind)
        columns[f"older: {kind} alone"] = _of_kind(older.alone, kind)
        columns[f"newer: {kind} alone"] = _of_kind(newer.alone, kind)
        columns[f"{kind} swapped"] = sum(bool(_of_kind(a, kind) and _of_kind(b, kind)) for a, b in alignment.swaps)
    return columns


def _swapped(alignment: Alignment) -> dict[str, float]:
    """What stands in the place of what: at which end, how long, of which unit, from one family of names."""
    older, newer, swaps = alignment.older.reading.words, alignment.newer.reading.words, alignment.swaps
    numbers = [
        (one, other)
        for one, other in product(alignment.older.alone, alignment.newer.alone)
        if one.kind is other.kind is WordKind.NUMBER
    ]
    families = [{terms()[(one.low,)][0] for one in side.alone if (one.low,) in terms()} for side in alignment[:2]]
    return {
        "swapped first": bool(swaps) and (swaps[0][0][0], swaps[0][1][0]) == (older[0], newer[0]),
        "swapped last": bool(swaps) and (swaps[-1][0][-1], swaps[-1][1][-1]) == (older[-1], newer[-1]),
        "longest swapped, older": max((len(one) for one, _ in swaps), default=0),
        "longest swapped, newer": max((len(other) for _, other in swaps), default=0),
        "numbers of one unit": sum(one.unit == other.unit != "" for one, other in numbers),
        "numbers of two units": sum(one.unit != other.unit for one, other in numbers),
        "names of one family": len(families[0] & families[1]),
    }


def _opposites(alignment: Alignment) -> dict[str, float]:
    older, newer = alignment.older.reading.lows, alignment.newer.reading.lows
    groups = [[_contrasts().get(one.key, frozenset()) for one in side.alone] for side in alignment[:2]]
    states = [[state for low in lows for state in _STATES.get(low, ())] for lows in (older, newer)]
    places = [{ENVIRONMENTS[low] for low in lows if low in ENVIRONMENTS} for lows in (older, newer)]
    return {
        "contrasts": sum(bool(one & other) for one, other in product(*groups)),
        "opposite states": sum(a[0] == b[0] and a[1] != b[1] for a, b in product(*states)),
        "environments apart": len(places[0] ^ places[1]),
    }


def _denials(older: str, newer: str) -> dict[str, float]:
    before, after = parse_clause(older), parse_clause(newer)
    return {
        "denied by the newer": len((before.affirmed - before.denied) & after.denied),
        "denied by the older": len((after.affirmed - after.denied) & before.denied),
        "older: denied": len(before.denied),
        "newer: denied": len(after.denied),
        "one denies": before.is_negated is not after.is_negated,
    }


def _lemmas(lows: Iterable[str]) -> set[str]:
    return {forms()[low][0] for low in lows if low in forms()}


def _count(words: Iterable[str], is_one: Callable[[str], bool]) -> int:
    return sum(map(is_one, words))


def _of_kind(words: Sequence[AlignedWord], kind: WordKind) -> int:
    return sum(one.kind is kind for one in words)


@cache
def _contrasts() -> dict[str, frozenset[int]]:
    """Key -> the numbers of the groups of which it is a member."""
    groups: dict[str, set[int]] = {}
    for number, group in enumerate(CONTRASTS):
        for key in keys_of(group):
            groups.setdefault(key, set()).add(number)
    return {key: frozenset(numbers) for key, numbers in groups.items()}
