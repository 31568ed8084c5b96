"""A text as its terms: each word that says something, with the marks of grammar in front of it (T-67). Pure.

Prepositions, subordinators, denials, limits and modals are marks of the term that follows; articles, commas and "is"
say nothing by themselves, but license an order of their own (see `alignment`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..language.lexicon import ARTICLES, WEEKDAYS
from ..language.verbs import MODALS
from ..patterns import regex
from .reading import PAST, Word
from .words import CLASSES, SYNONYMS


def with_synonyms(words: frozenset[str]) -> frozenset[str]:
    """Return the words with the one that stands for each of them."""
    return words | {SYNONYMS.get(one, one) for one in words}


PREPOSITIONS = with_synonyms(CLASSES["prepositions"])
SUBORDINATORS = with_synonyms(CLASSES["subordinators"])
SCOPED = with_synonyms(CLASSES["scoped"])
FLOATING = with_synonyms(CLASSES["floating"])
#: Behind one of these a clause follows, and "that" says nothing.
SAYING = with_synonyms(CLASSES["saying"])
#: What tells of a term how it belongs to the others.
MARKS = PREPOSITIONS | SUBORDINATORS | SCOPED | MODALS | CLASSES["joints"] | {"was"}
#: What says nothing between two terms.
_SILENT = ARTICLES | {",", "'s", "be", ":"}
_HOLD_ADVERBS = SCOPED | ARTICLES | {"'s"}
_BEFORE_TIME = ("upon", "at", "in")
_MOMENT = regex(r"(?:\d{4}|-)-\d\d-(?:\d\d|-)|\d\d:\d\d")
_BREAKS = frozenset((",", ":", "and", "or", "but"))
_NOTHING: frozenset[str] = frozenset()


class Term(NamedTuple):
    """A word by its key, without tense; `opener`: the words of grammar in front of it, `marks`: those that count.

    `begins`: a clause or a sentence begins with it. `place`: of which sentence it is.
    """

    key: str
    word: Word
    opener: frozenset[str]
    marks: tuple[str, ...]
    is_past: bool
    is_passive: bool
    begins: bool
    place: int
    is_time: bool = False


def parse_terms(sentences: Sequence[Sequence[Word]]) -> tuple[Term, ...]:
    """Return the terms of the sentences in order."""
    return tuple(
        term for place, words in enumerate(sentences) for term in _with_joints([*_terms(_plain(words), place)])
    )


def _terms(words: Iterable[Word], place: int) -> Iterator[Term]:
    opener: list[str] = []
    begins = True
    for word in words:
        key = word.key.removesuffix(PAST)
        if not word.is_exact and (key in MARKS or key in _SILENT):
            opener.append(key)
            begins = begins or key in SUBORDINATORS or key in _BREAKS
            continue
        kept: list[str] = []
        if key in FLOATING and _HOLD_ADVERBS.isdisjoint(opener):
            opener, kept = [], opener
        is_passive = word.is_past and ("be" in opener or "was" in opener)
        is_past = "was" in opener if is_passive else word.is_past
        is_time = _MOMENT.fullmatch(key) is not None or key in WEEKDAYS
        silent = _BEFORE_TIME if is_time else ("was",) if is_passive else ()
        marks = tuple(one for one in opener if one in MARKS and one not in silent)
        yield Term(key, word, frozenset(opener), marks, is_past, is_passive, begins, place, is_time)
        opener, begins = kept, begins and bool(kept)
    for key in opener:
        if key in MARKS:  # "is on"
            yield Term(key, Word(key, key), _NOTHING, (), False, False, False, place)


def _with_joints(terms: list[Term]) -> list[Term]:
    """Mark each item of a list as the last one is marked: "A, B and C" is "A and B and C"."""
    for place in range(len(terms) - 1, 0, -1):
        after, one = terms[place], terms[place - 1]
        if after.marks in (("and",), ("or",)) and one.opener == {","} and place > 1:
            terms[place - 1] = one._replace(marks=after.marks)
    return terms


def _plain(words: Sequence[Word]) -> Iterator[Word]:
    """Leave out what carries no sense of its own: fillers, "does", "have" before a participle, "that" after "say"."""
    words = [one for one in words if one.key not in CLASSES["fillers"] or one.is_exact]
    last: Word | None = None
    skipped = -1
    for place, one in enumerate(words):
        behind = words[place + 1 : place + 3]
        if place == skipped or (one.low in ("do", "does") and behind and behind[0].key not in ARTICLES | {"?"}):
            continue
        if one.low in ("have", "has", "had") and behind and behind[0].low == "been":
            skipped = place + 1
            one = Word("was", one.low)  # "has been closed" is "was closed"
        elif one.low in ("have", "has", "had") and behind and behind[0].is_past:
            continue
        elif one.low in ("get", "gets", "got") and behind and behind[0].is_past:
            one = Word("was" if one.low == "got" else "be", one.low)
        elif one.low in ("which", "that", "who") and behind and behind[0].key in ("be", "was") and last is not None:
            if len(behind) > 1 and (behind[1].is_past or behind[1].key in PREPOSITIONS):
                skipped = place + 1  # "the server that is in Oslo"
                continue
        elif one.low == "that" and last is not None and last.key.removesuffix(PAST) in SAYING:
            continue
        last = one
        yield one
