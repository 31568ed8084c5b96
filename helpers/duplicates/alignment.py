"""Whether two texts of the same terms say the same: every term that changed its place did so as grammar lets it (T-67).

The terms of both texts are paired. Stretches that stand in one order in both are blocks; two blocks that have changed
places need a licence: "Y of X" is "X's Y", "Y is used by X" is "X uses Y", "X is the Y" is "the Y is X", "in X, Y" is
"Y in X", "X and Y" is "Y and X". Inside a block, and wherever no licence explains it, the marks of each term must be
the same. So this is an inversion transduction grammar, in which each inversion is one that keeps who does what. Pure.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from ..language.lexicon import ARTICLES, QUANTIFIERS, WEEKDAYS
from .terms import FLOATING, PREPOSITIONS, SAYING, SCOPED, SUBORDINATORS, Term, with_synonyms
from .words import CLASSES

_MOST_BLOCKS = 10
_LONGEST_LIST = 6
_JOINTS = (("and",), ("or",))
_OWNING = with_synonyms(CLASSES["owning"])
_OPENS_ADJUNCT = (PREPOSITIONS | SUBORDINATORS) - {"of"}
_LIST_VERBS = with_synonyms(CLASSES["list_verbs"])
_NO_DOERS = with_synonyms(CLASSES["no_doers"]) | frozenset(WEEKDAYS)
_TIMES = FLOATING | CLASSES["times"]
_LINKS = frozenset(("be", ":"))
_FIXES_ADVERBS = SUBORDINATORS | SCOPED | CLASSES["joints"]


Terms = Sequence[Term]
Marks = tuple[str, ...]


class _Block(NamedTuple):
    """A stretch of both texts: where it begins and ends in each, what opens it, and how many verbs changed voice.

    `openers` are what stands in front of it, in each of the two.
    """

    begins: tuple[int, int]
    ends: tuple[int, int]
    openers: tuple[frozenset[str], frozenset[str]]
    marks: tuple[Marks, Marks]
    turned: int = 0

    @property
    def is_settled(self) -> bool:
        """Whether what stands in front says the same: "of" is no more than "'s", and neither is an "is"."""
        if self.marks[0] == self.marks[1]:
            if not self.marks[0] and (_is_one_of(*self.openers) or _is_one_of(*self.openers[::-1])):
                return False
            is_owner = any("'s" in self.openers[side] and _LINKS & self.openers[1 - side] for side in (0, 1))
            return self.openers[0] == self.openers[1] or not is_owner
        said, other = (tuple(one for one in each if one != "of") for each in self.marks)
        return said == other and _LINKS.isdisjoint(self.openers[0] | self.openers[1])


def _is_one_of(opener: frozenset[str], other: frozenset[str]) -> bool:
    """Whether "is a Y" in one text is "is the Y" in the other."""
    return bool(_LINKS & opener & other) and "the" in opener and not {"a", "an"}.isdisjoint(other)


def say_the_same(one: Terms, other: Terms) -> bool:
    """Whether the terms of two texts, each of which has a counterpart, stand in the same relations."""
    pairs = _pair(one, other)
    if pairs is None or any(one[a].place != other[b].place for a, b in enumerate(pairs)):
        return False
    return _Alignment(one, other, pairs).holds()


def _pair(one: Terms, other: Terms) -> list[int] | None:
    """Return the place in the other text of each term; None if one has no counterpart."""
    if len(one) != len(other):
        return None
    places: defaultdict[tuple[str, bool], list[int]] = defaultdict(list)
    for place, term in enumerate(other):
        places[term.key, term.is_past].append(place)
    pairs = [-1] * len(one)
    for any_marks in (False, True):
        for place, term in enumerate(one):
            free = places[term.key, term.is_past] if pairs[place] < 0 else []
            wanted = term.marks, term.place
            found = next((each for each in free if any_marks or (other[each].marks, other[each].place) == wanted), -1)
            if found >= 0:
                pairs[place] = found
                free.remove(found)
    return None if -1 in pairs else pairs


class _Alignment:
    def __init__(self, one: Terms, other: Terms, pairs: Sequence[int]) -> None:
        self._texts = one, other
        self._leaves = self._blocks(pairs)
        said = [Counter(one for term in terms for one in term.opener & _OWNING) for terms in self._texts]
        #: Of which each text has more than the other: only these may stand for a possessive.
        self._owning = tuple(_OWNING & {*(mine - theirs)} for mine, theirs in (said, said[::-1]))
        self._has_clauses = any(term.key in SAYING or not _FIXES_ADVERBS.isdisjoint(term.marks) for term in one)

    def holds(self) -> bool:
        """Whether all blocks come together as one of both texts, with nothing left to explain."""
        if len(self._leaves) > _MOST_BLOCKS:
            return False

        @cache
        def found(first: int, last: int) -> tuple[_Block, ...]:
            if first == last:
                return (self._leaves[first],)
            blocks: set[_Block] = set()
            for cut in range(first, last):
                for left, right in product(found(first, cut), found(cut + 1, last)):
                    blocks.update(self._joined(left, right))
                for far in range(cut + 1, last):
                    for three in product(found(first, cut), found(cut + 1, far), found(far + 1, last)):
                        blocks.update(self._turned(*three))
            return tuple(blocks)

        return any(block.is_settled and not block.turned for block in found(0, len(self._leaves) - 1))

    def _blocks(self, pairs: Sequence[int]) -> list[_Block]:
        """Return the longest stretches in one order in both texts, within which all marks are the same."""
        one, other = self._texts
        blocks: list[_Block] = []
        for a, b in enumerate(pairs):
            openers, marks = (one[a].opener, other[b].opener), (one[a].marks, other[b].marks)
            turned = int(one[a].is_passive is not other[b].is_passive)
            block = _Block((a, b), (a + 1, b + 1), openers, marks, turned)
            if blocks and blocks[-1].ends == (a, b) and block.is_settled:
                last = blocks.pop()
                block = last._replace(ends=block.ends, turned=last.turned + turned)
            blocks.append(block)
        return blocks

    def _joined(self, left: _Block, right: _Block) -> Iterator[_Block]:
        """Yield what two neighbouring blocks are together."""
        turned = left.turned + right.turned
        if left.ends[1] == right.begins[1]:
            if right.is_settled:
                yield left._replace(ends=right.ends, turned=turned)
            return
        if right.ends[1] != left.begins[1]:
            return
        both = _swapped(left, right, turned)
        if (
            self._owns(left, right, 0)
            or self._owns(right, left, 1)
            or self._equates(left, right)
            or self._lists(left, right)
        ):
            yield both
        is_alike = left.marks[0] == left.marks[1] and right.marks[0] == right.marks[1]
        if is_alike and (self._is_free(left, right) or self._floats(left) or self._floats(right)):
            yield both._replace(openers=left.openers, marks=left.marks)

    def _turned(self, first: _Block, verb: _Block, last: _Block) -> Iterator[_Block]:
        """Yield the block of "X uses Y" and "Y is used by X"."""
        if not (last.ends[1] == verb.begins[1] and verb.ends[1] == first.begins[1]) or verb.turned != 1:
            return
        if first.turned or last.turned or not verb.is_settled:
            return
        for doer, done, side in ((last, first, 0), (first, last, 1)):
            key = self._texts[0][doer.begins[0]].key
            is_somebody = key not in _NO_DOERS and not key[:1].isdecimal()  # not "by Friday"
            is_alike = doer.marks[side] == ("by",) and not done.marks[1 - side]
            if is_alike and is_somebody and not (self._is_each(doer, done) or self._is_each(done, doer)):
                yield _swapped(first, last)

    def _is_each(self, block: _Block, other: _Block) -> bool:
        """Whether one of the other for each of these, or one for all of them, hangs on the order."""
        one = self._texts[0]
        is_each = any(
            not QUANTIFIERS.isdisjoint((term.key, *term.opener)) for term in one[slice(block.begins[0], block.ends[0])]
        )
        return is_each and not {"a", "an"}.isdisjoint(one[other.begins[0]].opener)

    def _begins(self, block: _Block, side: int) -> bool:
        return self._texts[side][block.begins[side]].begins

    def _ends(self, block: _Block, side: int) -> bool:
        text, end = self._texts[side], block.ends[side]
        return end == len(text) or text[end].begins or text[end].key == "?"

    def _is_free(self, left: _Block, right: _Block) -> bool:
        """Whether one of the two is a phrase or clause that may stand in front or at the end, or both stand there."""
        is_left, is_right = (self._is_adjunct(block) for block in (left, right))
        if is_left and is_right and self._is_apart(right, 0) and self._is_apart(left, 1):
            return left.marks != right.marks or not left.marks[0]  # two times
        return (is_left and self._begins(left, 0) and self._ends(left, 1)) or (
            is_right and self._ends(right, 0) and self._begins(right, 1)
        )

    def _is_adjunct(self, block: _Block) -> bool:
        first = [text[begin] for text, begin in zip(self._texts, block.begins, strict=True)]
        is_time = all(term.key in _TIMES and term.opener.isdisjoint(ARTICLES) for term in first)
        return first[0].is_time or (is_time and not self._has_clauses) or not _OPENS_ADJUNCT.isdisjoint(block.marks[0])

    def _floats(self, block: _Block) -> bool:
        return not self._has_clauses and all(
            term.key in FLOATING and term.opener.isdisjoint(ARTICLES)
            for text, begin, end in zip(self._texts, block.begins, block.ends, strict=True)
            for term in text[begin:end]
        )

    def _owns(self, owned: _Block, owner: _Block, side: int) -> bool:
        """Whether "Y of X" in the text of this side is "X's Y" or "X Y" in the other one."""
        marks, is_named = owner.marks[side], self._texts[side][owner.begins[side]].word.is_exact
        if is_named and "'s" in owned.openers[1 - side] and marks != ("of",):
            return False  # "the letter to Ann" is not "Ann's letter"
        return (
            bool(marks)
            and self._owning[side].issuperset(marks)
            and not owned.marks[1 - side]
            and owned.openers[1 - side].isdisjoint(ARTICLES | _LINKS | {","})
        )

    def _equates(self, left: _Block, right: _Block) -> bool:
        """Whether "X is the Y" became "the Y is X"."""
        opened = right.openers[0], left.openers[1]
        if not all(opener & _LINKS for opener in opened) or not self._begins(left, 0):
            return False
        if not self._begins(right, 1) or any((*left.marks, *right.marks)):
            return False
        if not (self._is_apart(right, 0) and self._is_apart(left, 1)):
            return False  # "X is Y limited"
        return any(self._is_definite(block) for block in (left, right))

    def _is_apart(self, block: _Block, side: int) -> bool:
        """Whether what follows a block does not belong to it."""
        text, end = self._texts[side], block.ends[side]
        return self._ends(block, side) or bool(text[end].marks) or text[end].key in FLOATING

    def _is_definite(self, block: _Block) -> bool:
        sides = zip(self._texts, block.begins, block.ends, strict=True)
        is_named = any(all(term.word.is_exact for term in text[begin:end]) for text, begin, end in sides)
        return is_named or all("the" in opener for opener in block.openers)

    def _lists(self, left: _Block, right: _Block) -> bool:
        """Whether "X and Y" became "Y and X", and nothing belongs to one of them alone."""
        if right.marks[0] not in _JOINTS or right.marks[0] != left.marks[1]:
            return False
        one = self._texts[0]
        begin, end = left.begins[0], right.ends[0]
        terms = one[begin:end]
        said = {"?", *CLASSES["ordered"]} & {word for term in one for word in (term.word.low, *term.opener)}
        before = one[begin - 1] if begin else None
        is_open = bool(left.openers[0]) or before is None or before.key in _LIST_VERBS
        is_closed = self._is_apart(right, 0) and (end == len(one) or left.marks[0] != one[end].marks)
        if said or (end < len(one) and "'s" in one[end].opener):
            return False
        if end - begin > _LONGEST_LIST or not is_open:
            return False
        return is_closed or (before is None and terms[-1].word.is_exact)


def _swapped(first: _Block, last: _Block, turned: int = 0) -> _Block:
    """Return all from the first block of one text to the last, which the other text begins with."""
    begins, ends = (first.begins[0], last.begins[1]), (last.ends[0], first.ends[1])
    return _Block(begins, ends, (first.openers[0], last.openers[1]), (first.marks[0], last.marks[1]), turned)
